//! Parameters as data: for scenarios, environment variables and pages.

use core::fmt;

use crate::message::PTerm;
use crate::parameters::{Damping, Explore, Parameters};

/// A number that can be set by name.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in scenarios; in capitals, that of the environment variable.
    pub name: &'static str,
    /// Unit; empty for a plain number.
    pub unit: &'static str,
    /// Its meaning, in one line.
    pub meaning: &'static str,
    /// Source of the default; empty where it is ours.
    pub source: &'static str,
    /// Smallest valid value.
    pub least: f64,
    /// Largest valid value.
    pub most: f64,
    /// Whether it is a whole number.
    pub whole: bool,
    /// Whether its default follows from the extensions; its meaning says how.
    pub follows: bool,
    /// Extension that it belongs to; empty for the paper's algorithm.
    pub extension: &'static str,
    /// Its value, or default if its extension is off.
    pub get: fn(&Parameters) -> f64,
    /// Gives it a value in its range; nothing happens if its extension is off.
    pub set: fn(&mut Parameters, f64),
}

/// Extensions that are switched on by name, with their effects.
pub const EXTENSIONS: [(&str, &str); 4] = [
    (
        "settling",
        "counters say something of a mode once the packets of the mode before are answered; on by \
         default",
    ),
    (
        "damping",
        "a change of mode needs a gain, and some decisions since the last one",
    ),
    (
        "learning",
        "the factors are learnt from observations of both modes",
    ),
    (
        "exploration",
        "both modes are tried, with a bound on regret against the better one",
    ),
];

/// Names of [`PTerm`], with what they stand for.
pub const P_TERMS: [(&str, &str); 2] = [
    ("paper", "(p + 512) / 1024, Eq. 2"),
    (
        "authors",
        "ceil((p - 1 + 512) / 1024), the authors' public library",
    ),
];

const LIBRARY: &str = "De Sensi et al. 2019 name no value; the authors' public library";

/// Numbers that can be set.
pub const ROWS: [Row; 10] = [
    Row {
        name: "threshold",
        unit: "B",
        meaning: "sum of bytes up to which messages go with the high bias, undecided",
        source: "De Sensi et al. 2019, section 4.2",
        most: 9_007_199_254_740_992.0,
        get: |of| as_number(of.threshold),
        set: |of, value| of.threshold = as_count(value),
        ..WHOLE
    },
    Row {
        name: "latency_factor",
        meaning: "packet latency under the high bias over that without",
        source: LIBRARY,
        least: 1e-3,
        most: 1e3,
        whole: false,
        get: |of| of.latency_factor,
        set: |of, value| of.latency_factor = value,
        ..WHOLE
    },
    Row {
        name: "stall_factor",
        meaning: "stalls under the high bias over those without",
        source: LIBRARY,
        least: 1e-3,
        most: 1e3,
        whole: false,
        get: |of| of.stall_factor,
        set: |of, value| of.stall_factor = value,
        ..WHOLE
    },
    Row {
        name: "expiry",
        unit: "decisions",
        meaning: "age at which an observation of the other mode is replaced by an estimate; default: \
                  1,000 with `settling`, without it the 5 of the authors' library",
        follows: true,
        most: 4_294_967_295.0,
        get: |of| f64::from(of.expiry),
        set: |of, value| of.expiry = as_small_count(value),
        ..WHOLE
    },
    Row {
        name: "settling_packets",
        unit: "packets",
        meaning: "packets that an observation needs at least",
        most: 1e9,
        extension: "settling",
        get: |of| as_number(of.settling.unwrap_or(Parameters::SETTLING_PACKETS)),
        set: |of, value| {
            if let Some(packets) = &mut of.settling {
                *packets = as_count(value);
            }
        },
        ..WHOLE
    },
    Row {
        name: "damping_margin",
        meaning: "least gain, as a share of the time under the other mode",
        most: 1e3,
        whole: false,
        extension: "damping",
        get: |of| of.damping.unwrap_or_default().margin,
        set: |of, value| {
            if let Some(damping) = &mut of.damping {
                damping.margin = value;
            }
        },
        ..WHOLE
    },
    Row {
        name: "damping_hold",
        unit: "decisions",
        meaning: "decisions between two changes of mode",
        most: 1e9,
        extension: "damping",
        get: |of| f64::from(of.damping.unwrap_or_default().hold),
        set: |of, value| {
            if let Some(damping) = &mut of.damping {
                damping.hold = as_small_count(value);
            }
        },
        ..WHOLE
    },
    Row {
        name: "learning_rate",
        meaning: "weight of the newest pair of observations",
        most: 1.0,
        whole: false,
        extension: "learning",
        get: |of| of.learning_rate.unwrap_or(Parameters::LEARNING_RATE),
        set: |of, value| {
            if let Some(rate) = &mut of.learning_rate {
                *rate = value;
            }
        },
        ..WHOLE
    },
    Row {
        name: "worst_latency",
        unit: "cycles",
        meaning: "packet latency at which a loss is 1",
        least: 1.0,
        most: 1e12,
        whole: false,
        extension: "exploration",
        get: |of| of.exploration.unwrap_or_default().worst_latency,
        set: |of, value| {
            if let Some(explore) = &mut of.exploration {
                explore.worst_latency = value;
            }
        },
        ..WHOLE
    },
    Row {
        name: "worst_stalls",
        unit: "cycles per flit",
        meaning: "stalls at which a loss is 1",
        most: 1e12,
        whole: false,
        extension: "exploration",
        get: |of| of.exploration.unwrap_or_default().worst_stalls,
        set: |of, value| {
            if let Some(explore) = &mut of.exploration {
                explore.worst_stalls = value;
            }
        },
        ..WHOLE
    },
];

