//! Limits of a setting that look like congestion, in sentences.

use std::collections::BTreeSet;

use odonata_mpi::{MpiParameters, RankLocation};
use odonata_routing::{Choice, Congestion, Estimate, Mode, Weights};
use odonata_topology::LinkKind;
use odonata_units::{Bandwidth, RouterId};

use crate::build::learned;
use crate::build::machine::Machine;
use crate::build::pattern_limit::{LimitOf, limit};
use crate::build::sources::Sources;
use crate::config::{Config, Job};
use crate::result::statistic::{ns, percent, significant};

/// Share of a link that a virtual channel, or a NIC, must be able to fill.
const ENOUGH: f64 = 0.9;

/// How much more than a limit is too much: below, the noise of a window is larger.
const TOO_MUCH: f64 = 1.02;

/// Share of its NIC below which the MPI library holds a job back.
const BELOW_NIC: f64 = 0.5;

/// Share of the time that ranks work on sends from which on these say how fast they are: receives
/// may cost as much.
const BUSY: f64 = 0.4;

/// Share of the window that may be spent on learning.
const STILL_LEARNING: f64 = 0.1;

/// Hops of the longest minimal path, on Aries.
const MOST_HOPS: u32 = 6;

/// Corrections of estimates for each packet under a learning routing, about: one for every hop
/// between routers that tells something of the rest of the way.
const LESSONS_PER_PACKET: f64 = 2.0;

/// Traffic of the jobs of a run.
#[derive(Clone, Copy)]
pub(crate) struct Traffic<'a> {
    /// `[job]`: where its ranks sit.
    pub(crate) locations: &'a [Vec<RankLocation>],
    /// `[job]`: its open-loop sources.
    pub(crate) sources: &'a [Sources],
}

/// Limits in `config` that bound its numbers before the network does; none if all is well.
pub(crate) fn limits(config: &Config, machine: &Machine, traffic: Traffic<'_>) -> Vec<String> {
    let mut found: Vec<String> = LinkKind::ALL
        .iter()
        .filter_map(|kind| buffer(machine, *kind))
        .collect();
    found.extend(outstanding(machine));
    found.extend(biases(machine));
    found.extend(unmarked(machine));
    for (index, sources) in traffic.sources.iter().enumerate() {
        if sources.count > 0 {
            found.extend(load(config, machine, index, traffic));
            found.extend(window(config, index, sources));
        }
    }
    found.extend(learning(config, machine, traffic.sources));
    found
}

/// A virtual channel that waits for credits although nobody is in its way.
fn buffer(machine: &Machine, kind: LinkKind) -> Option<String> {
    let parameters = &machine.parameters;
    let is_there = |channel: odonata_topology::Channel| channel.kind == kind;
    if !machine.topology.channels().any(is_there) {
        return None;
    }
    let flits = parameters.packet_flits();
    let packets = parameters.input_buffer_flits[kind as usize] / flits.max(1);
    let full = parameters.serialization(kind, flits);
    let round_trip = parameters.round_trip(kind);
    let share = f64::from(packets) * ns(full.ps()) / ns(round_trip.ps());
    if share >= ENOUGH {
        return None;
    }
    let key = match kind {
        LinkKind::Host => "host_buffer",
        LinkKind::Global => "global_buffer",
        LinkKind::Local | LinkKind::Row | LinkKind::Column => "input_buffer",
    };
    let needed = round_trip.ps().div_ceil(full.ps().max(1)) * u64::from(parameters.packet_bytes);
    Some(format!(
        "A virtual channel can carry at most {} of a {} link: the input buffer behind it holds {} B, \
         and bandwidth times round trip is {needed} B. Waits for credits below that share are no \
         congestion. Give `system.router.{key}` {needed} B or more.",
        percent(share),
        kind.name(),
        packets * parameters.packet_bytes,
    ))
}

