//! Whether a series is steady.

/// Error probability of a difference of both halves of a series that do not differ.
///
/// The two-sample test of Kolmogorov and Smirnov with the approximation of Stephens 1970; the
/// values are taken to be independent.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub fn halves_differ(values: &[f64]) -> f64 {
    let (first, second) = values.split_at(values.len() / 2);
    if first.is_empty() {
        return 1.0;
    }
    smirnov(
        distance(first, second),
        first.len() as f64,
        second.len() as f64,
    )
}

/// The largest distance between the empirical distributions of two samples.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(crate) fn distance(first: &[f64], second: &[f64]) -> f64 {
    let sorted = |part: &[f64]| {
        let mut part = part.to_vec();
        part.sort_by(f64::total_cmp);
        part
    };
    let (first, second) = (sorted(first), sorted(second));
    let share = |part: &[f64], most: f64| {
        part.partition_point(|value| *value <= most) as f64 / part.len() as f64
    };
    first
        .iter()
        .chain(&second)
        .map(|at| (share(&first, *at) - share(&second, *at)).abs())
        .fold(0.0, f64::max)
}

/// Probability of such a distance, or a larger one, between samples of `n` and `m` independent
/// values of one distribution, in the approximation of Stephens 1970.
pub(crate) fn smirnov(distance: f64, n: f64, m: f64) -> f64 {
    let effective = (n * m / (n + m)).sqrt();
    let lambda = (effective + 0.12 + 0.11 / effective) * distance;
    if lambda < 0.2 {
        return 1.0;
    }
    let mut sum = 0.0;
    for term in 1..=100_i32 {
        let sign = if term % 2 == 1 { 1.0 } else { -1.0 };
        let power = -2.0 * f64::from(term).powi(2) * lambda.powi(2);
        sum += sign * libm::exp(power);
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

/// Error probability of a trend of a series that has none, upwards or downwards.
///
/// The test of Mann 1945 and Kendall 1975 in its normal approximation, with equal values; the
/// values are taken to be independent.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub fn trend(values: &[f64]) -> f64 {
    let mut score = 0.0_f64;
    for (number, late) in values.iter().enumerate() {
        for early in &values[..number] {
            score += match late.total_cmp(early) {
                std::cmp::Ordering::Less => -1.0,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => 1.0,
            };
        }
    }
    let weight = |count: f64| count * (count - 1.0) * (2.0 * count + 5.0);
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let equal = sorted.chunk_by(|one, other| one.total_cmp(other).is_eq());
    let ties: f64 = equal.map(|group| weight(group.len() as f64)).sum();
    let variance = (weight(values.len() as f64) - ties) / 18.0;
    if variance <= 0.0 {
        return 1.0;
    }
    let normal = (score.abs() - 1.0).max(0.0) / variance.sqrt();
    libm::erfc(normal / std::f64::consts::SQRT_2)
}
