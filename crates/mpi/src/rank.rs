//! A rank: one CPU that runs a program, and the NIC's share of the protocols.
//!
//! The CPU does one thing at a time, a `Step`; a step ends at a known instant, takes effect
//! then, and names the next one. Messages are matched only while the CPU is inside a call.
//! `docs/model/mpi.md` lists the steps of each call with their costs.

use std::collections::{BTreeMap, VecDeque};
use std::num::{NonZeroU8, NonZeroU32};
use std::sync::Arc;

use odonata_endpoint::{Endpoint, Message, Nic};
use odonata_units::{Bandwidth, Instant};

use crate::communicator::Communicator;
use crate::header::Envelope;
use crate::host::Host;
use crate::job_iterations::{JobIterations, Marks};
use crate::matching::{Matching, Posted, Search};
use crate::operation::{Operation, Request};
use crate::parameters::MpiParameters;
use crate::peer_counts::PeerCounts;
use crate::program::RankProgram;
use crate::rank_map::RankMap;
use crate::report::{Interrupt, RankReport};
use crate::slowest::{Slowest, Watched};

mod account;
mod awaited;
mod call;
mod crew;
mod death;
mod diagnosis;
mod hosts;
mod message_log;
mod one_sided;
mod pace;
mod protocol;
mod remaining;
mod requests;
mod strand;
mod streams;
mod timers;

use account::Account;
use crew::Crew;
use pace::Pace;
use requests::{OneSided, OpenRequest, RequestKind, Requests};
use strand::{Goal, Step, Strand, Task, Then};
use timers::{Event, Timers};

pub use message_log::{ArrivedMessage, MessageLog, SentMessage};

/// Parts that a rank is made of.
pub struct RankSetup {
    /// Rank of the job.
    pub rank: u32,
    /// Node and local rank of every rank of the job.
    pub rank_map: Arc<RankMap>,
    /// Communicators the program uses, as this rank sees them; the first is the whole job.
    pub communicators: Vec<Communicator>,
    /// Costs and algorithms.
    pub parameters: Arc<MpiParameters>,
    /// Its program.
    pub program: RankProgram,
}

/// One rank of an MPI job.
pub struct MpiRank {
    rank: u32,
    rank_map: Arc<RankMap>,
    communicators: Vec<Communicator>,
    parameters: Arc<MpiParameters>,
    program: RankProgram,
    /// The rate of its channel, if the program starts again when it has ended.
    repeats: Option<Bandwidth>,
    /// Times it has started again.
    repetition: u32,
    /// How many take turns from iteration to iteration.
    turns: NonZeroU8,
    /// The strand whose step is taken; the only one, as a rule.
    strand: Strand,
    /// The others, if there are any, and when the next of them goes on.
    crew: Option<Box<Crew>>,
    crew_next: Instant,
    pace: Pace,
    /// From then on it does nothing any more, whatever its program says.
    leaves_at: Instant,
    is_dead: bool,
    timers: Timers,
    matching: Matching,
    /// Envelopes that have reached the host and wait for the CPU.
    arrived: VecDeque<Envelope>,
    /// Envelopes of ranks that are ahead, by repetition, if there are any.
    #[expect(clippy::box_collection, reason = "most ranks have none, and are many")]
    later: Option<Box<BTreeMap<u32, VecDeque<Envelope>>>>,
    /// Receives whose rendezvous data have reached the host.
    landed: VecDeque<u32>,
    requests: Requests,
    one_sided: Option<Box<OneSided>>,
    /// By target: the number of the next envelope.
    sequences: PeerCounts,
    collective_counts: Vec<u32>,
    account: Account,
    /// Who is told how far the rank has come, if anybody wants to know.
    watched: Option<Box<Watched>>,
    /// Who is told of the iterations that end, if anybody wants to know.
    job_iterations: Option<Arc<JobIterations>>,
    messages: Option<Box<MessageLog>>,
    /// Effects of the node on the rank, if there are any.
    host: Option<Box<Host>>,
    failure: Option<String>,
}

