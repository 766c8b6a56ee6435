//! The rows of the tables that this room uses itself.

use odonata_registry::{Default, Kind, Parameter, Problem, Rows, Table};
use odonata_topology::NicWiring;

use super::{
    CounterView, Event, Failures, Link, Measure, Node, NodeTypeChoice, Precision, Quantity,
    SmallClass, Stop, Telemetry,
};

/// The longest cable, ps: 600 km of it.
const LONGEST_CABLE: u64 = 3_000_000_000;

/// NICs that a node has at most.
const MOST_NICS: u64 = 64;

/// Kinds of links between routers: those that may fail.
const ROUTER_LINKS: [&str; 4] = ["local", "row", "column", "global"];

pub(super) const PICOSECONDS_PER_SECOND: u64 = 1_000_000_000_000;

impl Rows for Link {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            bandwidth_bytes_per_s: table.read(
                Parameter::required(
                    "bandwidth",
                    Kind::Bandwidth,
                    "bandwidth of each direction",
                )
                .at_least(1),
            )?,
            latency_ps: table.read(Parameter::required(
                "latency",
                Kind::Time,
                "propagation delay, of the shortest link of the kind",
            ))?,
            longest_latency_ps: table.read(
                Parameter::derived(
                    "longest_latency",
                    Kind::Time,
                    "propagation delay of the longest link of the kind: that of each is in between, by \
                     the distance of its ends; default: all are alike",
                )
                .at_most(LONGEST_CABLE),
            )?,
            groups_per_row: table.read(
                Parameter::derived(
                    "groups_per_row",
                    Kind::Count,
                    "of global links: groups in a row of the machine room, which decides how far \
                     apart they are; default: the square root of their number, rounded up",
                )
                .at_least(1)
                .at_most(u32::MAX.into()),
            )?,
        })
    }
}

impl Rows for Node {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            nics: table.read(
                Parameter::count(
                    "nics",
                    1,
                    "NICs of a node: so many network ends are one node, and a rank uses that of its \
                     slot",
                )
                .at_least(1)
                .at_most(MOST_NICS)
                .source("one, as in every study; several: Frontier, Aurora, Alps"),
            )?,
            wiring: table.choice(
                Parameter::choice(
                    "wiring",
                    &[],
                    "spread",
                    "whether each NIC of a node has a router of its own, consecutive ones, or all of \
                     them are on one",
                )
                .source("Frontier: each NIC on a different switch of the chassis")
                .sparse(),
                &WIRINGS,
            )?,
            types: {
                let types: Option<_> = table.read(Parameter::derived(
                    "types",
                    Kind::List,
                    "types of nodes, in the order of the numbers of nodes: tables of `name`, \
                     `nodes`, `nics`, `wiring`; a placement names one; default: all are alike",
                ))?;
                types.unwrap_or_default()
            },
            out_of_service: {
                let ranges: Option<_> = table.read(Parameter::derived(
                    "out_of_service",
                    Kind::List,
                    "nodes that are in place and that no job gets: pairs of the first and the last \
                     node of a range; default: none",
                ))?;
                ranges.unwrap_or_default()
            },
            stripe_bytes: table.read(
                Parameter::derived(
                    "stripe",
                    Kind::Bytes,
                    "payload from which on a message goes in equal parts by all NICs of its node; \
                     default: never",
                )
                .at_least(1),
            )?,
        })
    }
}

const WIRINGS_BY_NAME: [&str; 2] = [WIRINGS[0].0, WIRINGS[1].0];

/// Ways to join the NICs of a node to routers, by name.
const WIRINGS: [(&str, NicWiring); 2] = [
    ("spread", NicWiring::Spread),
    ("together", NicWiring::Together),
];

impl Rows for NodeTypeChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let choice = Self {
            name: table.read(Parameter::required(
                "name",
                Kind::Text,
                "of the type, which placements name",
            ))?,
            nodes: table.read(
                Parameter::derived(
                    "nodes",
                    Kind::Count,
                    "nodes of this type; the last type may leave it out, for all that are left",
                )
                .at_least(1),
            )?,
            nics: table.read(
                Parameter::derived(
                    "nics",
                    Kind::Count,
                    "NICs of a node; default: `nics` of `[system.node]`",
                )
                .at_least(1)
                .at_most(MOST_NICS),
            )?,
            wiring: None,
        };
        let wiring: Option<String> = table.read(Parameter::derived(
            "wiring",
            Kind::Choice(&WIRINGS_BY_NAME),
            "where they are; default: `wiring` of `[system.node]`",
        ))?;
        let wiring = wiring.and_then(|name| {
            let found = WIRINGS.iter().find(|(one, _)| *one == name);
            found.map(|(_, wiring)| *wiring)
        });
        Ok(Self { wiring, ..choice })
    }
}

