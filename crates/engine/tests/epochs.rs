//! The outcome does not depend on threads, idle time costs nothing, mail arrives in time.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

mod support;

use std::num::NonZeroU64;
use std::sync::Mutex;

use odonata_engine::{Control, Stop, run, split};
use odonata_mesh::Mesh;
use odonata_units::Instant;
use support::{EPOCH, Gap, Local, PATIENCE, Seen, Token, Visit, drive, plan, rings};

const FOREVER: u64 = 1_000_000_000_000;

/// Goals and background of all speeds, from next to no idle time to little else.
fn mixture(count: u32, seed: u64) -> Vec<(u64, Token)> {
    let more = [3, 70, 1_000, 50_000][usize::try_from(seed % 4).unwrap()];
    let mut tokens: Vec<_> = (0..u64::from(2 * count))
        .map(|id| (37 * id, Token::goal(id, 40 + seed, Gap::Upto(more))))
        .collect();
    if seed.is_multiple_of(3) {
        tokens.push((0, Token::background(1_000, Gap::Upto(2 * more))));
    }
    tokens
}

#[test]
fn any_number_of_threads_gives_the_same_outcome() {
    for seed in 0..24 {
        let count = 5 + u32::try_from(seed % 4).unwrap();
        let outcome = |threads| {
            drive(
                rings(count, seed, &mixture(count, seed)),
                threads,
                FOREVER,
                usize::MAX,
            )
        };
        let one = outcome(1);
        assert_eq!(one.stop, Stop::Finished, "seed {seed}");
        let visits: usize = one.logs.iter().map(Vec::len).sum();
        assert!(visits > 400, "seed {seed}: {visits} visits");
        for threads in [2, 3, 5] {
            assert_eq!(outcome(threads), one, "seed {seed}, {threads} threads");
        }
    }
}

/// As many threads as blocks; one block alone.
#[test]
fn one_block_per_thread() {
    let outcome = |threads| drive(rings(3, 9, &mixture(3, 9)), threads, FOREVER, usize::MAX);
    assert_eq!(outcome(3), outcome(1));
    let alone = drive(rings(1, 9, &mixture(1, 9)), 1, FOREVER, usize::MAX);
    assert_eq!(alone.stop, Stop::Finished);
    assert!(alone.logs[0].len() > 80);
}

/// Every visit of the tokens of goals, in order.
fn visits_of_goals(seen: &Seen) -> Vec<Visit> {
    let mut visits: Vec<_> = seen.logs.iter().flatten().copied().collect();
    visits.retain(|visit| visit.1 < 1_000);
    visits.sort_unstable();
    visits
}

/// Three visits a thousand epochs apart take an epoch each; a token that comes by in every epoch
/// keeps the engine from skipping, and changes nothing else.
#[test]
fn idle_stretches_are_skipped() {
    let visitor = (1_234, Token::goal(0, 2, Gap::Even(1_000 * EPOCH + 1)));
    let skipping = drive(
        rings(1, 1, std::slice::from_ref(&visitor)),
        1,
        FOREVER,
        usize::MAX,
    );
    assert_eq!(skipping.stop, Stop::Finished);
    assert_eq!(
        skipping.starts,
        [0, 1_200, 101_200, 201_200],
        "the first epoch, then those of the three visits"
    );
    let ticker = (0, Token::background(1_000, Gap::Even(EPOCH)));
    // The visitor is a timer here: its block knows when it comes, so nothing stalls.
    let timed = Token {
        is_timer: true,
        ..visitor.1
    };
    let busy = drive(
        rings(1, 1, &[(visitor.0, timed), ticker]),
        1,
        FOREVER,
        usize::MAX,
    );
    assert_eq!((busy.stop, busy.end), (skipping.stop, skipping.end));
    assert_eq!(busy.starts.len(), 2_013, "an epoch after the other");
    assert_eq!(visits_of_goals(&busy), visits_of_goals(&skipping));
}

