//! Ports, the kinds of links, and the two ends of a channel.

use std::fmt;

use odonata_units::{NodeId, RouterId};

/// A port of a router, from 0: host ports first, then local ones of any kind, then global ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct PortIndex(pub u16);

impl PortIndex {
    /// The port as an index into a dense table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A directed channel, from 0, dense; see [`Topology::channels`](crate::Topology::channels) for
/// the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct ChannelIndex(pub u32);

impl ChannelIndex {
    /// The channel as an index into a dense table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Kind of a link: the ends that it joins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum LinkKind {
    /// A node and its router.
    Host = 0,
    /// Two routers of one group.
    Local = 1,
    /// Two routers of one row of a group ("green" on Aries).
    Row = 2,
    /// Two routers of one column of a group ("black" on Aries).
    Column = 3,
    /// Routers of two groups ("blue" on Aries).
    Global = 4,
}

impl LinkKind {
    /// Every kind, in port order.
    pub const ALL: [Self; 5] = [
        Self::Host,
        Self::Local,
        Self::Row,
        Self::Column,
        Self::Global,
    ];

    /// The name in scenarios and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Local => "local",
            Self::Row => "row",
            Self::Column => "column",
            Self::Global => "global",
        }
    }

    /// Whether it joins two routers of one group.
    #[inline]
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Local | Self::Row | Self::Column)
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One end of a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Attachment {
    /// A node; it has one port.
    Node(NodeId),
    /// A port of a router.
    Router(RouterId, PortIndex),
}

/// A directed channel: one direction of a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Channel {
    /// Its position in the dense order.
    pub index: ChannelIndex,
    /// Kind of its link.
    pub kind: LinkKind,
    /// Where packets enter it.
    pub source: Attachment,
    /// Where packets leave it.
    pub target: Attachment,
}
