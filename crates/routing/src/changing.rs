//! From a routing and what becomes of links to the routings of every state of the network.

use std::sync::Arc;

use odonata_topology::Topology;
use odonata_units::{Instant, RouterId, Span};

use crate::changes::{Era, LinkChanges};
use crate::decide::Routing;
use crate::error::RoutingError;
use crate::geometry::{Geometry, Room};
use crate::mode::{Algorithm, Mode, Responses};
use crate::rule::Ordered;
use crate::timeline::{LinkTimeline, NetworkChanges, NetworkState};

/// Different sets of links that are down: a packet remembers in 6 bits which one it began with.
const MOST_STATES: usize = 64;

impl Routing {
    /// This routing, on a network of which some links and routers change at stated instants. See
    /// `docs/model/routing.md`, "Links that go down during the run".
    ///
    /// # Errors
    /// [`RoutingError`]: links or routers that do not exist, a network that falls apart without
    /// those that go down, a routing that cannot do without them.
    pub fn with_changes(self, changes: &NetworkChanges) -> Result<Self, RoutingError> {
        let changes = link_changes(&self, changes)?;
        Ok(match changes.states.first() {
            Some(first) => first.clone(),
            None => self,
        }
        .amid(changes))
    }
}

fn link_changes(
    routing: &Routing,
    changes: &NetworkChanges,
) -> Result<LinkChanges<Routing>, RoutingError> {
    let whole = routing.geometry().topology();
    let timeline = LinkTimeline::new(whole, changes)?;
    let ever_down = timeline.ever_down(whole);
    if ever_down.is_empty() && timeline.outages().is_empty() {
        return Ok(LinkChanges {
            timeline,
            eras: Vec::new(),
            states: Vec::new(),
            rerouting: None,
        });
    }
    check_modes(routing.modes())?;
    let (sets, eras) = sets_of(whole, &timeline, changes.known_after)?;
    let stable = without(whole, &ever_down)?;
    let geometries: Result<Vec<Geometry>, RoutingError> = sets
        .iter()
        .map(|set| {
            let geometry = Geometry::new(without(whole, &set.down)?);
            Ok(geometry.avoiding(set.routers.clone()))
        })
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
    let outages = timeline.outages().iter();
    let mut ever_out: Vec<_> = outages.map(|one| one.router).collect();
    ever_out.dedup();
    let stable = Geometry::new(stable).avoiding(ever_out);
    let turning: Vec<RouterId> = ever_down.iter().flat_map(|it| [it.from, it.to]).collect();
    let room = stable.room_from(&turning).map_err(|router| {
        let problem = format!(
            "router {} has none left; let it go down as a whole, with `router`",
            router.0
        );
        RoutingError::NoWayRound { problem }
    })?;
    let rerouting = Routing::new(stable.with_room(room), vec![Mode::minimal()], answers);
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

/// The different states of a network, and which of them packets begin with from when on.
fn sets_of(
    whole: &Topology,
    timeline: &LinkTimeline,
    known_after: Span,
) -> Result<(Vec<NetworkState>, Vec<Era>), RoutingError> {
    let mut sets: Vec<NetworkState> = Vec::new();
    let mut eras = Vec::new();
    for one in timeline.states(whole) {
        let is_it = |set: &NetworkState| set.down == one.down && set.routers == one.routers;
        let known = sets.iter().position(is_it);
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
    Ok((sets, eras))
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
        None => check_order(modes),
    }
}

/// Rerouted packets leave the path of their flow.
fn check_order(modes: &[Mode]) -> Result<(), RoutingError> {
    let orders = |mode: &&Mode| mode.algorithm.ordered() != Ordered::None;
    match modes.iter().find(orders) {
        Some(mode) => Err(RoutingError::LinksGoDown {
            algorithm: mode.name.clone(),
            reason: "keeps packets in order here, and rerouted packets are not; let links lose lanes \
                     only, or set `ordered = \"none\"`",
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odonata_topology::{Arrangement, Attachment, FailedLink, LinkKind, Shape, Topology};
    use odonata_units::{Instant, RouterId, Span};

    use crate::rule::Ordered;
    use crate::{
        Geometry, LinkChange, NetworkChanges, RouterOutage, Routing, RoutingError,
        check_dependencies, entry,
    };

    fn routing(name: &str, responses: bool) -> Routing {
        let shape = Shape {
            groups: 5,
            routers_per_group: 4,
            nodes_per_router: 2,
            global_ports_per_router: 1,
            arrangement: Arrangement::Absolute,
        };
        let geometry = Geometry::new(Arc::new(Topology::dragonfly(shape).unwrap()));
        Routing::new(geometry, vec![entry(name).unwrap().mode()], responses).unwrap()
    }

    fn change(routers: [u32; 2], ps: u64, share_ppm: u32) -> LinkChange {
        LinkChange {
            link: FailedLink {
                from: RouterId(routers[0]),
                to: RouterId(routers[1]),
                port: None,
            },
            at: Instant::from_ps(ps),
            share_ppm,
        }
    }

    fn links(links: &[LinkChange], known_after: Span) -> NetworkChanges {
        NetworkChanges {
            links: links.to_vec(),
            known_after,
            ..NetworkChanges::default()
        }
    }

    #[test]
    fn packets_take_notice_later() {
        let changes = [
            change([0, 1], 100, 0),
            change([0, 1], 200, 1_000_000),
            change([0, 1], 300, 0),
        ];
        let known_after = Span::from_ps(50);
        let routing = routing("ugal-group", false).with_changes(&links(&changes, known_after));
        let routing = routing.unwrap();
        let changes = routing.changes().unwrap();
        let at = |ps| changes.state_at(Instant::from_ps(ps));
        assert_eq!(
            [0, 149, 150, 249, 250, 349, 350].map(at),
            [0, 0, 1, 1, 0, 0, 1]
        );
        assert_eq!(
            changes.states().len(),
            2,
            "a state that comes again is the same"
        );
    }

    #[test]
    fn rerouted_packets_have_channels_of_their_own() {
        for (responds, regular, all) in [(false, 6, 10), (true, 10, 18)] {
            let whole = routing("ugal-group", responds);
            let routing = whole.with_changes(&links(&[change([0, 1], 100, 0)], Span::ZERO));
            let routing = routing.unwrap();
            // Legs of two hops, since the local link is missing: 3 legs, and 2 of responses; and 2
            // more ladders of `minimal`.
            assert_eq!(routing.regular_virtual_channels(), regular);
            assert_eq!(routing.virtual_channels(), all);
            let responses = (0..all).filter(|vc| routing.is_for_responses(*vc)).count();
            assert_eq!(responses, if responds { 8 } else { 0 });
            assert_eq!(check_dependencies(&routing), Ok(()));
        }
    }

    #[test]
    fn a_router_that_is_down_is_no_way_and_nothing_waits_in_a_cycle() {
        let outage = RouterOutage {
            router: RouterId(5),
            from: Instant::from_ps(100),
            until: Instant::from_ps(900),
        };
        let changes = NetworkChanges {
            routers: vec![outage],
            ..NetworkChanges::default()
        };
        for name in ["minimal", "ugal-group", "valiant-node", "ugal-node"] {
            let routing = routing(name, true).with_changes(&changes).unwrap();
            let states = routing.changes().unwrap().states();
            let down = [0, 1].map(|state: usize| states[state].geometry().down().to_vec());
            assert_eq!(down, [vec![], vec![RouterId(5)]]);
            let topology = states[1].geometry().topology();
            let links = topology.channels().filter(|channel| {
                let is_its = matches!(channel.source, Attachment::Router(RouterId(5), _));
                is_its && channel.kind != LinkKind::Host
            });
            assert_eq!(links.count(), 1, "its stub");
            assert_eq!(check_dependencies(&routing), Ok(()));
        }
        let both = NetworkChanges {
            routers: vec![
                outage,
                RouterOutage {
                    from: Instant::from_ps(900),
                    until: Instant::NEVER,
                    ..outage
                },
            ],
            ..NetworkChanges::default()
        };
        let refused = routing("minimal", false).with_changes(&both);
        assert!(matches!(
            refused,
            Err(RoutingError::FailsTwice { router: 5, ps: 900 })
        ));
        // A whole group: its routers hang on each other, and one of them on another group.
        let group = (4..8).map(|router| RouterOutage {
            router: RouterId(router),
            ..outage
        });
        let group = NetworkChanges {
            routers: group.collect(),
            ..NetworkChanges::default()
        };
        let routing = routing("ugal-group", false).with_changes(&group).unwrap();
        assert_eq!(check_dependencies(&routing), Ok(()));
    }

    #[test]
    fn lost_lanes_leave_the_routing_alone() {
        let whole = routing("q-adaptive", false);
        let vcs = whole.virtual_channels();
        let slow = whole.with_changes(&links(&[change([0, 1], 100, 1)], Span::ZERO));
        assert_eq!(slow.unwrap().virtual_channels(), vcs);
    }

    #[test]
    fn what_cannot_be_routed_is_refused() {
        let down = [change([0, 1], 100, 0)];
        let refused = routing("q-adaptive", false).with_changes(&links(&down, Span::ZERO));
        assert!(matches!(refused, Err(RoutingError::LinksGoDown { .. })));
        let mut ordering = entry("ugal-group").unwrap().mode();
        ordering.algorithm = ordering.algorithm.ordering(Ordered::Eager);
        let geometry = routing("minimal", false).geometry().clone();
        let ordering = Routing::new(geometry, vec![ordering], false).unwrap();
        let refused = ordering.clone().with_changes(&links(&down, Span::ZERO));
        assert!(matches!(refused, Err(RoutingError::LinksGoDown { .. })));
        let slow = [change([0, 1], 100, 1)];
        assert!(ordering.with_changes(&links(&slow, Span::ZERO)).is_ok());
        // Router 0 loses all its local links, one after the other, and each for a while only.
        let down = [1, 2, 3].map(|other| {
            let ps = u64::from(other) * 100;
            [
                change([0, other], ps, 0),
                change([0, other], ps + 50, 1_000_000),
            ]
        });
        let refused = routing("minimal", false).with_changes(&links(&down.concat(), Span::ZERO));
        assert!(
            matches!(refused, Err(RoutingError::NoWayRound { .. })),
            "{refused:?}"
        );
    }
}
