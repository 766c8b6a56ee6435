//! What a network announces, and to whom.

use std::ops::Range;

use odonata_units::{Instant, NodeId, RouterId, Span};

/// An output port of a router, and so the channel that leaves by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Channel {
    /// Router.
    pub router: RouterId,
    /// Port.
    pub port: u8,
    /// Number of the port among the ports of all routers: router times radix plus port.
    pub index: u32,
}

/// What a probe may know of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketFacts {
    /// Sender of the packet (of a response: who answers).
    pub source: NodeId,
    /// Receiver.
    pub target: NodeId,
    /// Creation at the source NIC; of a response: of its request.
    pub created: Instant,
    /// Job it is booked to.
    pub job: u8,
    /// Virtual channel it came on, or is sent on.
    pub vc: u8,
    /// Input port of the router it is in.
    pub in_port: u8,
    /// Counts the packets of its source and lane, modulo 2^32.
    pub sequence: u32,
    /// Bytes, headers included.
    pub bytes: u32,
    /// Flits.
    pub flits: u32,
    /// Routers entered so far.
    pub hops: u32,
    /// Routing mode; answers have one of their own.
    pub mode: u8,
    /// It takes a non-minimal path, as far as is decided.
    pub is_nonminimal: bool,
    /// It counts in the statistics of latencies: it was created in the measured window, or there
    /// is none.
    pub is_measured: bool,
}

impl PacketFacts {
    /// Age at `now`, which is not before its creation.
    #[inline(always)]
    #[must_use]
    pub fn age(&self, now: Instant) -> Span {
        now - self.created
    }
}

/// When a packet starts at its NIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Injection {
    /// Since when the packet exists.
    pub exists: Instant,
    /// Its start on the host channel.
    pub at: Instant,
    /// How long it occupies it.
    pub serialization: Span,
}

/// Why a NIC could not start a packet that existed, with its channel free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NicStall {
    /// The router's input buffer was full.
    Credits,
    /// As many requests as allowed were not answered yet.
    Outstanding,
}

/// Routers and nodes that one probe hears of: those of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProbeScope {
    /// Numbers of routers.
    pub routers: Range<u32>,
    /// Numbers of nodes.
    pub nodes: Range<u32>,
    /// Ports of a router.
    pub radix: u32,
}

/// Hears of everything that happens in its [`ProbeScope`] of a network.
///
/// Events of one router come in the order of their instants only within a port; different routers
/// are simulated one after the other through a short span of time. A probe must not depend on the
/// order in which it hears of different routers: then its sums do not depend on threads.
///
/// Every event has an empty default. Instants may lie up to one epoch ahead of other routers.
#[expect(unused_variables, reason = "defaults do nothing")]
pub trait Probe: Send {
    /// A message of `bytes` was handed to the NIC of `node` for `target`.
    #[inline(always)]
    fn posted(&mut self, node: NodeId, target: NodeId, bytes: u64, at: Instant) {}

