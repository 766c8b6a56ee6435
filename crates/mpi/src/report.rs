//! Record of a rank.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

use crate::host::HostTime;

/// One iteration of a rank's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct IterationReport {
    /// Repetition of the program it belongs to, from 0.
    pub repetition: u32,
    /// When it began.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
    /// `end - start` less the computation in it.
    pub comm_time: Span,
}

/// Asks ranks to stop: from outside, at any time.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks everything that holds a copy to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been asked for.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The record of one rank.
#[derive(Clone, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct RankReport {
    /// When the rank took its first operation.
    pub start: Instant,
    /// When its program ended, for the last time if it repeats; if it has not, when it last did
    /// something.
    pub end: Instant,
    /// Bytes handed to the NIC, headers and protocol messages included, by all repetitions.
    pub bytes_sent: u64,
    /// Payload of the messages sent to other nodes.
    pub payload_bytes_sent: u64,
    /// Point-to-point messages sent to other nodes, those of collectives included; a rendezvous
    /// counts once.
    pub messages_sent: u64,
    /// Payload of the messages to other ranks of its node, which go through its memory.
    pub local_bytes_sent: u64,
    /// Messages to other ranks of its node, counted as `messages_sent`.
    pub local_messages_sent: u64,
    /// Most payload that was handed to the network at once: without a message received, a
    /// computation or the beginning of an iteration in between (the peak ingress volume of Kang et
    /// al. 2022, section III-B).
    pub peak_ingress_bytes: u64,
    /// Repetitions of the program that have ended; a program that does not repeat is one.
    pub repetitions: u32,
    /// `end - start - compute_time`: a sum over the repetitions that have ended.
    pub comm_time: Span,
    /// Sum over calls of the span from entering to returning, in the same repetitions.
    pub mpi_time: Span,
    /// Sum of the computation, in the same repetitions.
    pub compute_time: Span,
    /// Communication time of the repetition that has not ended; that of a first one is in
    /// `comm_time` too.
    pub unfinished_comm_time: Span,
    /// When the rank entered its first call; `None` if it has not.
    pub first_call: Option<Instant>,
    /// When the rank was last seen to communicate; [`Instant::NEVER`] if it goes on to.
    pub last_call: Instant,
    /// Sum over iterations of their communication time, in the same repetitions; of all of them,
    /// kept or not.
    pub iteration_comm_time: Span,
    /// Iterations that have ended, those that are kept: number 0 and every `iterations_every`-th.
    pub iterations: Vec<IterationReport>,
    /// A power of 2; 1 if every iteration is kept.
    pub iterations_every: u64,
    /// Whether the program has ended, at least once.
    pub finished: bool,
    /// Wait of the rank, or its failure, in words; `None` if it waits for nothing.
    pub blocked_on: Option<String>,
    /// Time that its host has taken, over all repetitions.
    pub host: HostTime,
}
