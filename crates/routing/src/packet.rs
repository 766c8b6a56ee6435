//! Packets as routing sees them, and its answers.

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{NodeId, Purpose, RouterId, Stream};

use crate::geometry::NO_WAYPOINT;

/// Decisions of a packet so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum PathState {
    /// Not routed yet.
    #[default]
    Fresh = 0,
    /// Minimal, for good; decided at the source router.
    Minimal = 1,
    /// Minimal, to be asked again in the source group (PAR); its intermediate is drawn.
    Tentative = 2,
    /// Minimal, confirmed at a later decision (PAR).
    Confirmed = 3,
    /// Non-minimal, on the way to its intermediate.
    Outward = 4,
    /// Non-minimal, intermediate visited.
    Onward = 5,
}

impl PathState {
    /// Every path state, in the order of their codes.
    pub(crate) const ALL: [Self; 6] = [
        Self::Fresh,
        Self::Minimal,
        Self::Tentative,
        Self::Confirmed,
        Self::Outward,
        Self::Onward,
    ];

    /// The path state with this code.
    ///
    /// # Panics
    /// Panics on a code that no path state has, which would be a damaged packet.
    #[inline]
    #[must_use]
    #[expect(clippy::panic, reason = "a damaged packet is a fault of this program")]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Fresh,
            1 => Self::Minimal,
            2 => Self::Tentative,
            3 => Self::Confirmed,
            4 => Self::Outward,
            5 => Self::Onward,
            _ => panic!("a path state code is at most 5"),
        }
    }

    /// Whether the packet takes a non-minimal path.
    #[inline]
    #[must_use]
    pub const fn is_nonminimal(self) -> bool {
        matches!(self, Self::Outward | Self::Onward)
    }
}

/// How a packet came to a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// Kind of the channel.
    pub kind: LinkKind,
    /// Virtual channel on it, as routing gave it; without meaning from a NIC.
    pub vc: u8,
}

impl Arrival {
    /// The arrival of a packet from a NIC.
    pub const FROM_NODE: Self = Self {
        kind: LinkKind::Host,
        vc: 0,
    };
}

/// The routing fields of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketRoute {
    /// Where it comes from.
    pub source: NodeId,
    /// Where it goes.
    pub target: NodeId,
    /// Intermediate router; meaningful from [`PathState::Tentative`] on. Of an ordered packet that is
    /// minimal for good it is the number of its period.
    pub intermediate: RouterId,
    /// Decisions so far.
    pub path_state: PathState,
    /// Which of the modes of the [`Routing`](crate::Routing) it is routed by.
    pub mode: u8,
    /// Position in its group of the router that the packet heads for on its way out of the group;
    /// [`NO_WAYPOINT`] if none.
    pub waypoint: u8,
}

impl PacketRoute {
    /// A packet that nothing is decided about.
    #[inline]
    #[must_use]
    pub const fn new(source: NodeId, target: NodeId, mode: u8) -> Self {
        Self {
            source,
            target,
            intermediate: RouterId(0),
            path_state: PathState::Fresh,
            mode,
            waypoint: NO_WAYPOINT,
        }
    }
}

/// The way out of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Output port.
    pub port: PortIndex,
    /// Virtual channel on it, of the packet's class.
    pub vc: u8,
}

impl PacketRoute {
    /// Draws that are the same for all packets of a pair of nodes, of their own at each router.
    pub(crate) fn fixed_draws(&self, here: RouterId) -> Stream {
        self.draws_of(u64::from(here.0))
    }

    /// Draws that are the same for all packets of a period of a flow, of their own at each router
    /// behind the first one.
    pub(crate) fn draws_of_period(&self, here: RouterId) -> Stream {
        self.draws_of(u64::from(here.0) | u64::from(self.intermediate.0) << 32)
    }

    fn draws_of(&self, entity: u64) -> Stream {
        let pair = u64::from(self.source.0) << 32 | u64::from(self.target.0);
        Stream::new(pair, Purpose::Routing, entity)
    }
}
