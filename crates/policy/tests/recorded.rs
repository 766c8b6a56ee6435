//! A recorded sequence of messages and counters, and what was decided: `data/recorded.csv`.
//!
//! Every user of the policy replays it, so that simulator and preload libraries decide the same.

use odonata_policy::{Counters, Mode, Parameters, Policy, Units};

#[path = "support/recorded.rs"]
mod support;

#[test]
fn decisions_are_those_recorded() {
    let mut policy = Policy::new(Parameters::PAPER);
    policy.observe(&Counters::default(), Units::ARIES);
    let mut given = [0; 3];
    for (number, recorded) in support::recorded().enumerate() {
        let decision = policy.decide(recorded.message);
        assert_eq!(decision.mode.name(), recorded.mode, "line {}", number + 2);
        given[Mode::ALL
            .iter()
            .position(|&mode| mode == decision.mode)
            .unwrap()] += 1;
        if decision.reads_counters {
            policy.observe(&recorded.counters, Units::ARIES);
        }
    }
    assert!(given.iter().all(|&count| count > 10), "{given:?}");
}
