//! Open-loop traffic: messages at a given rate, whatever becomes of them.

use std::sync::Arc;

use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::permutation::derangement;
use crate::spec::{Default, Kind, Parameter, Spec};

mod arrival;
mod pattern;
pub(crate) mod source;

pub(crate) use arrival::ARRIVALS;
pub(crate) use pattern::PATTERNS;

use arrival::Arrival;
use pattern::{GroupNodes, Pattern};
use source::OpenLoopSource;

const PATTERN_NAMES: [&str; PATTERNS.len()] = odonata_registry::Entry::names(&PATTERNS);
const ARRIVAL_NAMES: [&str; ARRIVALS.len()] = odonata_registry::Entry::names(&ARRIVALS);

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "open-loop",
    summary: "messages at a given load with infinite source queues",
    source: "Dally and Towles 2004, chapter 23",
    parameters: &[
        Parameter::new(
            "ranks",
            Kind::Count,
            Default::Derived,
            "nodes of the job; all free nodes if absent",
        )
        .at_least(2),
        Parameter::new(
            "pattern",
            Kind::Choice(&PATTERN_NAMES),
            Default::Text("uniform"),
            "whom messages go to",
        ),
        Parameter::new(
            "load",
            Kind::Number,
            Default::Required,
            "offered load, as a fraction of a node's injection bandwidth; may exceed 1",
        )
        .within(1e-9, 1e6),
        Parameter::new(
            "message",
            Kind::Bytes,
            Default::Count(512),
            "size of a message",
        )
        .at_least(1)
        .at_most(1 << 40),
        Parameter::new(
            "arrival",
            Kind::Choice(&ARRIVAL_NAMES),
            Default::Text("exponential"),
            "when messages are created",
        ),
        Parameter::new(
            "shift",
            Kind::Count,
            Default::Count(1),
            "adversarial: groups between source and target",
        ),
        Parameter::new(
            "hot_fraction",
            Kind::Number,
            Default::Number(0.1),
            "hotspot: share of the messages that go to the hot nodes",
        )
        .within(0.0, 1.0),
        Parameter::new(
            "hot_nodes",
            Kind::Count,
            Default::Count(1),
            "hotspot: number of hot nodes, the first of the job",
        )
        .at_least(1),
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

fn arrival(spec: &Spec<'_>, context: &JobContext<'_>) -> Arrival {
    let load = spec.ratio("load");
    let bytes = spec.count("message");
    let (span, flits) = serialization(bytes, context);
    let slot = context
        .system
        .injection
        .serialization(u64::from(context.system.flit_bytes));
    match spec.text("arrival").as_str() {
        "bernoulli" => Arrival::bernoulli(slot, flits, load),
        "fixed" => Arrival::fixed(span, load),
        _ => Arrival::exponential(span, load),
    }
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let nodes = context.nodes;
    let Some(last) = u32::try_from(nodes.len()).ok().filter(|&count| count >= 2) else {
        return Err(spec.impossible(format!(
            "it has {} nodes, but a message needs a source and another target; use at least 2",
            nodes.len()
        )));
    };
    let fraction = spec.ratio("hot_fraction");
    let hot = spec.small("hot_nodes")?;
    if hot > last {
        return Err(spec.impossible(format!(
            "{hot} hot nodes among {last} nodes; use at most {last}"
        )));
    }
    let arrival = arrival(spec, context);
    let shared: Arc<[NodeId]> = nodes.into();
    let groups = Arc::new(GroupNodes::new(nodes, &context.system));
    let name = spec.text("pattern");
    let table = if name == "permutation" {
        derangement(
            last,
            Stream::new(context.seed, Purpose::Job, u64::from(context.job.0)),
        )
    } else {
        Vec::new()
    };
    let mut sources = Vec::with_capacity(nodes.len());
    for (index, &node) in (0..).zip(nodes) {
        let pattern = match name.as_str() {
            "permutation" => Pattern::Always(nodes[table[index as usize] as usize]),
            "hotspot" => Pattern::hotspot(shared.clone(), index, (fraction, hot)),
            "adversarial" => {
                let target = groups.shifted(node, spec.count("shift"));
                in_group(spec, &groups, node, target, false)?
            }
            "tornado" => {
                let target = groups.shifted(node, context.system.group_starts.len() as u64 / 2);
                in_group(spec, &groups, node, target, true)?
            }
            "nearest-group" => {
                let target = groups.shifted(node, 1);
                in_group(spec, &groups, node, target, true)?
            }
            _ => Pattern::Uniform {
                nodes: shared.clone(),
                index,
            },
        };
        let key = u64::from(node.0);
        let mut arrivals = Stream::new(context.seed, Purpose::Arrival, key);
        sources.push(NodeEndpoint::OpenLoop(OpenLoopSource {
            node,
            bytes: spec.count("message"),
            next: Instant::ZERO + arrival.first(&mut arrivals),
            arrival: arrival.clone(),
            arrivals,
            pattern,
            targets: Stream::new(context.seed, Purpose::Target, key),
        }));
    }
    Ok(sources)
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
    let place = groups.group_of(node);
    if groups.count(target) == 0 {
        return Err(spec.impossible(format!(
            "pattern `{pattern}` sends from group {place} to group {target}, where the job has no \
             node; give the job all nodes or use another `shift`"
        )));
    }
    if same_position {
        let fixed = groups.peer(node, target);
        return if fixed == node {
            Err(spec.impossible(format!(
                "pattern `{pattern}` sends node {} to itself; use more groups",
                node.0
            )))
        } else {
            Ok(Pattern::Always(fixed))
        };
    }
    if target == place && groups.count(target) == 1 {
        return Err(spec.impossible(format!(
            "pattern `{pattern}` sends node {} to itself; use another `shift`",
            node.0
        )));
    }
    Ok(Pattern::group(groups, node, target))
}
