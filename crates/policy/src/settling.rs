//! Settling: counters speak of the mode in force once the packets of the mode before are answered.
//!
//! A reading right behind a post covers the messages before it (De Sensi et al. 2019, section 4.2:
//! posts are asynchronous). Without settling what one mode did is put down to the other.

use crate::counters::Counters;

/// Which packets of a NIC are answered: those posted before the last change of mode, or later ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answers {
    /// Packets that an observation needs.
    least: u64,
    /// Packets posted since `base`.
    posted: u64,
    /// Packets answered when counting began.
    base: Option<u64>,
    /// Packets that are posted under the modes before.
    earlier: u64,
    state: State,
    /// Decisions between two readings: doubles with each of them.
    gap: u32,
    /// Decisions since the last one.
    since: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Packets of the mode before may be unanswered.
    Waiting,
    /// All answers are those of packets of the mode in force.
    Settled,
    /// There was an observation of it.
    Seen,
}

/// What a reading is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Nothing.
    Nothing,
    /// It is the beginning of an interval.
    Beginning,
    /// It is the end of one.
    End,
}

impl Answers {
    const LONGEST_GAP: u32 = 64;

    pub(crate) const fn new(least: u64) -> Self {
        Self {
            least,
            posted: 0,
            base: None,
            earlier: 0,
            state: State::Settled,
            gap: 1,
            since: 0,
        }
    }

    /// Whether counters are to be read after a decided message.
    pub(crate) fn reads(&mut self) -> bool {
        self.since += 1;
        if self.since < self.gap {
            return false;
        }
        self.since = 0;
        self.gap = (self.gap * 2).min(Self::LONGEST_GAP);
        true
    }

    /// Whether the mode in force has to stay, since nothing is known of it yet.
    pub(crate) fn holds(&self) -> bool {
        self.state != State::Seen
    }

    /// From the next message on another mode is in force.
    pub(crate) const fn changed(&mut self) {
        self.earlier = self.posted;
        self.state = State::Waiting;
        (self.gap, self.since) = (1, 0);
    }

    /// A message of so many packets is posted.
    pub(crate) const fn posts(&mut self, packets: u64) {
        self.posted = self.posted.saturating_add(packets);
    }

    /// Counting begins here: nothing is under way.
    pub(crate) const fn begin(&mut self, counters: &Counters) {
        self.base = Some(counters.packets);
        (self.posted, self.earlier) = (0, 0);
        if matches!(self.state, State::Waiting) {
            self.state = State::Settled;
        }
    }

    /// What the reading `now` is good for, where the last interval began at `before`.
    pub(crate) fn reading(&mut self, before: Option<&Counters>, now: &Counters) -> Use {
        let Some(base) = self.base else {
            self.begin(now);
            return Use::Beginning;
        };
        if before.is_some_and(|before| now.packets < before.packets) {
            self.begin(now);
            return Use::Beginning;
        }
        if self.state == State::Waiting {
            if now.packets.saturating_sub(base) < self.earlier {
                return Use::Nothing;
            }
            self.state = State::Settled;
            return Use::Beginning;
        }
        let answered = before.map_or(0, |before| now.packets.saturating_sub(before.packets));
        if answered < self.least {
            return Use::Nothing;
        }
        self.state = State::Seen;
        Use::End
    }
}
