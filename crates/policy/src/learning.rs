//! The factors between the two modes: given, or learnt from pairs of observations.

use crate::counters::Observation;
use crate::mode::Routing;

/// The observations of both modes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) adaptive: Observation,
    pub(crate) biased: Observation,
}

/// `lambda` and `sigma`: what the high bias does to latency and stalls (section 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Factors {
    /// `L_bs / L_ad`.
    pub latency: f64,
    /// `s_bs / s_ad`.
    pub stalls: f64,
}

impl Factors {
    /// Estimate of the mode that is not `known`.
    pub(crate) fn other(self, known: Routing, seen: Observation) -> Observation {
        match known {
            Routing::Adaptive => {
                Observation::new(seen.latency() * self.latency, seen.stalls() * self.stalls)
            }
            // Neither factor is 0: parameters have a range, and learnt ones are quotients of
            // positive numbers.
            Routing::HighBias => {
                Observation::new(seen.latency() / self.latency, seen.stalls() / self.stalls)
            }
        }
    }
}

/// Moving means of one quantity under both modes.
#[derive(Clone, Copy, Debug, Default)]
struct Means {
    adaptive: f64,
    biased: f64,
    pairs: u64,
}

impl Means {
    fn add(&mut self, adaptive: f64, biased: f64, factor: f64, rate: f64) {
        if adaptive <= 0.0 || biased <= 0.0 {
            return;
        }
        if self.pairs == 0 {
            (self.adaptive, self.biased) = (adaptive, adaptive * factor);
        }
        self.pairs = self.pairs.saturating_add(1);
        self.adaptive += rate * (adaptive - self.adaptive);
        self.biased += rate * (biased - self.biased);
    }

    /// The quotient of the means; `factor` if there are no pairs yet.
    fn factor(&self, factor: f64) -> f64 {
        let learnt = self.biased / self.adaptive;
        // Far from any real quotient: beyond it the products of Eq. 2 would lose their precision.
        if self.pairs > 0 && (1e-6..=1e6).contains(&learnt) {
            learnt
        } else {
            factor
        }
    }
}

/// Learns the factors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learner {
    given: Factors,
    rate: Option<f64>,
    latency: Means,
    stalls: Means,
}

impl Learner {
    /// Starts from `given`, and stays with it without a `rate`.
    pub(crate) fn new(given: Factors, rate: Option<f64>) -> Self {
        Self {
            given,
            rate,
            latency: Means::default(),
            stalls: Means::default(),
        }
    }

    /// Both modes were observed lately.
    pub(crate) fn add(&mut self, pair: Pair) {
        let Some(rate) = self.rate else { return };
        let Pair { adaptive, biased } = pair;
        self.latency.add(
            adaptive.latency(),
            biased.latency(),
            self.given.latency,
            rate,
        );
        self.stalls
            .add(adaptive.stalls(), biased.stalls(), self.given.stalls, rate);
    }

    pub(crate) fn factors(&self) -> Factors {
        Factors {
            latency: self.latency.factor(self.given.latency),
            stalls: self.stalls.factor(self.given.stalls),
        }
    }
}
