//! The policies at one node: each decides before a message of its job is posted, and pays for it.
//!
//! A job decides at each NIC for itself, by the counters of that NIC. Reading counters takes the
//! time of the job's ranks on the node: until it is over, what they post waits, and what arrives
//! for them is noticed at the end of it. Messages keep their order either way.

use std::collections::VecDeque;

use odonata_endpoint::{Message, Nic, NicCounters};
use odonata_mpi::header::{Envelope, MessageKind};
use odonata_policy::Operation;
use odonata_units::{Instant, Span};

use crate::policy::decisions::Log;
use crate::policy::interface::{Decider, Posting};

/// Routing mode and class that a send mode stands for; no class: that of the job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    pub(crate) mode: u8,
    pub(crate) class: Option<u8>,
}

/// Whether messages of the policy were the last, or some that it did not decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    /// Nothing was sent yet.
    None,
    /// One of the policy, in this way.
    Steered(usize),
    Fixed,
}

/// Decider at one NIC.
struct NicDecider {
    decider: Box<dyn Decider>,
    last: Last,
}

/// Decider of one job at one node, and its record.
pub(crate) struct Steering {
    /// By NIC of the node.
    nics: Box<[NicDecider]>,
    /// `[send_mode]`.
    marks: Box<[Mark]>,
    counter_read: Span,
    busy_until: Instant,
    /// Posted while the ranks were busy.
    outgoing: VecDeque<Message>,
    /// Arrived while they were busy.
    incoming: VecDeque<Message>,
    log: Log,
    readings: u64,
}

/// Deciders at one node, for each of its jobs that has a policy.
pub(crate) struct Steerings(Vec<(u8, Steering)>);

impl Steerings {
    /// The steerings of these jobs; `None` if there are none.
    pub(crate) fn new(jobs: Vec<(u8, Steering)>) -> Option<Box<Self>> {
        (!jobs.is_empty()).then(|| Box::new(Self(jobs)))
    }

    /// The steering of a job, if it has a policy.
    pub(crate) fn of(&self, job: u8) -> Option<&Steering> {
        let found = self.0.iter().find(|(number, _)| *number == job);
        found.map(|(_, steering)| steering)
    }

    /// The steering of a job, to decide.
    pub(crate) fn of_mut(&mut self, job: u8) -> Option<&mut Steering> {
        let found = self.0.iter_mut().find(|(number, _)| *number == job);
        found.map(|(_, steering)| steering)
    }

    /// Every job that has one.
    pub(crate) fn each_mut(&mut self) -> impl Iterator<Item = (u8, &mut Steering)> {
        self.0.iter_mut().map(|(job, steering)| (*job, steering))
    }

    /// When something that waits can go on; [`Instant::NEVER`] if nothing waits.
    pub(crate) fn next_wake(&self) -> Instant {
        let wakes = self.0.iter().map(|(_, steering)| steering.next_wake());
        wakes.min().unwrap_or(Instant::NEVER)
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, steering)| steering.is_empty())
    }
}

impl Steering {
    /// Nothing is decided yet; `[nic]` of the node: what decides there.
    pub(crate) fn new(
        deciders: Vec<Box<dyn Decider>>,
        marks: Box<[Mark]>,
        counter_read: Span,
        bin: Span,
    ) -> Self {
        let log = Log::new(marks.len(), bin);
        let at_nic = |decider| NicDecider {
            decider,
            last: Last::None,
        };
        Self {
            nics: deciders.into_iter().map(at_nic).collect(),
            marks,
            counter_read,
            busy_until: Instant::ZERO,
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
            log,
            readings: 0,
        }
    }

    /// Whether counters are read at `now`.
    fn is_busy(&self, now: Instant) -> bool {
        now < self.busy_until
    }

    /// When what waits can go on; [`Instant::NEVER`] if nothing does.
    pub(crate) fn next_wake(&self) -> Instant {
        if self.is_empty() {
            Instant::NEVER
        } else {
            self.busy_until
        }
    }

    /// Whether nothing waits.
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

    /// A message goes to NIC `by` as somebody else has said. The first one ends a turn of the policy:
    /// what its messages did is read before others do something.
    pub(crate) fn passed_by(&mut self, now: Instant, by: u8, nic: &impl Nic) {
        let at = &mut self.nics[usize::from(by)];
        if let Last::Steered(send_mode) = at.last {
            at.last = Last::Fixed;
            self.observe(now, by, send_mode, &nic.counters(by));
        }
    }

    /// The decider of NIC `by` is shown its counters.
    fn observe(&mut self, now: Instant, by: u8, send_mode: usize, counters: &NicCounters) {
        let decider = &mut self.nics[usize::from(by)].decider;
        let before = decider.counts().observations;
        decider.observe(counters);
        if decider.counts().observations > before
            && let Some(seen) = decider.seen()
        {
            self.log.observed(now, send_mode, seen);
        }
    }

