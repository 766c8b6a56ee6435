//! `[system.host]`: what nodes take from their ranks. The rules are in `docs/model/hosts.md`.

use odonata_registry::{Kind, Parameter, Problem, Rows, Table};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::by_rows;

/// Names of laws that numbers are drawn from.
const LAWS: [(&str, LawName); 4] = [
    ("fixed", LawName::Fixed),
    ("exponential", LawName::Exponential),
    ("pareto", LawName::Pareto),
    ("lognormal", LawName::Lognormal),
];

/// A law by its name; some have a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LawName {
    /// Always the mean.
    Fixed,
    /// Exponential.
    Exponential,
    /// Pareto; its shape is the exponent.
    Pareto,
    /// Log-normal; its shape is the standard deviation of the logarithm.
    Lognormal,
}

/// Effects of every node on its ranks: `[system.host]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Host {
    /// Sources of detours of the operating system.
    pub detours: Vec<DetourRow>,
    /// Costs that are drawn for every call.
    pub calls: Vec<CallRow>,
    /// Cores of a node; absent: one for each of its ranks.
    pub cores: Option<u32>,
    /// Bandwidth of the memory of a node, bytes per second; absent: it is never in the way.
    pub memory_bandwidth_bytes_per_s: Option<u64>,
    /// Part of it that the computation of one rank takes, bytes per second.
    pub compute_traffic_bytes_per_s: Option<u64>,
}

/// A source of detours: an entry of `detours`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct DetourRow {
    /// File of a recording; absent: gaps and lengths are drawn.
    pub noise: Option<String>,
    /// Mean time between two detours, ps.
    pub gap_ps: Option<u64>,
    /// Law of that time.
    pub gaps: LawName,
    /// Its shape.
    pub gap_shape: Option<f64>,
    /// Its largest value, ps.
    pub gap_most_ps: Option<u64>,
    /// Mean length, ps.
    pub length_ps: Option<u64>,
    /// Law of the length.
    pub lengths: LawName,
    /// Its shape.
    pub length_shape: Option<f64>,
    /// Its largest value, ps.
    pub length_most_ps: Option<u64>,
}

/// A cost of calls: an entry of `calls`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct CallRow {
    /// Mean time that entering takes more, ps.
    pub add_ps: Option<u64>,
    /// Mean of what all steps of the call are multiplied with.
    pub factor: Option<f64>,
    /// Law of either.
    pub law: LawName,
    /// Its shape.
    pub shape: Option<f64>,
    /// Its largest value, if it is a time, ps.
    pub most_ps: Option<u64>,
    /// Its largest value, if it is a factor.
    pub most_factor: Option<f64>,
}

macro_rules! deserialised_by_rows {
    ($($name:ident),+) => {
        $(impl TryFrom<Map<String, Value>> for $name {
            type Error = Problem;

            fn try_from(given: Map<String, Value>) -> Result<Self, Problem> {
                by_rows(&given)
            }
        })+
    };
}
deserialised_by_rows!(Host, DetourRow, CallRow);

fn law(
    table: &mut Table<'_>,
    name: &'static str,
    usual: &'static str,
    meaning: &'static str,
) -> Result<LawName, Problem> {
    let row = Parameter::choice(name, &[], usual, meaning);
    table.choice(row, &LAWS)
}

fn time(
    table: &mut Table<'_>,
    name: &'static str,
    meaning: &'static str,
) -> Result<Option<u64>, Problem> {
    let row = Parameter::derived(name, Kind::Time, meaning);
    table.read(row.at_least(1_000).at_most(MOST_PS))
}

/// The longest gap and detour: 1,000 s.
const MOST_PS: u64 = 1_000_000_000_000_000;

fn shape(
    table: &mut Table<'_>,
    name: &'static str,
    meaning: &'static str,
) -> Result<Option<f64>, Problem> {
    table.read(Parameter::derived(name, Kind::Number, meaning).within(0.01, 100.0))
}

impl Rows for Host {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let detours: Option<_> = table.read(Parameter::derived(
            "detours",
            Kind::List,
            "sources of detours of the operating system, each `{ gap, length }` or `{ noise }`; \
             default: there are none",
        ))?;
        let calls: Option<_> = table.read(Parameter::derived(
            "calls",
            Kind::List,
            "costs of calls of MPI that are drawn for each, `{ add }` or `{ factor }`; default: \
             calls cost what `[system.mpi]` says",
        ))?;
        Ok(Self {
            detours: detours.unwrap_or_default(),
            calls: calls.unwrap_or_default(),
            cores: table.read(
                Parameter::derived(
                    "cores",
                    Kind::Count,
                    "cores of a node: more ranks than these share them; default: one for each rank",
                )
                .at_least(1)
                .at_most(1 << 16),
            )?,
            memory_bandwidth_bytes_per_s: table.read(
                Parameter::derived(
                    "memory_bandwidth",
                    Kind::Bandwidth,
                    "what the memory of a node carries, for messages between its ranks and for \
                     computation; default: it is never in the way",
                )
                .at_least(1_000_000),
            )?,
            compute_traffic_bytes_per_s: table.read(Parameter::derived(
                "compute_traffic",
                Kind::Bandwidth,
                "what the computation of one rank takes of `memory_bandwidth`; default: nothing",
            ))?,
        })
    }
}

impl Rows for DetourRow {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            noise: table.read(Parameter::derived(
                "noise",
                Kind::Path,
                "recorded detours, as Netgauge's selfish or `odonata measure` write them; default: \
                 they are drawn by the keys below",
            ))?,
            gap_ps: time(table, "gap", "mean time from one detour to the next")?,
            gaps: law(table, "gaps", "exponential", "law of that time")?,
            gap_shape: shape(
                table,
                "gap_shape",
                "exponent of `pareto`, above 1; standard deviation of the logarithm of `lognormal`",
            )?,
            gap_most_ps: time(table, "gap_most", "no gap is longer; default: 1,000 s")?,
            length_ps: time(table, "length", "mean length of a detour")?,
            lengths: law(table, "lengths", "fixed", "law of the length")?,
            length_shape: shape(table, "length_shape", "as `gap_shape`, of the length")?,
            length_most_ps: time(
                table,
                "length_most",
                "no detour is longer; default: 1,000 s",
            )?,
        })
    }
}

impl Rows for CallRow {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            add_ps: time(table, "add", "mean time that entering a call takes more")?,
            factor: table.read(
                Parameter::derived(
                    "factor",
                    Kind::Number,
                    "mean of what all steps of a call are multiplied with",
                )
                .within(0.001, 1_000.0),
            )?,
            law: law(
                table,
                "law",
                "exponential",
                "law of the time or of the factor",
            )?,
            shape: shape(
                table,
                "shape",
                "exponent of `pareto`, above 1; standard deviation of the logarithm of `lognormal`",
            )?,
            most_ps: time(table, "most", "no time is longer; default: 1,000 s")?,
            most_factor: table.read(
                Parameter::derived(
                    "most_factor",
                    Kind::Number,
                    "no factor is larger; default: 1,000",
                )
                .within(0.001, 1_000.0),
            )?,
        })
    }
}
