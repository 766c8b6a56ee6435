//! Routers that are down: all their links are, but one.
//!
//! By that one, the *stub* of the router, packets for its nodes still find it, and what it held
//! finds its way out. Nobody else goes over it: a router with one link leads nowhere.

use std::collections::{BTreeMap, BTreeSet};

use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{Instant, RouterId};

use crate::error::RoutingError;

/// All of a bandwidth, millionths.
pub const WHOLE_PPM: u32 = 1_000_000;

/// A time in which a router is down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RouterOutage {
    /// The router.
    pub router: RouterId,
    /// From then on it is down.
    pub from: Instant,
    /// From then on it is up again; never if it stays down.
    pub until: Instant,
}

impl RouterOutage {
    /// Whether the router is down at `at`.
    #[must_use]
    pub fn holds(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }
}

/// A change of the channel that starts at a port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PortChange {
    /// Router.
    pub router: RouterId,
    /// Its port.
    pub port: PortIndex,
    /// The instant of the change.
    pub at: Instant,
    /// Bandwidth from then on, millionths of the full one; 0: the link is down.
    pub share_ppm: u32,
}

/// A port of a router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    router: RouterId,
    port: PortIndex,
}

/// `outages` by router and instant.
///
/// # Errors
/// If a router does not exist, or fails while it is down.
pub(super) fn checked(
    topology: &Topology,
    outages: &[RouterOutage],
) -> Result<Vec<RouterOutage>, RoutingError> {
    let mut all = outages.to_vec();
    all.sort_unstable();
    let routers = topology.router_count();
    if let Some(unknown) = all.iter().find(|one| one.router.0 >= routers) {
        return Err(RoutingError::NoSuchRouter {
            router: unknown.router.0,
            last: routers - 1,
        });
    }
    let overlaps =
        |pair: &&[RouterOutage]| pair[0].router == pair[1].router && pair[1].from <= pair[0].until;
    match all.windows(2).find(overlaps) {
        Some(pair) => Err(RoutingError::FailsTwice {
            router: pair[1].router.0,
            ps: pair[1].from.ps(),
        }),
        None => Ok(all),
    }
}

/// Takes the links of routers that are down out of service meanwhile, in `changes`, which are in
/// order.
///
/// # Errors
/// If a router has no way that stays up to a router that does.
pub(super) fn take_links(
    topology: &Topology,
    outages: &[RouterOutage],
    changes: &mut Vec<PortChange>,
) -> Result<(), RoutingError> {
    if outages.is_empty() {
        return Ok(());
    }
    let mut of_places: BTreeMap<Place, Vec<PortChange>> = BTreeMap::new();
    for one in changes.iter() {
        let PortChange { router, port, .. } = *one;
        let own = of_places.entry(Place { router, port });
        own.or_default().push(*one);
    }
    let goes_down = |place: Place| {
        let own = of_places.get(&place);
        own.is_some_and(|own| own.iter().any(|one| one.share_ppm == 0))
    };
    let stubs = stubs(topology, outages, goes_down)?;
    let mut cuts: BTreeMap<Place, Vec<RouterOutage>> = BTreeMap::new();
    for outage in outages {
        let others = links(topology, outage.router).filter(|[near, _]| !stubs.contains(near));
        for end in others.flatten() {
            cuts.entry(end).or_default().push(*outage);
        }
    }
    for (place, outages) in cuts {
        let own = of_places.remove(&place).unwrap_or_default();
        of_places.insert(place, cut(place, &own, &outages));
    }
    *changes = of_places.into_values().flatten().collect();
    Ok(())
}

/// The stubs of all routers that fail, by both ends: they are trees that hang on routers that do not.
/// A link inside a group goes before one that leaves it, for groups must not fall apart.
fn stubs(
    topology: &Topology,
    outages: &[RouterOutage],
    goes_down: impl Fn(Place) -> bool,
) -> Result<BTreeSet<Place>, RoutingError> {
    let mut loose: BTreeSet<RouterId> = outages.iter().map(|one| one.router).collect();
    let failing = loose.clone();
    let mut stubs = BTreeSet::new();
    let rank = |[near, far]: [Place; 2]| {
        let is_global = topology.port_kind(near.port) == LinkKind::Global;
        (is_global, failing.contains(&far.router), near.port)
    };
    while let Some(first) = loose.first().copied() {
        let hangs = |router: &RouterId| {
            links(topology, *router)
                .filter(|[near, far]| !loose.contains(&far.router) && !goes_down(*near))
                .map(|link| (rank(link), link))
                .min()
        };
        let found = loose.iter().filter_map(hangs).min();
        let (_, link) = found.ok_or(RoutingError::NoStub { router: first.0 })?;
        loose.remove(&link[0].router);
        stubs.extend(link);
    }
    Ok(stubs)
}

/// The links of a router to others, by port: its end and the far one.
fn links(topology: &Topology, router: RouterId) -> impl Iterator<Item = [Place; 2]> {
    let ports = (0..topology.radix()).map(PortIndex);
    ports.filter_map(move |port| match topology.neighbour(router, port)? {
        Attachment::Router(far, back) => {
            let ends = [(router, port), (far, back)];
            Some(ends.map(|(router, port)| Place { router, port }))
        }
        Attachment::Node(_) => None,
    })
}

/// The changes at a port that has `own` ones, and is down during `outages`.
fn cut(place: Place, own: &[PortChange], outages: &[RouterOutage]) -> Vec<PortChange> {
    let mut instants: BTreeSet<Instant> = own.iter().map(|one| one.at).collect();
    instants.extend(outages.iter().flat_map(|one| [one.from, one.until]));
    instants.remove(&Instant::NEVER);
    let share = |at: Instant| {
        if outages.iter().any(|one| one.holds(at)) {
            return 0;
        }
        let last = own.iter().rev().find(|one| one.at <= at);
        last.map_or(WHOLE_PPM, |one| one.share_ppm)
    };
    let change = |at| PortChange {
        router: place.router,
        port: place.port,
        at,
        share_ppm: share(at),
    };
    instants.into_iter().map(change).collect()
}