    /// Decides on `message`, which is posted at `now`, by what its NIC has counted, and gives it to
    /// that NIC.
    pub(crate) fn post(&mut self, now: Instant, message: Message, nic: &mut impl Nic) {
        let by = message.nic;
        let at = &mut self.nics[usize::from(by)];
        if matches!(at.last, Last::Fixed) {
            // Readings at both ends of a turn belong to the comparison: without turns there are none.
            at.decider.rebase(&nic.counters(by));
        }
        let decision = at.decider.decide(&posting(&message));
        let send_mode = decision.send_mode;
        at.last = Last::Steered(send_mode);
        let Mark { mode, class } = self.marks[send_mode];
        self.log
            .note(now, by, send_mode, message.bytes, decision.reads_counters);
        nic.send(Message {
            mode,
            class: class.unwrap_or(message.class),
            ..message
        });
        if decision.reads_counters {
            self.observe(now, by, send_mode, &nic.counters(by));
            self.readings += 1;
            self.busy_until = self.busy_until.max(now) + self.counter_read;
        }
    }

    /// Deciders, by NIC.
    pub(crate) fn deciders(&self) -> impl Iterator<Item = &dyn Decider> {
        self.nics.iter().map(|at| &*at.decider)
    }

    /// Log of its decisions.
    pub(crate) const fn log(&self) -> &Log {
        &self.log
    }

    /// Readings of counters, and the time they took.
    pub(crate) fn readings(&self) -> (u64, Span) {
        (self.readings, self.counter_read * self.readings)
    }
}

