//! Against autoregressive series of order 1, whose mean is known.
//!
//! An interval that holds with a probability of 95 % holds in 528 of 600 series or more; the error
//! probability of a test is below 1e-6, and the series are the same in every run.

#![expect(clippy::cast_precision_loss, reason = "small numbers")]

use odonata_steady::{Departure, Estimate, FEWEST_BEHIND_WARM_UP, Series, departure, estimate};
use odonata_units::{Purpose, Stream};

const SERIES: u64 = 600;
const LEAST: usize = 528;

/// A series around 1 that varies by 6 %, with a beginning that is higher and fades away.
struct Source {
    stream: Stream,
    correlation: f64,
    state: f64,
    beginning: f64,
}

impl Source {
    const VARIATION: f64 = 0.06;

    fn new(number: u64, correlation: f64, beginning: f64) -> Self {
        let mut source = Self {
            stream: Stream::new(number, Purpose::Arrival, 0),
            correlation,
            state: 0.0,
            beginning,
        };
        source.state = Self::VARIATION * source.normal();
        source
    }

    /// Box and Muller 1958.
    fn normal(&mut self) -> f64 {
        let mut uniform = || (self.stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (length, angle) = (1.0 - uniform(), uniform());
        (-2.0 * length.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    fn next(&mut self) -> f64 {
        let new = Self::VARIATION * (1.0 - self.correlation.powi(2)).sqrt();
        self.state = self.correlation * self.state + new * self.normal();
        self.beginning *= 0.9;
        1.0 + self.state + self.beginning
    }
}

/// What is known when the half-width is small enough, with looks as a run has them, and the sum of
/// the rest of `length` values; `None`: it never is.
fn stopped(source: &mut Source, half_width: f64, length: u64) -> Option<(Estimate, f64, f64)> {
    let mut series = Series::default();
    let mut next = FEWEST_BEHIND_WARM_UP as u64;
    while series.len() < length {
        series.push(source.next());
        if series.len() < next {
            continue;
        }
        next = series.len() + series.len() / 10 + 1;
        if let Ok(found) = estimate(series.values())
            && found.half_width <= half_width * found.mean
        {
            let left = length - series.len();
            let rest = (0..left).map(|_| source.next()).sum();
            return Some((found, left as f64, rest));
        }
    }
    None
}

/// Counts how often intervals for the mean and for the rest hold. A series that is never known runs
/// to its end, and says what it says.
fn holds(correlation: f64, beginning: f64, half_width: f64) {
    let (mut mean, mut rest, mut known) = (0, 0, 0);
    for number in 0..SERIES {
        let mut source = Source::new(number, correlation, beginning);
        let Some((found, left, sum)) = stopped(&mut source, half_width, 2_000) else {
            (mean, rest) = (mean + 1, rest + 1);
            continue;
        };
        known += 1;
        mean += usize::from((found.mean - 1.0).abs() <= found.half_width);
        let error = (sum - left * found.mean).abs();
        rest += usize::from(error <= found.half_width_of_sum(left));
    }
    let case = format!("{correlation} {beginning} {half_width}: {mean}, {rest}, known {known}");
    assert!(known > SERIES / 2, "{case}");
    assert!(mean >= LEAST && rest >= LEAST, "{case}");
}

#[test]
fn independent_values() {
    holds(0.0, 0.0, 0.01);
    holds(0.0, 0.0, 0.02);
}

#[test]
fn values_that_alternate() {
    holds(-0.3, 0.0, 0.01);
}

#[test]
fn values_that_are_like_their_neighbours() {
    holds(0.3, 0.0, 0.01);
    holds(0.6, 0.0, 0.02);
    holds(0.8, 0.0, 0.02);
}

#[test]
fn a_warm_up_of_ten_values() {
    holds(0.0, 1.0, 0.01);
    holds(0.6, 1.0, 0.02);
}

/// Of 600 samples of 150 values, so many whose next 25 values, `shift` higher and `spread` times as
/// far apart, are found to be different.
fn departures(correlation: f64, shift: f64, spread: f64) -> usize {
    let found = (0..SERIES).filter(|number| {
        let mut source = Source::new(*number, correlation, 0.0);
        let sample: Vec<f64> = (0..150).map(|_| source.next()).collect();
        let later: Vec<f64> = (0..25)
            .map(|_| 1.0 + shift + spread * (source.next() - 1.0))
            .collect();
        departure(&sample, &later).is_some()
    });
    found.count()
}

/// Two tests at 0.01 each: 12 of 600 at most on average, and more than 30 with a probability below
/// 1e-5. A shift of one and a half standard deviations is found nearly always, and so is a spread
/// that is three times as large.
#[test]
fn what_follows_a_sample_is_audited() {
    for correlation in [-0.3, 0.0, 0.3] {
        let like = departures(correlation, 0.0, 1.0);
        assert!(like <= 30, "{correlation}: {like}");
    }
    for shift in [-1.5, 1.5] {
        let shifted = departures(0.0, shift * Source::VARIATION, 1.0);
        assert!(shifted >= 590, "{shift}: {shifted}");
    }
    let spread = departures(0.0, 0.0, 3.0);
    assert!(spread >= 300, "{spread}");
}

#[test]
fn what_does_not_vary_departs_when_it_does() {
    assert_eq!(departure(&[5.0; 100], &[5.0; 25]), None);
    let moved = departure(&[5.0; 100], &[5.1; 25]);
    assert_eq!(moved, Some(Departure::Distribution));
    let mut late = [5.0; 25];
    late[24] = 6.0;
    assert_eq!(
        departure(&[5.0; 100], &late),
        None,
        "one of many is not enough"
    );
    assert_eq!(departure(&[], &[1.0]), None);
    assert_eq!(departure(&[1.0, 2.0], &[]), None);
}
