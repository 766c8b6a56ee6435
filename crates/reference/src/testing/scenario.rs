//! Random scenarios: systems, routings, parameters and traffic from a number.

use std::error::Error;
use std::sync::Arc;

use odonata_network::{Control, CreditReturn, GetData, Parameters, Sharing};
use odonata_routing::geometry::Geometry;
use odonata_routing::{ENTRIES, Entry, Mode, NetworkChanges, Ordered, Responses, Routing};
use odonata_topology::{LinkKind, Topology};
use odonata_units::{Instant, Purpose, Span, Stream};

use crate::testing::dice::Dice;
use crate::testing::endpoint::{Mix, TestEndpoint};
use crate::testing::plant::{GROUP_KINDS, MEGAFLY_KINDS, Plant};
use crate::testing::traffic::Traffic;
use crate::{Run, simulate};

/// The engine numbers virtual channels of all classes in five bits.
pub(super) const MOST_VCS: u8 = 32;

/// A whole small experiment. Its `Debug` form says all there is to know when a comparison fails.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Where it comes from; also the seed of its traffic.
    pub number: u64,
    /// The system.
    pub plant: Plant,
    /// Routing modes, over which the messages are spread.
    pub modes: Vec<Mode>,
    /// Links, routers, NICs, packets.
    pub parameters: Parameters,
    /// Traffic of the nodes.
    pub traffic: Traffic,
    /// Open-loop sources stop here.
    pub last: Instant,
    /// The simulation stops here.
    pub until: Instant,
    /// Changes of links and routers.
    pub changes: NetworkChanges,
    /// Jobs that use the nodes, all of them every node if they are several.
    pub jobs: u8,
}

/// What the scenarios of a series have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    /// Nothing.
    Any,
    /// Messages are served and answered, and some of them are gets.
    Gets,
    /// The system is a dragonfly with groups of several kinds.
    GroupKinds,
    /// The system is a megafly with groups of several kinds.
    MegaflyKinds,
    /// NICs have a window for each target.
    Windows,
    /// NICs have a window for each target, and decide on paths by marks.
    Spraying,
    /// Links go down, come back and lose lanes.
    Changes,
    /// Routers go down and come back, and in every second one links change, too.
    Outages,
    /// Classes have assured shares, ceilings and priorities.
    Shares,
    /// Targets give credit, maybe beside windows.
    Credit,
    /// NICs send what is delivered, and several jobs use them.
    Abatement,
    /// Packets of some nodes stand for several full ones.
    LargePackets,
    /// Packets are ordered.
    Order,
}

impl Theme {
    /// Whether messages of scenario `number` are served and answered.
    fn has_gets(self, number: u64) -> bool {
        self == Self::Gets || self == Self::LargePackets && number % 2 == 1
    }

    /// Entries of the registry that its scenarios begin with.
    fn entries(self) -> Vec<&'static Entry> {
        let mut works: Vec<_> = ENTRIES.iter().collect();
        if let Some([family, _]) = self.kinds() {
            works.retain(|entry| entry.families.contains(&family));
        }
        if self == Self::Spraying {
            works.retain(|entry| (entry.algorithm.rule()).is_some_and(|rule| rule.spray.is_some()));
        }
        works
    }

    /// The family of its systems, and the name of those with groups of several kinds.
    const fn kinds(self) -> Option<[&'static str; 2]> {
        match self {
            Self::GroupKinds => Some(["dragonfly", GROUP_KINDS]),
            Self::MegaflyKinds => Some(["megafly", MEGAFLY_KINDS]),
            _ => None,
        }
    }

    /// Gives NICs the controller of the theme, if it has one; returns how many jobs use the nodes.
    fn control(self, dice: &mut Dice, parameters: &mut Parameters) -> u8 {
        match self {
            Self::Windows | Self::Spraying => {
                parameters.control = Some(Control::Nscc(dice.windows()))
            }
            Self::Credit => {
                let credit = dice.credit();
                parameters.control = Some(if dice.chance(50) {
                    Control::NsccRccc(dice.windows(), credit)
                } else {
                    Control::Rccc(credit)
                });
            }
            Self::Abatement => {
                parameters.control = Some(Control::Abate(dice.abatement()));
                return dice.pick(&[1, 2, 3]);
            }
            Self::LargePackets => {
                // The two do not go together.
                parameters.control = None;
                dice.large_packets(parameters);
            }
            Self::Any
            | Self::Gets
            | Self::GroupKinds
            | Self::MegaflyKinds
            | Self::Changes
            | Self::Outages
            | Self::Shares
            | Self::Order => {}
        }
        1
    }
}

/// A scenario ready to be simulated.
#[derive(Clone, Debug)]
pub struct System {
    /// The geometry.
    pub topology: Arc<Topology>,
    /// The routing on it.
    pub routing: Routing,
    /// One per node.
    pub endpoints: Vec<TestEndpoint>,
}