/// A message as a policy sees it. All data go in requests, those of a rendezvous and of a get too:
/// the NIC that has them sends them, and for it every message is a put.
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
    use super::{Instant, Mark, Message, Nic, NicCounters, Span, Steering};
    use crate::build::inputs::Inputs;
    use crate::build::jobs::place_jobs;
    use crate::build::machine::machine;
    use crate::config::Config;
    use crate::policy::decisions::Cell;
    use crate::policy::interface::Meter;
    use crate::policy::policies::policy;
    use odonata_endpoint::{Endpoint, Role};
    use odonata_mpi::header::{Envelope, MessageKind};
    use odonata_network::{Team, Users};
    use odonata_reference::simulate as reference_model;
    use odonata_reference::testing::simulate_recorded;
    use odonata_units::NodeId;
    use serde_json::{Value, json};

    /// A NIC that takes everything; what each NIC of the node has counted.
    #[derive(Default)]
    struct Taken(Vec<Message>, [NicCounters; 2]);

    impl Nic for Taken {
        fn send(&mut self, message: Message) {
            self.0.push(message);
        }

        fn counters(&self, nic: u8) -> NicCounters {
            self.1[usize::from(nic)]
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
            role: Role::Request,
            is_ordered: false,
        }
    }

    fn steering(given: &Value, marks: &[Mark]) -> Steering {
        let given = given.as_object().cloned().unwrap_or_default();
        let Ok(plan) = policy(&given) else {
            panic!("no such policy: {given:?}");
        };
        let meter = Meter::new(&odonata_reference::testing::kang2022(), plan.cycle());
        let decider = || plan.at_nic(1, meter);
        Steering::new(
            vec![decider(), decider()],
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
        // Where a turn begins and ends counters are read at no cost.
        steering.passed_by(at(650), 0, &nic);
        steering.post(at(700), eager(6), &mut nic);
        assert!(!steering.delays(at(701), eager(7)) && steering.readings().0 == 1);
    }

    #[test]
    fn on_slingshot_what_is_matched_keeps_its_order_and_small_is_urgent() {
        let mark = |mode, class| Mark {
            mode,
            class: Some(class),
        };
        let marks = [mark(1, 0), mark(1, 3), mark(0, 0), mark(0, 3)];
        let mut steering = steering(&json!({"kind": "slingshot", "extensions": []}), &marks);
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

    /// Each NIC shows its own counters, and the messages of a NIC go by what that one showed.
    #[test]
    fn a_nic_decides_by_its_own_counters() {
        let marks = [10, 11, 13].map(|mode| Mark { mode, class: None });
        let given = json!({"kind": "application-aware", "counter_read": 0, "extensions": []});
        let mut steering = steering(&given, &marks);
        let mut nic = Taken::default();
        let by = |nic| Message {
            nic,
            ..message(MessageKind::Eager, 65_536, false)
        };
        for number in 1..=8_u64 {
            // The second NIC is stalled under whatever it does, the first is not.
            for (counted, stalls) in nic.1.iter_mut().zip([0, 40]) {
                counted.request_flits += 5_120;
                counted.request_credit_stall += Span::from_ps(1_250 * stalls * 5_120);
                counted.round_trips += 1_024;
                counted.round_trip_time += Span::from_ps(3_000_000 * 1_024);
            }
            steering.post(at(number), by(0), &mut nic);
            steering.post(at(number), by(1), &mut nic);
        }
        let modes = |which: u8| -> Vec<u8> {
            let sent = nic.0.iter().filter(|one| one.nic == which);
            sent.map(|one| one.mode).collect()
        };
        // No stalls: the high bias is better by its latency, from the first observation on. Stalls:
        // it is estimated to have five times as many.
        assert_eq!(modes(0), [10, 13, 13, 13, 13, 13, 13, 13]);
        assert_eq!(modes(1), [10; 8]);
        let seen: Vec<f64> = (steering.deciders())
            .filter_map(|one| one.seen().map(|seen| seen.stalls()))
            .collect();
        assert!(seen[0] < 1e-9 && seen[1] > 3.0, "{seen:?}");
        assert_eq!(steering.readings().0, 16);
        // A turn ends at one NIC: what its last message did is seen, what others do is not, and neither
        // is anything to the other NIC.
        let seen = |steering: &Steering| -> Vec<u64> {
            let deciders = steering.deciders();
            deciders.map(|one| one.counts().observations).collect()
        };
        let before = seen(&steering);
        let counts = |nic: &mut Taken| {
            nic.1[1].request_flits += 5;
            nic.1[1].round_trips += 1;
            nic.1[1].round_trip_time += Span::from_ps(1_000_000);
        };
        counts(&mut nic);
        steering.passed_by(at(19), 1, &nic);
        counts(&mut nic);
        steering.passed_by(at(19), 1, &nic);
        steering.post(at(20), by(1), &mut nic);
        assert_eq!(seen(&steering), [before[0], before[1] + 1]);
        assert_eq!(steering.readings().0, 17);
    }

    /// A small Aries system, nodes with so many NICs, and these jobs.
    fn aries(nics: u32, stripe: Option<u64>, jobs: &Value) -> Config {
        let link = |latency: u64| json!({"bandwidth_bytes_per_s": 5_000_000_000_u64, "latency_ps": latency});
        let mut value = json!({
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
                "node": {"nics": nics, "stripe_bytes": stripe},
            },
            "routing": {"algorithm": "adaptive-0"},
            "jobs": jobs,
            "stop": {"time_ps": 1_000_000_000_000_u64},
        });
        if stripe.is_none() {
            value["system"]["node"] = json!({ "nics": nics });
        }
        match serde_json::from_value(value) {
            Ok(config) => config,
            Err(error) => panic!("the configuration is complete: {error}"),
        }
    }

    /// Counts of each decider, by node, job and NIC.
    type DeciderCounts = Vec<(u8, usize, odonata_policy::PolicyCounts)>;

    fn decider_counts<'a>(
        all: impl Iterator<Item = &'a crate::build::service::Served>,
    ) -> (DeciderCounts, Vec<Cell>) {
        let (mut counts_of_all, mut cells) = (Vec::new(), Vec::new());
        let every = all.filter_map(|one| one.steering.as_ref());
        for (job, steering) in every.flat_map(|all| all.0.iter()) {
            cells.extend(steering.log().totals());
            let here = steering.deciders().enumerate();
            counts_of_all.extend(here.map(|(nic, at)| (*job, nic, at.counts())));
        }
        (counts_of_all, cells)
    }

    /// Engine and reference model send every packet at the same instant, in the same mode and
    /// class, and the policies of both have done the same. Packets, and what was done.
    fn agree(config: &Config) -> (usize, DeciderCounts) {
        let inputs = Inputs::default();
        let machine = machine(config, &inputs, 1).unwrap_or_else(|error| panic!("{error}"));
        let placed = || {
            let placed = place_jobs(config, &machine, &inputs, Team::alone(1));
            placed.unwrap_or_else(|error| panic!("{error}"))
        };
        let users = || {
            let placed = placed();
            Users {
                endpoints: placed.endpoints,
                sharing: placed.sharing,
            }
        };
        let until = Instant::from_ps(1 << 40);
        let shape = || std::sync::Arc::clone(&machine.topology);
        let reference = reference_model(
            shape(),
            &machine.routing,
            &machine.parameters,
            users(),
            until,
        );
        assert!(reference.endpoints.iter().all(Endpoint::is_finished));
        let expected = decider_counts(reference.endpoints.iter());
        for threads in [1, 3] {
            let run = simulate_recorded(
                shape(),
                &machine.routing,
                &machine.parameters,
                users(),
                until,
                threads,
            );
            let Ok((records, after)) = run else {
                panic!("a network that can be simulated");
            };
            assert!(
                records == reference.records,
                "{threads} threads: packets differ"
            );
            let found = decider_counts(after.iter());
            assert_eq!(found, expected, "{threads} threads: policies differ");
        }
        (reference.records.len(), expected.0)
    }

    fn sum(decided: &DeciderCounts, value: fn(&odonata_policy::PolicyCounts) -> u64) -> u64 {
        decided.iter().map(|(_, _, counts)| value(counts)).sum()
    }

    #[test]
    fn engine_and_reference_model_agree_under_policies() {
        let halo = json!({"kind": "halo3d", "ranks": 27, "grid": [3, 3, 3], "face": 9_000,
                          "iterations": 4});
        let alltoall = json!({"kind": "alltoall", "ranks": 16, "message": 3_000, "iterations": 6});
        let turns = json!([{"algorithm": "adaptive-0"}, {"algorithm": "minimal"}]);
        let (packets, decided) = agree(&aries(
            1,
            None,
            &json!([
                {"name": "halo", "role": "victim", "placement": {"kind": "random-node"},
                 "workload": halo, "alternated": turns,
                 "policy": {"kind": "application-aware", "counter_read": 200_000,
                            "extensions": ["exploration", "damping", "learning"]}},
                {"name": "alltoall", "role": "victim", "placement": {"kind": "random-node"},
                 "workload": alltoall,
                 "policy": {"kind": "slingshot", "counter_read": 100_000}},
            ]),
        ));
        assert!(packets > 5_000, "{packets}");
        assert!(sum(&decided, |counts| counts.decisions) > 200);
        assert!(sum(&decided, |counts| counts.changes) > 20);
        assert!(sum(&decided, |counts| counts.small) > 50);
        assert!(sum(&decided, |counts| counts.observations) > 100);
    }

    /// Nodes with two NICs that jobs share, each with a policy of its own or none; puts and gets.
    #[test]
    fn engine_and_reference_model_agree_where_nodes_are_shared_and_have_several_nics() {
        let shared = |name: &str, workload: Value, policy: Value| {
            json!({"name": name, "role": "victim", "placement": {"kind": "contiguous"},
                   "ranks_per_node": 2, "share_nodes": true, "workload": workload,
                   "policy": policy})
        };
        let halo = json!({"kind": "halo3d", "ranks": 12, "grid": [2, 2, 3], "face": 9_000,
                          "iterations": 2});
        let puts = json!({"kind": "gpcnet-put-incast", "ranks": 10, "iterations": 4});
        let gets = json!({"kind": "gpcnet-get-bcast", "ranks": 6, "iterations": 4});
        let plain = json!({"kind": "alltoall", "ranks": 4, "message": 3_000});
        let variants = [
            (None, "requests"),
            (Some(4_000), "requests"),
            (None, "responses"),
            (Some(4_000), "responses"),
        ];
        for (stripe, get_data) in variants {
            let explores = json!({"kind": "application-aware", "counter_read": 200_000,
                                  "extensions": ["exploration"]});
            let mut jobs = json!([
                shared("halo", halo.clone(), explores),
                shared(
                    "puts",
                    puts.clone(),
                    json!({"kind": "slingshot", "counter_read": 100_000, "extensions": []})
                ),
                shared("gets", gets.clone(), json!({"kind": "application-aware"})),
                shared("plain", plain.clone(), Value::Null),
            ]);
            if let Some(job) = jobs[3].as_object_mut() {
                job.remove("policy");
            }
            if get_data == "responses" {
                // Both classes with data among the responses need more than 32 virtual channels.
                jobs[1]["policy"] = json!({"kind": "application-aware", "extensions": []});
            }
            let mut config = aries(2, stripe, &jobs);
            if get_data == "responses" {
                config.system.qos = None;
                config
                    .system
                    .nic
                    .insert("get_data".to_owned(), json!(get_data));
            }
            let (packets, decided) = agree(&config);
            assert!(packets > 2_000, "{packets}");
            for job in [0, 1] {
                for nic in [0, 1] {
                    let here = decided.iter().filter(|one| (one.0, one.1) == (job, nic));
                    let here: DeciderCounts = here.copied().collect();
                    let decisions = sum(&here, |counts| counts.decisions);
                    assert!(
                        decisions > 10,
                        "job {job}, NIC {nic}: {decisions} decisions"
                    );
                    let seen = sum(&here, |counts| counts.observations);
                    assert!(seen > 5, "job {job}, NIC {nic}: {seen} observations");
                }
            }
            // The data of a get are sent, and decided on, where they are.
            let gets: DeciderCounts = decided.iter().filter(|one| one.0 == 2).copied().collect();
            let most = gets.iter().map(|(_, _, counts)| counts.decisions).max();
            assert!(most.is_some_and(|most| most > 5), "{gets:?}");
            assert!(decided.iter().all(|(job, _, _)| *job < 3), "{decided:?}");
        }
    }
}
