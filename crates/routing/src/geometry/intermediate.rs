//! Random routers that detours lead over.

use odonata_units::{GroupId, RouterId, Stream};

use super::{Geometry, TRIES, draw_besides};

impl Geometry {
    /// A uniformly random router with nodes outside `source` and, if given, `target`, whose group
    /// is joined to both; `None` if there is none.
    #[inline(always)]
    pub(crate) fn draw_router_outside(
        &self,
        source: GroupId,
        target: GroupId,
        target_too: bool,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        if self.even_routers_with_nodes == 0 || self.has_gaps() {
            return self.search_router_outside(source, target, target_too, draw);
        }
        let excluded = 1 + usize::from(!target_too);
        let elsewhere = self.groups.checked_sub(excluded).filter(|n| *n > 0)?;
        let routers_with_nodes = self.even_routers_with_nodes;
        let mut index = draw.below(u32::try_from(elsewhere).unwrap_or(0) * routers_with_nodes);
        // Skip the excluded groups, the lower one first; without branches, which random routers
        // would make mispredicted.
        let (low, high) = if target_too {
            (source, source)
        } else {
            (source.min(target), source.max(target))
        };
        index += routers_with_nodes * u32::from(index >= low.0 * routers_with_nodes);
        if !target_too {
            index += routers_with_nodes * u32::from(index >= high.0 * routers_with_nodes);
        }
        Some(if self.is_direct() {
            RouterId(index)
        } else {
            let (group, index) = self.by_even_routers_with_nodes.split(index);
            RouterId(self.topology.first_router(GroupId(group)).0 + index)
        })
    }

    /// Whether `group` is not `source`, has routers with nodes, and is joined to both.
    pub(crate) fn is_between(&self, group: GroupId, source: GroupId, target: GroupId) -> bool {
        group != source
            && self.candidates(group) > 0
            && self.is_joined(source, group)
            && self.is_joined(group, target)
    }

    /// [`Geometry::draw_router_outside`] for groups of unequal sizes or with missing channels: a
    /// group is drawn, then a router of it.
    #[inline(never)]
    fn search_router_outside(
        &self,
        source: GroupId,
        target: GroupId,
        target_too: bool,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        let is_fit = |group: GroupId| {
            self.is_between(group, source, target) && (target_too || group != target)
        };
        let groups = self.topology.group_count();
        let count = if self.has_gaps() {
            let all = self.topology.groups();
            u32::try_from(all.filter(|group| is_fit(*group)).count()).ok()?
        } else {
            let has_nodes = |group: GroupId| u32::from(self.candidates(group) > 0);
            let is_two = !target_too && target != source;
            let excluded = has_nodes(source) + if is_two { has_nodes(target) } else { 0 };
            self.groups_with_nodes - excluded
        };
        if count == 0 {
            return None;
        }
        let mut tries = 0;
        let group = loop {
            let group = GroupId(draw.below(groups));
            if is_fit(group) {
                break group;
            }
            tries += 1;
            if tries == TRIES {
                let skip = draw.below(count) as usize;
                break self
                    .topology
                    .groups()
                    .filter(|group| is_fit(*group))
                    .nth(skip)?;
            }
        };
        Some(self.candidate(group, draw.below(self.candidates(group))))
    }

    /// A uniformly random router with nodes in the group of `here`, neither `here` nor `target`;
    /// `None` if there is none.
    pub(crate) fn draw_router_inside(
        &self,
        here: RouterId,
        target: RouterId,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        let group = self.group_of(here);
        if let Some(up) = self.up_with_nodes.get(group.index()) {
            return draw_besides(up, [here, target], draw);
        }
        let first = self.topology.first_router(group).0;
        let routers_with_nodes = self.routers_with_nodes[group.index()];
        let others = routers_with_nodes
            .checked_sub(2)
            .filter(|others| *others > 0)?;
        let mut index = first + draw.below(others);
        index += u32::from(index >= here.0.min(target.0));
        index += u32::from(index >= here.0.max(target.0));
        Some(RouterId(index))
    }

    /// The groups behind the global ports of `router`, in the order of the ports.
    fn groups_behind(&self, router: RouterId) -> &[GroupId] {
        let bounds = &self.behind_starts[router.index()..][..2];
        &self.behind[bounds[0] as usize..bounds[1] as usize]
    }

    /// A router with nodes in a random one of the third groups that `here` has channels to and that
    /// is joined to `target`; `None` if there is none.
    pub(crate) fn draw_router_behind(
        &self,
        here: RouterId,
        target: GroupId,
        draw: &mut Stream,
    ) -> Option<RouterId> {
        let source = self.group_of(here);
        let are_even = self.even_routers_with_nodes > 0 && !self.has_gaps();
        let fits = || {
            let groups = self.groups_behind(here).iter().copied();
            groups.filter(|&group| {
                let is_third = group != source && group != target;
                let fits = || self.candidates(group) > 0 && self.is_joined(group, target);
                is_third && (are_even || fits())
            })
        };
        let count = u32::try_from(fits().count()).ok().filter(|n| *n > 0)?;
        let group = fits().nth(draw.below(count) as usize)?;
        Some(self.candidate(group, draw.below(self.candidates(group))))
    }
}
