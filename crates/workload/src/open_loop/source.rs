//! A node that sends by itself.

use odonata_endpoint::{Header, Message, Role};
use odonata_units::{Instant, NodeId, Span, Stream};

use super::arrival::Arrival;
use super::pattern::Pattern;

/// Bursts with pauses between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Duty {
    /// Length of a burst.
    pub(super) burst: Span,
    /// From the end of a burst to the next one.
    pub(super) pause: Span,
}

impl Duty {
    /// The real time of an instant of a clock that stands still during pauses.
    fn real(self, at: Instant) -> Instant {
        let pauses = at.ps() / self.burst.ps().max(1);
        Instant::from_ps(
            at.ps()
                .saturating_add(self.pause.ps().saturating_mul(pauses)),
        )
    }

    /// Share of the time in bursts.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    fn share(self) -> f64 {
        let (burst, pause) = (self.burst.ps() as f64, self.pause.ps() as f64);
        burst / (burst + pause)
    }
}

/// Extras of some sources: several messages at a time, bursts, a start of their own.
#[derive(Clone, Debug)]
struct Rounds {
    /// Messages that are created at a time.
    fan: u32,
    /// Messages of the round under way that are still to come.
    left: u32,
    duty: Option<Duty>,
    phase: Span,
}

/// Who sends, and how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    pub(super) node: NodeId,
    /// Payload of a message.
    pub(super) bytes: u64,
}

/// A node that sends messages at a given rate for ever. What every message touches comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct OpenLoopSource {
    /// When the next message or round is created, pauses and phase left out.
    next: Instant,
    /// Nothing is created from then on.
    until: Instant,
    arrivals: Stream,
    targets: Stream,
    bytes: u64,
    rounds: Option<Box<Rounds>>,
    arrival: Arrival,
    pattern: Pattern,
    node: NodeId,
}

impl OpenLoopSource {
    /// A node that sends messages, one at a time, from time 0 on.
    pub(super) fn new(
        sender: Sender,
        arrival: Arrival,
        mut arrivals: Stream,
        pattern: Pattern,
        targets: Stream,
    ) -> Self {
        Self {
            node: sender.node,
            bytes: sender.bytes,
            next: Instant::ZERO + arrival.first(&mut arrivals),
            until: Instant::NEVER,
            arrival,
            arrivals,
            pattern,
            targets,
            rounds: None,
        }
    }

    /// This source in rounds of `fan` messages, in bursts, beginning `phase` ps later.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a phase is not negative; the conversion saturates"
    )]
    pub(super) fn in_rounds(self, fan: u32, duty: Option<Duty>, phase: f64) -> Self {
        let phase = Span::from_ps(phase as u64);
        let is_plain = fan == 1 && duty.is_none() && phase == Span::ZERO;
        let rounds = (!is_plain).then_some(Rounds {
            fan,
            left: fan,
            duty,
            phase,
        });
        Self {
            rounds: rounds.map(Box::new),
            ..self
        }
    }

    /// The source creates nothing from `until` on.
    pub const fn stop_at(&mut self, until: Instant) {
        self.until = until;
    }

    /// Cycle of a source: a burst and its pause, or the mean time between messages or rounds.
    #[expect(clippy::cast_precision_loss, reason = "a phase is drawn from it")]
    pub(super) fn cycle_ps(&self, duty: Option<Duty>) -> f64 {
        duty.map_or_else(
            || self.arrival.mean_gap_ps(),
            |duty| duty.burst.ps() as f64 + duty.pause.ps() as f64,
        )
    }

    /// The longest time in which nothing may come as a rule, ps: that of a burst and its pause, or
    /// the mean time between messages or rounds.
    #[must_use]
    pub fn longest_cycle_ps(&self) -> f64 {
        self.cycle_ps(self.rounds.as_ref().and_then(|rounds| rounds.duty))
    }

    /// Payload of a message.
    #[must_use]
    pub const fn message_bytes(&self) -> u64 {
        self.bytes
    }

    /// Mean time between messages, ps.
    #[must_use]
    pub fn mean_gap_ps(&self) -> f64 {
        let gap = self.arrival.mean_gap_ps();
        let Some(rounds) = &self.rounds else {
            return gap;
        };
        gap / f64::from(rounds.fan) / rounds.duty.map_or(1.0, Duty::share)
    }

    /// Whether messages or rounds come at equal intervals, pauses aside.
    #[must_use]
    pub const fn is_periodic(&self) -> bool {
        matches!(self.arrival, Arrival::Fixed { .. })
    }

    /// Messages that fall all together into a stretch of time or out of it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub fn batch(&self) -> f64 {
        let single = if self.is_periodic() { 1.0 } else { 0.0 };
        self.rounds.as_ref().map_or(single, |rounds| {
            let in_burst = |duty: Duty| duty.burst.ps() as f64 / self.arrival.mean_gap_ps();
            f64::from(rounds.fan) * rounds.duty.map_or(1.0, |duty| in_burst(duty) + 1.0)
        })
    }

    /// The next message and the instant it is created. Cost O(1), no allocation; two draws at
    /// most from each of the node's streams for arrivals and for targets.
    #[inline(always)]
    pub fn next_message(&mut self) -> (Instant, Message) {
        let at = if self.rounds.is_none() {
            let at = self.next;
            self.next += self.arrival.gap(&mut self.arrivals);
            at
        } else {
            self.next_of_round()
        };
        let target = self.pattern.target(&mut self.targets);
        let message = Message {
            source: self.node,
            target,
            bytes: self.bytes,
            header: Header::default(),
            mode: 0,
            class: 0,
            sender: 0,
            nic: 0,
            job: 0,
            role: Role::Request,
            is_ordered: false,
        };
        (at, message)
    }

    /// [`Self::next_message`], unless the source has stopped by then.
    #[inline(always)]
    pub fn pull(&mut self) -> Option<(Instant, Message)> {
        let (at, message) = self.next_message();
        (at < self.until).then_some((at, message))
    }

    /// The instant of the next message of a source with rounds.
    fn next_of_round(&mut self) -> Instant {
        let Some(rounds) = &mut self.rounds else {
            return self.next;
        };
        let clock = self.next;
        rounds.left -= 1;
        if rounds.left == 0 {
            rounds.left = rounds.fan;
            self.next += self.arrival.gap(&mut self.arrivals);
        }
        rounds.duty.map_or(clock, |duty| duty.real(clock)) + rounds.phase
    }
}
