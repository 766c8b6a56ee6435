//! Latencies of single links: `docs/model/topologies.md`, "Lengths of cables".

use odonata_endpoint::Endpoint;
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{GroupId, RouterId, Span};

use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// What the latency of the link at `port` is longer than that of the shortest one of its kind.
    pub(crate) fn extra(&self, router: RouterId, port: PortIndex) -> Span {
        let kind = self.topology.port_kind(port);
        let link = self.parameters.link(kind);
        if link.longest <= link.latency {
            return Span::ZERO;
        }
        let far = self.topology.neighbour(router, port);
        let (Some(Attachment::Router(far, _)), true) = (far, kind != LinkKind::Host) else {
            return Span::ZERO;
        };
        let groups = (self.topology.group_of(router), self.topology.group_of(far));
        let latency = if kind == LinkKind::Global {
            self.between_groups(groups.0, groups.1)
        } else {
            let positions = (self.topology.position(router), self.topology.position(far));
            let sizes = self.topology.groups();
            let most = sizes.map(|group| self.topology.routers_in_group(group));
            let farthest = most.max().unwrap_or(1) - 1;
            self.latency_at(kind, positions.0.abs_diff(positions.1), farthest)
        };
        latency.saturating_sub(link.latency)
    }

    /// The latency of a link between two groups.
    pub(crate) fn between_groups(&self, one: GroupId, other: GroupId) -> Span {
        let width = self.parameters.groups_per_row;
        let place = |group: u32| (group / width, group % width);
        let apart = |a: u32, b: u32| {
            let (a, b) = (place(a), place(b));
            a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
        };
        // The farthest two groups, found by looking at all of them.
        let all = 0..self.topology.group_count();
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        let farthest = pairs.map(|(a, b)| apart(a, b)).max().unwrap_or(0);
        self.latency_at(LinkKind::Global, apart(one.0, other.0), farthest)
    }

    /// The latency at a distance, of which the shortest link has 1 and the longest one `farthest`.
    fn latency_at(&self, kind: LinkKind, distance: u32, farthest: u32) -> Span {
        let link = self.parameters.link(kind);
        if farthest <= 1 || link.longest <= link.latency {
            return link.latency;
        }
        let range = u128::from(link.longest.ps() - link.latency.ps());
        let more = range * u128::from(distance - 1) / u128::from(farthest - 1);
        link.latency + Span::from_ps(u64::try_from(more).unwrap_or(u64::MAX))
    }
}
