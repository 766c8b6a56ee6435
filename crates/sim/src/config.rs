//! The resolved scenario of one run: what Python hands over, in integers, defaults filled in.
//!
//! Quantities are picoseconds, bytes and bytes per second. Parsing TOML, units, presets and sweeps
//! happens in Python; whether the pieces fit together is decided here.

use std::num::NonZeroU32;

use odonata_network::{ClassShare, Monitor};
use odonata_registry::{Keys, Problem, Rows};
use odonata_topology::{LinkKind, NicWiring};
use serde::Deserialize;
use serde_json::{Map, Value};

mod classes;
mod hosts;
mod shapes;
mod tables;

pub(crate) use classes::profiles;
pub use hosts::{CallRow, DetourRow, Host, LawName};
pub(crate) use shapes::topologies;
pub use shapes::{
    AriesChoice, DragonflyChoice, FileChoice, InterconnectChoice, MegaflyChoice, MoreGroups,
    MoreLevels, TopologyChoice,
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
    NodeTypeChoice,
    Failures,
    Event,
    Link,
    Qos,
    TrafficClass,
    SmallClass,
    Measure,
    Stop,
    Precision,
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
///
/// Its tables and keys are those of `docs/scenario.md`, with the unit of a quantity as suffix. Two
/// equal configurations give equal outcomes with equal [`Inputs`](crate::Inputs), on any number of
/// threads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Root of every random stream.
    pub seed: u64,
    /// The simulated system: the network, its nodes and the MPI library.
    pub system: System,
    /// Routing of the jobs that name no other one.
    pub routing: RoutingChoice,
    /// Jobs in file order, at most 255.
    pub jobs: Vec<Job>,
    /// Steady-state measurement of open-loop traffic; absent when jobs end the run.
    #[serde(default)]
    pub measure: Option<Measure>,
    /// Upper bound of simulated time.
    pub stop: Stop,
    /// Records beyond those of every run.
    #[serde(default = "tables::usual_records")]
    pub telemetry: Telemetry,
}

impl Config {
    /// About one in how many messages of a job is recorded; `None` for none.
    pub(crate) fn message_sample(&self, job: &Job) -> Option<NonZeroU32> {
        NonZeroU32::new(job.message_sample.unwrap_or(self.telemetry.message_sample))
    }

    /// Whether messages of any job are recorded.
    pub(crate) fn has_messages(&self) -> bool {
        self.jobs
            .iter()
            .any(|job| self.message_sample(job).is_some())
    }
}

/// The machine: `[system]` of a scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Shape of the network.
    pub topology: TopologyChoice,
    /// Links that do not work; absent: none.
    #[serde(default)]
    pub failures: Option<Failures>,
    /// Bandwidth and latency of the links of each kind.
    pub links: Links,
    /// Parameters of every router; their rows are in `parameters.rs`, as those of packets and NICs.
    pub router: Map<String, Value>,
    /// Sizes of packets and flits, bytes.
    pub packet: Map<String, Value>,
    /// Parameters of every NIC.
    pub nic: Map<String, Value>,
    /// Parts of every node of the machine.
    #[serde(default = "tables::usual_node")]
    pub node: Node,
    /// Traffic classes; absent: one class that may take everything.
    #[serde(default)]
    pub qos: Option<Qos>,
    /// Costs and algorithms of the MPI library; `preset` and overrides, see the MPI registry.
    #[serde(default)]
    pub mpi: Map<String, Value>,
    /// Effects of nodes on their ranks; absent: none.
    #[serde(default)]
    pub host: Option<Host>,
}

/// Parts of every node of the machine: `[system.node]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Node {
    /// NICs of a node; each is an end of the network. Of all types that do not say otherwise.
    pub nics: u32,
    /// Whether the NICs of a node are on one router or on several.
    pub wiring: NicWiring,
    /// Types of nodes, in the order of their numbers; empty: all are alike.
    pub types: Vec<NodeTypeChoice>,
    /// Ranges of nodes that no job gets: the first and the last one of each.
    pub out_of_service: Vec<[u32; 2]>,
    /// Payload from which on a message goes in parts by all NICs of its node, bytes; absent: no
    /// message does.
    pub stripe_bytes: Option<u64>,
}

