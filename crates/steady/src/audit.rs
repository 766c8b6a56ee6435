//! Whether what follows a sample is like it.

use std::fmt;

use crate::batches::{correlation, mean_and_variance};
use crate::estimate::LEVEL;
use crate::stationary::{distance, smirnov};

/// How values depart from the sample before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// They are distributed differently.
    Distribution,
    /// Their cumulative sum leaves the mean of the sample.
    Mean,
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Distribution => "the iterations behind the sample are distributed differently",
            Self::Mean => "the mean of the iterations behind the sample has moved",
        })
    }
}

/// The value that the largest deviation of a Brownian motion on `[0, 1]` exceeds with the
/// probability [`LEVEL`]: 4 (1 - Phi(c)) = 0.01.
const FARTHEST: f64 = 2.807;

/// How `later` departs from `sample`, each of two tests at an error probability of 0.01.
///
/// Both are the test of Kolmogorov and Smirnov for two samples, and the cumulative sum of the
/// deviations from the mean of the sample (Page 1954), whose end points are those of a Brownian
/// motion. Values whose neighbours have the correlation `r > 0` count as `(1 - r) / (1 + r)`
/// independent ones.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub fn departure(sample: &[f64], later: &[f64]) -> Option<Departure> {
    if sample.len() < 2 || later.is_empty() {
        return None;
    }
    let r = correlation(sample).clamp(0.0, 0.98);
    let worth = (1.0 - r) / (1.0 + r);
    let (n, m) = (sample.len() as f64, later.len() as f64);
    if smirnov(distance(sample, later), n * worth, m * worth) < LEVEL {
        return Some(Departure::Distribution);
    }
    let (mean, variance) = mean_and_variance(sample);
    // The mean of the sample is known no better than the sample is long.
    let scale = (variance / worth * m * (1.0 + m / n)).sqrt();
    let mut sum = 0.0;
    let farthest = later.iter().fold(0.0_f64, |farthest, value| {
        sum += value - mean;
        farthest.max(sum.abs())
    });
    (scale > 0.0 && farthest > FARTHEST * scale).then_some(Departure::Mean)
}
