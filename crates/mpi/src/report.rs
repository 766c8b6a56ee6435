//! What a rank records about itself.

use odonata_units::{Instant, Span};

/// One iteration of a rank's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationReport {
    /// When it began.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
    /// `end - start` less the computation in it.
    pub comm_time: Span,
}

/// The record of one rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankReport {
    /// When the rank took its first operation.
    pub start: Instant,
    /// When its program ended; if it has not, when it last did something.
    pub end: Instant,
    /// Bytes handed to the NIC, headers and protocol messages included.
    pub bytes_sent: u64,
    /// Payload of the messages sent, those to itself excluded.
    pub payload_bytes_sent: u64,
    /// Point-to-point messages sent, those of collectives included, those to itself excluded;
    /// a rendezvous counts once.
    pub messages_sent: u64,
    /// `end - start - compute_time`.
    pub comm_time: Span,
    /// Sum over calls of the span from entering to returning.
    pub mpi_time: Span,
    /// Sum of the computation.
    pub compute_time: Span,
    /// Every iteration that has ended.
    pub iterations: Vec<IterationReport>,
    /// Whether the program has ended.
    pub finished: bool,
    /// What the rank waits for, or what went wrong, in words; `None` if it waits for nothing.
    pub blocked_on: Option<String>,
}
