//! Several processes give the outcome of one, and end together.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

mod support;

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

use odonata_engine::{Block, Control, EpochPlan, Status, Stop, run, split};
use odonata_mesh::{Hello, Listener, Mesh, MeshError};
use odonata_units::{Instant, Span};
use support::{EPOCH, Gap, Local, Observer, Ring, Seen, Token, drive, plan, rings};

const FOREVER: u64 = 1 << 40;

/// Blocks of one process after the run, what its control was told, and why and when it ended.
struct Shared {
    rings: Vec<Ring>,
    control: Vec<(Instant, u64)>,
    outcome: Outcome,
}

type Outcome = Result<(Stop, Instant), MeshError>;

/// Processes, and threads of each.
#[derive(Clone, Copy, Debug)]
struct Shape {
    processes: usize,
    threads: usize,
}

/// The control of a process interrupts the run after so many epochs.
#[derive(Clone, Copy)]
struct Interrupts {
    process: usize,
    after: usize,
}

/// Runs `rings` in several processes, which are threads here.
fn share(
    rings: Vec<Ring>,
    shape: Shape,
    until: u64,
    interrupts: Option<Interrupts>,
) -> Vec<Shared> {
    let Shape { processes, threads } = shape;
    let ranges = split(&vec![1; rings.len()], processes * threads);
    let hello = Hello {
        processes,
        secret: String::new(),
        build: String::new(),
        task: String::new(),
    };
    let listener = Listener::bind("127.0.0.1").unwrap();
    let address = listener.address().unwrap();
    let mut rest = rings;
    let parts = (0..processes).map(|rank| {
        let mine = &ranges[rank * threads..(rank + 1) * threads];
        let count: usize = mine.iter().map(ExactSizeIterator::len).sum();
        rest.drain(..count).collect::<Vec<_>>()
    });
    let parts: Vec<Vec<Ring>> = parts.collect();
    let (hello, listener, address, ranges) = (&hello, &listener, &address, &ranges[..]);
    let run_one = |rank: usize, mut rings: Vec<Ring>| {
        let mesh = if rank == 0 {
            Mesh::lead(listener, hello, &|| false)
        } else {
            Mesh::join(address, rank, 0, hello, &|| false)
        };
        let stop_after = interrupts.filter(|one| one.process == rank);
        let control = Observer::new(stop_after.map_or(usize::MAX, |one| one.after));
        let mut locals: Vec<Local> = (0..threads).map(|_| Local::default()).collect();
        let outcome = mesh.and_then(|mesh| {
            let plan = plan(until);
            let found = run(&mut rings, ranges, &mut locals, plan, &control, &mesh);
            if let Err(error) = &found {
                mesh.fail(&error.to_string());
            }
            found
        });
        Shared {
            rings,
            control: control.seen.into_inner().unwrap(),
            outcome,
        }
    };
    let run_one = &run_one;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (parts.into_iter().enumerate())
            .map(|(rank, rings)| scope.spawn(move || run_one(rank, rings)))
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap())
            .collect()
    })
}

fn tokens(count: u32, seed: u64) -> Vec<(u64, Token)> {
    let goals = (0..2 * u64::from(count)).map(|id| {
        let gap = Gap::Upto(40 + u32::try_from(seed).unwrap());
        (7 * id, Token::goal(id, 60 + id, gap))
    });
    let others = (0..3).map(|id| (id, Token::background(1_000 + id, Gap::Even(1_700))));
    goals.chain(others).collect()
}

#[test]
fn any_number_of_processes_gives_the_same_outcome() {
    for seed in 0..6 {
        let count = 6 + u32::try_from(seed % 3).unwrap();
        let all = || rings(count, seed, &tokens(count, seed));
        let one: Seen = drive(all(), 1, FOREVER, usize::MAX);
        assert_eq!(one.stop, Stop::Finished, "seed {seed}");
        for (processes, threads) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (5, 1)] {
            let parts = share(all(), Shape { processes, threads }, FOREVER, None);
            let mut logs = Vec::new();
            for part in parts {
                let (stop, end) = part.outcome.unwrap();
                assert_eq!(
                    (stop, end.ps()),
                    (one.stop, one.end),
                    "{processes} x {threads}"
                );
                assert_eq!(part.control, one.control, "{processes} x {threads}");
                logs.extend(part.rings.into_iter().map(|ring| ring.log));
            }
            assert_eq!(logs, one.logs, "seed {seed}, {processes} x {threads}");
        }
    }
}

#[test]
fn an_interrupt_in_any_process_ends_all_at_the_same_instant() {
    for who in 0..3 {
        let all = rings(6, 3, &tokens(6, 3));
        let whole = drive(rings(6, 3, &tokens(6, 3)), 1, FOREVER, 11);
        assert_eq!(whole.stop, Stop::Interrupted);
        let shape = Shape {
            processes: 3,
            threads: 1,
        };
        let interrupts = Interrupts {
            process: who,
            after: 11,
        };
        for part in share(all, shape, FOREVER, Some(interrupts)) {
            let (stop, end) = part.outcome.unwrap();
            assert_eq!((stop, end.ps()), (whole.stop, whole.end));
        }
    }
}

