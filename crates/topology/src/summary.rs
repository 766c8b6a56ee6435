//! The system in numbers, for listings and checks.

use odonata_units::{GroupId, RouterId};

use crate::channel::LinkKind;
use crate::topology::Topology;

/// What a system consists of and how well it is connected.
///
/// ```
/// use odonata_topology::{Arrangement, Shape, Topology};
/// let dragonfly = Topology::dragonfly(Shape {
///     groups: 33,
///     routers_per_group: 8,
///     nodes_per_router: 4,
///     global_ports_per_router: 4,
///     arrangement: Arrangement::Absolute,
/// })?;
/// let summary = dragonfly.summary();
/// assert_eq!((summary.host_channels, summary.local_channels), (2_112, 1_848));
/// assert_eq!((summary.global_channels, summary.unconnected_global_ports), (1_056, 0));
/// assert_eq!((summary.minimal_paths, summary.nonminimal_paths), (1, 31));
/// assert_eq!(summary.bisection_links, 16 * 17);
/// # Ok::<(), odonata_topology::TopologyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes.
    pub nodes: u32,
    /// Routers.
    pub routers: u32,
    /// Groups.
    pub groups: u32,
    /// Ports of a router, connected or not.
    pub radix: u16,
    /// Directed channels between nodes and routers.
    pub host_channels: u32,
    /// Directed channels inside groups.
    pub local_channels: u32,
    /// Directed channels between groups.
    pub global_channels: u32,
    /// Parallel links between each two groups; 0 for one group.
    pub links_per_group_pair: u32,
    /// Global ports of all routers that nothing is connected to.
    pub unconnected_global_ports: u32,
    /// Largest number of router-to-router channels of a shortest minimal path.
    pub diameter_hops: u32,
    /// Minimal paths between two routers of different groups: one per parallel link.
    pub minimal_paths: u64,
    /// Non-minimal paths between two routers of different groups through one intermediate group:
    /// a link into it and a link out of it for each of the other g - 2 groups (Kim et al. 2008,
    /// section 4.1).
    pub nonminimal_paths: u64,
    /// Global links between floor(g / 2) groups and the other ones; each carries one channel in
    /// each direction. Any such halving cuts the same number, as each two groups are joined alike.
    /// 0 for one group.
    pub bisection_links: u64,
}

impl Topology {
    /// The system in numbers.
    ///
    /// Cost: time proportional to the number of global channels.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let links = u64::from(self.links_per_group_pair());
        let groups = u64::from(self.group_count());
        let mut counts = [0; 5];
        for channel in self.channels() {
            counts[channel.kind as usize] += 1;
        }
        let global_channels = counts[LinkKind::Global as usize];
        let global_ports = u32::from(self.ports(LinkKind::Global).end)
            - u32::from(self.ports(LinkKind::Global).start);
        Summary {
            nodes: self.node_count(),
            routers: self.router_count(),
            groups: self.group_count(),
            radix: self.radix(),
            host_channels: 2 * self.node_count(),
            local_channels: counts[LinkKind::Local as usize],
            global_channels,
            links_per_group_pair: self.links_per_group_pair(),
            unconnected_global_ports: self.router_count() * global_ports - global_channels,
            diameter_hops: self.diameter_hops(),
            minimal_paths: links,
            nonminimal_paths: groups.saturating_sub(2) * links * links,
            bisection_links: links * (groups / 2) * groups.div_ceil(2),
        }
    }

    /// The largest `minimal_hops` of any two routers.
    fn diameter_hops(&self) -> u32 {
        let within = u32::from(self.routers_in_group(GroupId(0)) > 1);
        let mut diameter = within;
        for from in self.groups() {
            for to in self.groups().filter(|&to| to != from) {
                diameter = diameter.max(self.hops_between(from, to));
                if diameter == 3 {
                    return diameter;
                }
            }
        }
        diameter
    }

    /// The largest `minimal_hops` from a router of `from` to one of `to`, another group.
    fn hops_between(&self, from: GroupId, to: GroupId) -> u32 {
        let routers = self.routers_in_group(from) as usize;
        let distinct = |ends: &mut dyn Iterator<Item = (RouterId, RouterId)>| {
            let mut ends: Vec<_> = ends.collect();
            ends.sort_unstable();
            ends.dedup();
            ends.len()
        };
        let there = self.global_channels(from, to).iter().map(|end| end.0);
        let back = self.global_channels(to, from).iter().map(|end| end.0);
        let near = distinct(&mut there.clone().map(|router| (router, router)));
        let far = distinct(&mut back.clone().map(|router| (router, router)));
        if near < routers && far < routers {
            // A router without a channel on either side: one local hop at both ends.
            3
        } else if distinct(&mut there.zip(back)) < routers * routers {
            2
        } else {
            1
        }
    }
}
