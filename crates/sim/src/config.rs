//! The resolved scenario of one run: what Python hands over, in integers, defaults filled in.
//!
//! Quantities are picoseconds, bytes and bytes per second. Parsing TOML, units, presets and sweeps
//! happens in Python; whether the pieces fit together is decided here.

use odonata_topology::LinkKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Everything that decides the outcome of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    #[serde(default)]
    pub telemetry: Telemetry,
}

/// The machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Shape: `kind` and the parameters of its registry entry.
    pub topology: TopologyChoice,
    /// Links that do not work; absent: none.
    #[serde(default)]
    pub failures: Option<Failures>,
    /// Per link kind.
    pub links: Links,
    /// Every router.
    pub router: RouterParameters,
    /// Packets and flits.
    pub packet: PacketParameters,
    /// Every NIC.
    pub nic: NicParameters,
    /// Traffic classes; absent: one class that may take everything.
    #[serde(default)]
    pub qos: Option<Qos>,
    /// Costs and algorithms of the MPI library; `preset` and overrides, see the MPI registry.
    #[serde(default)]
    pub mpi: Map<String, Value>,
}

/// Shape of the network.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TopologyChoice {
    /// 1-D dragonfly.
    Dragonfly(DragonflyChoice),
    /// 2-D dragonfly of the Cray Aries kind.
    Aries(AriesChoice),
    /// The same, rebuilt from the dump of a machine.
    AriesInterconnect(InterconnectChoice),
    /// Groups of two levels.
    Megafly(MegaflyChoice),
    /// Channel by channel.
    File(FileChoice),
}

/// 1-D dragonfly.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragonflyChoice {
    /// g.
    pub groups: u32,
    /// a.
    pub routers_per_group: u32,
    /// p: network ends of a router.
    pub nodes_per_router: u32,
    /// h.
    pub global_ports_per_router: u32,
    /// `absolute`, `relative` or `circulant`.
    pub arrangement: String,
    /// Network ends of one node of the machine: the placement unit `node`.
    #[serde(default = "one")]
    pub nics_per_node: u32,
}

/// 2-D dragonfly of the Cray Aries kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AriesChoice {
    /// Groups.
    pub groups: u32,
    /// Rows (chassis) of a group.
    pub rows: u32,
    /// Routers of a row.
    pub columns: u32,
    /// Nodes of a router.
    pub nodes_per_router: u32,
    /// Parallel links between each two routers of a column.
    pub column_links: u32,
    /// Global channels of a router.
    pub global_ports_per_router: u32,
    /// Rows of a cabinet.
    pub chassis_per_cabinet: u32,
}

/// A machine as its dump describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterconnectChoice {
    /// Path under which the text of the dump was handed over.
    pub interconnect: String,
    /// Rows of a cabinet; absent: as the names in the dump say.
    #[serde(default)]
    pub chassis_per_cabinet: Option<u32>,
}

/// Groups of two levels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MegaflyChoice {
    /// Groups.
    pub groups: u32,
    /// Routers with nodes in a group.
    pub leaf_routers_per_group: u32,
    /// Routers with global links in a group.
    pub spine_routers_per_group: u32,
    /// Nodes of a leaf.
    pub nodes_per_leaf: u32,
    /// Links between each two groups.
    pub links_per_group_pair: u32,
}

/// Channel by channel.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChoice {
    /// Path under which the CSV text of the channel list was handed over.
    pub channels: String,
}

const fn one() -> u32 {
    1
}

/// Links that do not work.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failures {
    /// Pairs of routers: all links between them.
    #[serde(default)]
    pub links: Vec<[u32; 2]>,
    /// Fraction of the links of `kinds`, drawn by the seed.
    #[serde(default)]
    pub fraction: f64,
    /// What `fraction` speaks of.
    #[serde(default = "global_links")]
    pub kinds: Vec<String>,
}

fn global_links() -> Vec<String> {
    vec!["global".to_owned()]
}

/// Links by kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Links {
    /// Node to router.
    pub host: Link,
    /// Inside a group.
    pub local: Link,
    /// Inside a row of a group; absent: as `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<Link>,
    /// Inside a column of a group; absent: as `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Bytes per second, each direction.
    pub bandwidth_bytes_per_s: u64,
    /// Propagation, ps.
    pub latency_ps: u64,
}

