//! The strands of a rank that has several, and what they share: CPUs and the library.
//!
//! A stream has one CPU, held by one strand at a time; a strand that is blocked lets go of it. The
//! library is entered by one strand of the rank at a time, as under one lock (`docs/model/mpi.md`).

use std::collections::{BTreeSet, VecDeque};

use odonata_units::Instant;

use super::strand::{Step, Strand, Task};
use crate::graph::Counts;

/// One stream of a rank.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The strand on its CPU.
    pub(super) holder: Option<u32>,
    /// Strands that can go on and want the CPU, the first come first.
    pub(super) queue: VecDeque<u32>,
    /// Strands that wait for messages.
    pub(super) blocked: BTreeSet<u32>,
    /// Operations of the graph that are ready, since when.
    pub(super) ready: BTreeSet<(Instant, u32)>,
}

/// Rest of a graph.
#[derive(Debug)]
pub(super) struct Progress {
    /// `[operation]`: edges it still waits for.
    pub(super) left: Counts,
    /// Operations that have not ended.
    pub(super) unfinished: u32,
}

/// All strands but the one whose step is taken.
#[derive(Default)]
pub(super) struct Crew {
    /// `[id]`.
    parked: Vec<Option<Strand>>,
    free: Vec<u32>,
    /// Strands with a step that ends at a known instant.
    due: BTreeSet<(Instant, u32)>,
    pub(super) streams: Vec<Stream>,
    /// Streams whose CPU may have become free, or wanted.
    stirred: BTreeSet<u32>,
    /// The strand in the library, and those that want to enter it.
    inside: Option<u32>,
    outside: VecDeque<u32>,
    /// Rest of the graph, if the program is one.
    pub(super) progress: Option<Progress>,
}

impl Crew {
    /// As many streams as asked for, without strands.
    pub(super) fn new(streams: usize) -> Self {
        let mut crew = Self::default();
        crew.streams.resize_with(streams, Stream::default);
        crew
    }

