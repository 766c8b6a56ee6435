//! Limits of a simulation: sizes that fit the fields they are kept in.

use odonata_routing::Routing;
use odonata_topology::{LinkKind, Topology};
use odonata_units::GroupId;

use crate::model::error::NetworkError;
use crate::model::parameters::{Architecture, CreditReturn, MOST_CLASSES, Parameters};

/// The waiting channels of a port are a bit set.
pub(crate) const MOST_VCS: usize = 32;

/// Nodes that can be numbered.
pub const MOST_NODES: u64 = 1 << crate::model::packet::ID_BITS;
/// Groups that can be numbered.
pub const MOST_GROUPS: u64 = 1 << 16;

/// Routers of a network whose links go down: packets keep the state of the network that they began
/// with beside their intermediate router.
const MOST_ROUTERS_OF_CHANGES: u64 = 1 << crate::model::packet::SHORT_ID_BITS;

/// Refuses what does not fit.
pub(crate) fn check_sizes(
    parameters: &Parameters,
    topology: &Topology,
    routing: &Routing,
    jobs: usize,
) -> Result<(), NetworkError> {
    check_changes(parameters, topology, routing)?;
    let bytes = parameters.packet_bytes;
    let largest = bytes.saturating_mul(parameters.largest_multiple.into());
    if largest == 0 || largest > u32::from(u16::MAX) || parameters.flit_bytes == 0 {
        return Err(NetworkError::PacketSize { bytes: largest });
    }
    if largest > bytes && parameters.control.is_some() {
        return Err(NetworkError::LargePacketsUnderControl);
    }
    if parameters.header_bytes >= bytes {
        let header = parameters.header_bytes;
        return Err(NetworkError::HeaderTooLarge {
            header,
            packet: bytes,
        });
    }
    let response = parameters.response_bytes;
    if response > bytes {
        return Err(NetworkError::ResponseTooLarge {
            response,
            packet: bytes,
        });
    }
    let is_cioq = parameters.architecture == Architecture::Cioq;
    if is_cioq && parameters.credit_return == CreditReturn::Reservation {
        return Err(NetworkError::ReservationInCioq);
    }
    let packet = parameters.largest_flits();
    let depth = |kind: LinkKind| parameters.input_buffer_flits[kind as usize];
    let mut buffers = vec![
        ("input_buffer", depth(LinkKind::Local)),
        ("host_buffer", depth(LinkKind::Host)),
        ("global_buffer", depth(LinkKind::Global)),
    ];
    if is_cioq {
        buffers.push(("output_buffer", parameters.output_buffer_flits));
    }
    for (which, depth) in buffers {
        if depth < packet {
            let bytes = u64::from(packet) * u64::from(parameters.flit_bytes);
            return Err(NetworkError::BufferTooSmall {
                which,
                depth,
                packet,
                bytes,
            });
        }
    }
    let limits = [
        ("nodes", u64::from(topology.node_count()), MOST_NODES),
        ("jobs", jobs as u64, 256),
        ("groups", u64::from(topology.group_count()), MOST_GROUPS),
        ("routers of a group", most_routers(topology), 1 << 16),
        (
            "traffic classes",
            u64::from(parameters.qos.classes.max(1)),
            MOST_CLASSES as u64,
        ),
        ("ports of a router", u64::from(topology.radix()), 255),
    ];
    for (what, found, most) in limits {
        if found > most {
            return Err(NetworkError::TooMany { what, found, most });
        }
    }
    Ok(())
}

/// Refuses links that go down where packets cannot be rerouted.
fn check_changes(
    parameters: &Parameters,
    topology: &Topology,
    routing: &Routing,
) -> Result<(), NetworkError> {
    if routing.changes().is_none_or(|it| it.rerouting().is_none()) {
        return Ok(());
    }
    if parameters.credit_return == CreditReturn::Reservation {
        return Err(NetworkError::ReservationOnLinksThatFail);
    }
    let found = u64::from(topology.router_count());
    if found > MOST_ROUTERS_OF_CHANGES {
        return Err(NetworkError::TooMany {
            what: "routers of a network whose links go down during the run",
            found,
            most: MOST_ROUTERS_OF_CHANGES,
        });
    }
    Ok(())
}

/// Routers of the largest group.
fn most_routers(topology: &Topology) -> u64 {
    let groups = (0..topology.group_count()).map(GroupId);
    let most = groups.map(|group| topology.routers_in_group(group)).max();
    u64::from(most.unwrap_or(0))
}
