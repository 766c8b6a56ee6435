//! Every way a run ends, and only that way.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use odonata_engine::{Control, Stop, run, split};
use odonata_mesh::Mesh;
use odonata_units::Instant;
use support::{EPOCH, Gap, Local, Observer, PATIENCE, Ring, Seen, Token, drive, plan, rings};

const FOREVER: u64 = 1_000_000_000_000;

/// The same run on 1, 2 and 3 threads.
#[track_caller]
fn outcome(tokens: &[(u64, Token)], until: u64, stop_after: usize) -> Seen {
    let one = drive(rings(3, 1, tokens), 1, until, stop_after);
    for threads in [2, 3] {
        assert_eq!(drive(rings(3, 1, tokens), threads, until, stop_after), one);
    }
    one
}

/// Work that nobody waits for, in every epoch.
fn ticker() -> (u64, Token) {
    (0, Token::background(1_000, Gap::Even(EPOCH)))
}

/// A goal that is reached at its only visit, which its block knows of.
fn timer(id: u64) -> Token {
    Token {
        is_timer: true,
        ..goal(id, 0, EPOCH)
    }
}

fn goal(id: u64, visits: u64, gap: u64) -> Token {
    Token::goal(id, visits, Gap::Even(gap))
}

#[test]
fn finished_when_the_last_goal_is_reached() {
    // Visits at 250, 370, ... 1,450; the other one ends before.
    let tokens = [(250, goal(0, 10, 120)), (10, goal(1, 2, 200)), ticker()];
    let seen = outcome(&tokens, FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Finished, 15 * EPOCH));
}

#[test]
fn finished_at_once_without_goals() {
    let seen = outcome(&[ticker()], FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Finished, EPOCH));
    let seen = outcome(&[], FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Finished, EPOCH));
}

#[test]
fn time_limit_in_the_middle_of_work() {
    let tokens = [(0, goal(0, 1_000_000, EPOCH))];
    for until in [5_000, 5_001, 1, 100] {
        let seen = outcome(&tokens, until, usize::MAX);
        assert_eq!((seen.stop, seen.end), (Stop::TimeLimit, until));
    }
}

/// If nothing happens before the time limit, the run is at the limit at once.
#[test]
fn time_limit_when_nothing_is_left_before_it() {
    let tokens = [(30, goal(0, 1, 10_000))];
    for until in [9_000, 10_030] {
        let seen = outcome(&tokens, until, usize::MAX);
        assert_eq!((seen.stop, seen.end), (Stop::TimeLimit, until));
    }
    let seen = outcome(&tokens, 10_031, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Finished, 10_031));
}

#[test]
fn interrupted_after_the_epoch_in_which_it_is_asked_for() {
    let tokens = [(0, goal(0, 1_000_000, EPOCH))];
    for epochs in [1, 2, 7] {
        let seen = outcome(&tokens, FOREVER, epochs);
        let end = epochs as u64 * EPOCH;
        assert_eq!((seen.stop, seen.end), (Stop::Interrupted, end));
        assert_eq!(seen.logs.iter().map(Vec::len).sum::<usize>(), epochs);
    }
}

/// A run that is done is done; an interruption comes before a stall and the time limit.
#[test]
fn one_reason_goes_before_another() {
    let done = outcome(&[(0, goal(0, 0, EPOCH))], FOREVER, 1);
    assert_eq!(done.stop, Stop::Finished);
    let late = outcome(&[(0, goal(0, 9, EPOCH))], EPOCH, 1);
    assert_eq!(late.stop, Stop::Interrupted);
    let done = outcome(&[(0, goal(0, 0, EPOCH))], EPOCH, usize::MAX);
    assert_eq!(done.stop, Stop::Finished);
}

/// A goal that nothing leads to: its token is lost in a block that never lets it go.
fn lost() -> (u64, Token) {
    (u64::MAX, goal(0, 0, EPOCH))
}

#[test]
fn stalled_at_once_when_nothing_will_happen() {
    let seen = outcome(&[lost()], FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Stalled, EPOCH));
    // Not before the rest is done.
    let seen = outcome(&[lost(), (0, goal(1, 99, EPOCH))], FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Stalled, 100 * EPOCH));
}

#[test]
fn stalled_when_only_others_go_on() {
    let seen = outcome(&[lost(), ticker()], FOREVER, usize::MAX);
    // The first epoch whose end is more than the patience after the start.
    assert_eq!((seen.stop, seen.end), (Stop::Stalled, PATIENCE + EPOCH));
}