impl MpiRank {
    /// A rank that has not begun.
    ///
    /// # Panics
    /// If the rank has no node in `setup.rank_map`, or its first communicator is not the whole job.
    #[must_use]
    pub fn new(setup: RankSetup) -> Self {
        let RankSetup {
            rank,
            rank_map,
            communicators,
            parameters,
            program,
        } = setup;
        assert!(
            (rank as usize) < rank_map.rank_count(),
            "a rank without a node"
        );
        let world = communicators
            .first()
            .map(|world| (world.context(), world.size() as usize));
        assert!(
            world == Some((0, rank_map.rank_count())),
            "communicator 0 is the whole job"
        );
        Self {
            rank,
            rank_map,
            collective_counts: vec![0; communicators.len()],
            communicators,
            parameters,
            program,
            repeats: None,
            repetition: 0,
            turns: NonZeroU8::MIN,
            strand: Strand {
                until: Instant::ZERO,
                ..Strand::new(0, Task::Sequence, Step::Fetch)
            },
            crew: None,
            crew_next: Instant::NEVER,
            pace: Pace::default(),
            leaves_at: Instant::NEVER,
            is_dead: false,
            timers: Timers::default(),
            matching: Matching::default(),
            arrived: VecDeque::new(),
            later: None,
            landed: VecDeque::new(),
            requests: Requests::default(),
            one_sided: None,
            sequences: PeerCounts::default(),
            account: Account::default(),
            watched: None,
            job_iterations: None,
            messages: None,
            host: None,
            failure: None,
        }
    }

    /// Rank of the job.
    #[must_use]
    pub const fn rank(&self) -> u32 {
        self.rank
    }

    /// Ends the work of the rank soon after `interrupt` is raised, whatever its program does.
    pub fn stop_on(&mut self, interrupt: Interrupt) {
        self.pace.stop_on(interrupt);
    }

    /// Says how far the rank comes from now on, unless it repeats or nobody knows how much there
    /// is.
    pub fn tell(&mut self, slowest: &Arc<Slowest>) {
        let is_known = match &self.program {
            RankProgram::Sequence(program) => program.share().is_some(),
            RankProgram::Graph(_) => false,
        };
        if is_known && self.repeats.is_none() {
            self.watched = Some(Box::new(Watched::new(Arc::clone(slowest))));
        }
    }

    /// Says when iterations, and the program, end; the program then ends as many iterations sooner
    /// as `job` leaves out.
    ///
    /// To be called before the rank begins.
    pub fn tell_iterations(&mut self, job: &Arc<JobIterations>) {
        self.job_iterations = Some(Arc::clone(job));
    }

    /// Iterations of the program; `None`: they are not known before it has run.
    #[must_use]
    pub fn iterations(&self) -> Option<u64> {
        match &self.program {
            RankProgram::Sequence(program) => program.iterations(),
            RankProgram::Graph(_) => None,
        }
    }

    /// From now on the program starts again whenever it has ended, for ever.
    ///
    /// Messages of one repetition never match receives of another one, whoever is ahead. A
    /// repetition takes at least as long as a channel of `rate` needs for what the rank hands over
    /// in it. One that takes no time, sends nothing and receives nothing is the last one.
    pub const fn repeat(&mut self, rate: Bandwidth) {
        self.repeats = Some(rate);
    }

    /// The rank begins at `from`, and is gone from `until` on: what it has handed to its NIC by
    /// then is sent, what arrives then is ignored.
    ///
    /// To be called before the rank begins; without it a rank begins at once and stays.
    pub const fn stay(&mut self, from: Instant, until: Instant) {
        self.strand.until = from;
        self.leaves_at = until;
    }

    /// Messages say whose turn it is among `turns`, in their mode: `i % turns` in iteration `i`,
    /// and between it and the one before.
    ///
    /// The iteration is that in which the rank is when the message is made.
    pub const fn take_turns(&mut self, turns: NonZeroU8) {
        self.turns = turns;
    }

    /// Keeps the records of at most `most` iterations, and of one at least: evenly spread ones.
    ///
    /// To be called before the rank begins; without it all are kept.
    pub fn keep_iterations(&mut self, most: usize) {
        self.account.keep_iterations(most);
    }

    /// Keeps when about every `every`-th message with payload was sent, and when it arrived.
    ///
    /// To be called before the rank begins; without it nothing is kept.
    pub fn log_messages(&mut self, every: NonZeroU32) {
        self.messages = Some(Box::new(MessageLog::new(every)));
    }

    /// Takes the messages that were kept, if any were asked for.
    pub fn take_messages(&mut self) -> Option<MessageLog> {
        self.messages.take().map(|log| *log)
    }

    /// The record so far. Cost: one copy of the iterations that are kept.
    #[must_use]
    pub fn report(&self) -> RankReport {
        RankReport {
            last_call: match self.strand.step {
                Step::Finished => self.account.last_return,
                Step::Failed | Step::Blocked => self.account.last,
                _ if self.crew.is_some() && self.crew_next == Instant::NEVER => self.account.last,
                _ => Instant::NEVER,
            },
            finished: self.has_ended(),
            blocked_on: self.blocked_on(),
            host: self.taken_by_host(),
            ..self.account.report()
        }
    }

