//! The resolved scenario of one run: what Python hands over, in integers, defaults filled in.
//!
//! Quantities are picoseconds, bytes and bytes per second. Parsing TOML, units, presets and sweeps
//! happens in Python; whether the pieces fit together is decided here.

use odonata_network::Monitor;
use odonata_registry::{Keys, Problem, Rows};
use odonata_topology::{LinkKind, NicWiring};
use serde::Deserialize;
use serde_json::{Map, Value};

mod shapes;
mod tables;

pub(crate) use shapes::topologies;
pub use shapes::{
    AriesChoice, DragonflyChoice, FileChoice, InterconnectChoice, MegaflyChoice, TopologyChoice,
};

/// Reads a table by its rows.
fn by_rows<T: Rows>(given: &Map<String, Value>) -> Result<T, Problem> {
    odonata_registry::read(given, Keys::WithUnits)
}

/// A type that is deserialised by its rows.
macro_rules! by_rows {
    ($($name:ident),+) => {
        $(impl TryFrom<Map<String, Value>> for $name {
            type Error = Problem;

            fn try_from(given: Map<String, Value>) -> Result<Self, Problem> {
                by_rows(&given)
            }
        })+
    };
}
by_rows!(
    Node,
    Failures,
    Link,
    Qos,
    TrafficClass,
    SmallClass,
    Measure,
    Stop,
    Telemetry
);

/// A job of a configuration, and its number there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobEntry<'a> {
    pub(crate) index: usize,
    pub(crate) job: &'a Job,
}

impl JobEntry<'_> {
    /// Where `key` of the job is in the configuration.
    pub(crate) fn path(&self, key: &str) -> String {
        format!("jobs[{}].{key}", self.index)
    }
}

/// Everything that decides the outcome of one run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Root of every random stream.
    pub seed: u64,
    /// The machine.
    pub system: System,
    /// `algorithm` and the parameters of its registry entry.
    pub routing: RoutingChoice,
    /// In file order.
    pub jobs: Vec<Job>,
    /// Steady-state measurement of open-loop traffic; absent when jobs end the run.
    #[serde(default)]
    pub measure: Option<Measure>,
    /// Upper bound of simulated time.
    pub stop: Stop,
    /// What to record beyond the defaults.
    #[serde(default = "tables::usual_records")]
    pub telemetry: Telemetry,
}

/// The machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Shape: `kind` and the parameters of its registry entry.
    pub topology: TopologyChoice,
    /// Links that do not work; absent: none.
    #[serde(default)]
    pub failures: Option<Failures>,
    /// Per link kind.
    pub links: Links,
    /// Every router; its rows are in `parameters.rs`, as those of packets and NICs.
    pub router: Map<String, Value>,
    /// Packets and flits.
    pub packet: Map<String, Value>,
    /// Every NIC.
    pub nic: Map<String, Value>,
    /// Every node of the machine.
    #[serde(default = "tables::usual_node")]
    pub node: Node,
    /// Traffic classes; absent: one class that may take everything.
    #[serde(default)]
    pub qos: Option<Qos>,
    /// Costs and algorithms of the MPI library; `preset` and overrides, see the MPI registry.
    #[serde(default)]
    pub mpi: Map<String, Value>,
}

/// Every node of the machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Node {
    /// NICs.
    pub nics: u32,
    /// How they are joined to routers.
    pub wiring: NicWiring,
    /// Payload from which on a message goes by all of them, in parts.
    pub stripe_bytes: Option<u64>,
}

/// Links that do not work.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Failures {
    /// Pairs of routers: all links between them.
    pub links: Vec<[u32; 2]>,
    /// Fraction of the links of `kinds`, drawn by the seed.
    pub fraction: f64,
    /// What `fraction` speaks of.
    pub kinds: Vec<String>,
}

/// Links by kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Node to router.
    pub host: Link,
    /// Inside a group.
    pub local: Link,
    /// Inside a row of a group; absent: as `local`.
    #[serde(default)]
    pub row: Option<Link>,
    /// Inside a column of a group; absent: as `local`.
    #[serde(default)]
    pub column: Option<Link>,
    /// Between groups.
    pub global: Link,
}

impl Links {
    /// The links of `kind`.
    #[must_use]
    pub fn of(&self, kind: LinkKind) -> &Link {
        match kind {
            LinkKind::Host => &self.host,
            LinkKind::Local => &self.local,
            LinkKind::Row => self.row.as_ref().unwrap_or(&self.local),
            LinkKind::Column => self.column.as_ref().unwrap_or(&self.local),
            LinkKind::Global => &self.global,
        }
    }
}

