//! A recorded sequence of messages and counters, and what was decided: `data/recorded.csv`.
//!
//! Every user of the policy replays it, so that simulator and preload libraries decide the same.

use odonata_policy::{Counters, Message, Mode, Operation, Parameters, Policy, Units};

const RECORDED: &str = include_str!("data/recorded.csv");

#[test]
fn decisions_are_those_recorded() {
    let mut policy = Policy::new(Parameters::default());
    policy.observe(&Counters::default(), Units::ARIES);
    let mut given = [0; 3];
    for (number, line) in RECORDED.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let count = |index: usize| fields[index].parse::<u64>().unwrap();
        let decision = policy.decide(Message {
            bytes: count(0),
            operation: if fields[1] == "put" {
                Operation::Put
            } else {
                Operation::Get
            },
            alltoall: fields[2] == "true",
        });
        assert_eq!(decision.mode.name(), fields[7], "line {}", number + 1);
        given[Mode::ALL
            .iter()
            .position(|&mode| mode == decision.mode)
            .unwrap()] += 1;
        if decision.reads_counters {
            let [flits, stalled, packets, latency] = [3, 4, 5, 6].map(count);
            policy.observe(
                &Counters {
                    flits,
                    stalled,
                    packets,
                    latency,
                },
                Units::ARIES,
            );
        }
    }
    assert!(given.iter().all(|&count| count > 10), "{given:?}");
}
