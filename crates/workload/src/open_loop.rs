//! Open-loop traffic: messages at a given rate, whatever becomes of them.

use std::sync::Arc;

use odonata_units::{NodeId, Purpose, Span, Stream};

use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::permutation::derangement;
use crate::spec::{Kind, Parameter, Spec};

mod arrival;
mod pattern;
pub(crate) mod source;

pub(crate) use arrival::ARRIVALS;
pub use pattern::Aim;
pub(crate) use pattern::PATTERNS;

use arrival::Arrival;
use pattern::{GroupNodes, Pattern};
use source::{Duty, OpenLoopSource, Sender};

const PATTERN_NAMES: [&str; PATTERNS.len()] = odonata_registry::Entry::names(&PATTERNS);
const ARRIVAL_NAMES: [&str; ARRIVALS.len()] = odonata_registry::Entry::names(&ARRIVALS);

const START_NAMES: [&str; 2] = ["lock-step", "jittered"];

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "open-loop",
    summary: "messages at a given load with infinite source queues",
    source: "Dally and Towles 2004, chapter 23",
    parameters: &[
        Parameter::derived(
            "ranks",
            Kind::Count,
            "nodes of the job; all free nodes if absent",
        )
        .at_least(2),
        Parameter::choice("pattern", &PATTERN_NAMES, "uniform", "whom messages go to"),
        Parameter::derived(
            "load",
            Kind::Number,
            "offered load, as a fraction of a node's injection bandwidth; may exceed 1; in bursts: \
             during a burst",
        )
        .within(1e-9, 1e6),
        Parameter::derived(
            "interval",
            Kind::Time,
            "in place of `load`: mean time between messages of a node (all-to-all: between rounds)",
        )
        .at_least(1),
        Parameter::bytes("message", 512, "size of a message")
            .at_least(1)
            .at_most(1 << 40),
        Parameter::choice(
            "arrival",
            &ARRIVAL_NAMES,
            "exponential",
            "when messages are created",
        ),
        Parameter::count("shift", 1, "adversarial: groups between source and target"),
        Parameter::number(
            "hot_fraction",
            0.1,
            "hotspot: share of the messages that go to the hot nodes",
        )
        .within(0.0, 1.0),
        Parameter::count(
            "hot_nodes",
            1,
            "hotspot, incast: number of hot nodes, the first of the job",
        )
        .at_least(1),
        Parameter::bytes(
            "threshold",
            8 << 20,
            "rotating: bytes sent to a target before the next one is drawn",
        )
        .at_least(1)
        .source("CODES, --perm-thresh")
        .sparse(),
        Parameter::derived(
            "burst",
            Kind::Time,
            "length of a burst; without it traffic never pauses",
        )
        .at_least(1),
        Parameter::derived("pause", Kind::Time, "time between bursts; needs `burst`"),
        Parameter::choice("start", &START_NAMES, "lock-step", "when each node begins").sparse(),
    ],
    ranks: |spec, available, _| {
        let ranks = spec.optional_count("ranks").unwrap_or(u64::from(available));
        spec.fit("ranks", ranks)
    },
    build,
};

/// Time for the message on the node's channel, in whole flits packet by packet, and its flits.
fn serialization(bytes: u64, context: &JobContext<'_>) -> (Span, u64) {
    let system = &context.system;
    let (flit, packet) = (
        u64::from(system.flit_bytes.max(1)),
        u64::from(system.packet_bytes.max(1)),
    );
    let flits = bytes / packet * packet.div_ceil(flit) + (bytes % packet).div_ceil(flit);
    (system.injection.serialization(flits * flit), flits)
}