impl Rows for Failures {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let links: Option<_> = table.read(Parameter::derived(
            "links",
            Kind::List,
            "pairs of routers whose links have failed",
        ))?;
        let fraction: Option<_> = table.read(
            Parameter::derived(
                "fraction",
                Kind::Number,
                "fraction of the links that have failed, drawn by the seed",
            )
            .within(0.0, 1.0),
        )?;
        let kinds: Option<_> = table.read(Parameter::derived(
            "kinds",
            Kind::Choices(&ROUTER_LINKS),
            "kinds of links that `fraction` speaks of; default: global",
        ))?;
        let events: Option<_> = table.read(Parameter::derived(
            "events",
            Kind::List,
            "what becomes of links, routers and nodes during the run: `{ at, link, state }` or \
             `{ at, link, lanes }`, `{ at, router, state }`, `{ at, node, state }`",
        ))?;
        let known_after: Option<u64> = table.read(
            Parameter::derived(
                "known_after",
                Kind::Time,
                "how long it takes until packets are routed around links that have gone down, and \
                 over those that have come back; default: 0",
            )
            .at_most(PICOSECONDS_PER_SECOND),
        )?;
        let resent_after: Option<u64> = table.read(
            Parameter::derived(
                "resent_after",
                Kind::Time,
                "how long it takes until a packet is sent again that a router has lost by going \
                 down; default: 0",
            )
            .at_most(PICOSECONDS_PER_SECOND),
        )?;
        Ok(Self {
            links: links.unwrap_or_default(),
            fraction: fraction.unwrap_or(0.0),
            kinds: kinds.unwrap_or_else(|| vec!["global".to_owned()]),
            events: events.unwrap_or_default(),
            known_after_ps: known_after.unwrap_or(0),
            resent_after_ps: resent_after.unwrap_or(0),
        })
    }
}

/// What becomes of something that loses nothing else.
const STATES: [&str; 2] = ["down", "up"];

impl Rows for Event {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let at_ps = table.read(Parameter::required("at", Kind::Time, "when it happens"))?;
        let link: Option<_> = table.read(Parameter::derived(
            "link",
            Kind::List,
            "the two routers that the link joins",
        ))?;
        let port = table.read(
            Parameter::derived(
                "port",
                Kind::Count,
                "port of the link at the first of them; default: every parallel link",
            )
            .at_most(u16::MAX.into()),
        )?;
        let mut number = |name, words| {
            let row = Parameter::derived(name, Kind::Count, words);
            table.read(row.at_most(u32::MAX.into()))
        };
        let router = number(
            "router",
            "a router: all its links and the NICs at it share its state",
        )?;
        let node = number("node", "a node: all its NICs share its state")?;
        let state: Option<String> = table.read(Parameter::derived(
            "state",
            Kind::Choice(&STATES),
            "what becomes of it: it goes down, or comes back (a link with all its lanes)",
        ))?;
        let lanes: Option<u32> = table.read(
            Parameter::derived(
                "lanes",
                Kind::Share,
                "share of the bandwidth of a link that is left",
            )
            .at_least(1)
            .at_most(1_000_000),
        )?;
        Ok(Self {
            at_ps,
            link: link.unwrap_or_default(),
            port,
            router,
            node,
            share_ppm: match (state.as_deref(), lanes) {
                (Some("down"), _) => 0,
                (_, lanes) => lanes.unwrap_or(1_000_000),
            },
        })
    }
}

impl Rows for SmallClass {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            class: table.read(Parameter::required(
                "class",
                Kind::Text,
                "class of small messages",
            ))?,
            below_bytes: table.read(
                Parameter::required("below", Kind::Bytes, "messages of fewer bytes are small")
                    .at_least(1),
            )?,
        })
    }
}

impl Rows for Measure {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let warm_up_ps = table.read(
            Parameter::time(
                "warm_up",
                20_000_000,
                "excluded from latency and accepted load",
            )
            .source("Odonata's own: 60 times the way between two groups"),
        )?;
        let window_ps: u64 = table.read(
            Parameter::time("window", 50_000_000, "measured")
                .at_least(1)
                .source("Odonata's own"),
        )?;
        let drain_ps: Option<u64> = table.read(Parameter::derived(
            "drain",
            Kind::Time,
            "longest wait for measured packets; default: four windows",
        ))?;
        Ok(Self {
            warm_up_ps,
            window_ps,
            drain_ps: drain_ps.unwrap_or_else(|| window_ps.saturating_mul(4)),
        })
    }
}

