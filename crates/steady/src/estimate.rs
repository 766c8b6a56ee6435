//! The mean of a series, with an interval.

use std::fmt;

use crate::batches::{Batches, correlation, mean_and_variance};
use crate::stationary::{halves_differ, trend};
use crate::student::two_sided_95;
use crate::warm_up::mser5;

/// Values behind the warm-up without which nothing is said of a mean.
pub const FEWEST_BEHIND_WARM_UP: usize = 100;

/// Correlation of neighbouring batches from which on they do not count as independent.
const MOST_CORRELATION: f64 = 0.1;

/// Error probability at which a test says that a series is not steady.
pub(crate) const LEVEL: f64 = 0.01;

/// Estimate of the mean of a series.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Mean behind the warm-up.
    pub mean: f64,
    /// Half the width of the interval for the mean in which it is with a probability of 95 %.
    pub half_width: f64,
    /// Values of the warm-up.
    pub warm_up: usize,
    /// Values behind it.
    pub used: usize,
    /// Batches, and values of each.
    pub batches: usize,
    /// Values of a batch.
    pub batch_size: usize,
    /// Correlation of neighbouring batches.
    pub correlation: f64,
}

impl Estimate {
    /// Half the width of the interval for the sum of the `next` values that follow, 95 %.
    ///
    /// Two errors add up: that of the mean, and that of the values themselves, whose mean varies
    /// as that of a sample of `next`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn half_width_of_sum(&self, next: f64) -> f64 {
        if next <= 0.0 {
            return 0.0;
        }
        next * self.half_width * (1.0 + self.used as f64 / next).sqrt()
    }
}

/// Why nothing is known of a mean yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsteady {
    /// There are fewer than [`FEWEST_BEHIND_WARM_UP`] values behind the warm-up.
    TooFew,
    /// The end of the warm-up is not in the first half of the values.
    WarmUp,
    /// Neighbouring batches are correlated.
    Dependent,
    /// The series goes up or down.
    Trend,
    /// Both halves of the series are distributed differently.
    Changed,
}

impl fmt::Display for Unsteady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFew => "the sample behind the warm-up is too short",
            Self::WarmUp => "the warm-up has not ended in the first half of the sample",
            Self::Dependent => "neighbouring batches are correlated",
            Self::Trend => "the sample has a trend",
            Self::Changed => "the second half of the sample differs from the first",
        })
    }
}

/// The mean of `values` behind their warm-up.
///
/// # Errors
/// [`Unsteady`] as long as the values do not say it.
pub fn estimate(values: &[f64]) -> Result<Estimate, Unsteady> {
    if values.len() < FEWEST_BEHIND_WARM_UP {
        return Err(Unsteady::TooFew);
    }
    // Behind the truncation point the warm-up still fades away: as much again is left out.
    let warm_up = 2 * mser5(values).ok_or(Unsteady::WarmUp)?;
    let sample = &values[warm_up..];
    if sample.len() < FEWEST_BEHIND_WARM_UP {
        return Err(Unsteady::TooFew);
    }
    let batches = Batches::new(sample);
    let between = batches.correlation();
    if between >= MOST_CORRELATION {
        return Err(Unsteady::Dependent);
    }
    if trend(batches.means()) < LEVEL {
        return Err(Unsteady::Trend);
    }
    if halves_differ(batches.means()) < LEVEL {
        return Err(Unsteady::Changed);
    }
    let (mean, _) = mean_and_variance(sample);
    let by_batches = half_width(batches.means());
    // The same from the values themselves, which see what the batches are too few to see.
    let half_width = by_batches.max(half_width(sample));
    Ok(Estimate {
        mean,
        half_width,
        warm_up,
        used: sample.len(),
        batches: batches.means().len(),
        batch_size: batches.size(),
        correlation: between,
    })
}

/// Student's interval for the mean of values whose neighbours are correlated as those of an
/// autoregressive series of order 1.
///
/// Such a series is worth n (1 - r) / (1 + r) independent values (Tafazzoli, Wilson, Lada and
/// Steiger 2011); of a short one 1 + r is found too small (Kendall 1954), hence the last factor.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of values, at least 1"
)]
fn half_width(values: &[f64]) -> f64 {
    let (_, variance) = mean_and_variance(values);
    let r = correlation(values).clamp(0.0, 0.98);
    let found = values.len() as f64 * (1.0 - r) / (1.0 + r);
    let independent = found / (1.0 + 3.0 / found);
    let freedom = (independent - 1.0).max(2.0) as u32;
    two_sided_95(freedom) * (variance / independent).sqrt()
}
