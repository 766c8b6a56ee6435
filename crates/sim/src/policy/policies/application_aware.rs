//! Application-aware routing: Algorithm 1 among the modes of Aries.

use odonata_endpoint::NicCounters;
use odonata_policy::{Explore, Factors, Mode, Observation, Parameters, PolicyCounts};
use odonata_registry::{Problem, Table};
use odonata_units::Span;
use serde_json::Map;

use super::rows;
use crate::config::RoutingChoice;
use crate::policy::interface::{
    DECIDE, Decider, Decision, Meter, PolicyEntry, Posting, RoutingPolicy, SendMode, reading, shown,
};

pub(super) const ENTRY: PolicyEntry = PolicyEntry {
    name: "application-aware",
    summary: "chooses between no bias and a high bias towards minimal paths, by Algorithm 1",
    source: "De Sensi et al. 2019, section 4.2",
    rule: "Messages go with `adaptive-3` until their bytes add up to more than `threshold`. The \
           one that does is decided: the mode whose time by Eq. 2, with the latency and stalls last \
           read under it or estimated from the other mode, is smaller; `adaptive-1` stands for \
           `adaptive-0` in an alltoall. After it the counters of the NIC are read.",
    always: &[DECIDE, "adaptive-0", "adaptive-1", "adaptive-3"],
    plan,
};

fn plan(table: &mut Table<'_>) -> Result<Box<dyn RoutingPolicy>, Problem> {
    let (counter_read, cycle) = reading(table)?;
    let parameters = rows::parameters(table)?;
    Ok(Box::new(ApplicationAware {
        parameters,
        counter_read,
        cycle,
    }))
}

/// The policy of a job.
struct ApplicationAware {
    parameters: Parameters,
    counter_read: Span,
    cycle: Span,
}

impl RoutingPolicy for ApplicationAware {
    fn send_modes(&self) -> Vec<SendMode> {
        let send_mode = |mode: Mode| SendMode {
            name: mode.name(),
            routing: Some(RoutingChoice {
                algorithm: mode.name().to_owned(),
                parameters: Map::new(),
            }),
            class: None,
        };
        Mode::ALL.map(send_mode).to_vec()
    }

    fn at_nic(&self, seed: u64, meter: Meter) -> Box<dyn Decider> {
        let mut policy = odonata_policy::Policy::new(seeded(self.parameters, seed));
        policy.rebase(&odonata_policy::Counters::default());
        Box::new(AwareNic { policy, meter })
    }

    fn counter_read(&self) -> Span {
        self.counter_read
    }

    fn cycle(&self) -> Span {
        self.cycle
    }
}

/// These parameters with a seed for the draws of exploration.
pub(super) fn seeded(parameters: Parameters, seed: u64) -> Parameters {
    let exploration = parameters.exploration.map(|one| Explore { seed, ..one });
    Parameters {
        exploration,
        ..parameters
    }
}

/// Decider at one NIC.
struct AwareNic {
    policy: odonata_policy::Policy,
    meter: Meter,
}

impl Decider for AwareNic {
    fn decide(&mut self, posting: &Posting) -> Decision {
        let decision = self.policy.decide(posting.message);
        Decision {
            // The send modes are the modes of the algorithm, in their order.
            send_mode: decision.mode as usize,
            reads_counters: decision.reads_counters,
        }
    }

    fn observe(&mut self, counters: &NicCounters) {
        self.policy.observe(&shown(counters), self.meter.units());
    }

    fn rebase(&mut self, counters: &NicCounters) {
        self.policy.rebase(&shown(counters));
    }

    fn counts(&self) -> PolicyCounts {
        self.policy.counts()
    }

    fn seen(&self) -> Option<Observation> {
        self.policy.seen()
    }

    fn factors(&self) -> Factors {
        self.policy.factors()
    }
}

#[cfg(test)]
mod tests {
    use super::{Decider, Meter, Posting};
    use crate::policy::policies::policy;
    use odonata_endpoint::NicCounters;
    use odonata_network::Parameters;
    use odonata_policy::{Message, Mode, Operation};
    use odonata_units::Span;
    use serde_json::json;

    const RECORDED: &str = include_str!("../../../../policy/tests/data/recorded.csv");

