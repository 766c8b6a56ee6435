//! The policy of one NIC: threshold, Algorithm 1, extensions, modes.

use crate::algorithm::Algorithm;
use crate::counters::{Counters, Interval, Observation, Units};
use crate::exploration::Exploration;
use crate::learning::Factors;
use crate::message::{Message, Operation, message_time};
use crate::mode::{Mode, Routing};
use crate::parameters::{Explore, Parameters};
use crate::settling::{Answers, Use};

/// How a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The routing mode that it is sent with.
    pub mode: Mode,
    /// Whether counters are to be read after it, for [`Policy::observe`].
    pub reads_counters: bool,
}

/// Counts of what a policy has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PolicyCounts {
    /// Messages that were decided by Algorithm 1 or drawn.
    pub decisions: u64,
    /// Messages below the threshold.
    pub small: u64,
    /// Changes of the mode in force.
    pub changes: u64,
    /// Readings of counters that gave an observation.
    pub observations: u64,
    /// Readings between which nothing was sent or answered.
    pub empty: u64,
    /// Readings at which a counter had fallen.
    pub resets: u64,
    /// Losses that were cut, beyond which the bound on regret says nothing.
    pub cut_losses: u64,
}

/// Decides on the messages of one NIC.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    parameters: Parameters,
    algorithm: Algorithm,
    exploration: Option<Exploration>,
    settling: Option<Answers>,
    in_force: Routing,
    /// Bytes since the last decision.
    sum: u64,
    before: Option<Counters>,
    last: Message,
    seen: Option<Observation>,
    counts: PolicyCounts,
}

impl Policy {
    /// A policy that knows nothing yet, with ADAPTIVE in force.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        let exploration = parameters.exploration;
        Self {
            parameters,
            algorithm: Algorithm::new(&parameters),
            exploration: exploration.map(|explore| Exploration::new(explore.seed)),
            settling: parameters.settling.map(Answers::new),
            in_force: Routing::Adaptive,
            sum: 0,
            before: None,
            last: Message {
                bytes: 0,
                operation: Operation::Put,
                alltoall: false,
            },
            seen: None,
            counts: PolicyCounts::default(),
        }
    }

    /// The mode of a message that is about to be posted.
    pub fn decide(&mut self, message: Message) -> Decision {
        self.sum = self.sum.saturating_add(message.bytes);
        if self.sum <= self.parameters.threshold {
            self.counts.small = self.counts.small.saturating_add(1);
            self.posts(message);
            let follows = self.settling.is_some() && self.counts.decisions > 0;
            let routing = if follows {
                self.in_force
            } else {
                Routing::HighBias
            };
            return Decision {
                mode: mode(routing, message),
                reads_counters: false,
            };
        }
        self.sum = 0;
        let chosen = self.choose(message);
        self.counts.decisions = self.counts.decisions.saturating_add(1);
        if chosen != self.in_force {
            self.counts.changes = self.counts.changes.saturating_add(1);
            if let Some(settling) = &mut self.settling {
                settling.changed();
            }
        }
        self.posts(message);
        self.in_force = chosen;
        self.last = message;
        Decision {
            mode: mode(chosen, message),
            reads_counters: self.settling.as_mut().is_none_or(Answers::reads),
        }
    }

    fn choose(&mut self, message: Message) -> Routing {
        if self.settling.is_some_and(|settling| settling.holds()) {
            return self.in_force;
        }
        let advised = self.algorithm.choose(self.in_force, message);
        match &mut self.exploration {
            None => advised,
            Some(exploration) => exploration.draw(advised),
        }
    }

    const fn posts(&mut self, message: Message) {
        if let Some(settling) = &mut self.settling {
            settling.posts(message.packets());
        }
    }

    /// The counters after the message of the last decision; once before the first message, to know
    /// where they stand.
    pub fn observe(&mut self, counters: &Counters, units: Units) {
        if let Some(settling) = &mut self.settling {
            match settling.reading(self.before.as_ref(), counters) {
                Use::Nothing => return,
                Use::Beginning => {
                    self.before = Some(*counters);
                    return;
                }
                Use::End => {}
            }
        }
        let Some(before) = self.before.replace(*counters) else {
            return;
        };
        let count = match Interval::between(&before, counters, units) {
            Interval::Seen(seen) => {
                self.learn(seen);
                &mut self.counts.observations
            }
            Interval::Empty => &mut self.counts.empty,
            Interval::Reset => &mut self.counts.resets,
        };
        *count = count.saturating_add(1);
    }

    /// The counters stand here now, after messages that were not decided: nothing is learnt from
    /// what happened since the last reading.
    pub const fn rebase(&mut self, counters: &Counters) {
        if let Some(settling) = &mut self.settling {
            settling.begin(counters);
        }
        self.before = Some(*counters);
    }

    fn learn(&mut self, seen: Observation) {
        self.seen = Some(seen);
        self.algorithm.observe(self.in_force, seen);
        let (Some(exploration), Some(explore)) =
            (&mut self.exploration, self.parameters.exploration)
        else {
            return;
        };
        let loss = loss(self.last, seen, explore, &self.parameters);
        if loss > 1.0 {
            self.counts.cut_losses = self.counts.cut_losses.saturating_add(1);
        }
        exploration.learn(loss);
    }

    /// The mode in force.
    #[must_use]
    pub const fn in_force(&self) -> Routing {
        self.in_force
    }

    /// The last observation, under the mode then in force.
    #[must_use]
    pub const fn seen(&self) -> Option<Observation> {
        self.seen
    }

    /// The factors that it estimates with now.
    #[must_use]
    pub fn factors(&self) -> Factors {
        self.algorithm.factors()
    }

    /// Counts of what it has done.
    #[must_use]
    pub const fn counts(&self) -> PolicyCounts {
        self.counts
    }
}

/// The mode of the network that stands for `routing`.
const fn mode(routing: Routing, message: Message) -> Mode {
    match routing {
        Routing::HighBias => Mode::Adaptive3,
        Routing::Adaptive if message.alltoall => Mode::Adaptive1,
        Routing::Adaptive => Mode::Adaptive0,
    }
}

/// The time of a message as a share of the worst time; above 1 if it is worse.
fn loss(message: Message, seen: Observation, explore: Explore, parameters: &Parameters) -> f64 {
    let worst = Observation::new(explore.worst_latency, explore.worst_stalls);
    // A message has a flit, so that the divisor is at least 1.
    message_time(message, seen, parameters.p_term) / message_time(message, worst, parameters.p_term)
}
