//! Links that change while the network runs: `docs/model/topologies.md`, "Links that change during
//! a run".

use std::collections::BTreeMap;

use odonata_topology::{Attachment, FailedLink, PortIndex, Topology};
use odonata_units::{Instant, RouterId, Span};

use crate::error::RoutingError;

mod outages;

pub use outages::{PortChange, RouterOutage, WHOLE_PPM};

/// A change of a link, in both directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkChange {
    /// The link, or all parallel ones.
    pub link: FailedLink,
    /// The instant of the change.
    pub at: Instant,
    /// Bandwidth from then on, millionths of the full one; 0: the link is down.
    pub share_ppm: u32,
}

/// What becomes of a network while it runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkChanges {
    /// Of its links.
    pub links: Vec<LinkChange>,
    /// When its routers are down.
    pub routers: Vec<RouterOutage>,
    /// Packets need not take notice before so much time has passed.
    pub known_after: Span,
    /// How long it takes until a packet is sent again that a router has lost.
    pub resent_after: Span,
}

/// A port whose link goes down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PortDown {
    /// The instant from which on nothing starts there.
    pub at: Instant,
    /// The port.
    pub port: PortIndex,
}

/// The links of a network that are down from an instant on, up to the next such instant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkState {
    /// From here on.
    pub from: Instant,
    /// These links are down, each by its port at its lower router.
    pub down: Vec<FailedLink>,
    /// These routers are down, ascending: of their links one is not among those.
    pub routers: Vec<RouterId>,
}

/// When which links change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkTimeline {
    /// By router, port and instant.
    changes: Vec<PortChange>,
    /// `[router]`: the first of its changes; one more at the end.
    starts: Vec<u32>,
    /// `[router]`: when its ports go down, in order.
    downs: Vec<Box<[PortDown]>>,
    /// By router and instant.
    outages: Vec<RouterOutage>,
    resent_after: Span,
}

impl LinkTimeline {
    /// The timeline of `changes` of `topology`. A change to what a link is already is no change.
    ///
    /// # Errors
    /// If a link or router does not exist, a link is changed twice at one instant, a router fails
    /// while it is down, or none of its links stays up.
    pub fn new(topology: &Topology, changes: &NetworkChanges) -> Result<Self, RoutingError> {
        let mut all = Vec::new();
        for change in &changes.links {
            let router = change.link.from;
            for port in topology.ports_of_link(&change.link)? {
                let mut of = |router, port| {
                    all.push(PortChange {
                        router,
                        port,
                        at: change.at,
                        share_ppm: change.share_ppm.min(WHOLE_PPM),
                    });
                };
                of(router, port);
                if let Some(Attachment::Router(far, back)) = topology.neighbour(router, port) {
                    of(far, back);
                }
            }
        }
        all.sort_unstable();
        for pair in all.windows(2) {
            let place = |one: &PortChange| (one.router, one.port, one.at);
            if place(&pair[0]) == place(&pair[1]) {
                return Err(RoutingError::ChangedTwice {
                    router: pair[0].router.0,
                    port: pair[0].port.0,
                    ps: pair[0].at.ps(),
                });
            }
        }
        let outages = outages::checked(topology, &changes.routers)?;
        outages::take_links(topology, &outages, &mut all)?;
        let mut before = BTreeMap::new();
        all.retain(|one| {
            let last = before.insert((one.router, one.port), one.share_ppm);
            last.unwrap_or(WHOLE_PPM) != one.share_ppm
        });
        let starts = (0..=topology.router_count()).map(|router| {
            let first = all.partition_point(|one| one.router.0 < router);
            u32::try_from(first).unwrap_or(u32::MAX)
        });
        let starts: Vec<u32> = starts.collect();
        let of = |router: u32| {
            let own = starts[router as usize] as usize..starts[router as usize + 1] as usize;
            let down = all[own].iter().filter(|one| one.share_ppm == 0);
            let mut down: Vec<_> = down
                .map(|one| PortDown {
                    at: one.at,
                    port: one.port,
                })
                .collect();
            down.sort_unstable();
            down.into_boxed_slice()
        };
        Ok(Self {
            downs: (0..topology.router_count()).map(of).collect(),
            changes: all,
            starts,
            outages,
            resent_after: changes.resent_after,
        })
    }

    /// When routers are down, by router and instant.
    #[must_use]
    pub fn outages(&self) -> &[RouterOutage] {
        &self.outages
    }

