//! Effects of the host of a rank on its steps: `docs/model/hosts.md`.
//!
//! Without a host nothing of this is called.

use std::sync::Arc;

use odonata_units::{Instant, Span};

use super::MpiRank;
use super::strand::{Step, Strand, Task};
use crate::host::{Host, HostModel, HostTime, Place, USUAL};

impl MpiRank {
    /// From now on the rank is on a host as `model` says, with draws that follow from `seed` and
    /// the place.
    ///
    /// To be called before the rank begins; without it hosts are silent.
    pub fn sit_on(&mut self, model: &Arc<HostModel>, seed: u64, place: Place) {
        self.host = Some(Box::new(Host::new(Arc::clone(model), seed, place)));
    }

    /// A message to the rank has waited for the memory of its node.
    pub fn note_memory(&mut self, waited: Span) {
        if let Some(host) = &mut self.host {
            host.note_memory(waited);
        }
    }

    /// Time that the host has taken so far.
    pub(super) fn taken_by_host(&self) -> HostTime {
        self.host
            .as_ref()
            .map_or_else(HostTime::default, |host| host.spent())
    }

    /// Whether the CPU of the strand, whose step is due at `now`, is away; the step then waits for
    /// its return.
    pub(super) fn is_away(&mut self, now: Instant) -> bool {
        let Some(host) = &mut self.host else {
            return false;
        };
        self.strand.until = host.back_at(self.strand.stream, now);
        self.strand.until > now
    }

    /// As [`Self::is_away`], of a strand of a crew, which is then parked again.
    pub(super) fn is_crew_away(&mut self, now: Instant) -> bool {
        if !self.is_away(now) {
            return false;
        }
        let nobody = Strand::new(0, Task::Sequence, Step::Gone);
        let strand = std::mem::replace(&mut self.strand, nobody);
        if let Some(crew) = &mut self.crew {
            crew.park(strand);
            self.crew_next = crew.next();
        }
        true
    }

    /// The step that the strand has begun at `now` takes as long as the host lets it.
    pub(super) fn lengthen(&mut self, now: Instant) {
        let until = self.strand.until;
        let Some(host) = &mut self.host else {
            return;
        };
        let is_busy = !matches!(self.strand.step, Step::Rest);
        if until <= now || until == Instant::NEVER || !is_busy {
            return;
        }
        let (stream, price) = (self.strand.stream, self.strand.price);
        if matches!(self.strand.step, Step::Fetch) {
            self.strand.until = host.computed(stream, now, until - now);
            self.account.compute_time += self.strand.until.saturating_since(until);
        } else {
            self.strand.until = host.called(stream, now, until - now, price);
        }
    }

    /// When a computation of `span` ends that an operation of `stream` begins at `now`.
    pub(super) fn computed_on(&mut self, stream: u32, now: Instant, span: Span) -> Instant {
        match &mut self.host {
            Some(host) => host.computed(stream, now, span),
            None => now + span,
        }
    }

    /// Time to enter the next call, and the price of its steps, this one included.
    pub(super) fn entry(&mut self) -> Entry {
        let span = self.parameters.call_enter;
        match &mut self.host {
            Some(host) => {
                let (added, price) = host.call();
                Entry {
                    span: span + added,
                    price,
                }
            }
            None => Entry { span, price: USUAL },
        }
    }

    /// When a call ends to be entered that an operation of `stream` begins at `now`.
    pub(super) fn entered_on(&mut self, stream: u32, now: Instant, entry: Entry) -> Instant {
        match &mut self.host {
            Some(host) => host.called(stream, now, entry.span, entry.price),
            None => now + entry.span,
        }
    }
}

/// The first step of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) span: Span,
    pub(super) price: u64,
}
