//! The groups of each kind in numbers: what operators publish of a dragonfly.

use std::ops::Range;

use odonata_units::GroupId;

use crate::summary::Spread;
use crate::topology::Topology;

/// The groups of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct KindSummary {
    /// Name of the kind.
    pub name: String,
    /// Groups of it.
    pub groups: u32,
    /// Routers of each of them.
    pub routers_per_group: u32,
    /// Routers of each of them that have no nodes.
    pub routers_without_nodes: u32,
    /// Nodes of all of them.
    pub nodes: u32,
    /// Nodes of each of them.
    pub nodes_per_group: u32,
    /// Links between each two of them; 0 for one group.
    pub links_per_group_pair: u64,
    /// Links of one of them to the others.
    pub global_links_per_group: u64,
    /// Links of one of them to groups of other kinds.
    pub links_to_other_kinds: u64,
    /// Links between any two of them.
    pub global_links: u64,
    /// Links between the first half of them, rounded down, and the second.
    pub bisection_links: u64,
}

/// The links between the groups of two kinds.
#[derive(Clone, PartialEq, Debug)]
pub struct LinksBetween {
    /// Names of both, such as `compute-io`.
    pub name: String,
    /// Between two groups.
    pub each: Spread,
    /// Between all of them.
    pub links: u64,
}

impl Topology {
    /// The groups of each kind of a one-dimensional dragonfly or a megafly; nothing for other
    /// families. Means, rounded down, where links have failed.
    #[must_use]
    pub fn kind_summaries(&self) -> Vec<KindSummary> {
        if !matches!(self.family().name(), "dragonfly" | "megafly") {
            return Vec::new();
        }
        let kinds = self.group_kinds();
        kinds
            .map(|(name, groups)| self.kind_summary(name, &groups))
            .collect()
    }

    /// Links between the groups of each two kinds, in the order of the kinds.
    #[must_use]
    pub fn links_between_kinds(&self) -> Vec<LinksBetween> {
        let kinds: Vec<_> = self.group_kinds().collect();
        let links = |near: &Range<u32>, far: &Range<u32>| {
            let pairs = near
                .clone()
                .flat_map(|from| far.clone().map(move |to| (from, to)));
            let each = pairs.map(|(from, to)| {
                let links = self.global_channels(GroupId(from), GroupId(to)).len();
                links as u64
            });
            each.collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        for (index, (one, near)) in kinds.iter().enumerate() {
            for (other, far) in kinds.iter().skip(index + 1) {
                let links = links(near, far);
                found.push(LinksBetween {
                    name: format!("{one}-{other}"),
                    links: links.iter().sum(),
                    each: Spread::over(links.into_iter()),
                });
            }
        }
        found
    }

    fn kind_summary(&self, name: &str, groups: &Range<u32>) -> KindSummary {
        let count = groups.end - groups.start;
        let first = GroupId(groups.start);
        let between = |from: Range<u32>, to: Range<u32>| -> u64 {
            let pairs = from.flat_map(|one| to.clone().map(move |other| (one, other)));
            let links = pairs.map(|(one, other)| {
                self.global_channels(GroupId(one), GroupId(other)).len() as u64
            });
            links.sum()
        };
        let own = between(groups.clone(), groups.clone());
        let all = between(groups.clone(), 0..self.group_count());
        let middle = groups.start + count / 2;
        let nodes_per_group = u32::try_from(self.nodes_in(first).len()).unwrap_or(u32::MAX);
        let pairs = u64::from(count) * u64::from(count - 1);
        KindSummary {
            name: name.to_owned(),
            groups: count,
            routers_per_group: self.routers_in_group(first),
            routers_without_nodes: self
                .routers_of(first)
                .map(|router| u32::from(self.nodes_of(router).len() == 0))
                .sum(),
            nodes: nodes_per_group * count,
            nodes_per_group,
            links_per_group_pair: own.checked_div(pairs).unwrap_or(0),
            global_links_per_group: own / u64::from(count),
            links_to_other_kinds: (all - own) / u64::from(count),
            global_links: own / 2,
            bisection_links: between(groups.start..middle, middle..groups.end),
        }
    }
}

impl KindSummary {
    /// Bandwidth of the links of a group to the others of its kind over that of its nodes, if host
    /// and global links carry so much; 0 without nodes.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    pub fn taper(&self, host_bytes_per_s: u64, global_bytes_per_s: u64) -> f64 {
        let injection = f64::from(self.nodes_per_group) * host_bytes_per_s as f64;
        if injection == 0.0 {
            return 0.0;
        }
        self.global_links_per_group as f64 * global_bytes_per_s as f64 / injection
    }
}