/// Nodes of one type: an entry of `[[system.node.types]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct NodeTypeChoice {
    /// Its name.
    pub name: String,
    /// How many there are; absent: all that are left.
    pub nodes: Option<u32>,
    /// NICs of each; absent: as of all.
    pub nics: Option<u32>,
    /// Where they are; absent: as of all.
    pub wiring: Option<NicWiring>,
}

/// Links that do not work: `[system.failures]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Failures {
    /// Pairs of routers between which all links have failed.
    pub links: Vec<[u32; 2]>,
    /// Fraction of the links of `kinds` that has failed, 0 to 1; which ones is drawn by the seed.
    pub fraction: f64,
    /// Names of the kinds of links that `fraction` is about, as [`LinkKind::name`] has them.
    pub kinds: Vec<String>,
    /// Changes during the run.
    pub events: Vec<Event>,
    /// How long packets are still routed to links that have gone down, and not to those that have
    /// come back, ps.
    pub known_after_ps: u64,
    /// How long it takes until a packet is sent again that a router has lost, ps.
    pub resent_after_ps: u64,
}

/// Change of a link, a router or a node at an instant: an entry of `events`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Event {
    /// When, ps.
    pub at_ps: u64,
    /// The two routers that the link joins; empty if it is no link.
    pub link: Vec<u32>,
    /// Its port at the first of them; absent: every parallel link.
    pub port: Option<u16>,
    /// The router, if it is one.
    pub router: Option<u32>,
    /// The node of the machine, if it is one.
    pub node: Option<u32>,
    /// Its bandwidth, millionths of the full one; 0: it is down.
    pub share_ppm: u32,
}

/// Links by kind: `[system.links]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Links between a NIC and its router.
    pub host: Link,
    /// Links between routers of a group.
    pub local: Link,
    /// Links between routers of a row of a group; absent: they are as `local`.
    #[serde(default)]
    pub row: Option<Link>,
    /// Links between routers of a column of a group; absent: they are as `local`.
    #[serde(default)]
    pub column: Option<Link>,
    /// Links between groups.
    pub global: Link,
}

impl Links {
    /// Bandwidth and latency of the links of `kind`.
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

/// Bandwidth and latency of one kind of link.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Link {
    /// Bandwidth of each direction, bytes per second.
    pub bandwidth_bytes_per_s: u64,
    /// Propagation delay, ps; of the shortest link where not all are alike.
    pub latency_ps: u64,
    /// That of the longest one, ps; absent: all are alike.
    pub longest_latency_ps: Option<u64>,
    /// Groups in a row of the machine room, of links between groups; absent: the square root of
    /// their number, rounded up.
    pub groups_per_row: Option<u32>,
}

/// Traffic classes and their shares: `[system.qos]`. The rules are in `docs/model/network.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Qos {
    /// Span over which the bytes of a class are counted, ps.
    pub window_ps: u64,
    /// How the span moves on.
    pub monitor: Monitor,
    /// The classes; of equal priorities the first one goes first.
    pub classes: Vec<TrafficClass>,
}

/// One traffic class.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct TrafficClass {
    /// Name, of which there is only one.
    pub name: String,
    /// Whether the share is a cap: assured, in order of the classes, without a ceiling.
    pub is_cap: bool,
    /// Its share of a link.
    pub share: ClassShare,
}

/// A routing algorithm and its parameters. Equations and sources are in `docs/model/routing.md`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RoutingChoice {
    /// Name of its registry entry.
    pub algorithm: String,
    /// Parameters of that entry; the others have their defaults.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

