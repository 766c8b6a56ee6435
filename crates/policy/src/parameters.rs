//! What can be set.

use crate::message::PTerm;

/// Parameters of a policy; see `docs/model/policy.md`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameters {
    /// Sum of bytes up to which messages go with the high bias, undecided.
    pub threshold: u64,
    /// `lambda`: `L_bs / L_ad`; positive.
    pub latency_factor: f64,
    /// `sigma`: `s_bs / s_ad`; positive.
    pub stall_factor: f64,
    /// Decisions after which the observation of the other mode is too old.
    pub expiry: u32,
    /// Latencies that a message waits for.
    pub p_term: PTerm,
    /// Fewer changes of mode; ours.
    pub damping: Option<Damping>,
    /// Factors learnt, with this weight of the newest pair; ours.
    pub learning_rate: Option<f64>,
    /// Both modes are tried; ours.
    pub exploration: Option<Explore>,
}

/// When the mode in force may change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Damping {
    /// Least gain, as a share of the time under the other mode.
    pub margin: f64,
    /// Decisions between two changes.
    pub hold: u32,
}

/// How both modes are tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Explore {
    /// Of the draws.
    pub seed: u64,
    /// Packet latency, in cycles, at which a loss is 1.
    pub worst_latency: f64,
    /// Stalls, in cycles per flit, at which a loss is 1.
    pub worst_stalls: f64,
}

impl Default for Parameters {
    /// The paper, with the constants of the authors' public library where it has none.
    fn default() -> Self {
        Self {
            threshold: 4_096,
            latency_factor: 1.0 / 1.2,
            stall_factor: 5.0,
            expiry: 5,
            p_term: PTerm::Paper,
            damping: None,
            learning_rate: None,
            exploration: None,
        }
    }
}

impl Default for Damping {
    fn default() -> Self {
        Self {
            margin: 0.1,
            hold: 8,
        }
    }
}

impl Default for Explore {
    fn default() -> Self {
        Self {
            seed: 0,
            worst_latency: 8_000.0,
            worst_stalls: 8.0,
        }
    }
}

impl Parameters {
    /// Weight of the newest pair unless another is given.
    pub const LEARNING_RATE: f64 = 0.1;
}
