//! Asking the routing for a hop, and what it may see of the router.

use odonata_routing::{
    Arrival, Estimate, Hop, LinkChanges, NO_WAYPOINT, Observation, PacketRoute, PathState,
    PrecomputedHop, QTable, RouterLocation, Routing,
};
use odonata_telemetry::Probe;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::packet::Packet;
use crate::router::flows::Flow;
use crate::router::moment::Moment;
use crate::router::state::{EarlyIndex, Router};
use crate::shared::all_groups::Shared;

/// The channel by which `packet` came to its router; its class has VCs from `class_base` on.
#[inline(always)]
fn arrival(shared: &Shared, packet: &Packet, class_base: u8) -> Arrival {
    Arrival {
        kind: shared.kinds[packet.in_port().index()],
        vc: packet.vc - class_base,
    }
}

/// Question to a routing about a packet.
#[derive(Clone, Copy)]
struct Question<'a> {
    routing: &'a Routing,
    /// Where the router is, as `routing` has it.
    location: RouterLocation,
    arrival: Arrival,
    /// First VC of those that `routing` numbers.
    class_base: u8,
    moment: Moment,
}

/// Route of a packet of a network with ordered packets.
enum Followed {
    /// It is not ordered, or nothing is decided here.
    Unordered,
    /// It takes over what was decided on the one before it.
    Yes(Hop),
    /// It decides, for those behind it.
    No(Opening),
}