/// A NIC that waits for answers although nobody is in its way.
fn outstanding(machine: &Machine) -> Option<String> {
    let parameters = &machine.parameters;
    if parameters.outstanding == 0 {
        return None;
    }
    let is_one_group = machine.topology.group_count() == 1;
    let between = if is_one_group {
        parameters.local.latency
    } else {
        parameters.local.latency * 2 + parameters.global.latency
    };
    let routers = if is_one_group { 2 } else { 4 };
    let way = parameters.host.latency * 2 + between + parameters.router_latency * routers;
    let packet = parameters.serialization(LinkKind::Host, parameters.packet_flits());
    let share = f64::from(parameters.outstanding) * ns(packet.ps()) / ns((way * 2 + packet).ps());
    (share < ENOUGH).then(|| {
        format!(
            "A NIC can inject at most {} of its bandwidth towards far nodes: {} packets may wait \
             for their answers, which take {} us to come. Raise `system.nic.outstanding`.",
            percent(share),
            parameters.outstanding,
            significant(ns((way * 2 + packet).ps()) / 1e3),
        )
    })
}

/// Sprayers that learn of no path.
fn unmarked(machine: &Machine) -> Option<String> {
    let has_marks = machine.parameters.nscc().is_some();
    let modes = machine.routing.modes();
    let sprays = |mode: &&Mode| (mode.algorithm.rule()).is_some_and(|rule| rule.spray.is_some());
    let sprayer = modes.iter().find(sprays)?;
    let is_heard = has_marks && machine.routing.sprays();
    (!is_heard).then(|| {
        format!(
            "NICs decide no path under `{}` without marks, or where links go down: it does what \
             `valiant-group` does. Set `system.nic.congestion = \"nscc\"`, with `nscc_window = 0` for \
             marks alone.",
            sprayer.name,
        )
    })
}

/// Routings whose bias is more than a link that is full itself can show, so that they never divert
/// from it: its queue is at most the FIFO before it, and its credits in use those of its round trip.
fn biases(machine: &Machine) -> BTreeSet<String> {
    let parameters = &machine.parameters;
    // A `voq` router queues up to what all of its input buffers hold.
    let waiting = parameters.output_fifo_flits().unwrap_or(u32::MAX / 2);
    let shown = |estimate: Estimate| {
        let kinds = machine.topology.channels().map(|channel| channel.kind);
        let of_kind = |kind: LinkKind| {
            let round_trip = parameters.round_trip_flits(kind);
            let in_use = parameters.input_buffer_flits[kind as usize].min(round_trip);
            estimate.of(waiting, in_use, round_trip)
        };
        let between_routers = kinds.filter(|kind| *kind != LinkKind::Host);
        between_routers.map(of_kind).max().unwrap_or(0)
    };
    let never_diverts = |mode: &Mode| {
        let rule = mode.algorithm.rule()?;
        let near = match rule.weights {
            Weights::Scale => 1,
            Weights::Hops => MOST_HOPS,
        };
        let most = Congestion {
            minimal: shown(rule.estimate),
            nonminimal: 0,
        };
        let is_adaptive = rule.choice == Choice::Adaptive;
        (is_adaptive && !rule.diverts_by([near, 1], most, 0)).then(|| {
            format!(
                "`{}` leaves a minimal path only when more than {} flits of congestion are seen at \
                 its port, and a link that is full itself shows at most {} on a virtual channel: \
                 routers never divert from a full link of their own. Lower `bias_packets` or \
                 `bias`, or give `system.router` larger buffers.",
                mode.name, rule.bias, most.minimal,
            )
        })
    };
    let modes = machine.routing.modes().iter();
    modes.filter_map(never_diverts).collect()
}

/// A job that offers more than theory lets through.
fn load(config: &Config, machine: &Machine, index: usize, traffic: Traffic<'_>) -> Option<String> {
    let job = &config.jobs[index];
    let offered = traffic.sources[index].load(&machine.parameters);
    let found = limit(config, machine, index, &traffic.locations[index]);
    let (most, of) = found.map_or((1.0, LimitOf::Sources), |found| (found.load, found.of));
    if offered <= TOO_MUCH * most {
        return None;
    }
    let than = match of {
        LimitOf::Sources => "its nodes can inject".to_owned(),
        LimitOf::Targets => "its targets can receive".to_owned(),
        LimitOf::Links(_) => format!("the links between groups can carry on {}", of.name()),
    };
    Some(format!(
        "Job `{}` offers more than {than}, which is a load of {}. What is beyond waits in queues \
         that grow as long as the run, and latencies say how long that was.",
        job.name,
        significant(most),
    ))
}

