//! From a routing and what becomes of links to the routings of every state of the network.

use std::sync::Arc;

use odonata_topology::{LinkChange, LinkTimeline, NetworkState, Topology};
use odonata_units::{Instant, Span};

use crate::changes::{Era, LinkChanges};
use crate::decide::Routing;
use crate::error::RoutingError;
use crate::geometry::{Geometry, Room};
use crate::mode::{Algorithm, Mode, Responses};

/// Different sets of links that are down: a packet remembers in 6 bits which one it began with.
const MOST_STATES: usize = 64;

impl Routing {
    /// This routing, on links of which some change at stated instants; packets need not take
    /// notice before `known_after` has passed. See `docs/model/routing.md`, "Links that go down
    /// during the run".
    ///
    /// # Errors
    /// [`RoutingError`]: links that do not exist, a network that falls apart without those that go
    /// down, a routing that cannot do without them.
    pub fn with_changes(
        self,
        changes: &[LinkChange],
        known_after: Span,
    ) -> Result<Self, RoutingError> {
        let changes = link_changes(&self, changes, known_after)?;
        Ok(match changes.states.first() {
            Some(first) => first.clone(),
            None => self,
        }
        .amid(changes))
    }
}

fn link_changes(
    routing: &Routing,
    changes: &[LinkChange],
    known_after: Span,
) -> Result<LinkChanges<Routing>, RoutingError> {
    let whole = routing.geometry().topology();
    let timeline = LinkTimeline::new(whole, changes)?;
    let ever_down = timeline.ever_down(whole);
    if ever_down.is_empty() {
        return Ok(LinkChanges {
            timeline,
            eras: Vec::new(),
            states: Vec::new(),
            rerouting: None,
        });
    }
    check_modes(routing.modes())?;
    let mut sets: Vec<NetworkState> = Vec::new();
    let mut eras = Vec::new();
    for one in timeline.states(whole) {
        let known = sets.iter().position(|other| other.down == one.down);
        let state = known.unwrap_or(sets.len());
        let from = match one.from {
            Instant::ZERO => Instant::ZERO,
            from => from + known_after,
        };
        if known.is_none() {
            sets.push(one);
        }
        if state >= MOST_STATES {
            continue;
        }
        eras.push(Era {
            from,
            state: u8::try_from(state).unwrap_or(0),
        });
    }
    if sets.len() > MOST_STATES {
        return Err(RoutingError::TooManyStates {
            found: sets.len(),
            most: MOST_STATES,
        });
    }
    let stable = without(whole, &ever_down)?;
    let geometries: Result<Vec<Geometry>, RoutingError> = sets
        .iter()
        .map(|set| Ok(Geometry::new(without(whole, &set.down)?)))
        .collect();
    let geometries = geometries?;
    let room = geometries
        .iter()
        .fold(Room::default(), |room, one| room.join(one.room()));
    let of_state = |geometry: Geometry| {
        let modes = routing.modes().to_vec();
        Routing::new(geometry.with_room(room), modes, routing.responses())
    };
    let states: Result<Vec<Routing>, RoutingError> = geometries.into_iter().map(of_state).collect();
    let answers = match routing.responses() {
        Responses::Absent => Responses::Absent,
        Responses::Answers | Responses::Data => Responses::Answers,
    };
    let rerouting = Routing::new(Geometry::new(stable), vec![Mode::minimal()], answers);
    let rerouting = rerouting.map_err(|error| RoutingError::NoWayRound {
        problem: error.to_string(),
    })?;
    Ok(LinkChanges {
        timeline,
        eras,
        states: states?,
        rerouting: Some(rerouting),
    })
}

/// `whole` without the links of `down`.
fn without(
    whole: &Topology,
    down: &[odonata_topology::FailedLink],
) -> Result<Arc<Topology>, RoutingError> {
    let left = whole.without_links(down);
    left.map(Arc::new)
        .map_err(|error| RoutingError::NoWayRound {
            problem: error.to_string(),
        })
}

/// Refuses modes that remember links.
fn check_modes(modes: &[Mode]) -> Result<(), RoutingError> {
    let learns = |mode: &&Mode| matches!(mode.algorithm, Algorithm::QAdaptive(_));
    match modes.iter().find(learns) {
        Some(mode) => Err(RoutingError::LinksGoDown {
            algorithm: mode.name.clone(),
            reason: "learns of each link by itself; let them lose lanes only, or use another \
                     algorithm",
        }),
        None => Ok(()),
    }
}