#[test]
fn stalls_and_time_limits_are_those_of_one_process() {
    // A goal that is never reached, beside work that nobody waits for.
    let tokens = [
        (u64::MAX, Token::goal(0, 0, Gap::Even(EPOCH))),
        (0, Token::background(1_000, Gap::Even(EPOCH))),
    ];
    for (until, expected) in [(5 * EPOCH, Stop::TimeLimit), (FOREVER, Stop::Stalled)] {
        let one = drive(rings(4, 1, &tokens), 1, until, usize::MAX);
        assert_eq!(one.stop, expected, "until {until}");
        let shape = Shape {
            processes: 2,
            threads: 2,
        };
        for part in share(rings(4, 1, &tokens), shape, until, None) {
            let (stop, end) = part.outcome.unwrap();
            assert_eq!((stop, end.ps()), (one.stop, one.end), "until {until}");
        }
    }
}

/// A block that works on for ever, whose mail nobody can read, if there is any.
struct Garbled {
    writes: bool,
}

impl Block for Garbled {
    type Mail = bool;
    type Local = ();

    fn receive(&mut self, mail: &mut bool, (): &mut ()) {
        *mail = false;
    }

    fn needed(mail: &bool, now: Instant) -> Option<Instant> {
        mail.then_some(now)
    }

    fn advance(&mut self, _: Instant, _: Instant, (): &mut (), mail: &mut [bool]) {
        mail.fill(self.writes);
    }

    fn status(&self, now: Instant) -> Status {
        Status {
            next: now,
            idle_until: now,
            open_goals: 1,
            on_the_way: 1,
            goal_next: now,
            ..Status::IDLE
        }
    }

    fn pack(mail: &mut bool, (): &mut (), out: &mut Vec<u8>) {
        *mail = false;
        out.push(1);
    }

    fn unpack(&mut self, _: &[u8], (): &mut ()) -> Option<()> {
        None
    }
}

/// Two processes with a block each.
fn two<C: Control>(writes: bool, control: impl Fn(usize) -> C + Sync) -> [Outcome; 2] {
    let hello = Hello {
        processes: 2,
        secret: String::new(),
        build: String::new(),
        task: String::new(),
    };
    let listener = Listener::bind("127.0.0.1").unwrap();
    let address = listener.address().unwrap();
    let plan = EpochPlan {
        epoch: Span::from_ps(10),
        until: Instant::from_ps(1_000),
        patience: Span::from_ps(1_000),
    };
    let ranges = [0..1, 1..2];
    let one = |mesh: Mesh| {
        let control = control(mesh.rank());
        let blocks = &mut [Garbled { writes }];
        run(blocks, &ranges, &mut [()], plan, &control, &mesh)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| one(Mesh::join(&address, 1, 0, &hello, &|| false).unwrap()));
        let leader = one(Mesh::lead(&listener, &hello, &|| false).unwrap());
        [leader, other.join().unwrap()]
    })
}

#[test]
fn a_block_that_reads_nonsense_ends_all_with_a_sentence() {
    for found in two(true, |_| Observer::new(usize::MAX)) {
        let sentence = found.unwrap_err().to_string();
        let ends = ["cannot be read", "ended unexpectedly"];
        assert!(ends.iter().any(|end| sentence.contains(end)), "{sentence}");
    }
}

/// Tells the other process its number plus one at every rest, and stops when the sum of what both
/// have told is `enough`.
struct Teller {
    rank: usize,
    enough: u64,
    reads: bool,
    sum: AtomicU64,
}

impl Control for Teller {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }

    fn rests_every(&self) -> Option<NonZeroU64> {
        NonZeroU64::new(3)
    }

    fn tells(&self) -> Vec<u8> {
        let mine = self.rank as u64 + 1;
        self.sum.fetch_add(mine, Ordering::Relaxed);
        mine.to_le_bytes().to_vec()
    }

    fn hears(&self, told: &[u8]) -> bool {
        let told = u64::from_le_bytes(told.try_into().unwrap());
        self.sum.fetch_add(told, Ordering::Relaxed);
        self.reads
    }

    fn at_rest(&self, _: Instant) -> bool {
        self.sum.load(Ordering::Relaxed) >= self.enough
    }
}

/// The processes have told 1 and 2 at each rest, three epochs of 10 ps after the one before.
#[test]
fn controls_decide_by_what_all_have_told() {
    let teller = |reads| {
        move |rank| Teller {
            rank,
            enough: 7,
            reads,
            sum: AtomicU64::new(0),
        }
    };
    for found in two(false, teller(true)) {
        assert_eq!(
            found.unwrap(),
            (Stop::Interrupted, Instant::from_ps(90)),
            "at the third rest"
        );
    }
    for found in two(false, teller(false)) {
        assert!(found.unwrap_err().to_string().contains("cannot be read"));
    }
}
