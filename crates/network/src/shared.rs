//! What every group reads and none writes: shape, routing, and times as tables.

use std::sync::Arc;

use odonata_routing::Routing;
use odonata_telemetry::{FullPacket, MeasureWindow};
use odonata_topology::{LinkKind, PortIndex, Topology};
use odonata_units::{Instant, Span};

use crate::classes::ClassPolicy;
use crate::error::NetworkError;
use crate::features::{Combination, Equipment, Features};
use crate::limits::check_sizes;
use crate::lookahead::{kinds_in_use, slots, windows};
use crate::parameters::{CreditReturn, Parameters};
use crate::times::Times;
use crate::usage::Usage;
use odonata_endpoint::Message;

/// The waiting channels of a port are a bit set.
const MOST_VCS: usize = 32;

/// See the module.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) topology: Arc<Topology>,
    pub(crate) routing: Routing,
    pub(crate) parameters: Parameters,
    pub(crate) observe: Usage,
    /// What the network has, beyond the plain case.
    pub(crate) equipment: Equipment,
    /// By which copy of the hot loop it is simulated.
    pub(crate) combination: Combination,
    pub(crate) times: Times,
    /// Traffic classes and their caps.
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
    /// `[send queue]`: VC it injects on.
    queue_vcs: Vec<u8>,
    /// `[vc]`: the send queue that injects packets of its class and virtual network.
    vc_queues: Vec<u8>,
    /// `[vc]`: its class.
    vc_classes: [u8; MOST_VCS],
    /// One routing mode, by arithmetic.
    pub(crate) routes_plainly: bool,
    /// Routing looks at credits: those applied early must not show before their instant.
    pub(crate) shows_credits: bool,
    /// A safe window, ps.
    window_ps: u32,
    /// Bits of an offset in a window.
    pub(crate) offset_bits: u32,
    pub(crate) clock: Clock,
    /// How far ahead of the start of a window the wheels reach.
    pub(crate) horizon: Span,
    /// Windows of an epoch.
    epoch_windows: u64,
    /// The windows that anything may be under way for: a power of two.
    pub(crate) slots: usize,
    /// How far the NICs are behind the window's end: the way into a router.
    pub(crate) nic_lag: Span,
    /// With this many credits a VC cannot run short within a window.
    pub(crate) ample_credits: u32,
    /// The same for a NIC, until a credit given now is usable.
    pub(crate) ample_nic_credits: u32,
    pub(crate) packet_flits: u32,
    /// By node: its set of nodes that are used together; empty if none are.
    pub(crate) sets: Vec<u32>,
    /// Payload of a full packet.
    pub(crate) payload_bytes: u32,
    /// Wake-up span of a NIC.
    pub(crate) host_wake_up: Span,
    /// Packets created in it count; everything without a window.
    measure: MeasureWindow,
}

