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
    /// Settling, which waits for the packets of the mode before; ours. `None`: it is off.
    pub settling: Option<Settling>,
    /// Damping, which makes changes of mode rarer; ours. `None`: it is off.
    pub damping: Option<Damping>,
    /// Learning of the factors, with this weight of the newest pair; ours. `None`: it is off.
    pub learning_rate: Option<f64>,
    /// Exploration, which tries both modes; ours. `None`: it is off.
    pub exploration: Option<Explore>,
}

/// When counters speak of the mode in force alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settling {
    /// Packets that an observation needs at least.
    pub packets: u64,
    /// In place of [`Parameters::expiry`]: decisions, of which only some are followed by a reading.
    pub expiry: u32,
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
    /// The paper, with the constants of the authors' public library where it has none.
    fn default() -> Self {
        Self {
            threshold: 4_096,
            latency_factor: 1.0 / 1.2,
            stall_factor: 5.0,
            expiry: 5,
            p_term: PTerm::Paper,
            settling: None,
            damping: None,
            learning_rate: None,
            exploration: None,
        }
    }
}

impl Default for Settling {
    fn default() -> Self {
        Self {
            packets: 32,
            expiry: 1_000,
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