/// Idle time is skipped by all threads alike, and mail in flight over it is not forgotten.
#[test]
fn mail_lasts_over_idle_stretches() {
    let far = Gap::Even(100 * PATIENCE + 7);
    let tokens = [
        (0, Token::goal(0, 50, far.clone())),
        (5, Token::goal(1, 50, far)),
    ];
    let outcome = |threads| drive(rings(4, 3, &tokens), threads, FOREVER, usize::MAX);
    let one = outcome(1);
    assert_eq!(one.stop, Stop::Finished);
    assert_eq!(one.logs.iter().map(Vec::len).sum::<usize>(), 2 * 51);
    assert!(
        one.logs.iter().all(|log| !log.is_empty()),
        "every block was visited"
    );
    assert!(one.starts.len() <= 2 * 51);
    assert!(one.starts.iter().all(|start| start.is_multiple_of(EPOCH)));
    assert_eq!(outcome(3), one);
}

/// Mail that matters right at the end of the epoch it is sent in is there in time. (That it comes
/// with the next epoch, no later and no sooner, is checked at every receipt.)
#[test]
fn mail_is_there_at_the_start_of_the_next_epoch() {
    let tokens = [(0, Token::goal(0, 500, Gap::Even(EPOCH)))];
    for threads in [1, 2] {
        let seen = drive(rings(2, 0, &tokens), threads, FOREVER, usize::MAX);
        assert_eq!((seen.stop, seen.end), (Stop::Finished, 501 * EPOCH));
        let visits = visits_of_goals(&seen);
        let instants: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let expected: Vec<_> = (0..=500).map(|visit| visit * EPOCH).collect();
        assert_eq!(instants, expected);
        assert!(
            seen.logs.iter().all(|log| log.len() > 150),
            "both take part"
        );
    }
}

/// The end of each epoch, and the work up to the end of the epoch before.
#[test]
fn control_is_told_of_instants_and_work() {
    let tokens: Vec<_> = (0..4)
        .map(|id| (id, Token::goal(id, 9, Gap::Even(EPOCH))))
        .collect();
    for threads in [1, 2, 4] {
        let seen = drive(rings(4, 2, &tokens), threads, FOREVER, usize::MAX);
        let expected: Vec<_> = (0..10)
            .map(|epoch| (Instant::from_ps((epoch + 1) * EPOCH), 4 * epoch))
            .collect();
        assert_eq!(seen.control, expected, "{threads} threads");
    }
}

/// Notes when all threads rest, and how many visits there were by then; stops at the last one.
struct Resting {
    every: u64,
    stops_at: u64,
    rests: Mutex<Vec<u64>>,
}

impl Control for Resting {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }

    fn rests_every(&self) -> Option<NonZeroU64> {
        NonZeroU64::new(self.every)
    }

    fn at_rest(&self, now: Instant) -> bool {
        self.rests.lock().unwrap().push(now.ps());
        now.ps() >= self.stops_at
    }
}

/// Rests come at their instants, idle or not, on any number of threads, and none in between.
#[test]
fn threads_rest_at_the_same_instants() {
    let tokens = [
        (0, Token::goal(0, 50, Gap::Even(11 * EPOCH + 7))),
        (5, Token::goal(1, 50, Gap::Even(17 * EPOCH))),
    ];
    let outcome = |threads| {
        let control = Resting {
            every: 8,
            stops_at: 24 * EPOCH,
            rests: Mutex::default(),
        };
        let mut blocks = rings(4, 3, &tokens);
        let mut locals: Vec<Local> = (0..threads).map(|_| Local::default()).collect();
        let ranges = split(&[1; 4], threads);
        let plan = plan(FOREVER);
        let done = run(
            &mut blocks,
            &ranges,
            &mut locals,
            plan,
            &control,
            Mesh::alone(),
        );
        let (stop, end) = done.unwrap();
        let visits: Vec<_> = blocks.iter().map(|block| block.log.clone()).collect();
        (stop, end.ps(), control.rests.into_inner().unwrap(), visits)
    };
    let one = outcome(1);
    assert_eq!((one.0, one.1), (Stop::Interrupted, 24 * EPOCH));
    assert_eq!(one.2, [8, 16, 24].map(|epochs| epochs * EPOCH));
    for threads in [2, 3, 4] {
        assert_eq!(outcome(threads), one, "{threads} threads");
    }
}
