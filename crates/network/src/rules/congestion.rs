//! Congestion control at end points: notices, and what NICs heed of them.
//!
//! A [`Controller`] reads the state of its own NIC only. It learns of others by a [`Notice`], which
//! takes the latency of a path: what is simulated depends neither on windows nor on threads. The
//! model is `docs/model/congestion.md`.

pub(crate) mod abate;
pub(crate) mod nscc;
pub(crate) mod pace;
pub(crate) mod port_marks;
pub(crate) mod rccc;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId, Span};

use crate::model::index::LaneIndex;

/// A notice that a NIC gets about one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Notice {
    /// When the NIC learns of it.
    pub(crate) at: Instant,
    /// The node whose NIC gets it.
    pub(crate) node: NodeId,
    /// The node that it is about.
    pub(crate) target: NodeId,
    pub(crate) content: Content,
}

/// Content of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) enum Content {
    /// How many send to the target.
    Sources {
        /// The sources of the target; 1: the NIC may send as it likes.
        degree: u32,
        /// How long nothing may be sent to the target.
        pause: Span,
    },
    /// A packet was delivered.
    Delivered {
        packet: PacketName,
        /// A queue that it came through was long.
        is_marked: bool,
        /// The path that it took, see [`Packet::decided`](crate::model::packet::Packet::decided).
        decided: u32,
    },
    /// So many bytes were delivered.
    Ejected { bytes: u16 },
    /// The NIC is to send no more than what is delivered; or that is over.
    Abate { begins: bool },
    /// The NIC that gets it is asked for credit for so many bytes in all.
    Demand { bytes: u64 },
    /// The NIC gets credit for so many bytes more.
    Credit { bytes: u64 },
}

/// A packet among those of its NIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct PacketName {
    pub(crate) lane: u8,
    pub(crate) sequence: u32,
}

impl PacketName {
    #[expect(clippy::cast_possible_truncation, reason = "at most 16 lanes")]
    pub(crate) const fn new(lane: LaneIndex, sequence: u32) -> Self {
        Self {
            lane: lane.index() as u8,
            sequence,
        }
    }
}

/// A packet of a message that starts at its NIC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) target: NodeId,
    pub(crate) at: Instant,
    /// The time that it takes on the channel.
    pub(crate) wire: Span,
    pub(crate) bytes: u16,
    pub(crate) name: PacketName,
}

/// Controls what one NIC sends, by what that NIC knows.
pub(crate) trait Controller {
    /// Whether no flow is held back.
    fn is_idle(&self) -> bool;

    /// The instant from which on a packet of `bytes` to `target` may start, as far as is known;
    /// never if only a notice can let it.
    fn may_send_at(&self, target: NodeId, bytes: u32) -> Instant;

    /// A packet starts.
    fn sent(&mut self, packet: Sent);

    /// A notice arrives; false if it says nothing to this NIC.
    fn noticed(&mut self, notice: &Notice) -> bool;
}
