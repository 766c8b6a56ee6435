//! The system in numbers, for listings and checks.

use crate::channel::{LinkKind, PortIndex};
use crate::family::Family;
use crate::topology::Topology;

/// Smallest, mean and largest of a number.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// Smallest.
    pub least: u64,
    /// Mean.
    pub mean: f64,
    /// Largest.
    pub most: u64,
}

/// Parts of a system and how well it is connected.
///
/// ```
/// use odonata_topology::{Arrangement, LinkKind, Shape, Topology};
/// let dragonfly = Topology::dragonfly(Shape {
///     groups: 33,
///     routers_per_group: 8,
///     nodes_per_router: 4,
///     global_ports_per_router: 4,
///     arrangement: Arrangement::Absolute,
/// })?;
/// let summary = dragonfly.summary();
/// assert_eq!(summary.channels_of(LinkKind::Host), 2_112);
/// assert_eq!(summary.channels_of(LinkKind::Local), 1_848);
/// assert_eq!(summary.channels_of(LinkKind::Global), 1_056);
/// assert_eq!(summary.unconnected_global_ports, 0);
/// assert_eq!((summary.minimal_paths.least, summary.nonminimal_paths.most), (1, 31));
/// assert_eq!(summary.bisection_links, 16 * 17);
/// # Ok::<(), odonata_topology::TopologyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Nodes.
    pub nodes: u32,
    /// Routers.
    pub routers: u32,
    /// Routers that have nodes.
    pub routers_with_nodes: u32,
    /// Groups.
    pub groups: u32,
    /// Port numbers of a router, connected or not.
    pub radix: u16,
    /// Connected ports of the router that has the most.
    pub radix_in_use: u16,
    /// Directed channels, in the order of [`LinkKind::ALL`].
    pub channels: [u32; 5],
    /// Links between two groups, over all pairs of groups; zeros for one group.
    pub links_per_group_pair: Spread,
    /// Global ports that nothing is connected to, of the routers that are meant to have some (in a
    /// megafly, the spines).
    pub unconnected_global_ports: u32,
    /// Largest number of router-to-router channels of a shortest minimal path between nodes.
    pub diameter_hops: u32,
    /// Mean number of router-to-router channels of shortest minimal paths, over all ordered pairs
    /// of nodes on different routers; 0 if there are none.
    pub mean_minimal_hops: f64,
    /// Minimal paths between routers of two groups, told apart by their global channel: one per
    /// link of the pair. Over all ordered pairs of groups; zeros for one group.
    pub minimal_paths: Spread,
    /// Non-minimal paths between routers of two groups through one intermediate group, told apart
    /// by their global channels: a link into it and a link out of it for each of the others (Kim et
    /// al. 2008, section 4.1). Over all ordered pairs of groups; zeros for one group.
    pub nonminimal_paths: Spread,
    /// Global links between the first floor(g / 2) groups of each kind and the other ones; each
    /// carries one channel in each direction. If each two groups are joined alike, any such halving
    /// cuts the same number. 0 for one group.
    pub bisection_links: u64,
}

impl Summary {
    /// Directed channels of `kind`.
    #[must_use]
    pub const fn channels_of(&self, kind: LinkKind) -> u32 {
        self.channels[kind as usize]
    }
}

impl Topology {
    /// The system in numbers.
    ///
    /// Cost: seconds at most for some 10^4 routers. Time proportional to the number of channels;
    /// to the square of the routers with nodes for the hops, less for 1-D dragonflies; to the cube
    /// of the number of groups for the paths if pairs of groups differ.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut channels = [0; 5];
        for channel in self.channels() {
            channels[channel.kind as usize] += 1;
        }
        let census = self.census();
        let links = PairLinks::of(self);
        let (minimal_paths, nonminimal_paths) = links.paths();
        let has_nodes = |router: &_| self.nodes_of(*router).len() > 0;
        let connected = |router| {
            let ports = (0..self.radix()).map(PortIndex);
            ports
                .filter(|&port| self.neighbour(router, port).is_some())
                .count()
        };
        let in_use = self.routers().map(connected).max().unwrap_or(0);
        Summary {
            nodes: self.node_count(),
            routers: self.router_count(),
            routers_with_nodes: self.routers().filter(has_nodes).map(|_| 1).sum(),
            groups: self.group_count(),
            radix: self.radix(),
            radix_in_use: u16::try_from(in_use).unwrap_or(u16::MAX),
            channels,
            links_per_group_pair: minimal_paths,
            unconnected_global_ports: self.global_ports() - channels[LinkKind::Global as usize],
            diameter_hops: census.diameter(),
            mean_minimal_hops: census.mean(),
            minimal_paths,
            nonminimal_paths,
            bisection_links: links.bisection(&self.first_halves()),
        }
    }

    /// By group: whether it stands in the first half of its kind, rounded down.
    fn first_halves(&self) -> Vec<bool> {
        let kinds = self.group_kinds();
        let of_kind = |(_, groups): (&str, std::ops::Range<u32>)| {
            let half = groups.len() / 2;
            (0..groups.len()).map(move |index| index < half)
        };
        kinds.flat_map(of_kind).collect()
    }

    /// Global ports, connected or not.
    fn global_ports(&self) -> u32 {
        let ports = u32::from(self.ports(LinkKind::Global).end)
            - u32::from(self.ports(LinkKind::Global).start);
        let routers = match self.family() {
            Family::Megafly(shape) => self.group_count() * shape.spine_routers_per_group,
            Family::GroupKinds(shape) | Family::MegaflyKinds(shape) => return shape.global_ports(),
            _ => self.router_count(),
        };
        routers * ports
    }
}

