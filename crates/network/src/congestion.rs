//! Congestion control at end points: what NICs are told, and what they heed of it.
//!
//! A [`Controller`] reads the state of its own NIC only. What a last hop tells it is a [`Notice`],
//! which takes the latency of a path: what is simulated depends neither on windows nor on threads.
//! The model is `docs/model/congestion.md`.

pub(crate) mod pace;

use odonata_units::{Instant, NodeId, Span, record};

/// What a NIC is told about one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Notice {
    /// When the NIC learns of it.
    pub(crate) at: Instant,
    /// The node whose NIC is told.
    pub(crate) node: NodeId,
    /// The node that it is about.
    pub(crate) target: NodeId,
    /// The sources of the target; 1: the NIC may send as it likes.
    pub(crate) degree: u32,
    /// How long nothing may be sent to the target.
    pub(crate) pause: Span,
}

record!(Notice {
    at,
    node,
    target,
    degree,
    pause,
});

/// Controls what one NIC sends, by what that NIC knows.
pub(crate) trait Controller {
    /// Whether no flow is held back.
    fn is_idle(&self) -> bool;

    /// The instant from which on a packet to `target` may start, as far as is known.
    fn may_send_at(&self, target: NodeId) -> Instant;

    /// A packet to `target`, which takes `wire`, starts at `at`.
    fn sent(&mut self, target: NodeId, at: Instant, wire: Span);

    /// A notice arrives.
    fn noticed(&mut self, notice: &Notice);
}
