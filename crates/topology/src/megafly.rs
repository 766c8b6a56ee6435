//! The megafly, or dragonfly+: groups of two levels (Flajslik et al. 2018; Shpiner et al. 2017).
//!
//! ```text
//!              nodes    nodes    nodes
//!                |        |        |
//!   leaves       L        L        L       each leaf joined to each spine of its group
//!                | \ / | \ / |  ...
//!   spines       S        S        S       global links to spines of other groups
//! ```
//!
//! Leaves come before spines. The wiring between groups is that of the megafly of Mubarak et al.
//! 2019, continued to other sizes; `docs/model/topologies.md` states the rule.

use std::ops::Range;

use odonata_units::RouterId;

use crate::aries::port;
use crate::channel::LinkKind;
use crate::error::TopologyError;
use crate::family::{Family, MegaflyShape};
use crate::layout::Layout;
use crate::local::LocalPattern;
use crate::numbering::Numbering;
use crate::shape::{RADIX_LIMIT, ROUTER_LIMIT};
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

impl Topology {
    /// Builds the megafly of `shape`.
    ///
    /// # Errors
    /// If a size is zero or a limit is passed.
    pub fn megafly(shape: MegaflyShape) -> Result<Self, TopologyError> {
        let (layout, numbering) = shape.frame()?;
        let mut ends = Ends::new(numbering.routers, &layout);
        for group in 0..shape.groups {
            let [leaf, spine] = [shape.leaf(group, 0).0, shape.spine(group, 0).0];
            let spines = spine..spine + shape.spine_routers_per_group;
            join_levels(&mut ends, &layout, leaf..spine, &spines);
            shape.join_group(&mut ends, &layout, group);
        }
        Ok(Self::assemble(Parts {
            pattern: LocalPattern::Bipartite {
                leaves: shape.leaf_routers_per_group,
            },
            family: Family::Megafly(shape),
            numbering,
            layout,
            ends,
        }))
    }
}

/// One link between each leaf and each spine of a group.
pub(crate) fn join_levels(
    ends: &mut Ends,
    layout: &Layout,
    leaves: Range<u32>,
    spines: &Range<u32>,
) {
    for (leaf, near) in (0..).zip(leaves) {
        for (spine, far) in (0..).zip(spines.clone()) {
            ends.join(
                End::new(RouterId(near), port(layout, LinkKind::Local, spine)),
                End::new(RouterId(far), port(layout, LinkKind::Local, leaf)),
            );
        }
    }
}

impl MegaflyShape {
    /// Routers of a group, of both levels.
    #[must_use]
    pub const fn routers_per_group(&self) -> u32 {
        self.leaf_routers_per_group
            .saturating_add(self.spine_routers_per_group)
    }

    /// Global ports of a spine: enough for its share of the channels of a group, rounded up.
    #[must_use]
    pub fn global_ports_per_spine(&self) -> u64 {
        self.channels_per_group()
            .div_ceil(u64::from(self.spine_routers_per_group.max(1)))
    }

    /// Global channels of a group.
    fn channels_per_group(&self) -> u64 {
        u64::from(self.links_per_group_pair) * u64::from(self.groups.saturating_sub(1))
    }

    pub(crate) fn frame(&self) -> Result<(Layout, Numbering), TopologyError> {
        for (field, value) in [
            ("groups", self.groups),
            ("leaf_routers_per_group", self.leaf_routers_per_group),
            ("spine_routers_per_group", self.spine_routers_per_group),
            ("nodes_per_leaf", self.nodes_per_leaf),
            ("links_per_group_pair", self.links_per_group_pair),
        ] {
            if value == 0 {
                return Err(TopologyError::Zero { field });
            }
        }
        let local = self
            .leaf_routers_per_group
            .max(self.spine_routers_per_group);
        let counts = [
            u64::from(self.nodes_per_leaf),
            u64::from(local),
            0,
            0,
            self.global_ports_per_spine(),
        ];
        let layout =
            Layout::new(counts, RADIX_LIMIT).ok_or_else(|| TopologyError::TooManyPorts {
                ports: counts.iter().sum(),
                parts: format!(
                    "{} host + {local} local + {} global; leaves and spines share one numbering",
                    counts[0], counts[4]
                ),
                limit: RADIX_LIMIT,
                fields: "nodes_per_leaf, leaf_routers_per_group or links_per_group_pair, or raise \
                         spine_routers_per_group",
            })?;
        let routers = self.routers_per_group();
        let total = u64::from(routers) * u64::from(self.groups);
        if total > u64::from(ROUTER_LIMIT) {
            return Err(TopologyError::TooManyRouters {
                routers: total,
                limit: ROUTER_LIMIT,
                fields: "groups, leaf_routers_per_group or spine_routers_per_group",
            });
        }
        let leaves = self.leaf_routers_per_group;
        let numbering = Numbering::regular(self.groups, leaves, routers, self.nodes_per_leaf);
        Ok((layout, numbering))
    }

