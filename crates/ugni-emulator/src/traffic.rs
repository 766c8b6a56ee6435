//! What a delivery mode does to a message: packet latency and stalls, drawn from a table.
//!
//! ```text
//! # from   mode         latency, us (quantiles)   stalls, cycles per flit (quantiles)
//! 0        adaptive-0   1.5,3,9                   0,0.5,2
//! 0        adaptive-3   1.2,2,4                   0,1,6
//! 500      adaptive-3   1.2,2,4                   20,40
//! ```
//!
//! From the message of number `from` on a line holds for its mode. Quantiles stand at equal
//! distances, linear in between; a single one is a constant.

use std::fmt;

use crate::abi::MODES;

/// Cycles of the NIC in a microsecond.
const CYCLES_PER_US: f64 = 800.0;
/// Packets of the NIC that may wait for their responses at once.
const OUTSTANDING_PACKETS: u64 = 1_024;
/// The table that holds where none is given: a calm network in which the bias pays off a little.
const DEFAULT: &str = "0 adaptive-0 1.5,2.5,9 0,0,1\n0 adaptive-1 1.4,2.3,7 0,0,1.5\n\
                       0 adaptive-2 1.3,2.2,6 0,0,2\n0 adaptive-3 1.2,2,5 0,0,3\n";

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
struct Line {
    from: u64,
    mode: u16,
    latency_us: Vec<f64>,
    stalls: Vec<f64>,
}

/// What a message did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Request flits.
    pub flits: u64,
    /// Packets.
    pub packets: u64,
    /// Cycles in which flits waited.
    pub stalled_cycles: u64,
    /// Latency of its packets, summed.
    pub latency_ps: u64,
    /// When it is done, after its post (De Sensi et al. 2019, Eq. 2).
    pub time_ns: u64,
}

/// The table.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    lines: Vec<Line>,
    seed: u64,
}

/// What is wrong with a table, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelError {
    line: usize,
    problem: String,
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ModelError {}

impl Model {
    /// Reads a table; draws are a function of `seed` and the number of the message.
    ///
    /// # Errors
    ///
    /// A line that cannot be understood.
    pub fn parse(text: &str, seed: u64) -> Result<Self, ModelError> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                lines.push(Line::parse(line).map_err(|problem| ModelError {
                    line: index + 1,
                    problem,
                })?);
            }
        }
        lines.sort_by_key(|line| line.from);
        Ok(Self { lines, seed })
    }

    /// The table that holds where none is given.
    #[must_use]
    pub fn calm(seed: u64) -> Self {
        Self::parse(DEFAULT, seed).unwrap_or(Self {
            lines: Vec::new(),
            seed,
        })
    }

    /// What message `number` of so many bytes does in `mode`; a get if `is_get`.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts below 2^53; conversion saturates"
    )]
    pub fn draw(&self, number: u64, mode: u16, bytes: u64, is_get: bool) -> Drawn {
        let packets = bytes.div_ceil(64).max(1);
        let flits = if is_get { packets } else { packets * 5 };
        let (latency_us, stalls) = match self.line(number, mode) {
            None => (2.0, 0.0),
            Some(line) => (
                at(&line.latency_us, uniform(self.seed, 2 * number)),
                at(&line.stalls, uniform(self.seed, 2 * number + 1)),
            ),
        };
        let waits = (packets + OUTSTANDING_PACKETS / 2) as f64 / OUTSTANDING_PACKETS as f64;
        let time_us = waits * latency_us + flits as f64 * (stalls + 1.0) / CYCLES_PER_US;
        Drawn {
            flits,
            packets,
            stalled_cycles: (flits as f64 * stalls) as u64,
            latency_ps: (packets as f64 * latency_us * 1e6) as u64,
            time_ns: (time_us * 1e3) as u64,
        }
    }

    /// The last line of the mode that begins at or before `number`.
    fn line(&self, number: u64, mode: u16) -> Option<&Line> {
        let begun = self.lines.iter().rev().filter(|line| line.from <= number);
        begun.into_iter().find(|line| line.mode == mode)
    }
}

