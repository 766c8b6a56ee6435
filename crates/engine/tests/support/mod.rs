//! Blocks that pass tokens to each other: the smallest use of the engine that can go wrong.

use std::collections::BTreeMap;
use std::sync::Mutex;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_engine::{Block, Control, EpochPlan, Status, Stop, run, split};
use odonata_mesh::Mesh;
use odonata_units::{Instant, Purpose, Record, Span, Stream};

/// Picoseconds of an epoch: nothing takes less from one block to another.
pub(crate) const EPOCH: u64 = 100;

/// Picoseconds without progress that are a stall.
pub(crate) const PATIENCE: u64 = 20 * EPOCH;

/// Something that goes from block to block.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) struct Token {
    /// Who it is; decides ties of instants.
    pub(crate) id: u64,
    /// Visits to come after this one; the goal is reached at the last.
    pub(crate) visits: u64,
    /// Whether it belongs to a goal.
    pub(crate) is_goal: bool,
    /// Whether its block knows its instant as one that a goal waits for.
    pub(crate) is_timer: bool,
    /// How long it stays away between visits.
    pub(crate) gap: Gap,
    /// Epoch of its block in which it was sent.
    pub(crate) sent_in: u64,
}

/// Picoseconds from one visit to the next.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) enum Gap {
    /// Always the same.
    Even(u64),
    /// One epoch and up to this much more, drawn.
    Upto(u32),
}

impl Token {
    /// A token of a goal.
    pub(crate) fn goal(id: u64, visits: u64, gap: Gap) -> Self {
        Self {
            id,
            visits,
            is_goal: true,
            is_timer: false,
            gap,
            sent_in: 0,
        }
    }

    /// A token that goes round for ever and that nobody waits for.
    pub(crate) fn background(id: u64, gap: Gap) -> Self {
        Self {
            visits: u64::MAX,
            is_goal: false,
            ..Self::goal(id, 0, gap)
        }
    }
}

/// A token on its way.
pub(crate) type Mail = Vec<(u64, Token)>;

/// What the blocks of one thread share.
#[derive(Default)]
pub(crate) struct Local {
    /// Calls of `advance`.
    pub(crate) advanced: u64,
}

/// One visit, as it is compared between runs: instant, token, visits to come.
pub(crate) type Visit = (u64, u64, u64);

/// A block that holds tokens until their instants.
pub(crate) struct Ring {
    id: u64,
    pending: BTreeMap<(u64, u64), Token>,
    draw: Stream,
    open_goals: i64,
    progress: u64,
    work: u64,
    epochs: u64,
    /// Every visit so far.
    pub(crate) log: Vec<Visit>,
    /// Start of every epoch so far.
    pub(crate) starts: Vec<u64>,
    /// Panics at the visit of this token.
    pub(crate) mine: Option<u64>,
}

impl Block for Ring {
    type Mail = Mail;
    type Local = Local;

    fn receive(&mut self, mail: &mut Mail, _: &mut Local) {
        for (at, token) in mail.drain(..) {
            assert_eq!(
                token.sent_in + 1,
                self.epochs,
                "mail is received at the start of the next epoch"
            );
            self.put(at, token);
        }
    }

    fn needed(mail: &Mail, _: Instant) -> Option<Instant> {
        let next = mail.iter().map(|(at, _)| *at).min();
        next.map(Instant::from_ps)
    }

    fn advance(&mut self, from: Instant, to: Instant, local: &mut Local, mail: &mut [Mail]) {
        assert!((to - from).ps() <= EPOCH);
        local.advanced += 1;
        self.starts.push(from.ps());
        while let Some(entry) = self.pending.first_entry() {
            let (at, _) = *entry.key();
            assert!(at >= from.ps(), "nothing is too late");
            if at >= to.ps() {
                break;
            }
            let token = entry.remove();
            self.visit(at, token, mail);
        }
        self.epochs += 1;
    }

    fn status(&self, now: Instant) -> Status {
        let next = self.pending.keys().next().map_or(u64::MAX, |key| key.0);
        assert!(next >= now.ps());
        let timers = self.pending.iter().filter(|(_, token)| token.is_timer);
        let goal_next = timers.map(|(key, _)| key.0).next().unwrap_or(u64::MAX);
        Status {
            next: Instant::from_ps(next),
            idle_until: Instant::from_ps(next),
            open_goals: self.open_goals,
            goal_next: Instant::from_ps(goal_next),
            // What is caught elsewhere is not known here: never hopeless.
            on_the_way: 1,
            progress: self.progress,
            work: self.work,
        }
    }

    fn pack(mail: &mut Mail, _: &mut Local, out: &mut Vec<u8>) {
        mail.write(out);
        mail.clear();
    }

