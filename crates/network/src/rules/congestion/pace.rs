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
    /// The source was told to pace itself.
    is_held: bool,
    /// When the one of its packets that has left last did so; before that, when the first one came.
    last: Instant,
}

/// The last hop to one node: who has packets here or is held back, and how much is here.
#[derive(Debug, Default)]
pub(crate) struct LastHop {
    /// By source. They come in no order that is the same twice: notices are sorted.
    streams: FxHashMap<NodeId, Stream>,
    /// Those held back without a packet here, by when their last one left; some have come back.
    idle: VecDeque<(Instant, NodeId)>,
    flits: u32,
    /// How many are held back, which is what they were told.
    held: u32,
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
        let is_held = self.count(packet);
        let told = self.held;
        self.expire(pace, full, packet.at, &mut send);
        let is_long = self.flits >= pace.queue_flits;
        if !is_held && is_long && self.sources() >= pace.least_sources {
            let waiting = parameters.serialization(LinkKind::Host, self.flits);
            let pauses = Pauses {
                from: packet.at,
                first: waiting * u64::from(pace.pause),
                slot: pace.slot(full),
            };
            self.hold_all(told, pauses, &mut send);
        } else if self.held < told {
            self.tell_fewer(pace, &mut send);
        }
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
            if !stream.is_held {
                self.streams.remove(&source);
                return;
            }
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
    fn sources(&self) -> u32 {
        self.streams.len() as u32
    }

    /// Counts a packet; true if its source is held back.
    fn count(&mut self, packet: Entering) -> bool {
        self.flits += u32::from(packet.flits);
        let stream = self.streams.entry(packet.source).or_insert(Stream {
            packets: 0,
            is_held: false,
            last: packet.at,
        });
        stream.packets += 1;
        stream.is_held
    }

    /// Releases sources that have been silent for long at `now`, the longest first.
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
            if silent_since.plus(pace.expiry(self.held, full)) > now {
                return;
            }
            self.idle.pop_front();
            let Entry::Occupied(found) = self.streams.entry(source) else {
                continue;
            };
            if found.get().packets > 0 || found.get().last != last {
                continue;
            }
            found.remove();
            self.held -= 1;
            send(PauseNotice {
                source,
                degree: 1,
                pause: Span::ZERO,
            });
        }
    }

    /// Holds all back, some of whom were told `told`; those that hear of more pause, in turn.
    fn hold_all(&mut self, told: u32, pauses: Pauses, send: &mut impl FnMut(PauseNotice) -> Span) {
        self.held = self.sources();
        let degree = self.held;
        let mut streams: Vec<_> = self.streams.iter_mut().collect();
        streams.sort_unstable_by_key(|(source, _)| **source);
        for (number, (&source, stream)) in (0..).zip(streams) {
            let notice = |pause| PauseNotice {
                source,
                degree,
                pause,
            };
            let before = if stream.is_held { told } else { 1 };
            stream.is_held = true;
            if before > degree {
                send(notice(Span::ZERO));
            } else if before < degree {
                let pause = pauses.first + pauses.slot * number;
                let way = send(notice(pause));
                let heeded = pauses.from.plus(pause + way * 2);
                self.paused_until = self.paused_until.max(heeded);
            }
        }
    }

    /// Tells those that are still held back how many they are, or releases them if they are few.
    fn tell_fewer(&mut self, pace: &Pace, send: &mut impl FnMut(PauseNotice) -> Span) {
        let held = self.streams.iter().filter(|(_, stream)| stream.is_held);
        let mut sources: Vec<_> = held.map(|(&source, _)| source).collect();
        sources.sort_unstable();
        let is_over = self.held < pace.least_sources;
        let degree = if is_over { 1 } else { self.held };
        for source in sources {
            send(PauseNotice {
                source,
                degree,
                pause: Span::ZERO,
            });
        }
        if is_over {
            self.held = 0;
            self.idle.clear();
            self.streams.retain(|_, stream| {
                stream.is_held = false;
                stream.packets > 0
            });
        }
    }
}
