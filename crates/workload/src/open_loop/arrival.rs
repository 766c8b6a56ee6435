//! When messages are created.

use odonata_registry::Entry;
use odonata_units::{Span, Stream};

/// Name, summary and source of each arrival process.
pub(crate) const ARRIVALS: [Entry; 3] = [
    Entry::plain(
        "exponential",
        "independent exponential gaps: a Poisson process",
        "Dally and Towles 2004",
    ),
    Entry::plain(
        "bernoulli",
        "in each flit time a message starts with the same probability",
        "Dally and Towles 2004; BookSim2",
    ),
    Entry::plain(
        "fixed",
        "equal gaps, the first message of every node at time 0",
        "SST merlin trafficgen; CODES model-net-synthetic",
    ),
];

/// Parts of the load that the fixed period is computed with.
const LOAD_PARTS: f64 = 1e9;

/// `value`, which is not negative, rounded to the next whole number, halves up.
#[inline(always)]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "values are far below 2^53"
)]
fn rounded(value: f64) -> u64 {
    // The conversion to a signed number is one instruction.
    if value >= i64::MAX as f64 {
        // A gap of more than 2^64 ps is one that never ends, not none.
        return value as u64;
    }
    let whole = value as i64;
    (whole + i64::from(value - whole as f64 >= 0.5)) as u64
}

/// An arrival process of one node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arrival {
    /// Mean gap in ps.
    Exponential(f64),
    /// A slot, and the logarithm of the probability that it stays empty (`-inf`: never).
    Bernoulli { slot: Span, empty: f64 },
    /// Period `whole + part / parts`; `carry` counts the parts owed.
    Fixed {
        whole: Span,
        part: u64,
        parts: u64,
        carry: u64,
    },
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "gaps are positive and far below 2^53 ps; loads are at most 10^6"
)]
impl Arrival {
    /// Mean gap: time of a message on the channel over the load.
    pub(super) fn exponential(message: Span, load: f64) -> Self {
        Self::Exponential(message.ps() as f64 / load)
    }

    /// Probability per slot: load over flits per message; 1 if that is more than 1.
    pub(super) fn bernoulli(slot: Span, flits: u64, load: f64) -> Self {
        let probability = load / flits as f64;
        let empty = if probability < 1.0 {
            libm::log1p(-probability)
        } else {
            f64::NEG_INFINITY
        };
        Self::Bernoulli { slot, empty }
    }

    /// Probability per slot: slot over the mean interval; 1 if that is more than 1.
    pub(super) fn bernoulli_every(slot: Span, interval: Span) -> Self {
        Self::bernoulli(slot, 1, slot.ps() as f64 / interval.ps().max(1) as f64)
    }

    /// Period: time of a message on the channel over the load, exact to 10^-9 of the load.
    pub(super) fn fixed(message: Span, load: f64) -> Self {
        let parts = libm::round(load * LOAD_PARTS).max(1.0) as u64;
        let product = u128::from(message.ps()) * LOAD_PARTS as u128;
        let whole = u64::try_from(product / u128::from(parts)).unwrap_or(u64::MAX / 4);
        let part = (product % u128::from(parts)) as u64;
        Self::Fixed {
            whole: Span::from_ps(whole),
            part,
            parts,
            carry: 0,
        }
    }

    /// Mean time between messages, ps.
    pub(super) fn mean_gap_ps(&self) -> f64 {
        match self {
            Self::Exponential(mean) => *mean,
            // 1 - e^empty is the probability of a message in a slot.
            Self::Bernoulli { slot, empty } => slot.ps() as f64 / -libm::expm1(*empty),
            Self::Fixed {
                whole, part, parts, ..
            } => whole.ps() as f64 + *part as f64 / *parts as f64,
        }
    }

    /// From time 0 to the first message.
    pub(super) fn first(&self, stream: &mut Stream) -> Span {
        match self {
            Self::Exponential(mean) => Span::from_ps(rounded(stream.exponential(*mean))),
            Self::Bernoulli { slot, empty } => *slot * (slots(*empty, stream) - 1),
            Self::Fixed { .. } => Span::ZERO,
        }
    }