/// Fields that most rows share.
const WHOLE: Row = Row {
    name: "",
    unit: "",
    meaning: "",
    source: "",
    least: 0.0,
    most: 0.0,
    whole: true,
    follows: false,
    extension: "",
    get: |_| 0.0,
    set: |_, _| (),
};

/// Why a value was not taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Refusal {
    /// There is no such name.
    Unknown,
    /// The value is outside of its range, `least` to `most`.
    OutOfRange(f64, f64),
    /// It must be a whole number.
    NotWhole,
    /// Its extension, named here, is off.
    Off(&'static str),
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => formatter.write_str("there is no such name"),
            Self::OutOfRange(least, most) => write!(formatter, "must be {least} to {most}"),
            Self::NotWhole => formatter.write_str("must be a whole number"),
            Self::Off(name) => write!(formatter, "does nothing without the extension `{name}`"),
        }
    }
}

impl Parameters {
    /// Sets a number by the name of its row.
    ///
    /// # Errors
    ///
    /// [`Refusal`]; nothing is changed then.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), Refusal> {
        let Some(row) = ROWS.iter().find(|row| row.name == name) else {
            return Err(Refusal::Unknown);
        };
        if !(row.extension.is_empty() || self.has(row.extension)) {
            return Err(Refusal::Off(row.extension));
        }
        if !(row.least..=row.most).contains(&value) {
            return Err(Refusal::OutOfRange(row.least, row.most));
        }
        #[expect(clippy::float_cmp, reason = "a whole number is its own truncation")]
        if row.whole && libm::trunc(value) != value {
            return Err(Refusal::NotWhole);
        }
        (row.set)(self, value);
        Ok(())
    }

    /// Whether one of [`EXTENSIONS`] is on.
    #[must_use]
    pub fn has(&self, extension: &str) -> bool {
        match extension {
            "settling" => self.settling.is_some(),
            "damping" => self.damping.is_some(),
            "learning" => self.learning_rate.is_some(),
            "exploration" => self.exploration.is_some(),
            _ => false,
        }
    }

    /// Switches one of [`EXTENSIONS`] on, and with settling the expiry that goes with it; `seed` is that of exploration.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unknown`].
    pub fn extend(&mut self, name: &str, seed: u64) -> Result<(), Refusal> {
        match name {
            "settling" => {
                self.settling = Some(Self::SETTLING_PACKETS);
                self.expiry = Self::SETTLING_EXPIRY;
            }
            "damping" => self.damping = Some(Damping::default()),
            "learning" => self.learning_rate = Some(Self::LEARNING_RATE),
            "exploration" => {
                self.exploration = Some(Explore {
                    seed,
                    ..Explore::default()
                });
            }
            _ => return Err(Refusal::Unknown),
        }
        Ok(())
    }

    /// Chooses one of [`P_TERMS`].
    ///
    /// # Errors
    ///
    /// [`Refusal::Unknown`].
    pub fn choose_p_term(&mut self, name: &str) -> Result<(), Refusal> {
        self.p_term = match name {
            "paper" => PTerm::Paper,
            "authors" => PTerm::Authors,
            _ => return Err(Refusal::Unknown),
        };
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "thresholds are below 2^53")]
const fn as_number(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the row says that it is a whole number of at least 0, and conversion saturates"
)]
const fn as_count(value: f64) -> u64 {
    value as u64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the row says that it is a whole number of at least 0, and conversion saturates"
)]
const fn as_small_count(value: f64) -> u32 {
    value as u32
}
