//! Random scenarios: shapes, routings, parameters and traffic from a number.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lists of choices are short"
)]

use std::sync::Arc;

use odonata_network::Parameters;
use odonata_routing::geometry::Geometry;
use odonata_routing::{ENTRIES, Routing, Rule};
use odonata_topology::{Shape, Topology, TopologyError};
use odonata_units::{Instant, Purpose, Span, Stream};

use crate::testing::dice::Dice;
use crate::testing::endpoint::{Mix, TestEndpoint};
use crate::testing::traffic::Traffic;
use crate::{Run, simulate};

/// A whole small experiment. Its `Debug` form says all there is to know when a comparison fails.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Where it comes from; also the seed of its traffic.
    pub number: u64,
    /// The system.
    pub shape: Shape,
    /// Name of the routing in the registry.
    pub algorithm: &'static str,
    /// Its rule, perhaps with other parameters.
    pub rule: Rule,
    /// Links, routers, NICs, packets.
    pub parameters: Parameters,
    /// What the nodes do.
    pub traffic: Traffic,
    /// Open-loop sources stop here.
    pub last: Instant,
    /// The simulation stops here.
    pub until: Instant,
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

impl Scenario {
    /// The scenario of this number: every routing in turn, everything else at random.
    #[must_use]
    pub fn random(number: u64) -> Self {
        let mut dice = Dice(Stream::new(number, Purpose::Job, 1));
        let entry = &ENTRIES[(number % ENTRIES.len() as u64) as usize];
        let shape = dice.shape();
        let parameters = dice.parameters(number);
        let nodes = shape.groups * shape.routers_per_group * shape.nodes_per_router;
        let traffic = dice.traffic(&parameters, nodes);
        let last = Instant::ZERO + dice.duration(&parameters, &traffic);
        let latencies = parameters.local.latency + parameters.global.latency;
        let tail = Span::from_ps(latencies.ps() * 20 + last.ps());
        let until = if dice.chance(25) { last } else { last + tail };
        Self {
            number,
            shape,
            algorithm: entry.name,
            rule: dice.rule(entry.rule),
            parameters,
            traffic,
            last,
            until,
        }
    }

    /// Builds the system and its endpoints.
    ///
    /// # Errors
    /// [`TopologyError`] if the shape cannot be built; random scenarios have none such.
    pub fn build(&self) -> Result<System, TopologyError> {
        let topology = Arc::new(Topology::dragonfly(self.shape.clone())?);
        let mut routing = Routing::new(Geometry::new(Arc::clone(&topology)), self.rule);
        if self.parameters.response_bytes > 0 {
            routing = routing.with_responses();
        }
        let nodes = topology.node_count();
        let endpoints = self
            .traffic
            .endpoints(nodes, &self.parameters, self.number, self.last);
        let mix = self.mix();
        let mixed =
            |(number, endpoint): (u64, TestEndpoint)| endpoint.mixing(mix, self.number, number);
        let endpoints = (0..).zip(endpoints).map(mixed).collect();
        Ok(System {
            topology,
            routing,
            endpoints,
        })
    }

    /// What its messages are spread over: every class and every mode.
    fn mix(&self) -> Mix {
        Mix {
            classes: self.parameters.qos.classes,
            modes: 1,
        }
    }

    /// Runs it on the twin.
    ///
    /// # Errors
    /// [`TopologyError`], as [`Scenario::build`].
    pub fn simulate(&self) -> Result<Run<TestEndpoint>, TopologyError> {
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
