//! What every block reads and none writes: shape, routing, and times as tables.

use std::sync::Arc;

use odonata_routing::Routing;
use odonata_topology::{LinkKind, Topology};
use odonata_units::{Instant, Span};

use crate::classes::Policy;
use crate::error::NetworkError;
use crate::parameters::{Architecture, CreditReturn, MOST_CLASSES, Parameters};
use crate::record::Recorded;

/// Who uses a node, for statistics and for the end of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeUse {
    /// Job the node's packets are booked to.
    pub job: u8,
    /// The run goes on until the node's endpoint is finished.
    pub is_goal: bool,
}

/// Steady-state measurement: packets created in `[from, to)` count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasureWindow {
    /// Start, inclusive.
    pub from: Instant,
    /// End, exclusive.
    pub to: Instant,
}

/// What to record, and for whom.
#[derive(Clone, Debug)]
pub struct Observe {
    /// Per node.
    pub nodes: Vec<NodeUse>,
    /// Number of jobs.
    pub jobs: usize,
    /// Absent: every packet counts.
    pub measure: Option<MeasureWindow>,
    /// Keep the record of every n-th packet of each node; 0: none.
    pub packet_sample: u32,
    /// Records kept at most, or a few more; then n doubles.
    pub packet_records: u64,
    /// Memory that the network and its results may take, bytes; `u64::MAX`: any.
    pub memory_bytes: u64,
    /// Width of a bin of the time series.
    pub series_bin: Span,
}

/// Nodes that can be numbered.
pub const MOST_NODES: u64 = 1 << crate::packet::ID_BITS;
/// Groups that can be numbered.
pub const MOST_GROUPS: u64 = 1 << 16;
const MOST_SLOTS: u64 = 1 << 14;
/// The waiting channels of a port are a bit set.
const MOST_VCS: usize = 32;
const SMALLEST_WINDOW: u64 = 16;

/// See the module.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties of a network"
)]
pub(crate) struct Shared {
    pub(crate) topology: Arc<Topology>,
    pub(crate) routing: Routing,
    pub(crate) parameters: Parameters,
    pub(crate) observe: Observe,
    pub(crate) radix: usize,
    /// VCs of a channel: of all classes and virtual networks.
    pub(crate) vcs: usize,
    /// VCs of one class.
    pub(crate) class_vcs: usize,
    /// Traffic classes.
    pub(crate) policy: Policy,
    /// Every packet is answered.
    pub(crate) has_responses: bool,
    /// Lanes of a NIC: classes times virtual networks.
    pub(crate) nic_lanes: usize,
    /// VC on which a lane injects.
    lane_vcs: Vec<u8>,
    /// `[vc]`: the lane that injects packets of its class and virtual network.
    vc_lanes: Vec<u8>,
    /// A slot downstream is reserved before a packet starts.
    pub(crate) reserves: bool,
    /// Routing learns from feedback.
    pub(crate) learns: bool,
    /// One routing mode, by arithmetic.
    pub(crate) routes_plainly: bool,
    pub(crate) jobs: usize,
    /// A safe window is `1 << shift` ps.
    pub(crate) shift: u32,
    /// Windows of an epoch.
    pub(crate) epoch_windows: u64,
    /// Slots of a wheel, a power of two.
    pub(crate) slots: usize,
    /// How far the NICs are ahead of the window's end: host latency and router latency.
    pub(crate) nic_lag: u64,
    pub(crate) kinds: Vec<LinkKind>,
    pub(crate) times: Times,
    pub(crate) is_cioq: bool,
    /// Routing looks at credits: those applied early must not show before their instant.
    pub(crate) shows_credits: bool,
    /// With this many credits a VC cannot run short within a window.
    pub(crate) ample_credits: u32,
    /// The same for a NIC, until a credit given now is usable.
    pub(crate) ample_nic_credits: u32,
    pub(crate) packet_flits: u32,
    pub(crate) series_bin: u64,
    pub(crate) recorded: Recorded,
}