    /// A packet starts on the host channel of its source. `is_response`: it answers another packet
    /// (data that answer a get are packets of a message like any other).
    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, is_response: bool, start: Injection) {}

    /// A packet could have started at the NIC of `node` from `since` on, but for `cause`, and
    /// starts at `until`.
    #[inline(always)]
    fn nic_stalled(&mut self, node: NodeId, cause: NicStall, since: Instant, until: Instant) {}

    /// A packet enters `router`: its `hops` count this one.
    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {}

    /// A packet became the head of its input FIFO (`cioq`) and is routed to `channel`.
    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {}

    /// A packet joins the queue of `channel` at `at`; it may start from `ready` on.
    #[inline(always)]
    fn queued(
        &mut self,
        channel: Channel,
        vc: u8,
        packet: &PacketFacts,
        (at, ready): (Instant, Instant),
    ) {
    }

    /// A packet starts on `channel` and occupies it for `serialization`; `class` is its traffic
    /// class. Its `vc` is the one it came on; it goes on `vc`.
    #[inline(always)]
    fn started(
        &mut self,
        channel: Channel,
        (vc, class): (u8, u8),
        packet: &PacketFacts,
        (at, serialization): (Instant, Span),
    ) {
    }

    /// A packet leaves its input buffer of `router`.
    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {}

    /// `channel` is free at `at`, but nothing can start, for want of credits on the virtual channels
    /// `lacking` (a bit set); announced at each decision that finds so.
    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {}

    /// `channel` was free and packets were ready, but all lacked credits, from `since` to `until`.
    #[inline(always)]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {}

    /// The buffer behind virtual channel `vc` of `channel` could not take a full packet from
    /// `since` to `until`.
    #[inline(always)]
    fn was_saturated(&mut self, channel: Channel, vc: u8, since: Instant, until: Instant) {}

    /// A packet of `job` takes `flits` credits of `vc` of `channel` at `at`.
    #[inline(always)]
    fn credits_taken(&mut self, channel: Channel, vc: u8, (job, flits): (u8, u32), at: Instant) {}

    /// `flits` credits of `vc` that a packet of `job` had taken are usable again at `channel` from
    /// `at` on. Announced ahead of that instant, at the beginning of its window, where nothing can
    /// depend on them: no packet lacks credits of `vc` in that window.
    #[inline(always)]
    fn credits_returned(&mut self, channel: Channel, vc: u8, (job, flits): (u8, u32), at: Instant) {
    }

    /// A packet arrived at the NIC of its target.
    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {}

    /// A response arrived at the NIC that had sent the request.
    #[inline(always)]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {}

    /// A router corrected an estimate that was `error_ns` off, after a packet of `job`.
    #[inline(always)]
    fn learnt(&mut self, router: RouterId, job: u8, error_ns: u64, at: Instant) {}
}

/// Hears nothing.
impl Probe for () {}

/// A probe that may be absent.
impl<A: Probe> Probe for Option<A> {
    #[inline(always)]
    fn posted(&mut self, node: NodeId, target: NodeId, bytes: u64, at: Instant) {
        if let Some(probe) = self {
            probe.posted(node, target, bytes, at);
        }
    }

    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, is_response: bool, start: Injection) {
        if let Some(probe) = self {
            probe.injected(packet, is_response, start);
        }
    }

    #[inline(always)]
    fn nic_stalled(&mut self, node: NodeId, cause: NicStall, since: Instant, until: Instant) {
        if let Some(probe) = self {
            probe.nic_stalled(node, cause, since, until);
        }
    }

    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        if let Some(probe) = self {
            probe.entered(router, packet, at);
        }
    }

    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {
        if let Some(probe) = self {
            probe.became_head(channel, packet, at);
        }
    }

    #[inline(always)]
    fn queued(
        &mut self,
        channel: Channel,
        vc: u8,
        packet: &PacketFacts,
        times: (Instant, Instant),
    ) {
        if let Some(probe) = self {
            probe.queued(channel, vc, packet, times);
        }
    }

    #[inline(always)]
    fn started(
        &mut self,
        channel: Channel,
        lane: (u8, u8),
        packet: &PacketFacts,
        times: (Instant, Span),
    ) {
        if let Some(probe) = self {
            probe.started(channel, lane, packet, times);
        }
    }

    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        if let Some(probe) = self {
            probe.left(router, packet, at);
        }
    }

    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {
        if let Some(probe) = self {
            probe.blocked(channel, lacking, at);
        }
    }

    #[inline(always)]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {
        if let Some(probe) = self {
            probe.lacked_credits(channel, since, until);
        }
    }

    #[inline(always)]
    fn was_saturated(&mut self, channel: Channel, vc: u8, since: Instant, until: Instant) {
        if let Some(probe) = self {
            probe.was_saturated(channel, vc, since, until);
        }
    }

    #[inline(always)]
    fn credits_taken(&mut self, channel: Channel, vc: u8, taken: (u8, u32), at: Instant) {
        if let Some(probe) = self {
            probe.credits_taken(channel, vc, taken, at);
        }
    }

    #[inline(always)]
    fn credits_returned(&mut self, channel: Channel, vc: u8, returned: (u8, u32), at: Instant) {
        if let Some(probe) = self {
            probe.credits_returned(channel, vc, returned, at);
        }
    }

    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        if let Some(probe) = self {
            probe.delivered(packet, at);
        }
    }

    #[inline(always)]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {
        if let Some(probe) = self {
            probe.acknowledged(response, at);
        }
    }

    #[inline(always)]
    fn learnt(&mut self, router: RouterId, job: u8, error_ns: u64, at: Instant) {
        if let Some(probe) = self {
            probe.learnt(router, job, error_ns, at);
        }
    }
}