    fn continue_with(&mut self, step: Step, until: Instant) {
        self.strand.until = until;
        self.strand.step = step;
    }

    /// Ends the step of the CPU that is due at `now`, and those that follow at the same instant,
    /// unless a host or other strands have a say: the NIC sees nothing of the rank in between.
    fn steps(&mut self, now: Instant) {
        self.account.last = now;
        self.pace.begin(now);
        loop {
            match self.strand.step {
                Step::Fetch => self.fetch(now),
                Step::Start => self.start_call(now),
                Step::Collective => self.collective_step(now),
                Step::Inject(slot) => self.inject(slot, now),
                Step::Register(slot) => self.search_unexpected(slot, now),
                Step::Post(slot) => {
                    self.matching.post(self.posted(slot));
                    self.posted_receive(slot, now);
                }
                Step::Take(envelope, slot, then) => {
                    self.take(&envelope, slot, now);
                    self.go_on(then, now);
                }
                Step::Land(slot, then) => {
                    self.land(slot, now);
                    self.go_on(then, now);
                }
                Step::Keep(envelope, then) => {
                    self.keep(envelope);
                    self.go_on(then, now);
                }
                Step::Retire(slot) => self.retire(slot, now),
                Step::Wait => self.wait(now),
                Step::Leave => self.leave(now),
                Step::Return => {
                    self.account.leave_call(now);
                    match self.strand.task {
                        Task::Operation(position) => self.end_operation(position, now),
                        _ => self.continue_with(Step::Fetch, now),
                    }
                }
                Step::Computed => self.end_computation(now),
                Step::Rest => self.end_repetition(now),
                Step::Blocked | Step::Gone | Step::Finished | Step::Failed => {
                    self.strand.until = Instant::NEVER;
                }
            }
            self.strand.until = self.pace.after_step(self.strand.until);
            if self.host.is_some() {
                return self.lengthen(now);
            }
            if self.strand.until > now || self.crew.is_some() {
                return;
            }
        }
    }

    /// A complete request is forgotten.
    fn retire(&mut self, slot: u32, now: Instant) {
        let &OpenRequest { kind, bytes, .. } = self.requests.get(slot);
        if kind == RequestKind::Receive {
            self.account.note_receive();
            if let RankProgram::Sequence(program) = &mut self.program {
                program.received(bytes);
            }
        }
        self.requests.remove(slot);
        if self.strand.goal == Goal::Any {
            self.strand.awaited.clear();
        }
        self.wait(now);
    }

    fn fetch(&mut self, now: Instant) {
        self.account.start.get_or_insert(now);
        let RankProgram::Sequence(program) = &mut self.program else {
            return self.begin_graph(now);
        };
        let operation = program.next();
        if let Some(watched) = &mut self.watched
            && (watched.is_due() || matches!(operation, Operation::IterationEnd))
        {
            watched.reached(program.share().unwrap_or(0.0));
        }
        match operation {
            Operation::Compute(span) => {
                self.account.compute_time += span;
                self.account.end_burst();
                self.continue_with(Step::Fetch, now + span);
            }
            Operation::IterationBegin => self.account.begin_iteration(now),
            Operation::IterationFrom(offset) => {
                let from = self.account.begin() + offset;
                let wait = from.saturating_since(now);
                self.account.compute_time += wait;
                self.account.begin_iteration(from);
                self.continue_with(Step::Fetch, now + wait);
            }
            Operation::IterationEnd => self.end_iteration(now),
            Operation::Finish if self.crew.is_none() => self.finish(now),
            operation => {
                self.strand.operation = operation;
                self.account.enter_call(now);
                let entry = self.entry();
                self.strand.price = entry.price;
                self.continue_with(Step::Start, now + entry.span);
            }
        }
    }

    fn end_iteration(&mut self, now: Instant) {
        self.account.end_iteration(now);
        if let Some(job) = &self.job_iterations
            && job.marks() == Marks::Iterations
        {
            let number = self.account.iterations() - 1;
            job.note_end(number, now, self.account.communication(now));
            if let RankProgram::Sequence(program) = &mut self.program {
                program.leave_out(job.left_out());
            }
        }
    }

    /// The rank is taken off its node.
    fn go_away(&mut self) {
        self.leaves_at = Instant::NEVER;
        self.repeats = None;
        self.strand = Strand::new(0, Task::Sequence, Step::Finished);
        self.crew = None;
        self.crew_next = Instant::NEVER;
        self.arrived.clear();
        self.landed.clear();
    }

