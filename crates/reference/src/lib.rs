//! The reference model: a naive simulator of `docs/model/network.md`, written from that page alone.
//!
//! ```text
//!   +--------+  earliest event   +------------------+   +-------------------+
//!   | agenda | ----------------> | event loop       |-->| router: voq, cioq |--> routing decision
//!   | (heap) | <---------------- | (one at a time)  |-->| NIC and endpoint  |
//!   +--------+    new events     +------------------+   +-------------------+
//! ```
//!
//! One global heap, one event at a time, plain vectors: everything that makes the engine fast is
//! absent, so that what remains can be compared with the page line by line. The reference model shares with
//! the engine only the wiring, the meaning of [`Parameters`], and the routing decisions that
//! [`decides`] is false of; the two must agree on every packet, bit by bit (`tests/agreement.rs`).
//!
//! The reference model asserts its own invariants: no buffer overflows, no credit is lost or made,
//! no packet vanishes. It is a tool for tests, hundreds of times slower than the engine; no
//! scenario runs on it. Test endpoints, random scenarios and results of theory for both live in
//! [`testing`].
//!
//! ```
//! use std::sync::Arc;
//!
//! use odonata_reference::testing::{TestEndpoint, booksim, message};
//! use odonata_routing::geometry::Geometry;
//! use odonata_routing::{Mode, Routing};
//! use odonata_topology::{Arrangement, Topology, Shape};
//! use odonata_units::{Instant, NodeId, Span};
//!
//! let topology = Arc::new(Topology::dragonfly(Shape {
//!     groups: 1,
//!     routers_per_group: 1,
//!     nodes_per_router: 2,
//!     global_ports_per_router: 0,
//!     arrangement: Arrangement::Absolute,
//! })?);
//! let geometry = Geometry::new(Arc::clone(&topology));
//! let routing = Routing::new(geometry, vec![Mode::minimal()], false)?;
//! let endpoints = vec![
//!     TestEndpoint::scripted(vec![(Instant::ZERO, message(NodeId(1), 32))]),
//!     TestEndpoint::silent(),
//! ];
//! let until = Instant::from_ps(1_000_000);
//! let run = odonata_reference::simulate(topology, &routing, &booksim(), endpoints, until);
//! // Two host links of 1 ns, one router of 2 ns, four flits of 1 ns.
//! assert_eq!(run.records[0].delivered, Instant::ZERO + Span::from_ns(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod abate;
mod audit;
mod blame;
mod cables;
mod changes;
mod cioq;
mod counters;
mod credit;
mod credits;
mod ejection;
mod event;
mod flow;
mod last_hop;
mod learning;
mod ledger;
mod monitor;
mod nic;
mod node;
mod pace;
mod packet;
mod passing;
mod refusals;
mod router;
mod routing;
mod run;
mod saturation;
mod sender;
mod simulation;
mod spray;
pub mod testing;
mod tile;
mod timing;
mod transfer;
mod voq;
mod window;
mod windows;

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_network::{Parameters, Users};
use odonata_routing::Routing;
use odonata_topology::Topology;
use odonata_units::Instant;

pub use ledger::{Book, Charge, Charges, Delayed, Party};
pub use run::Run;

/// Simulates until `until` (exclusive), or until nothing is left to happen; `users` are the
/// endpoints of all nodes, with the nodes that are used together if there are any.
///
/// Exact where every instant has one order: links between routers have a latency above zero, and
/// host links have one, or routers a pipeline latency and NICs deliver tails.
///
/// A packet of a message is sent by the routing mode and in the traffic class that the message
/// names; responses have records of their own.
///
/// # Panics
/// If there is not one endpoint per node, `routing` belongs to another topology, a buffer is
/// smaller than the largest packet or the NIC buffer is zero, a message is empty, goes to its
/// sender or names a class or mode that does not exist, a cap or the window of the monitors is
/// zero, or `cioq` is given early credits; and if an invariant of the simulation breaks.
#[must_use]
pub fn simulate<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    users: impl Into<Users<E>>,
    until: Instant,
) -> Run<E> {
    let users = users.into();
    assert!(
        users.endpoints.len() == topology.node_count() as usize,
        "one endpoint per node"
    );
    assert!(
        routing.changes().is_some() || routing.geometry().topology() == &*topology,
        "the routing is for this topology"
    );
    simulation::Simulation::new(topology, routing, parameters, users).run(until)
}

/// As [`simulate`], and writes down who delayed whom; `jobs` are those of the nodes.
///
/// # Panics
/// As [`simulate`].
#[must_use]
pub fn simulate_blaming<E: Endpoint>(
    topology: Arc<Topology>,
    routing: &Routing,
    parameters: &Parameters,
    endpoints: Vec<E>,
    jobs: Vec<usize>,
    until: Instant,
) -> Run<E> {
    let users = Users::from(endpoints);
    let whole = simulation::Simulation::new(topology, routing, parameters, users);
    whole.blaming(jobs).run(until)
}

/// Whether the reference model decides the packets of mode `mode` of `routing` by itself, from
/// `docs/model/routing.md`, and not by the function that the engine calls.
#[must_use]
pub fn decides(routing: &Routing, mode: u8) -> bool {
    routing::OwnRouting::new(routing, &[]).decides(mode)
}