impl Line {
    fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [from, mode, latency, stalls] = fields[..] else {
            return Err(format!(
                "{} fields, not 4: from, mode, latency, stalls",
                fields.len()
            ));
        };
        let Some(&(mode, _)) = MODES.iter().find(|(_, name)| *name == mode) else {
            let names = MODES.map(|(_, name)| name).join(", ");
            return Err(format!("`{mode}` is no mode; there are {names}"));
        };
        Ok(Self {
            from: from
                .parse()
                .map_err(|_| format!("`{from}` is not a number of a message"))?,
            mode,
            latency_us: quantiles(latency)?,
            stalls: quantiles(stalls)?,
        })
    }
}

fn quantiles(text: &str) -> Result<Vec<f64>, String> {
    let read = |part: &str| {
        part.parse()
            .ok()
            .filter(|value| (0.0..=1e6).contains(value))
    };
    let values: Option<Vec<f64>> = text.split(',').map(read).collect();
    let values = values.ok_or_else(|| format!("`{text}` are not numbers from 0 to 1e6"))?;
    if values.is_sorted() {
        Ok(values)
    } else {
        Err(format!("`{text}` are not in order"))
    }
}

/// The quantile at `fraction`, 0 to 1.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a table has a few quantiles"
)]
fn at(quantiles: &[f64], fraction: f64) -> f64 {
    let position = fraction * (quantiles.len() - 1) as f64;
    let low = quantiles[position as usize];
    let high = quantiles.get(position as usize + 1).copied().unwrap_or(low);
    low + (high - low) * position.fract()
}

/// A number of at least 0 and below 1: the 53 upper bits of `SplitMix64` at `index`.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn uniform(seed: u64, index: u64) -> f64 {
    let mut word = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_by_hand() {
        let model = Model::parse("0 adaptive-0 3 0.5 # calm\n\n7 adaptive-0 4 2", 1).unwrap();
        let drawn = model.draw(0, 0, 65_536, false);
        assert_eq!(
            (drawn.packets, drawn.flits, drawn.stalled_cycles),
            (1_024, 5_120, 2_560)
        );
        assert_eq!(drawn.latency_ps, 1_024 * 3_000_000);
        // 1.5 latencies and 7,680 cycles of 1.25 ns.
        assert_eq!(drawn.time_ns, 4_500 + 9_600);
        let get = model.draw(6, 0, 65_536, true);
        assert_eq!((get.flits, get.stalled_cycles), (1_024, 512));
        assert_eq!(model.draw(7, 0, 64, false).stalled_cycles, 10);
        // A mode without a line: two microseconds, no stalls.
        assert_eq!(model.draw(0, 0x80, 0, false).latency_ps, 2_000_000);
    }

    #[test]
    fn quantiles_are_met() {
        let model = Model::parse("0 adaptive-3 1,2,8 0", 5).unwrap();
        let mut seen: Vec<u64> = (0..4_000)
            .map(|number| model.draw(number, 0x80, 64, false).latency_ps)
            .collect();
        seen.sort_unstable();
        // Half of them are below the median; off by 5 % with probability below 1e-9 (Hoeffding:
        // 2 exp(-2 * 0.05^2 * 4,000) = 4e-9), and the draws are fixed.
        assert!(
            (1_900_000..2_300_000).contains(&seen[2_000]),
            "{}",
            seen[2_000]
        );
        assert!(seen[0] >= 1_000_000 && seen[3_999] <= 8_000_000);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, said) in [
            (
                "0 adaptive-0 1",
                "line 1: 3 fields, not 4: from, mode, latency, stalls",
            ),
            (
                "\nx adaptive-0 1 1",
                "line 2: `x` is not a number of a message",
            ),
            (
                "0 adaptive 1 1",
                "line 1: `adaptive` is no mode; there are adaptive-0, adaptive-1",
            ),
            ("0 min-hash 2,1 0", "line 1: `2,1` are not in order"),
            (
                "0 min-hash 1,-1 0",
                "line 1: `1,-1` are not numbers from 0 to 1e6",
            ),
            (
                "0 min-hash nan 0",
                "line 1: `nan` are not numbers from 0 to 1e6",
            ),
        ] {
            let error = Model::parse(text, 0).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
        assert_eq!(Model::calm(0).lines.len(), 4);
    }
}
