//! State that every group reads and none writes: shape, routing, and times as tables.

use std::sync::Arc;

use odonata_endpoint::Message;
use odonata_routing::{Routing, WHOLE_PPM};
use odonata_telemetry::{FullPacket, MeasureWindow};
use odonata_topology::{LinkKind, PortIndex, Topology};
use odonata_units::{Instant, RouterId, Span};

use crate::model::error::NetworkError;
use crate::model::features::Equipment;
use crate::model::index::{InputIndex, LaneIndex, QueueIndex};
use crate::model::limits::{MOST_VCS, check_sizes};
use crate::model::lookahead::{kinds_in_use, slots, windows};
use crate::model::parameters::{CreditReturn, Parameters};
use crate::model::times::Times;
use crate::model::usage::Usage;
use crate::model::window::Clock;
use crate::rules::classes::ClassPolicy;
use crate::rules::congestion::abate::AbateRules;
use crate::rules::congestion::nscc::WindowRules;
use crate::rules::congestion::rccc::CreditRules;
use crate::rules::notice_times::NoticeTimes;

/// State that every group reads and none writes.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) topology: Arc<Topology>,
    pub(crate) routing: Routing,
    pub(crate) parameters: Parameters,
    pub(crate) usage: Usage,
    /// Equipment beyond the plain case.
    pub(crate) equipment: Equipment,
    pub(crate) times: Times,
    /// Traffic classes and their shares.
    pub(crate) class_policy: ClassPolicy,
    pub(crate) radix: usize,
    /// Words of a set of ports.
    pub(crate) port_words: usize,
    /// VCs of a channel: of all classes and virtual networks.
    pub(crate) vcs: usize,
    /// VCs of one class.
    pub(crate) class_vcs: usize,
    /// Kinds of the ports of a router.
    pub(crate) kinds: Vec<LinkKind>,
    /// `[lane]`: the VC on which the lane injects.
    lane_vcs: Vec<u8>,
    /// `[vc]`: the lane that injects packets of the VC's class and virtual network.
    pub(crate) vc_lanes: Vec<LaneIndex>,
    /// `[vc]`: the class of the VC.
    pub(crate) vc_classes: [u8; MOST_VCS],
    /// There is one routing mode, whose hops are found by arithmetic.
    pub(crate) routes_plainly: bool,
    /// Routing looks at credits: those applied early must not show before their instant.
    pub(crate) shows_credits: bool,
    /// A safe window, ps.
    window_ps: u32,
    /// Bits of an offset in a window.
    pub(crate) offset_bits: u32,
    pub(crate) clock: Clock,
    /// The time from the start of a window that the wheels reach ahead.
    pub(crate) horizon: Span,
    /// Windows of an epoch.
    pub(crate) epoch_windows: u64,
    /// The windows that anything may be under way for: a power of two.
    pub(crate) slots: usize,
    /// How far the NICs are behind the end of a window: the time from a NIC into its router.
    pub(crate) nic_lag: Span,
    /// The number of credits with which a VC cannot run short within a window.
    pub(crate) ample_credits: u32,
    /// The number of credits with which a NIC cannot run short until a credit given now is usable.
    pub(crate) ample_nic_credits: u32,
    /// `[kind]`: flits of the credits that a link in full use takes without any congestion.
    pub(crate) round_trip_flits: [u32; LinkKind::ALL.len()],
    /// Flits of a full packet.
    pub(crate) packet_flits: u32,
    /// Flits of the largest packet there can be: with credits for so many anything may start.
    pub(crate) largest_flits: u32,
    /// `[node]`: the set of nodes that the node is used together with; empty if there are none.
    pub(crate) sets: Vec<u32>,
    /// Payload of a full packet.
    pub(crate) payload_bytes: u32,
    /// How long notices travel.
    pub(crate) notice_times: NoticeTimes,
    /// The numbers of the windows of NICs, if they have any.
    pub(crate) window_rules: Option<WindowRules>,
    /// The numbers of ejection matching, if NICs are abated.
    pub(crate) abate_rules: Option<AbateRules>,
    /// The numbers of receiver credit, if targets give any.
    pub(crate) credit_rules: Option<CreditRules>,
    /// Wake-up span of a NIC.
    pub(crate) host_wake_up: Span,
    /// Packets created in it count; everything without a window.
    measure: MeasureWindow,
}

/// Refuses more virtual channels than there are names for.
const fn check_vcs(vcs: usize) -> Result<(), NetworkError> {
    if vcs <= MOST_VCS {
        return Ok(());
    }
    Err(NetworkError::TooMany {
        what: "virtual channels of all traffic classes",
        found: vcs as u64,
        most: MOST_VCS as u64,
    })
}

