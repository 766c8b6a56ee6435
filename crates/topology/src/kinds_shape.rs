//! The numbers of a dragonfly or megafly whose groups are of several kinds, and which of them go
//! together.

use std::ops::Range;

use odonata_units::{GroupId, RouterId};

use crate::arrangement::Arrangement;
use crate::error::TopologyError;
use crate::layout::Layout;
use crate::numbering::Numbering;
use crate::shape::{RADIX_LIMIT, ROUTER_LIMIT};

/// Groups that are alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GroupKind {
    /// Such as `compute`; no two kinds have the same.
    pub name: String,
    /// Groups of this kind, at least 1.
    pub groups: u32,
    /// a, at least 1; of a megafly, leaves and spines together.
    pub routers_per_group: u32,
    /// The last ones of them, which have all global links and no nodes: the spines of a megafly; 0
    /// in a dragonfly, where each router may have both.
    pub spine_routers_per_group: u32,
    /// p, of a router that is no spine; at least 1 in the first kind, and on a megafly.
    pub nodes_per_router: u32,
    /// h, enough for all links of a group.
    pub global_ports_per_router: u32,
    /// Links between each two groups of this kind; at least 1 if there are two.
    pub links_per_group_pair: u32,
    /// Links to each group of each of the kinds before this one, in their order, at least 1.
    pub links_to_others: Vec<u32>,
}

impl GroupKind {
    pub(crate) fn router_count(&self) -> u64 {
        u64::from(self.groups) * u64::from(self.routers_per_group)
    }

    pub(crate) fn node_count(&self) -> u64 {
        u64::from(self.groups) * u64::from(self.leaves()) * u64::from(self.nodes_per_router)
    }

    /// Routers of a group that may have nodes.
    pub(crate) const fn leaves(&self) -> u32 {
        self.routers_per_group
            .saturating_sub(self.spine_routers_per_group)
    }

    /// Positions of the routers that have the global links of a group.
    pub(crate) const fn gateways(&self) -> Range<u32> {
        let first = if self.spine_routers_per_group == 0 {
            0
        } else {
            self.leaves()
        };
        first..self.routers_per_group
    }

    fn gateway_count(&self) -> u32 {
        let gateways = self.gateways();
        gateways.end - gateways.start
    }
}

/// The parameters of a dragonfly or megafly with groups of several kinds.
///
/// ```
/// use odonata_topology::{Arrangement, GroupKind, KindsShape, Topology};
/// use odonata_units::GroupId;
/// let kind = |name: &str, groups, links_per_group_pair, links_to_others| GroupKind {
///     name: name.to_owned(),
///     groups,
///     routers_per_group: 4,
///     spine_routers_per_group: 0,
///     nodes_per_router: 2,
///     global_ports_per_router: 3,
///     links_per_group_pair,
///     links_to_others,
/// };
/// let topology = Topology::dragonfly_of_kinds(KindsShape {
///     kinds: vec![kind("compute", 3, 4, vec![]), kind("io", 2, 1, vec![2])],
///     arrangement: Arrangement::Absolute,
/// })?;
/// let links = |from, to| topology.global_channels(GroupId(from), GroupId(to)).len();
/// assert_eq!((links(0, 2), links(0, 3), links(3, 4)), (4, 2, 1));
/// # Ok::<(), odonata_topology::TopologyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KindsShape {
    /// In the order of their groups; at least one.
    pub kinds: Vec<GroupKind>,
    /// The order in which a lane reaches the other groups.
    pub arrangement: Arrangement,
}

impl KindsShape {
    /// The name of the first kind, where jobs are placed if nothing else is said.
    pub const FIRST: &str = "compute";

    /// The megafly of these kinds: its spines have as many global ports as their links need, and a
    /// lane reaches the groups in the order of their distance onwards.
    #[must_use]
    pub fn megafly(kinds: Vec<GroupKind>) -> Self {
        let mut shape = Self {
            kinds,
            arrangement: Arrangement::Relative,
        };
        for index in 0..shape.kinds.len() {
            let links = shape.links_of(index);
            let kind = &mut shape.kinds[index];
            let ports = links.div_ceil(kind.spine_routers_per_group.max(1).into());
            kind.global_ports_per_router = u32::try_from(ports).unwrap_or(u32::MAX);
        }
        shape
    }

    /// Whether its groups have leaves and spines.
    pub(crate) fn has_levels(&self) -> bool {
        let mut kinds = self.kinds.iter();
        kinds.any(|kind| kind.spine_routers_per_group > 0)
    }

    /// Links of a group of kind `index` to all others.
    fn links_of(&self, index: usize) -> u64 {
        let others = self.kinds.iter().enumerate().map(|(other, far)| {
            let groups = u64::from(far.groups).saturating_sub(u64::from(index == other));
            u64::from(self.links(index, other)).saturating_mul(groups)
        });
        others.fold(0, u64::saturating_add)
    }

    /// Groups of all kinds.
    pub(crate) fn group_count(&self) -> u32 {
        self.kinds.iter().map(|kind| kind.groups).sum()
    }

    /// Global ports of all routers, connected or not.
    pub(crate) fn global_ports(&self) -> u32 {
        let ports =
            |kind: &GroupKind| kind.groups * kind.gateway_count() * kind.global_ports_per_router;
        self.kinds.iter().map(ports).sum()
    }