/// An ordered packet that decides.
struct Opening {
    flow: Flow,
    /// Its route when it came.
    came: PacketRoute,
    gap: Span,
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
        let round_trip = shared.round_trip_flits[shared.kinds[port.index()] as usize];
        estimate.of(queued, in_use, round_trip)
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
        let class_base = out.shared.class_base(packet.vc);
        let hop = self.regular_hop(out, packet, class_base, moment);
        self.note_routed(out, packet, hop.port, moment);
        Hop {
            port: hop.port,
            vc: hop.vc + class_base,
        }
    }

    /// The hop of `packet`, on the virtual channels of its class, which begin at `class_base`.
    #[inline(always)]
    fn regular_hop<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        class_base: u8,
        moment: Moment,
    ) -> Hop {
        let shared = out.shared;
        // First the constant: nothing of this is compiled where no link changes.
        if F::CHANGES
            && let Some(changes) = shared.changes()
            && changes.rerouting().is_some()
        {
            return self.route_amid_changes(out, packet, moment, changes);
        }
        if let Some(hop) = self.precomputed_hop(&shared, packet, class_base) {
            return hop;
        }
        self.decide_route(out, packet, moment)
    }

    /// The same if there is nothing to decide.
    #[inline(always)]
    fn precomputed_hop(
        &mut self,
        shared: &Shared,
        packet: &mut Packet,
        class_base: u8,
    ) -> Option<Hop> {
        let routing = &shared.routing;
        if !shared.routes_plainly {
            let arrival = arrival(shared, packet, class_base);
            let precomputed = routing.precomputed(&self.location, arrival, packet.route())?;
            return Some(self.leave(packet, precomputed));
        }
        let (path_state, intermediate) = (packet.path_state(), packet.intermediate());
        let (hop, status) = routing.precomputed_plainly(
            &self.location,
            packet.target(),
            path_state,
            intermediate,
        )?;
        if status.is_determined() {
            return Some(hop);
        }
        let from = shared.kinds[packet.in_port().index()];
        if status.is_determined_at_gateway() && from.is_local() {
            self.draw.skip();
            return Some(hop);
        }
        None
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
        let question = Question {
            routing: &shared.routing,
            location: self.location,
            arrival,
            class_base,
            moment,
        };
        // Asked in one place: the routing is compiled into it.
        let followed = match self.flows {
            Some(_) => self.follow(question, &mut route),
            None => Followed::Unordered,
        };
        if let Followed::Yes(hop) = followed {
            packet.set_route(&route);
            return hop;
        }
        let hop = self.ask(out, question, &mut route);
        if let Followed::No(opening) = followed {
            self.keep(opening, &route, hop, moment.now);
        }
        packet.set_route(&route);
        hop
    }

    /// Whether an ordered packet takes over what was decided on the one before it, if there is
    /// something to decide.
    #[inline(never)]
    fn follow(&mut self, question: Question<'_>, route: &mut PacketRoute) -> Followed {
        let Some(gap) = question.routing.flow_gap(route.mode) else {
            return Followed::Unordered;
        };
        let is_asked = route.path_state == PathState::Fresh
            || (question.routing).asks_again(self.id, question.arrival, route);
        let Some(flows) = self.flows.as_mut().filter(|_| is_asked) else {
            return Followed::Unordered;
        };
        let flow = Flow::of(route, question.class_base);
        let came = *route;
        match flows.follow(flow, route, question.moment.now, gap) {
            Some(hop) => Followed::Yes(hop),
            None => Followed::No(Opening { flow, came, gap }),
        }
    }

    /// Keeps what was decided at `now` on a packet whose route is `left` now.
    #[inline(never)]
    fn keep(&mut self, opening: Opening, left: &PacketRoute, hop: Hop, now: Instant) {
        let Opening { flow, came, gap } = opening;
        if let Some(flows) = &mut self.flows {
            flows.keep(flow, [&came, left], hop, now, gap);
        }
    }

    /// The answer to `question` about the packet that `route` is the route of.
    #[inline(always)]
    fn ask<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        question: Question<'_>,
        route: &mut PacketRoute,
    ) -> Hop {
        let Question {
            routing,
            location,
            arrival,
            class_base,
            moment,
        } = question;
        let mut draw = self.draw.clone();
        let mut ports = Ports {
            router: self,
            out,
            class_base,
            moment,
        };
        let hop = routing.route(&location, arrival, route, &mut ports, &mut draw);
        self.draw = draw;
        hop
    }

    /// Routes `packet` where links go down: by the routing of the state that it began with, unless
    /// it was rerouted before, or has to be now.
    #[inline(never)]
    fn route_amid_changes<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        moment: Moment,
        changes: &LinkChanges<Routing>,
    ) -> Hop {
        let shared = out.shared;
        let base = shared.class_base(packet.vc);
        let mut arrival = arrival(&shared, packet, base);
        let regular = shared.routing.regular_virtual_channels();
        if arrival.kind != LinkKind::Host && arrival.vc >= regular {
            arrival.vc -= regular;
            let route = packet.route_amid_changes();
            return self.route_behind(out, packet, arrival, route, moment);
        }
        let state = match arrival.kind {
            LinkKind::Host => changes.state_at(moment.now),
            _ => packet.network_state(),
        };
        let mut route = packet.route_amid_changes();
        let routing = &changes.states()[usize::from(state)];
        let question = Question {
            routing,
            location: routing.location(self.id),
            arrival,
            class_base: base,
            moment,
        };
        let hop = self.ask(out, question, &mut route);
        packet.set_route_amid_changes(&route, state);
        let timeline = changes.timeline();
        if timeline.share_ppm(self.id, hop.port, moment.now) == 0 {
            let hop = self.reroute(out, packet, moment);
            return Hop {
                vc: hop.vc - base,
                ..hop
            };
        }
        hop
    }

    /// Routes `packet` anew from here on, over links that never go down.
    pub(crate) fn reroute<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        moment: Moment,
    ) -> Hop {
        let route = PacketRoute::new(packet.source(), packet.target(), packet.mode());
        out.totals.rerouted += 1;
        let base = out.shared.class_base(packet.vc);
        let hop = self.route_behind(out, packet, Arrival::FROM_NODE, route, moment);
        Hop {
            vc: hop.vc + base,
            ..hop
        }
    }

    /// Routes a rerouted packet, on the virtual channels behind all others.
    fn route_behind<F: Features, P: Probe>(
        &mut self,
        out: &mut Outbox<'_, F, P>,
        packet: &mut Packet,
        arrival: Arrival,
        route: PacketRoute,
        moment: Moment,
    ) -> Hop {
        let shared = out.shared;
        let rerouting = shared.changes().and_then(LinkChanges::rerouting);
        let routing = rerouting.unwrap_or(&shared.routing);
        let is_response = shared.is_for_responses(shared.lane_of_vc(packet.vc));
        let (mode, state) = (route.mode, packet.network_state());
        let mut route = PacketRoute {
            mode: u8::from(is_response),
            ..route
        };
        let question = Question {
            routing,
            location: routing.location(self.id),
            arrival,
            class_base: shared.class_base(packet.vc) + shared.routing.regular_virtual_channels(),
            moment,
        };
        let hop = self.ask(out, question, &mut route);
        route.mode = mode;
        packet.set_route_amid_changes(&route, state);
        Hop {
            vc: hop.vc + shared.routing.regular_virtual_channels(),
            ..hop
        }
    }
}