/// A packet over a link: time on it, and from its start to its entry in the next router, ps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HopTimes {
    pub(crate) serialization: u64,
    pub(crate) entry: u64,
}

/// Times by link kind and packet length, ps.
#[derive(Debug)]
pub(crate) struct Times {
    /// `[kind * stride + flits]`.
    hops: Vec<HopTimes>,
    stride: usize,
    /// `[from][to][flits]`.
    ready: [[Vec<u64>; KINDS]; KINDS],
    delivery: Vec<u64>,
    pub(crate) has_ready: bool,
    pub(crate) credit_return: [u64; KINDS],
    pub(crate) wake_up: [u64; KINDS],
    pub(crate) crossbar_cycle: u64,
}

const KINDS: usize = LinkKind::ALL.len();

impl Times {
    fn new(parameters: &Parameters, kinds: &[LinkKind]) -> Self {
        let flits = 0..=parameters.packet_flits();
        let table = |f: &dyn Fn(u32) -> Span| flits.clone().map(|n| f(n).ps()).collect::<Vec<_>>();
        let all = LinkKind::ALL;
        let ready = all.map(|from| all.map(|to| table(&|n| parameters.ready_delay(from, to, n))));
        let waits = |from: LinkKind, to: LinkKind| {
            ready[from as usize][to as usize].iter().any(|ps| *ps > 0)
        };
        let has_ready = kinds
            .iter()
            .any(|from| kinds.iter().any(|to| waits(*from, *to)));
        let hop = |kind, n| HopTimes {
            serialization: parameters.serialization(kind, n).ps(),
            entry: parameters.entry_delay(kind, n).ps(),
        };
        Self {
            hops: all
                .iter()
                .flat_map(|kind| flits.clone().map(|n| hop(*kind, n)))
                .collect(),
            stride: parameters.packet_flits() as usize + 1,
            ready,
            delivery: table(&|n| parameters.delivery_delay(n)),
            has_ready,
            credit_return: all.map(|kind| parameters.credit_return(kind).ps()),
            wake_up: all.map(|kind| parameters.wake_up(kind).ps()),
            crossbar_cycle: parameters.crossbar_cycle().ps(),
        }
    }

    #[inline]
    pub(crate) fn hop(&self, kind: LinkKind, flits: u16) -> HopTimes {
        self.hops[kind as usize * self.stride + flits as usize]
    }

    #[inline]
    pub(crate) fn ready(&self, from: LinkKind, to: LinkKind, flits: u16) -> u64 {
        self.ready[from as usize][to as usize][flits as usize]
    }

    #[inline]
    pub(crate) fn delivery(&self, flits: u16) -> u64 {
        self.delivery[flits as usize]
    }

    /// The longest time anything spends on a link of these kinds.
    fn longest(&self, kinds: &[LinkKind]) -> u64 {
        let of_kind = |kind: &LinkKind| {
            let first = *kind as usize * self.stride;
            let hops = &self.hops[first..first + self.stride];
            let entries = hops.iter().map(|hop| hop.entry);
            entries.fold(self.credit_return[*kind as usize], u64::max)
        };
        let delivery = self.delivery.iter().copied();
        kinds.iter().map(of_kind).chain(delivery).max().unwrap_or(0)
    }
}

