//! Engine and reference model charge the same waits to the same jobs: bit by bit, but that a wait for credits
//! is divided in integers, and a division may be cut at other instants; and they pass them on to
//! the same points.

use std::collections::BTreeMap;

use odonata_reference::testing::{Scenario, System};
use odonata_reference::{Book, Party, simulate_blaming};
use odonata_telemetry::{BlameRow, Cause, RankRow, Transaction, WaitPoint};
use odonata_topology::Topology;
use odonata_units::{NodeId, Span};

use crate::agreement::numbers;
use crate::blame::{JOBS, run};

/// Delayed job and kind of packet, delaying job and class, where, why.
type Key = (usize, Transaction, usize, usize, WaitPoint, Cause);
/// Sender and kind of packet, delaying job.
type OfRank = (u32, Transaction, usize);

/// The scenario, watched until long after everything has arrived: no wait is cut off.
fn drained(mut scenario: Scenario) -> Scenario {
    scenario.until += Span::from_ns(2_000_000);
    scenario
}

/// Of every kind: requests, requests and responses, and data among the responses.
fn scenarios() -> impl Iterator<Item = Scenario> {
    // Number 2 takes a minute: its windows are short.
    let with_gets = numbers(3..13).map(Scenario::random_with_gets);
    numbers(0..60)
        .map(Scenario::random)
        .chain(with_gets)
        .map(drained)
}

/// What both say: direct blame by point, and by rank; through blame by point, and by rank. In ps.
#[derive(Default)]
struct Said {
    direct: BTreeMap<Key, u64>,
    through: BTreeMap<Key, f64>,
    direct_of_ranks: BTreeMap<OfRank, u64>,
    through_of_ranks: BTreeMap<OfRank, f64>,
}

#[expect(clippy::cast_precision_loss, reason = "waits of short runs")]
const fn precise(ps: u64) -> f64 {
    ps as f64
}

fn of_engine(rows: &[BlameRow], ranks: &[RankRow], senders: &[Vec<NodeId>]) -> Said {
    let mut said = Said::default();
    for row in rows {
        let (delayed, delaying) = ((row.delayed, row.transaction), (row.delaying, row.class));
        let key = (
            delayed.0, delayed.1, delaying.0, delaying.1, row.point, row.cause,
        );
        if row.direct_ps > 0 {
            assert_eq!(said.direct.insert(key, row.direct_ps), None, "{row:?}");
        }
        assert_eq!(
            said.through.insert(key, precise(row.through_ps)),
            None,
            "{row:?}"
        );
    }
    for row in ranks {
        let sender = senders[row.job][row.sender].0;
        let key = (sender, row.transaction, row.delaying);
        if row.direct_ps > 0 {
            said.direct_of_ranks.insert(key, row.direct_ps);
        }
        said.through_of_ranks.insert(key, precise(row.through_ps));
    }
    said
}

fn of_reference(book: &Book, topology: &Topology) -> Said {
    let mut said = Said::default();
    for (charge, ps) in &book.charges {
        let (packets, Party { job, class }) = (charge.delayed, charge.party);
        let key = (
            packets.job,
            packets.transaction,
            job,
            class,
            charge.point,
            charge.cause,
        );
        *said.direct.entry(key).or_default() += ps;
        let of_rank = (packets.sender.0, packets.transaction, job);
        *said.direct_of_ranks.entry(of_rank).or_default() += ps;
    }
    for (charge, ps) in book.pass_on(topology) {
        let (packets, Party { job, class }) = (charge.delayed, charge.party);
        let key = (
            packets.job,
            packets.transaction,
            job,
            class,
            charge.point,
            charge.cause,
        );
        *said.through.entry(key).or_default() += ps;
        let of_rank = (packets.sender.0, packets.transaction, job);
        *said.through_of_ranks.entry(of_rank).or_default() += ps;
    }
    said
}

/// The charges of the reference model.
fn reference(scenario: &Scenario) -> Said {
    let System {
        topology,
        routing,
        endpoints,
    } = scenario.build().unwrap();
    let jobs = (0..endpoints.len()).map(|node| node % usize::from(JOBS));
    let known = topology.clone();
    let run = simulate_blaming(
        topology,
        &routing,
        &scenario.parameters,
        endpoints,
        jobs.collect(),
        scenario.until,
    );
    of_reference(&run.book, &known)
}

