//! Algorithm 1: which of two modes is in force (De Sensi et al. 2019, section 4.2).

use crate::counters::Observation;
use crate::learning::{Factors, Learner, Pair};
use crate::message::{Message, message_time};
use crate::mode::Routing;
use crate::parameters::Parameters;

/// The last observation under one mode.
#[derive(Clone, Copy, Debug)]
struct Stored {
    seen: Observation,
    /// Decisions in the other mode since.
    age: u32,
}

/// The state of Algorithm 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    parameters: Parameters,
    learner: Learner,
    adaptive: Option<Stored>,
    biased: Option<Stored>,
    /// Decisions since the last change of the mode in force.
    held: u32,
}

impl Algorithm {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let factors = Factors {
            latency: parameters.latency_factor,
            stalls: parameters.stall_factor,
        };
        Self {
            parameters: *parameters,
            learner: Learner::new(factors, parameters.learning_rate),
            adaptive: None,
            biased: None,
            held: u32::MAX,
        }
    }

    pub(crate) fn factors(&self) -> Factors {
        self.learner.factors()
    }

    /// The mode for `message`, where `in_force` is the one before.
    pub(crate) fn choose(&mut self, in_force: Routing, message: Message) -> Routing {
        let fresh = self.fresh(in_force.other());
        let Some(Stored { seen, .. }) = *self.stored(in_force) else {
            return in_force;
        };
        let other = fresh.unwrap_or_else(|| self.factors().other(in_force, seen));
        let p_term = self.parameters.p_term;
        let now = message_time(message, seen, p_term);
        let then = message_time(message, other, p_term);
        self.held = self.held.saturating_add(1);
        let changes = match self.parameters.damping {
            None => then < now,
            Some(damping) => self.held > damping.hold && then * (1.0 + damping.margin) < now,
        };
        if !changes {
            return in_force;
        }
        self.held = 0;
        in_force.other()
    }

    /// Observation under `routing`, if it is not too old; one decision later it is older.
    fn fresh(&mut self, routing: Routing) -> Option<Observation> {
        let expiry = self.parameters.expiry;
        let stored = self.stored(routing).as_mut()?;
        let is_fresh = stored.age < expiry;
        stored.age = stored.age.saturating_add(1);
        is_fresh.then_some(stored.seen)
    }

    /// The counters after a message of the mode `in_force` say `seen`.
    pub(crate) fn observe(&mut self, in_force: Routing, seen: Observation) {
        *self.stored(in_force) = Some(Stored { seen, age: 0 });
        let expiry = self.parameters.expiry;
        if let (Some(adaptive), Some(biased)) = (self.adaptive, self.biased)
            && adaptive.age < expiry
            && biased.age < expiry
        {
            self.learner.add(Pair {
                adaptive: adaptive.seen,
                biased: biased.seen,
            });
        }
    }

    fn stored(&mut self, routing: Routing) -> &mut Option<Stored> {
        match routing {
            Routing::Adaptive => &mut self.adaptive,
            Routing::HighBias => &mut self.biased,
        }
    }
}
