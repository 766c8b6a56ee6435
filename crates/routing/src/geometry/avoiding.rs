//! Geometry of a network of which routers are down.

use odonata_units::{GroupId, RouterId};

use super::{Geometry, Paths, Room};
use crate::error::RoutingError;

impl Geometry {
    /// These tables, with routers that are down: none of them is drawn as an intermediate one, as
    /// if it had no nodes.
    #[must_use]
    pub(crate) fn avoiding(self, mut down: Vec<RouterId>) -> Self {
        if down.is_empty() {
            return self;
        }
        down.sort_unstable();
        let of_group = |group: GroupId| -> Vec<RouterId> {
            let first = self.topology.first_router(group).0;
            let all = first..first + self.routers_with_nodes[group.index()];
            let is_up = |router: &RouterId| down.binary_search(router).is_err();
            all.map(RouterId).filter(is_up).collect()
        };
        let up_with_nodes: Vec<_> = self.topology.groups().map(of_group).collect();
        let groups = up_with_nodes.iter().map(|up| u32::from(!up.is_empty()));
        let mut geometry = Self {
            groups_with_nodes: groups.sum(),
            even_routers_with_nodes: 0,
            up_with_nodes: up_with_nodes.into(),
            down: down.into(),
            ..self
        };
        geometry.problem = geometry.problem.take().or_else(|| geometry.unbridged());
        geometry
    }

    /// Two groups that no channel joins, and no third group whose routers are up.
    fn unbridged(&self) -> Option<RoutingError> {
        if !self.has_gaps() {
            return None;
        }
        let groups = || self.topology.groups();
        let is_bridged = |from, to| {
            self.is_joined(from, to)
                || groups().any(|over| {
                    self.candidates(over) > 0
                        && self.is_joined(from, over)
                        && self.is_joined(over, to)
                })
        };
        let mut pairs = groups().flat_map(|from| groups().map(move |to| (from, to)));
        let (from, to) = pairs.find(|(from, to)| !is_bridged(*from, *to))?;
        Some(RoutingError::NoWay {
            from: from.0,
            to: to.0,
        })
    }

    /// Room for packets that start anew at `routers`, besides those with nodes; one that no way leads
    /// from to a router with nodes, if there is such.
    pub(crate) fn room_from(&self, routers: &[RouterId]) -> Result<Room, RouterId> {
        let mut room = self.room();
        let Paths::Domain(domain) = &self.paths else {
            return Ok(room);
        };
        for from in routers {
            let hops = domain.routers_with_nodes.iter();
            let most = hops.map(|to| domain.distance(*from, *to)).max();
            match most.unwrap_or(0) {
                u8::MAX => return Err(*from),
                hops => room.diameter = room.diameter.max(hops),
            }
        }
        Ok(room)
    }

    /// Routers that are down, ascending.
    #[must_use]
    pub fn down(&self) -> &[RouterId] {
        &self.down
    }

    /// Routers of `group` that may be drawn as intermediate ones.
    pub(super) fn candidates(&self, group: GroupId) -> u32 {
        match self.up_with_nodes.get(group.index()) {
            Some(up) => u32::try_from(up.len()).unwrap_or(u32::MAX),
            None => self.routers_with_nodes[group.index()],
        }
    }

    /// One of them, by its number.
    pub(super) fn candidate(&self, group: GroupId, number: u32) -> RouterId {
        match self.up_with_nodes.get(group.index()) {
            Some(up) => up[number as usize],
            None => RouterId(self.topology.first_router(group).0 + number),
        }
    }
}