/// One job: an entry of `[[jobs]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties of a job"
)]
pub struct Job {
    /// Name, of which there is only one.
    pub name: String,
    /// `victim`, `aggressor` or `background`: whether the run waits for it, and in which role it is
    /// compared.
    pub role: String,
    /// Placement: `kind` and the parameters of its registry entry.
    pub placement: Map<String, Value>,
    /// Workload: `kind` and the parameters of its registry entry, quantities in bytes and ps.
    pub workload: Map<String, Value>,
    /// Routing of its messages; absent: that of the scenario.
    #[serde(default)]
    pub routing: Option<RoutingChoice>,
    /// Routings that take turns from iteration to iteration; empty: `routing` has no others.
    #[serde(default)]
    pub alternated: Vec<RoutingChoice>,
    /// Routings of what belongs to an alltoall, one for `routing` or for each of `alternated`;
    /// empty: alltoalls go as everything else.
    #[serde(default)]
    pub alltoall_routings: Vec<RoutingChoice>,
    /// Policy: `kind` and the parameters of the one that decides on its messages; absent: none
    /// does. Beside `alternated` its turn comes last.
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
    /// Instant at which it arrives, ps; absent: it is there from the beginning.
    #[serde(default)]
    pub start_ps: u64,
    /// Instant at which it leaves, done or not, ps. Others may have its nodes from then on. Absent:
    /// it stays.
    #[serde(default)]
    pub end_ps: Option<u64>,
    /// What becomes of it when a node of it fails; absent: it ends.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// So many of the system's packets travel as one, of a job that is only noise; absent: each by
    /// itself.
    #[serde(default)]
    pub packet_multiple: Option<u16>,
    /// About every n-th of its messages is recorded, 0: none; absent: as the telemetry says.
    #[serde(default)]
    pub message_sample: Option<u32>,
    /// Whether it does not run, although its nodes stay reserved: so an isolated baseline keeps the
    /// nodes of its victim.
    #[serde(default)]
    pub muted: bool,
}

impl Job {
    /// How many of the system's packets travel as one.
    pub(crate) fn packet_multiple(&self) -> u16 {
        self.packet_multiple.unwrap_or(1)
    }

    /// Whether a run waits for the ranks of the job to end, once.
    pub(crate) fn ends_the_run(&self) -> bool {
        self.role == "victim" || (self.role == "aggressor" && !self.repeat)
    }
}

/// What becomes of an MPI job when a node of it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// All its ranks are killed.
    #[default]
    End,
    /// The ranks of that node are; the others go on, and wait for them where they need them.
    Wait,
}

/// A traffic class for messages below a size.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct SmallClass {
    /// Name of the class.
    pub class: String,
    /// Payload from which on messages are not small, bytes.
    pub below_bytes: u64,
}

/// Steady-state measurement of open-loop traffic: `[measure]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Measure {
    /// Time at the beginning that is left out of latencies and accepted load, ps.
    pub warm_up_ps: u64,
    /// Length of the measured window, ps.
    pub window_ps: u64,
    /// Longest wait for measured packets after the window, ps.
    pub drain_ps: u64,
}

/// Bounds of a run: `[stop]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Stop {
    /// Simulated time at which the run ends in any case, ps.
    pub time_ps: u64,
    /// What is to be known how well; the run ends when all of it is known. Empty: jobs run to their
    /// ends.
    pub precision: Vec<Precision>,
    /// Half the width of the interval over the mean, ppm, at which iterations are left out; absent:
    /// none is.
    pub skip_ppm: Option<u64>,
}

/// Quantity that a run which stops when it knows enough is to know (`docs/model/precision.md`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Mean time of an iteration of a job.
    IterationTime,
    /// Mean communication time of a rank in an iteration.
    CommTime,
}

/// A quantity that is to be known: an entry of `stop.precision`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Precision {
    /// The quantity to be known.
    pub quantity: Quantity,
    /// Whose; absent: of every victim that iterates.
    pub job: Option<String>,
    /// Half the width of the 95 % interval, millionths of the mean.
    pub half_width_ppm: u64,
}

/// Whose counters are kept: what an operator or a user of the machine could read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CounterView {
    /// The counters of all routers and NICs.
    Operator,
    /// The counters of the routers and NICs that the victims are on; without victims, of all jobs.
    User,
}

/// Records that a run keeps beyond what it always counts: `[telemetry]`. The tables are in
/// `docs/results.md`.
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
    /// Whether the tables of a learning routing are returned.
    pub q_table: bool,
    /// Whether every wait of a packet is charged to those who made it wait (`docs/model/blame.md`).
    pub blame: bool,
    /// Whether tiles and NICs count what those of machines do (`docs/model/counters.md`).
    pub counters: bool,
    /// Time between two readings of the counters, ps; absent: they are read once, at the end.
    pub counter_interval_ps: Option<u64>,
    /// Whose counters are kept.
    pub counter_view: CounterView,
    /// Whether it is counted what every link carried over time.
    pub link_series: bool,
    /// Whether it is counted what congestion control at end points did to each flow.
    pub flows: bool,
}