    /// Index of the kind of each group.
    pub(crate) fn kind_of_groups(&self) -> Vec<usize> {
        let kinds = self.kinds.iter().enumerate();
        kinds
            .flat_map(|(index, kind)| std::iter::repeat_n(index, kind.groups as usize))
            .collect()
    }

    /// Links between a group of one kind and another group of the other kind.
    #[must_use]
    pub fn links(&self, one: usize, other: usize) -> u32 {
        let later = &self.kinds[one.max(other)];
        if one == other {
            later.links_per_group_pair
        } else {
            later
                .links_to_others
                .get(one.min(other))
                .copied()
                .unwrap_or(0)
        }
    }

    /// Links from a group of kind `own` to all groups of kind `other`.
    #[must_use]
    pub fn links_of_group(&self, own: usize, other: usize) -> u64 {
        let others = self.kinds[other].groups - u32::from(own == other);
        u64::from(self.links(own, other)) * u64::from(others)
    }

    /// The ids, of sizes that [`KindsShape::layout`] accepts.
    pub(crate) fn numbering(&self) -> Numbering {
        let mut group_of = Vec::new();
        let mut router_of = Vec::new();
        let mut groups = 0..;
        for kind in &self.kinds {
            for group in groups.by_ref().take(kind.groups as usize) {
                for position in 0..kind.routers_per_group {
                    let router = RouterId(u32::try_from(group_of.len()).unwrap_or(u32::MAX));
                    group_of.push(GroupId(group));
                    let is_leaf = position < kind.leaves();
                    let nodes = if is_leaf { kind.nodes_per_router } else { 0 } as usize;
                    router_of.extend(std::iter::repeat_n(router, nodes));
                }
            }
        }
        Numbering::of_tables(&router_of, &group_of)
    }

    /// The ports of a router: as many of each sort as the kind with the most of them has.
    ///
    /// # Errors
    /// If anything does not fit.
    pub(crate) fn layout(&self) -> Result<Layout, TopologyError> {
        if self.kinds.is_empty() {
            return Err(TopologyError::Zero { field: "groups" });
        }
        for (index, kind) in self.kinds.iter().enumerate() {
            self.check(index, kind)?;
        }
        let most = |of: fn(&GroupKind) -> u32| self.kinds.iter().map(of).max().unwrap_or(0);
        let hosts = most(|kind| kind.nodes_per_router);
        let local = if self.has_levels() {
            most(|kind| kind.leaves().max(kind.spine_routers_per_group))
        } else {
            most(|kind| kind.routers_per_group - 1)
        };
        let global = most(|kind| kind.global_ports_per_router);
        let counts = [hosts.into(), local.into(), 0, 0, global.into()];
        let layout = Layout::new(counts, RADIX_LIMIT).ok_or_else(|| TopologyError::TooManyPorts {
            ports: counts.iter().sum(),
            parts: format!(
                "{hosts} host + {local} local + {global} global; the most of each on any kind of \
                 groups"
            ),
            limit: RADIX_LIMIT,
            fields: self.fields(),
        })?;
        let routers = self.kinds.iter().map(GroupKind::router_count).sum();
        if routers > u64::from(ROUTER_LIMIT) {
            return Err(TopologyError::TooManyRouters {
                routers,
                limit: ROUTER_LIMIT,
                fields: "groups or routers_per_group",
            });
        }
        Ok(layout)
    }

    /// What to lower where a router has too many ports.
    fn fields(&self) -> &'static str {
        if self.has_levels() {
            "nodes_per_leaf, leaf_routers_per_group or links_per_group_pair, or raise \
             spine_routers_per_group"
        } else {
            "nodes_per_router, routers_per_group or global_ports_per_router"
        }
    }

    fn check(&self, index: usize, kind: &GroupKind) -> Result<(), TopologyError> {
        let name = || kind.name.clone();
        if self.kinds[..index].iter().any(|one| one.name == kind.name) {
            return Err(TopologyError::KindTwice { kind: name() });
        }
        if kind.links_to_others.len() != index {
            return Err(TopologyError::LinksToKinds {
                kind: name(),
                given: kind.links_to_others.len(),
                before: index,
            });
        }
        let fewest = kind.links_to_others.iter().copied().min();
        let has_levels = self.has_levels();
        let routers = if has_levels {
            ["leaf_routers_per_group", "nodes_per_leaf"]
        } else {
            ["routers_per_group", "nodes_per_router"]
        };
        let needed = [
            ("groups", kind.groups, true),
            (routers[0], kind.leaves(), true),
            (
                "spine_routers_per_group",
                kind.spine_routers_per_group,
                has_levels,
            ),
            (routers[1], kind.nodes_per_router, index == 0 || has_levels),
            (
                "links_per_group_pair",
                kind.links_per_group_pair,
                kind.groups > 1,
            ),
            ("links_to_others", fewest.unwrap_or(0), index > 0),
        ];
        for (field, value, is_needed) in needed {
            if is_needed && value == 0 {
                return Err(TopologyError::ZeroOfKind {
                    kind: name(),
                    field,
                });
            }
        }
        let available = u64::from(kind.gateway_count()) * u64::from(kind.global_ports_per_router);
        let links = self.links_of(index);
        if links > available {
            return Err(TopologyError::TooManyLinks {
                kind: name(),
                links,
                routers_per_group: kind.routers_per_group,
                global_ports_per_router: kind.global_ports_per_router,
                available,
                needed: links.div_ceil(kind.routers_per_group.into()),
            });
        }
        Ok(())
    }
}
