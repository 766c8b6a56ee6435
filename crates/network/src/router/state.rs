//! The state of a router: everything that lies behind its ports.

use std::num::NonZeroU16;
use std::ops::Range;

use odonata_routing::{QTable, RouterLocation};
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::{GroupId, Instant, Purpose, RouterId, Stream};

use crate::flight::outbox::{Destination, LinkEnd};
use crate::model::features::Features;
use crate::model::index::SlabIndex;
use crate::model::packet::{Credit, Packet, PendingFeedback};
use crate::model::parameters::{Architecture, CreditReturn};
use crate::model::partition::Partition;
use crate::router::crossbar::Crossbar;
use crate::router::flows::Flows;
use crate::router::port_set::PortSet;
use crate::router::router_control::{RouterControl, Watched};
use crate::router::slab::Slab;
use crate::rules::classes::Monitors;
use crate::shared::all_groups::Shared;
use crate::shared::view::View;

/// Credits towards a node: its NIC always accepts, so none is consumed.
pub(crate) const PLENTY: u32 = 1 << 30;

/// A router. What every packet touches comes first.
///
/// The routers of a large network do not fit the cache, so that each line of 64 bytes that a packet
/// or a credit touches has to be fetched: the first two lines are all that a credit needs beside
/// its port and its queue, the next two what a packet needs, too.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Router {
    pub(crate) ports: Box<[OutputPort]>,
    /// `[queue]`, see [`Shared::queue`].
    pub(crate) queues: Box<[OutputQueue]>,
    /// Ports with waiting packets.
    pub(crate) busy: PortSet,
    /// The instant before which none of them decides.
    pub(crate) ports_due: Instant,
    /// The start of the window that is simulated.
    pub(crate) window: Instant,
    /// The instant before which nothing happens at any of the nodes.
    pub(crate) nodes_due: Instant,
    /// The credits of the window that were applied early.
    pub(crate) early: Vec<EarlyCredit>,
    pub(crate) id: RouterId,
    /// The number of the first port among the ports of all routers.
    pub(crate) first_port: u32,
    /// The nodes of the group that are attached to the router.
    hosts: Range<u32>,
    pub(crate) draw: Stream,
    /// `[port]`: the other ends of the links.
    pub(crate) far_ends: Box<[LinkEnd]>,
    pub(crate) slab: Slab,
    /// Location of the router, as routing knows it.
    pub(crate) location: RouterLocation,
    pub(crate) group: GroupId,
    /// Unused in a `voq` router.
    pub(crate) crossbar: Box<Crossbar>,
    /// Feedback on the packet that is being routed or moved.
    pub(crate) pending_feedback: PendingFeedback,
    /// `[port]`: since when a ready packet has lacked credits; it counts only where the port says
    /// so.
    pub(crate) stalled_since: Box<[Instant]>,
    /// `[queue]`: since when the buffer behind the queue could not take a full packet; it counts
    /// only while credits for one are lacking.
    pub(crate) low_since: Box<[Instant]>,
    /// `[queue]`: since when a packet has found no room behind the queue, if no credit has come
    /// since; credits for a full packet are lacking then.
    pub(crate) refused_since: Box<[Instant]>,
    /// `[queue]`: the first packet without a reserved slot downstream; empty unless slots are
    /// reserved. There is none while there are credits for a full packet.
    pub(crate) unreserved: Box<[Option<SlabIndex>]>,
    pub(crate) monitors: Box<Monitors>,
    /// Its congestion control; `None` unless routers send notices.
    pub(crate) control: Option<Box<RouterControl>>,
    /// Packets that it looks at where they enter and are routed.
    pub(crate) watched: Watched,
    /// Packets that it looks at where they start.
    pub(crate) watched_starts: Watched,
    /// Its decisions on flows; `None` unless packets are ordered.
    pub(crate) flows: Option<Box<Flows>>,
    /// Table that the router has learned; `None` unless routing learns.
    pub(crate) table: Option<Box<QTable>>,
    /// The instant at which one of its links goes down next.
    pub(crate) next_down: Instant,
    /// How many of them went down.
    pub(crate) downs_made: u32,
}