/// The charges of the engine, on some threads.
fn engine(scenario: &Scenario, threads: usize) -> Said {
    let nodes = u32::try_from(scenario.build().unwrap().endpoints.len()).unwrap();
    let of_job = |job| {
        let mine = (0..nodes).filter(|node| node % u32::from(JOBS) == job);
        mine.map(NodeId).collect()
    };
    let senders: Vec<Vec<NodeId>> = (0..u32::from(JOBS)).map(of_job).collect();
    let (blame, _, wiring) = run(scenario, threads, |_| ());
    let rows = blame.rows(&wiring);
    let ranks = blame.ranks(&wiring, &rows, &senders);
    of_engine(&rows, &ranks, &senders)
}

/// What differs by more than `slack` says of the larger one.
fn differences<K: Ord + Copy, V: Copy + Default>(
    one: &BTreeMap<K, V>,
    other: &BTreeMap<K, V>,
    is_same: impl Fn(&K, V, V) -> bool,
) -> BTreeMap<K, (V, V)> {
    let keys = one.keys().chain(other.keys());
    let value = |all: &BTreeMap<K, V>, key| all.get(key).copied().unwrap_or_default();
    keys.map(|key| (*key, (value(one, key), value(other, key))))
        .filter(|(key, (one, other))| !is_same(key, *one, *other))
        .collect()
}

/// Parts of waits for credits are rounded once between two instants at which they are cut.
fn slack(cause: Cause, one: u64, other: u64) -> u64 {
    if cause == Cause::Credits {
        16 + one.max(other) / 100_000
    } else {
        0
    }
}

/// What was rounded is passed on, and rounded to whole ps once more.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 256.0 + one.max(other) / 10_000.0
}

/// Of each delayed job at each point, and of each cause: what is rounded is not lost.
fn sums(charges: &BTreeMap<Key, u64>) -> BTreeMap<(usize, Transaction, WaitPoint, Cause), u64> {
    let mut sums = BTreeMap::new();
    for ((delayed, kind, _, _, point, cause), ps) in charges {
        *sums.entry((*delayed, *kind, *point, *cause)).or_default() += ps;
    }
    sums
}

/// Both charge the same packets for the same reasons at the same points.
fn assert_same_charges(number: u64, engine: &Said, reference: &Said) {
    let differ = differences(&engine.direct, &reference.direct, |key, one, other| {
        one.abs_diff(other) <= slack(key.5, one, other)
    });
    assert!(
        differ.is_empty(),
        "scenario {number}, engine and reference model: {differ:#?}"
    );
    assert_eq!(
        sums(&engine.direct),
        sums(&reference.direct),
        "scenario {number}"
    );
    let (one, other) = (&engine.direct_of_ranks, &reference.direct_of_ranks);
    let differ = differences(one, other, |_, one, other| {
        is_near(precise(one), precise(other))
    });
    assert!(differ.is_empty(), "ranks of scenario {number}: {differ:#?}");
}

/// Both pass them on to the same points, and of the same ranks.
fn assert_same_passed_on(number: u64, engine: &Said, reference: &Said) {
    let differ = differences(&engine.through, &reference.through, |_, one, other| {
        is_near(one, other)
    });
    assert!(differ.is_empty(), "scenario {number}: {differ:#?}");
    let (one, other) = (&engine.through_of_ranks, &reference.through_of_ranks);
    let differ = differences(one, other, |_, one, other| is_near(one, other));
    assert!(
        differ.is_empty(),
        "ranks of scenario {number}, through: {differ:#?}"
    );
}

#[test]
fn engine_and_reference_model_blame_the_same() {
    let (mut seen, mut passed) = (BTreeMap::new(), [0.0; 2]);
    for (scenario, threads) in scenarios().zip([1, 2, 3].into_iter().cycle()) {
        let (engine, reference) = (engine(&scenario, threads), reference(&scenario));
        assert_same_charges(scenario.number, &engine, &reference);
        assert_same_passed_on(scenario.number, &engine, &reference);
        for key in engine.direct.keys() {
            *seen.entry((key.1, key.5)).or_insert(0) += 1;
        }
        for (key, ps) in &reference.through_of_ranks {
            let direct = reference
                .direct_of_ranks
                .get(key)
                .copied()
                .map_or(0.0, precise);
            passed[key.1 as usize] += (ps - direct).abs();
        }
    }
    let both = Transaction::ALL.into_iter().flat_map(|kind| {
        let causes = Cause::ALL.into_iter();
        causes.map(move |cause| (kind, cause))
    });
    // A response does not wait for an answer, and is not paced.
    let missing: Vec<_> = both.filter(|key| !seen.contains_key(key)).collect();
    let never = [Cause::NicOutstanding, Cause::NicPacing];
    assert_eq!(missing, never.map(|cause| (Transaction::Response, cause)));
    assert!(passed.iter().all(|ps| *ps > 1e6), "{passed:?} ps");
}
