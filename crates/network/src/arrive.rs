//! Packets enter a router and are routed.

use odonata_routing::{Arrival, Estimate, Hop, Observation, QTable};
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, RouterId};

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::output::Start;
use crate::packet::{Lesson, Packet};
use crate::shared::Shared;

/// How `packet` came to its router; its class has VCs from `class_base` on.
#[inline]
fn arrival(shared: &Shared, packet: &Packet, class_base: u8) -> Arrival {
    let kind = shared.kinds[usize::from(packet.in_port)];
    let vc = if kind == LinkKind::Host {
        0
    } else {
        packet.vc - class_base
    };
    Arrival { kind, vc }
}

/// The output ports of one router, as routing sees them.
struct Ports<'a, 'b, E, const RICH: bool> {
    state: &'a mut State<E>,
    context: &'a mut Context<'b, RICH>,
    router: usize,
    /// First VC of the class of the packet that is routed.
    class_base: u8,
    /// Output decisions up to and including this instant show.
    limit: u64,
    /// Credits up to and including this instant show.
    now: u64,
}

impl<E: Endpoint, const RICH: bool> Observation for Ports<'_, '_, E, RICH> {
    #[inline]
    fn flits(&mut self, port: PortIndex, vc: Option<u8>, estimate: Estimate) -> u32 {
        let output = self.router * self.context.shared.radix + port.index();
        let vc = vc.map(|vc| vc + self.class_base);
        self.state.run_output(self.context, output, self.limit);
        let (queued, in_use) = match vc {
            None => {
                let port = &self.state.outputs[output];
                (port.queued, port.in_use)
            }
            Some(vc) => self.state.flits_of_vc(self.context, output, vc),
        };
        let window = self.context.shared.window_number(self.state.window);
        let early = if self.state.outputs[output].early == window {
            self.state.early_credits((port.index(), vc), self.now)
        } else {
            0
        };
        let in_use = in_use + early;
        match estimate {
            Estimate::Queued => queued,
            Estimate::InUse => in_use,
            Estimate::Both => queued + in_use,
        }
    }

    fn table(&self) -> Option<&QTable> {
        self.state.tables.get(self.router)
    }
}

impl<E: Endpoint> State<E> {
    /// Flits of credits that were applied early in this window and are usable only after `now`.
    #[inline]
    fn early_credits(&self, (port, vc): (usize, Option<u8>), now: u64) -> u32 {
        let offset = now - self.window;
        let port = port as u64;
        match vc {
            None => self
                .early
                .iter()
                .map(|credit| credit.flits_after(offset, port))
                .sum(),
            Some(vc) => {
                let mine = self
                    .early
                    .iter()
                    .filter(|credit| credit.vc() == usize::from(vc));
                mine.map(|credit| credit.flits_after(offset, port)).sum()
            }
        }
    }

    /// Flits waiting and credits in use on one virtual channel.
    fn flits_of_vc<const RICH: bool>(
        &self,
        context: &Context<'_, RICH>,
        output: usize,
        vc: u8,
    ) -> (u32, u32) {
        let lane = &self.lanes[output * context.shared.vcs + usize::from(vc)];
        let in_use = context.shared.depth(self.outputs[output].kind()) - lane.credits;
        (self.queued_flits(&context.shared, output, vc), in_use)
    }

    /// Routes `packet` at `router` at `now`; decisions of output ports up to `limit` show.
    #[inline(always)]
    pub(crate) fn route<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: &mut Packet,
        instants: (u64, u64),
    ) -> Hop {
        let shared = context.shared;
        let class_base = shared.class_base(packet.vc);
        let here = self.router_id(router);
        let settled = if shared.routes_plainly {
            let detour = (packet.plan(), packet.intermediate());
            shared
                .routing
                .settled_plainly(here, self.group_id, packet.target(), detour)
        } else {
            let arrival = arrival(&shared, packet, class_base);
            let route = packet.route();
            shared.routing.settled(here, self.group_id, arrival, &route)
        };
        let hop = match settled {
            Some(hop) => hop,
            None => {
                let arrival = arrival(&shared, packet, class_base);
                self.decide_route(context, router, packet, (arrival, instants))
            }
        };
        Hop {
            port: hop.port,
            vc: hop.vc + class_base,
        }
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index into this block's routers"
    )]
    const fn router_id(&self, router: usize) -> RouterId {
        RouterId(self.first_router + router as u32)
    }

    /// The same as [`State::route`] for a packet in the slab; also returns its flits.
    pub(crate) fn route_waiting<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        place: u32,
        instants: (u64, u64),
    ) -> (Hop, u16) {
        let mut packet = *self.slab.get(place);
        let hop = self.route(context, router, &mut packet, instants);
        *self.slab.get_mut(place) = packet;
        (hop, packet.flits)
    }

    /// The same for a packet that has something to decide or to draw.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index into this block's routers"
    )]
    fn decide_route<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: &mut Packet,
        (arrival, (now, limit)): (Arrival, (u64, u64)),
    ) -> Hop {
        let shared = context.shared;
        let mut route = packet.route();
        let here = RouterId(self.first_router + router as u32);
        let mut draw = self.draws[router].clone();
        let mut ports = Ports {
            state: self,
            context,
            router,
            class_base: shared.class_base(packet.vc),
            limit,
            now,
        };
        let hop = shared
            .routing
            .route(here, arrival, &mut route, &mut ports, &mut draw);
        self.draws[router] = draw;
        packet.set_route(&route);
        hop
    }

    /// `packet` enters `router` at `now`.
    #[inline]
    pub(crate) fn run_router_arrival<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: &mut Packet,
        now: u64,
    ) {
        packet.hops += 1;
        self.recorder
            .hop(packet, RouterId(self.first_router), router);
        if context.shared.is_cioq {
            self.run_crossbar(context, router, now);
            self.enter_input(context, router, *packet, now);
        } else {
            self.enter_output(context, router, packet, now);
        }
    }

    /// `voq`: from the wire into the queue of its output, or straight on.
    #[inline]
    fn enter_output<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: &mut Packet,
        now: u64,
    ) {
        let shared = context.shared;
        let mut lesson = Lesson::default();
        if shared.learns() {
            lesson = self.note_lesson(shared, router, packet, now);
        }
        let hop = self.route(context, router, packet, (now, now));
        let output = router * shared.radix + hop.port.index();
        if self.outputs[output].waiting_vcs != 0 {
            self.run_output(context, output, now);
        }
        let port = &self.outputs[output];
        let start = Start {
            output,
            vc: hop.vc,
            at: now,
        };
        let mut ready = now;
        if shared.times.has_ready {
            let from = shared.kinds[usize::from(packet.in_port)];
            ready += shared.times.ready(from, port.kind(), packet.flits);
        }
        let is_free = port.waiting_vcs == 0 && port.gate <= now && ready == now;
        if is_free && (port.is_host() || self.has_credits(&shared, start, packet.flits)) {
            self.lesson = lesson;
            self.start(context, packet, start, false);
            return;
        }
        let flits = packet.flits;
        let place = self.slab.insert(*packet);
        if shared.times.has_ready {
            self.slab.set_ready(place, Instant::from_ps(ready));
        }
        if shared.learns() {
            self.slab.set_lesson(place, lesson);
        }
        self.push(shared, (place, flits), start);
        if shared.reserves() {
            self.reserve(context, router, (output, usize::from(hop.vc)), now);
        }
        self.run_output(context, output, now);
    }
}
