//! Counters of tiles and NICs, as tables. Definitions: `docs/model/counters.md`.

use std::collections::BTreeSet;
use std::sync::Arc;

use odonata_counters::{Component, Entry, Names, entries, of_nics};
use odonata_network::Counting;
use odonata_telemetry::{Reading, Readings};
use odonata_topology::{LinkKind, PortIndex, Topology};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::build::machine::Machine;
use crate::config::{Config, CounterView};
use crate::error::SimError;
use crate::report::finished::Finished;
use crate::result::outcome::{Column, Table, Words};
use crate::result::statistic::ns;

/// Rows of counters at most, about: what a run has of them in memory at its end is some 2 GB.
const MOST_ROWS: u64 = 10_000_000;
/// Counters of a port that count, about.
const ROWS_PER_PORT: u64 = 10;
/// Readings that a run has at least, however large it is.
const LEAST_READINGS: u64 = 16;

/// Refuses settings of counters without counters.
pub(crate) fn check_counters(config: &Config) -> Result<(), SimError> {
    let telemetry = &config.telemetry;
    let key = match (telemetry.counter_interval_ps, telemetry.counter_view) {
        _ if telemetry.counters => return Ok(()),
        (Some(_), _) => "counter_interval",
        (None, CounterView::User) => "counter_view",
        (None, CounterView::Operator) => return Ok(()),
    };
    let message = format!("`{key}` is about counters, and none are kept; set `counters = true`");
    Err(SimError::new(format!("telemetry.{key}"), message))
}

/// How counters are read in this run; `None` unless they are wanted. `locations[job]` are the
/// locations of the ranks of a job.
pub(crate) fn counting(
    config: &Config,
    machine: &Machine,
    locations: &[Vec<odonata_mpi::RankLocation>],
) -> Option<Counting> {
    let telemetry = &config.telemetry;
    if !telemetry.counters {
        return None;
    }
    let topology = &machine.topology;
    let own = match telemetry.counter_view {
        CounterView::Operator => None,
        CounterView::User => Some(own_nodes(config, machine, locations)),
    };
    let routers = own.as_ref().map(|own| -> Arc<[bool]> {
        let mut kept = vec![false; topology.router_count() as usize];
        for node in own {
            kept[topology.router_of(*node).index()] = true;
        }
        kept.into()
    });
    let kept_routers = routers
        .as_ref()
        .map_or(u64::from(topology.router_count()), |kept| {
            kept.iter().filter(|kept| **kept).count() as u64
        });
    let rows = (kept_routers * u64::from(topology.radix()) * ROWS_PER_PORT).max(1);
    Some(Counting {
        every: telemetry.counter_interval_ps.map(Span::from_ps),
        most_readings: (MOST_ROWS / rows).clamp(LEAST_READINGS, 1 << 20),
        names: machine.nic_counters,
        nodes: own.map(|own| {
            let mut kept = vec![false; topology.node_count() as usize];
            for node in own {
                kept[node.index()] = true;
            }
            kept.into()
        }),
        routers,
    })
}

/// Nodes of the jobs that a user of the machine looks after: the victims, or all jobs without any.
fn own_nodes(
    config: &Config,
    machine: &Machine,
    locations: &[Vec<odonata_mpi::RankLocation>],
) -> BTreeSet<NodeId> {
    let has_victims = config.jobs.iter().any(|job| job.role == "victim");
    let jobs = config.jobs.iter().zip(locations);
    let own = jobs.filter(|(job, _)| job.role == "victim" || !has_victims);
    let locations = own.flat_map(|(_, locations)| locations);
    // All NICs of a node are its users' own.
    let ends = |location: &odonata_mpi::RankLocation| {
        let beside = machine.ends.beside(location.home);
        beside
            .iter()
            .copied()
            .chain([location.address])
            .collect::<Vec<_>>()
    };
    locations.flat_map(ends).collect()
}