/// The modes in a system whose full packets have so many flits.
fn with_packets_of(flits: u32, modes: Vec<Mode>) -> Vec<Mode> {
    let modes = modes.into_iter();
    modes.map(|mode| mode.with_packets_of(flits)).collect()
}

impl Scenario {
    /// The scenario of this number: every routing in turn, every family it works on, everything
    /// else at random.
    #[must_use]
    pub fn random(number: u64) -> Self {
        Self::drawn(number, Theme::Any)
    }

    /// The same, but messages are served and answered, some of them are gets, and their data are
    /// responses. Get requests may have a queue of their own; then data may be requests, too.
    #[must_use]
    pub fn random_with_gets(number: u64) -> Self {
        Self::drawn(number, Theme::Gets)
    }

    /// As [`Scenario::random`], on a one-dimensional dragonfly with groups of several kinds; only
    /// the routings that work on one are in it.
    #[must_use]
    pub fn random_group_kinds(number: u64) -> Self {
        Self::drawn(number, Theme::GroupKinds)
    }

    /// The same on a megafly.
    #[must_use]
    pub fn random_megafly_kinds(number: u64) -> Self {
        Self::drawn(number, Theme::MegaflyKinds)
    }

    /// As [`Scenario::random`], with windows for each target and marks in the network.
    #[must_use]
    pub fn random_with_windows(number: u64) -> Self {
        Self::drawn(number, Theme::Windows)
    }

    /// The same, under `spray-group` and maybe others.
    #[must_use]
    pub fn random_with_spraying(number: u64) -> Self {
        Self::drawn(number, Theme::Spraying)
    }

    /// As [`Scenario::random`], with classes that have assured shares, ceilings and priorities.
    #[must_use]
    pub fn random_with_shares(number: u64) -> Self {
        Self::drawn(number, Theme::Shares)
    }

    /// As [`Scenario::random`], with receiver credit, in half of them beside windows.
    #[must_use]
    pub fn random_with_credit(number: u64) -> Self {
        Self::drawn(number, Theme::Credit)
    }

    /// As [`Scenario::random`], with ejection matching on nodes that several jobs use.
    #[must_use]
    pub fn random_with_abatement(number: u64) -> Self {
        Self::drawn(number, Theme::Abatement)
    }

    /// As [`Scenario::random`], or every second one [`Scenario::random_with_gets`], with packets that
    /// stand for several full ones at some nodes.
    #[must_use]
    pub fn random_with_large_packets(number: u64) -> Self {
        Self::drawn(number, Theme::LargePackets)
    }

    /// As [`Scenario::random`], with modes that order some of their packets or all, where they can, and
    /// messages of which half ask for order; of them some are gets.
    #[must_use]
    pub fn random_with_order(number: u64) -> Self {
        Self::drawn(number, Theme::Order)
    }

    /// As [`Scenario::random`], on links that go down, come back and lose lanes.
    #[must_use]
    pub fn random_with_changes(number: u64) -> Self {
        Self::drawn(number, Theme::Changes)
    }

    /// As [`Scenario::random`], with routers that go down and come back.
    #[must_use]
    pub fn random_with_outages(number: u64) -> Self {
        Self::drawn(number, Theme::Outages)
    }

    fn drawn(number: u64, theme: Theme) -> Self {
        let has_gets = theme.has_gets(number);
        let mut dice = Dice(Stream::new(number, Purpose::Job, 1));
        let index = usize::try_from(number).unwrap_or(0);
        let works = theme.entries();
        let entry = works[index % works.len()];
        let (plant, topology) = match theme.kinds() {
            Some([_, kinds]) => dice.plant_for(entry, &[kinds]),
            None => dice.plant_for(entry, entry.families),
        };
        let topology = Arc::new(topology);
        let mut modes = dice.modes(entry, &topology);
        if theme == Theme::Order {
            let mut dice = Dice(Stream::new(number, Purpose::Job, 3));
            dice.order(&mut modes, &topology);
        }
        let mut parameters = dice.parameters(number);
        Dice(Stream::new(number, Purpose::Job, 2)).cables(&mut parameters);
        if has_gets {
            parameters.response_bytes = parameters.response_bytes.max(1);
            parameters.get_data = GetData::Responses;
        }
        let geometry = Geometry::new(Arc::clone(&topology));
        let mut most = 1;
        if let Ok(routing) = Routing::new(geometry, modes.clone(), parameters.responses()) {
            most = MOST_VCS / routing.virtual_channels().max(1);
            parameters.qos.classes = parameters.qos.classes.min(most.max(1));
        }
        let traffic = if has_gets {
            dice.rallies(&parameters)
        } else {
            dice.traffic(&parameters, topology.node_count())
        };
        let last = Instant::ZERO + dice.duration(&parameters, &traffic);
        let latencies = LinkKind::ALL.map(|kind| parameters.link(kind).longest.ps());
        let tail = Span::from_ps(latencies.iter().sum::<u64>() * 10 + last.ps());
        let until = if dice.chance(25) { last } else { last + tail };
        if has_gets && dice.chance(60) {
            parameters.get_behind = dice.pick(&[1, 2, 5, 30, 130]);
            // The two do not go together.
            parameters.control = None;
            if dice.chance(60) {
                parameters.get_data = GetData::Requests;
            }
        }
        if theme == Theme::Shares {
            dice.shares(&mut parameters.qos, most);
        }
        let jobs = theme.control(&mut dice, &mut parameters);
        let mut scenario = Self {
            number,
            plant,
            modes: with_packets_of(parameters.packet_flits(), modes),
            parameters,
            traffic,
            last,
            until,
            changes: NetworkChanges::default(),
            jobs,
        };
        if theme == Theme::Changes {
            dice.change_links(&mut scenario, &topology);
        }
        if theme == Theme::Outages {
            dice.fail_routers(&mut scenario, &topology);
        }
        scenario
    }

