//! The policy of a job at one NIC: decides before each message is posted, and pays for it.
//!
//! Reading counters takes the node's time: until it is over, what its ranks post waits, and what
//! arrives is noticed at the end of it. Messages keep their order either way.

use std::collections::VecDeque;

use odonata_mpi::header::{Envelope, MessageKind};
use odonata_network::{Message, Nic};
use odonata_policy::Operation;
use odonata_units::{Instant, Span};

use crate::decisions::Log;
use crate::policy::{Decider, Posting};

/// Mode and class that a way stands for; no class: that of the job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) mode: u8,
    pub(crate) class: Option<u8>,
}

/// Whether messages of the policy were the last, or some that it did not decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Steered,
    Fixed,
}

/// What decides at one NIC, and what it has done.
pub(crate) struct Steering {
    decider: Box<dyn Decider>,
    /// `[way]`.
    marks: Box<[Mark]>,
    counter_read: Span,
    busy_until: Instant,
    /// Posted while the node was busy.
    outgoing: VecDeque<Message>,
    /// Arrived while the node was busy.
    incoming: VecDeque<Message>,
    last: Last,
    log: Log,
    readings: u64,
}

impl Steering {
    /// Nothing is decided yet.
    pub(crate) fn new(
        decider: Box<dyn Decider>,
        marks: Box<[Mark]>,
        counter_read: Span,
        bin: Span,
    ) -> Self {
        let log = Log::new(marks.len(), bin);
        Self {
            decider,
            marks,
            counter_read,
            busy_until: Instant::ZERO,
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
            last: Last::Steered,
            log,
            readings: 0,
        }
    }

    /// Whether the node reads counters at `now`.
    fn is_busy(&self, now: Instant) -> bool {
        now < self.busy_until
    }

    /// When what waits for the node can go on; [`Instant::NEVER`] if nothing does.
    pub(crate) fn next_wake(&self) -> Instant {
        if self.is_empty() {
            Instant::NEVER
        } else {
            self.busy_until
        }
    }

    /// Whether nothing waits for the node.
    pub(crate) fn is_empty(&self) -> bool {
        self.outgoing.is_empty() && self.incoming.is_empty()
    }

    /// Whether a message that arrives at `now` has to wait; then it is kept.
    pub(crate) fn holds(&mut self, now: Instant, message: &Message) -> bool {
        let waits = self.is_busy(now) || !self.incoming.is_empty();
        if waits {
            self.incoming.push_back(*message);
        }
        waits
    }

    /// The next message that has arrived and can be noticed at `now`.
    pub(crate) fn noticed(&mut self, now: Instant) -> Option<Message> {
        if self.is_busy(now) {
            return None;
        }
        self.incoming.pop_front()
    }

    /// The next message that was posted and can go to the NIC at `now`.
    pub(crate) fn released(&mut self, now: Instant) -> Option<Message> {
        if self.is_busy(now) {
            return None;
        }
        self.outgoing.pop_front()
    }

    /// Whether a message that is posted at `now` has to wait; then it is kept.
    pub(crate) fn delays(&mut self, now: Instant, message: Message) -> bool {
        let waits = self.is_busy(now) || !self.outgoing.is_empty();
        if waits {
            self.outgoing.push_back(message);
        }
        waits
    }

    /// A message goes to the NIC as somebody else has said.
    pub(crate) const fn passed_by(&mut self) {
        self.last = Last::Fixed;
    }

    /// Decides on `message`, which is posted at `now`, and gives it to the NIC.
    pub(crate) fn post(&mut self, now: Instant, message: Message, nic: &mut impl Nic) {
        if self.last == Last::Fixed {
            self.last = Last::Steered;
            self.decider.rebase(&nic.counters());
            self.read(now);
        }
        let decision = self.decider.decide(&posting(&message));
        let way = decision.way;
        let Mark { mode, class } = self.marks[way];
        self.log
            .note(now, way, message.bytes, decision.reads_counters);
        nic.send(Message {
            mode,
            class: class.unwrap_or(message.class),
            ..message
        });
        if decision.reads_counters {
            let before = self.decider.tally().observations;
            self.decider.observe(&nic.counters());
            if self.decider.tally().observations > before
                && let Some(seen) = self.decider.seen()
            {
                self.log.observed(now, way, seen);
            }
            self.read(now);
        }
    }

    /// The node reads counters from `now` on, or goes on to.
    fn read(&mut self, now: Instant) {
        self.readings += 1;
        self.busy_until = self.busy_until.max(now) + self.counter_read;
    }

    /// What decides.
    pub(crate) fn decider(&self) -> &dyn Decider {
        &*self.decider
    }

    /// What it has decided.
    pub(crate) const fn log(&self) -> &Log {
        &self.log
    }

    /// Readings of counters, and the time they took.
    pub(crate) fn readings(&self) -> (u64, Span) {
        (self.readings, self.counter_read * self.readings)
    }
}

