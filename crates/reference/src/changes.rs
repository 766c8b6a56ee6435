//! Links that change: `docs/model/network.md`, "Links that change during the run".

use odonata_endpoint::Endpoint;
use odonata_network::{Architecture, Switching};
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{Instant, RouterId, Span};

use crate::event::{EventKind, EventPort, Subject};
use crate::simulation::Simulation;

/// All of a bandwidth, millionths.
const WHOLE: u32 = 1_000_000;

#[expect(
    clippy::cast_possible_truncation,
    reason = "routers have 32 bits and ports 16"
)]
impl<E: Endpoint> Simulation<'_, E> {
    /// What is left at `at` of the bandwidth of the channel at `port`, millionths.
    pub(crate) fn share(&self, router: usize, port: usize, at: Instant) -> u32 {
        let Some(changes) = self.routing.changes() else {
            return WHOLE;
        };
        let here = (RouterId(router as u32), PortIndex(port as u16));
        let own = changes.timeline().changes().iter();
        let past = own.filter(|one| (one.router, one.port) == here && one.at <= at);
        past.max_by_key(|one| one.at)
            .map_or(WHOLE, |one| one.share_ppm)
    }

    /// `serialization(f)` at an instant; of a link that is down as of a whole one.
    pub(crate) fn wire(&self, router: usize, port: usize, flits: u32, at: Instant) -> Span {
        let kind = self.routers[router].outputs[port].kind;
        match self.share(router, port, at) {
            0 => self.timing.serialization(kind, flits),
            share => self.timing.serialization_at(kind, flits, share),
        }
    }

    /// From the entry of a packet to its `ready` for output `to`.
    pub(crate) fn ready_wait(&self, router: usize, packet: usize, to: usize) -> Span {
        let state = &self.packets[packet];
        let (from, flits, entered) = (state.input.0, state.flits, state.entered);
        let kind = self.routers[router].inputs[from].kind;
        match (self.parameters.switching, kind) {
            (Switching::StoreAndForward, _) => Span::ZERO,
            (Switching::CutThrough, LinkKind::Host) => self
                .timing
                .serialization(kind, flits)
                .saturating_sub(self.wire(router, to, flits, entered)),
            (Switching::CutThrough, _) => {
                let Some(Attachment::Router(far, back)) =
                    self.routers[router].inputs[from].upstream
                else {
                    unreachable!("a packet comes over a channel");
                };
                let way = self.timing.entry(kind, 0) + self.extra(far, back);
                let started = Instant::from_ps(entered.ps() - way.ps());
                self.wire(far.index(), back.index(), flits, started)
                    .saturating_sub(self.wire(router, to, flits, entered))
            }
        }
    }

    /// The instant before which a packet that came at `entered` does not leave `router` by `to`,
    /// where it is queued now: one that is down has lost it, and it is sent again.
    pub(crate) fn lost_until(&self, router: usize, to: usize, entered: Instant) -> Instant {
        let Some(changes) = self.routing.changes() else {
            return Instant::ZERO;
        };
        let timeline = changes.timeline();
        for outage in timeline.outages() {
            let is_down = outage.from <= self.now && self.now < outage.until;
            if outage.router.index() == router
                && is_down
                && self.routers[router].outputs[to].kind != LinkKind::Host
            {
                return entered.max(outage.from) + timeline.resent_after();
            }
        }
        Instant::ZERO
    }

    /// Puts all links that go down on the agenda.
    pub(crate) fn plan_downs(&mut self) {
        let Some(changes) = self.routing.changes() else {
            return;
        };
        for one in changes.timeline().changes() {
            if one.share_ppm == 0 {
                let place = EventPort {
                    component: one.router.index(),
                    port: one.port.index(),
                };
                self.agenda
                    .add(one.at, EventKind::LinkDown, place, Subject::Port);
            }
        }
    }

    /// The link at `port` goes down: what waits for it is rerouted.
    pub(crate) fn take_down(&mut self, router: usize, port: usize) {
        let now = self.now;
        let output = &mut self.routers[router].outputs[port];
        let mut waiting = Vec::new();
        for vc in 0..output.fifos.len() {
            while let Some(packet) = output.fifos[vc].pop_front() {
                output.queued[vc] -= self.packets[packet].flits;
                waiting.push(packet);
            }
        }
        if output.alarm != Some(output.channel_free) {
            output.alarm = None;
            output.waiting = true;
        }
        self.tiles[router][port].end_stall(now);
        for packet in waiting {
            let kind = self.routers[router].outputs[port].kind;
            let state = &self.packets[packet];
            let ready = state.ready + self.timing.serialization(kind, state.flits);
            self.turn(router, packet);
            self.note_refusal(router, packet);
            let state = &self.packets[packet];
            let (to, vc) = state.output;
            let flits = state.flits;
            let ready = ready.max(self.lost_until(router, to, now));
            self.packets[packet].ready = ready;
            let output = &mut self.routers[router].outputs[to];
            output.fifos[vc].push_back(packet);
            output.queued[vc] += flits;
            match self.parameters.architecture {
                Architecture::Voq => {
                    self.schedule_output(router, to, now);
                    if ready > now {
                        self.schedule_output(router, to, ready);
                    }
                }
                Architecture::Cioq => self.rouse(router, to),
            }
        }
        for input in 0..self.routers[router].inputs.len() {
            for vc in 0..self.routers[router].inputs[input].fifos.len() {
                let head = self.routers[router].inputs[input].fifos[vc]
                    .front()
                    .copied();
                if let Some(head) = head
                    && self.packets[head].output.0 == port
                {
                    self.turn(router, head);
                }
            }
        }
    }

    /// Reroutes a packet that was routed before.
    fn turn(&mut self, router: usize, packet: usize) {
        let (from, flits) = (self.packets[packet].output.0, self.packets[packet].flits);
        self.routers[router].markers[from].waiting -= flits;
        self.watch_entry(router, packet);
        self.reroute(router, packet);
        self.finish_routing(router, packet);
    }
}
