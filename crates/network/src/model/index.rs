//! Numbers of the parts of routers, NICs and groups, each of a type of its own.

use std::num::NonZeroU32;

use borsh::{BorshDeserialize, BorshSerialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
        #[derive(BorshSerialize, BorshDeserialize)]
        pub(crate) struct $name($repr);

        impl $name {
            /// The number `index`, which fits: sizes are checked when the network is built.
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "limits are checked before")]
            pub(crate) const fn new(index: usize) -> Self {
                debug_assert!(index as $repr as usize == index);
                Self(index as $repr)
            }

            /// The number as an index into a dense table.
            #[inline]
            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A router, as its group numbers it.
    LocalRouter(u16)
);
index!(
    /// A node, as its group numbers it.
    LocalNode(u32)
);
index!(
    /// A window of simulated time, as a slot of a wheel.
    WindowSlot(u16)
);
index!(
    /// The lane of one traffic class and virtual network in a NIC.
    LaneIndex(u8)
);

index!(
    /// One of the queues of a lane, which take turns.
    LaneQueue(u16)
);
index!(
    /// A record of a list that is read, from 0.
    RecordIndex(u32)
);

/// The queue of an output port and a virtual channel in a router: `port * vcs + vc`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct QueueIndex(pub(crate) usize);

impl QueueIndex {
    /// The number as an index into a dense table.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

/// The FIFO of an input port and a virtual channel in a `cioq` router: `port * vcs + vc`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct InputIndex(pub(crate) usize);

impl InputIndex {
    /// The number as an index into a dense table.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

/// The slot of a packet in a slab. The first slot of a slab is never used, so that `None` needs no
/// room of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SlabIndex(NonZeroU32);

impl SlabIndex {
    /// The first slot that is used: what a queue that was always empty names as its head.
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    /// The index that a link of a packet holds, see [`SlabIndex::to_link`].
    #[inline]
    pub(crate) const fn from_link(link: u32) -> Option<Self> {
        match NonZeroU32::new(link) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// The index as a link of a packet.
    #[inline]
    pub(crate) const fn to_link(self) -> u32 {
        self.0.get()
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize
    }
}
