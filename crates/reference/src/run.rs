//! The end of a run.

use odonata_counters::{NicCounts, TileCounts};
use odonata_telemetry::PacketRecord;
use odonata_units::Instant;

use crate::ledger::Book;

/// Outcome of a run of the reference model.
#[derive(Clone, Debug)]
pub struct Run<E> {
    /// Every packet delivered, by (source, sequence).
    pub records: Vec<PacketRecord>,
    /// The endpoints as they are at the end, one per node.
    pub endpoints: Vec<E>,
    /// Packets that left their NIC and were not delivered.
    pub undelivered: u64,
    /// Packets that were rerouted since a link went down.
    pub rerouted: u64,
    /// Counters of tiles, by router and port.
    pub tiles: Vec<Vec<TileCounts>>,
    /// Counters of NICs, by node.
    pub nics: Vec<NicCounts>,
    /// Time in which packets that started occupy channels, in picoseconds, by router and port.
    pub busy_ps: Vec<Vec<u64>>,
    /// Time from refusals to the next credit, in picoseconds, by router and port.
    pub refused_ps: Vec<Vec<u64>>,
    /// Who delayed whom, if that was wanted: waits that have ended.
    pub book: Book,
    /// The instant of the last event.
    pub end: Instant,
}