/// A message as a policy sees it. All data go in requests, those of a rendezvous too: for a policy
/// every message is a put.
fn posting(message: &Message) -> Posting {
    let envelope = Envelope::decode(&message.header);
    let is_matched = matches!(envelope.kind, MessageKind::Eager | MessageKind::Rts);
    Posting {
        message: odonata_policy::Message {
            bytes: message.bytes,
            operation: Operation::Put,
            alltoall: envelope.alltoall,
        },
        may_overtake: !is_matched,
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Mark, Message, Nic, Span, Steering};
    use crate::config::Config;
    use crate::inputs::Inputs;
    use crate::jobs::place_jobs;
    use crate::machine::machine;
    use crate::policies::policy;
    use crate::policy::Meter;
    use odonata_mpi::header::{Envelope, MessageKind};
    use odonata_network::{NicCounters, simulate_recorded};
    use odonata_reference::simulate;
    use odonata_units::NodeId;
    use serde_json::{Value, json};

    /// A NIC that takes everything and has counted nothing.
    #[derive(Default)]
    struct Taken(Vec<Message>);

    impl Nic for Taken {
        fn send(&mut self, message: Message) {
            self.0.push(message);
        }

        fn counters(&self) -> NicCounters {
            NicCounters::default()
        }
    }

    fn message(kind: MessageKind, bytes: u64, alltoall: bool) -> Message {
        let envelope = Envelope {
            kind,
            context: 0,
            tag: 0,
            source: 0,
            sequence: 0,
            bytes,
            send_slot: 0,
            receive_slot: 0,
            repetition: 0,
            alltoall,
        };
        Message {
            source: NodeId(0),
            target: NodeId(1),
            bytes,
            header: envelope.encode(0),
            mode: 0,
            class: 7,
            sender: 0,
            nic: 0,
            job: 0,
        }
    }

    fn steering(given: &Value, marks: &[Mark]) -> Steering {
        let given = given.as_object().cloned().unwrap_or_default();
        let Ok(plan) = policy(&given) else {
            panic!("no such policy: {given:?}");
        };
        let meter = Meter::new(&odonata_reference::testing::kang2022(), plan.cycle());
        let decider = plan.at_nic(1, meter);
        Steering::new(
            decider,
            marks.into(),
            plan.counter_read(),
            Span::from_ps(1_000),
        )
    }

    const NS: u64 = 1_000;

    fn at(ns: u64) -> Instant {
        Instant::from_ps(ns * NS)
    }

    #[test]
    fn a_reading_takes_the_time_of_the_node_and_keeps_the_order() {
        let marks = [11, 12, 13].map(|mode| Mark { mode, class: None });
        let given = json!({"kind": "application-aware", "counter_read": 600 * NS});
        let mut steering = steering(&given, &marks);
        let mut nic = Taken::default();
        let eager = |bytes| message(MessageKind::Eager, bytes, false);
        // Below the threshold: the high bias, no reading.
        assert!(!steering.delays(at(0), eager(4_096)));
        steering.post(at(0), eager(4_096), &mut nic);
        assert_eq!((nic.0[0].mode, nic.0[0].class, nic.0.len()), (13, 7, 1));
        assert!(!steering.delays(at(10), eager(1)));
        steering.post(at(10), message(MessageKind::Eager, 1, true), &mut nic);
        assert_eq!(nic.0[1].mode, 12, "decided, in an alltoall");
        // The reading lasts from 10 to 610.
        assert!(steering.delays(at(20), eager(2)) && steering.delays(at(609), eager(3)));
        assert!(steering.holds(at(300), &eager(4)));
        assert_eq!(steering.next_wake(), at(610));
        assert!(steering.released(at(609)).is_none() && steering.noticed(at(609)).is_none());
        // What comes at its very end is behind what has waited.
        assert!(steering.holds(at(610), &eager(5)));
        let noticed: Vec<u64> = std::iter::from_fn(|| steering.noticed(at(610)))
            .map(|message| message.bytes)
            .collect();
        assert_eq!(noticed, [4, 5]);
        let released: Vec<u64> = std::iter::from_fn(|| steering.released(at(610)))
            .map(|message| message.bytes)
            .collect();
        assert_eq!(released, [2, 3]);
        assert!(steering.is_empty() && steering.next_wake() == Instant::NEVER);
        assert_eq!(steering.readings(), (1, Span::from_ps(600 * NS)));
        // Behind a message that it did not decide, counters are read to know where they stand.
        steering.passed_by();
        steering.post(at(700), eager(6), &mut nic);
        assert!(steering.delays(at(1_299), eager(7)) && steering.readings().0 == 2);
    }

    #[test]
    fn on_slingshot_what_is_matched_keeps_its_order_and_small_is_urgent() {
        let mark = |mode, class| Mark {
            mode,
            class: Some(class),
        };
        let marks = [mark(1, 0), mark(1, 3), mark(0, 0), mark(0, 3)];
        let mut steering = steering(&json!({"kind": "slingshot"}), &marks);
        let mut nic = Taken::default();
        for (kind, bytes) in [
            (MessageKind::Eager, 8),
            (MessageKind::Eager, 16_000),
            (MessageKind::Data, 1_000_000),
            (MessageKind::Get, 64),
        ] {
            steering.post(at(0), message(kind, bytes, false), &mut nic);
        }
        let sent: Vec<(u8, u8)> = nic.0.iter().map(|one| (one.mode, one.class)).collect();
        // Nothing was observed: Algorithm 1 stays with unordered where it decides.
        assert_eq!(sent, [(1, 0), (1, 3), (0, 3), (1, 0)]);
    }

    fn two_jobs() -> Config {
        let link = |latency: u64| json!({"bandwidth_bytes_per_s": 5_000_000_000_u64, "latency_ps": latency});
        let halo = json!({"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": 9_000,
                          "iterations": 4});
        let alltoall = json!({"kind": "alltoall", "ranks": 16, "message": 3_000, "iterations": 6});
        let turns = json!([{"algorithm": "adaptive-0"}, {"algorithm": "minimal"}]);
        let value = json!({
            "seed": 4,
            "system": {
                "topology": {
                    "kind": "aries", "groups": 4, "rows": 2, "columns": 3, "nodes_per_router": 2,
                    "column_links": 1, "global_ports_per_router": 2, "chassis_per_cabinet": 1,
                },
                "links": {"host": link(10_000), "local": link(20_000), "global": link(90_000)},
                "router": {
                    "architecture": "voq", "latency_ps": 50_000, "credit_delay_ps": 5_000,
                    "input_buffer_bytes": 1_600,
                },
                "packet": {"size_bytes": 80, "flit_bytes": 16, "header_bytes": 16},
                "nic": {"buffer_packets": 1, "response_bytes": 16, "outstanding": 64},
                "qos": {"window_ps": 5_000_000, "monitor": "static", "classes": [
                    {"name": "fast", "cap_ppm": 500_000}, {"name": "slow", "cap_ppm": 500_000},
                ]},
                "mpi": {"preset": "firefly-kang2022"},
            },
            "routing": {"algorithm": "adaptive-0"},
            "jobs": [
                {"name": "halo", "role": "victim", "placement": {"kind": "random-node"},
                 "workload": halo, "alternated": turns,
                 "policy": {"kind": "application-aware", "counter_read": 200_000,
                            "extensions": ["exploration", "damping", "learning"]}},
                {"name": "alltoall", "role": "victim", "placement": {"kind": "random-node"},
                 "workload": alltoall,
                 "policy": {"kind": "slingshot", "counter_read": 100_000}},
            ],
            "stop": {"time_ps": 1_000_000_000_000_u64},
        });
        match serde_json::from_value(value) {
            Ok(config) => config,
            Err(error) => panic!("the configuration is complete: {error}"),
        }
    }

    /// Engine and slow twin send every packet at the same instant, in the same mode and class, and
    /// the policies of both have done the same.
    #[test]
    fn engine_and_twin_agree_under_policies() {
        let config = two_jobs();
        let inputs = Inputs::default();
        let machine = machine(&config, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let users = || {
            let placed = place_jobs(&config, &machine, &inputs);
            placed.unwrap_or_else(|error| panic!("{error}")).endpoints
        };
        let until = Instant::from_ps(1 << 40);
        let shape = || std::sync::Arc::clone(&machine.topology);
        let twin = simulate(
            shape(),
            &machine.routing,
            &machine.parameters,
            users(),
            until,
        );
        let tallies = |all: &[&crate::service::Served]| -> Vec<_> {
            let steering = all.iter().filter_map(|one| one.steering.as_ref());
            let told = steering.map(|one| (one.decider().tally(), one.log().totals()));
            told.collect()
        };
        let expected = tallies(&twin.endpoints.iter().collect::<Vec<_>>());
        for threads in [1, 3] {
            let run = simulate_recorded(
                shape(),
                &machine.routing,
                &machine.parameters,
                users(),
                (until, threads),
            );
            let Ok((records, network)) = run else {
                panic!("a network that can be simulated");
            };
            assert!(records == twin.records, "{threads} threads: packets differ");
            let found = tallies(&network.endpoints().collect::<Vec<_>>());
            assert_eq!(found, expected, "{threads} threads: policies differ");
        }
        assert!(twin.records.len() > 5_000, "{}", twin.records.len());
        let sum = |value: fn(&odonata_policy::Tally) -> u64| -> u64 {
            expected.iter().map(|(tally, _)| value(tally)).sum()
        };
        assert!(sum(|tally| tally.decisions) > 200 && sum(|tally| tally.changes) > 20);
        assert!(sum(|tally| tally.small) > 50 && sum(|tally| tally.observations) > 100);
    }
}
