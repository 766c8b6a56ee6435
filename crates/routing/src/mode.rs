//! Routing algorithms as they are given.

use odonata_topology::Family;

use crate::ladder::VcScheme;
use crate::observation::Estimate;
use crate::port_rule::PortRule;
use crate::q_adaptive::QAdaptive;
use crate::rule::{Choice, Ordered, Rule};

/// Most modes in one network: a packet names its mode in five bits, and one is for responses.
pub const MODE_LIMIT: usize = 31;

/// Numbers of modes in a packet.
pub(crate) const NUMBERS: usize = 32;

/// Packets on virtual channels of their own behind those of requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Responses {
    /// There are none.
    Absent,
    /// Answers to packets, which are minimal.
    Answers,
    /// Answers, and the data of gets, which go by any of the modes.
    Data,
}

impl Responses {
    /// Most modes in a network with these: each is there once more for data.
    #[must_use]
    pub const fn mode_limit(self) -> usize {
        match self {
            Self::Absent | Self::Answers => MODE_LIMIT,
            Self::Data => MODE_LIMIT / 2,
        }
    }

    /// Numbers that so many modes take up with these.
    pub(crate) const fn numbers(self, modes: usize) -> usize {
        match self {
            Self::Absent => modes,
            Self::Answers => modes + 1,
            Self::Data => 2 * modes + 1,
        }
    }
}

impl From<bool> for Responses {
    fn from(has_answers: bool) -> Self {
        if has_answers {
            Self::Answers
        } else {
            Self::Absent
        }
    }
}

/// Algorithm of a decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    /// The one adaptive rule.
    Rule(Rule),
    /// The least congested of the ports at hand (CODES, dragonfly-dally and dragonfly-plus).
    Ports(PortRule),
    /// A learned table.
    QAdaptive(QAdaptive),
}

impl Algorithm {
    /// The rule, if it is one.
    #[must_use]
    pub const fn rule(&self) -> Option<&Rule> {
        match self {
            Self::Rule(rule) => Some(rule),
            Self::Ports(_) | Self::QAdaptive(_) => None,
        }
    }

    /// Which of its packets are ordered.
    pub(crate) const fn ordered(&self) -> Ordered {
        match self {
            Self::Rule(rule) => rule.ordered,
            Self::Ports(_) | Self::QAdaptive(_) => Ordered::None,
        }
    }

    /// The same, with these packets ordered.
    pub(crate) const fn ordering(self, ordered: Ordered) -> Self {
        match self {
            Self::Rule(rule) => Self::Rule(Rule { ordered, ..rule }),
            Self::Ports(_) | Self::QAdaptive(_) => self,
        }
    }

    /// The legs of its paths that have virtual channels of their own.
    pub(crate) const fn scheme(&self) -> VcScheme {
        match self {
            Self::Rule(rule) => rule.vcs,
            Self::Ports(ports) => ports.rule.vcs,
            Self::QAdaptive(_) => VcScheme::Hops,
        }
    }

    /// Whether its decisions read credits in use.
    pub(crate) fn reads_credits(&self) -> bool {
        match self {
            Self::Rule(rule) => {
                rule.choice == Choice::Adaptive && rule.estimate != Estimate::Queued
            }
            Self::Ports(ports) => ports.rule.estimate != Estimate::Queued,
            Self::QAdaptive(_) => false,
        }
    }

    /// The algorithm that this name means on `family`: CODES has one for Aries and another
    /// elsewhere.
    pub(crate) const fn on(self, family: &Family) -> Self {
        match (self, family) {
            (Self::Ports(ports), Family::Aries(_)) => Self::Rule(ports.on_aries()),
            (other, _) => other,
        }
    }
}

/// A routing algorithm with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Mode {
    /// Registry name.
    pub name: String,
    /// Algorithm of a decision.
    pub algorithm: Algorithm,
}

impl Mode {
    /// Whether some of its packets are ordered and others not.
    pub(crate) fn orders_some(&self) -> bool {
        self.algorithm.ordered() == Ordered::Eager
    }

    /// The same in a system whose full packets have so many flits: what is stated in packets becomes
    /// flits.
    #[must_use]
    pub fn with_packets_of(mut self, flits: u32) -> Self {
        if let Algorithm::Rule(rule) = &mut self.algorithm {
            rule.bias += rule.bias_packets * i64::from(flits);
            rule.bias_packets = 0;
        }
        self
    }

    /// Always minimal.
    #[must_use]
    pub fn minimal() -> Self {
        Self {
            name: "minimal".to_owned(),
            algorithm: Algorithm::Rule(Rule::MINIMAL),
        }
    }
}
