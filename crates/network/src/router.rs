//! The state of a router: everything that lies behind its ports.

use std::num::NonZeroU32;

use odonata_routing::{QTable, RouterLocation};
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{GroupId, Instant, Purpose, RouterId, Span, Stream};

use crate::classes::Monitors;
use crate::crossbar::Crossbar;
use crate::index::{LocalRouter, SlabIndex};
use crate::outbox::{Destination, LinkEnd};
use crate::packet::{Credit, Packet, PendingFeedback};
use crate::parameters::{Architecture, CreditReturn};
use crate::port_set::PortSet;
use crate::shared::Shared;
use crate::slab::Slab;

/// Credits of a channel towards a node, which takes in all that comes: none are taken.
pub(crate) const PLENTY: u32 = 1 << 30;

/// A router. What every packet touches comes first.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Router {
    pub(crate) ports: Vec<OutputPort>,
    /// `[queue]`, see [`Shared::queue`].
    pub(crate) queues: Vec<OutputQueue>,
    pub(crate) slab: Slab,
    /// The start of the window that is simulated.
    pub(crate) window: Instant,
    /// The credits of the window that were applied early.
    pub(crate) early: Vec<EarlyCredit>,
    pub(crate) draw: Stream,
    /// What routing knows of where the router is.
    pub(crate) location: RouterLocation,
    /// Ports with waiting packets.
    pub(crate) busy: PortSet,
    /// The nodes of the group that are attached to the router.
    pub(crate) hosts: std::ops::Range<usize>,
    /// The instant before which nothing happens at any of the nodes.
    pub(crate) nodes_due: Instant,
    pub(crate) id: RouterId,
    pub(crate) group: GroupId,
    /// The number of the first port among the ports of all routers.
    pub(crate) first_port: u32,
    /// What is fed back of the packet that is being routed or moved.
    pub(crate) pending_feedback: PendingFeedback,
    /// `[queue]`: since when the buffer behind the queue could not take a full packet, or never.
    pub(crate) low_since: Vec<Instant>,
    /// Unused in a `voq` router.
    pub(crate) crossbar: Box<Crossbar>,
    /// `[queue]`: the first packet without a reserved slot downstream; empty unless slots are
    /// reserved.
    pub(crate) unreserved: Vec<Option<SlabIndex>>,
    pub(crate) monitors: Box<Monitors>,
    /// What the router has learned; `None` unless routing learns.
    pub(crate) table: Option<Box<QTable>>,
}

/// An output port, and the other end of its link, from where packets come in.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct OutputPort {
    /// The instant of the next decision; never if nothing new is awaited.
    pub(crate) due: Instant,
    /// The end of the last packet, before which nothing starts.
    pub(crate) free_at: Instant,
    /// Since when a ready packet has lacked credits, or never.
    pub(crate) stalled_since: Instant,
    /// Virtual channels with waiting packets.
    pub(crate) waiting_vcs: u32,
    /// Flits waiting.
    pub(crate) queued: u32,
    /// Credits taken and not yet usable again, flits; where no routing looks at credits
    /// ([`Shared::shows_credits`]) none are given back, and it means nothing.
    pub(crate) in_use: u32,
    pub(crate) far_end: LinkEnd,
    pub(crate) last_vc: u8,
    /// Nothing could start at the last decision.
    pub(crate) is_blocked: bool,
    /// The last credit for this port that was applied early in the window.
    pub(crate) early: Option<EarlyIndex>,
    /// From the instant a packet that came in here leaves its input buffer to the instant its
    /// credits are usable at the other end.
    pub(crate) credit_return: Span,
}

/// A credit that was applied early in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyCredit {
    pub(crate) credit: Credit,
    /// The one before it for the same port.
    pub(crate) before: Option<EarlyIndex>,
}

/// The number of an early credit among those of its router and window, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyIndex(NonZeroU32);

impl EarlyCredit {
    /// The last of `credits`.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "credits of a window fit memory"
    )]
    pub(crate) const fn last_of(credits: &[Self]) -> Option<EarlyIndex> {
        match NonZeroU32::new(credits.len() as u32) {
            Some(number) => Some(EarlyIndex(number)),
            None => None,
        }
    }
}

