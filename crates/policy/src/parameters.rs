//! Parameters of the policy that can be set.

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
    /// An observation of the other mode is too old after so many decisions.
    pub expiry: u32,
    /// Formula for the latencies that a message waits for.
    pub p_term: PTerm,
    /// Settling, which waits for the packets of the mode before, and for so many more; ours. `None`:
    /// it is off.
    pub settling: Option<u64>,
    /// Damping, which makes changes of mode rarer; ours. `None`: it is off.
    pub damping: Option<Damping>,
    /// Learning of the factors, with this weight of the newest pair; ours. `None`: it is off.
    pub learning_rate: Option<f64>,
    /// Exploration, which tries both modes; ours. `None`: it is off.
    pub exploration: Option<Explore>,
}

/// Conditions under which the mode in force may change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Damping {
    /// Least gain, as a share of the time under the other mode.
    pub margin: f64,
    /// Decisions between two changes.
    pub hold: u32,
}

/// Parameters of exploration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Explore {
    /// Seed of the draws.
    pub seed: u64,
    /// Packet latency, in cycles, at which a loss is 1.
    pub worst_latency: f64,
    /// Stalls, in cycles per flit, at which a loss is 1.
    pub worst_stalls: f64,
}

impl Default for Parameters {
    /// The paper's, with settling, which finds the better mode more often.
    fn default() -> Self {
        Self {
            expiry: Self::SETTLING_EXPIRY,
            settling: Some(Self::SETTLING_PACKETS),
            ..Self::PAPER
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
    /// The text of Algorithm 1, with the constants of the authors' public library where the paper
    /// has none.
    pub const PAPER: Self = Self {
        threshold: 4_096,
        latency_factor: 1.0 / 1.2,
        stall_factor: 5.0,
        expiry: 5,
        p_term: PTerm::Paper,
        settling: None,
        damping: None,
        learning_rate: None,
        exploration: None,
    };
    /// Packets that an observation needs unless another number is given.
    pub const SETTLING_PACKETS: u64 = 32;
    /// Expiry with settling, where only some decisions are followed by a reading.
    pub const SETTLING_EXPIRY: u32 = 1_000;
    /// Weight of the newest pair unless another is given.
    pub const LEARNING_RATE: f64 = 0.1;
}
