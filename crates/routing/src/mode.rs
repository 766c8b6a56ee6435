//! Routing algorithms as they are given, and as they run on one system.

use odonata_topology::Family;

use crate::by_ports::PortRule;
use crate::by_rule::minimal_leg;
use crate::decide::Plan;
use crate::error::RoutingError;
use crate::geometry::Geometry;
use crate::ladder::{Ladder, Leg, VcScheme};
use crate::q_adaptive::{LONGEST, QAdaptive};
use crate::registry;
use crate::rule::{Choice, Draws, Estimate, Rule, Scope};

/// Most modes in one network: a packet names its mode in five bits, and one is for responses.
pub const MODE_LIMIT: usize = 31;

/// What decides.
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

    /// Its virtual channels' legs.
    pub(crate) const fn scheme(&self) -> VcScheme {
        match self {
            Self::Rule(rule) => rule.vcs,
            Self::Ports(ports) => ports.rule.vcs,
            Self::QAdaptive(_) => VcScheme::Hops,
        }
    }

    /// Whether it reads credits in use.
    pub(crate) fn reads_credits(&self) -> bool {
        match self {
            Self::Rule(rule) => {
                rule.choice == Choice::Adaptive && rule.estimate != Estimate::Queued
            }
            Self::Ports(ports) => ports.rule.estimate != Estimate::Queued,
            Self::QAdaptive(_) => false,
        }
    }

    /// The same on `family`: CODES has one algorithm of that name for Aries and another elsewhere.
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
    /// What decides.
    pub algorithm: Algorithm,
}

impl Mode {
    /// Always minimal.
    #[must_use]
    pub fn minimal() -> Self {
        Self {
            name: "minimal".to_owned(),
            algorithm: Algorithm::Rule(Rule::MINIMAL),
        }
    }
}

/// A mode on one system.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) algorithm: Algorithm,
    pub(crate) ladder: Ladder,
    /// Arithmetic alone gives local paths and virtual channels.
    pub(crate) is_plain: bool,
    /// A fresh packet that leaves its group has nothing to decide.
    is_settled_fresh: bool,
}

impl Compiled {
    fn new(algorithm: Algorithm, ladder: Ladder, geometry: &Geometry) -> Self {
        let rule = algorithm.rule();
        let is_minimal = rule.is_some_and(|rule| rule.choice == Choice::Minimal);
        let is_drawn = rule.is_some_and(|rule| rule.draws == Draws::PerPacket);
        Self {
            is_plain: geometry.is_direct()
                && ladder.is_plain()
                && !matches!(algorithm, Algorithm::Ports(_)),
            is_settled_fresh: is_minimal && is_drawn,
            algorithm,
            ladder,
        }
    }

    /// Whether a fresh packet has something to decide even inside its group.
    #[inline]
    pub(crate) const fn asks_inside(&self) -> bool {
        match &self.algorithm {
            Algorithm::Rule(rule) => {
                matches!(rule.scope, Scope::Everywhere) && !matches!(rule.choice, Choice::Minimal)
            }
            Algorithm::Ports(_) | Algorithm::QAdaptive(_) => false,
        }
    }

    /// Leg of a packet under `plan` that leaves its group, if no decision is left.
    #[inline]
    pub(crate) const fn settled_leg(&self, plan: Plan) -> Option<Leg> {
        let is_settled = match plan {
            Plan::Minimal | Plan::Confirmed | Plan::Onward => true,
            Plan::Fresh => self.is_settled_fresh,
            Plan::Tentative | Plan::Outward => false,
        };
        if is_settled {
            Some(minimal_leg(plan))
        } else {
            None
        }
    }

    /// Whether a packet under `plan` has something to decide in its target group.
    pub(crate) const fn has_choice_inside(&self, plan: Plan) -> bool {
        if matches!(self.algorithm, Algorithm::QAdaptive(_)) {
            return false;
        }
        // Parallel paths are compared, not drawn.
        let compares = matches!(self.algorithm, Algorithm::Ports(_));
        match plan {
            Plan::Outward => true,
            Plan::Fresh => self.asks_inside() || compares,
            Plan::Minimal | Plan::Tentative | Plan::Confirmed | Plan::Onward => compares,
        }
    }
}

/// `modes` on `geometry`, on one ladder, and behind them the minimal mode of responses.
pub(crate) fn compile(
    geometry: &Geometry,
    modes: &[Mode],
    has_responses: bool,
) -> Result<Vec<Compiled>, RoutingError> {
    if let Some(problem) = geometry.problem() {
        return Err(problem.clone());
    }
    if modes.is_empty() || modes.len() > MODE_LIMIT {
        return Err(RoutingError::TooManyModes {
            count: modes.len(),
            limit: MODE_LIMIT,
        });
    }
    let family = geometry.topology().family();
    let mut scheme = VcScheme::Minimal;
    let mut hops = 1;
    for mode in modes {
        registry::check_family(mode, geometry.topology())?;
        let algorithm = mode.algorithm.on(family);
        scheme = scheme.join(relayed(algorithm.scheme(), geometry));
        hops = hops.max(longest(&algorithm, geometry));
    }
    let requests = ladder(scheme, hops, geometry, 0)?;
    let mut compiled: Vec<_> = modes
        .iter()
        .map(|mode| Compiled::new(mode.algorithm.on(family), requests, geometry))
        .collect();
    if has_responses {
        let minimal = Algorithm::Rule(Rule::MINIMAL);
        let scheme = relayed(VcScheme::Minimal, geometry);
        let hops = longest(&minimal, geometry);
        let responses = ladder(scheme, hops, geometry, requests.count())?;
        compiled.push(Compiled::new(minimal, responses, geometry));
    }
    Ok(compiled)
}

/// Where groups are not joined even minimal packets go over a third one.
fn relayed(scheme: VcScheme, geometry: &Geometry) -> VcScheme {
    if geometry.has_gaps() {
        scheme.join(VcScheme::Group)
    } else {
        scheme
    }
}

/// Router-to-router hops of the longest path.
fn longest(algorithm: &Algorithm, geometry: &Geometry) -> u16 {
    if let Some(domain) = geometry.domain() {
        let is_minimal = algorithm
            .rule()
            .is_some_and(|rule| rule.choice == Choice::Minimal);
        let parts = if is_minimal { 1 } else { 2 };
        return u16::from(domain.diameter) * parts;
    }
    if matches!(algorithm, Algorithm::QAdaptive(_)) {
        return u16::from(LONGEST);
    }
    let scheme = relayed(algorithm.scheme(), geometry);
    u16::from(scheme.longest_path(geometry.longest_local()))
}

fn ladder(
    scheme: VcScheme,
    hops: u16,
    geometry: &Geometry,
    first: u8,
) -> Result<Ladder, RoutingError> {
    let local = geometry.longest_local();
    let topology = geometry.topology();
    let is_megafly = matches!(topology.family(), Family::Megafly(_));
    let found = if scheme == VcScheme::Hops || geometry.domain().is_some() {
        Ladder::by_hops(hops, first)
    } else if is_megafly {
        // With links missing, a local leg of L hops can turn upward L / 2 times.
        let extra = if topology.is_damaged() {
            scheme.legs().saturating_mul(local / 2)
        } else {
            0
        };
        Ladder::by_turns(scheme, extra, first)
    } else {
        Ladder::by_legs(scheme, local, first)
    };
    found.ok_or(RoutingError::TooManyChannels {
        what: if first == 0 {
            "this routing"
        } else {
            "this routing and its responses"
        },
    })
}
