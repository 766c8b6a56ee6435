//! How far anything can be simulated ahead of anything else: windows, epochs, patience.

use odonata_topology::{LinkKind, Topology};
use odonata_units::Span;

use crate::model::error::NetworkError;
use crate::model::limits::MOST_VCS;
use crate::model::packet::OFFSET_BITS;
use crate::model::parameters::{ClassShare, Parameters};
use crate::model::times::Times;

const MOST_SLOTS: u64 = 1 << 14;
const SMALLEST_WINDOW: u64 = 16;

/// Slots of a wheel that holds windows of `window` ps up to the longest delay.
pub(crate) fn slots(longest: Span, window: u32) -> Result<usize, NetworkError> {
    let longest = longest.ps();
    let window = u64::from(window);
    let slots = (longest / window + 3).next_power_of_two();
    if slots > MOST_SLOTS {
        return Err(NetworkError::DelaysTooFarApart {
            longest,
            window,
            most: MOST_SLOTS,
        });
    }
    Ok(usize::try_from(slots).unwrap_or(usize::MAX))
}

/// The safe window, ps, and the windows of an epoch.
///
/// A window may not be longer than the time from any router to another (packet or credit), nor
/// than a host round trip: NICs run first in a window, up to its end less the way into the router
/// (`nic_lag`), and must not miss what the router does to them in the same window.
pub(crate) fn windows(
    parameters: &Parameters,
    topology: &Topology,
    kinds: &[LinkKind],
) -> Result<(u32, u64), NetworkError> {
    let between = |kind| {
        let entry = parameters.entry_delay(kind, 0).ps();
        entry.min(parameters.credit_return(kind).ps())
    };
    let host = 2 * parameters.host.latency.ps() + parameters.router_latency.ps();
    let bounds = kinds.iter().map(|kind| match kind {
        LinkKind::Host => ("a host link, there and back", host),
        LinkKind::Global => (
            "a global link and the router behind it",
            between(LinkKind::Global),
        ),
        kind => ("a local link and the router behind it", between(*kind)),
    });
    let (what, found) = bounds.min_by_key(|(_, ps)| *ps).unwrap_or(("", host));
    if found < SMALLEST_WINDOW {
        return Err(NetworkError::NoLookahead {
            what,
            least: SMALLEST_WINDOW,
            found,
        });
    }
    let window = found.min(1 << OFFSET_BITS);
    let epoch = if topology.group_count() > 1 {
        between(LinkKind::Global) / window
    } else {
        8
    };
    Ok((
        u32::try_from(window).unwrap_or(u32::MAX),
        epoch.clamp(1, 64),
    ))
}

/// Kinds of links that the system has.
pub(crate) fn kinds_in_use(topology: &Topology) -> Vec<LinkKind> {
    let is_used = |kind: &LinkKind| {
        let mut ports = topology.ports(*kind).map(odonata_topology::PortIndex);
        ports.any(|port| {
            topology
                .routers()
                .any(|router| topology.neighbour(router, port).is_some())
        })
    };
    LinkKind::ALL.into_iter().filter(is_used).collect()
}

/// How long goals may get nothing before the run counts as stalled: thousands of the longest
/// delays of packets and credits, and thousands of packets on the slowest link.
pub(crate) fn patience(parameters: &Parameters, topology: &Topology, epoch: Span) -> Span {
    let kinds = kinds_in_use(topology);
    let time = |kind: &LinkKind| parameters.serialization(*kind, parameters.largest_flits());
    let slowest = kinds.iter().map(time).max().unwrap_or(Span::ZERO);
    let longest = Times::new(parameters, &kinds).longest(&kinds);
    (epoch + slowest + longest) * 2_000
        + longest_pause(parameters, topology)
        + longest_hold(parameters, slowest)
}

/// The longest time for which a class at its ceiling waits: a window, and a packet beyond it.
fn longest_hold(parameters: &Parameters, packet: Span) -> Span {
    let limited = (parameters.qos.each().iter()).filter(|share| share.has_ceiling());
    let Some(least) = limited.map(|share| share.ceiling_ppm).min() else {
        return Span::ZERO;
    };
    parameters.qos.window + packet * u64::from(ClassShare::WHOLE_PPM.div_ceil(least.max(1)))
}

/// The longest time for which congestion control may silence everything: the pause for as much as a
/// router can hold, or a few packets at the least rate.
fn longest_pause(parameters: &Parameters, topology: &Topology) -> Span {
    if let Some(abate) = parameters.abate() {
        let packet = parameters.serialization(LinkKind::Host, parameters.packet_flits());
        return packet * (4_000_000 / u64::from(abate.floor_ppm));
    }
    if let Some(rccc) = parameters.rccc() {
        let packet = parameters.serialization(LinkKind::Host, parameters.packet_flits());
        let pull = u64::from(rccc.pull) * 4_000 / u64::from(rccc.rate_milli);
        return packet * (pull * u64::from(topology.node_count()));
    }
    let Some(pace) = parameters.pace() else {
        return Span::ZERO;
    };
    let deepest = parameters.input_buffer_flits.iter().max();
    let deepest = u64::from(deepest.copied().unwrap_or(0) + parameters.output_buffer_flits);
    let most = deepest * u64::from(topology.radix()) * MOST_VCS as u64;
    let flit = parameters.serialization(LinkKind::Host, 1).ps();
    Span::from_ps(flit.saturating_mul(most).saturating_mul(pace.pause.into()))
}