    /// How long it takes until a packet is sent again that a router has lost.
    #[must_use]
    pub const fn resent_after(&self) -> Span {
        self.resent_after
    }

    /// The instant before which a packet that entered `router` at `entered` does not leave it for
    /// another one, where it is queued at `at`: in the past unless the router is down then.
    #[inline]
    #[must_use]
    pub fn held_until(&self, router: RouterId, entered: Instant, at: Instant) -> Instant {
        let mut outages = self.outages.iter();
        let outage = outages.find(|one| one.router == router && one.holds(at));
        outage.map_or(Instant::ZERO, |one| {
            entered.max(one.from).plus(self.resent_after)
        })
    }

    /// All changes, by router, port and instant.
    #[must_use]
    pub fn changes(&self) -> &[PortChange] {
        &self.changes
    }

    /// Bandwidth at `at` of the channel that starts at `port` of `router`,
    /// millionths; 0 while its link is down.
    #[inline]
    #[must_use]
    pub fn share_ppm(&self, router: RouterId, port: PortIndex, at: Instant) -> u32 {
        let mut before = self.of_router(router).iter().rev();
        let last = before.find(|one| one.port == port && one.at <= at);
        last.map_or(WHOLE_PPM, |one| one.share_ppm)
    }

    /// What is left of that bandwidth of what has started, millionths: a link that is down has all
    /// its lanes.
    #[inline]
    #[must_use]
    pub fn lanes_ppm(&self, router: RouterId, port: PortIndex, at: Instant) -> u32 {
        or_whole(self.share_ppm(router, port, at))
    }

    /// The mean of [`Self::lanes_ppm`] up to `end`, as a fraction.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub fn mean_lanes(&self, router: RouterId, port: PortIndex, end: Instant) -> f64 {
        let (mut since, mut share, mut lost) = (Instant::ZERO, WHOLE_PPM, 0.0);
        let own = self.of_router(router).iter();
        let own = own.filter(|one| one.port == port && one.at < end);
        for (at, next) in own.map(|one| (one.at, one.share_ppm)).chain([(end, 0)]) {
            lost += f64::from(WHOLE_PPM - or_whole(share)) * (at - since).ps() as f64;
            (since, share) = (at, next);
        }
        1.0 - lost / f64::from(WHOLE_PPM) / end.ps().max(1) as f64
    }

    /// The changes at ports of `router`, by port and instant.
    #[inline]
    fn of_router(&self, router: RouterId) -> &[PortChange] {
        let (first, end) = (self.starts[router.index()], self.starts[router.index() + 1]);
        &self.changes[first as usize..end as usize]
    }

    /// When ports of `router` go down, in order.
    #[inline]
    #[must_use]
    pub fn downs(&self, router: RouterId) -> &[PortDown] {
        &self.downs[router.index()]
    }

    /// The least share that is left of a link that is not down, millionths.
    #[must_use]
    pub fn least_share_ppm(&self) -> u32 {
        let left = self.changes.iter().map(|one| one.share_ppm);
        left.filter(|share| *share > 0).min().unwrap_or(WHOLE_PPM)
    }

    /// Which links are down from when on: the first from the start, then one at each instant at
    /// which a link goes down or comes back.
    #[must_use]
    pub fn states(&self, topology: &Topology) -> Vec<NetworkState> {
        let mut instants: Vec<Instant> = self.changes.iter().map(|one| one.at).collect();
        let outages = self.outages.iter().flat_map(|one| [one.from, one.until]);
        instants.extend(outages.filter(|at| *at != Instant::NEVER));
        instants.push(Instant::ZERO);
        instants.sort_unstable();
        instants.dedup();
        let mut states: Vec<NetworkState> = Vec::new();
        for from in instants {
            let is_down = |link: &FailedLink| {
                let port = link.port.unwrap_or(PortIndex(0));
                self.share_ppm(link.from, port, from) == 0
            };
            let down: Vec<_> = self
                .ever_down(topology)
                .into_iter()
                .filter(is_down)
                .collect();
            let outages = self.outages.iter().filter(|one| one.holds(from));
            let routers: Vec<_> = outages.map(|one| one.router).collect();
            let is_new = |last: &NetworkState| last.down != down || last.routers != routers;
            if states.last().is_none_or(is_new) {
                states.push(NetworkState {
                    from,
                    down,
                    routers,
                });
            }
        }
        states
    }

    /// The links that are down at some time, each by its port at its lower router.
    #[must_use]
    pub fn ever_down(&self, topology: &Topology) -> Vec<FailedLink> {
        let down = self.changes.iter().filter(|one| one.share_ppm == 0);
        let mut links: Vec<_> = down
            .filter_map(|one| match topology.neighbour(one.router, one.port) {
                Some(Attachment::Router(to, _)) if one.router < to => Some(FailedLink {
                    from: one.router,
                    to,
                    port: Some(one.port),
                }),
                _ => None,
            })
            .collect();
        links.sort_unstable();
        links.dedup();
        links
    }
}

