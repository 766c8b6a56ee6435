//! Router `cioq`: input FIFOs, a crossbar of finite speed-up, output FIFOs.

use odonata_endpoint::Endpoint;
use odonata_units::Instant;

use crate::event::{EventKind, EventPort, Subject};
use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// Step 4: a packet enters its input FIFO; alone there, it is head at once.
    pub(crate) fn cioq_enter(&mut self, router: usize, packet: usize) {
        let (port, vc) = self.packets[packet].input;
        let fifo = &mut self.routers[router].inputs[port].fifos[vc];
        fifo.push_back(packet);
        if fifo.len() > 1 {
            return;
        }
        self.route(router, packet);
        self.blame_head(router, packet);
        if !self.routers[router].ticking {
            let at = self.timing.tick_after(self.now);
            self.schedule_tick(router, at);
        }
    }

    fn schedule_tick(&mut self, router: usize, at: Instant) {
        self.routers[router].ticking = true;
        self.agenda.add(
            at,
            EventKind::Tick,
            EventPort {
                component: router,
                port: 0,
            },
            Subject::Port,
        );
    }

    /// Step 2: crossbar arbitration.
    pub(crate) fn tick(&mut self, router: usize) {
        let granted = self.grant(router);
        let recency = &mut self.routers[router].recency;
        recency.retain(|input| !granted.contains(input));
        recency.extend(granted.iter().rev());

        let mut by_port = granted;
        by_port.sort_unstable();
        for (port, vc) in by_port {
            self.transfer(router, port, vc);
        }
        let here = &mut self.routers[router];
        here.ticking = false;
        if here
            .inputs
            .iter()
            .flat_map(|input| &input.fifos)
            .any(|fifo| !fifo.is_empty())
        {
            self.schedule_tick(router, self.timing.tick_after(self.now));
        }
    }

    /// Visits the heads, least recently granted first; returns the granted inputs in that order.
    fn grant(&mut self, router: usize) -> Vec<(usize, usize)> {
        let mut granted = Vec::new();
        let cycle = self.timing.crossbar_cycle();
        for (port, vc) in self.routers[router].recency.clone() {
            let here = &mut self.routers[router];
            let Some(&head) = here.inputs[port].fifos[vc].front() else {
                continue;
            };
            let packet = &self.packets[head];
            let (out, out_vc) = packet.output;
            let queued = here.outputs[out].queued[out_vc];
            let room = self.parameters.output_buffer_flits.saturating_sub(queued);
            let free = here.inputs[port]
                .crossbar_free
                .max(here.outputs[out].crossbar_free);
            if free <= self.now && room >= packet.flits {
                let end = self.now + cycle * u64::from(packet.flits);
                here.inputs[port].crossbar_free = end;
                here.outputs[out].crossbar_free = end;
                granted.push((port, vc));
            }
        }
        granted
    }

    /// Moves a granted head to its output FIFO.
    fn transfer(&mut self, router: usize, port: usize, vc: usize) {
        let fifo = &mut self.routers[router].inputs[port].fifos[vc];
        let Some(packet) = fifo.pop_front() else {
            unreachable!("a granted FIFO has a head");
        };
        let next = fifo.front().copied();
        self.leave_input(router, packet);
        if let Some(next) = next {
            self.route(router, next);
            self.blame_head(router, next);
        }
        self.blame_join(router, packet);
        self.note_refusal(router, packet);
        let state = &self.packets[packet];
        let (out, out_vc) = state.output;
        let held = self.lost_until(router, out, state.entered);
        let state = &mut self.packets[packet];
        state.ready = state.ready.max(held);
        let output = &mut self.routers[router].outputs[out];
        output.fifos[out_vc].push_back(packet);
        output.queued[out_vc] += state.flits;
        assert!(
            output.queued[out_vc] <= self.parameters.output_buffer_flits,
            "grants guard the output buffer"
        );
        self.rouse(router, out);
    }

    /// A packet or credits have come to output `port`: if it is waiting and holds packets, it is
    /// armed for one wake-up span from now, unless it is armed for an earlier `ready`.
    pub(crate) fn rouse(&mut self, router: usize, port: usize) {
        let output = &mut self.routers[router].outputs[port];
        if !output.waiting || !output.holds_packets() {
            return;
        }
        output.waiting = false;
        let at = self.now + self.timing.wake_up(output.kind);
        if output.alarm.is_none_or(|alarm| at < alarm) {
            output.alarm = Some(at);
            self.schedule_output(router, port, at);
        }
    }

    /// Step 3: an output port at an instant it was once armed for.
    pub(crate) fn cioq_output(&mut self, router: usize, port: usize) {
        let output = &mut self.routers[router].outputs[port];
        if output.alarm != Some(self.now) {
            return;
        }
        output.alarm = None;
        let choice = output.choose(&self.packets, self.parameters, self.now);
        let alarm = if let Some(vc) = choice {
            output.waiting = false;
            self.start(router, port, vc);
            Some(self.routers[router].outputs[port].channel_free)
        } else {
            output.waiting = true;
            self.count_shortage(router, port);
            let output = &self.routers[router].outputs[port];
            let held = output.held_until(&self.packets, self.parameters, self.now);
            let heads = output.fifos.iter().filter_map(|fifo| fifo.front());
            heads
                .map(|&head| self.packets[head].ready)
                .filter(|&ready| ready > self.now)
                .chain(held)
                .min()
        };
        if let Some(at) = alarm {
            self.routers[router].outputs[port].alarm = Some(at);
            self.schedule_output(router, port, at);
        }
    }
}
