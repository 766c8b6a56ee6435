//! Spraying at the NIC: a sender that draws explicit paths by the marks of packets before
//! (`docs/model/routing.md`, section "Spraying at the NIC").

use std::collections::BTreeMap;

use odonata_units::{GroupId, Stream};

use crate::decide::Routing;
use crate::geometry::Geometry;
use crate::packet::{PacketRoute, PathState};

/// Scores of the paths to one group.
#[derive(Debug)]
struct Scores {
    minimal: u32,
    /// `[group]`: of the path over it; 0: there is none.
    over: Vec<u32>,
    /// How many there are.
    count: u32,
}

impl Scores {
    /// Those of a NIC in group `from` towards `to` that has seen no mark.
    fn new(geometry: &Geometry, top: u32, from: GroupId, to: GroupId) -> Self {
        let leads = |group| group != to && geometry.is_between(group, from, to);
        let groups = geometry.topology().groups();
        let score = |group| if leads(group) { top } else { 0 };
        let over: Vec<_> = groups.map(score).collect();
        Self {
            minimal: top,
            count: over.iter().map(|score| u32::from(*score > 0)).sum(),
            over,
        }
    }
}

/// The paths that one NIC sprays over.
#[derive(Debug)]
pub struct Sprayer {
    draws: Stream,
    /// By mode and target group.
    scores: BTreeMap<(u8, GroupId), Scores>,
}

impl Sprayer {
    /// A NIC that draws from `draws` and has seen no mark.
    #[must_use]
    pub const fn new(draws: Stream) -> Self {
        Self {
            draws,
            scores: BTreeMap::new(),
        }
    }

    /// Decides on the path of `packet`, which starts, if the NIC has a choice.
    pub fn choose(&mut self, routing: &Routing, packet: &mut PacketRoute) {
        let (Some(spray), geometry) = (routing.spray(packet.mode), routing.geometry()) else {
            return;
        };
        let (from, to) = (packet.source, packet.target);
        let [from, to] = [from, to].map(|node| geometry.topology().group_of_node(node));
        if from == to || !geometry.is_joined(from, to) {
            return;
        }
        let new = || Scores::new(geometry, spray.top_score, from, to);
        let scores = self.scores.entry((packet.mode, to)).or_insert_with(new);
        if scores.count == 0 {
            return;
        }
        let minimal = spray.weight(scores.minimal * scores.count);
        let all = minimal + scores.over.iter().sum::<u32>();
        let mut left = self.draws.below(all);
        packet.path_state = PathState::Minimal;
        if left < minimal {
            return;
        }
        left -= minimal;
        for (group, score) in geometry.topology().groups().zip(&scores.over) {
            if left < *score {
                packet.path_state = PathState::Outward;
                packet.intermediate = geometry.topology().first_router(group);
                return;
            }
            left -= score;
        }
    }

    /// `packet`, which says what path it took, is acknowledged.
    pub fn acknowledged(&mut self, routing: &Routing, packet: &PacketRoute, is_marked: bool) {
        let Some(spray) = routing.spray(packet.mode) else {
            return;
        };
        let geometry = routing.geometry();
        let to = geometry.topology().group_of_node(packet.target);
        let Some(scores) = self.scores.get_mut(&(packet.mode, to)) else {
            return;
        };
        let score = if packet.path_state.is_nonminimal() {
            &mut scores.over[geometry.group_of(packet.intermediate).index()]
        } else {
            &mut scores.minimal
        };
        *score = if is_marked {
            (*score - (*score * spray.mark_cut).div_ceil(100)).max(1)
        } else {
            (*score + 1).min(spray.top_score)
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_topology::{Arrangement, Shape, Topology};
    use odonata_units::{GroupId, NodeId, Purpose, Stream};
    use serde_json::{Map, json};

    use super::Sprayer;
    use crate::{Geometry, PacketRoute, PathState, Routing, build_mode};

    fn routing(parameters: &[(&str, u32)]) -> Routing {
        let topology = Topology::dragonfly(Shape {
            groups: 5,
            routers_per_group: 4,
            nodes_per_router: 1,
            global_ports_per_router: 1,
            arrangement: Arrangement::ALL[0],
        });
        let values = parameters
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        let mode = build_mode("spray-group", &values.collect::<Map<_, _>>()).unwrap();
        Routing::new(
            Geometry::new(Arc::new(topology.unwrap())),
            vec![mode],
            false,
        )
        .unwrap()
    }

    /// `[group]`: how many of 1,000 packets from group 0 to group 1 go over it; over group 1: minimally.
    fn drawn(
        routing: &Routing,
        sprayer: &mut Sprayer,
        is_marked: impl Fn(usize) -> bool,
    ) -> [u32; 5] {
        let mut counts = [0; 5];
        for _ in 0..1_000 {
            let mut packet = PacketRoute::new(NodeId(0), NodeId(4), 0);
            sprayer.choose(routing, &mut packet);
            let over = match packet.path_state {
                PathState::Minimal => GroupId(1),
                PathState::Outward => routing.geometry().group_of(packet.intermediate),
                other => unreachable!("{other:?}"),
            };
            counts[over.index()] += 1;
            sprayer.acknowledged(routing, &packet, is_marked(over.index()));
        }
        counts
    }

    fn sprayer() -> Sprayer {
        Sprayer::new(Stream::new(1, Purpose::Path, 0))
    }

    #[test]
    fn without_marks_the_minimal_path_has_its_weight() {
        let counts = drawn(&routing(&[]), &mut sprayer(), |_| false);
        assert!((450..550).contains(&counts[1]), "{counts:?}");
        let even = routing(&[("minimal_percent", 34)]);
        let counts = drawn(&even, &mut sprayer(), |_| false);
        assert_eq!(counts[0], 0, "its own group is no path");
        let is_even = |count: &u32| (200..300).contains(count);
        assert!(counts[1..].iter().all(is_even), "{counts:?}");
    }

    #[test]
    fn marked_paths_are_left_and_tried_again() {
        let (routing, mut sprayer) = (routing(&[("top_score", 20)]), sprayer());
        let counts = drawn(&routing, &mut sprayer, |over| over <= 2);
        assert!(counts[1] < 150 && counts[2] < 50, "{counts:?}");
        assert!(counts[3] > 300 && counts[4] > 300, "{counts:?}");
        let counts = drawn(&routing, &mut sprayer, |_| false);
        assert!(counts[1] > 200, "{counts:?}");
    }

    #[test]
    fn marks_of_all_paths_change_no_share() {
        let counts = drawn(&routing(&[]), &mut sprayer(), |_| true);
        assert!((400..600).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn a_mark_that_cuts_nothing_is_not_heeded() {
        let counts = drawn(&routing(&[("mark_cut", 0)]), &mut sprayer(), |over| {
            over == 1
        });
        assert!((450..550).contains(&counts[1]), "{counts:?}");
    }
}