impl Shared {
    pub(crate) fn new(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        usage: Usage,
    ) -> Result<Self, NetworkError> {
        check_sizes(parameters, &topology, routing, usage.jobs)?;
        let in_use = kinds_in_use(&topology);
        let times = Times::new(parameters, &in_use);
        let (window_ps, epoch_windows) = windows(parameters, &topology, &in_use)?;
        let slots = slots(longest(parameters, &times, &in_use, routing), window_ps)?;
        let window = u64::from(window_ps);
        let largest_flits = parameters.largest_flits();
        let flit_time = |kind: &LinkKind| times.hop(*kind, 1).serialization.ps();
        let fastest = in_use.iter().map(flit_time).min().unwrap_or(1).max(1);
        let flits_in = |ps: u64, each: u64| u32::try_from(ps / each).unwrap_or(u32::MAX >> 2);
        let nic_lag = parameters.host.latency + parameters.router_latency;
        let ahead = 2 * window + nic_lag.ps() + times.credit_return(LinkKind::Host).ps();
        let equipment = Equipment::new(parameters, routing);
        let class_vcs = usize::from(routing.virtual_channels());
        let classes = usize::from(parameters.qos.classes);
        let vcs = class_vcs * classes;
        check_vcs(vcs)?;
        let class_policy = ClassPolicy::new(parameters, routing);
        let notice_times = NoticeTimes::new(parameters, &in_use);
        let networks = 1 + usize::from(parameters.response_bytes > 0);
        let (lane_vcs, vc_lanes) = lane_tables(classes, networks, class_vcs, routing);
        Ok(Self {
            radix: usize::from(topology.radix()),
            port_words: usize::from(topology.radix()).div_ceil(64),
            vcs,
            class_vcs,
            kinds: (0..topology.radix())
                .map(|port| topology.port_kind(PortIndex(port)))
                .collect(),
            lane_vcs,
            vc_lanes,
            vc_classes: std::array::from_fn(|vc| u8::try_from(vc / class_vcs).unwrap_or(0)),
            class_policy,
            equipment,
            routes_plainly: routing.is_plain(),
            shows_credits: routing.reads_credits(),
            window_ps,
            offset_bits: u32::BITS - (window_ps - 1).leading_zeros(),
            clock: Clock::new(window_ps, slots),
            horizon: Span::from_ps((slots as u64 - 1) * window),
            epoch_windows,
            slots,
            nic_lag,
            // Reservations are not bounded by the rate of the link.
            ample_credits: match parameters.credit_return {
                CreditReturn::Departure => flits_in(window, fastest) + 2 * largest_flits,
                CreditReturn::Reservation => u32::MAX,
            },
            ample_nic_credits: flits_in(ahead, flit_time(&LinkKind::Host).max(1))
                + 2 * largest_flits,
            round_trip_flits: LinkKind::ALL.map(|kind| parameters.round_trip_flits(kind)),
            packet_flits: parameters.packet_flits(),
            largest_flits,
            sets: usage.sharing.set_of_each(&topology),
            payload_bytes: parameters.payload_bytes(),
            window_rules: WindowRules::of(parameters, &topology, &notice_times),
            abate_rules: AbateRules::of(parameters, vcs),
            credit_rules: CreditRules::of(parameters, &topology, &notice_times),
            notice_times,
            host_wake_up: times.wake_up(LinkKind::Host),
            measure: usage.measure.unwrap_or(MeasureWindow::ALWAYS),
            times,
            routing: routing.clone(),
            parameters: *parameters,
            usage,
            topology,
        })
    }

    /// Length of a safe window.
    #[inline]
    pub(crate) const fn window(&self) -> Span {
        Span::from_ps(self.window_ps as u64)
    }

    /// How many times as long things may take because links lose lanes.
    pub(crate) fn slowdown(&self) -> u64 {
        self.routing.changes().map_or(1, |changes| {
            u64::from(WHOLE_PPM.div_ceil(changes.timeline().least_share_ppm().max(1)))
        })
    }

    /// The longest time that a packet may spend in routers that have lost it: once in each.
    pub(crate) fn longest_loss(&self) -> Span {
        self.routing.changes().map_or(Span::ZERO, |changes| {
            let timeline = changes.timeline();
            timeline.resent_after() * timeline.outages().len() as u64
        })
    }

    /// The instant at which a link of `router` goes down for the first time.
    pub(crate) fn first_down(&self, router: RouterId) -> Instant {
        let changes = self.routing.changes();
        let first = changes.and_then(|changes| changes.timeline().downs(router).first());
        first.map_or(Instant::NEVER, |down| down.at)
    }

    /// Length of an epoch.
    pub(crate) const fn epoch(&self) -> Span {
        Span::from_ps(self.epoch_windows * self.window_ps as u64)
    }

