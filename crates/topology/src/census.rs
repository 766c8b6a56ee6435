//! How many pairs of nodes are how many hops apart.

use odonata_units::{GroupId, RouterId};

use crate::family::Family;
use crate::hops::UNREACHED;
use crate::local::LocalPattern;
use crate::topology::Topology;

/// Ordered pairs of nodes by the `minimal_hops` between their routers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Census {
    pairs: Vec<u128>,
}

impl Census {
    fn add(&mut self, hops: u32, pairs: u64) {
        let position = hops as usize;
        if pairs == 0 {
            return;
        }
        if self.pairs.len() <= position {
            self.pairs.resize(position + 1, 0);
        }
        self.pairs[position] += u128::from(pairs);
    }

    /// The most hops between two nodes.
    #[expect(clippy::cast_possible_truncation, reason = "at most the routers")]
    pub(crate) const fn diameter(&self) -> u32 {
        self.pairs.len().saturating_sub(1) as u32
    }

    /// Mean hops of all pairs on different routers; 0 if there are none.
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    pub(crate) fn mean(&self) -> f64 {
        let apart = self.pairs.iter().skip(1).sum::<u128>();
        let hops = (0..).zip(&self.pairs).map(|(hops, pairs)| hops * pairs);
        if apart == 0 {
            0.0
        } else {
            hops.sum::<u128>() as f64 / apart as f64
        }
    }
}

impl Topology {
    /// Counts all pairs of nodes.
    ///
    /// Cost: O(k log k) per pair of groups with k links in a 1-D dragonfly, O(k a^2) with a routers
    /// with nodes per group in the other regular families, O(routers times channels) else.
    pub(crate) fn census(&self) -> Census {
        let mut census = Census::default();
        let weight = |router| self.nodes_of(router).len() as u64;
        if matches!(self.local.pattern, LocalPattern::Listed(_)) {
            for from in self.routers().filter(|&from| weight(from) > 0) {
                for (to, hops) in self.routers().zip(self.hops_from(from)) {
                    if hops != UNREACHED {
                        census.add(hops, weight(from) * weight(to));
                    }
                }
            }
            return census;
        }
        if let Family::GroupKinds(_) = self.family() {
            self.count_group_kinds(&mut census);
            return census;
        }
        if let Family::MegaflyKinds(_) = self.family() {
            for from in self.routers().filter(|&from| weight(from) > 0) {
                for to in self.routers().filter(|&to| weight(to) > 0) {
                    census.add(self.minimal_hops(from, to), weight(from) * weight(to));
                }
            }
            return census;
        }
        // Regular families: every group is alike.
        let group = GroupId(0);
        let nodes = weight(self.first_router(group));
        let with_nodes: Vec<u32> = self
            .routers_of(group)
            .filter(|&router| weight(router) > 0)
            .map(|router| self.position(router))
            .collect();
        let each = u64::from(self.group_count()) * nodes * nodes;
        for &from in &with_nodes {
            for &to in &with_nodes {
                let hops = self.local.pattern.hops(0, from, to).unwrap_or(0);
                census.add(hops, each);
            }
        }
        let mut between = Between::new(self, with_nodes.len());
        for from in self.groups() {
            for to in self.groups().filter(|&to| to != from) {
                for (hops, pairs) in (0..).zip(between.count(self, from, to)) {
                    census.add(hops, pairs * nodes * nodes);
                }
            }
        }
        census
    }

    /// Cliques of several sizes.
    fn count_group_kinds(&self, census: &mut Census) {
        let size = |group| u64::from(self.routers_in_group(group));
        let nodes = |group| self.nodes_of(self.first_router(group)).len() as u64;
        for from in self.groups() {
            let (routers, each) = (size(from), nodes(from));
            census.add(0, routers * each * each);
            census.add(1, routers * (routers - 1) * each * each);
            for to in self.groups().filter(|&to| to != from) {
                let counts = clique(self.links(from, to), routers, size(to));
                for (hops, pairs) in (0..).zip(counts) {
                    census.add(hops, pairs * each * nodes(to));
                }
            }
        }
    }
}

/// Longest minimal path of a regular family: two hops, a global one, two hops.
const LONGEST: usize = 5;

/// Counts the pairs of routers with nodes of two groups.
struct Between {
    /// Routers with nodes of a group; they come first.
    with_nodes: usize,
    /// `[position * with_nodes + position of a router with nodes]`; empty for cliques.
    local: Vec<u8>,
    fewest: Vec<u8>,
}

impl Between {
    fn new(topology: &Topology, with_nodes: usize) -> Self {
        let pattern = &topology.local.pattern;
        let routers = topology.routers_in_group(GroupId(0));
        let mut local = Vec::new();
        if !matches!(pattern, LocalPattern::Clique) {
            for from in 0..routers {
                for (to, _) in (0..).zip(0..with_nodes) {
                    let hops = pattern.hops(0, from, to).unwrap_or(0);
                    local.push(u8::try_from(hops).unwrap_or(u8::MAX));
                }
            }
        }
        Self {
            with_nodes,
            local,
            fewest: Vec::new(),
        }
    }

    /// Pairs by hops.
    fn count(&mut self, topology: &Topology, from: GroupId, to: GroupId) -> [u64; LONGEST + 1] {
        let links = topology.links(from, to);
        if self.local.is_empty() {
            let routers = self.with_nodes as u64;
            return clique(links, routers, routers);
        }
        let size = self.with_nodes;
        self.fewest.clear();
        self.fewest.resize(size * size, u8::MAX);
        for (near, far) in links {
            let row = |router| {
                let start = topology.position(router) as usize * size;
                start..start + size
            };
            let onward = &self.local[row(far)];
            let inward = &self.local[row(near)];
            for (fewest, first) in self.fewest.chunks_exact_mut(size).zip(inward) {
                for (fewest, last) in fewest.iter_mut().zip(onward) {
                    *fewest = (*fewest).min(first + 1 + last);
                }
            }
        }
        let mut counts = [0; LONGEST + 1];
        for &hops in &self.fewest {
            counts[usize::from(hops).min(LONGEST)] += 1;
        }
        counts
    }
}

/// Two cliques of `from` and `to` routers: the ends of the links decide.
fn clique(
    links: impl Iterator<Item = (RouterId, RouterId)>,
    from: u64,
    to: u64,
) -> [u64; LONGEST + 1] {
    let mut links: Vec<_> = links.collect();
    let mut nears: Vec<_> = links.iter().map(|link| link.0).collect();
    let mut fars: Vec<_> = links.iter().map(|link| link.1).collect();
    links.sort_unstable();
    links.dedup();
    let distinct = |ends: &mut Vec<RouterId>| {
        ends.sort_unstable();
        ends.dedup();
        ends.len() as u64
    };
    let (near, far) = (distinct(&mut nears), distinct(&mut fars));
    let one = links.len() as u64;
    let two = near * to + from * far - near * far - one;
    [0, one, two, from * to - one - two, 0, 0]
}