#[test]
fn stalled_after_the_last_progress() {
    // A goal goes ten rounds and ends, then the other one is waited for in vain.
    let seen = outcome(
        &[lost(), ticker(), (0, goal(1, 10, 300))],
        FOREVER,
        usize::MAX,
    );
    let last = 3_000 + EPOCH;
    assert_eq!(
        (seen.stop, seen.end),
        (Stop::Stalled, last + PATIENCE + EPOCH)
    );
}

#[test]
fn slow_progress_is_progress() {
    // Progress is seen at the ends of epochs, one of which may pass beyond the patience.
    let longest = PATIENCE + EPOCH;
    let seen = outcome(&[ticker(), (0, goal(0, 50, longest))], FOREVER, usize::MAX);
    assert_eq!(
        (seen.stop, seen.end),
        (Stop::Finished, 50 * longest + EPOCH)
    );
    let tokens = [ticker(), (0, goal(0, 50, longest + EPOCH))];
    let seen = outcome(&tokens, FOREVER, usize::MAX);
    assert_eq!((seen.stop, seen.end), (Stop::Stalled, longest + EPOCH));
}

#[test]
fn no_stall_while_a_goal_waits_for_a_known_instant() {
    let at = 10 * PATIENCE + 50;
    let seen = outcome(&[ticker(), (at, timer(0))], FOREVER, usize::MAX);
    assert_eq!(
        (seen.stop, seen.end),
        (Stop::Finished, 10 * PATIENCE + EPOCH)
    );
    // Afterwards patience starts anew.
    let seen = outcome(
        &[(u64::MAX, goal(1, 0, EPOCH)), ticker(), (at, timer(0))],
        FOREVER,
        usize::MAX,
    );
    let end = 11 * PATIENCE + 2 * EPOCH;
    assert_eq!((seen.stop, seen.end), (Stop::Stalled, end));
}

/// The message of a panic of `run`, or what it returned; a run that hangs fails the test.
fn panic_of<C: Control + Send + 'static>(
    mut rings: Vec<Ring>,
    threads: usize,
    control: C,
) -> Result<Stop, String> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut locals: Vec<Local> = (0..threads).map(|_| Local::default()).collect();
            let ranges = split(&vec![1; rings.len()], locals.len());
            let plan = plan(FOREVER);
            let done = run(
                &mut rings,
                &ranges,
                &mut locals,
                plan,
                &control,
                Mesh::alone(),
            );
            done.unwrap().0
        }));
        let message = outcome.map_err(|payload| {
            payload
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_else(|| {
                    payload
                        .downcast_ref::<&str>()
                        .copied()
                        .unwrap_or_default()
                        .to_owned()
                })
        });
        send.send(message).unwrap();
    });
    receive
        .recv_timeout(Duration::from_secs(60))
        .expect("the run does not hang")
}

#[test]
fn a_panic_of_a_block_ends_all_threads() {
    for threads in [1, 2, 3, 6] {
        for victim in 0..6 {
            let tokens: Vec<_> = (0..6)
                .map(|id| (id, Token::goal(id, 1_000_000, Gap::Upto(40))))
                .collect();
            let mut rings = rings(6, 4, &tokens);
            rings[victim].mine = Some(0);
            let message = panic_of(rings, threads, Observer::new(usize::MAX)).unwrap_err();
            assert!(message.contains("stepped on a mine"), "{message}");
        }
    }
}

#[test]
fn panics_of_several_blocks_end_with_one_of_them() {
    let tokens: Vec<_> = (0..4)
        .map(|id| (0, Token::goal(id, 9, Gap::Even(EPOCH))))
        .collect();
    let mut rings = rings(4, 4, &tokens);
    for (id, ring) in rings.iter_mut().enumerate() {
        ring.mine = Some(id as u64);
    }
    let message = panic_of(rings, 4, Observer::new(usize::MAX)).unwrap_err();
    assert!(message.contains("stepped on a mine"), "{message}");
}

/// A control that fails after some epochs.
struct Broken;

impl Control for Broken {
    fn after_epoch(&self, now: Instant, _: u64) -> bool {
        assert!(now.ps() < 5 * EPOCH, "control is broken");
        false
    }
}

#[test]
fn a_panic_of_the_control_ends_all_threads() {
    for threads in [1, 2, 3] {
        let tokens = [(0, goal(0, 1_000_000, EPOCH))];
        let message = panic_of(rings(3, 4, &tokens), threads, Broken).unwrap_err();
        assert!(message.contains("control is broken"), "{message}");
    }
}