/// An output port: what changes of it, of which two lie in a line of the cache. What does not
/// change is in [`Router::far_end`].
#[derive(Debug)]
#[repr(align(32))]
pub(crate) struct OutputPort {
    /// The instant of the next decision; never if nothing new is awaited.
    pub(crate) due: Instant,
    /// The end of the last packet, before which nothing starts.
    pub(crate) free_at: Instant,
    /// Virtual channels with waiting packets.
    pub(crate) waiting_vcs: u32,
    /// Flits waiting.
    pub(crate) queued: u32,
    /// Credits taken and not yet usable again, flits; where no routing looks at credits
    /// ([`Shared::shows_credits`]) none are given back, and it means nothing.
    pub(crate) in_use: u32,
    /// The last credit for this port that was applied early in the window.
    pub(crate) early: Option<EarlyIndex>,
    pub(crate) last_vc: u8,
    pub(crate) obstacles: Obstacles,
}

const _: () = assert!(size_of::<OutputPort>() == 32);

/// Cause that keeps an output port from starting a packet.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Obstacles(u8);

impl Obstacles {
    const BLOCKED: u8 = 1;
    const STALLED: u8 = 2;

    /// Nothing could start at the last decision.
    #[inline(always)]
    pub(crate) const fn is_blocked(self) -> bool {
        self.0 & Self::BLOCKED != 0
    }

    /// A ready packet lacks credits, since when is in [`Router::stalled_since`].
    #[inline(always)]
    pub(crate) const fn is_stalled(self) -> bool {
        self.0 & Self::STALLED != 0
    }

    /// Nothing could start.
    #[inline(always)]
    pub(crate) const fn block(&mut self) {
        self.0 |= Self::BLOCKED;
    }

    /// Something new has come: a decision is due.
    #[inline(always)]
    pub(crate) const fn unblock(&mut self) {
        self.0 &= !Self::BLOCKED;
    }

    /// A ready packet lacks credits.
    #[inline(always)]
    pub(crate) const fn stall(&mut self) {
        self.0 |= Self::STALLED;
    }
}

/// A credit that was applied early in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyCredit {
    pub(crate) credit: Credit,
    /// The one before it for the same port.
    pub(crate) before: Option<EarlyIndex>,
}

/// The number of an early credit among those of its router and window, from 1; no more are applied
/// early than have a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyIndex(NonZeroU16);

impl EarlyCredit {
    /// The most that a router has in a window.
    pub(crate) const MOST: usize = u16::MAX as usize;

