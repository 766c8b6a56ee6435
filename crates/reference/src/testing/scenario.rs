//! Random scenarios: shapes, routings, parameters and traffic from a number.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lists of choices are short"
)]

use std::sync::Arc;

use odonata_network::{Arbitration, Architecture, Delivery, LinkParameters, Parameters, Switching};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Choice, ENTRIES, Estimate, Routing, Rule};
use odonata_topology::{Arrangement, Shape, Topology, TopologyError};
use odonata_units::{Bandwidth, Instant, NodeId, Purpose, Span, Stream};

use crate::testing::endpoint::{Pattern, Rhythm, TestEndpoint};
use crate::testing::parameters::gigabytes;
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
        let routing = Routing::new(Geometry::new(Arc::clone(&topology)), self.rule);
        let nodes = topology.node_count();
        let endpoints = self
            .traffic
            .endpoints(nodes, &self.parameters, self.number, self.last);
        Ok(System {
            topology,
            routing,
            endpoints,
        })
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

/// Random choices.
struct Dice(Stream);

impl Dice {
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.0.below(most - least + 1)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.0.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len() as u32) as usize]
    }

    fn shape(&mut self) -> Shape {
        let (routers, ports) = (self.between(1, 5), self.between(1, 3));
        let most = routers * ports + 1;
        // Half of the systems have all the groups that fit, the others parallel links.
        let groups = if self.chance(50) {
            most
        } else {
            self.between(1, most)
        };
        let arrangements = [
            Arrangement::Absolute,
            Arrangement::Relative,
            Arrangement::Circulant,
        ];
        Shape {
            groups,
            routers_per_group: routers,
            nodes_per_router: self.between(1, 3),
            global_ports_per_router: ports,
            arrangement: self.pick(&arrangements),
        }
    }

    fn bandwidths(&mut self) -> [Bandwidth; 3] {
        // One with a flit time that is no whole number of picoseconds.
        let rates = [
            gigabytes(4),
            gigabytes(25),
            gigabytes(50),
            gigabytes(7),
            gigabytes(100),
        ];
        let one = self.pick(&rates);
        if self.chance(50) {
            [one; 3]
        } else {
            [0; 3].map(|_| self.pick(&rates))
        }
    }

    /// A latency: tiny, short or long; odd or round.
    fn latency(&mut self, scale: u32) -> Span {
        match scale {
            // The engine refuses delays below 16 ps, and is slow when they are hardly more.
            0 => Span::from_ps(self.between(70, 300).into()),
            1 => Span::from_ps(self.between(300, 20_000).into()),
            2 => Span::from_ns(self.between(1, 30).into()),
            _ => Span::from_ns(self.between(30, 300).into()),
        }
    }

    fn latency_or_zero(&mut self, scale: u32) -> Span {
        if self.chance(25) {
            Span::ZERO
        } else {
            self.latency(scale)
        }
    }

    fn buffer(&mut self, packet_flits: u32) -> u32 {
        match self.0.below(3) {
            0 => packet_flits * self.between(1, 3),
            1 => packet_flits + self.between(0, 3 * packet_flits),
            _ => packet_flits * self.between(10, 60),
        }
    }

    fn parameters(&mut self, seed: u64) -> Parameters {
        let scale = self.pick(&[0, 1, 1, 2, 2, 2, 3]);
        let [host, local, global] = self.bandwidths().map(|bandwidth| LinkParameters {
            bandwidth,
            latency: self.latency(scale),
        });
        let flit_bytes = self.pick(&[6, 8, 32, 100, 128]);
        let full = flit_bytes * self.between(1, 8);
        // Sometimes the last flit of the largest packet is partly empty.
        let packet_bytes = if self.chance(25) {
            full - self.0.below(flit_bytes)
        } else {
            full
        };
        let header_bytes = if self.chance(50) {
            0
        } else {
            self.0.below(packet_bytes.min(16))
        };
        let packet_flits = packet_bytes.div_ceil(flit_bytes);
        Parameters {
            host,
            local,
            row: local,
            column: local,
            global,
            architecture: self.pick(&[Architecture::Voq, Architecture::Cioq]),
            router_latency: self.latency_or_zero(scale),
            credit_delay: self.latency_or_zero(scale),
            input_buffer_flits: self.buffer(packet_flits),
            output_buffer_flits: self.buffer(packet_flits),
            speedup: self.between(1, 4),
            arbitration: self.pick(&[Arbitration::RoundRobin, Arbitration::OldestFirst]),
            switching: self.pick(&[
                Switching::CutThrough,
                Switching::CutThrough,
                Switching::StoreAndForward,
            ]),
            packet_bytes,
            flit_bytes,
            header_bytes,
            delivery: self.pick(&[Delivery::Tail, Delivery::Tail, Delivery::Head]),
            nic_buffer_packets: self.pick(&[1, 2, 3, 30]),
            seed,
        }
    }

    fn rule(&mut self, rule: Rule) -> Rule {
        if rule.choice != Choice::Adaptive || self.chance(50) {
            return rule;
        }
        let bias = i64::from(self.between(0, 10)) - 5;
        Rule {
            scale: self.between(0, 3),
            bias,
            estimate: self.pick(&[Estimate::Queued, Estimate::InUse, Estimate::Both]),
            minimal_candidates: self.pick(&[1, 2, 3]),
            nonminimal_candidates: self.pick(&[1, 2, 3]),
            ..rule
        }
    }

    fn traffic(&mut self, parameters: &Parameters, nodes: u32) -> Traffic {
        let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
        let bytes = match self.0.below(3) {
            0 => (payload, payload),
            1 => (1, payload * 3),
            _ => (payload, payload * 20),
        };
        match self.0.below(4) {
            0 => Traffic::PingPong {
                serves: self.between(1, 6),
                rallies: self.between(0, 10).into(),
                reaction: self.latency_or_zero(1),
                bytes,
            },
            1 => Traffic::ManyToOne {
                bursts: self.between(1, 4),
                gap: Span::from_ns(self.between(0, 500).into()),
                bytes,
            },
            _ => {
                let hot = NodeId(self.0.below(nodes));
                let shift = self.between(1, nodes.max(2) - 1);
                let patterns = [
                    Pattern::Uniform,
                    Pattern::Uniform,
                    Pattern::Shift(shift),
                    Pattern::HotSpot(hot),
                ];
                Traffic::OpenLoop {
                    pattern: self.pick(&patterns),
                    rhythm: self.pick(&[Rhythm::Exponential, Rhythm::Fixed, Rhythm::Slotted]),
                    load: self.pick(&[0.1, 0.5, 0.9, 1.0, 1.3]),
                    bytes,
                }
            }
        }
    }

    /// Time for a few dozen packets per node.
    fn duration(&mut self, parameters: &Parameters, traffic: &Traffic) -> Span {
        let flits = parameters.packet_bytes.div_ceil(parameters.flit_bytes);
        let work = u64::from(flits * parameters.flit_bytes);
        let packet = parameters.host.bandwidth.serialization(work);
        let packets = match traffic {
            Traffic::OpenLoop { .. } => self.between(20, 80),
            Traffic::PingPong { .. } | Traffic::ManyToOne { .. } => self.between(50, 300),
        };
        packet * u64::from(packets)
    }
}
