//! The seam for what is observed in a network, and the statistics behind it.
//!
//! The network announces what happens to a [`Probe`], chosen by type; a probe that does not listen
//! to an event costs nothing. [`Telemetry`] is what every run counts by default: jobs, links,
//! nodes, latencies, series. [`Recorder`] keeps the lives of sampled packets, [`OpenMessages`] when
//! messages of open-loop sources arrived, [`LinkSeries`] links over time, [`Flows`] what congestion
//! control did to whom, [`Blame`] charges waits to those who cause them, [`Counters`] counts what
//! tiles and NICs of machines count: each is an [`Instrument`]. Two probes
//! side by side are a pair: `(Telemetry, Recorder)`.
//!
//! This room knows no router and no topology: it counts by the numbers of routers, ports, nodes
//! and jobs that events carry.
#![forbid(unsafe_code)]

pub mod blame;
pub mod counters;
mod flows;
mod instrument;
mod job_sums;
mod link_series;
pub mod links;
mod open_messages;
pub mod probe;
pub mod record;
pub mod stats;
mod telemetry;
mod watched;

pub use blame::{
    Blame, BlameRow, Blamed, Cause, Parties, RankRow, Transaction, WaitPoint, Waiters, Wiring,
};
pub use counters::{CounterShape, Counters, Reading, Readings};
pub use flows::{FlowEnds, FlowTotals, Flows};
pub use instrument::Instrument;
pub use link_series::{JobTraffic, LinkBin, LinkSeries};
pub use links::{LinkTotals, LinkUse};
pub use odonata_counters::Names as CounterNames;
pub use open_messages::{OpenMessage, OpenMessages, OpenSample, SampledSource};
pub use probe::{
    Channel, ChannelStart, CreditChange, Injection, NicStall, PacketFacts, Probe, ProbeScope,
    Queueing,
};
pub use record::{PacketRecord, PacketSample, Recorder};
pub use stats::{Bin, Counted, Histogram, JobStats, MeasureWindow, Series, Stats};
pub use telemetry::{NodeTotals, Telemetry};
pub use watched::{FullPacket, Watched};
