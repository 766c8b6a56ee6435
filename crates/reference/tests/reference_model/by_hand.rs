//! Blame where it is known by hand.

use std::sync::Arc;

use odonata_endpoint::Message;
use odonata_network::{Architecture, Monitor, NodeUse, Parameters, Qos, Sharing, Usage};
use odonata_reference::testing::{self, TestEndpoint, guests, kang2022, message, observe, routing};
use odonata_telemetry::{Blame, BlameRow, Cause, Instrument, WaitPoint};
use odonata_topology::{Arrangement, Shape, Topology};
use odonata_units::{Instant, NodeId, Span};

use crate::blame::wiring;

/// Job `n` is node `n`; what each sends to whom in which class, at 0.
type Send = (u32, u32, u64, u8);

fn rows(topology: &Arc<Topology>, parameters: &Parameters, sends: &[Send]) -> Vec<BlameRow> {
    let routing = routing(topology, &["minimal"], false).unwrap();
    let nodes = topology.node_count();
    let mut scripts = vec![Vec::new(); nodes as usize];
    for &(source, target, bytes, class) in sends {
        let message = Message {
            class,
            ..message(NodeId(target), bytes)
        };
        scripts[source as usize].push((Instant::ZERO, message));
    }
    let used = |node| NodeUse {
        job: u8::try_from(node).unwrap(),
        is_goal: true,
    };
    let usage = Usage {
        nodes: (0..nodes).map(used).collect(),
        jobs: nodes as usize,
        measure: None,
        sharing: Sharing::default(),
    };
    let mut endpoints: Vec<_> = scripts.into_iter().map(TestEndpoint::scripted).collect();
    let topology = Arc::clone(topology);
    let wiring = wiring(&topology);
    let mut network = testing::network(
        topology,
        &routing,
        parameters,
        guests(&mut endpoints),
        usage,
        1,
    )
    .unwrap();
    let blamed = network.blamed();
    let scopes = network.scopes();
    let mut probes: Vec<Blame> = (scopes.iter())
        .map(|scope| Blame::new(scope, &blamed))
        .collect();
    observe(&mut network, Instant::from_ps(1 << 50), &mut probes);
    let end = network.end();
    probes.iter_mut().for_each(|blame| blame.close(end));
    Blame::merge(probes, end).unwrap().rows(&wiring)
}

fn voq() -> Parameters {
    Parameters {
        architecture: Architecture::Voq,
        ..kang2022()
    }
}

/// One group of `routers` routers with `nodes` nodes each.
fn group(routers: u32, nodes: u32) -> Arc<Topology> {
    let shape = Shape {
        groups: 1,
        routers_per_group: routers,
        nodes_per_router: nodes,
        global_ports_per_router: 0,
        arrangement: Arrangement::Absolute,
    };
    Arc::new(Topology::dragonfly(shape).unwrap())
}

fn serialization(parameters: &Parameters, flits: u32) -> u64 {
    parameters
        .serialization(odonata_topology::LinkKind::Host, flits)
        .ps()
}

/// Delayed, delaying, cause: direct and through, ps.
fn blamed(rows: &[BlameRow], delayed: usize, delaying: usize, cause: Cause) -> (u64, u64) {
    let mine = rows
        .iter()
        .filter(|row| (row.delayed, row.delaying, row.cause) == (delayed, delaying, cause));
    mine.fold((0, 0), |(direct, through), row| {
        (direct + row.direct_ps, through + row.through_ps)
    })
}

#[test]
fn two_flows_on_one_port() {
    let parameters = voq();
    let rows = rows(&group(1, 3), &parameters, &[(0, 2, 512, 0), (1, 2, 512, 0)]);
    let once = serialization(&parameters, parameters.packet_flits());
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(blamed(&rows, 1, 0, Cause::Port), (once, once));
    assert_eq!((rows[0].point, rows[0].packets), (WaitPoint::Port(2), 1));
}

