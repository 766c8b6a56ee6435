//! The largest load of a traffic pattern that targets and links between groups can take, in theory.

use std::collections::BTreeMap;

use odonata_mpi::{MpiParameters, RankLocation};
use odonata_routing::{Choice, Rule};
use odonata_topology::Topology;
use odonata_units::{GroupId, JobId, NodeId};
use odonata_workload::{Aim, JobContext, SystemView, aims};

use crate::build::jobs::group_starts;
use crate::build::machine::Machine;
use crate::config::Config;

/// The first limit that a job meets as its load rises.
pub(crate) struct Limit {
    /// Share of the injection bandwidth of each node that sends.
    pub(crate) load: f64,
    pub(crate) of: LimitOf,
}

/// Kind of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LimitOf {
    /// Nodes that send.
    Sources,
    /// Nodes that receive.
    Targets,
    /// Links between groups, on minimal paths, on non-minimal ones, or on any.
    Links(Choice),
}

impl LimitOf {
    /// As summaries have it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sources => "sources",
            Self::Targets => "targets",
            Self::Links(Choice::Minimal) => "minimal paths",
            Self::Links(Choice::NonMinimal) => "non-minimal paths",
            Self::Links(Choice::Adaptive) => "any paths",
        }
    }
}

/// The limit of open-loop job `index`, whose nodes are `locations`; `None` if nothing of it can be
/// said.
pub(crate) fn limit(
    config: &Config,
    machine: &Machine,
    index: usize,
    locations: &[RankLocation],
) -> Option<Limit> {
    let traffic = PatternTraffic::new(config, machine, index, locations)?;
    let choice = choice(machine, index, Rule::theoretical_choice);
    let limits = [
        (1.0, LimitOf::Sources),
        (1.0 / traffic.most_received, LimitOf::Targets),
        (traffic.carried(choice), LimitOf::Links(choice)),
    ];
    let least = limits
        .into_iter()
        .min_by(|one, other| one.0.total_cmp(&other.0));
    least.map(|(load, of)| Limit { load, of })
}

/// Between which paths the packets of a job choose, as `of_rule` has it of a rule; `Adaptive` if
/// messages differ.
pub(crate) fn choice(machine: &Machine, index: usize, of_rule: fn(&Rule) -> Choice) -> Choice {
    let modes = machine.routing.modes();
    let of_mode = |mode: u8| modes[usize::from(mode)].algorithm.rule().map(of_rule);
    let turns = machine.job_routings[index].turns.iter().flatten();
    let mut choices = turns.map(|turn| of_mode(turn.mode));
    let first = choices.next().flatten();
    if choices.all(|choice| choice == first) {
        first.unwrap_or(Choice::Adaptive)
    } else {
        Choice::Adaptive
    }
}

/// Traffic between two groups.
struct Pair {
    /// In injection bandwidths of a node, at a load of 1.
    traffic: f64,
    /// Of the links from the one to the other.
    bandwidth: f64,
}

/// Traffic of a job at a load of 1, in injection bandwidths of a node.
struct PatternTraffic {
    /// Traffic to the node that gets most.
    most_received: f64,
    /// Pairs of groups between which there is traffic.
    pairs: Vec<Pair>,
    /// The least of what the links of a group carry over what leaves or enters it.
    carried_by_groups: f64,
    /// Of all links between groups.
    bandwidth: f64,
}

/// Groups up to which traffic between all pairs is added up.
const MOST_GROUPS: usize = 2_048;

impl PatternTraffic {
    fn new(
        config: &Config,
        machine: &Machine,
        index: usize,
        locations: &[RankLocation],
    ) -> Option<Self> {
        let topology = &*machine.topology;
        let groups = topology.group_count() as usize;
        if groups > MOST_GROUPS {
            return None;
        }
        let nodes: Vec<NodeId> = locations.iter().map(|location| location.address).collect();
        let sent = sent(config, machine, index, &nodes)?;
        let [host, global] =
            [&machine.parameters.host, &machine.parameters.global].map(|link| link.bandwidth);
        #[expect(clippy::cast_precision_loss, reason = "a ratio of two rates")]
        let each = global.bytes_per_second() as f64 / host.bytes_per_second() as f64;
        let receivers = Receivers {
            topology,
            nodes: &nodes,
        };
        let between = receivers.between(&sent, groups);
        let mut found = Self {
            most_received: receivers.most(&sent),
            pairs: Vec::new(),
            carried_by_groups: f64::INFINITY,
            bandwidth: 0.0,
        };
        // [group]: traffic and bandwidth out of it, then into it.
        let mut sides = [vec![(0.0, 0.0); groups], vec![(0.0, 0.0); groups]];
        for from in 0..groups {
            for to in (0..groups).filter(|to| *to != from) {
                let [one, other] = [from, to].map(group_id);
                #[expect(clippy::cast_precision_loss, reason = "links of a pair")]
                let bandwidth = topology.global_channels(one, other).len() as f64 * each;
                let traffic = between[from * groups + to];
                found.bandwidth += bandwidth;
                for (side, group) in sides.iter_mut().zip([from, to]) {
                    side[group].0 += traffic;
                    side[group].1 += bandwidth;
                }
                if traffic > 0.0 {
                    found.pairs.push(Pair { traffic, bandwidth });
                }
            }
        }
        let used = sides.iter().flatten().filter(|side| side.0 > 0.0);
        found.carried_by_groups = used
            .map(|side| side.1 / side.0)
            .fold(f64::INFINITY, f64::min);
        Some(found)
    }

