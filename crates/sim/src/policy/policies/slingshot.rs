//! Slingshot: order and class of each message.

use odonata_endpoint::NicCounters;
use odonata_policy::{
    Counters, Factors, Observation, Order, Parameters, PolicyCounts, Slingshot, Urgency,
};
use odonata_registry::{Default, Kind, Parameter, Problem, Table};
use odonata_units::Span;
use serde_json::Map;

use super::application_aware::seeded;
use super::rows;
use crate::config::RoutingChoice;
use crate::policy::interface::{
    Class, DECIDE, Decider, Decision, Meter, PolicyEntry, Posting, RoutingPolicy, SendMode,
    reading, shown,
};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "slingshot",
    summary: "chooses between ordered and unordered, and between two traffic classes",
    source: "Odonata's own, after De Sensi et al. 2019; what a message can choose: fi_cxi(7)",
    rule: "Messages that are matched with receives are ordered: they take one path for each pair of \
           nodes. Others are ordered or take the routing of the job, packet by packet, as Algorithm \
           1 says with ordered in the place of the high bias. A message is urgent below \
           `threshold`, and above it if latency is at least `urgency` of its time by Eq. 2.",
    always: &[
        DECIDE,
        "ordered-urgent",
        "ordered-bulk",
        "unordered-urgent",
        "unordered-bulk",
    ],
    plan,
};

fn plan(table: &mut Table<'_>) -> Result<Box<dyn RoutingPolicy>, Problem> {
    let urgency = table.read(
        Parameter::number(
            "urgency",
            Slingshot::URGENCY,
            "share of latency in the time of a message from which it is urgent",
        )
        .within(0.0, 1.0)
        .source("Odonata's own: whatever is larger"),
    )?;
    let ordered: String = table.read(
        Parameter::new(
            "ordered",
            Kind::Text,
            Default::Text("in-order"),
            "routing of ordered messages",
        )
        .source("fi_cxi(7): what must keep its order keeps its path"),
    )?;
    let mut class = |name, meaning| -> Result<Option<String>, Problem> {
        table.read(Parameter::derived(name, Kind::Text, meaning))
    };
    let urgent = class(
        "urgent_class",
        "class of urgent messages; default: `low-latency`, otherwise the first one",
    )?;
    let bulk = class(
        "bulk_class",
        "class of the others; default: `bulk-data`, otherwise the last one",
    )?;
    let (counter_read, cycle) = reading(table)?;
    let parameters = rows::parameters(table)?;
    Ok(Box::new(OrderAndClass {
        parameters,
        urgency,
        ordered,
        urgent,
        bulk,
        counter_read,
        cycle,
    }))
}

/// The policy of a job.
struct OrderAndClass {
    parameters: Parameters,
    urgency: f64,
    ordered: String,
    urgent: Option<String>,
    bulk: Option<String>,
    counter_read: Span,
    cycle: Span,
}

impl RoutingPolicy for OrderAndClass {
    /// Ordered before unordered, urgent before bulk: [`mode_index`] counts on it.
    fn send_modes(&self) -> Vec<SendMode> {
        let named = |name: &Option<String>, key, other| {
            let name = name.clone();
            name.map_or(other, |name| Class::Named(name, key))
        };
        let urgent = named(&self.urgent, "urgent_class", Class::Urgent);
        let bulk = named(&self.bulk, "bulk_class", Class::Bulk);
        let ordered = RoutingChoice {
            algorithm: self.ordered.clone(),
            parameters: Map::new(),
        };
        let mut send_modes = Vec::new();
        for routing in [Some(ordered), None] {
            for class in [&urgent, &bulk] {
                send_modes.push(SendMode {
                    name: ENTRY.always[1 + send_modes.len()],
                    routing: routing.clone(),
                    class: Some(class.clone()),
                });
            }
        }
        send_modes
    }

    fn at_nic(&self, seed: u64, meter: Meter) -> Box<dyn Decider> {
        let mut policy = Slingshot::new(seeded(self.parameters, seed), self.urgency);
        policy.rebase(&Counters::default());
        Box::new(SlingshotNic { policy, meter })
    }

    fn counter_read(&self) -> Span {
        self.counter_read
    }

    fn cycle(&self) -> Span {
        self.cycle
    }
}

/// The index of a send mode.
const fn mode_index(order: Order, urgency: Urgency) -> usize {
    match (order, urgency) {
        (Order::Ordered, Urgency::Urgent) => 0,
        (Order::Ordered, Urgency::Bulk) => 1,
        (Order::Unordered, Urgency::Urgent) => 2,
        (Order::Unordered, Urgency::Bulk) => 3,
    }
}

/// As [`shown`], but a NIC that paces itself, or holds a class at its ceiling, holds up its requests,
/// too: the preload library reads that in `oxe_stall_fgfc_blk`.
fn held(counters: &NicCounters) -> Counters {
    let shown = shown(counters);
    Counters {
        stalled: shown.stalled + counters.pacing_stall.ps(),
        ..shown
    }
}

/// Decider at one NIC.
struct SlingshotNic {
    policy: Slingshot,
    meter: Meter,
}

impl Decider for SlingshotNic {
    fn decide(&mut self, posting: &Posting) -> Decision {
        let service = self.policy.decide(posting.message, posting.may_overtake);
        Decision {
            send_mode: mode_index(service.order, service.urgency),
            reads_counters: service.reads_counters,
        }
    }

    fn observe(&mut self, counters: &NicCounters) {
        self.policy.observe(&held(counters), self.meter.units());
    }

    fn rebase(&mut self, counters: &NicCounters) {
        self.policy.rebase(&held(counters));
    }

    fn counts(&self) -> PolicyCounts {
        self.policy.counts()
    }

    fn seen(&self) -> Option<Observation> {
        self.policy.seen()
    }

    fn factors(&self) -> Factors {
        self.policy.policy().factors()
    }
}
