//! Several strands on one rank: operations of a graph, and nonblocking collectives.

use odonata_units::{Instant, Span};

use super::MpiRank;
use super::crew::{Crew, Progress, Wanted};
use super::strand::{Ongoing, Step, Strand, Task};
use crate::graph::Moment;
use crate::host::USUAL;
use crate::operation::Operation;
use crate::program::RankProgram;

impl MpiRank {
    /// Whether the strand may go on inside the library at once.
    pub(super) fn enters_library(&mut self) -> bool {
        let id = self.strand.id;
        let enters = (self.crew.as_mut()).is_none_or(|crew| crew.enters_library(id));
        if !enters {
            self.strand.until = Instant::NEVER;
        }
        enters
    }

    /// Whether collectives in progress wait for the CPU that the strand holds.
    pub(super) fn is_waited_for(&self) -> bool {
        let Some(crew) = &self.crew else {
            return false;
        };
        !matches!(self.strand.task, Task::Collective(_))
            && crew.has_collective_queued(self.strand.stream)
    }

    /// Whether another strand waits for a request that this one is about to wait for.
    pub(super) fn is_awaited_twice(&self) -> bool {
        let Some(crew) = &self.crew else {
            return false;
        };
        let mut others = crew.strands().flat_map(|strand| strand.awaited.slots());
        others.any(|slot| self.strand.awaited.slots().contains(slot))
    }

    /// A request is complete: whoever waits for it looks again.
    pub(super) fn complete(&mut self, index: u32) {
        let mut next = Some(index);
        while let Some(index) = next {
            self.requests.set_done(index, true);
            let slot = self.requests.get_mut(index);
            next = slot.echo.take();
            if let (Some(crew), Some(waiter)) = (&mut self.crew, slot.waiter) {
                crew.wake(waiter);
            }
        }
    }

    /// Takes the step of the parked strand that is due at `now`.
    pub(super) fn crew_step(&mut self, now: Instant) {
        let Some(strand) = self.crew.as_mut().and_then(|crew| crew.take()) else {
            self.crew_next = Instant::NEVER;
            return;
        };
        self.strand = strand;
        if self.host.is_some() && self.is_crew_away(now) {
            return;
        }
        self.steps(now);
        self.park(now);
    }

    /// Puts the strand whose step was taken to the others, and lets go of what it does not need.
    pub(super) fn park(&mut self, now: Instant) {
        if self.failure.is_some() {
            return self.stop_crew();
        }
        let Some(crew) = &mut self.crew else {
            return;
        };
        let nobody = Strand::new(0, Task::Sequence, Step::Gone);
        let strand = std::mem::replace(&mut self.strand, nobody);
        let (id, stream) = (strand.id, strand.stream);
        match strand.step {
            // Nobody is replaced where a graph begins.
            Step::Gone if id == u32::MAX => {}
            Step::Gone => {
                crew.leave_library(id, now);
                crew.leave_cpu(id, stream);
                crew.forget(id);
            }
            Step::Blocked => {
                for &slot in strand.awaited.slots() {
                    self.requests.get_mut(slot).waiter = Some(id);
                }
                crew.leave_library(id, now);
                crew.leave_cpu(id, stream);
                crew.streams[stream as usize].blocked.insert(id);
                crew.park(strand);
            }
            Step::Leave if strand.until == Instant::NEVER => {
                crew.leave_library(id, now);
                crew.leave_cpu(id, stream);
                crew.queue(id, stream);
                crew.park(strand);
            }
            Step::Return | Step::Fetch => {
                crew.leave_library(id, now);
                crew.park(strand);
            }
            _ => crew.park(strand),
        }
        self.settle(now);
    }

    /// Gives free CPUs to whoever wants them.
    pub(super) fn settle(&mut self, now: Instant) {
        loop {
            let Some(crew) = &mut self.crew else {
                return;
            };
            match crew.wanted() {
                Some(Wanted::By(id)) => {
                    if crew.enters_library(id) {
                        crew.go_on(id, now);
                    }
                }
                Some(Wanted::For(operation, stream)) => self.take_up(operation, stream, now),
                None if crew.nobody_is_inside() && self.has_news() => {
                    let Some(crew) = &mut self.crew else {
                        return;
                    };
                    crew.wake_one();
                    if !crew.is_stirred() {
                        break;
                    }
                }
                None => break,
            }
        }
        self.relieve(now);
    }

    fn has_news(&self) -> bool {
        !self.arrived.is_empty() || !self.landed.is_empty()
    }

    /// Ends what is over: a graph of which everything has ended, or a crew of one strand.
    fn relieve(&mut self, now: Instant) {
        let Some(crew) = &mut self.crew else {
            return;
        };
        match &crew.progress {
            Some(progress) if progress.unfinished == 0 && crew.is_empty() => {
                self.crew = None;
                self.crew_next = Instant::NEVER;
                self.strand = Strand::new(0, Task::Sequence, Step::Finished);
                self.finish(now);
            }
            None => match crew.only() {
                Some(strand) => {
                    self.strand = strand;
                    self.crew = None;
                    self.crew_next = Instant::NEVER;
                }
                None => self.crew_next = crew.next(),
            },
            Some(_) => self.crew_next = crew.next(),
        }
    }