/// Links of every ordered pair of groups.
struct PairLinks {
    groups: usize,
    /// The same for all pairs, or listed.
    uniform: Option<u64>,
    links: Vec<u32>,
}

impl PairLinks {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "links are counted in 32 bits"
    )]
    fn of(topology: &Topology) -> Self {
        let groups = topology.group_count() as usize;
        let each = topology.links_per_group_pair();
        let count = |from, to| topology.global_channels(from, to).len() as u32;
        let links = if each > 0 || groups == 1 {
            Vec::new()
        } else {
            let pairs = topology
                .groups()
                .flat_map(|from| topology.groups().map(move |to| count(from, to)));
            pairs.collect()
        };
        Self {
            groups,
            uniform: links.is_empty().then_some(u64::from(each)),
            links,
        }
    }

    fn row(&self, group: usize) -> &[u32] {
        &self.links[group * self.groups..(group + 1) * self.groups]
    }

    /// Minimal and non-minimal paths of all ordered pairs.
    fn paths(&self) -> (Spread, Spread) {
        if let Some(links) = self.uniform {
            let through = (self.groups as u64).saturating_sub(2) * links * links;
            return (Spread::all(links), Spread::all(through));
        }
        let (mut minimal, mut nonminimal) = (SpreadSums::default(), SpreadSums::default());
        for from in 0..self.groups {
            for to in (0..self.groups).filter(|&to| to != from) {
                minimal.add(u64::from(self.row(from)[to]));
                // As many links lead into a group as out of it, and none to itself.
                let pairs = self.row(from).iter().zip(self.row(to));
                nonminimal.add(pairs.map(|(&a, &b)| u64::from(a) * u64::from(b)).sum());
            }
        }
        (minimal.spread(), nonminimal.spread())
    }

    /// Links between the groups of the first halves and the other ones.
    fn bisection(&self, is_first: &[bool]) -> u64 {
        if let Some(links) = self.uniform {
            let half = is_first.iter().filter(|first| **first).count();
            return links * half as u64 * (self.groups - half) as u64;
        }
        let firsts = (0..self.groups).filter(|&group| is_first[group]);
        let across = firsts.flat_map(|from| {
            let row = self.row(from).iter().zip(is_first);
            row.filter(|(_, first)| !**first).map(|(links, _)| links)
        });
        across.map(|&links| u64::from(links)).sum()
    }
}

/// Collects a [`Spread`].
#[derive(Default)]
struct SpreadSums {
    least: Option<u64>,
    most: u64,
    sum: u64,
    count: u64,
}

impl SpreadSums {
    fn add(&mut self, value: u64) {
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.most = self.most.max(value);
        self.sum += value;
        self.count += 1;
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    fn spread(&self) -> Spread {
        Spread {
            least: self.least.unwrap_or(0),
            mean: self.sum as f64 / self.count.max(1) as f64,
            most: self.most,
        }
    }
}

impl Spread {
    /// Of some numbers; zeros for none.
    pub(crate) fn over(values: impl Iterator<Item = u64>) -> Self {
        let mut sums = SpreadSums::default();
        values.for_each(|value| sums.add(value));
        sums.spread()
    }

    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    const fn all(value: u64) -> Self {
        Self {
            least: value,
            mean: value as f64,
            most: value,
        }
    }
}
