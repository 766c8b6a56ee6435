//! Lengths of minimal paths.

use odonata_units::{GroupId, RouterId};

use crate::channel::Attachment;
use crate::topology::Topology;

impl Topology {
    /// Router-to-router channels of a shortest minimal path: local - global - local, each at most
    /// once, at most 3; 0 from a router to itself.
    ///
    /// A path over two global channels may be shorter; it is not a minimal path (Kim et al. 2008,
    /// section 4.1).
    ///
    /// Cost: O(k) for k parallel links.
    #[must_use]
    pub fn minimal_hops(&self, from: RouterId, to: RouterId) -> u32 {
        let (source, target) = (self.group_of(from), self.group_of(to));
        if source == target {
            return u32::from(from != to);
        }
        self.links(source, target)
            .map(|(near, far)| 1 + u32::from(near != from) + u32::from(far != to))
            .fold(3, u32::min)
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
}