    /// A number for a strand; an entry for it is kept.
    pub(super) fn number(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.parked.push(None);
            u32::try_from(self.parked.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// When the next step of a parked strand ends.
    pub(super) fn next(&self) -> Instant {
        self.due.first().map_or(Instant::NEVER, |(at, _)| *at)
    }

    /// Takes out the strand whose step ends first.
    pub(super) fn take(&mut self) -> Option<Strand> {
        let (_, id) = self.due.pop_first()?;
        self.parked[id as usize].take()
    }

    /// Puts a strand to the others.
    pub(super) fn park(&mut self, strand: Strand) {
        if strand.until != Instant::NEVER {
            self.due.insert((strand.until, strand.id));
        }
        let index = strand.id as usize;
        self.parked[index] = Some(strand);
    }

    /// The strands, by number.
    pub(super) fn strands(&self) -> impl Iterator<Item = &Strand> {
        self.parked.iter().flatten()
    }

    /// Takes out the only strand; `None` if there are none, or several.
    pub(super) fn only(&mut self) -> Option<Strand> {
        if self.parked.len() > self.free.len() + 1 {
            return None;
        }
        self.parked.iter_mut().find_map(Option::take)
    }

    /// Whether there is no strand, parked or on its way.
    pub(super) fn is_empty(&self) -> bool {
        self.parked.len() == self.free.len()
    }

    /// Whether strand `id` may go on inside the library at once; if not, it will be let in later.
    pub(super) fn enters_library(&mut self, id: u32) -> bool {
        match self.inside {
            None => {
                self.inside = Some(id);
                true
            }
            Some(holder) if holder == id => true,
            Some(_) => {
                self.outside.push_back(id);
                false
            }
        }
    }

    /// Whether nobody is in the library.
    pub(super) const fn nobody_is_inside(&self) -> bool {
        self.inside.is_none()
    }

    /// Strand `id` is out of the library; the next one goes in.
    pub(super) fn leave_library(&mut self, id: u32, now: Instant) {
        if self.inside != Some(id) {
            return;
        }
        self.inside = self.outside.pop_front();
        if let Some(next) = self.inside {
            self.go_on(next, now);
        }
    }

    /// Strand `id` leaves the CPU of `stream`.
    pub(super) fn leave_cpu(&mut self, id: u32, stream: u32) {
        let state = &mut self.streams[stream as usize];
        if state.holder == Some(id) {
            state.holder = None;
            self.stirred.insert(stream);
        }
    }

    /// A strand that is parked wants the CPU of `stream`, to go on in the library.
    pub(super) fn queue(&mut self, id: u32, stream: u32) {
        self.streams[stream as usize].queue.push_back(id);
        self.stirred.insert(stream);
    }

    /// An operation of the graph on `stream` is ready.
    pub(super) fn ready(&mut self, operation: u32, stream: u32, now: Instant) {
        self.streams[stream as usize].ready.insert((now, operation));
        self.stirred.insert(stream);
    }

    /// The number of a strand is free again.
    pub(super) fn forget(&mut self, id: u32) {
        self.free.push(id);
    }

    /// If strand `id` is blocked, it looks again what has happened as soon as it has the CPU.
    pub(super) fn wake(&mut self, id: u32) {
        let Some(Some(strand)) = self.parked.get_mut(id as usize) else {
            return;
        };
        let stream = strand.stream;
        if self.streams[stream as usize].blocked.remove(&id) {
            strand.step = Step::Wait;
            self.queue(id, stream);
        }
    }

    /// Wakes the first blocked strand whose CPU is free: somebody has to look at what arrived.
    pub(super) fn wake_one(&mut self) {
        let idle = self.streams.iter().filter(|stream| stream.holder.is_none());
        if let Some(id) = idle.filter_map(|one| one.blocked.first()).min().copied() {
            self.wake(id);
        }
    }

    /// A stream whose CPU is free and wanted by a strand or by an operation.
    pub(super) fn wanted(&mut self) -> Option<Wanted> {
        while let Some(&stream) = self.stirred.first() {
            let state = &mut self.streams[stream as usize];
            if state.holder.is_none() {
                if let Some(id) = state.queue.pop_front() {
                    state.holder = Some(id);
                    return Some(Wanted::By(id));
                }
                if let Some((_, operation)) = state.ready.pop_first() {
                    return Some(Wanted::For(operation, stream));
                }
            }
            self.stirred.remove(&stream);
        }
        None
    }

    /// Operations of the graph that have not started.
    pub(super) fn waiting_operations(&self) -> usize {
        let started = (self.strands())
            .filter(|strand| matches!(strand.task, Task::Operation(_)))
            .count();
        let unfinished = self
            .progress
            .as_ref()
            .map_or(0, |left| left.unfinished as usize);
        unfinished.saturating_sub(started)
    }

    /// Whether any CPU may be wanted.
    pub(super) fn is_stirred(&self) -> bool {
        !self.stirred.is_empty()
    }

    /// Whether a nonblocking collective wants the CPU of `stream`.
    pub(super) fn has_collective_queued(&self, stream: u32) -> bool {
        let strand = |id: &u32| self.parked[*id as usize].as_ref();
        let mut queued = self.streams[stream as usize]
            .queue
            .iter()
            .filter_map(strand);
        queued.any(|strand| matches!(strand.task, Task::Collective(_)))
    }

    /// A parked strand takes its step now.
    pub(super) fn go_on(&mut self, id: u32, now: Instant) {
        if let Some(Some(strand)) = self.parked.get_mut(id as usize) {
            strand.until = now;
            self.due.insert((now, id));
        }
    }
}

/// Who gets a CPU.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// A parked strand, which holds it now.
    By(u32),
    /// An operation of the graph, on a stream that nobody holds yet.
    For(u32, u32),
}