/// Router parameters, see `docs/model/network.md`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouterParameters {
    /// `voq` or `cioq`.
    pub architecture: String,
    /// Pipeline latency R, ps.
    pub latency_ps: u64,
    /// Credit delay C, ps.
    pub credit_delay_ps: u64,
    /// Input buffer per VC, bytes.
    pub input_buffer_bytes: u64,
    /// The same behind links from nodes; absent: as the others.
    #[serde(default)]
    pub host_buffer_bytes: Option<u64>,
    /// The same behind global links; absent: as the others.
    #[serde(default)]
    pub global_buffer_bytes: Option<u64>,
    /// `cioq` output buffer per VC, bytes.
    pub output_buffer_bytes: u64,
    /// `cioq` crossbar bandwidth over the fastest link.
    pub speedup: u32,
    /// `round-robin`, `oldest-first`, `highest-vc` or `lowest-vc`.
    pub arbitration: String,
    /// `departure` or `reservation`: when the slot of an input buffer is free again.
    #[serde(default = "departure")]
    pub credit_return: String,
    /// `cut-through` or `store-and-forward`.
    pub switching: String,
    /// Virtual channels the router has; absent: as many as the routing needs.
    #[serde(default)]
    pub virtual_channels: Option<u8>,
}

/// Packets and flits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketParameters {
    /// Largest packet, headers included, bytes.
    pub size_bytes: u32,
    /// Flit, bytes.
    pub flit_bytes: u32,
    /// Header of each packet, bytes.
    pub header_bytes: u32,
    /// `tail` or `head`: which end must arrive for a packet to count as delivered.
    pub delivery: String,
}

/// NIC parameters.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NicParameters {
    /// Output buffer, in packets of the largest size.
    pub buffer_packets: u32,
    /// Response to every packet, bytes; 0: packets are not answered.
    #[serde(default)]
    pub response_bytes: u32,
    /// Requests started and not answered at most; 0: any number.
    #[serde(default)]
    pub outstanding: u32,
}

/// Traffic classes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Qos {
    /// Bytes are counted over this span, ps.
    pub window_ps: u64,
    /// `static`, `sliding` or `token-bucket`.
    pub monitor: String,
    /// In order of priority.
    pub classes: Vec<TrafficClass>,
}

/// One traffic class.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrafficClass {
    /// Unique name.
    pub name: String,
    /// Share of a link's bandwidth, millionths.
    pub cap_ppm: u32,
}

/// Routing algorithm and its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutingChoice {
    /// Registry name.
    pub algorithm: String,
    /// Overrides of the entry's defaults.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

/// One job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Traffic class of its messages; absent: the last one.
    #[serde(default)]
    pub class: Option<String>,
    /// Traffic class of its collectives; absent: that of the job.
    #[serde(default)]
    pub collective_class: Option<String>,
    /// Traffic class of its small messages; absent: none.
    #[serde(default)]
    pub small_class: Option<SmallClass>,
    /// Absent from this run, but its nodes stay reserved: how an isolated baseline keeps the
    /// victim's nodes.
    #[serde(default)]
    pub muted: bool,
}

/// A traffic class for messages below a size.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallClass {
    /// Its name.
    pub class: String,
    /// Payload from which on messages are not small, bytes.
    pub below_bytes: u64,
}

/// Steady-state measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Excluded from latency and accepted load, ps.
    pub warm_up_ps: u64,
    /// Measured, ps.
    pub window_ps: u64,
    /// Longest wait for measured packets after the window, ps.
    pub drain_ps: u64,
}

/// Bounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Simulated time at which the run ends in any case, ps.
    pub time_ps: u64,
}

/// Optional records.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Record every n-th packet of each node; 0: none.
    #[serde(default)]
    pub packet_sample: u32,
    /// Width of a bin of the time series, ps; doubled until at most 4,096 bins remain.
    #[serde(default = "default_series_bin_ps")]
    pub series_bin_ps: u64,
    /// Return the tables of a learning routing.
    #[serde(default)]
    pub q_table: bool,
    /// Iterations kept at most, of all ranks; then every second of each rank is dropped.
    #[serde(default = "default_iteration_records")]
    pub iteration_records: u64,
}

fn departure() -> String {
    "departure".to_owned()
}

const fn default_series_bin_ps() -> u64 {
    1_000_000
}

const fn default_iteration_records() -> u64 {
    1_000_000
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            packet_sample: 0,
            series_bin_ps: default_series_bin_ps(),
            q_table: false,
            iteration_records: default_iteration_records(),
        }
    }
}