/// A sentence if the counters were read less often than was asked for.
pub(crate) fn note(config: &Config, finished: &Finished) -> Option<String> {
    let wanted = config.telemetry.counter_interval_ps?;
    let every = finished.heard.counters.as_ref()?.every()?.ps();
    (every > wanted).then(|| {
        format!(
            "the counters were read every {} ns, not every {} ns as `telemetry.counter_interval` \
             has it: there would be too many rows; give a longer interval, or keep fewer routers \
             with `telemetry.counter_view = \"user\"`",
            ns(every),
            ns(wanted)
        )
    })
}

/// The tables `counters` and `nic_counters` of a run that ended at `end`.
pub(crate) fn tables(finished: &Finished, end: Instant) -> Vec<Table> {
    let Some(readings) = &finished.heard.counters else {
        return Vec::new();
    };
    let shown = Shown {
        readings,
        end,
        is_exact: finished.network.end() <= end,
    };
    let topology = &finished.machine.topology;
    vec![
        tiles(shown, topology),
        nics(shown, topology, finished.machine.nic_counters),
    ]
}

/// Readings up to the end of the run.
///
/// The network goes on until it looks again whether the jobs have ended, less than a window of the
/// engine later. The last reading stands at the end of the run and holds that, too. So that it does
/// not weigh in rates, the last interval is at least half as long as the others: a reading that is
/// nearer to the end is left out.
#[derive(Clone, Copy)]
struct Shown<'a> {
    readings: &'a Readings,
    end: Instant,
    /// Nothing happened after the end.
    is_exact: bool,
}

impl Shown<'_> {
    fn is_sampled(self) -> bool {
        self.readings.every().is_some()
    }

    /// Shows every reading that is kept, and its instant.
    fn walk(self, mut look: impl FnMut(&Reading<'_>, Instant)) {
        let last = self.readings.instants().len();
        let margin = match self.readings.every() {
            Some(every) if !self.is_exact => Span::from_ps(every.ps() / 2),
            _ => Span::ZERO,
        };
        let mut index = 0;
        self.readings.walk(|reading| {
            index += 1;
            if index == last {
                look(reading, self.end);
            } else if index == 1 || reading.at + margin < self.end {
                look(reading, reading.at);
            }
        });
    }
}

/// A counter of a port or NIC that has counted something.
struct Chosen {
    entry: &'static Entry,
    member: usize,
    name: u16,
    unit: u16,
}

/// A port or NIC, and its counters.
struct CountersAt<T> {
    subject: T,
    counters: Vec<Chosen>,
}

/// Names of counters and units, and the rows of a table.
#[derive(Default)]
struct Rows {
    names: Words,
    units: Words,
    values: Vec<u64>,
    times: Vec<f64>,
}

impl Rows {
    /// Which counters of a subject have counted, by their values at the end.
    fn choose(
        &mut self,
        all: impl Iterator<Item = &'static Entry>,
        members: impl Fn(&Entry) -> std::ops::Range<usize>,
        value: impl Fn(&Entry, usize) -> u64,
    ) -> Vec<Chosen> {
        let mut found = Vec::new();
        for entry in all.filter(|entry| entry.counts()) {
            for member in members(entry).filter(|member| value(entry, *member) > 0) {
                found.push(Chosen {
                    entry,
                    member,
                    name: self.names.code(&entry.name(member)),
                    unit: self.units.code(entry.unit.name()),
                });
            }
        }
        found
    }

    fn push(&mut self, counter: &Chosen, value: u64, at: Instant) {
        self.names.codes.push(counter.name);
        self.units.codes.push(counter.unit);
        self.values.push(value);
        self.times.push(ns(at.ps()));
    }

