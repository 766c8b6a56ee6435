//! Exploration: Exp4 over "always ADAPTIVE", "always HIGH BIAS" and Algorithm 1.
//!
//! Auer et al. 2002; the anytime form of Bubeck and Cesa-Bianchi 2012, theorem 4.2.

use crate::mode::Routing;

const EXPERTS: usize = 3;
const MODES: f64 = 2.0;
/// ln 3: there are three experts.
const LN_EXPERTS: f64 = 1.098_612_288_668_109_8;

/// The bound on regret: the expected sum of losses exceeds that of the best expert by at most this
/// after so many decisions: `2 sqrt(n K ln N)` with 2 modes and 3 experts.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a share of 2^-53 does not matter here"
)]
pub fn regret_bound(decisions: u64) -> f64 {
    2.0 * libm::sqrt(decisions as f64 * MODES * LN_EXPERTS)
}

/// A decision that waits for its loss.
#[derive(Clone, Copy, Debug)]
struct Draw {
    advice: [Routing; EXPERTS],
    drawn: Routing,
    probability: f64,
}

/// The state of Exp4.
#[derive(Clone, Copy, Debug)]
pub struct Exploration {
    seed: u64,
    draws: u64,
    /// Decisions with a loss.
    learnt: u64,
    /// Estimated losses of the experts, summed.
    losses: [f64; EXPERTS],
    last: Option<Draw>,
}

impl Exploration {
    /// A state in which nothing is known; draws are a function of `seed` and their number.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            draws: 0,
            learnt: 0,
            losses: [0.0; EXPERTS],
            last: None,
        }
    }

    /// Draws a mode, where the third expert advises `advised`.
    pub fn draw(&mut self, advised: Routing) -> Routing {
        let advice = [Routing::Adaptive, Routing::HighBias, advised];
        let weights = self.weights();
        let sum: f64 = weights.iter().sum();
        let of = |mode| {
            let pairs = advice.iter().zip(weights);
            pairs
                .filter(|(advice, _)| **advice == mode)
                .map(|(_, weight)| weight)
                .sum::<f64>()
        };
        let adaptive = of(Routing::Adaptive) / sum;
        let drawn = if uniform(self.seed, self.draws) < adaptive {
            Routing::Adaptive
        } else {
            Routing::HighBias
        };
        let probability = match drawn {
            Routing::Adaptive => adaptive,
            Routing::HighBias => of(Routing::HighBias) / sum,
        };
        self.draws = self.draws.wrapping_add(1);
        self.last = Some(Draw {
            advice,
            drawn,
            probability,
        });
        drawn
    }

    /// Learns the loss of the last draw, cut to 0 to 1.
    pub fn learn(&mut self, loss: f64) {
        let Some(Draw {
            advice,
            drawn,
            probability,
        }) = self.last.take()
        else {
            return;
        };
        let loss = if loss > 0.0 { loss.min(1.0) } else { 0.0 };
        for (sum, advice) in self.losses.iter_mut().zip(advice) {
            if advice == drawn {
                // A mode is drawn with a positive probability only; the floor is that of a draw.
                *sum += loss / probability.max(f64::EPSILON);
            }
        }
        self.learnt = self.learnt.saturating_add(1);
    }

    /// Weights of the experts; the largest is 1.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a share of 2^-53 does not matter here"
    )]
    fn weights(&self) -> [f64; EXPERTS] {
        let round = self.learnt as f64 + 1.0;
        let rate = libm::sqrt(LN_EXPERTS / (MODES * round));
        let least = self.losses.iter().copied().fold(f64::INFINITY, f64::min);
        self.losses.map(|loss| libm::exp(rate * (least - loss)))
    }
}

/// A number of at least 0 and below 1: the 53 upper bits of `SplitMix64` at `index`.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn uniform(seed: u64, index: u64) -> f64 {
    let mut word = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