    const fn leaf(&self, group: u32, leaf: u32) -> RouterId {
        RouterId(group * self.routers_per_group() + leaf)
    }

    const fn spine(&self, group: u32, spine: u32) -> RouterId {
        self.leaf(group, self.leaf_routers_per_group + spine)
    }

    /// The links from `group` to higher ones.
    ///
    /// Channel `lane * (groups - 1) + slot` of a group leads `slot + 1` groups onwards, and the
    /// channels are spread over the spines in order. The far end of channel `n` is the channel with
    /// the mirrored number: as many from the end of the far group's.
    fn join_group(&self, ends: &mut Ends, layout: &Layout, group: u32) {
        let slots = self.groups - 1;
        // Both factors are bounded by the ports of the spines.
        let channels = self.links_per_group_pair * slots;
        for lane in 0..self.links_per_group_pair {
            for to in group + 1..self.groups {
                let channel = lane * slots + (to - group - 1);
                ends.join(
                    self.global_end(layout, group, channel),
                    self.global_end(layout, to, channels - 1 - channel),
                );
            }
        }
    }

    fn global_end(&self, layout: &Layout, group: u32, channel: u32) -> End {
        let spines = self.spine_routers_per_group;
        let channels = self.links_per_group_pair * (self.groups - 1);
        // At most 255 ports on each of 255 spines.
        let spine = channel * spines / channels;
        let first = (spine * channels).div_ceil(spines);
        End::new(
            self.spine(group, spine),
            port(layout, LinkKind::Global, channel - first),
        )
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::{GroupId, RouterId};

    use super::{MegaflyShape, Topology};
    use crate::channel::Attachment;

    fn shape(groups: u32, leaves: u32, spines: u32, nodes: u32, links: u32) -> MegaflyShape {
        MegaflyShape {
            groups,
            leaf_routers_per_group: leaves,
            spine_routers_per_group: spines,
            nodes_per_leaf: nodes,
            links_per_group_pair: links,
        }
    }

    /// The 8,448-node system of Mubarak et al. 2019 as CODES has it.
    #[test]
    fn megafly_8448() {
        let topology = Topology::megafly(shape(33, 16, 16, 16, 8)).unwrap();
        assert_eq!(topology.node_count(), 8_448);
        assert_eq!(topology.router_count(), 33 * 32);
        assert_eq!(topology.links_per_group_pair(), 8);
        for group in topology.groups() {
            for other in topology.groups().filter(|&other| other != group) {
                let ends = topology.global_channels(group, other);
                let odd = ends[0].0.0 % 2;
                for &(near, port) in ends {
                    // One parity of spines per half of the groups, mirrored far ends.
                    assert_eq!(near.0 % 2, odd);
                    let Some(Attachment::Router(far, _)) = topology.neighbour(near, port) else {
                        unreachable!("the channel is connected");
                    };
                    assert_eq!(topology.position(near) + topology.position(far), 16 + 31);
                }
                assert_eq!(ends.len(), 8);
            }
            for spine in topology.routers_of(group).skip(16) {
                let reached = topology
                    .groups()
                    .filter(|&other| !topology.direct_ports(spine, other).is_empty());
                assert_eq!(reached.count(), 16);
            }
        }
        let far = |router| {
            let port = topology.direct_ports(RouterId(router), GroupId(1))[0];
            topology.neighbour(RouterId(router), port)
        };
        assert!(matches!(far(16), Some(Attachment::Router(RouterId(63), _))));
        assert!(matches!(far(18), Some(Attachment::Router(RouterId(61), _))));
    }

    #[test]
    fn refusals_say_what_and_how_to_go_on() {
        let error = Topology::megafly(shape(33, 16, 16, 16, 0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "links_per_group_pair is 0; it must be at least 1: set links_per_group_pair to 1 or more"
        );
        let error = Topology::megafly(shape(1_000, 16, 16, 16, 8)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a router would have 532 ports (16 host + 16 local + 500 global; leaves and spines \
             share one numbering), but at most 255 are supported; lower nodes_per_leaf, \
             leaf_routers_per_group or links_per_group_pair, or raise spine_routers_per_group"
        );
        let most = u32::MAX;
        assert!(Topology::megafly(shape(most, most, most, most, most)).is_err());
        assert!(Topology::megafly(shape(most, 1, 1, 1, 1)).is_err());
        assert!(Topology::megafly(shape(1, 254, 1, 1, 1)).is_ok());
    }
}