impl Shared {
    pub(crate) fn new(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        observe: Observe,
    ) -> Result<Self, NetworkError> {
        check_sizes(parameters, &topology, &observe)?;
        let kinds_in_use = kinds_in_use(&topology);
        let times = Times::new(parameters, &kinds_in_use);
        let (shift, epoch_windows) = windows(parameters, &topology, &kinds_in_use)?;
        let slots = slots(times.longest(&kinds_in_use), shift)?;
        let radix = usize::from(topology.radix());
        let kinds = (0..topology.radix())
            .map(|port| topology.port_kind(odonata_topology::PortIndex(port)))
            .collect();
        let packet_flits = parameters.packet_flits();
        let flit_time = |kind: &LinkKind| times.hop(*kind, 1).serialization;
        let fastest = kinds_in_use.iter().map(flit_time).min().unwrap_or(1).max(1);
        let per_window = u32::try_from((1_u64 << shift) / fastest).unwrap_or(u32::MAX >> 2);
        let nic_lag = parameters.host.latency.ps() + parameters.router_latency.ps();
        let credit_to_nic = times.credit_return[LinkKind::Host as usize];
        let ahead = (2 << shift) + nic_lag + credit_to_nic;
        let host_flit = flit_time(&LinkKind::Host).max(1);
        let per_credit = u32::try_from(ahead / host_flit).unwrap_or(u32::MAX >> 2);
        let policy = Policy::new(parameters);
        let has_responses = parameters.response_bytes > 0;
        let class_vcs = usize::from(routing.virtual_channels());
        let vcs = class_vcs * policy.classes;
        if vcs > MOST_VCS {
            return Err(NetworkError::TooMany {
                what: "virtual channels of all traffic classes",
                found: vcs as u64,
                most: MOST_VCS as u64,
            });
        }
        let networks = 1 + usize::from(has_responses);
        let requests = usize::from(routing.request_virtual_channels());
        let (lane_vcs, vc_lanes) = lane_tables(policy.classes, networks, (class_vcs, requests));
        Ok(Self {
            radix,
            vcs,
            class_vcs,
            nic_lanes: policy.classes * networks,
            lane_vcs,
            vc_lanes,
            policy,
            has_responses,
            reserves: parameters.credit_return == CreditReturn::Reservation,
            learns: routing.learns(),
            routes_plainly: routing.is_plain(),
            jobs: observe.jobs,
            shift,
            epoch_windows,
            slots,
            nic_lag,
            ample_nic_credits: per_credit + 2 * packet_flits,
            kinds,
            is_cioq: parameters.architecture == Architecture::Cioq,
            shows_credits: routing.reads_credits(),
            // Reservations are not bounded by the rate of the link.
            ample_credits: match parameters.credit_return {
                CreditReturn::Departure => per_window + 2 * packet_flits,
                CreditReturn::Reservation => u32::MAX,
            },
            packet_flits,
            series_bin: observe.series_bin.ps().max(1),
            recorded: Recorded::default(),
            times,
            routing: routing.clone(),
            parameters: *parameters,
            observe,
            topology,
        })
    }

    /// Lane for requests of `class`.
    #[inline]
    pub(crate) fn request_lane(&self, class: u8) -> usize {
        usize::from(class) << u32::from(self.has_responses)
    }

    /// VC on which `lane` injects.
    #[inline]
    pub(crate) fn lane_vc(&self, lane: usize) -> u8 {
        self.lane_vcs[lane]
    }

    /// Lane of the class and virtual network that `vc` belongs to.
    #[inline]
    pub(crate) fn lane_of(&self, vc: u8) -> usize {
        usize::from(self.vc_lanes[usize::from(vc)])
    }

    /// `[vc]`: twice the class, and one more for responses.
    pub(crate) fn record_lanes(&self) -> Vec<u8> {
        let doubling = u32::from(!self.has_responses);
        self.vc_lanes.iter().map(|lane| lane << doubling).collect()
    }

    /// First VC of the class that `vc` belongs to.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 VCs")]
    pub(crate) const fn class_base(&self, vc: u8) -> u8 {
        if self.policy.classes == 1 {
            return 0;
        }
        vc - vc % self.class_vcs as u8
    }

    /// Depth of the buffers behind channels of this kind, per VC, flits.
    #[inline]
    pub(crate) const fn depth(&self, kind: LinkKind) -> u32 {
        self.parameters.input_buffer_flits[kind as usize]
    }

