//! The numbers of a dragonfly whose groups are of several kinds, and which of them go together.

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
    /// a, at least 1.
    pub routers_per_group: u32,
    /// p; at least 1 in the first kind.
    pub nodes_per_router: u32,
    /// h, enough for all links of a group.
    pub global_ports_per_router: u32,
    /// Links between each two groups of this kind; at least 1 if there are two.
    pub links_per_group_pair: u32,
    /// Links to each group of the kinds before this one, at least 1; of no meaning in the first.
    pub links_to_others: u32,
}

impl GroupKind {
    pub(crate) fn router_count(&self) -> u64 {
        u64::from(self.groups) * u64::from(self.routers_per_group)
    }

    pub(crate) fn node_count(&self) -> u64 {
        self.router_count() * u64::from(self.nodes_per_router)
    }
}

/// The parameters of a dragonfly with groups of several kinds.
///
/// ```
/// use odonata_topology::{Arrangement, GroupKind, KindsShape, Topology};
/// use odonata_units::GroupId;
/// let kind = |name: &str, groups, links_per_group_pair, links_to_others| GroupKind {
///     name: name.to_owned(),
///     groups,
///     routers_per_group: 4,
///     nodes_per_router: 2,
///     global_ports_per_router: 3,
///     links_per_group_pair,
///     links_to_others,
/// };
/// let topology = Topology::dragonfly_of_kinds(KindsShape {
///     kinds: vec![kind("compute", 3, 4, 0), kind("io", 2, 1, 2)],
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

    /// Groups of all kinds.
    pub(crate) fn group_count(&self) -> u32 {
        self.kinds.iter().map(|kind| kind.groups).sum()
    }

    /// Global ports of all routers, connected or not.
    pub(crate) fn global_ports(&self) -> u32 {
        let ports =
            |kind: &GroupKind| kind.groups * kind.routers_per_group * kind.global_ports_per_router;
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
            later.links_to_others
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
                for _ in 0..kind.routers_per_group {
                    let router = RouterId(u32::try_from(group_of.len()).unwrap_or(u32::MAX));
                    group_of.push(GroupId(group));
                    let nodes = kind.nodes_per_router as usize;
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
        let local = most(|kind| kind.routers_per_group - 1);
        let global = most(|kind| kind.global_ports_per_router);
        let counts = [hosts.into(), local.into(), 0, 0, global.into()];
        let layout = Layout::new(counts, RADIX_LIMIT).ok_or_else(|| TopologyError::TooManyPorts {
            ports: counts.iter().sum(),
            parts: format!(
                "{hosts} host + {local} local + {global} global; the most of each on any kind of \
                 groups"
            ),
            limit: RADIX_LIMIT,
            fields: "nodes_per_router, routers_per_group or global_ports_per_router",
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

    fn check(&self, index: usize, kind: &GroupKind) -> Result<(), TopologyError> {
        let name = || kind.name.clone();
        if self.kinds[..index].iter().any(|one| one.name == kind.name) {
            return Err(TopologyError::KindTwice { kind: name() });
        }
        let needed = [
            ("groups", kind.groups, true),
            ("routers_per_group", kind.routers_per_group, true),
            ("nodes_per_router", kind.nodes_per_router, index == 0),
            (
                "links_per_group_pair",
                kind.links_per_group_pair,
                kind.groups > 1,
            ),
            ("links_to_others", kind.links_to_others, index > 0),
        ];
        for (field, value, is_needed) in needed {
            if is_needed && value == 0 {
                return Err(TopologyError::ZeroOfKind {
                    kind: name(),
                    field,
                });
            }
        }
        let available = u64::from(kind.routers_per_group) * u64::from(kind.global_ports_per_router);
        let others = self.kinds.iter().enumerate().map(|(other, far)| {
            let groups = u64::from(far.groups) - u64::from(index == other);
            u64::from(self.links(index, other)).saturating_mul(groups)
        });
        let links = others.fold(0, u64::saturating_add);
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