/// Messages that the ranks of an MPI job have sent.
#[derive(Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) ranks: u64,
    /// Of them those that send.
    pub(crate) senders: u64,
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
    /// Of all ranks, bytes per second.
    pub(crate) rate: f64,
}

/// A job that is to load the network, whose ranks are busy setting messages up instead.
#[expect(clippy::cast_precision_loss, reason = "rates")]
pub(crate) fn mpi(job: &Job, config: &Config, host: Bandwidth, sent: Sent) -> Option<String> {
    let mpi = MpiParameters::from_json(&config.system.mpi).ok()?;
    let message = sent.bytes.checked_div(sent.messages)?;
    let cost = mpi.call_enter + mpi.send_cost(message) + mpi.call_return;
    let most = message as f64 / (ns(cost.ps()) / 1e9);
    let each = sent.rate / sent.senders as f64;
    let of_node = f64::from(job.ranks_per_node.unwrap_or(1));
    let share = most * of_node / host.bytes_per_second() as f64;
    // An incast fills the links of those that only receive.
    let targets = (sent.ranks - sent.senders) as f64;
    let fills = targets > 0.0 && sent.rate > BELOW_NIC * targets * host.bytes_per_second() as f64;
    let is_held_back = share < BELOW_NIC && each > BUSY * most;
    let is_meant = job.role != "victim" && is_held_back && !fills;
    is_meant.then(|| {
        format!(
            "A rank of job `{}` can send at most {} GB/s, which makes {} of the bandwidth of its \
             NIC: under `system.mpi` it works for {} us on each of its messages, of {message} B \
             on average. Longer messages, other costs, or open-loop traffic load the network more.",
            job.name,
            significant(most / 1e9),
            percent(share),
            significant(ns(cost.ps()) / 1e3),
        )
    })
}

/// A window that sees a part of what repeats itself.
fn window(config: &Config, index: usize, sources: &Sources) -> Option<String> {
    #[expect(clippy::cast_precision_loss, reason = "a comparison")]
    let window = config.measure.as_ref()?.window_ps as f64;
    let comes_at_once = sources.batch > 1.0;
    (comes_at_once && window < sources.cycle_ps).then(|| {
        format!(
            "The window of `measure` is shorter than a cycle of job `{}`, a burst with its pause or \
             the time between two rounds, which is {} us: what it measures depends on when it \
             begins. Give `measure.window` several cycles.",
            config.jobs[index].name,
            significant(sources.cycle_ps / 1e6),
        )
    })
}

/// A measurement that begins before routers have learned: each estimate of their tables is to be
/// corrected as often as the reciprocal of the slower learning rate.
#[expect(clippy::cast_precision_loss, reason = "a forecast")]
fn learning(config: &Config, machine: &Machine, sources: &[Sources]) -> Option<String> {
    let measure = config.measure.as_ref()?;
    let rates = machine.routing.learner()?.rates;
    if learned::is_given(config) {
        return None;
    }
    let learns = |(index, _): &(usize, &Sources)| {
        let turns = machine.job_routings[*index].turns.iter().flatten();
        turns
            .clone()
            .any(|turn| machine.routing.mode_learns(turn.mode))
    };
    let packets = |(_, one): (usize, &Sources)| {
        one.messages_in(1_000_000) * one.packets_per_message(&machine.parameters) as f64
    };
    let per_us: f64 = sources.iter().enumerate().filter(learns).map(packets).sum();
    let of_router = machine.routing.table(RouterId(0)).entries().count();
    let estimates = of_router as f64 * f64::from(machine.topology.router_count());
    let needed_us = estimates / rates.bad.min(rates.good) / (per_us * LESSONS_PER_PACKET);
    let [warm_up_us, window_us] =
        [measure.warm_up_ps, measure.window_ps].map(|span| span as f64 / 1e6);
    // Nobody learns where nobody sends by the table.
    (per_us > 0.0 && needed_us - warm_up_us > STILL_LEARNING * window_us).then(|| {
        format!(
            "Routers begin with tables that know nothing, and at this load `{}` takes about {} us \
             to learn: every estimate of its tables must be corrected {:.0} times. What is measured \
             after a warm-up of {warm_up_us} us is how it learns. Give `measure.warm_up` that long, \
             or start from a table that was kept (`load_table`).",
            learned::LEARNING,
            significant(needed_us),
            1.0 / rates.bad.min(rates.good),
        )
    })
}