    /// Whether its program has ended, once.
    const fn has_ended(&self) -> bool {
        self.account.repetitions > 0 && self.failure.is_none()
    }

    /// The program has ended. If it repeats, its channel is given the time to send what it got.
    fn finish(&mut self, now: Instant) {
        if let Some(rate) = self.repeats {
            let sent = self.account.begin() + rate.serialization(self.account.handed_over());
            if sent > now {
                self.continue_with(Step::Rest, sent);
                return self.drain(now);
            }
        }
        self.end_repetition(now);
    }

    /// The program, and the rest behind it, are over.
    fn end_repetition(&mut self, now: Instant) {
        let did_something = self.account.end_repetition(now);
        if let Some(watched) = &mut self.watched {
            watched.reached(1.0);
        }
        if let Some(job) = &self.job_iterations {
            if job.marks() == Marks::Repetitions {
                let comm_time = self.account.communication(now);
                job.note_end(u64::from(self.repetition), now, comm_time);
            }
            if self.repetition == 0 {
                job.note_finish(now);
            }
        }
        self.continue_with(Step::Finished, Instant::NEVER);
        self.drain(now);
        if self.repeats.is_some() && did_something && matches!(self.strand.step, Step::Finished) {
            self.start_again(now);
        }
    }

    /// The next repetition begins, as a new job on the same nodes would.
    fn start_again(&mut self, now: Instant) {
        let next = self.repetition.checked_add(1);
        let Some(next) = next.filter(|next| *next < u32::MAX) else {
            return self.fail(
                "the program has run 4,294,967,295 times, and further repetitions cannot be told \
                 apart; let each of them take longer, lower `stop.time`, or set `repeat = false`"
                    .to_owned(),
            );
        };
        self.repetition = next;
        if let RankProgram::Sequence(program) = &mut self.program {
            program.rewind();
        }
        self.requests.forget_names();
        self.matching.forget_unexpected();
        self.collective_counts.fill(0);
        let later = self.later.as_mut();
        let ahead = later.and_then(|later| later.remove(&self.repetition));
        self.arrived = ahead.unwrap_or_default();
        self.continue_with(Step::Fetch, now);
    }

    /// The primitive is over: a last look at what has arrived, then out.
    fn leave(&mut self, now: Instant) {
        let pending = self.pending_envelopes();
        self.go_on(Then::Leave(pending), now);
    }

    /// Out of the call, once collectives in progress have had their turn.
    fn exit(&mut self, now: Instant) {
        if self.is_waited_for() {
            return self.continue_with(Step::Leave, Instant::NEVER);
        }
        self.continue_with(Step::Return, now + self.parameters.call_return);
    }

    fn pending_envelopes(&self) -> u32 {
        u32::try_from(self.arrived.len()).unwrap_or(u32::MAX)
    }

    fn go_on(&mut self, then: Then, now: Instant) {
        if matches!(self.strand.step, Step::Failed) {
            return;
        }
        match then {
            Then::Posted(slot) => self.posted_receive(slot, now),
            Then::Wait(0) => self.wait(now),
            Then::Wait(left) => self.examine(Then::Wait(left - 1), now),
            Then::Leave(0) if self.strand.collective.is_some() => {
                self.continue_with(Step::Collective, now);
            }
            Then::Leave(0) => self.exit(now),
            Then::Leave(left) => self.examine(Then::Leave(left - 1), now),
        }
    }

    /// Compares the oldest arrived envelope with the posted receives.
    fn examine(&mut self, then: Then, now: Instant) {
        let Some(envelope) = self.arrived.pop_front() else {
            return self.go_on(then, now);
        };
        let Search { examined, found } = self.matching.search_posted(&envelope);
        let matched = now + self.parameters.match_each * examined;
        match found {
            None => self.continue_with(Step::Keep(envelope, then), matched),
            Some(posted) => self.begin_take(envelope, posted.slot, then, matched),
        }
    }

    fn begin_take(&mut self, envelope: Envelope, slot: u32, then: Then, matched: Instant) {
        let until = matched + self.take_cost(&envelope, slot);
        self.continue_with(Step::Take(envelope, slot, then), until);
    }

    fn search_unexpected(&mut self, slot: u32, now: Instant) {
        let posted = self.posted(slot);
        let Search { examined, found } = self.matching.search_unexpected(&posted);
        let matched = now + self.parameters.match_each * examined;
        match found {
            None => self.continue_with(Step::Post(slot), matched),
            Some(envelope) => self.begin_take(envelope, slot, Then::Posted(slot), matched),
        }
    }

