//! Flows of ordered packets at a router: its decision on the last packet of each,
//! which the next one takes over.
//!
//! See `docs/model/routing.md`, "Ordered packets".

use std::collections::BTreeMap;

use odonata_routing::{Hop, PacketRoute, PathState};
use odonata_units::{Instant, NodeId, RouterId, Span};

/// Packets from one node to another, of one class and mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Flow {
    source: NodeId,
    target: NodeId,
    mode: u8,
    /// The first VC of its class.
    class_base: u8,
}

impl Flow {
    /// The flow of a packet whose class has VCs from `class_base` on.
    pub(crate) const fn of(route: &PacketRoute, class_base: u8) -> Self {
        Self {
            source: route.source,
            target: route.target,
            mode: route.mode,
            class_base,
        }
    }
}

/// A decision on the last packet of a flow.
#[derive(Clone, Copy, Debug)]
struct Answer {
    /// The last instant at which it holds.
    until: Instant,
    /// The intermediate router with which the packet came.
    came_with: RouterId,
    intermediate: RouterId,
    hop: Hop,
    path_state: PathState,
    waypoint: u8,
}

/// With fewer answers none is looked for that no longer holds.
const FEW: usize = 64;

/// The decisions that a router keeps, by flow.
#[derive(Debug)]
pub(crate) struct Flows {
    answers: BTreeMap<Flow, Answer>,
    /// With so many answers those are forgotten that no longer hold.
    most: usize,
}

impl Flows {
    pub(crate) const fn new() -> Self {
        Self {
            answers: BTreeMap::new(),
            most: FEW,
        }
    }

    /// The hop of a packet of `flow` that takes over what was decided on the one before it; `None` if
    /// it decides anew. At the source router that is so after a pause of more than `gap`, at others if
    /// it came with another intermediate router.
    pub(crate) fn follow(
        &mut self,
        flow: Flow,
        route: &mut PacketRoute,
        now: Instant,
        gap: Span,
    ) -> Option<Hop> {
        let answer = self.answers.get_mut(&flow)?;
        if now > answer.until || route.intermediate != answer.came_with {
            return None;
        }
        if route.path_state == PathState::Fresh {
            answer.until = now + gap;
        }
        route.path_state = answer.path_state;
        route.intermediate = answer.intermediate;
        route.waypoint = answer.waypoint;
        Some(answer.hop)
    }

    /// Keeps what was decided at `now` on a packet of `flow`, which came as `came`, left as `left`, and
    /// goes on by `hop`.
    pub(crate) fn keep(
        &mut self,
        flow: Flow,
        [came, left]: [&PacketRoute; 2],
        hop: Hop,
        now: Instant,
        gap: Span,
    ) {
        if self.answers.len() >= self.most {
            self.answers.retain(|_, answer| answer.until >= now);
            self.most = FEW.max(2 * self.answers.len());
        }
        let is_first = came.path_state == PathState::Fresh;
        let answer = Answer {
            until: if is_first { now + gap } else { Instant::NEVER },
            came_with: came.intermediate,
            intermediate: left.intermediate,
            hop,
            path_state: left.path_state,
            waypoint: left.waypoint,
        };
        self.answers.insert(flow, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Flow, Flows};
    use odonata_routing::{Hop, PacketRoute, PathState};
    use odonata_topology::PortIndex;
    use odonata_units::{Instant, NodeId, RouterId, Span};

    const GAP: Span = Span::from_ns(100);

    fn at(ns: u64) -> Instant {
        Instant::ZERO + Span::from_ns(ns)
    }

    fn hop(port: u16) -> Hop {
        Hop {
            port: PortIndex(port),
            vc: 1,
        }
    }

    fn fresh(target: u32) -> PacketRoute {
        PacketRoute::new(NodeId(1), NodeId(target), 0)
    }

    /// Keeps that the packet to `target` left over router 7.
    fn open(flows: &mut Flows, target: u32, port: u16, now: Instant) {
        let came = fresh(target);
        let left = PacketRoute {
            intermediate: RouterId(7),
            path_state: PathState::Outward,
            waypoint: 3,
            ..came
        };
        flows.keep(Flow::of(&came, 0), [&came, &left], hop(port), now, GAP);
    }

    #[test]
    fn a_period_lasts_until_a_gap() {
        let mut flows = Flows::new();
        open(&mut flows, 2, 5, at(0));
        let flow = Flow::of(&fresh(2), 0);
        for now in [0, 100, 200] {
            let mut route = fresh(2);
            let found = flows.follow(flow, &mut route, at(now), GAP);
            assert_eq!(found, Some(hop(5)), "each packet prolongs it");
            let left = (route.intermediate, route.path_state, route.waypoint);
            assert_eq!(left, (RouterId(7), PathState::Outward, 3));
        }
        let late = at(300) + Span::from_ps(1);
        assert_eq!(flows.follow(flow, &mut fresh(2), late, GAP), None);
    }

    #[test]
    fn flows_do_not_follow_each_other() {
        let mut flows = Flows::new();
        open(&mut flows, 2, 5, at(0));
        let other_mode = PacketRoute::new(NodeId(1), NodeId(2), 1);
        let back = PacketRoute::new(NodeId(2), NodeId(1), 0);
        let others = [
            Flow::of(&fresh(3), 0),
            Flow::of(&other_mode, 0),
            Flow::of(&back, 0),
            Flow::of(&fresh(2), 4),
        ];
        for other in others {
            assert_eq!(flows.follow(other, &mut fresh(2), at(0), GAP), None);
        }
    }

    /// Behind the source router an answer holds for the intermediate router it was given for, however
    /// late a packet comes.
    #[test]
    fn a_second_answer_is_for_its_intermediate_router() {
        let mut flows = Flows::new();
        let came = PacketRoute {
            intermediate: RouterId(4),
            path_state: PathState::Tentative,
            ..fresh(2)
        };
        let left = PacketRoute {
            path_state: PathState::Confirmed,
            ..came
        };
        let flow = Flow::of(&came, 0);
        flows.keep(flow, [&came, &left], hop(6), at(0), GAP);
        let mut late = came;
        assert_eq!(
            flows.follow(flow, &mut late, at(1 << 40), GAP),
            Some(hop(6))
        );
        assert_eq!(late, left);
        let mut other = PacketRoute {
            intermediate: RouterId(5),
            ..came
        };
        assert_eq!(flows.follow(flow, &mut other, at(1), GAP), None);
    }

    #[test]
    fn what_no_longer_holds_is_forgotten() {
        let mut flows = Flows::new();
        for target in 2..10_000 {
            open(&mut flows, target, 5, at(u64::from(target) * 50));
        }
        assert!(flows.answers.len() <= FEW, "three of them hold at a time");
        let last = Flow::of(&fresh(9_999), 0);
        let found = flows.follow(last, &mut fresh(9_999), at(9_999 * 50), GAP);
        assert_eq!(found, Some(hop(5)));
    }
}