    /// Something impossible has happened: nobody goes on.
    fn stop_crew(&mut self) {
        if self.crew.take().is_some() {
            if let Task::Operation(position) = self.strand.task {
                let stream = self.stream_name(self.strand.stream);
                let reason = self.failure.take().unwrap_or_default();
                self.failure = Some(format!("operation {position} (stream {stream}): {reason}"));
            }
            self.crew_next = Instant::NEVER;
            self.strand = Strand::new(0, Task::Sequence, Step::Failed);
        }
    }

    /// The number that the trace or the user gave a stream.
    pub(super) fn stream_name(&self, stream: u32) -> u32 {
        match &self.program {
            RankProgram::Graph(program) => program.graph.stream_name(stream),
            RankProgram::Sequence(_) => stream,
        }
    }

    /// The program is a graph, and begins.
    pub(super) fn begin_graph(&mut self, now: Instant) {
        let RankProgram::Graph(program) = &mut self.program else {
            return;
        };
        let wait = std::mem::take(&mut program.wait_before);
        if wait > Span::ZERO {
            self.account.compute_time += wait;
            return self.continue_with(Step::Fetch, now + wait);
        }
        let graph = &program.graph;
        let mut crew = Crew::new(graph.stream_count());
        for operation in graph.incoming().free() {
            crew.ready(operation, graph.stream(operation), now);
        }
        crew.progress = Some(Progress {
            left: graph.incoming().clone(),
            unfinished: graph.len(),
        });
        self.crew = Some(Box::new(crew));
        self.strand = Strand {
            id: u32::MAX,
            ..Strand::new(0, Task::Sequence, Step::Gone)
        };
    }

    /// The CPU of `stream` takes an operation of the graph up.
    fn take_up(&mut self, position: u32, stream: u32, now: Instant) {
        let RankProgram::Graph(program) = &self.program else {
            return;
        };
        let operation = program.operations.operation(position);
        self.pass(position, Moment::Start, now);
        let (step, until, price) = match operation {
            Operation::IterationBegin | Operation::IterationFrom(_) => {
                self.account.begin_iteration(now);
                return self.pass(position, Moment::End, now);
            }
            Operation::IterationEnd => {
                self.end_iteration(now);
                return self.pass(position, Moment::End, now);
            }
            Operation::Compute(Span::ZERO) | Operation::Finish => {
                return self.pass(position, Moment::End, now);
            }
            Operation::Compute(span) => {
                self.account.begin_computation(now);
                (Step::Computed, self.computed_on(stream, now, span), USUAL)
            }
            _ => {
                self.account.enter_call(now);
                let entry = self.entry();
                (
                    Step::Start,
                    self.entered_on(stream, now, entry),
                    entry.price,
                )
            }
        };
        let Some(crew) = &mut self.crew else {
            return;
        };
        let id = crew.number();
        crew.streams[stream as usize].holder = Some(id);
        crew.park(Strand {
            id,
            until,
            operation,
            price,
            ..Strand::new(stream, Task::Operation(position), step)
        });
    }

    /// A moment of an operation has come: what waited for it may be ready.
    fn pass(&mut self, position: u32, moment: Moment, now: Instant) {
        let RankProgram::Graph(program) = &self.program else {
            return;
        };
        let Some(crew) = &mut self.crew else {
            return;
        };
        let Some(progress) = &mut crew.progress else {
            return;
        };
        let mut ready = Vec::new();
        for &later in program.graph.after(position, moment) {
            if progress.left.take(later) {
                ready.push(later);
            }
        }
        if moment == Moment::End {
            progress.unfinished -= 1;
        }
        for later in ready {
            crew.ready(later, program.graph.stream(later), now);
        }
    }

    /// The strand of an operation of the graph is at its end.
    pub(super) fn end_operation(&mut self, position: u32, now: Instant) {
        self.pass(position, Moment::End, now);
        self.continue_with(Step::Gone, Instant::NEVER);
    }

    /// A computation of the graph is over.
    pub(super) fn end_computation(&mut self, now: Instant) {
        self.account.end_computation(now);
        if let Task::Operation(position) = self.strand.task {
            self.end_operation(position, now);
        }
    }

    /// A nonblocking collective begins, on a strand of its own.
    pub(super) fn begin_nonblocking(&mut self, steps: Ongoing, operation: Operation, request: u32) {
        let stream = self.strand.stream;
        let crew = self.crew.get_or_insert_with(|| {
            let mut crew = Crew::new(1);
            let id = crew.number();
            crew.streams[0].holder = Some(id);
            let _ = crew.enters_library(id);
            Box::new(crew)
        });
        let id = crew.number();
        crew.park(Strand {
            id,
            operation,
            collective: Some(Box::new(steps)),
            ..Strand::new(stream, Task::Collective(request), Step::Collective)
        });
        crew.queue(id, stream);
    }

    /// Requests of nonblocking collectives that are not complete.
    pub(super) fn open_collectives(&self) -> Vec<u32> {
        let Some(crew) = &self.crew else {
            return Vec::new();
        };
        let requests = crew.strands().filter_map(|strand| match strand.task {
            Task::Collective(request) => Some(request),
            Task::Sequence | Task::Operation(_) => None,
        });
        requests.collect()
    }
}