    /// Whether the network can change so.
    pub(super) fn allows(&self, changes: &NetworkChanges, topology: &Arc<Topology>) -> bool {
        let geometry = Geometry::new(Arc::clone(topology));
        let routing = Routing::new(geometry, self.modes.clone(), self.parameters.responses());
        let Ok(routing) = routing.and_then(|it| it.with_changes(changes)) else {
            return false;
        };
        let classes = u16::from(self.parameters.qos.classes);
        let goes_down = routing.changes().is_some_and(|it| it.rerouting().is_some());
        u16::from(routing.virtual_channels()) * classes <= u16::from(MOST_VCS)
            && !(goes_down && self.parameters.credit_return == CreditReturn::Reservation)
    }

    /// Builds the system and its endpoints.
    ///
    /// # Errors
    /// If the system cannot be built, or a mode does not work on it; random scenarios have none
    /// such.
    pub fn build(&self) -> Result<System, Box<dyn Error>> {
        let topology = Arc::new(self.plant.build()?);
        let geometry = Geometry::new(Arc::clone(&topology));
        let mut routing = Routing::new(geometry, self.modes.clone(), self.parameters.responses())?;
        if self.changes != NetworkChanges::default() {
            routing = routing.with_changes(&self.changes)?;
        }
        let nodes = topology.node_count();
        let mix = Mix {
            classes: self.parameters.qos.classes,
            modes: routing.response_mode(),
            ordered: self.modes.iter().any(orders),
            gets: routing.responses() == Responses::Data || self.parameters.get_behind > 0,
            jobs: self.jobs,
        };
        let endpoints = self
            .traffic
            .endpoints(nodes, &self.parameters, self.number, self.last);
        let mixed =
            |(number, endpoint): (u64, TestEndpoint)| endpoint.mixing(mix, self.number, number);
        let endpoints = (0..).zip(endpoints).map(mixed).collect();
        Ok(System {
            topology,
            routing,
            endpoints,
        })
    }

    /// What several jobs use.
    #[must_use]
    pub fn sharing(&self, nodes: usize) -> Sharing {
        let largest = self.parameters.largest_multiple;
        if largest > 1 {
            let mut dice = Dice(Stream::new(self.number, Purpose::Job, 3));
            return Sharing {
                packet_multiples: dice.packet_multiples(nodes, largest),
                ..Sharing::default()
            };
        }
        if self.jobs == 1 {
            return Sharing::default();
        }
        Sharing {
            packet_multiples: Vec::new(),
            together: Vec::new(),
            by_jobs: vec![true; nodes],
            goals: vec![true; self.jobs.into()],
        }
    }

    /// Runs it on the reference model.
    ///
    /// # Errors
    /// As [`Scenario::build`].
    pub fn simulate(&self) -> Result<Run<TestEndpoint>, Box<dyn Error>> {
        let System {
            topology,
            routing,
            endpoints,
        } = self.build()?;
        Ok(simulate(
            topology,
            &routing,
            &self.parameters,
            endpoints,
            self.until,
        ))
    }
}

/// Whether packets of a mode are ordered.
fn orders(mode: &Mode) -> bool {
    let rule = mode.algorithm.rule();
    rule.is_some_and(|rule| rule.ordered != Ordered::None)
}

/// The entries of the registry that work on `topology`.
pub fn entries(topology: &Arc<Topology>) -> impl Iterator<Item = &'static Entry> {
    let geometry = Geometry::new(Arc::clone(topology));
    let works =
        move |entry: &&Entry| Routing::new(geometry.clone(), vec![entry.mode()], false).is_ok();
    ENTRIES.iter().filter(works)
}