    /// The table, with the columns that say where a row is.
    fn table(
        self,
        name: &'static str,
        leading: Vec<(&'static str, Column)>,
        is_sampled: bool,
    ) -> Table {
        let mut columns = leading;
        columns.push(("counter", Column::Words(self.names)));
        columns.push(("value", Column::U64(self.values)));
        columns.push(("unit", Column::Words(self.units)));
        if is_sampled {
            columns.push(("time_ns", Column::F64(self.times)));
        }
        Table { name, columns }
    }
}

/// The last reading, looked at by `look`.
fn at_the_end(readings: &Readings, mut look: impl FnMut(&Reading<'_>)) {
    let end = readings.instants().len();
    let mut seen = 0;
    readings.walk(|reading| {
        seen += 1;
        if seen == end {
            look(reading);
        }
    });
}

fn tiles(shown: Shown<'_>, topology: &Topology) -> Table {
    let mut rows = Rows::default();
    let radix = u32::from(topology.radix());
    let routers = (0..topology.router_count()).map(RouterId);
    let ports = routers.flat_map(|router| {
        let ports = (0..topology.radix()).map(PortIndex);
        ports.map(move |port| (router, port))
    });
    let connected: Vec<_> = ports
        .filter(|(router, port)| topology.neighbour(*router, *port).is_some())
        .collect();
    let number = |(router, port): (RouterId, PortIndex)| router.0 * radix + u32::from(port.0);
    let mut found = Vec::new();
    at_the_end(shown.readings, |reading| {
        for subject in &connected {
            let Some(tile) = reading.tile(number(*subject)) else {
                continue;
            };
            let of = match topology.port_kind(subject.1) {
                LinkKind::Host => Component::ProcessorTile,
                _ => Component::NetworkTile,
            };
            let members = |entry: &Entry| 0..entry.len();
            let value = |entry: &Entry, member| entry.of_tile(&tile, member);
            let counters = rows.choose(entries(of), members, value);
            if !counters.is_empty() {
                let subject = *subject;
                found.push(CountersAt { subject, counters });
            }
        }
    });
    let (mut of_router, mut of_port, mut of_tile) = (Vec::new(), Vec::new(), Vec::new());
    shown.walk(|reading, at| {
        for CountersAt { subject, counters } in &found {
            let Some(tile) = reading.tile(number(*subject)) else {
                continue;
            };
            for counter in counters {
                of_router.push(u64::from(subject.0.0));
                of_port.push(u64::from(subject.1.0));
                of_tile.push(topology.tile(subject.0, subject.1).map_or(0, u64::from));
                let value = counter.entry.of_tile(&tile, counter.member);
                rows.push(counter, value, at);
            }
        }
    });
    let mut leading = vec![
        ("router", Column::U64(of_router)),
        ("port", Column::U64(of_port)),
    ];
    if topology.has_tiles() {
        leading.push(("tile", Column::U64(of_tile)));
    }
    rows.table("counters", leading, shown.is_sampled())
}

fn nics(shown: Shown<'_>, topology: &Topology, names: Names) -> Table {
    let mut rows = Rows::default();
    let nodes: Vec<NodeId> = (0..topology.node_count()).map(NodeId).collect();
    let mut found = Vec::new();
    at_the_end(shown.readings, |reading| {
        for node in &nodes {
            let Some(nic) = reading.nic(*node) else {
                continue;
            };
            let position = usize::from(topology.host_port(*node).0);
            let members = |entry: &Entry| {
                if entry.is_by_position {
                    position..(position + 1).min(entry.len()).max(position)
                } else {
                    0..entry.len()
                }
            };
            let value = |entry: &Entry, member| entry.of_nic(&nic, member);
            let counters = rows.choose(of_nics(names), members, value);
            if !counters.is_empty() {
                let subject = *node;
                found.push(CountersAt { subject, counters });
            }
        }
    });
    let mut of_node = Vec::new();
    shown.walk(|reading, at| {
        for CountersAt { subject, counters } in &found {
            let Some(nic) = reading.nic(*subject) else {
                continue;
            };
            for counter in counters {
                of_node.push(u64::from(subject.0));
                let value = counter.entry.of_nic(&nic, counter.member);
                rows.push(counter, value, at);
            }
        }
    });
    let leading = vec![("node", Column::U64(of_node))];
    rows.table("nic_counters", leading, shown.is_sampled())
}
