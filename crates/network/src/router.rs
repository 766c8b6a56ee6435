//! The state of a router: everything that lies behind its ports.

use odonata_routing::{QTable, RouterLocation};
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{GroupId, Instant, Purpose, RouterId, Span, Stream};

use crate::classes::Monitors;
use crate::crossbar::Crossbar;
use crate::outbox::{Destination, LinkEnd};
use crate::packet::{Credit, Packet, PendingFeedback};
use crate::parameters::{Architecture, CreditReturn};
use crate::shared::Shared;
use crate::slab::{NOTHING, Slab};

/// Credits of a channel towards a node, which takes in all that comes: none are taken.
pub(crate) const PLENTY: u32 = 1 << 30;

/// Ports of a router, as a bit set.
pub(crate) type PortSet = [u64; PORT_WORDS];

/// Words of such a set: a radix is at most 255.
pub(crate) const PORT_WORDS: usize = 4;

/// One router. What every packet touches comes first.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Router {
    pub(crate) ports: Vec<OutputPort>,
    /// Of (port, VC), see [`Shared::queue`].
    pub(crate) queues: Vec<OutputQueue>,
    pub(crate) slab: Slab,
    /// Start of the window, and the credits of it that were applied early.
    pub(crate) window: Instant,
    pub(crate) early: Vec<Early>,
    pub(crate) draw: Stream,
    /// For routing.
    pub(crate) location: RouterLocation,
    /// Ports with waiting packets.
    pub(crate) busy: PortSet,
    /// First node of its group that it hosts, and the end.
    pub(crate) hosts: std::ops::Range<usize>,
    /// Nothing happens at any of its nodes before.
    pub(crate) nodes_due: Instant,
    pub(crate) id: RouterId,
    pub(crate) group: GroupId,
    /// Number of its first port among the ports of all routers.
    pub(crate) first_port: u32,
    /// Of the packet that is being routed or moved.
    pub(crate) pending_feedback: PendingFeedback,
    /// Since when the buffer behind a queue could not take a full packet, or never.
    pub(crate) low_since: Vec<Instant>,
    /// Unused in a `voq` router.
    pub(crate) crossbar: Box<Crossbar>,
    /// First packet of a queue without a reserved slot downstream, or [`NOTHING`]; empty unless
    /// slots are reserved.
    pub(crate) unreserved: Vec<u32>,
    pub(crate) monitors: Box<Monitors>,
    /// What it has learned; `None` unless routing learns.
    pub(crate) table: Option<Box<QTable>>,
}

/// One output port, and the other end of its link (packets come in from there).
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct OutputPort {
    /// Instant of the next decision; never if nothing new is awaited.
    pub(crate) due: Instant,
    /// End of the last packet: nothing starts before.
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
    pub(crate) waiting: bool,
    /// One more than the index among the early credits of the window of the last one for this
    /// port; 0 if there is none.
    pub(crate) early: u32,
    /// From the instant a packet that came in here leaves its input buffer to the instant its
    /// credits are usable at the other end.
    pub(crate) credit_return: Span,
}

/// A credit that was applied early in the window, and the one before it for the same port: one
/// more than its index, or 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Early {
    pub(crate) credit: Credit,
    pub(crate) before: u32,
}

/// The packets that wait at one output port on one virtual channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputQueue {
    /// Flits that may be sent; [`PLENTY`] towards a node.
    pub(crate) credits: u32,
    /// Flits that the output buffer still takes: a bound under `cioq`, and a count modulo 2^32
    /// under `voq`, whose queues have no bound of their own.
    pub(crate) room: u32,
    pub(crate) head: u32,
    pub(crate) tail: u32,
}

impl OutputPort {
    #[inline(always)]
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
                waiting: false,
                early: 0,
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
            head: 0,
            tail: 0,
        };
        let reserves = shared.parameters.credit_return == CreditReturn::Reservation;
        let learns = shared.routing.learns();
        Self {
            id,
            group: topology.group_of(id),
            first_port: id.0 * u32::from(topology.radix()),
            hosts,
            nodes_due: Instant::ZERO,
            busy: [0; 4],
            queues: (0..queue_count).map(queue).collect(),
            low_since: (0..queue_count).map(|_| Instant::NEVER).collect(),
            slab: Slab::default(),
            draw: Stream::new(shared.parameters.seed, Purpose::Routing, u64::from(id.0)),
            window: Instant::ZERO,
            early: Vec::new(),
            location: shared.routing.location(id),
            crossbar: Box::new(Crossbar::new(shared)),
            unreserved: (0..if reserves { queue_count } else { 0 })
                .map(|_| NOTHING)
                .collect(),
            monitors: Box::new(Monitors::new(&shared.class_policy, shared.radix)),
            table: learns.then(|| Box::new(shared.routing.table(id))),
            pending_feedback: PendingFeedback::default(),
            ports,
        }
    }

    /// Whether no packet is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.busy == PortSet::default() && self.crossbar.is_empty()
    }

    /// Whether nothing happens in it as long as nothing reaches it, and no credit of the window was
    /// applied early.
    #[inline(always)]
    pub(crate) fn rests(&self, shared: &Shared) -> bool {
        let is_voq = shared.parameters.architecture == Architecture::Voq;
        is_voq && self.busy == PortSet::default() && self.early.is_empty()
    }

    /// Flits waiting on one virtual channel.
    pub(crate) fn queued_flits(&self, shared: &Shared, port: usize, vc: u8) -> u32 {
        let queue = &self.queues[shared.queue(port, vc)];
        shared
            .parameters
            .output_buffer_flits
            .wrapping_sub(queue.room)
    }

    /// Calls `each` for the packets of a queue that is not empty, in order.
    pub(crate) fn each_queued(
        &self,
        shared: &Shared,
        port: usize,
        vc: u8,
        mut each: impl FnMut(&Packet),
    ) {
        let queue = &self.queues[shared.queue(port, vc)];
        let mut index = queue.head;
        loop {
            let packet = self.slab.get(index);
            each(packet);
            if index == queue.tail {
                return;
            }
            index = packet.link;
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
                topology.position(other) as u16,
                back.0 as u8,
                kind,
                destination,
            )
        }
        node => {
            let destination = node.map_or(Destination::HERE, |_| Destination::NODES);
            LinkEnd::new(topology.position(id) as u16, port as u8, kind, destination)
        }
    }
}