impl Shared {
    pub(crate) fn new(
        topology: Arc<Topology>,
        routing: &Routing,
        parameters: &Parameters,
        observe: Usage,
    ) -> Result<Self, NetworkError> {
        check_sizes(parameters, &topology, observe.jobs)?;
        let in_use = kinds_in_use(&topology);
        let times = Times::new(parameters, &in_use);
        let (window_ps, epoch_windows) = windows(parameters, &topology, &in_use)?;
        let slots = slots(times.longest(&in_use), window_ps)?;
        let window = u64::from(window_ps);
        let packet_flits = parameters.packet_flits();
        let flit_time = |kind: &LinkKind| times.hop(*kind, 1).serialization.ps();
        let fastest = in_use.iter().map(flit_time).min().unwrap_or(1).max(1);
        let flits_in = |ps: u64, each: u64| u32::try_from(ps / each).unwrap_or(u32::MAX >> 2);
        let nic_lag = parameters.host.latency + parameters.router_latency;
        let ahead = 2 * window + nic_lag.ps() + times.credit_return(LinkKind::Host).ps();
        let equipment = Equipment::new(parameters, routing);
        let class_policy = ClassPolicy::new(parameters);
        let class_vcs = usize::from(routing.virtual_channels());
        let vcs = class_vcs * class_policy.classes;
        if vcs > MOST_VCS {
            return Err(NetworkError::TooMany {
                what: "virtual channels of all traffic classes",
                found: vcs as u64,
                most: MOST_VCS as u64,
            });
        }
        let combination = equipment.combination();
        let networks = 1 + usize::from(parameters.response_bytes > 0);
        let requests = usize::from(routing.request_virtual_channels());
        let (queue_vcs, vc_queues) =
            queue_tables(class_policy.classes, networks, (class_vcs, requests));
        Ok(Self {
            radix: usize::from(topology.radix()),
            port_words: usize::from(topology.radix()).div_ceil(64),
            vcs,
            class_vcs,
            combination,
            kinds: (0..topology.radix())
                .map(|port| topology.port_kind(PortIndex(port)))
                .collect(),
            queue_vcs,
            vc_queues,
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
                CreditReturn::Departure => flits_in(window, fastest) + 2 * packet_flits,
                CreditReturn::Reservation => u32::MAX,
            },
            ample_nic_credits: flits_in(ahead, flit_time(&LinkKind::Host).max(1))
                + 2 * packet_flits,
            packet_flits,
            sets: observe.sharing.set_of_each(&topology),
            payload_bytes: parameters.payload_bytes(),
            host_wake_up: times.wake_up(LinkKind::Host),
            measure: observe.measure.unwrap_or(MeasureWindow::ALWAYS),
            times,
            routing: routing.clone(),
            parameters: *parameters,
            observe,
            topology,
        })
    }

    /// Length of a safe window.
    #[inline]
    pub(crate) const fn window(&self) -> Span {
        Span::from_ps(self.window_ps as u64)
    }

    /// Length of an epoch.
    pub(crate) const fn epoch(&self) -> Span {
        Span::from_ps(self.epoch_windows * self.window_ps as u64)
    }

    /// Send queue for requests of `class`.
    #[inline]
    pub(crate) const fn request_queue<F: Features>(&self, class: u8) -> usize {
        class as usize * self.equipment.networks::<F>()
    }

    /// Send queue that a message goes to.
    #[inline]
    pub(crate) const fn queue_for<F: Features>(&self, message: &Message) -> usize {
        let is_data = self.equipment.has_data::<F>() && message.role.is_data();
        self.request_queue::<F>(message.class) + is_data as usize
    }

    /// VC on which a send queue injects.
    #[inline]
    pub(crate) fn queue_vc(&self, queue: usize) -> u8 {
        self.queue_vcs[queue]
    }

    /// Send queue of the class and virtual network that `vc` belongs to.
    #[inline]
    pub(crate) fn queue_of<F: Features>(&self, vc: u8) -> usize {
        if F::CLASSES || F::RESPONSES {
            usize::from(self.vc_queues[usize::from(vc)])
        } else {
            0
        }
    }

    /// Whether a send queue is for responses.
    #[inline]
    pub(crate) const fn is_for_responses<F: Features>(&self, queue: usize) -> bool {
        self.equipment.has_responses::<F>() && queue & 1 == 1
    }

    /// `[vc]`: twice the class, and one more for responses.
    pub(crate) fn record_lanes(&self) -> Vec<u8> {
        let doubling = u32::from(self.parameters.response_bytes == 0);
        let queues = self.vc_queues.iter();
        queues.map(|queue| queue << doubling).collect()
    }

    /// Class that `vc` belongs to.
    #[inline]
    pub(crate) const fn class_of<F: Features>(&self, vc: u8) -> u8 {
        if F::CLASSES {
            self.vc_classes[vc as usize % MOST_VCS]
        } else {
            0
        }
    }

    /// First VC of the class that `vc` belongs to.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 VCs")]
    pub(crate) const fn class_base<F: Features>(&self, vc: u8) -> u8 {
        self.class_of::<F>(vc) * self.class_vcs as u8
    }

    /// Whether routing learns from packets of `mode`.
    #[inline]
    pub(crate) fn learns_from<F: Features>(&self, mode: u8) -> bool {
        self.equipment.learns::<F>() && self.routing.mode_learns(mode)
    }

    /// Depth of the buffers behind channels of this kind, per VC, flits.
    #[inline]
    pub(crate) const fn depth(&self, kind: LinkKind) -> u32 {
        self.parameters.input_buffer_flits[kind as usize]
    }

    /// Place of (port, VC) among the queues of a router.
    #[inline(always)]
    pub(crate) const fn queue(&self, port: usize, vc: u8) -> usize {
        port * self.vcs + vc as usize
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

    /// Packets that a message of `bytes` is cut into. Most are one, and a division takes its time.
    pub(crate) fn packets_of(&self, bytes: u64) -> u64 {
        let payload = u64::from(self.payload_bytes);
        if bytes <= payload {
            1
        } else {
            bytes.div_ceil(payload)
        }
    }

    /// Whether a packet created then counts in the statistics.
    #[inline]
    pub(crate) fn is_measured(&self, created: Instant) -> bool {
        self.measure.contains(created)
    }
}