    /// The NIC of the paper: requests of 64 B in 5 flits.
    fn aries() -> Parameters {
        Parameters {
            packet_bytes: 80,
            flit_bytes: 16,
            header_bytes: 16,
            response_bytes: 16,
            ..odonata_reference::testing::kang2022()
        }
    }

    fn at_nic(given: &serde_json::Value) -> Box<dyn Decider> {
        let given = given.as_object().cloned().unwrap_or_default();
        let Ok(plan) = policy(&given) else {
            panic!("a policy without parameters: {given:?}");
        };
        plan.at_nic(0, Meter::new(&aries(), plan.cycle()))
    }

    fn message(bytes: u64) -> Posting {
        Posting {
            message: Message {
                bytes,
                operation: Operation::Put,
                alltoall: false,
            },
            may_overtake: false,
        }
    }

    /// What every user of the policy replays, shown as a simulated NIC counts it.
    #[test]
    fn decisions_are_those_recorded() {
        let mut decider = at_nic(&json!({"kind": "application-aware", "extensions": []}));
        for (number, line) in RECORDED.lines().enumerate().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let count = |index: usize| fields[index].parse::<u64>().unwrap_or(u64::MAX);
            let operation = match fields[1] {
                "put" => Operation::Put,
                _ => Operation::Get,
            };
            let decision = decider.decide(&Posting {
                message: Message {
                    bytes: count(0),
                    operation,
                    alltoall: fields[2] == "true",
                },
                may_overtake: false,
            });
            let mode = Mode::ALL[decision.send_mode].name();
            assert_eq!(mode, fields[7], "line {}", number + 1);
            if decision.reads_counters {
                let [flits, stalled, packets, latency] = [3, 4, 5, 6].map(count);
                decider.observe(&NicCounters {
                    request_flits: flits,
                    request_credit_stall: Span::from_ps(stalled * 1_250),
                    round_trips: packets,
                    round_trip_time: Span::from_ps(latency * 1_000_000),
                    ..NicCounters::default()
                });
            }
        }
        assert!(decider.counts().decisions > 100);
    }

    /// What a NIC has counted after so many messages of 64 KiB more, with these stalls.
    struct Nic(NicCounters);

    impl Nic {
        /// A packet takes 3 us and every flit waits for `stalls` cycles.
        fn send(&mut self, stalls: u64) {
            self.0.request_flits += 5_120;
            self.0.request_credit_stall += Span::from_ps(1_250 * stalls * 5_120);
            self.0.round_trips += 1_024;
            self.0.round_trip_time += Span::from_ps(3_000_000 * 1_024);
        }
    }

    /// `docs/model/policy.md`: the decision after the one that has seen stalls changes the mode,
    /// and the way back is open `expiry + 1` decisions later.
    #[test]
    fn stalls_change_the_mode_in_the_stated_number_of_messages_and_back() {
        for expiry in [1_usize, 5, 9] {
            let mut decider =
                at_nic(&json!({"kind": "application-aware", "extensions": [], "expiry": expiry}));
            let mut nic = Nic(NicCounters::default());
            let mut modes = Vec::new();
            // Quiet, then stalled under the mode in force, then quiet again.
            for number in 0..60 {
                let decision = decider.decide(&message(65_536));
                let is_biased = Mode::ALL[decision.send_mode] == Mode::Adaptive3;
                modes.push(is_biased);
                let stalls = if (20..40).contains(&number) && is_biased {
                    20
                } else {
                    0
                };
                nic.send(stalls);
                decider.observe(&nic.0);
            }
            let changes: Vec<usize> = (1..60).filter(|&at| modes[at] != modes[at - 1]).collect();
            assert!(
                !modes[0] && modes[1],
                "one message shows that there are no stalls"
            );
            assert_eq!(changes[1], 21, "one message shows the stalls: {changes:?}");
            // Without stalls the way back waits until the observation of the biased mode is too
            // old.
            assert_eq!(changes[2], 21 + expiry + 1, "{changes:?}");
            let last = *changes.last().unwrap_or(&0);
            assert!(last <= 40 + expiry + 1, "expiry {expiry}: {changes:?}");
            assert!(modes[59], "back");
        }
    }
}
