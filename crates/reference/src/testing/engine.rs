//! The engine as tests run it: compiled once, for endpoints and probes of any type.
//!
//! A network is generic in both, and each pair costs a compiled copy of the hot loop. Nearly all of
//! the time that programs of tests took to build went there.

use std::sync::Arc;

use odonata_endpoint::{Endpoint, Message, Nic, NicCounters};
use odonata_engine::{Control, Stop};
use odonata_mesh::Mesh;
use odonata_network::{Division, Network, NetworkError, Parameters, Team, Usage, Users};
use odonata_routing::Routing;
use odonata_telemetry::{Instrument, PacketRecord, PacketSample, Probe, Recorder};
use odonata_topology::Topology;
use odonata_units::Instant;

/// Goes on to the end.
struct Unattended;

impl Control for Unattended {
    fn after_epoch(&self, _: Instant, _: u64) -> bool {
        false
    }
}

/// An [`Endpoint`] whose type is known when it runs.
trait AnyEndpoint: Send {
    fn next_wake(&self) -> Instant;
    fn wake(&mut self, now: Instant, nic: &mut dyn Nic);
    fn deliver(&mut self, now: Instant, message: &Message);
    fn pull(&mut self) -> Option<(Instant, Message)>;
    fn is_finished(&self) -> bool;
}

impl<E: Endpoint> AnyEndpoint for E {
    fn next_wake(&self) -> Instant {
        Endpoint::next_wake(self)
    }

    fn wake(&mut self, now: Instant, nic: &mut dyn Nic) {
        Endpoint::wake(self, now, &mut AnyNic(nic));
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        Endpoint::deliver(self, now, message);
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        Endpoint::pull(self)
    }

    fn is_finished(&self) -> bool {
        Endpoint::is_finished(self)
    }
}

struct AnyNic<'a>(&'a mut dyn Nic);

impl Nic for AnyNic<'_> {
    fn send(&mut self, message: Message) {
        self.0.send(message);
    }

    fn counters(&self, nic: u8) -> NicCounters {
        self.0.counters(nic)
    }
}

/// An endpoint that a test keeps, as the engine uses it.
#[expect(missing_debug_implementations, reason = "endpoints need not have one")]
pub struct Guest<'a>(&'a mut dyn AnyEndpoint);

impl Endpoint for Guest<'_> {
    fn next_wake(&self) -> Instant {
        self.0.next_wake()
    }

    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        self.0.wake(now, nic);
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        self.0.deliver(now, message);
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        self.0.pull()
    }

    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

/// The endpoints of a network, which the test has back when the network is gone.
pub fn guests<E: Endpoint>(endpoints: &mut [E]) -> Vec<Guest<'_>> {
    let each = endpoints.iter_mut();
    each.map(|endpoint| Guest(endpoint)).collect()
}

/// The engine's network for one process of at most `threads` threads, see [`Network::new`].
///
/// # Errors
/// As [`Network::new`].
///
/// # Panics
/// As [`Network::new`].
pub fn network<'a>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    guests: Vec<Guest<'a>>,
    usage: Usage,
    threads: usize,
) -> Result<Network<Guest<'a>>, NetworkError> {
    let division = Division::new(&topology, Team::alone(threads), |_| true);
    Network::new(topology, routing, parameters, guests, usage, division)
}

/// Simulates until `until`, or until nothing is left to do, as [`Network::run`] does.
///
/// # Panics
/// As [`Network::run`].
pub fn observe<P: Probe>(
    network: &mut Network<Guest<'_>>,
    until: Instant,
    probes: &mut [P],
) -> Stop {
    let each = probes.iter_mut().map(|probe| probe as &mut dyn Probe);
    run(network, until, each.collect())
}

// Compiled here, and not where it is called.
#[inline(never)]
fn run(network: &mut Network<Guest<'_>>, until: Instant, mut probes: Vec<&mut dyn Probe>) -> Stop {
    let run = network.run(until, &mut probes, &Unattended, Mesh::alone());
    run.unwrap_or_else(|error| unreachable!("{error}: there are no other processes"))
}

/// Simulates until `until` on `threads` threads and returns the records of all packets delivered
/// before, and the endpoints.
///
/// # Errors
/// As [`Network::new`].
///
/// # Panics
/// As [`Network::new`].
pub fn simulate_recorded<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    users: impl Into<Users<E>>,
    until: Instant,
    threads: usize,
) -> Result<(Vec<PacketRecord>, Vec<E>), NetworkError> {
    let Users {
        mut endpoints,
        sharing,
    } = users.into();
    let usage = Usage {
        jobs: sharing.goals.len().max(1),
        sharing,
        // The goals are never reached: the run ends when nothing is left to do, or at `until`.
        ..Usage::of_one_job(topology.node_count() as usize)
    };
    let guests = guests(&mut endpoints);
    let mut network = network(topology, routing, parameters, guests, usage, threads)?;
    let every_one = PacketSample {
        every: 1,
        lanes: network.record_lanes(),
    };
    let scopes = network.scopes();
    let recorder = |scope| Recorder::new(scope, &every_one);
    let mut probes: Vec<Recorder> = scopes.iter().map(recorder).collect();
    // NICs are behind the end of an epoch by the time from a NIC into its router.
    let lag = network.nic_lag();
    observe(&mut network, until + lag, &mut probes);
    let mut records = Recorder::merge(probes, network.end()).unwrap_or_default();
    records.retain(|record| record.delivered < until);
    drop(network);
    Ok((records, endpoints))
}
