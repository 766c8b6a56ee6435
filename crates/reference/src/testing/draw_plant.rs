//! Random choices: systems and the routings on them.

use std::sync::Arc;

use odonata_routing::geometry::Geometry;
use odonata_routing::{
    Algorithm, Choice, Draws, ENTRIES, Entry, Estimate, Mode, Ordered, Routing, Rule, Spray,
};
use odonata_topology::{
    AriesShape, Arrangement, GraphChannel, GraphSpec, GroupKind, KindsShape, LinkKind,
    MegaflyShape, Shape, Topology,
};
use odonata_units::{GroupId, RouterId};

use crate::testing::dice::Dice;
use crate::testing::plant::{Family, GROUP_KINDS, MEGAFLY_KINDS, Plant};
use crate::testing::scenario::MOST_VCS;

impl Dice {
    /// A system of one of `families` that `entry` works on.
    pub(super) fn plant_for(
        &mut self,
        entry: &Entry,
        families: &[&'static str],
    ) -> (Plant, Topology) {
        loop {
            let family = match self.pick(families) {
                "aries" => Family::Aries(self.aries()),
                "megafly" => Family::Megafly(self.megafly()),
                "file" => Family::Graph(self.graph()),
                GROUP_KINDS => Family::GroupKinds(self.group_kinds()),
                MEGAFLY_KINDS => Family::MegaflyKinds(self.megafly_kinds()),
                _ => Family::Dragonfly(self.shape()),
            };
            let mut plant = Plant::from(family);
            let Ok(whole) = plant.build() else { continue };
            if self.chance(20) {
                let share = self.between(1, 150_000);
                let seed = self.0.below(1 << 20).into();
                let kinds = &LinkKind::ALL[1..];
                plant.failed = whole.draw_failures(share, kinds, seed).unwrap_or_default();
            }
            let Ok(topology) = plant.build() else {
                continue;
            };
            if works(&Arc::new(topology.clone()), entry.mode()) {
                return (plant, topology);
            }
        }
    }

    /// A dragonfly with two or three kinds of groups, whose links are just as many as its ports or
    /// fewer; often too many, and then drawn again.
    fn group_kinds(&mut self) -> KindsShape {
        let arrangements = Arrangement::ALL;
        let kinds = (0..self.between(2, 3)).map(|index| GroupKind {
            name: format!("kind-{index}"),
            groups: self.between(1, 3),
            routers_per_group: self.between(1, 4),
            spine_routers_per_group: 0,
            nodes_per_router: self.between(u32::from(index == 0), 3),
            global_ports_per_router: self.between(2, 6),
            links_per_group_pair: self.between(1, 2),
            links_to_others: (0..index).map(|_| self.between(1, 2)).collect(),
        });
        KindsShape {
            kinds: kinds.collect(),
            arrangement: self.pick(&arrangements),
        }
    }

    /// A megafly with two or three kinds of groups.
    fn megafly_kinds(&mut self) -> KindsShape {
        let kinds = (0..self.between(2, 3)).map(|index| {
            let spines = self.between(1, 4);
            GroupKind {
                name: format!("kind-{index}"),
                groups: self.between(1, 3),
                routers_per_group: spines + self.between(1, 4),
                spine_routers_per_group: spines,
                nodes_per_router: self.between(1, 3),
                global_ports_per_router: 0,
                links_per_group_pair: self.between(1, 3),
                links_to_others: (0..index).map(|_| self.between(1, 3)).collect(),
            }
        });
        KindsShape::megafly(kinds.collect())
    }

    fn shape(&mut self) -> Shape {
        let (routers, ports) = (self.between(1, 5), self.between(1, 3));
        let most = routers * ports + 1;
        // Half of the systems have all the groups that fit, the others parallel links.
        let groups = if self.chance(50) {
            most
        } else {
            self.between(1, most)
        };
        let arrangements = [
            Arrangement::Absolute,
            Arrangement::Relative,
            Arrangement::Circulant,
        ];
        Shape {
            groups,
            routers_per_group: routers,
            nodes_per_router: self.between(1, 3),
            global_ports_per_router: ports,
            arrangement: self.pick(&arrangements),
        }
    }

    fn aries(&mut self) -> AriesShape {
        let rows = self.between(1, 3);
        AriesShape {
            groups: self.between(1, 5),
            rows,
            columns: self.between(1, 4),
            nodes_per_router: self.between(1, 2),
            column_links: self.between(1, 3),
            global_ports_per_router: self.between(1, 3),
            chassis_per_cabinet: self.between(1, rows),
        }
    }

    fn megafly(&mut self) -> MegaflyShape {
        MegaflyShape {
            groups: self.between(1, 6),
            leaf_routers_per_group: self.between(1, 4),
            spine_routers_per_group: self.between(1, 4),
            nodes_per_leaf: self.between(1, 3),
            links_per_group_pair: self.between(1, 4),
        }
    }

    /// A random tree of routers with random links on top; some routers have no nodes.
    fn graph(&mut self) -> GraphSpec {
        let mut spec = GraphSpec::default();
        for group in 0..self.between(1, 4) {
            let with_nodes = self.between(1, 4);
            for position in 0..with_nodes + self.between(0, 2) {
                let router = RouterId(u32::try_from(spec.group_of.len()).unwrap_or(0));
                spec.group_of.push(GroupId(group));
                let nodes = if position < with_nodes {
                    self.between(1, 3)
                } else {
                    0
                };
                spec.router_of.extend((0..nodes).map(|_| router));
            }
        }
        let routers = u32::try_from(spec.group_of.len()).unwrap_or(0);
        for router in 1..routers {
            let other = self.0.below(router);
            self.link(&mut spec, router, other);
        }
        for _ in 0..self.between(0, 2 * routers) {
            let (one, other) = (self.0.below(routers), self.0.below(routers));
            if one != other {
                self.link(&mut spec, one, other);
            }
        }
        spec
    }

    fn link(&mut self, spec: &mut GraphSpec, one: u32, other: u32) {
        let group = |router: u32| spec.group_of[router as usize];
        let kind = if group(one) == group(other) {
            self.pick(&[LinkKind::Local, LinkKind::Row, LinkKind::Column])
        } else {
            LinkKind::Global
        };
        for (source, target) in [(one, other), (other, one)] {
            spec.channels.push(GraphChannel {
                kind,
                source: RouterId(source),
                target: RouterId(target),
            });
        }
    }

    /// `entry` and up to two others that work on `topology`, perhaps with other parameters.
    pub(super) fn modes(&mut self, entry: &Entry, topology: &Arc<Topology>) -> Vec<Mode> {
        let mut modes = vec![self.vary(entry.mode())];
        for _ in 0..self.pick(&[0, 0, 1, 2]) {
            let other = self.pick(&ENTRIES.iter().collect::<Vec<_>>()).mode();
            let other = self.vary(other);
            let is_new = modes.iter().all(|mode| mode.name != other.name);
            if is_new && works(topology, other.clone()) {
                modes.push(other);
            }
        }
        modes
    }

    /// Other parameters, half of the time.
    fn vary(&mut self, mode: Mode) -> Mode {
        if self.chance(50) {
            return mode;
        }
        let algorithm = match mode.algorithm {
            Algorithm::Rule(rule) if rule.choice != Choice::Adaptive => Algorithm::Rule(Rule {
                spray: rule.spray.map(|_| self.spray()),
                ..rule
            }),
            Algorithm::Rule(rule) => Algorithm::Rule(self.rule(rule)),
            Algorithm::Ports(mut ports) => {
                ports.rule = self.rule(ports.rule);
                ports.global_candidates = self.pick(&[1, 2, 3]);
                Algorithm::Ports(ports)
            }
            Algorithm::QAdaptive(mut learner) => {
                learner.epsilon = self.pick(&[0.0, 0.01, 0.3]);
                learner.rates.good = self.pick(&[0.1, 0.5, 1.0]);
                learner.rates.bad = self.pick(&[0.04, 0.5, 1.0]);
                Algorithm::QAdaptive(learner)
            }
        };
        Mode { algorithm, ..mode }
    }

    /// Lets modes order packets, where they can, for gaps of any length.
    pub(super) fn order(&mut self, modes: &mut [Mode], topology: &Arc<Topology>) {
        for mode in modes {
            let Algorithm::Rule(rule) = mode.algorithm else {
                continue;
            };
            let ordering = Mode {
                algorithm: Algorithm::Rule(Rule {
                    ordered: self.pick(&[Ordered::Eager, Ordered::All, Ordered::None]),
                    flow_gap_ns: self.pick(&[0, 20, 100, 500, 4_000, 1_000_000]),
                    ..rule
                }),
                ..mode.clone()
            };
            if rule.draws == Draws::PerPacket && works(topology, ordering.clone()) {
                *mode = ordering;
            }
        }
    }

    fn spray(&mut self) -> Spray {
        Spray {
            top_score: self.pick(&[1, 3, 64, 1_000]),
            mark_cut: self.pick(&[0, 1, 25, 100]),
            minimal_percent: self.pick(&[0, 13, 100, 800]),
        }
    }

    fn rule(&mut self, rule: Rule) -> Rule {
        Rule {
            scale: self.between(0, 3),
            bias: i64::from(self.between(0, 10)) - 5,
            threshold: self.pick(&[0, rule.threshold, 3]),
            estimate: self.pick(&Estimate::ALL),
            minimal_candidates: self.pick(&[1, 2, 3]),
            nonminimal_candidates: self.pick(&[1, 2, 3]),
            ..rule
        }
    }
}

fn works(topology: &Arc<Topology>, mode: Mode) -> bool {
    let geometry = Geometry::new(Arc::clone(topology));
    let routing = Routing::new(geometry, vec![mode], true);
    routing.is_ok_and(|routing| routing.virtual_channels() <= MOST_VCS)
}
