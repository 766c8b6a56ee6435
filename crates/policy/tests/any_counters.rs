//! Any counters, any parameters, any messages: every number stays a number.

use odonata_policy::{
    Counters, EXTENSIONS, Exploration, Message, Observation, Operation, Parameters, Policy, ROWS,
    Refusal, Routing, Units, message_time,
};
use proptest::prelude::*;

/// Cases of a property; many where there is time.
#[expect(
    clippy::disallowed_methods,
    reason = "a test is told so by the environment"
)]
fn cases() -> ProptestConfig {
    let is_long = std::env::var("ODONATA_LONG").is_ok_and(|value| value == "1");
    ProptestConfig::with_cases(if is_long { 100_000 } else { 500 })
}

fn counter() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), 0_u64..1_000]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(0.0),
        Just(f64::MIN_POSITIVE),
        Just(f64::MAX)
    ]
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn nothing_divides_by_zero_or_overflows(
        steps in prop::collection::vec(
            (counter(), any::<bool>(), prop::array::uniform4(counter())), 1..60,
        ),
        factors in prop::array::uniform8(number()),
        units in prop::array::uniform2(number()),
        extensions in prop::collection::vec(0..EXTENSIONS.len(), 0..4),
        authors: bool,
        seed: u64,
    ) {
        // `set` would refuse them, and is not called: the policy trusts nobody.
        let mut parameters = Parameters::PAPER;
        for which in extensions {
            parameters.extend(EXTENSIONS[which].0, seed).unwrap();
        }
        parameters.choose_p_term(if authors { "authors" } else { "paper" }).unwrap();
        for (row, value) in ROWS.iter().zip(factors) {
            (row.set)(&mut parameters, value);
        }
        let units = Units::new(units[0], units[1]);
        let mut policy = Policy::new(parameters);
        for (bytes, is_put, [flits, stalled, packets, latency]) in steps {
            let operation = if is_put { Operation::Put } else { Operation::Get };
            policy.decide(Message { bytes, operation, alltoall: false });
            policy.observe(&Counters { flits, stalled, packets, latency }, units);
            let factors = policy.factors();
            prop_assert!(!factors.latency.is_nan() || parameters.latency_factor.is_nan());
            if let Some(seen) = policy.seen() {
                prop_assert!(seen.latency().is_finite() && seen.latency() >= 0.0);
                prop_assert!(seen.stalls().is_finite() && seen.stalls() >= 0.0);
                let message = Message { bytes, operation, alltoall: true };
                prop_assert!(message_time(message, seen, parameters.p_term).is_finite());
            }
        }
        let counts = policy.counts();
        prop_assert!(counts.changes <= counts.decisions);
    }

    #[test]
    fn observations_are_numbers(latency in number(), stalls in number()) {
        let seen = Observation::new(latency, stalls);
        for number in [seen.latency(), seen.stalls()] {
            prop_assert!(number.is_finite() && number >= 0.0);
        }
    }

    #[test]
    fn exploration_takes_any_loss(losses in prop::collection::vec(number(), 1..300), seed: u64) {
        let mut exploration = Exploration::new(seed);
        let mut drawn = [false; 2];
        for loss in losses {
            drawn[usize::from(exploration.draw(Routing::Adaptive) == Routing::Adaptive)] = true;
            exploration.learn(loss);
            exploration.learn(loss); // without a draw: nothing
        }
        prop_assert!(drawn[0] || drawn[1]);
    }

    #[test]
    fn what_is_set_is_in_its_range(which in 0_usize..ROWS.len(), value in number()) {
        let mut parameters = Parameters::default();
        for (name, _) in EXTENSIONS {
            parameters.extend(name, 1).unwrap();
        }
        let row = ROWS[which];
        let before = parameters;
        match parameters.set(row.name, value) {
            Ok(()) => {
                prop_assert!((row.least..=row.most).contains(&value));
                prop_assert!(((row.get)(&parameters) - value).abs() <= 0.0);
            }
            Err(refusal) => {
                prop_assert!(refusal != Refusal::Unknown);
                prop_assert_eq!(parameters, before);
            }
        }
    }
}

#[test]
fn a_counter_that_fell_is_a_reset_and_the_next_reading_counts_from_it() {
    let mut policy = Policy::new(Parameters::PAPER);
    let message = Message {
        bytes: 5_000,
        operation: Operation::Put,
        alltoall: false,
    };
    let all = |of: u64| Counters {
        flits: of,
        stalled: of,
        packets: of,
        latency: of,
    };
    for (reading, resets, observations, empty) in
        [(100, 0, 0, 0), (50, 1, 0, 0), (50, 1, 0, 1), (60, 1, 1, 1)]
    {
        policy.decide(message);
        policy.observe(&all(reading), Units::ARIES);
        let counts = policy.counts();
        let found = (counts.resets, counts.observations, counts.empty);
        assert_eq!(found, (resets, observations, empty), "{reading}");
    }
    let seen = policy.seen().unwrap();
    assert!((seen.latency() - 800.0).abs() < 1e-9 && (seen.stalls() - 1.0).abs() < 1e-9);
}

#[test]
fn rows_say_what_they_refuse() {
    let mut parameters = Parameters::default();
    let said = |refusal: Result<(), Refusal>| refusal.unwrap_err().to_string();
    assert_eq!(
        said(parameters.set("treshold", 1.0)),
        "there is no such name"
    );
    assert_eq!(
        said(parameters.set("stall_factor", 0.0)),
        "must be 0.001 to 1000"
    );
    assert_eq!(
        said(parameters.set("expiry", 1.5)),
        "must be a whole number"
    );
    assert_eq!(
        said(parameters.set("learning_rate", 0.5)),
        "does nothing without the extension `learning`"
    );
    assert_eq!(parameters.extend("magic", 0), Err(Refusal::Unknown));
    assert_eq!(parameters.choose_p_term("ours"), Err(Refusal::Unknown));
    assert_eq!(parameters, Parameters::default());
    for row in ROWS {
        let default = (row.get)(&parameters);
        assert!((row.least..=row.most).contains(&default), "{}", row.name);
    }
}
