//! Slingshot: whether a message may be reordered, and which class it gets; ours.
//!
//! There are no modes with a bias. What a sender can choose is the order of a message, which fixes
//! its path (ordered: one for each flow; unordered: one for each packet), and its traffic class.
//! The first takes the place of the modes of Algorithm 1, the second follows from Eq. 2: a message
//! whose time is mostly latency is urgent.

use crate::counters::{Counters, Observation, Units};
use crate::message::{Message, latency_share};
use crate::mode::Mode;
use crate::parameters::Parameters;
use crate::policy::{Policy, PolicyCounts};

/// Which paths the packets of a message take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// All packets take the path of the flow.
    Ordered,
    /// Each packet takes a path of its own.
    Unordered,
}

/// Cause that a message waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// It waits mostly for latency.
    Urgent,
    /// It waits mostly for bandwidth.
    Bulk,
}

/// How a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Service {
    /// Which paths its packets take.
    pub order: Order,
    /// Which traffic class it needs.
    pub urgency: Urgency,
    /// Whether counters are to be read after it, for [`Slingshot::observe`].
    pub reads_counters: bool,
}

/// Decides on the messages of one NIC of Slingshot.
#[derive(Clone, Copy, Debug)]
pub struct Slingshot {
    policy: Policy,
    parameters: Parameters,
    /// Share of latency in the time of a message from which it is urgent.
    urgency: f64,
}

impl Slingshot {
    /// Share of latency from which a message is urgent, unless another is given.
    pub const URGENCY: f64 = 0.5;

    /// A policy that knows nothing yet. Ordered takes the place of the high bias: few paths, small
    /// latency.
    #[must_use]
    pub fn new(parameters: Parameters, urgency: f64) -> Self {
        Self {
            policy: Policy::new(parameters),
            parameters,
            urgency,
        }
    }

    /// The service of a message that is about to be posted; one that must not overtake others is
    /// ordered whatever Algorithm 1 says.
    pub fn decide(&mut self, message: Message, may_overtake: bool) -> Service {
        let decision = self.policy.decide(message);
        let is_urgent = match self.policy.seen() {
            Some(seen) if decision.reads_counters => {
                latency_share(message, seen, self.parameters.p_term) >= self.urgency
            }
            // Below the threshold latency is all; of a large message nothing is known yet.
            _ => !decision.reads_counters,
        };
        Service {
            order: if !may_overtake || decision.mode == Mode::Adaptive3 {
                Order::Ordered
            } else {
                Order::Unordered
            },
            urgency: if is_urgent {
                Urgency::Urgent
            } else {
                Urgency::Bulk
            },
            reads_counters: decision.reads_counters,
        }
    }

    /// Takes counters as [`Policy::observe`] does.
    pub fn observe(&mut self, counters: &Counters, units: Units) {
        self.policy.observe(counters, units);
    }

    /// Takes counters as [`Policy::rebase`] does.
    pub fn rebase(&mut self, counters: &Counters) {
        self.policy.rebase(counters);
    }

    /// The last observation.
    #[must_use]
    pub const fn seen(&self) -> Option<Observation> {
        self.policy.seen()
    }

    /// Counts of what it has done.
    #[must_use]
    pub const fn counts(&self) -> PolicyCounts {
        self.policy.counts()
    }

    /// The policy that decides on the order.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }
}
