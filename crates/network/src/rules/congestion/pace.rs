//! Pacing by the degree of the last hop, the public stand-in for Slingshot's congestion control:
//! `docs/model/congestion.md`.
//!
//! Source: SST merlin, `portControl.cc` (the last hop) and `linkControl.cc` (the source).

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};
use rustc_hash::FxHashMap;

use super::{Content, Controller, Notice, Sent};
use crate::model::parameters::{Pace, Parameters};

/// State of a target that a NIC is paced to.
#[derive(Clone, Copy, Debug)]
struct Paced {
    degree: u32,
    /// Nothing may start before.
    until: Instant,
}

/// The targets that a NIC is paced to.
#[derive(Debug, Default)]
pub(crate) struct Source {
    targets: BTreeMap<NodeId, Paced>,
}

impl Controller for Source {
    #[inline]
    fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    fn may_send_at(&self, target: NodeId, _: u32) -> Instant {
        let paced = self.targets.get(&target);
        paced.map_or(Instant::ZERO, |paced| paced.until)
    }

    fn sent(&mut self, packet: Sent) {
        if let Some(paced) = self.targets.get_mut(&packet.target) {
            let times = u64::from(paced.degree + Pace::SLACK);
            paced.until = packet.at.plus(packet.wire * times);
        }
    }

    fn noticed(&mut self, notice: &Notice) -> bool {
        let Content::Sources { degree, pause } = notice.content else {
            return false;
        };
        if degree <= 1 {
            self.targets.remove(&notice.target);
            return true;
        }
        let until = notice.at.plus(pause);
        let paced = self
            .targets
            .entry(notice.target)
            .or_insert(Paced { degree, until });
        paced.degree = degree;
        paced.until = paced.until.max(until);
        true
    }
}

/// Traffic of one node to the node behind a last hop.
#[derive(Clone, Copy, Debug)]
struct Stream {
    /// Its packets in the router.
    packets: u32,
    /// The degree in the last notice to the source; 1 if it may send as it likes.
    announced: u32,
    /// When the one of its packets that has left last did so; before that, when the first one came.
    last: Instant,
}

/// The last hop to one node: who sends to it, and what of that is in the router.
#[derive(Debug, Default)]
pub(crate) struct LastHop {
    /// By source. They come in no order that is the same twice: notices are sorted.
    streams: FxHashMap<NodeId, Stream>,
    /// Sources without a packet in the router, by when their last one left; some have come back.
    idle: VecDeque<(Instant, NodeId)>,
    flits: u32,
    is_on: bool,
    /// Until then sources are silent as their notices say: a notice travels, a pause passes, and a
    /// packet comes.
    paused_until: Instant,
}

/// A packet that enters the router of its target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entering {
    pub(crate) source: NodeId,
    pub(crate) flits: u16,
    pub(crate) at: Instant,
}

/// A notice to a source: the degree of its last hop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PauseNotice {
    pub(crate) source: NodeId,
    pub(crate) degree: u32,
    pub(crate) pause: Span,
}

/// The pauses of sources that get notice of more sources.
#[derive(Clone, Copy, Debug)]
struct Pauses {
    /// When the notices are sent.
    from: Instant,
    /// Of the first one.
    first: Span,
    /// By how much each is longer than the one before.
    slot: Span,
}

impl Pauses {
    const NONE: Self = Self {
        from: Instant::ZERO,
        first: Span::ZERO,
        slot: Span::ZERO,
    };
}

