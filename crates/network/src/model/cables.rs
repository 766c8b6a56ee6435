//! Latencies of single links, where those of a kind are not alike: `docs/model/topologies.md`,
//! "Lengths of cables".

use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{GroupId, RouterId, Span};

use crate::model::parameters::Parameters;

/// Kinds of links.
const KINDS: usize = LinkKind::ALL.len();

/// How much longer than that of the shortest link of its kind the latency of each link is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cables {
    /// `[kind]`: of the longest link.
    longest_extra: [Span; KINDS],
    groups_per_row: u32,
}

/// How far apart the ends of a link are, and how far the ends of any link like it can be.
struct Distance {
    here: u32,
    farthest: u32,
}

impl Parameters {
    /// Latencies of single links.
    #[must_use]
    pub fn cables(&self) -> Cables {
        let extra = |kind| {
            let link = self.link(kind);
            link.longest.saturating_sub(link.latency)
        };
        Cables::new(LinkKind::ALL.map(extra), self.groups_per_row)
    }
}

impl Cables {
    /// By what the longest link of each kind has, where groups stand in rows of so many.
    #[must_use]
    pub const fn new(longest_extra: [Span; KINDS], groups_per_row: u32) -> Self {
        Self {
            longest_extra,
            groups_per_row,
        }
    }

    /// Of the link at `port`. Zero for host links, and where nothing is connected.
    #[must_use]
    pub fn extra(&self, topology: &Topology, router: RouterId, port: PortIndex) -> Span {
        let kind = topology.port_kind(port);
        let Some(Attachment::Router(other, _)) = topology.neighbour(router, port) else {
            return Span::ZERO;
        };
        match kind {
            _ if self.longest(kind) == Span::ZERO => Span::ZERO,
            LinkKind::Host => Span::ZERO,
            LinkKind::Global => {
                let groups = [router, other].map(|end| topology.group_of(end));
                self.between(topology, groups)
            }
            LinkKind::Local | LinkKind::Row | LinkKind::Column => {
                let [one, other] = [router, other].map(|end| topology.position(end));
                let most = topology.groups().map(|it| topology.routers_in_group(it));
                let distance = Distance {
                    here: one.abs_diff(other),
                    farthest: most.max().unwrap_or(1) - 1,
                };
                self.at(kind, &distance)
            }
        }
    }

    /// Of a link between two groups, which stand in rows: along a row, and across the rows.
    pub(crate) fn between(&self, topology: &Topology, groups: [GroupId; 2]) -> Span {
        let count = topology.group_count().max(1);
        let width = self.groups_per_row.clamp(1, count);
        let [one, other] = groups.map(|group| (group.0 / width, group.0 % width));
        let distance = Distance {
            here: one.0.abs_diff(other.0) + one.1.abs_diff(other.1),
            farthest: count.div_ceil(width) - 1 + width - 1,
        };
        self.at(LinkKind::Global, &distance)
    }

    /// Of the longest link of a kind.
    #[must_use]
    pub const fn longest(&self, kind: LinkKind) -> Span {
        self.longest_extra[kind as usize]
    }

    /// In proportion to the distance beyond the shortest one, 1.
    fn at(&self, kind: LinkKind, distance: &Distance) -> Span {
        let steps = u128::from(distance.here.saturating_sub(1));
        let all = u128::from(distance.farthest.saturating_sub(1)).max(1);
        let extra = u128::from(self.longest(kind).ps()) * steps / all;
        Span::from_ps(u64::try_from(extra).unwrap_or(u64::MAX))
    }
}