/// One kind of link.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Link {
    /// Bytes per second, each direction.
    pub bandwidth_bytes_per_s: u64,
    /// Propagation, ps.
    pub latency_ps: u64,
}

/// Traffic classes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Qos {
    /// Bytes are counted over this span, ps.
    pub window_ps: u64,
    /// How they are counted.
    pub monitor: Monitor,
    /// In order of priority.
    pub classes: Vec<TrafficClass>,
}

/// One traffic class.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct TrafficClass {
    /// Unique name.
    pub name: String,
    /// Share of a link's bandwidth, millionths.
    pub cap_ppm: u32,
}

/// Routing algorithm and its parameters.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RoutingChoice {
    /// Registry name.
    pub algorithm: String,
    /// Overrides of the entry's defaults.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

/// One job.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties of a job"
)]
pub struct Job {
    /// Unique name.
    pub name: String,
    /// `victim`, `aggressor` or `background`.
    pub role: String,
    /// `kind` and parameters of the placement registry entry.
    pub placement: Map<String, Value>,
    /// `kind` and parameters of the workload registry entry; quantities resolved.
    pub workload: Map<String, Value>,
    /// Routing of its messages; absent: that of the scenario.
    #[serde(default)]
    pub routing: Option<RoutingChoice>,
    /// Routings that take turns from iteration to iteration; empty: `routing` has no others.
    #[serde(default)]
    pub alternated: Vec<RoutingChoice>,
    /// `kind` and parameters of the policy that decides on its messages; absent: none does. Beside
    /// `alternated` its turn comes last.
    #[serde(default)]
    pub policy: Option<Map<String, Value>>,
    /// Traffic class of its messages; absent: the last one.
    #[serde(default)]
    pub class: Option<String>,
    /// Traffic class of its collectives; absent: that of the job.
    #[serde(default)]
    pub collective_class: Option<String>,
    /// Traffic class of its small messages; absent: none.
    #[serde(default)]
    pub small_class: Option<SmallClass>,
    /// An MPI job starts again when it has ended, for as long as the run lasts. A victim that
    /// repeats has done what the run waits for when it has ended once.
    #[serde(default)]
    pub repeat: bool,
    /// Ranks that share a node; absent: none do, it is 1.
    #[serde(default)]
    pub ranks_per_node: Option<u32>,
    /// Whether other such jobs may use its nodes, too.
    #[serde(default)]
    pub share_nodes: bool,
    /// When it arrives, ps; absent: at the beginning.
    #[serde(default)]
    pub start_ps: u64,
    /// When it leaves, done or not, and others may have its nodes, ps; absent: it stays.
    #[serde(default)]
    pub end_ps: Option<u64>,
    /// Absent from this run, but its nodes stay reserved: how an isolated baseline keeps the
    /// victim's nodes.
    #[serde(default)]
    pub muted: bool,
}

impl Job {
    /// Whether a run waits for the ranks of the job to end, once.
    pub(crate) fn ends_the_run(&self) -> bool {
        self.role == "victim" || (self.role == "aggressor" && !self.repeat)
    }
}

/// A traffic class for messages below a size.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct SmallClass {
    /// Its name.
    pub class: String,
    /// Payload from which on messages are not small, bytes.
    pub below_bytes: u64,
}

/// Steady-state measurement.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Measure {
    /// Excluded from latency and accepted load, ps.
    pub warm_up_ps: u64,
    /// Measured, ps.
    pub window_ps: u64,
    /// Longest wait for measured packets after the window, ps.
    pub drain_ps: u64,
}

/// Bounds.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Stop {
    /// Simulated time at which the run ends in any case, ps.
    pub time_ps: u64,
}

/// Whose counters are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CounterView {
    /// All.
    Operator,
    /// Of the routers and NICs that the victims are on.
    User,
}

/// Optional records.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each switches a record of its own on"
)]
pub struct Telemetry {
    /// Record every n-th packet of each node; 0: none.
    pub packet_sample: u32,
    /// Record about every n-th message between ranks; 0: none.
    pub message_sample: u32,
    /// Width of a bin of the time series, ps; doubled until at most 4,096 bins remain.
    pub series_bin_ps: u64,
    /// Iterations kept at most of each job, all ranks together; more are thinned evenly.
    pub iteration_records: u64,
    /// Return the tables of a learning routing.
    pub q_table: bool,
    /// Charge every wait of a packet to those who made it wait.
    pub blame: bool,
    /// Count what tiles and NICs count.
    pub counters: bool,
    /// Time between two readings of the counters, ps; absent: one at the end.
    pub counter_interval_ps: Option<u64>,
    /// Whose counters are kept.
    pub counter_view: CounterView,
    /// Count what every link carried over time.
    pub link_series: bool,
}
