//! A router whose link goes down: what waits for the link is rerouted.

use odonata_telemetry::{Probe, Queueing};
use odonata_topology::PortIndex;
use odonata_units::Instant;

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::{InputIndex, SlabIndex};
use crate::model::packet::Packet;
use crate::router::moment::Moment;
use crate::router::output::Start;
use crate::router::state::Router;

/// The instant before `at`.
const fn before(at: Instant) -> Instant {
    Instant::from_ps(at.ps() - 1)
}

impl Router {
    /// Takes down the links that go down up to `limit`.
    #[inline(always)]
    pub(crate) fn take_down_until<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        limit: Instant,
    ) {
        if F::CHANGES && self.next_down <= limit {
            self.take_down_several(out, limit);
        }
    }

    #[inline(never)]
    fn take_down_several<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        limit: Instant,
    ) {
        let Some(changes) = out.shared.changes() else {
            return;
        };
        let downs = changes.timeline().downs(self.id);
        while self.next_down <= limit {
            let at = self.next_down;
            let has_packets = !self.is_empty(out.shared);
            if has_packets {
                self.run_crossbar(out, before(at));
                self.run_busy_outputs(out, before(at));
            }
            while let Some(down) = downs.get(self.downs_made as usize) {
                if down.at > at {
                    break;
                }
                self.downs_made += 1;
                if has_packets {
                    self.take_down(out, down.port, at);
                }
            }
            let next = downs.get(self.downs_made as usize);
            self.next_down = next.map_or(Instant::NEVER, |down| down.at);
        }
    }

    /// Reroutes what waits at `port`, whose link goes down at `at`.
    fn take_down<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: PortIndex,
        at: Instant,
    ) {
        for index in self.empty_output(out, port, at) {
            self.move_to_other_output(out, port, index, at);
        }
        if out.shared.has_crossbar() {
            for input in (0..self.crossbar.inputs.len()).map(InputIndex) {
                let head = &self.crossbar.inputs[input.index()];
                if head.occupied && head.output == port {
                    self.turn_head(out, input, at);
                }
            }
        }
    }

    /// Takes all packets out of the queues of `port`: they come by virtual channel, each channel's
    /// in order.
    fn empty_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        port: PortIndex,
        at: Instant,
    ) -> Vec<SlabIndex> {
        let shared = out.shared;
        let channel = self.channel(port);
        let mut moved = Vec::new();
        for vc in (0..u8::MAX).take(shared.vcs) {
            if self.ports[port.index()].waiting_vcs & 1 << vc == 0 {
                continue;
            }
            let queue = shared.queue(port, vc).index();
            let mut next = Some(self.queues[queue].head);
            while let Some(index) = next {
                let packet = self.slab.get_mut(index);
                next = packet.next();
                packet.set_next(None);
                let flits = u32::from(packet.flits);
                self.ports[port.index()].queued -= flits;
                self.queues[queue].room = self.queues[queue].room.wrapping_add(flits);
                moved.push(index);
            }
        }
        let state = &mut self.ports[port.index()];
        state.waiting_vcs = 0;
        state.due = Instant::NEVER;
        let obstacles = std::mem::take(&mut state.obstacles);
        if obstacles.is_stalled() {
            let since = self.stalled_since[port.index()];
            out.probe.lacked_credits(channel, since, at);
        }
        self.busy.remove(port);
        moved
    }

    /// Queues a packet that waited at `from` for another output.
    fn move_to_other_output<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        from: PortIndex,
        index: SlabIndex,
        at: Instant,
    ) {
        let shared = out.shared;
        let mut packet = *self.slab.get(index);
        let start = self.turn(out, &mut packet, from, at);
        self.slab.get_mut(index).take_route(&packet);
        let kind = shared.kinds[from.index()];
        let whole = shared.times.hop(kind, packet.flits).serialization;
        let held = shared.held_until(self.link_at(start.port), at, at);
        let ready = self.slab.ready(index).plus(whole).max(held);
        self.slab.set_ready(index, ready);
        let queueing = Queueing {
            vc: start.vc,
            at,
            ready: ready.max(at),
        };
        let channel = self.channel(start.port);
        out.probe.queued(channel, &packet.facts(at), queueing);
        self.push(out, index, packet.flits, start);
        if shared.has_crossbar() {
            let decision = self.ports[start.port.index()].due;
            self.crossbar.retry_blocked(start.port, decision);
        }
    }

    /// Gives the head of `input` another output.
    fn turn_head<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        input: InputIndex,
        at: Instant,
    ) {
        let head = self.crossbar.inputs[input.index()];
        let mut packet = *self.slab.get(head.head);
        let start = self.turn(out, &mut packet, head.output, at);
        self.slab.get_mut(head.head).take_route(&packet);
        let channel = self.channel(start.port);
        out.probe.became_head(channel, &packet.facts(at), at);
        let crossbar = &mut self.crossbar;
        let head = &mut crossbar.inputs[input.index()];
        (head.output, head.vc) = (start.port, start.vc);
        head.needs_room = false;
        let try_at = crossbar
            .grid
            .after(before(at))
            .max(crossbar.in_free[packet.in_port().index()])
            .max(crossbar.out_free[start.port.index()]);
        crossbar.plan(input, try_at);
    }

    /// Reroutes a packet that was routed to `from`.
    fn turn<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        from: PortIndex,
        at: Instant,
    ) -> Start {
        let moment = Moment {
            now: at,
            limit: before(at),
        };
        if let Some(control) = &mut self.control {
            control.turned(from, packet.flits);
        }
        self.note_entered(out, packet, moment);
        let hop = self.reroute(out, packet, moment);
        self.note_routed(out, packet, hop.port, moment);
        Start::new(&out.shared, hop.port, hop.vc, at)
    }
}
