//! How much memory a network takes, before it takes it.

use odonata_topology::LinkKind;

use crate::cioq::Input;
use crate::lane::SendLane;
use crate::nic::{NicState, Queues};
use crate::output::{Lane, LinkUse, Output};
use crate::packet::Packet;
use crate::shared::Shared;

/// A link with its numbers in the results, bytes.
const RESULT: u64 = 400;

/// What is kept of a class on a channel at most, bytes.
const CLASS: u64 = 256;

const fn bytes<T>() -> u64 {
    size_of::<T>() as u64
}

/// What the state of an idle network takes, and what its links take in the results, bytes. Packets
/// come on top: 32 bytes each.
pub(crate) fn state_bytes<E>(shared: &Shared) -> u64 {
    let topology = &shared.topology;
    let routers = u64::from(topology.router_count());
    let nodes = u64::from(topology.node_count());
    let ports = routers * u64::from(topology.radix());
    let (vcs, classes) = (shared.vcs as u64, shared.policy.classes as u64);
    let mut port = bytes::<Output>() + vcs * bytes::<Lane>() + RESULT;
    // In the state and in the results.
    port += 2 * shared.jobs as u64 * bytes::<LinkUse>();
    if classes > 1 {
        port += classes * (2 * bytes::<LinkUse>() + CLASS);
    }
    if shared.reserves {
        port += vcs * bytes::<u32>();
    }
    if shared.is_cioq {
        port += 2 * bytes::<u64>() + vcs * bytes::<Input>();
    }
    // Packets, credits and what a routing learns.
    let mut router = shared.slots as u64 * 3 * bytes::<Vec<Packet>>();
    if shared.learns {
        let hosts = topology.ports(LinkKind::Host).len() as u64;
        let rows = u64::from(topology.group_count()) * hosts.max(1);
        router += rows * u64::from(topology.radix()) * bytes::<i32>();
    }
    let mut node = bytes::<NicState>() + bytes::<Queues>() + bytes::<E>();
    node += shared.nic_lanes as u64 * bytes::<SendLane>();
    let all = [(ports, port), (routers, router), (nodes, node)];
    all.iter().fold(0, |sum: u64, (count, each)| {
        sum.saturating_add(count.saturating_mul(*each))
    })
}