    fn unpack(&mut self, mut bytes: &[u8], local: &mut Local) -> Option<()> {
        let mut mail = Mail::read(&mut bytes)?;
        self.receive(&mut mail, local);
        bytes.is_empty().then_some(())
    }
}

impl Ring {
    fn put(&mut self, at: u64, token: Token) {
        let previous = self.pending.insert((at, token.id), token);
        assert!(previous.is_none(), "a token is at one place");
    }

    fn visit(&mut self, at: u64, mut token: Token, mail: &mut [Mail]) {
        assert_ne!(self.mine, Some(token.id), "stepped on a mine");
        self.log.push((at, token.id, token.visits));
        self.work += 1;
        self.progress += u64::from(token.is_goal);
        if token.visits == 0 {
            self.open_goals -= i64::from(token.is_goal);
            return;
        }
        token.visits -= 1;
        token.sent_in = self.epochs;
        let gap = match token.gap {
            Gap::Even(gap) => gap,
            Gap::Upto(more) => EPOCH + u64::from(self.draw.below(more)),
        };
        let step = u64::from(self.draw.below(2)) + token.id + 1;
        let next = (self.id + step) % mail.len() as u64;
        let at = at + gap;
        if next == self.id {
            self.put(at, token);
        } else {
            mail[usize::try_from(next).unwrap()].push((at, token));
        }
    }
}

/// `count` blocks; the tokens start at their instants, each at the block of its number.
pub(crate) fn rings(count: u32, seed: u64, tokens: &[(u64, Token)]) -> Vec<Ring> {
    let mut rings: Vec<Ring> = (0..u64::from(count))
        .map(|id| Ring {
            id,
            pending: BTreeMap::new(),
            draw: Stream::new(seed, Purpose::Program, id),
            open_goals: 0,
            progress: 0,
            work: 0,
            epochs: 0,
            log: Vec::new(),
            starts: Vec::new(),
            mine: None,
        })
        .collect();
    for (at, token) in tokens {
        // Goals are counted at the block where a token starts and taken off where it ends, so
        // that only the sum over blocks means anything.
        let ring = &mut rings[usize::try_from(token.id % u64::from(count)).unwrap()];
        ring.open_goals += i64::from(token.is_goal);
        ring.put(*at, token.clone());
    }
    rings
}

/// A control that notes what it is told and stops after so many epochs.
pub(crate) struct Observer {
    stop_after: usize,
    pub(crate) seen: Mutex<Vec<(Instant, u64)>>,
}

impl Observer {
    pub(crate) fn new(stop_after: usize) -> Self {
        Self {
            stop_after,
            seen: Mutex::new(Vec::new()),
        }
    }
}

impl Control for Observer {
    fn after_epoch(&self, now: Instant, work: u64) -> bool {
        let mut seen = self.seen.lock().unwrap();
        seen.push((now, work));
        seen.len() >= self.stop_after
    }
}

/// What can be seen of a run from outside.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) stop: Stop,
    pub(crate) end: u64,
    pub(crate) logs: Vec<Vec<Visit>>,
    pub(crate) starts: Vec<u64>,
    pub(crate) control: Vec<(Instant, u64)>,
}

/// Runs to `until` or `stop_after` epochs, and checks what holds for every run.
pub(crate) fn drive(mut rings: Vec<Ring>, threads: usize, until: u64, stop_after: usize) -> Seen {
    let mut locals: Vec<Local> = (0..threads).map(|_| Local::default()).collect();
    let control = Observer::new(stop_after);
    let ranges = split(&vec![1; rings.len()], threads);
    let plan = plan(until);
    let done = run(
        &mut rings,
        &ranges,
        &mut locals,
        plan,
        &control,
        Mesh::alone(),
    );
    let (stop, end) = done.unwrap();
    let starts = rings[0].starts.clone();
    for ring in &rings {
        assert_eq!(ring.starts, starts, "every block takes part in every epoch");
    }
    let advanced: u64 = locals.iter().map(|local| local.advanced).sum();
    assert_eq!(advanced, (starts.len() * rings.len()) as u64);
    assert!(locals.iter().all(|local| local.advanced > 0));
    let control = control.seen.into_inner().unwrap();
    assert_eq!(
        control.len(),
        starts.len(),
        "control is asked once per epoch"
    );
    Seen {
        stop,
        end: end.ps(),
        logs: rings.into_iter().map(|ring| ring.log).collect(),
        starts,
        control,
    }
}

/// The plan of every run here.
pub(crate) fn plan(until: u64) -> EpochPlan {
    EpochPlan {
        epoch: Span::from_ps(EPOCH),
        until: Instant::from_ps(until),
        patience: Span::from_ps(PATIENCE),
    }
}
