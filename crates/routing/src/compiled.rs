//! Routing algorithms as they run on one system.

use odonata_units::Span;

use crate::error::RoutingError;
use crate::geometry::Geometry;
use crate::ladder::{Ladder, Leg, VcScheme};
use crate::mode::{Algorithm, Mode, NUMBERS, Responses};
use crate::packet::PathState;
use crate::precomputed::{PrecomputedHops, Region};
use crate::q_adaptive::LONGEST;
use crate::registry;
use crate::rule::{Choice, Draws, Ordered, Rule, Scope};

/// A mode on one system.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) algorithm: Algorithm,
    pub(crate) ladder: Ladder,
    /// The precomputed hops, if there is a table of hops.
    pub(crate) precomputed: Option<PrecomputedHops>,
    /// A fresh packet that leaves its group has nothing to decide.
    is_determined_when_fresh: bool,
}

impl Compiled {
    fn new(algorithm: Algorithm, ladder: Ladder, geometry: &Geometry) -> Self {
        let rule = algorithm.rule();
        let is_minimal = rule.is_some_and(|rule| rule.choice == Choice::Minimal);
        let is_drawn = rule.is_some_and(|rule| rule.draws == Draws::PerPacket);
        let mut compiled = Self {
            precomputed: None,
            is_determined_when_fresh: is_minimal && is_drawn,
            algorithm,
            ladder,
        };
        compiled.precompute(geometry);
        compiled
    }

    /// Folds the VCs above `last` onto it.
    pub(crate) fn fold(&mut self, last: u8, geometry: &Geometry) {
        self.ladder.fold(last);
        self.precompute(geometry);
    }

    /// The longest pause within a period of a flow, if packets of the mode are ordered.
    #[inline]
    pub(crate) fn flow_gap(&self) -> Option<Span> {
        match &self.algorithm {
            Algorithm::Rule(rule) if rule.ordered == Ordered::All => {
                Some(Span::from_ns(rule.flow_gap_ns.into()))
            }
            _ => None,
        }
    }

    fn precompute(&mut self, geometry: &Geometry) {
        // Ports are compared at every hop; ordered packets draw in their own way.
        if matches!(self.algorithm, Algorithm::Ports(_)) || self.flow_gap().is_some() {
            return;
        }
        let rule = self.algorithm.rule();
        let is_visited = rule.is_some_and(|rule| rule.intermediate.is_visited());
        let learns = rule.is_none();
        let leg = |region, path_state| match (region, path_state) {
            (Region::Outside, PathState::Fresh) if learns => None,
            _ if learns => Some(Leg::Onward),
            (Region::Target | Region::TargetRouter, PathState::Outward) if is_visited => None,
            (Region::Target, PathState::Fresh) if self.asks_inside() => None,
            (Region::Target | Region::TargetRouter, _) => Some(Leg::Target),
            (Region::Outside, PathState::Outward) => Some(Leg::SourceNonminimal),
            (Region::Intermediate, PathState::Outward) if is_visited => None,
            (Region::Outside | Region::Intermediate, path_state) => self.determined_leg(path_state),
        };
        self.precomputed = PrecomputedHops::new(geometry, &self.ladder, leg, rule);
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

    /// Leg of a packet under `path_state` that leaves its group, if no decision is left.
    #[inline]
    pub(crate) const fn determined_leg(&self, path_state: PathState) -> Option<Leg> {
        let is_determined = match path_state {
            PathState::Minimal | PathState::Confirmed | PathState::Onward => true,
            PathState::Fresh => self.is_determined_when_fresh,
            PathState::Tentative | PathState::Outward => false,
        };
        if is_determined {
            Some(Leg::minimal(path_state))
        } else {
            None
        }
    }

    /// Whether a packet under `path_state` has something to decide in its target group.
    pub(crate) const fn has_choice_inside(&self, path_state: PathState) -> bool {
        if matches!(self.algorithm, Algorithm::QAdaptive(_)) {
            return false;
        }
        // Parallel paths are compared, not drawn.
        let compares = matches!(self.algorithm, Algorithm::Ports(_));
        match path_state {
            PathState::Outward => true,
            PathState::Fresh => self.asks_inside() || compares,
            PathState::Minimal
            | PathState::Tentative
            | PathState::Confirmed
            | PathState::Onward => compares,
        }
    }
}

/// `modes` on `geometry`, on one ladder, behind them the minimal mode of answers, and behind that,
/// if data go there too, the same modes on the ladder of responses; at the end those modes once more
/// that order some packets, for these packets.
pub(crate) fn compile(
    geometry: &Geometry,
    modes: &[Mode],
    responses: Responses,
) -> Result<Vec<Compiled>, RoutingError> {
    if let Some(problem) = geometry.problem() {
        return Err(problem.clone());
    }
    let limit = responses.mode_limit();
    let ordered = modes.iter().filter(|mode| mode.orders_some()).count();
    let is_known = modes.len() <= limit && responses.numbers(modes.len()) + ordered <= NUMBERS;
    if modes.is_empty() || !is_known {
        return Err(RoutingError::TooManyModes {
            count: modes.len() + ordered,
            limit,
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
    let minimal = Algorithm::Rule(Rule::MINIMAL);
    match responses {
        Responses::Absent => {}
        Responses::Answers => {
            let scheme = relayed(VcScheme::Minimal, geometry);
            let hops = longest(&minimal, geometry);
            let answers = ladder(scheme, hops, geometry, requests.count())?;
            compiled.push(Compiled::new(minimal, answers, geometry));
        }
        Responses::Data => {
            let data = ladder(scheme, hops, geometry, requests.count())?;
            compiled.push(Compiled::new(minimal, data, geometry));
            let again = modes.iter().map(|mode| mode.algorithm.on(family));
            compiled.extend(again.map(|algorithm| Compiled::new(algorithm, data, geometry)));
        }
    }
    for mode in modes.iter().filter(|mode| mode.orders_some()) {
        let algorithm = mode.algorithm.on(family).ordering(Ordered::All);
        compiled.push(Compiled::new(algorithm, requests, geometry));
    }
    Ok(compiled)
}

/// The scheme of a system: where groups are not joined even minimal packets go over a third one.
fn relayed(scheme: VcScheme, geometry: &Geometry) -> VcScheme {
    if geometry.room().has_gaps {
        scheme.join(VcScheme::Group)
    } else {
        scheme
    }
}

/// Router-to-router hops of the longest path.
fn longest(algorithm: &Algorithm, geometry: &Geometry) -> u16 {
    if geometry.domain().is_some() {
        let is_minimal = algorithm
            .rule()
            .is_some_and(|rule| rule.choice == Choice::Minimal);
        let parts = if is_minimal { 1 } else { 2 };
        return u16::from(geometry.room().diameter) * parts;
    }
    if matches!(algorithm, Algorithm::QAdaptive(_)) {
        return u16::from(LONGEST);
    }
    let scheme = relayed(algorithm.scheme(), geometry);
    u16::from(scheme.longest_path(geometry.room().longest_local))
}

fn ladder(
    scheme: VcScheme,
    hops: u16,
    geometry: &Geometry,
    first: u8,
) -> Result<Ladder, RoutingError> {
    let local = geometry.room().longest_local;
    let topology = geometry.topology();
    let is_megafly = topology.family().has_levels();
    let found = if scheme == VcScheme::Hops || geometry.domain().is_some() {
        Ladder::by_hops(hops, first)
    } else if is_megafly {
        // With links missing, a local leg of L hops can turn upward L / 2 times.
        let extra = if geometry.room().is_damaged {
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
