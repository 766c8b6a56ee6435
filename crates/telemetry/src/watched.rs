//! What is counted of a network, and for whom.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::Span;

use crate::stats::MeasureWindow;

/// What is counted, and for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// Number of jobs.
    pub jobs: usize,
    /// Number of traffic classes.
    pub classes: usize,
    /// Packets created in it count in the latencies; absent: all do.
    pub measure: Option<MeasureWindow>,
    /// Width of a bin of the time series.
    pub series_bin: Span,
    /// Packets of full length.
    pub full: FullPacket,
}

/// What most packets are.
#[derive(Clone, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct FullPacket {
    /// Bytes, headers included.
    pub bytes: u32,
    /// `[port]`: how long it occupies the channel that leaves by a port of a router.
    pub serialization: Vec<Span>,
}
