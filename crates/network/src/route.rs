//! Asking the routing for a hop, and what it may see of the router.

use odonata_routing::{Arrival, Estimate, Hop, NO_WAYPOINT, Observation, PrecomputedHop, QTable};
use odonata_telemetry::Probe;
use odonata_topology::PortIndex;
use odonata_units::Instant;

use crate::features::Features;
use crate::outbox::Outbox;
use crate::packet::Packet;
use crate::router::{EarlyIndex, Router};
use crate::shared::Shared;

/// The instant at which a packet is routed, and which output decisions show then.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    /// Credits up to and including this instant show.
    pub(crate) now: Instant,
    /// Output decisions up to and including this instant show.
    pub(crate) limit: Instant,
}

/// The channel by which `packet` came to its router; its class has VCs from `class_base` on.
#[inline(always)]
fn arrival(shared: &Shared, packet: &Packet, class_base: u8) -> Arrival {
    Arrival {
        kind: shared.kinds[packet.in_port().index()],
        vc: packet.vc - class_base,
    }
}

/// The output ports of one router, as routing sees them.
struct Ports<'a, 'b, F, P> {
    router: &'a mut Router,
    out: &'a mut Outbox<'b, F, P>,
    /// First VC of the class of the packet that is routed.
    class_base: u8,
    moment: Moment,
}

impl<F: Features, P: Probe> Observation for Ports<'_, '_, F, P> {
    #[inline(always)]
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
        let shared = self.out.shared;
        let vc = vc.map(|vc| vc + self.class_base);
        self.router.run_output(self.out, port, self.moment.limit);
        let state = &self.router.ports[port.index()];
        let (queued, in_use) = match vc {
            None => (state.queued, state.in_use),
            Some(vc) => {
                let credits = self.router.queues[shared.queue(port, vc).index()].credits;
                let in_use = shared
                    .depth(shared.kinds[port.index()])
                    .saturating_sub(credits);
                (self.router.queued_flits(&shared, port, vc), in_use)
            }
        };
        let early = match state.early {
            None => 0,
            Some(last) => self.router.early_credits(last, vc, self.moment.now),
        };
        let in_use = in_use + early;
        match estimate {
            Estimate::Queued => queued,
            Estimate::InUse => in_use,
            Estimate::Both => queued + in_use,
        }
    }

    fn table(&self) -> Option<&QTable> {
        self.router.table.as_deref()
    }
}

impl Router {
    /// The flits of credits for a port that were applied early in this window and are usable only
    /// after `now`; `last` is the last of these credits.
    #[inline]
    fn early_credits(&self, last: EarlyIndex, vc: Option<u8>, now: Instant) -> u32 {
        let offset = (now - self.window).ps();
        let mut flits = 0;
        let mut next = Some(last);
        while let Some(index) = next {
            let early = &self.early[index.index()];
            let is_of_lane = vc.is_none_or(|vc| early.credit.vc() == vc);
            flits += u32::from(is_of_lane) * early.credit.flits_after(offset);
            next = early.before;
        }
        flits
    }

    /// Routes `packet`.
    #[inline(always)]
    pub(crate) fn route<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        moment: Moment,
    ) -> Hop {
        let shared = out.shared;
        let class_base = shared.class_base(packet.vc);
        let hop = 'hop: {
            if shared.routes_plainly {
                let (path_state, intermediate) = (packet.path_state(), packet.intermediate());
                let precomputed = shared.routing.precomputed_plainly(
                    &self.location,
                    packet.target(),
                    path_state,
                    intermediate,
                );
                if let Some((hop, status)) = precomputed {
                    if status.is_determined() {
                        break 'hop hop;
                    }
                    let from = shared.kinds[packet.in_port().index()];
                    if status.is_determined_at_gateway() && from.is_local() {
                        self.draw.skip();
                        break 'hop hop;
                    }
                }
            } else {
                let arrival = arrival(&shared, packet, class_base);
                let precomputed =
                    shared
                        .routing
                        .precomputed(&self.location, arrival, packet.route());
                if let Some(precomputed) = precomputed {
                    break 'hop self.leave(packet, precomputed);
                }
            }
            self.decide_route(out, packet, moment)
        };
        self.watch_transit(out, packet, hop.port, moment.now);
        self.note_routed(out, packet, hop.port, moment.limit);
        Hop {
            port: hop.port,
            vc: hop.vc + class_base,
        }
    }

    /// The precomputed hop of `packet`.
    #[inline(always)]
    const fn leave(&mut self, packet: &mut Packet, precomputed: PrecomputedHop) -> Hop {
        if precomputed.is_at_gateway {
            self.draw.skip();
            packet.waypoint = NO_WAYPOINT;
        }
        precomputed.hop
    }

    /// Routes a packet that has something to decide or to draw.
    fn decide_route<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        moment: Moment,
    ) -> Hop {
        let shared = out.shared;
        let class_base = shared.class_base(packet.vc);
        let arrival = arrival(&shared, packet, class_base);
        let mut route = packet.route();
        let location = self.location;
        let mut draw = self.draw.clone();
        let mut ports = Ports {
            router: self,
            out,
            class_base,
            moment,
        };
        let hop = shared
            .routing
            .route(&location, arrival, &mut route, &mut ports, &mut draw);
        self.draw = draw;
        packet.set_route(&route);
        hop
    }
}