    /// From one message to the next.
    #[inline(always)]
    pub(super) fn gap(&mut self, stream: &mut Stream) -> Span {
        match self {
            Self::Exponential(mean) => Span::from_ps(rounded(stream.exponential(*mean))),
            Self::Bernoulli { slot, empty } => *slot * slots(*empty, stream),
            Self::Fixed {
                whole,
                part,
                parts,
                carry,
            } => {
                *carry += *part;
                if *carry >= *parts {
                    *carry -= *parts;
                    *whole + Span::from_ps(1)
                } else {
                    *whole
                }
            }
        }
    }
}

/// Slots up to and including the next full one: geometric, at least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates and the value is at least 1"
)]
fn slots(empty: f64, stream: &mut Stream) -> u64 {
    let uniform = 1.0 - stream.unit();
    (libm::floor(libm::log(uniform) / empty) as u64).min(1 << 40) + 1
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "statistics")]
mod tests {
    use odonata_units::{Purpose, Span, Stream};

    use super::Arrival;

    fn mean(mut arrival: Arrival, messages: u64) -> f64 {
        let mut stream = Stream::new(5, Purpose::Arrival, 1);
        let total: u64 = (0..messages).map(|_| arrival.gap(&mut stream).ps()).sum();
        total as f64 / messages as f64
    }

    #[test]
    fn a_gap_beyond_64_bits_is_the_longest_one() {
        assert_eq!(super::rounded(1e300), u64::MAX);
        assert_eq!((super::rounded(2.5), super::rounded(2.4)), (3, 2));
    }

    #[test]
    fn gaps_have_their_mean() {
        let message = Span::from_ps(20_480);
        // Standard error 0.22 % at 200,000 messages: 5 sigma are exceeded once in two million.
        for load in [0.05, 0.3, 0.9, 2.0] {
            let wanted = 20_480.0 / load;
            for arrival in [
                Arrival::exponential(message, load),
                Arrival::bernoulli(Span::from_ps(5_120), 4, load),
                Arrival::fixed(message, load),
            ] {
                assert!((arrival.mean_gap_ps() / wanted - 1.0).abs() < 1e-9);
            }
            let exponential = mean(Arrival::exponential(message, load), 200_000);
            assert!(
                (exponential / wanted - 1.0).abs() < 0.011,
                "{exponential} {wanted}"
            );
            let bernoulli = mean(Arrival::bernoulli(Span::from_ps(5_120), 4, load), 200_000);
            assert!(
                (bernoulli / wanted - 1.0).abs() < 0.011,
                "{bernoulli} {wanted}"
            );
        }
        let full = mean(Arrival::bernoulli(Span::from_ps(5_120), 1, 3.0), 10);
        assert!(
            (full - 5_120.0).abs() < 1e-9,
            "one message per slot at most"
        );
    }

    #[test]
    fn a_fixed_period_does_not_drift() {
        for (ps, load, period) in [(20_480_u64, 0.3, 20_480.0 / 0.3), (7, 0.9, 7.0 / 0.9)] {
            let mut arrival = Arrival::fixed(Span::from_ps(ps), load);
            let mut stream = Stream::new(1, Purpose::Arrival, 0);
            assert_eq!(arrival.first(&mut stream), Span::ZERO);
            let mut at = 0;
            for message in 1..=1_000_000_u64 {
                at += arrival.gap(&mut stream).ps();
                let exact = message as f64 * period;
                assert!(
                    (at as f64 - exact).abs() <= 1.0 + exact * 1e-12,
                    "{message}: {at}"
                );
            }
        }
    }

    #[test]
    fn bernoulli_messages_start_on_slots() {
        let mut arrival = Arrival::bernoulli(Span::from_ps(5_120), 4, 0.5);
        let mut stream = Stream::new(2, Purpose::Arrival, 7);
        assert_eq!(arrival.first(&mut stream).ps() % 5_120, 0);
        assert!((0..1_000).all(|_| arrival.gap(&mut stream).ps().is_multiple_of(5_120)));
    }
}