/// Two probes side by side.
impl<A: Probe, B: Probe> Probe for (A, B) {
    #[inline(always)]
    fn posted(&mut self, node: NodeId, target: NodeId, bytes: u64, at: Instant) {
        self.0.posted(node, target, bytes, at);
        self.1.posted(node, target, bytes, at);
    }

    #[inline(always)]
    fn injected(&mut self, packet: &PacketFacts, is_response: bool, start: Injection) {
        self.0.injected(packet, is_response, start);
        self.1.injected(packet, is_response, start);
    }

    #[inline(always)]
    fn nic_stalled(&mut self, node: NodeId, cause: NicStall, since: Instant, until: Instant) {
        self.0.nic_stalled(node, cause, since, until);
        self.1.nic_stalled(node, cause, since, until);
    }

    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        self.0.entered(router, packet, at);
        self.1.entered(router, packet, at);
    }

    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {
        self.0.became_head(channel, packet, at);
        self.1.became_head(channel, packet, at);
    }

    #[inline(always)]
    fn queued(
        &mut self,
        channel: Channel,
        vc: u8,
        packet: &PacketFacts,
        times: (Instant, Instant),
    ) {
        self.0.queued(channel, vc, packet, times);
        self.1.queued(channel, vc, packet, times);
    }

    #[inline(always)]
    fn started(
        &mut self,
        channel: Channel,
        lane: (u8, u8),
        packet: &PacketFacts,
        times: (Instant, Span),
    ) {
        self.0.started(channel, lane, packet, times);
        self.1.started(channel, lane, packet, times);
    }

    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        self.0.left(router, packet, at);
        self.1.left(router, packet, at);
    }

    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {
        self.0.blocked(channel, lacking, at);
        self.1.blocked(channel, lacking, at);
    }

    #[inline(always)]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {
        self.0.lacked_credits(channel, since, until);
        self.1.lacked_credits(channel, since, until);
    }

    #[inline(always)]
    fn was_saturated(&mut self, channel: Channel, vc: u8, since: Instant, until: Instant) {
        self.0.was_saturated(channel, vc, since, until);
        self.1.was_saturated(channel, vc, since, until);
    }

    #[inline(always)]
    fn credits_taken(&mut self, channel: Channel, vc: u8, taken: (u8, u32), at: Instant) {
        self.0.credits_taken(channel, vc, taken, at);
        self.1.credits_taken(channel, vc, taken, at);
    }

    #[inline(always)]
    fn credits_returned(&mut self, channel: Channel, vc: u8, returned: (u8, u32), at: Instant) {
        self.0.credits_returned(channel, vc, returned, at);
        self.1.credits_returned(channel, vc, returned, at);
    }

    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, at: Instant) {
        self.0.delivered(packet, at);
        self.1.delivered(packet, at);
    }

    #[inline(always)]
    fn acknowledged(&mut self, response: &PacketFacts, at: Instant) {
        self.0.acknowledged(response, at);
        self.1.acknowledged(response, at);
    }

    #[inline(always)]
    fn learnt(&mut self, router: RouterId, job: u8, error_ns: u64, at: Instant) {
        self.0.learnt(router, job, error_ns, at);
        self.1.learnt(router, job, error_ns, at);
    }
}
