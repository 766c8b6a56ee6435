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
    /// Its target has many sources, and they pace themselves.
    Pacing,
}

/// A packet joins a queue of an output port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queueing {
    /// Virtual channel of the queue.
    pub vc: u8,
    /// When it joins.
    pub at: Instant,
    /// First instant at which it may start.
    pub ready: Instant,
}

/// A packet starts on a channel of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelStart {
    /// Virtual channel that it goes on.
    pub vc: u8,
    /// Its traffic class.
    pub class: u8,
    /// When it starts.
    pub at: Instant,
    /// How long it occupies the channel.
    pub serialization: Span,
}

/// Credits that a packet takes, or that return because of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CreditChange {
    /// Virtual channel of the credits.
    pub vc: u8,
    /// Job of the packet.
    pub job: u8,
    /// Number of credits, flits.
    pub flits: u32,
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

    /// The NIC of `node` is told something about `target` by congestion control; `sources` are as
    /// many as the target has, 0 if that is not what it is told.
    #[inline(always)]
    fn noticed(&mut self, node: NodeId, target: NodeId, sources: u32, at: Instant) {}

    /// A packet enters `router`: its `hops` count this one.
    #[inline(always)]
    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {}

    /// A packet became the head of its input FIFO (`cioq`) and is routed to `channel`.
    #[inline(always)]
    fn became_head(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {}

    /// A packet joins the queue of `channel`.
    #[inline(always)]
    fn queued(&mut self, channel: Channel, packet: &PacketFacts, queueing: Queueing) {}

    /// A packet starts on `channel`. `packet.vc` is the virtual channel it came on, `start.vc` the
    /// one it goes on.
    #[inline(always)]
    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {}

    /// A packet leaves its input buffer of `router`.
    #[inline(always)]
    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {}

    /// `channel` is free at `at`, but nothing can start, for want of credits on the virtual
    /// channels `lacking` (a bit set); announced at each decision that finds so.
    #[inline(always)]
    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {}

    /// `channel` was free and packets were ready, but all lacked credits, from `since` to `until`.
    #[inline(always)]
    fn lacked_credits(&mut self, channel: Channel, since: Instant, until: Instant) {}

    /// The buffer behind virtual channel `vc` of `channel` could not take a full packet from
    /// `since` to `until`.
    #[inline(always)]
    fn was_saturated(&mut self, channel: Channel, vc: u8, since: Instant, until: Instant) {}

    /// A packet that joined the queue of virtual channel `vc` of `channel` at `since` found no room
    /// at the other end; the next credit of `vc` came at `until`. Later ones that find none until
    /// then are not announced, nor those behind a packet that has a place reserved.
    #[inline(always)]
    fn was_refused(&mut self, channel: Channel, vc: u8, since: Instant, until: Instant) {}

    /// A packet takes credits of `channel` at `at`.
    #[inline(always)]
    fn credits_taken(&mut self, channel: Channel, credits: CreditChange, at: Instant) {}

    /// Credits that a packet had taken are usable again at `channel` from `at` on. Announced ahead
    /// of that instant, at the beginning of its window, where nothing can depend on them: no packet
    /// lacks credits of their virtual channel in that window.
    #[inline(always)]
    fn credits_returned(&mut self, channel: Channel, credits: CreditChange, at: Instant) {}

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

/// The events of a [`Probe`] that passes each of them on: to parts of `self` in their
/// order, or to the probe inside of a `self` that is an `Option`.
///
/// ```
/// use odonata_telemetry::{Probe, Recorder, Telemetry, forward_events};
/// struct Both {
///     counted: Telemetry,
///     records: Option<Recorder>,
/// }
///
/// impl Probe for Both {
///     forward_events!(self => [self.counted, self.records]);
/// }
/// ```
#[macro_export]
macro_rules! forward_events {
    ($self:ident => $to:tt) => {
        $crate::forward_events!(@each $self $to
            posted(
                node: ::odonata_units::NodeId,
                target: ::odonata_units::NodeId,
                bytes: u64,
                at: ::odonata_units::Instant
            )
            injected(
                packet: &$crate::probe::PacketFacts,
                is_response: bool,
                start: $crate::probe::Injection
            )
            nic_stalled(
                node: ::odonata_units::NodeId,
                cause: $crate::probe::NicStall,
                since: ::odonata_units::Instant,
                until: ::odonata_units::Instant
            )
            noticed(
                node: ::odonata_units::NodeId,
                target: ::odonata_units::NodeId,
                sources: u32,
                at: ::odonata_units::Instant
            )
            entered(
                router: ::odonata_units::RouterId,
                packet: &$crate::probe::PacketFacts,
                at: ::odonata_units::Instant
            )
            became_head(
                channel: $crate::probe::Channel,
                packet: &$crate::probe::PacketFacts,
                at: ::odonata_units::Instant
            )
            queued(
                channel: $crate::probe::Channel,
                packet: &$crate::probe::PacketFacts,
                queueing: $crate::probe::Queueing
            )
            started(
                channel: $crate::probe::Channel,
                packet: &$crate::probe::PacketFacts,
                start: $crate::probe::ChannelStart
            )
            left(
                router: ::odonata_units::RouterId,
                packet: &$crate::probe::PacketFacts,
                at: ::odonata_units::Instant
            )
            blocked(channel: $crate::probe::Channel, lacking: u32, at: ::odonata_units::Instant)
            lacked_credits(
                channel: $crate::probe::Channel,
                since: ::odonata_units::Instant,
                until: ::odonata_units::Instant
            )
            was_saturated(
                channel: $crate::probe::Channel,
                vc: u8,
                since: ::odonata_units::Instant,
                until: ::odonata_units::Instant
            )
            was_refused(
                channel: $crate::probe::Channel,
                vc: u8,
                since: ::odonata_units::Instant,
                until: ::odonata_units::Instant
            )
            credits_taken(
                channel: $crate::probe::Channel,
                credits: $crate::probe::CreditChange,
                at: ::odonata_units::Instant
            )
            credits_returned(
                channel: $crate::probe::Channel,
                credits: $crate::probe::CreditChange,
                at: ::odonata_units::Instant
            )
            delivered(packet: &$crate::probe::PacketFacts, at: ::odonata_units::Instant)
            acknowledged(response: &$crate::probe::PacketFacts, at: ::odonata_units::Instant)
            learnt(
                router: ::odonata_units::RouterId,
                job: u8,
                error_ns: u64,
                at: ::odonata_units::Instant
            )
        );
    };
    (@each $self:ident $to:tt $($event:ident $arguments:tt)+) => {
        $($crate::forward_events!(@one $self $to $event $arguments);)+
    };
    (@one $self:ident $to:tt $event:ident ($($argument:ident: $type:ty),+)) => {
        #[inline(always)]
        fn $event(&mut $self, $($argument: $type),+) {
            $crate::forward_events!(@call $self $to $event ($($argument),+));
        }
    };
    (@call $self:ident optional $event:ident $arguments:tt) => {
        if let Some(probe) = $self {
            probe.$event $arguments;
        }
    };
    (@call $self:ident [$($part:expr),+] $event:ident $arguments:tt) => {
        $($part.$event $arguments;)+
    };
}

/// Hears nothing.
impl Probe for () {}

/// A probe that somebody else keeps.
impl<P: Probe + ?Sized> Probe for &mut P {
    forward_events!(self => [(**self)]);
}

/// A probe that may be absent.
impl<A: Probe> Probe for Option<A> {
    forward_events!(self => optional);
}

/// Two probes side by side.
impl<A: Probe, B: Probe> Probe for (A, B) {
    forward_events!(self => [self.0, self.1]);
}

#[cfg(test)]
mod tests {
    /// An event that is missing in the list of `forward_events` would be lost without a word.
    #[test]
    fn every_event_is_passed_on() {
        let source = include_str!("probe.rs");
        let (_, from_trait) = source.split_once("pub trait Probe").unwrap_or_default();
        let (events, others) = from_trait.split_once("\n}\n").unwrap_or_default();
        let (_, list) = others.split_once("(@each $self $to").unwrap_or_default();
        let (list, _) = list.split_once("        );\n").unwrap_or_default();
        let names = events.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix("    fn ")?.split_once('(')?;
            Some(name)
        });
        let mut count = 0;
        for name in names {
            assert!(list.contains(&format!("            {name}(")), "{name}");
            count += 1;
        }
        assert!(count > 10, "{count} events");
    }
}
