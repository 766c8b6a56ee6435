//! Laws that lengths, gaps and costs are drawn from.

use std::f64::consts::TAU;

use odonata_units::Stream;

/// Shape of a distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Law {
    /// Always the mean.
    Fixed,
    /// Exponential.
    Exponential,
    /// Pareto with this exponent, which is above 1.
    Pareto(f64),
    /// Log-normal: the standard deviation of the logarithm.
    Lognormal(f64),
}

/// A law with a mean, cut at the top.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distribution {
    /// Its shape.
    pub law: Law,
    /// Mean before the cut.
    pub mean: f64,
    /// Whatever is above is this instead.
    pub most: f64,
}

impl Distribution {
    /// A number; all logarithms and exponentials are in software, the same on every machine.
    pub(crate) fn draw(&self, stream: &mut Stream) -> f64 {
        let drawn = match self.law {
            Law::Fixed => self.mean,
            Law::Exponential => stream.exponential(self.mean),
            Law::Pareto(exponent) => {
                let least = self.mean * (exponent - 1.0) / exponent;
                least * libm::exp(stream.exponential(1.0 / exponent))
            }
            Law::Lognormal(deviation) => {
                let radius = libm::sqrt(stream.exponential(2.0));
                let normal = radius * libm::cos(TAU * stream.unit());
                let middle = libm::log(self.mean) - deviation * deviation / 2.0;
                libm::exp(middle + deviation * normal)
            }
        };
        drawn.min(self.most)
    }
}

/// Rounded to a whole number, halves up.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is drawn is positive; a conversion that would overflow has the largest number"
)]
pub(crate) fn whole(value: f64) -> u64 {
    libm::floor(value + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use odonata_units::{Purpose, Stream};

    use super::*;

    /// Mean and share above twice the mean of 200,000 numbers.
    fn drawn(law: Law, most: f64) -> (f64, f64) {
        let mut stream = Stream::new(3, Purpose::Host, 4);
        let one = Distribution {
            law,
            mean: 1_000.0,
            most,
        };
        let count = 200_000;
        let (mut sum, mut above) = (0.0, 0.0);
        for number in (0..count).map(|_| one.draw(&mut stream)) {
            sum += number;
            above += f64::from(u8::from(number > 2_000.0));
        }
        (sum / f64::from(count), above / f64::from(count))
    }

    #[test]
    fn laws_have_their_means_and_tails() {
        assert_eq!(drawn(Law::Fixed, 1e9), (1_000.0, 0.0));
        // Above twice the mean: e^-2; (1 / 3)^1.5 = 0.192 less the cut; a normal above 1.193.
        for (law, mean, above) in [
            (Law::Exponential, 1_000.0, 0.135_34),
            (Law::Pareto(3.0), 1_000.0, 0.037_04),
            (Law::Lognormal(1.0), 1_000.0, 0.116_48),
        ] {
            let (found, tail) = drawn(law, 1e12);
            assert!((found / mean - 1.0).abs() < 0.01, "{law:?}: {found}");
            assert!((tail - above).abs() < 0.003, "{law:?}: {tail}");
        }
        let (cut, _) = drawn(Law::Pareto(1.5), 1_000.0);
        assert!(cut < 700.0, "{cut}");
    }

    #[test]
    fn whole_numbers_are_the_nearest() {
        assert_eq!([whole(0.4), whole(0.5), whole(7.5)], [0, 1, 8]);
        assert_eq!(whole(1e30), u64::MAX);
    }
}