impl Rows for Stop {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            time_ps: table.read(
                Parameter::time(
                    "time",
                    PICOSECONDS_PER_SECOND,
                    "simulated time at which a run ends in any case",
                )
                .at_least(1)
                .source("Odonata's own: longer than any job of a study"),
            )?,
            precision: {
                let given: Option<_> = table.read(
                    Parameter::derived(
                        "precision",
                        Kind::List,
                        "`{ quantity, job, half_width }`, or a list of them: what is to be known how \
                         well; the run ends when all of it is known. Default: jobs run to their ends",
                    )
                    .source("docs/model/precision.md"),
                )?;
                given.unwrap_or_default()
            },
            skip_ppm: table.read(
                Parameter::derived(
                    "skip",
                    Kind::Share,
                    "half the width of the 95 % interval, as a share of the mean, at which the time \
                     of an iteration is known well enough to leave the iterations that follow out. \
                     Default: none is left out",
                )
                .at_least(100)
                .at_most(500_000)
                .source("docs/model/skipping.md"),
            )?,
        })
    }
}

impl Rows for Precision {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            quantity: table.choice(
                Parameter::choice(
                    "quantity",
                    &[],
                    "iteration_time",
                    "whose mean is to be known: the time of an iteration of the job, or the \
                     communication time in it, as a mean over ranks",
                ),
                &[
                    ("iteration_time", Quantity::IterationTime),
                    ("comm_time", Quantity::CommTime),
                ],
            )?,
            job: table.read(Parameter::derived(
                "job",
                Kind::Text,
                "whose iterations; default: every victim that iterates",
            ))?,
            half_width_ppm: table.read(
                Parameter::new(
                    "half_width",
                    Kind::Share,
                    Default::Count(10_000),
                    "half the width of the 95 % interval, as a share of the mean",
                )
                .at_least(100)
                .at_most(500_000)
                .source("Odonata's own"),
            )?,
        })
    }
}

impl Rows for Telemetry {
    #[expect(clippy::too_many_lines, reason = "a row for each field")]
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            packet_sample: table.read(Parameter::count(
                "packet_sample",
                0,
                "record every n-th packet of each node; 0: none",
            ))?,
            message_sample: table.read(
                Parameter::count(
                    "message_sample",
                    0,
                    "record about every n-th message of ranks and of open-loop sources; 0: none",
                )
                .sparse(),
            )?,
            series_bin_ps: table.read(
                Parameter::time("series_bin", 1_000_000, "width of a bin of the time series")
                    .at_least(1)
                    .source("Odonata's own; doubled until at most 4,096 bins remain"),
            )?,
            iteration_records: table.read(
                Parameter::count(
                    "iteration_records",
                    1_000_000,
                    "iterations of a job kept at most, all ranks together; more are thinned evenly",
                )
                .at_least(1)
                .sparse()
                .source("Odonata's own: about 200 MB while a run ends"),
            )?,
            q_table: table.read(
                Parameter::boolean(
                    "q_table",
                    false,
                    "keep what routers have learnt (q-adaptive)",
                )
                .sparse(),
            )?,
            blame: table.read(
                Parameter::boolean(
                    "blame",
                    false,
                    "charge every wait of a packet to the jobs that made it wait",
                )
                .sparse()
                .source("docs/model/blame.md"),
            )?,
            counters: table.read(
                Parameter::boolean(
                    "counters",
                    false,
                    "count what tiles and NICs count, by the machine's names",
                )
                .sparse()
                .source("docs/model/counters.md"),
            )?,
            counter_interval_ps: table.read(
                Parameter::derived(
                    "counter_interval",
                    Kind::Time,
                    "time between two readings of the counters; absent: one at the end",
                )
                .at_least(1_000)
                .source("doubled until the tables are not too large"),
            )?,
            counter_view: table.choice(
                Parameter::choice(
                    "counter_view",
                    &[],
                    "operator",
                    "whose counters: those of all routers and NICs, or of those that the victims \
                     (without any: all jobs) are on",
                )
                .sparse(),
                &[
                    ("operator", CounterView::Operator),
                    ("user", CounterView::User),
                ],
            )?,
            link_series: table.read(
                Parameter::boolean(
                    "link_series",
                    false,
                    "count what every link carried over time, in bins of `series_bin` that double \
                     until at most 128 remain",
                )
                .sparse()
                .source("Odonata's own: a bin takes 8 bytes per link and 16 more per job"),
            )?,
            flows: table.read(
                Parameter::boolean(
                    "flows",
                    false,
                    "count what congestion control at end points did to each flow, from node to \
                     node",
                )
                .sparse()
                .source("docs/model/congestion.md"),
            )?,
        })
    }
}

/// Records if a scenario names none.
#[expect(clippy::expect_used, reason = "a test walks through the rows")]
pub(super) fn usual_records() -> Telemetry {
    odonata_registry::defaults().expect("every row of [telemetry] has a default")
}

/// A node of which nothing is said.
#[expect(clippy::expect_used, reason = "a test walks through the rows")]
pub(super) fn usual_node() -> Node {
    odonata_registry::defaults().expect("every row of [system.node] has a default")
}