/// The lanes of a link with that share of its bandwidth: all of them if it is down.
const fn or_whole(share_ppm: u32) -> u32 {
    if share_ppm == 0 { WHOLE_PPM } else { share_ppm }
}

#[cfg(test)]
mod tests {
    use odonata_topology::{
        Arrangement, Attachment, FailedLink, LinkKind, PortIndex, Shape, Topology,
    };
    use odonata_units::{Instant, RouterId};

    use super::{LinkChange, LinkTimeline, NetworkChanges, RouterOutage, WHOLE_PPM};

    fn topology() -> Topology {
        let shape = Shape {
            groups: 3,
            routers_per_group: 3,
            nodes_per_router: 1,
            global_ports_per_router: 1,
            arrangement: Arrangement::Absolute,
        };
        Topology::dragonfly(shape).unwrap()
    }

    fn links(links: &[LinkChange]) -> NetworkChanges {
        NetworkChanges {
            links: links.to_vec(),
            ..NetworkChanges::default()
        }
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

    fn port_to(topology: &Topology, from: u32, to: u32) -> PortIndex {
        let leads = |port: &PortIndex| {
            let far = topology.neighbour(RouterId(from), *port);
            matches!(far, Some(Attachment::Router(router, _)) if router.0 == to)
        };
        (0..topology.radix()).map(PortIndex).find(leads).unwrap()
    }

    #[test]
    fn both_ends_change_at_the_instant_and_not_before() {
        let topology = topology();
        let changes = [change([1, 0], 50, 0), change([0, 1], 90, WHOLE_PPM)];
        let timeline = LinkTimeline::new(&topology, &links(&changes)).unwrap();
        for (from, to) in [(0, 1), (1, 0)] {
            let port = port_to(&topology, from, to);
            let share = |ps| timeline.share_ppm(RouterId(from), port, Instant::from_ps(ps));
            assert_eq!([49, 50, 89, 90].map(share), [WHOLE_PPM, 0, 0, WHOLE_PPM]);
            let downs = timeline.downs(RouterId(from));
            assert_eq!(
                (downs.len(), downs[0].port, downs[0].at.ps()),
                (1, port, 50)
            );
        }
        assert!(timeline.downs(RouterId(2)).is_empty());
    }

    #[test]
    fn states_are_the_sets_of_links_that_are_down() {
        let topology = topology();
        let changes = [
            change([0, 1], 50, 0),
            change([3, 4], 60, 500_000),
            change([3, 4], 70, 0),
            change([0, 1], 70, WHOLE_PPM),
            change([3, 4], 80, 250_000),
        ];
        let timeline = LinkTimeline::new(&topology, &links(&changes)).unwrap();
        let states = timeline.states(&topology);
        let down = |one: &super::NetworkState| {
            let ends = one.down.iter().map(|link| (link.from.0, link.to.0));
            (one.from.ps(), ends.collect::<Vec<_>>())
        };
        assert_eq!(
            states.iter().map(down).collect::<Vec<_>>(),
            [
                (0, vec![]),
                (50, vec![(0, 1)]),
                (70, vec![(3, 4)]),
                (80, vec![])
            ]
        );
        assert_eq!(timeline.ever_down(&topology).len(), 2);
        assert_eq!(timeline.least_share_ppm(), 250_000);
    }

    #[test]
    fn lanes_are_lost_for_as_long_as_they_are() {
        let topology = topology();
        let changes = [
            change([0, 1], 20, 250_000),
            change([0, 1], 40, 0),
            change([0, 1], 60, 500_000),
        ];
        let timeline = LinkTimeline::new(&topology, &links(&changes)).unwrap();
        let port = port_to(&topology, 1, 0);
        let is = |port, ps, lanes: f64| {
            let mean = timeline.mean_lanes(RouterId(1), port, Instant::from_ps(ps));
            assert!((mean - lanes).abs() < 1e-12, "{mean} until {ps} ps");
        };
        let expected = [
            (20, 1.0),
            (40, 0.625),
            (60, 0.75),
            (80, 0.6875),
            (100, 0.65),
        ];
        for (ps, lanes) in expected {
            is(port, ps, lanes);
        }
        let lanes = |ps| timeline.lanes_ppm(RouterId(1), port, Instant::from_ps(ps));
        assert_eq!(
            [19, 20, 40, 60].map(lanes),
            [WHOLE_PPM, 250_000, WHOLE_PPM, 500_000]
        );
        let other = port_to(&topology, 1, 2);
        is(other, 100, 1.0);
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let topology = topology();
        let changes = [change([0, 1], 5, WHOLE_PPM), change([0, 1], 7, WHOLE_PPM)];
        let timeline = LinkTimeline::new(&topology, &links(&changes)).unwrap();
        assert!(timeline.changes().is_empty());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let topology = topology();
        let refusal = |changes: &[LinkChange]| {
            let refused = LinkTimeline::new(&topology, &links(changes));
            refused.unwrap_err().to_string()
        };
        let unknown = refusal(&[change([0, 5], 5, 0)]);
        assert!(
            unknown.starts_with("there is no link between router 0 and router 5"),
            "{unknown}"
        );
        let twice = refusal(&[change([0, 1], 5, 0), change([1, 0], 5, WHOLE_PPM)]);
        assert!(twice.contains("changes twice at 5 ps"), "{twice}");
    }

    /// While a router is down all its links are but one, whatever becomes of them besides.
    #[test]
    fn the_links_of_a_router_go_with_it() {
        let topology = topology();
        let outage = |router, from, until| RouterOutage {
            router: RouterId(router),
            from: Instant::from_ps(from),
            until: Instant::from_ps(until),
        };
        let changes = NetworkChanges {
            links: vec![change([0, 2], 40, 500_000), change([0, 2], 60, 250_000)],
            routers: vec![outage(0, 50, 80), outage(2, 70, 90)],
            ..NetworkChanges::default()
        };
        let timeline = LinkTimeline::new(&topology, &changes).unwrap();
        let port = |from: u32, to: u32| {
            let link = change([from, to], 0, 0).link;
            topology.ports_of_link(&link).unwrap()[0]
        };
        let shares = |from: u32, to: u32| {
            [39, 40, 50, 60, 70, 80, 90]
                .map(|ps| timeline.share_ppm(RouterId(from), port(from, to), Instant::from_ps(ps)))
        };
        let between = [WHOLE_PPM, 500_000, 0, 0, 0, 0, 250_000];
        assert_eq!(shares(0, 2), between);
        assert_eq!(shares(2, 0), between);
        assert_eq!(shares(0, 1), [WHOLE_PPM; 7], "the stub of router 0");
        assert_eq!(shares(2, 1), [WHOLE_PPM; 7], "the stub of router 2");
        let ports = topology.ports(LinkKind::Local).start..topology.radix();
        let down = ports.map(PortIndex).filter(|port| {
            let at = Instant::from_ps(50);
            timeline.share_ppm(RouterId(0), *port, at) == 0
        });
        assert_eq!(down.count(), 2, "a local link and a global one");
        let routers: Vec<_> = timeline
            .states(&topology)
            .iter()
            .map(|one| one.routers.len())
            .collect();
        assert_eq!(routers, [0, 1, 2, 1, 0]);
        let held = |entered, at| {
            let [entered, at] = [entered, at].map(Instant::from_ps);
            timeline.held_until(RouterId(0), entered, at).ps()
        };
        assert_eq!(
            [held(40, 49), held(40, 60), held(70, 75), held(40, 80)],
            [0, 50, 70, 0]
        );
        let alone = NetworkChanges {
            routers: (0..9).map(|router| outage(router, 5, 9)).collect(),
            ..NetworkChanges::default()
        };
        let refused = LinkTimeline::new(&topology, &alone).unwrap_err();
        assert!(
            refused.to_string().contains("no way leads from it"),
            "{refused}"
        );
        let unknown = NetworkChanges {
            routers: vec![outage(9, 5, 9)],
            ..NetworkChanges::default()
        };
        let refused = LinkTimeline::new(&topology, &unknown).unwrap_err();
        assert!(refused.to_string().contains("0 to 8"), "{refused}");
    }
}