    /// How long goals may get nothing before the run counts as stalled: thousands of the longest
    /// delays of packets and credits, and thousands of packets on the slowest link.
    pub(crate) fn patience(&self, epoch: Span) -> Span {
        let kinds = kinds_in_use(&self.topology);
        let time = |kind: &LinkKind| self.parameters.serialization(*kind, self.packet_flits);
        let slowest = kinds.iter().map(time).max().unwrap_or(Span::ZERO);
        let longest = Span::from_ps(self.times.longest(&kinds));
        (epoch + slowest + longest) * 2_000
    }

    /// Window that contains `ps`, as a slot of a wheel.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the number of slots"
    )]
    pub(crate) const fn slot(&self, ps: u64) -> usize {
        (ps >> self.shift) as usize & (self.slots - 1)
    }

    /// Number of the window that contains `ps`, modulo 2^16.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "modulo 2^16")]
    pub(crate) const fn window_number(&self, ps: u64) -> u16 {
        (ps >> self.shift) as u16
    }

    /// Offset of `ps` in its window.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a window is shorter than 2^31 ps"
    )]
    pub(crate) const fn offset(&self, ps: u64) -> u32 {
        (ps & ((1 << self.shift) - 1)) as u32
    }

    /// Flits of a packet; most are full ones, and a division takes its time.
    #[inline]
    pub(crate) const fn flits(&self, bytes: u32) -> u32 {
        if bytes == self.parameters.packet_bytes {
            self.packet_flits
        } else {
            self.parameters.flits(bytes)
        }
    }

    /// Whether a packet created then counts in the statistics.
    #[inline]
    pub(crate) fn is_measured(&self, created: u64) -> bool {
        self.observe
            .measure
            .is_none_or(|window| (window.from.ps()..window.to.ps()).contains(&created))
    }
}

fn check_sizes(
    parameters: &Parameters,
    topology: &Topology,
    observe: &Observe,
) -> Result<(), NetworkError> {
    let bytes = parameters.packet_bytes;
    if bytes == 0 || bytes > u32::from(u16::MAX) || parameters.flit_bytes == 0 {
        return Err(NetworkError::PacketSize { bytes });
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
    let packet = parameters.packet_flits();
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
        ("jobs", observe.jobs as u64, 256),
        ("groups", u64::from(topology.group_count()), MOST_GROUPS),
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

/// `[lane]`: VC it injects on; `[vc]`: lane of its class and virtual network.
fn lane_tables(
    classes: usize,
    networks: usize,
    (class_vcs, requests): (usize, usize),
) -> (Vec<u8>, Vec<u8>) {
    let vc_of = |lane: usize| lane / networks * class_vcs + lane % networks * requests;
    let lane_of = |vc: usize| vc / class_vcs * networks + usize::from(vc % class_vcs >= requests);
    let narrow = |number| u8::try_from(number).ok();
    (
        (0..classes * networks)
            .map(vc_of)
            .filter_map(narrow)
            .collect(),
        (0..classes * class_vcs)
            .map(lane_of)
            .filter_map(narrow)
            .collect(),
    )
}

/// Slots of a wheel that holds windows of `1 << shift` ps up to the longest delay.
fn slots(longest: u64, shift: u32) -> Result<usize, NetworkError> {
    let slots = ((longest >> shift) + 3).next_power_of_two();
    if slots > MOST_SLOTS {
        return Err(NetworkError::DelaysTooFarApart {
            longest,
            window: 1 << shift,
            most: MOST_SLOTS,
        });
    }
    Ok(usize::try_from(slots).unwrap_or(usize::MAX))
}

/// The safe window as a shift, and the windows of an epoch.
///
/// A window may not be longer than the time from any router to another (packet or credit), nor
/// than a host round trip: NICs run first in a window, up to its end less the way into the router
/// (`nic_lag`), and must not miss what the router does to them in the same window.
fn windows(
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
    let shift = found.ilog2().min(30);
    let epoch = if topology.group_count() > 1 {
        between(LinkKind::Global) >> shift
    } else {
        8
    };
    Ok((shift, epoch.clamp(1, 64)))
}

/// Kinds of links that the system has.
fn kinds_in_use(topology: &Topology) -> Vec<LinkKind> {
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