    /// Whether groups of one thread are simulated together, see [`crate::model::partition`].
    pub(crate) const fn joins_groups(&self) -> bool {
        self.epoch_windows == 1
    }

    /// Whether every NIC has a controller from the start.
    pub(crate) const fn controls_all_nics(&self) -> bool {
        self.window_rules.is_some() || self.abate_rules.is_some() || self.credit_rules.is_some()
    }

    /// The VC on which `lane` injects.
    #[inline]
    pub(crate) fn lane_vc(&self, lane: LaneIndex) -> u8 {
        self.lane_vcs[lane.index()]
    }

    /// `[vc]`: twice the class, and one more for responses.
    pub(crate) fn record_lanes(&self) -> Vec<u8> {
        let doubling = u32::from(self.parameters.response_bytes == 0);
        let lanes = self.vc_lanes.iter().map(|lane| lane.index() << doubling);
        lanes.filter_map(|lane| u8::try_from(lane).ok()).collect()
    }

    /// The routing mode of the packets of `message`, on the virtual channels of requests.
    #[inline]
    pub(crate) fn mode_of(&self, message: &Message) -> u8 {
        let is_data = self.equipment.has_data && message.role.is_data();
        if message.is_ordered && !is_data {
            self.routing.ordered_mode(message.mode)
        } else {
            message.mode
        }
    }

    /// Depth of the buffers behind channels of this kind, per VC, flits.
    #[inline]
    pub(crate) const fn depth(&self, kind: LinkKind) -> u32 {
        self.parameters.input_buffer_flits[kind as usize]
    }

    /// The queue of `port` and `vc` in a router.
    #[inline]
    pub(crate) const fn queue(&self, port: PortIndex, vc: u8) -> QueueIndex {
        QueueIndex(port.index() * self.vcs + vc as usize)
    }

    /// The input FIFO of `port` and `vc` in a router.
    #[inline]
    pub(crate) const fn input(&self, port: PortIndex, vc: u8) -> InputIndex {
        InputIndex(port.index() * self.vcs + vc as usize)
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

    /// A packet of full length, and how long it occupies the channels of a router.
    pub(crate) fn full_packet(&self) -> FullPacket {
        let flits = self.parameters.packet_flits();
        let span = |kind: &LinkKind| self.parameters.serialization(*kind, flits);
        FullPacket {
            bytes: self.parameters.packet_bytes,
            serialization: self.kinds.iter().map(span).collect(),
        }
    }

    /// Packets that a message of `bytes` is cut into, of a node whose packets stand for at most
    /// `multiple` full ones. Most are one, and a division takes its time.
    pub(crate) fn packets_of(&self, bytes: u64, multiple: u16) -> u64 {
        let payload = u64::from(self.payload_bytes) * u64::from(multiple);
        if bytes <= payload {
            1
        } else {
            bytes.div_ceil(payload)
        }
    }

    /// Whether get requests have a queue of their own in a NIC.
    #[inline]
    pub(crate) fn gets_pass(&self) -> bool {
        self.parameters.get_behind > 0
    }

    /// Whether a packet created then counts in the statistics.
    #[inline]
    pub(crate) fn is_measured(&self, created: Instant) -> bool {
        self.measure.contains(created)
    }
}

/// The longest time anything spends on a link, those that lose lanes included.
fn longest(parameters: &Parameters, times: &Times, in_use: &[LinkKind], routing: &Routing) -> Span {
    let whole = times.longest(in_use);
    let Some(changes) = routing.changes() else {
        return whole;
    };
    let share = changes.timeline().least_share_ppm();
    let flits = parameters.largest_flits();
    let entry = |kind: &LinkKind| {
        parameters.entry_delay_at(*kind, flits, share) + parameters.cables().longest(*kind)
    };
    in_use.iter().map(entry).fold(whole, Span::max)
}

/// `[lane]`: the VC on which the lane injects. `[vc]`: the lane of the VC's class and virtual
/// network. A class has `class_vcs` VCs, of which the first ones are for requests.
fn lane_tables(
    classes: usize,
    networks: usize,
    class_vcs: usize,
    routing: &Routing,
) -> (Vec<u8>, Vec<LaneIndex>) {
    let requests = usize::from(routing.request_virtual_channels());
    let vc_of = |lane: usize| lane / networks * class_vcs + lane % networks * requests;
    let is_for_responses =
        |vc: usize| u8::try_from(vc % class_vcs).is_ok_and(|vc| routing.is_for_responses(vc));
    let lane_of = |vc: usize| vc / class_vcs * networks + usize::from(is_for_responses(vc));
    let vcs = (0..classes * networks).map(vc_of);
    let lanes = (0..classes * class_vcs).map(lane_of).map(LaneIndex::new);
    (
        vcs.filter_map(|vc| u8::try_from(vc).ok()).collect(),
        lanes.collect(),
    )
}