#[test]
fn an_incast_of_one_packet_each() {
    let parameters = voq();
    let sends = [
        (0, 4, 512, 0),
        (1, 4, 512, 0),
        (2, 4, 512, 0),
        (3, 4, 512, 0),
    ];
    let rows = rows(&group(1, 5), &parameters, &sends);
    let once = serialization(&parameters, parameters.packet_flits());
    for delayed in 0..4 {
        for delaying in 0..4 {
            let expected = if delaying < delayed { once } else { 0 };
            let found = blamed(&rows, delayed, delaying, Cause::Port);
            assert_eq!(found, (expected, expected), "{delayed} by {delaying}");
        }
    }
    assert_eq!(rows.len(), 6);
}

#[test]
fn a_higher_class_overtakes() {
    let parameters = Parameters {
        qos: Qos {
            classes: 2,
            window: Span::from_ns(1_000_000),
            monitor: Monitor::Static,
            ..Qos::NONE
        },
        ..voq()
    };
    // All reach the port at once, in the order of their nodes: 0 starts, then 2 overtakes 1.
    let sends = [(0, 3, 512, 1), (1, 3, 512, 1), (2, 3, 512, 0)];
    let rows = rows(&group(1, 4), &parameters, &sends);
    let once = serialization(&parameters, parameters.packet_flits());
    assert_eq!(blamed(&rows, 2, 0, Cause::Port), (once, once));
    assert_eq!(blamed(&rows, 1, 0, Cause::Port), (once, once));
    assert_eq!(blamed(&rows, 1, 2, Cause::Port), (once, once));
    assert_eq!(rows.len(), 3, "{rows:?}");
    let high = rows.iter().find(|row| row.delaying == 2).unwrap();
    assert_eq!(high.class, 0, "the class of the one that overtook");
}

/// Job 0 streams to a node of the next router that job 3 floods from that router:
/// the buffers between fill up one behind the other, and all of it ends at the last port.
#[test]
fn a_chain_of_full_buffers() {
    // The chain: NIC of node 0, host buffer, buffer behind the link, port to node 2.
    let topology = group(2, 2);
    let parameters = Parameters {
        input_buffer_flits: [8; odonata_topology::LinkKind::ALL.len()],
        ..voq()
    };
    let rows = rows(
        &topology,
        &parameters,
        &[(0, 2, 100_000, 0), (3, 2, 100_000, 0)],
    );
    let port = |row: &&BlameRow| row.point == WaitPoint::Port(radix(&topology));
    // Direct: job 0 holds the buffer between the routers alone, and its NIC is its own.
    let of_zero = rows.iter().filter(|row| row.delayed == 0);
    let direct: u64 = of_zero.clone().map(|row| row.direct_ps).sum();
    let at_port: u64 = of_zero.clone().filter(port).map(|row| row.direct_ps).sum();
    let (held, _) = blamed(&rows, 0, 0, Cause::Credits);
    let (nic, _) = blamed(&rows, 0, 0, Cause::NicCredits);
    assert!(held > 0 && nic > 0, "{held} {nic}");
    assert!(at_port < direct / 4, "most of the wait is upstream");
    // Through: what was charged to full buffers ends at the port to node 2, where both take turns.
    let by_three: u64 = of_zero
        .clone()
        .filter(|row| row.delaying == 3)
        .map(|row| row.through_ps)
        .sum();
    let by_three_direct: u64 = of_zero
        .clone()
        .filter(|row| row.delaying == 3)
        .map(|row| row.direct_ps)
        .sum();
    assert!(
        by_three > 3 * by_three_direct,
        "{by_three} {by_three_direct}"
    );
    let through: u64 = of_zero.clone().map(|row| row.through_ps).sum();
    assert_eq!(through, direct);
    let (_, sending) = blamed(&rows, 0, 0, Cause::NicQueue);
    assert!(2 * by_three > through - sending, "{by_three} of {through}");
    let ends = of_zero
        .filter(|row| row.through_ps > 0)
        .map(|row| row.cause);
    let (at_ports, elsewhere): (Vec<_>, Vec<_>) = ends.partition(|cause| *cause == Cause::Port);
    assert_eq!(
        elsewhere,
        [Cause::NicQueue],
        "all ends where something is sent"
    );
    assert!(at_ports.len() >= 2);
}

fn radix(topology: &Topology) -> u32 {
    u32::from(topology.radix())
}
