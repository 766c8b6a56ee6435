//! Lengths of minimal paths.

use std::collections::VecDeque;

use odonata_units::{GroupId, RouterId};

use crate::channel::{Attachment, LinkKind, PortIndex};
use crate::topology::Topology;
use crate::wiring::End;

/// No path.
pub(crate) const UNREACHED: u32 = u32::MAX;

impl Topology {
    /// Router-to-router channels of a shortest minimal path; 0 from a router to itself.
    ///
    /// In an undamaged system of a regular family, a minimal path crosses one global channel at
    /// most, of the pair of groups it joins, and is shortest inside both groups. A path over two
    /// global channels may be shorter; it is not a minimal path (Kim et al. 2008, section 4.1). In
    /// a damaged system and in one given channel by channel, it is a shortest path of any form.
    ///
    /// Cost: O(k) for k parallel links; O(channels) in damaged and given systems.
    ///
    /// # Panics
    /// If there is no path, which only routers without nodes can come to.
    #[must_use]
    pub fn minimal_hops(&self, from: RouterId, to: RouterId) -> u32 {
        let (source, target) = (
            self.numbering.group_and_position(from),
            self.numbering.group_and_position(to),
        );
        let pattern = &self.local.pattern;
        let known = if source.0 == target.0 {
            pattern.hops(source.0, source.1, target.1)
        } else {
            let through = |(near, far): (RouterId, RouterId)| {
                let first = pattern.hops(source.0, source.1, self.position(near))?;
                Some(first + 1 + pattern.hops(target.0, self.position(far), target.1)?)
            };
            let links = self.links(GroupId(source.0), GroupId(target.0));
            links.filter_map(through).min()
        };
        known.unwrap_or_else(|| {
            let hops = self.hops_from(from)[to.index()];
            assert!(hops != UNREACHED, "the system is connected");
            hops
        })
    }

    /// The routers at both ends of the global channels from one group to another.
    pub(crate) fn links(
        &self,
        from: GroupId,
        to: GroupId,
    ) -> impl Iterator<Item = (RouterId, RouterId)> + '_ {
        let near_ends = self.global_channels(from, to).iter();
        near_ends.filter_map(|&(near, port)| match self.neighbour(near, port)? {
            Attachment::Router(far, _) => Some((near, far)),
            Attachment::Node(_) => None,
        })
    }

    /// The routers that channels lead to from `router`; one entry per channel.
    pub(crate) fn adjacent(&self, router: RouterId) -> impl Iterator<Item = RouterId> + '_ {
        let ports = self.ports(LinkKind::Host).end..self.radix();
        ports.filter_map(move |port| {
            let far = self
                .wiring
                .ends
                .get(End::new(router, PortIndex(port)))?
                .router;
            Some(far)
        })
    }

    /// Channels of a shortest path of any form to every router; [`UNREACHED`] if there is none.
    pub(crate) fn hops_from(&self, from: RouterId) -> Vec<u32> {
        let mut hops = vec![UNREACHED; self.router_count() as usize];
        hops[from.index()] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(here) = queue.pop_front() {
            for next in self.adjacent(here) {
                if hops[next.index()] == UNREACHED {
                    hops[next.index()] = hops[here.index()] + 1;
                    queue.push_back(next);
                }
            }
        }
        hops
    }
}
