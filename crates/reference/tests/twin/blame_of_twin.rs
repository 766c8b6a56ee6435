//! Engine and twin charge the same waits to the same jobs: bit by bit, but that a wait for credits
//! is divided in integers, and a division may be cut at other instants.

use std::collections::BTreeMap;

use odonata_network::{BlameRow, Cause, Place};
use odonata_reference::testing::{Scenario, System};
use odonata_reference::{Charges, simulate_blaming};
use odonata_units::Span;

use crate::blame::{JOBS, run};

/// The scenario, watched until long after everything has arrived: no wait is cut off.
fn drained(number: u64) -> Scenario {
    let mut scenario = Scenario::random(number);
    scenario.until += Span::from_ns(1_000_000_000);
    scenario
}

fn of_engine(rows: &[BlameRow]) -> Charges {
    let mut charges = Charges::new();
    for row in rows.iter().filter(|row| row.direct_ps > 0) {
        let key = (row.delayed, row.delaying, row.class, row.place, row.cause);
        assert_eq!(charges.insert(key, row.direct_ps), None, "{row:?}");
    }
    charges
}

fn of_twin(scenario: &Scenario) -> Charges {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let jobs = (0..endpoints.len()).map(|node| node % usize::from(JOBS));
    let given = (endpoints, jobs.collect());
    let until = scenario.until;
    simulate_blaming(topology, &routing, &scenario.parameters, given, until).charges
}

/// Parts of waits for credits are rounded once between two instants at which they are cut.
fn is_same(cause: Cause, one: u64, other: u64) -> bool {
    let slack = if cause == Cause::Credits {
        16 + one.max(other) / 100_000
    } else {
        0
    };
    one.abs_diff(other) <= slack
}

/// Of each delayed job at each place, and of each cause: what is rounded is not lost.
fn sums(charges: &Charges) -> BTreeMap<(usize, Place, Cause), u64> {
    let mut sums = BTreeMap::new();
    for ((delayed, _, _, place, cause), ps) in charges {
        *sums.entry((*delayed, *place, *cause)).or_default() += ps;
    }
    sums
}

#[test]
fn engine_and_twin_blame_the_same() {
    let mut seen = [0; Cause::ALL.len()];
    for (number, threads) in (0..40).zip([1, 2, 3].into_iter().cycle()) {
        let scenario = drained(number);
        let (blame, _, wiring) = run(&scenario, threads, |_| ());
        let (engine, twin) = (of_engine(&blame.rows(&wiring)), of_twin(&scenario));
        let keys = engine.keys().chain(twin.keys());
        let differ: BTreeMap<_, _> = keys
            .map(|key| (key, (engine.get(key).copied(), twin.get(key).copied())))
            .filter(|(key, (one, other))| !is_same(key.4, one.unwrap_or(0), other.unwrap_or(0)))
            .collect();
        assert!(
            differ.is_empty(),
            "scenario {number}, engine and twin: {differ:#?}"
        );
        assert_eq!(sums(&engine), sums(&twin), "scenario {number}");
        for key in engine.keys() {
            seen[key.4 as usize] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