    fn posted(&self, slot: u32) -> Posted {
        let OpenRequest {
            context, peer, tag, ..
        } = *self.requests.get(slot);
        Posted {
            context,
            source: peer,
            tag,
            slot,
            repetition: self.repetition,
        }
    }

    fn posted_receive(&mut self, slot: u32, now: Instant) {
        if self.requests.get(slot).blocking {
            self.wait_for(slot, now);
        } else {
            self.leave(now);
        }
    }

    fn wait_for(&mut self, slot: u32, now: Instant) {
        self.strand.goal = Goal::All;
        self.strand.awaited.set([slot]);
        self.wait(now);
    }

    /// Retires a complete request among those awaited, or makes progress, or blocks.
    fn wait(&mut self, now: Instant) {
        let awaited = &mut self.strand.awaited;
        if let Some(slot) = awaited.take_complete(&self.requests) {
            if self.strand.goal == Goal::Some {
                // One is enough: the others are retired only if they are complete already.
                awaited.keep_complete(&self.requests);
            }
            let cost = self
                .parameters
                .registration(self.requests.get(slot).release);
            return self.continue_with(Step::Retire(slot), now + cost);
        }
        if self.strand.goal == Goal::Test {
            self.strand.awaited.clear();
        }
        if self.strand.awaited.slots().is_empty() {
            return self.leave(now);
        }
        if let Some(slot) = self.landed.pop_front() {
            let until = now + self.parameters.acknowledge;
            return self.continue_with(Step::Land(slot, Then::Wait(0)), until);
        }
        match self.pending_envelopes() {
            0 => self.continue_with(Step::Blocked, Instant::NEVER),
            pending => self.go_on(Then::Wait(pending), now),
        }
    }

    /// The slots of the names that name something, in order.
    fn await_named(&mut self, names: &[Request], goal: Goal, now: Instant) {
        let named = names.iter().filter_map(|&name| self.requests.named(name));
        self.strand.goal = goal;
        self.strand.awaited.set(named);
        if self.is_awaited_twice() {
            return self.fail(format!(
                "{} waits for a request that another operation waits for; wait for each request \
                 once",
                self.strand.operation.name()
            ));
        }
        self.wait(now);
    }
}

impl Endpoint for MpiRank {
    fn next_wake(&self) -> Instant {
        (self.timers.next())
            .min(self.strand.until)
            .min(self.crew_next)
    }

    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        if now >= self.leaves_at {
            self.go_away();
        }
        loop {
            while let Some(event) = self.timers.take(now) {
                match event {
                    Event::HandOver(message) => {
                        if let Some(log) = &mut self.messages {
                            log.note_sent(&message, now);
                        }
                        nic.send(message);
                    }
                    Event::Arrive(envelope) => self.arrive(envelope, now),
                    Event::Die => self.die(),
                }
            }
            if self.strand.until <= now {
                if self.host.is_some() && self.is_away(now) {
                    continue;
                }
                self.steps(now);
                if self.crew.is_some() {
                    self.park(now);
                }
            } else if self.crew_next <= now {
                self.crew_step(now);
            } else {
                return;
            }
        }
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        if let Some(log) = &mut self.messages {
            log.note_arrived(message.header, now);
        }
        if self.is_dead {
            return;
        }
        self.receive(now, message);
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        None
    }

    fn is_finished(&self) -> bool {
        self.has_ended() || self.is_dead
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Communicator, Instant, MpiParameters, MpiRank, RankMap, RankSetup};
    use crate::operation::Operation;
    use odonata_units::NodeId;

    #[test]
    fn repetitions_that_cannot_be_told_apart_fail_the_rank() {
        let mut rank = MpiRank::new(RankSetup {
            rank: 0,
            rank_map: Arc::new(RankMap::new(&[NodeId(0)])),
            communicators: vec![Communicator::world(0, 1)],
            parameters: Arc::new(MpiParameters::preset("codes").unwrap_or_else(|_| unreachable!())),
            program: (|| Operation::Finish).into(),
        });
        rank.repetition = u32::MAX - 2;
        rank.start_again(Instant::ZERO);
        assert_eq!((rank.repetition, &rank.failure), (u32::MAX - 1, &None));
        rank.start_again(Instant::ZERO);
        assert_eq!(rank.repetition, u32::MAX - 1);
        assert!(
            rank.failure
                .is_some_and(|why| why.contains("repeat = false"))
        );
    }
}