impl LastHop {
    /// Counts a packet that enters; `send` sends a notice, one per source, and returns
    /// how long it takes to get there. `full` is the time of a largest packet on the last
    /// channel.
    #[inline(never)]
    pub(crate) fn enter(
        &mut self,
        parameters: &Parameters,
        pace: &Pace,
        full: Span,
        packet: Entering,
        mut send: impl FnMut(PauseNotice) -> Span,
    ) {
        let is_new = self.count(packet);
        let before = self.streams.len();
        self.expire(pace, full, packet.at, &mut send);
        let has_expired = self.streams.len() < before;
        let sources = self.degree();
        let is_high = sources >= pace.least_sources;
        if self.is_on && !is_high {
            self.is_on = false;
            return self.send_all(1, Pauses::NONE, &mut send);
        }
        let begins = !self.is_on && is_high && self.flits >= pace.queue_flits;
        self.is_on |= begins;
        if !self.is_on || !(begins || is_new || has_expired) {
            return;
        }
        let waiting = parameters.serialization(LinkKind::Host, self.flits);
        let pauses = Pauses {
            from: packet.at,
            first: waiting * u64::from(pace.pause),
            slot: pace.slot(full),
        };
        self.send_all(sources, pauses, &mut send);
    }

    /// A packet that was counted starts on the last channel, or goes on to another router. The two do
    /// not come in the order of their instants.
    #[inline(never)]
    pub(crate) fn leave(&mut self, source: NodeId, flits: u16, at: Instant) {
        let Some(stream) = self.streams.get_mut(&source) else {
            unreachable!("a source whose packet is in the router is known");
        };
        self.flits -= u32::from(flits);
        stream.packets -= 1;
        stream.last = stream.last.max(at);
        if stream.packets == 0 {
            let one = (stream.last, source);
            if self.idle.back().is_none_or(|other| *other <= one) {
                self.idle.push_back(one);
                return;
            }
            let later = (self.idle.iter().rev()).take_while(|other| **other > one);
            self.idle.insert(self.idle.len() - later.count(), one);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "nodes have 24 bits")]
    fn degree(&self) -> u32 {
        self.streams.len() as u32
    }

    /// Counts a packet; true if its source is a new one.
    fn count(&mut self, packet: Entering) -> bool {
        self.flits += u32::from(packet.flits);
        let before = self.streams.len();
        let stream = self.streams.entry(packet.source).or_insert(Stream {
            packets: 0,
            announced: 1,
            last: packet.at,
        });
        stream.packets += 1;
        self.streams.len() > before
    }

    /// Forgets sources that have sent nothing for long at `now`, the one that has waited longest
    /// first; those that are paced are released.
    fn expire(
        &mut self,
        pace: &Pace,
        full: Span,
        now: Instant,
        send: &mut impl FnMut(PauseNotice) -> Span,
    ) {
        while let Some((last, source)) = self.idle.front().copied() {
            // Those behind it have waited less long: nobody is looked up before it is time.
            let silent_since = last.max(self.paused_until);
            if silent_since.plus(pace.expiry(self.is_on, self.degree(), full)) > now {
                return;
            }
            self.idle.pop_front();
            let Entry::Occupied(found) = self.streams.entry(source) else {
                continue;
            };
            if found.get().packets > 0 || found.get().last != last {
                continue;
            }
            let stream = found.remove();
            if stream.announced > 1 {
                send(PauseNotice {
                    source,
                    degree: 1,
                    pause: Span::ZERO,
                });
            }
        }
    }

    /// Sends a notice to every source whose last notice had another degree; those with a smaller
    /// one pause, and go on one after the other.
    fn send_all(
        &mut self,
        degree: u32,
        pauses: Pauses,
        send: &mut impl FnMut(PauseNotice) -> Span,
    ) {
        let mut streams: Vec<_> = self.streams.iter_mut().collect();
        streams.sort_unstable_by_key(|(source, _)| **source);
        for (number, (&source, stream)) in (0..).zip(streams) {
            let notice = |pause| PauseNotice {
                source,
                degree,
                pause,
            };
            if stream.announced > degree {
                send(notice(Span::ZERO));
            } else if stream.announced < degree {
                let pause = pauses.first + pauses.slot * number;
                let way = send(notice(pause));
                let heeded = pauses.from.plus(pause + way * 2);
                self.paused_until = self.paused_until.max(heeded);
            }
            stream.announced = degree;
        }
    }
}