/// Windows, and their slots in a wheel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// `ceil(2^(64 + shift) / window)`: multiplied by an instant it gives its window, in the bits
    /// above. Exact below 2^63 ps (Granlund and Montgomery 1994, theorem 4.2).
    reciprocal: u64,
    shift: u32,
    /// Length of a window, ps.
    window: u32,
    /// Of the number of a window in a wheel.
    slot_mask: u64,
}

impl Clock {
    /// Windows of `window`, at least 2 ps, in a wheel of `slots`, a power of two.
    #[expect(clippy::cast_possible_truncation, reason = "the shift is chosen so")]
    pub(crate) const fn new(window: u32, slots: usize) -> Self {
        let shift = (window - 1).ilog2();
        Self {
            reciprocal: (1_u128 << (64 + shift)).div_ceil(window as u128) as u64,
            shift,
            window,
            slot_mask: slots as u64 - 1,
        }
    }

    /// Number of the window that contains `at`.
    #[inline(always)]
    const fn number(self, at: Instant) -> u64 {
        debug_assert!(at.ps() < 1 << 63);
        let product = at.ps() as u128 * self.reciprocal as u128;
        (product >> 64) as u64 >> self.shift
    }

    /// Window that contains `at`, as a slot of a wheel.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "masked to the number of slots"
    )]
    pub(crate) const fn slot(self, at: Instant) -> usize {
        (self.number(at) & self.slot_mask) as usize
    }

    /// Start of the window of `slot`, the first one from the window that starts at `from` on.
    #[inline(always)]
    pub(crate) const fn instant(self, from: Instant, slot: u16) -> Instant {
        let ahead = (slot as u64).wrapping_sub(self.number(from)) & self.slot_mask;
        Instant::from_ps(from.ps() + ahead * self.window as u64)
    }

    /// Offset of `at` in its window, ps.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a window is shorter than 2^32 ps"
    )]
    pub(crate) const fn offset(self, at: Instant) -> u32 {
        (at.ps() as u32).wrapping_sub((self.number(at) as u32).wrapping_mul(self.window))
    }
}

/// `[send queue]`: VC it injects on; `[vc]`: send queue of its class and virtual network.
fn queue_tables(
    classes: usize,
    networks: usize,
    (class_vcs, requests): (usize, usize),
) -> (Vec<u8>, Vec<u8>) {
    let vc_of = |queue: usize| queue / networks * class_vcs + queue % networks * requests;
    let queue_of = |vc: usize| vc / class_vcs * networks + usize::from(vc % class_vcs >= requests);
    let narrow = |number| u8::try_from(number).ok();
    (
        (0..classes * networks)
            .map(vc_of)
            .filter_map(narrow)
            .collect(),
        (0..classes * class_vcs)
            .map(queue_of)
            .filter_map(narrow)
            .collect(),
    )
}