impl EarlyIndex {
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The packets that wait at one output port on one virtual channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputQueue {
    /// Flits that may be sent; [`PLENTY`] towards a node.
    pub(crate) credits: u32,
    /// Flits that the output buffer still takes: a bound under `cioq`, and a count modulo 2^32
    /// under `voq`, whose queues have no bound of their own.
    pub(crate) room: u32,
    /// The first and the last packet; they mean nothing while the queue is empty.
    pub(crate) head: SlabIndex,
    pub(crate) tail: SlabIndex,
}

impl OutputPort {
    #[inline]
    pub(crate) const fn is_host(&self) -> bool {
        self.far_end.is_node()
    }
}

impl Router {
    /// Router `id`, with `hosts` among the nodes of its group.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "ids fit 24 bits and VCs 8, checked before"
    )]
    pub(crate) fn new(shared: &Shared, id: RouterId, hosts: std::ops::Range<usize>) -> Self {
        let topology = &shared.topology;
        let far_ends = (0..topology.radix()).map(|port| far_end(shared, id, port));
        let ports: Vec<OutputPort> = far_ends
            .map(|far_end| OutputPort {
                due: Instant::NEVER,
                free_at: Instant::ZERO,
                stalled_since: Instant::NEVER,
                waiting_vcs: 0,
                queued: 0,
                in_use: 0,
                far_end,
                last_vc: (shared.vcs - 1) as u8,
                is_blocked: false,
                early: None,
                credit_return: shared.times.credit_return(far_end.kind),
            })
            .collect();
        let queue_count = shared.radix * shared.vcs;
        let queue = |index: usize| OutputQueue {
            credits: match ports[index / shared.vcs].far_end.kind {
                LinkKind::Host => PLENTY,
                kind => shared.depth(kind),
            },
            room: shared.parameters.output_buffer_flits,
            head: SlabIndex::FIRST,
            tail: SlabIndex::FIRST,
        };
        let reserves = shared.parameters.credit_return == CreditReturn::Reservation;
        let learns = shared.routing.learns();
        Self {
            id,
            group: topology.group_of(id),
            first_port: id.0 * u32::from(topology.radix()),
            hosts,
            nodes_due: Instant::ZERO,
            busy: PortSet::default(),
            queues: (0..queue_count).map(queue).collect(),
            low_since: (0..queue_count).map(|_| Instant::NEVER).collect(),
            slab: Slab::default(),
            draw: Stream::new(shared.parameters.seed, Purpose::Routing, u64::from(id.0)),
            window: Instant::ZERO,
            early: Vec::new(),
            location: shared.routing.location(id),
            crossbar: Box::new(Crossbar::new(shared)),
            unreserved: vec![None; if reserves { queue_count } else { 0 }],
            monitors: Box::new(Monitors::new(&shared.class_policy, shared.radix)),
            table: learns.then(|| Box::new(shared.routing.table(id))),
            pending_feedback: PendingFeedback::default(),
            ports,
        }
    }

    /// Whether no packet is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.busy.is_empty() && self.crossbar.is_empty()
    }

    /// Whether nothing happens in it as long as nothing reaches it, and no credit of the window was
    /// applied early.
    #[inline]
    pub(crate) fn rests(&self, shared: &Shared) -> bool {
        let is_voq = shared.parameters.architecture == Architecture::Voq;
        is_voq && self.busy.is_empty() && self.early.is_empty()
    }

    /// Flits waiting on one virtual channel.
    pub(crate) fn queued_flits(&self, shared: &Shared, port: PortIndex, vc: u8) -> u32 {
        let queue = &self.queues[shared.queue(port, vc).index()];
        shared
            .parameters
            .output_buffer_flits
            .wrapping_sub(queue.room)
    }

    /// Calls `each` for the packets of a queue that is not empty, in order.
    pub(crate) fn each_queued(
        &self,
        shared: &Shared,
        port: PortIndex,
        vc: u8,
        mut each: impl FnMut(&Packet),
    ) {
        let mut next = Some(self.queues[shared.queue(port, vc).index()].head);
        while let Some(index) = next {
            let packet = self.slab.get(index);
            each(packet);
            next = packet.next();
        }
    }
}

/// The other end of the link at `port` of router `id`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a radix is at most 255, groups and their routers at most 2^16"
)]
fn far_end(shared: &Shared, id: RouterId, port: u16) -> LinkEnd {
    let topology = &shared.topology;
    let kind = topology.port_kind(PortIndex(port));
    let group = topology.group_of(id);
    match topology.neighbour(id, PortIndex(port)) {
        Some(Attachment::Router(other, back)) => {
            let to = topology.group_of(other);
            let destination = if to == group {
                Destination::HERE
            } else {
                Destination::to_group(to.0 as u16)
            };
            LinkEnd::new(
                LocalRouter::new(topology.position(other) as usize),
                back.0 as u8,
                kind,
                destination,
            )
        }
        node => {
            let destination = node.map_or(Destination::HERE, |_| Destination::NODES);
            let router = LocalRouter::new(topology.position(id) as usize);
            LinkEnd::new(router, port as u8, kind, destination)
        }
    }
}
