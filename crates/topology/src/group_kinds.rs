//! The one-dimensional dragonfly and the megafly whose groups are of several kinds: compute,
//! storage, service.
//!
//! ```text
//!   kind 0: groups 0 .. g0 - 1      kind 1: groups g0 .. g0 + g1 - 1      ...
//!   +----+ +----+ +----+            +--+ +--+
//!   | a0 | | a0 | | a0 |            |a1| |a1|        a, p, h: of each kind
//!   +----+ +----+ +----+            +--+ +--+        links: by the kinds of both groups
//! ```
//!
//! The global channels of a group are numbered lane by lane, and in a lane by the slots of the
//! arrangement; they are spread evenly over the routers, of a megafly over its spines.
//! `docs/model/dragonfly.md` and `docs/model/topologies.md` state the rules.

use std::ops::Range;

use odonata_units::{GroupId, RouterId};

use crate::channel::{LinkKind, PortIndex};
use crate::dragonfly::join_clique;
use crate::error::TopologyError;
use crate::family::Family;
use crate::kinds_shape::KindsShape;
use crate::local::LocalPattern;
use crate::megafly::join_levels;
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

impl Topology {
    /// Builds the one-dimensional dragonfly of `shape`.
    ///
    /// # Errors
    /// If a size is zero, a limit is passed, two kinds have one name, or the global ports of a kind
    /// do not suffice for its links.
    pub fn dragonfly_of_kinds(shape: KindsShape) -> Result<Self, TopologyError> {
        Self::of_kinds(shape, Family::GroupKinds)
    }

    /// Builds the megafly of `shape`, as [`KindsShape::megafly`] makes it.
    ///
    /// # Errors
    /// As [`Topology::dragonfly_of_kinds`].
    pub fn megafly_of_kinds(shape: KindsShape) -> Result<Self, TopologyError> {
        Self::of_kinds(shape, Family::MegaflyKinds)
    }

    fn of_kinds(
        shape: KindsShape,
        family: fn(KindsShape) -> Family,
    ) -> Result<Self, TopologyError> {
        let layout = shape.layout()?;
        let numbering = shape.numbering();
        let mut ends = Ends::new(numbering.routers, &layout);
        let kinds = shape.kind_of_groups();
        let has_levels = shape.has_levels();
        for (group, kind) in (0..).map(GroupId).zip(&kinds) {
            let kind = &shape.kinds[*kind];
            if has_levels {
                let first = numbering.routers_of(group).start;
                let spine = first + kind.leaves();
                let spines = spine..spine + kind.spine_routers_per_group;
                join_levels(&mut ends, &layout, first..spine, &spines);
            } else {
                join_clique(&mut ends, &numbering, &layout, group);
            }
        }
        let channels = channels(&shape);
        let end = |group: u32, channel: u32| -> End {
            let gateways = shape.kinds[kinds[group as usize]].gateways();
            let routers = numbering.routers_of(GroupId(group));
            let count = u64::from(gateways.end - gateways.start);
            let all = channels[group as usize].count.max(1);
            let (position, port) = spread(channel.into(), all.into(), count);
            let first = layout.first(LinkKind::Global);
            let router = routers.start + gateways.start + position;
            End::new(RouterId(router), PortIndex(first + port))
        };
        for (from, own) in (0..).zip(&channels) {
            for link in own.links.iter().filter(|link| link.to > from) {
                let pair = [from, link.to].map(|group| kinds[group as usize]);
                // The far ends of a megafly mirror the near ones.
                let lane = if has_levels {
                    shape.links(pair[0], pair[1]) - 1 - link.lane
                } else {
                    link.lane
                };
                let back = channels[link.to as usize].number_of(from, lane);
                ends.join(end(from, link.channel), end(link.to, back));
            }
        }
        let pattern = if has_levels {
            let leaves = kinds.iter().map(|kind| shape.kinds[*kind].leaves());
            LocalPattern::Levels {
                leaves: leaves.collect(),
            }
        } else {
            LocalPattern::Clique
        };
        Ok(Self::assemble(Parts {
            family: family(shape),
            numbering,
            layout,
            pattern,
            ends,
        }))
    }

    /// The kinds of groups by name, with their groups; one, `compute`, where all are of one kind.
    pub fn group_kinds(&self) -> impl Iterator<Item = (&str, Range<u32>)> {
        let (all, kinds) = match self.family() {
            Family::GroupKinds(shape) | Family::MegaflyKinds(shape) => (None, &shape.kinds[..]),
            _ => (Some((KindsShape::FIRST, 0..self.group_count())), &[][..]),
        };
        let mut end = 0;
        all.into_iter().chain(kinds.iter().map(move |kind| {
            let start = end;
            end += kind.groups;
            (&*kind.name, start..end)
        }))
    }
}

/// Router position and global port of channel `channel` of `all`, spread over `routers` routers in
/// order, as evenly as can be.
#[expect(
    clippy::cast_possible_truncation,
    reason = "positions and ports are below RADIX_LIMIT"
)]
fn spread(channel: u64, all: u64, routers: u64) -> (u32, u16) {
    let position = channel * routers / all;
    let first = (position * all).div_ceil(routers);
    (position as u32, (channel - first) as u16)
}

/// The global channels of a group, by number.
struct Channels {
    count: u32,
    /// By far group, then lane.
    links: Vec<GlobalLink>,
}

/// A global channel, seen from its group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GlobalLink {
    to: u32,
    lane: u32,
    channel: u32,
}

impl Channels {
    fn number_of(&self, to: u32, lane: u32) -> u32 {
        let before = |link: &GlobalLink| (link.to, link.lane) < (to, lane);
        self.links[self.links.partition_point(before)].channel
    }
}

/// The channels of every group.
fn channels(shape: &KindsShape) -> Vec<Channels> {
    let kinds = shape.kind_of_groups();
    let groups = shape.group_count();
    let of = |from: u32| {
        let own = kinds[from as usize];
        let lanes = |to: u32| shape.links(own, kinds[to as usize]);
        let slots = || (0..groups - 1).map(|slot| shape.arrangement.target(from, slot, groups));
        let most = slots().map(lanes).max().unwrap_or(0);
        let mut channels = Channels {
            count: 0,
            links: Vec::new(),
        };
        for lane in 0..most {
            for to in slots().filter(|&to| lanes(to) > lane) {
                let channel = channels.count;
                channels.links.push(GlobalLink { to, lane, channel });
                channels.count += 1;
            }
        }
        channels.links.sort_unstable();
        channels
    };
    (0..groups).map(of).collect()
}