    /// The last of `credits`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "there are at most MOST")]
    pub(crate) const fn last_of(credits: &[Self]) -> Option<EarlyIndex> {
        match NonZeroU16::new(credits.len() as u16) {
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

impl OutputQueue {
    /// Whether the output buffer cannot take `flits`. What is rerouted goes beyond its bound.
    #[inline(always)]
    pub(crate) const fn lacks_room(&self, flits: u32) -> bool {
        self.room.cast_signed() < flits.cast_signed()
    }
}

impl Router {
    /// Router `id`, with `hosts` among the nodes of its group.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "ids fit 24 bits and VCs 8, checked before"
    )]
    pub(crate) fn new(
        shared: &Shared,
        partition: &Partition,
        id: RouterId,
        hosts: Range<usize>,
    ) -> Self {
        let topology = &shared.topology;
        let port = |_| OutputPort {
            due: Instant::NEVER,
            free_at: Instant::ZERO,
            waiting_vcs: 0,
            queued: 0,
            in_use: 0,
            early: None,
            last_vc: (shared.vcs - 1) as u8,
            obstacles: Obstacles::default(),
        };
        let queue_count = shared.radix * shared.vcs;
        let queue = |index: usize| OutputQueue {
            credits: match shared.kinds[index / shared.vcs] {
                LinkKind::Host => PLENTY,
                kind => shared.depth(kind),
            },
            room: shared.parameters.output_buffer_flits,
            head: SlabIndex::FIRST,
            tail: SlabIndex::FIRST,
        };
        let reserves = shared.parameters.credit_return == CreditReturn::Reservation;
        let learns = shared.routing.learns();
        let control = RouterControl::new(shared, id, hosts.len());
        let watched = Watched::new(control.as_deref(), topology.nodes_of(id));
        Self {
            id,
            group: topology.group_of(id),
            first_port: id.0 * u32::from(topology.radix()),
            hosts: hosts.start as u32..hosts.end as u32,
            nodes_due: Instant::ZERO,
            busy: PortSet::default(),
            ports_due: Instant::NEVER,
            queues: (0..queue_count).map(queue).collect(),
            stalled_since: vec![Instant::NEVER; shared.radix].into(),
            low_since: vec![Instant::NEVER; queue_count].into(),
            refused_since: vec![Instant::NEVER; queue_count].into(),
            slab: Slab::default(),
            draw: Stream::new(shared.parameters.seed, Purpose::Routing, u64::from(id.0)),
            window: Instant::ZERO,
            early: Vec::new(),
            location: shared.routing.location(id),
            crossbar: Box::new(Crossbar::new(shared)),
            unreserved: vec![None; if reserves { queue_count } else { 0 }].into(),
            monitors: Box::new(Monitors::new(&shared.class_policy, shared.radix)),
            watched,
            watched_starts: watched.at_start(control.as_deref()),
            control,
            flows: (shared.routing.orders()).then(|| Box::new(Flows::new())),
            table: learns.then(|| Box::new(shared.routing.table(id))),
            next_down: shared.first_down(id),
            downs_made: 0,
            pending_feedback: PendingFeedback::default(),
            ports: (0..shared.radix).map(port).collect(),
            far_ends: (0..topology.radix())
                .map(|port| far_end(shared, partition, id, port))
                .collect(),
        }
    }

    /// The other end of the link at `port`: where packets go to that leave by it, and where they
    /// come from that enter by it.
    #[inline(always)]
    pub(crate) const fn far_end(&self, port: PortIndex) -> &LinkEnd {
        &self.far_ends[port.index()]
    }

    /// The nodes of the group that are attached to the router.
    #[inline(always)]
    pub(crate) const fn hosts(&self) -> Range<usize> {
        self.hosts.start as usize..self.hosts.end as usize
    }

    /// Moves a router that nothing has happened at into the block that it has in `partition`, where
    /// `nodes` come before those of its group.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a block has fewer than 2^24"
    )]
    pub(crate) fn join(&mut self, shared: &Shared, partition: &Partition, nodes: usize) {
        let nodes = nodes as u32;
        self.hosts = self.hosts.start + nodes..self.hosts.end + nodes;
        for (port, end) in (0..).zip(self.far_ends.iter_mut()) {
            *end = far_end(shared, partition, self.id, port);
        }
    }

    /// Whether no packet is in it.
    #[inline(always)]
    pub(crate) fn is_empty<F: Features>(&self, shared: View<'_, F>) -> bool {
        self.busy.is_empty() && (!shared.has_crossbar() || self.crossbar.is_empty())
    }

    /// Whether nothing happens in it as long as nothing reaches it.
    #[inline]
    pub(crate) fn rests(&self, shared: &Shared) -> bool {
        let is_voq = shared.parameters.architecture == Architecture::Voq;
        is_voq && self.busy.is_empty()
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
fn far_end(shared: &Shared, partition: &Partition, id: RouterId, port: u16) -> LinkEnd {
    let topology = &shared.topology;
    let kind = topology.port_kind(PortIndex(port));
    let group = topology.group_of(id);
    match topology.neighbour(id, PortIndex(port)) {
        Some(Attachment::Router(other, back)) => {
            let to = topology.group_of(other);
            let destination = match partition.block_of(to) {
                block if block == partition.block_of(group) => Destination::HERE,
                block => Destination::to_block(block),
            };
            let extra = (shared.parameters.cables()).extra(topology, id, PortIndex(port));
            LinkEnd::new(partition.local(to, other), back.0 as u8, kind, destination)
                .longer_by(extra)
        }
        node => {
            let destination = node.map_or(Destination::HERE, |_| Destination::NODES);
            let router = partition.local(group, id);
            LinkEnd::new(router, port as u8, kind, destination)
        }
    }
}