/// When the messages of a node are created, pauses and phases aside.
///
/// `fan` messages are created at a time: a load is that of all of them.
fn arrival(spec: &Spec<'_>, context: &JobContext<'_>, fan: u32) -> Result<Arrival, WorkloadError> {
    let interval = spec.optional_count("interval").map(Span::from_ps);
    let load = spec.value("load").as_f64();
    let (span, flits) = serialization(spec.count("message"), context);
    let slot = context
        .system
        .injection
        .serialization(u64::from(context.system.flit_bytes));
    // An interval is a message that takes it at a load of 1.
    let (period, load) = match (interval, load) {
        (Some(interval), None) => (interval, 1.0),
        (None, Some(load)) => (span * u64::from(fan), load),
        (given, _) => {
            let both = if given.is_some() { "both" } else { "neither" };
            return Err(spec.impossible(format!(
                "it has {both} of `load` and `interval`; give one of them, such as `load = 0.5` or \
                 `interval = \"10 us\"`"
            )));
        }
    };
    Ok(match spec.text("arrival").as_str() {
        "bernoulli" if interval.is_some() => Arrival::bernoulli_every(slot, period),
        "bernoulli" => Arrival::bernoulli(slot, flits.saturating_mul(u64::from(fan)), load),
        "fixed" => Arrival::fixed(period, load),
        _ => Arrival::exponential(period, load),
    })
}

/// Bursts and pauses, if there are any.
fn duty(spec: &Spec<'_>) -> Result<Option<Duty>, WorkloadError> {
    let span = |name| spec.optional_count(name).map(Span::from_ps);
    match (span("burst"), span("pause")) {
        (Some(burst), pause) => Ok(Some(Duty {
            burst,
            pause: pause.unwrap_or(Span::ZERO),
        })),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(spec.impossible(
            "it has a `pause` but no `burst`; say how long a burst lasts, such as \
             `burst = \"100 us\"`"
                .to_owned(),
        )),
    }
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let whom = Targets::new(spec, context)?;
    let fan = if whom.name == "all-to-all" {
        whom.count - 1
    } else {
        1
    };
    let arrival = arrival(spec, context, fan)?;
    let duty = duty(spec)?;
    let jittered = spec.text("start") == "jittered";
    let mut sources = Vec::new();
    for (index, &node) in (0..).zip(context.nodes) {
        // A pattern that cannot be is refused wherever its node is.
        let pattern = whom.pattern(spec, index, node)?;
        if !context.is_here(node) {
            continue;
        }
        let Some(pattern) = pattern else {
            sources.push(NodeEndpoint::Idle);
            continue;
        };
        let stream = |purpose| Stream::new(context.seed, purpose, u64::from(node.0));
        let source = OpenLoopSource::new(
            Sender {
                node,
                bytes: spec.count("message"),
            },
            arrival.clone(),
            stream(Purpose::Arrival),
            pattern,
            stream(Purpose::Target),
        );
        let phase = if jittered {
            stream(Purpose::Phase).unit() * source.cycle_ps(duty)
        } else {
            0.0
        };
        sources.push(NodeEndpoint::OpenLoop(source.in_rounds(fan, duty, phase)));
    }
    Ok(sources)
}

/// `[node]`: where the messages of each node of an open-loop job go on average, wherever it is
/// simulated; nothing for one that sends nothing.
pub(crate) fn aims(
    spec: &Spec<'_>,
    context: &JobContext<'_>,
) -> Result<Vec<Vec<(Aim, f64)>>, WorkloadError> {
    let whom = Targets::new(spec, context)?;
    (0..)
        .zip(context.nodes)
        .map(|(index, &node)| {
            let pattern = whom.pattern(spec, index, node)?;
            Ok(pattern.map_or_else(Vec::new, |pattern| pattern.aims()))
        })
        .collect()
}

/// Whom the nodes of a job send to.
struct Targets {
    name: String,
    count: u32,
    nodes: Arc<[NodeId]>,
    groups: Arc<GroupNodes>,
    /// Partner of each node, for permutations.
    partners: Vec<u32>,
    hot: u32,
    /// Messages to one target of a rotation.
    per_target: u64,
    half_way: u64,
}

