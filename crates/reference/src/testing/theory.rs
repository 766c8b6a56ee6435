//! What theory says, to hold simulations against.

use odonata_network::{Architecture, Delivery, Parameters, Switching};
use odonata_telemetry::PacketRecord;
use odonata_topology::LinkKind;
use odonata_units::{Instant, Span};

/// Mean wait in an M/D/1 queue of utilisation `load`, in units of its service time
/// (Pollaczek-Khinchine).
#[must_use]
pub fn md1_wait(load: f64) -> f64 {
    load / (2.0 * (1.0 - load))
}

/// The instant at which a packet of `flits` flits, alone in the network and created at `created`,
/// is delivered after `channels`: the host channel, those between routers, the host channel.
///
/// The hand formulas of `docs/model/network.md`, section "Zero-load latency", written as a
/// recursion so that bandwidths may differ.
#[must_use]
pub fn zero_load_delivery(
    parameters: &Parameters,
    channels: &[LinkKind],
    flits: u32,
    created: Instant,
) -> Instant {
    let wire = |kind: LinkKind, flits: u32| {
        let bytes = u64::from(flits) * u64::from(parameters.flit_bytes);
        parameters.link(kind).bandwidth.serialization(bytes)
    };
    let cioq = parameters.architecture == Architecture::Cioq;
    let wake_up = |kind| if cioq { wire(kind, 1) } else { Span::ZERO };
    let mut start = created + wake_up(channels[0]);
    for pair in channels.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let tail = wire(from, flits);
        let head = start + parameters.link(from).latency + parameters.router_latency;
        let (enter, ready) = match parameters.switching {
            Switching::CutThrough => (head, head + tail.saturating_sub(wire(to, flits))),
            Switching::StoreAndForward => (head + tail, head + tail),
        };
        start = if cioq {
            let cycle = parameters.crossbar_cycle().ps();
            let tick = Instant::from_ps((enter.ps() / cycle + 1) * cycle);
            (tick + wake_up(to)).max(ready)
        } else {
            ready
        };
    }
    let last = channels[channels.len() - 1];
    let end = start + parameters.link(last).latency;
    match parameters.delivery {
        Delivery::Tail => end + wire(last, flits),
        Delivery::Head => end,
    }
}

/// Mean latency from creation to delivery of the packets that `select` takes, ps; `None` if there
/// is none.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "sums stay below 2^53 ps")]
pub fn mean_latency(
    records: &[PacketRecord],
    mut select: impl FnMut(&PacketRecord) -> bool,
) -> Option<f64> {
    let (mut sum, mut count) = (0_u64, 0_u64);
    for record in records.iter().filter(|record| select(record)) {
        sum += (record.delivered - record.created).ps();
        count += 1;
    }
    (count > 0).then(|| sum as f64 / count as f64)
}

/// Load accepted in `[from, to)`: flits delivered then, over what the host links of `nodes` nodes
/// carry in that time.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "flit counts and windows stay below 2^53"
)]
pub fn accepted_load(
    records: &[PacketRecord],
    parameters: &Parameters,
    nodes: u32,
    from: Instant,
    to: Instant,
) -> f64 {
    let inside = |record: &&PacketRecord| from <= record.delivered && record.delivered < to;
    let flits: u64 = records
        .iter()
        .filter(inside)
        .map(|r| u64::from(parameters.flits(r.bytes)))
        .sum();
    let flit = parameters
        .host
        .bandwidth
        .serialization(u64::from(parameters.flit_bytes));
    flits as f64 * flit.ps() as f64 / (to - from).ps() as f64 / f64::from(nodes)
}