    /// The load that the links between groups can carry (Kim et al. 2008, section 4.2).
    fn carried(&self, choice: Choice) -> f64 {
        let sent: f64 = self.pairs.iter().map(|pair| pair.traffic).sum();
        let most = self.carried_by_groups;
        match choice {
            _ if sent == 0.0 => f64::INFINITY,
            Choice::Minimal => {
                // Without a link of their own two groups are joined over others.
                let joined = self.pairs.iter().filter(|pair| pair.bandwidth > 0.0);
                joined
                    .map(|pair| pair.bandwidth / pair.traffic)
                    .fold(most, f64::min)
            }
            Choice::NonMinimal => most.min(self.bandwidth / (2.0 * sent)),
            Choice::Adaptive => self.carried_by_any(most),
        }
    }

    /// What is more than the links of a pair carry takes two links of others.
    fn carried_by_any(&self, most: f64) -> f64 {
        let used = |load: f64| -> f64 {
            let of = |pair: &Pair| {
                let traffic = load * pair.traffic;
                traffic + (traffic - pair.bandwidth).max(0.0)
            };
            self.pairs.iter().map(of).sum()
        };
        let (mut low, mut high) = (0.0, most);
        if used(high) <= self.bandwidth {
            return high;
        }
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            if used(middle) <= self.bandwidth {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

/// Traffic from the nodes of each group, by target; `None` without open-loop sources.
fn sent(
    config: &Config,
    machine: &Machine,
    index: usize,
    nodes: &[NodeId],
) -> Option<BTreeMap<(usize, Aim), f64>> {
    let job = &config.jobs[index];
    let traces = BTreeMap::new();
    let context = JobContext {
        seed: config.seed,
        job: JobId(u32::try_from(index).ok()?),
        name: &job.name,
        nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: machine.topology.node_count(),
            group_starts: &group_starts(machine),
            injection: machine.parameters.host.bandwidth,
            flit_bytes: machine.parameters.flit_bytes,
            packet_bytes: machine.parameters.packet_bytes,
        },
        mpi: &MpiParameters::from_json(&config.system.mpi).ok()?,
        traces: &traces,
    };
    let aims = aims(&job.workload, &context).ok()?;
    let mut sent = BTreeMap::new();
    for (node, aims) in nodes.iter().zip(aims) {
        let group = machine.topology.group_of_node(*node).index();
        for (aim, share) in aims {
            *sent.entry((group, aim)).or_insert(0.0) += share;
        }
    }
    Some(sent)
}

fn group_id(index: usize) -> GroupId {
    GroupId(u32::try_from(index).unwrap_or(u32::MAX))
}

/// The nodes of a job as those that messages go to.
struct Receivers<'a> {
    topology: &'a Topology,
    nodes: &'a [NodeId],
}

#[expect(clippy::cast_precision_loss, reason = "shares of nodes")]
impl Receivers<'_> {
    fn group(&self, node: NodeId) -> usize {
        self.topology.group_of_node(node).index()
    }

    /// `[group]`: how many of these there are in it.
    fn by_group(&self, nodes: &[NodeId], groups: usize) -> Vec<f64> {
        let mut counts = vec![0.0; groups];
        for node in nodes {
            counts[self.group(*node)] += 1.0;
        }
        counts
    }

    /// `[from * groups + to]`: traffic between groups.
    fn between(&self, sent: &BTreeMap<(usize, Aim), f64>, groups: usize) -> Vec<f64> {
        let mut between = vec![0.0; groups * groups];
        let all = self.by_group(self.nodes, groups);
        let others = (self.nodes.len() - 1).max(1) as f64;
        let mut hot = BTreeMap::new();
        for ((from, aim), traffic) in sent {
            let row = &mut between[from * groups..][..groups];
            let mut spread = |counts: &[f64], total: f64| {
                for (cell, count) in row.iter_mut().zip(counts) {
                    *cell += traffic * count / total;
                }
            };
            match aim {
                Aim::All => spread(&all, others),
                Aim::First(count) => {
                    let first = &self.nodes[..*count as usize];
                    let counts = hot
                        .entry(count)
                        .or_insert_with(|| self.by_group(first, groups));
                    spread(counts, f64::from(*count));
                }
                Aim::Group(group) => row[*group as usize] += traffic,
                Aim::Node(node) => row[self.group(*node)] += traffic,
            }
        }
        between
    }

    /// Traffic to the node that gets most.
    fn most(&self, sent: &BTreeMap<(usize, Aim), f64>) -> f64 {
        let mut received: BTreeMap<Aim, f64> = BTreeMap::new();
        for ((_, aim), traffic) in sent {
            *received.entry(*aim).or_insert(0.0) += traffic;
        }
        let of_each = |(aim, traffic): (&Aim, &f64)| match aim {
            Aim::All => 0.0,
            Aim::First(count) => traffic / f64::from(*count),
            Aim::Group(group) => {
                let is_there = |node: &&NodeId| self.group(**node) == *group as usize;
                traffic / (self.nodes.iter().filter(is_there).count() as f64).max(1.0)
            }
            Aim::Node(_) => *traffic,
        };
        let everywhere = received.get(&Aim::All).copied().unwrap_or(0.0);
        everywhere / self.nodes.len() as f64 + received.iter().map(of_each).fold(0.0, f64::max)
    }
}
