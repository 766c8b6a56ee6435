//! The ports between adjacent routers of one group.
//!
//! Regular groups compute them; damaged and irregular ones look them up.

use odonata_units::RouterId;

use crate::channel::{LinkKind, PortIndex};
use crate::layout::Layout;
use crate::numbering::Numbering;
use crate::wiring::{End, Ends};

/// How the routers of a group are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pattern {
    /// One link between each two.
    Clique,
    /// Anything else.
    Listed(Lists),
}

/// Per router, its local channels by far router.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lists {
    /// Per router: where its entries start; one more at the end.
    starts: Vec<u32>,
    peers: Vec<RouterId>,
    ports: Vec<PortIndex>,
}

/// The local channels of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LocalPorts {
    pub(crate) pattern: Pattern,
    /// Every port, ascending: what a single port is a slice of.
    every: Vec<PortIndex>,
}

impl LocalPorts {
    pub(crate) fn new(pattern: Pattern, layout: &Layout) -> Self {
        Self {
            pattern,
            every: (0..layout.radix()).map(PortIndex).collect(),
        }
    }

    /// The ports of `from` that lead straight to `to`, ascending; empty if none does.
    #[inline]
    pub(crate) fn between(
        &self,
        (numbering, layout): (&Numbering, &Layout),
        from: RouterId,
        to: RouterId,
    ) -> &[PortIndex] {
        let pattern = match &self.pattern {
            Pattern::Listed(lists) => return lists.between(from, to),
            pattern => pattern,
        };
        let (group, position) = numbering.place(from);
        let routers = numbering.routers_of(odonata_units::GroupId(group));
        if !routers.contains(&to.0) || from == to {
            return &[];
        }
        let target = to.0 - routers.start;
        let (first, links) = match pattern {
            Pattern::Clique => {
                let slot = target - u32::from(target > position);
                (u32::from(layout.first(LinkKind::Local)) + slot, 1)
            }
            Pattern::Listed(_) => return &[],
        };
        &self.every[first as usize..(first + links) as usize]
    }
}

impl Lists {
    /// Reads them off the far ends.
    pub(crate) fn new(ends: &Ends, routers: u32, layout: &Layout) -> Self {
        let mut lists = Self {
            starts: Vec::with_capacity(routers as usize + 1),
            peers: Vec::new(),
            ports: Vec::new(),
        };
        let ports = layout.first(LinkKind::Local)..layout.first(LinkKind::Global);
        let mut own: Vec<End> = Vec::new();
        for router in (0..routers).map(RouterId) {
            own.clear();
            own.extend(ports.clone().map(PortIndex).filter_map(|port| {
                let (peer, _) = ends.get((router, port))?;
                Some((peer, port))
            }));
            own.sort_unstable();
            lists.push_start();
            lists.peers.extend(own.iter().map(|entry| entry.0));
            lists.ports.extend(own.iter().map(|entry| entry.1));
        }
        lists.push_start();
        lists
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer than 2^32 ports"
    )]
    fn push_start(&mut self) {
        self.starts.push(self.peers.len() as u32);
    }

    fn between(&self, from: RouterId, to: RouterId) -> &[PortIndex] {
        let start = self.starts[from.index()] as usize;
        let peers = &self.peers[start..self.starts[from.index() + 1] as usize];
        let skipped = peers.partition_point(|peer| *peer < to);
        let rest = &peers[skipped..];
        let length = rest.iter().take_while(|peer| **peer == to).count();
        &self.ports[start + skipped..start + skipped + length]
    }
}