impl Targets {
    fn new(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Self, WorkloadError> {
        let nodes = context.nodes;
        let Some(count) = u32::try_from(nodes.len()).ok().filter(|&count| count >= 2) else {
            return Err(spec.impossible(format!(
                "it has {} nodes, but a message needs a source and another target; use at least 2",
                nodes.len()
            )));
        };
        let (name, hot) = (spec.text("pattern"), spec.small("hot_nodes")?);
        if hot > count {
            return Err(spec.impossible(format!(
                "{hot} hot nodes among {count} nodes; use at most {count}"
            )));
        }
        if name == "incast" && hot == count {
            return Err(spec.impossible(format!(
                "all of its {count} nodes are hot nodes, which send nothing; use at most {}",
                count - 1
            )));
        }
        let job = u64::from(context.job.0);
        let partners = if name == "permutation" {
            derangement(count, Stream::new(context.seed, Purpose::Job, job))
        } else {
            Vec::new()
        };
        Ok(Self {
            count,
            nodes: nodes.into(),
            groups: Arc::new(GroupNodes::new(nodes, &context.system)),
            partners,
            hot,
            per_target: spec
                .count("threshold")
                .div_ceil(spec.count("message").max(1)),
            half_way: context.system.group_starts.len() as u64 / 2,
            name,
        })
    }

    /// Targets of the `index`-th node; `None`: it sends nothing.
    fn pattern(
        &self,
        spec: &Spec<'_>,
        index: u32,
        node: NodeId,
    ) -> Result<Option<Pattern>, WorkloadError> {
        let (nodes, groups) = (Arc::clone(&self.nodes), &self.groups);
        let towards = |shift: u64, same_position: bool| {
            let target = groups.shifted(node, shift);
            in_group(spec, groups, node, target, same_position)
        };
        let (shift, fraction) = (spec.count("shift"), spec.ratio("hot_fraction"));
        Ok(Some(match self.name.as_str() {
            "incast" if index < self.hot => return Ok(None),
            "incast" => Pattern::Hot {
                nodes,
                hot: self.hot,
            },
            "rotating" => Pattern::rotating(nodes, index, self.per_target),
            "all-to-all" => Pattern::InTurn {
                nodes,
                index,
                sent: 0,
            },
            "permutation" => Pattern::Always(nodes[self.partners[index as usize] as usize]),
            "hotspot" => Pattern::hotspot(nodes, index, fraction, self.hot),
            "adversarial" => towards(shift, false)?,
            "tornado" => towards(self.half_way, true)?,
            "nearest-group" => towards(1, true)?,
            _ => Pattern::Uniform { nodes, index },
        }))
    }
}

/// The pattern of `node` towards group `target`: a random node there, or the one at its position.
fn in_group(
    spec: &Spec<'_>,
    groups: &Arc<GroupNodes>,
    node: NodeId,
    target: u32,
    same_position: bool,
) -> Result<Pattern, WorkloadError> {
    let pattern = spec.text("pattern");
    let group = groups.group_of(node);
    let has_shift = pattern == "adversarial" && groups.len() > 1;
    if target == group {
        let remedy = if has_shift {
            format!(
                "use a `shift` that is not a multiple of its {} groups",
                groups.len()
            )
        } else {
            "use a system of several groups".to_owned()
        };
        return Err(spec.impossible(format!(
            "pattern `{pattern}` sends from group {group} back into group {group}; {remedy}"
        )));
    }
    if groups.count(target) == 0 {
        let remedy = if has_shift {
            " or use another `shift`"
        } else {
            ", or use pattern `uniform`"
        };
        return Err(spec.impossible(format!(
            "pattern `{pattern}` sends from group {group} to group {target}, where the job has no \
             node; give the job all nodes{remedy}"
        )));
    }
    Ok(if same_position {
        Pattern::Always(groups.peer(node, target))
    } else {
        Pattern::group(groups, target)
    })
}
