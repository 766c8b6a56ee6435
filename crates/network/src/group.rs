//! One group of routers with its nodes, and the walk through its windows.

use std::marker::PhantomData;

use odonata_engine as engine;
use odonata_telemetry::Probe;
use odonata_units::{GroupId, Instant, NodeId, RouterId, Span};

use crate::advance::RouterArrivals;
use crate::features::Features;
use crate::in_flight::{ChunkPools, GroupArrivals, InFlight, PacketInFlight, wheel};
use crate::inbox::Incoming;
use crate::node::{Node, together};
use crate::outbox::{GroupTotals, Outbox, Parts};
use crate::packet::{Feedback, YOUNG_BITS};
use crate::router::Router;
use crate::shared::Shared;
use crate::wake_schedule::WakeSchedule;
use odonata_endpoint::Endpoint;

/// Everything a group owns.
#[derive(Debug)]
pub(crate) struct Group<E> {
    id: GroupId,
    first_node: u32,
    pub(crate) routers: Vec<Router>,
    pub(crate) nodes: Vec<Node<E>>,
    /// Nothing happens at a node before; together, for most nodes of a router wait for long.
    due: Vec<Instant>,
    wakes: WakeSchedule,
    /// What reaches it, by window.
    wheel: Vec<InFlight>,
    /// Routers that something happens at in a window, as a bit set.
    active: Vec<u64>,
    pub(crate) totals: GroupTotals,
    announced: Vec<Incoming>,
    /// End of the last epoch.
    until: Instant,
    /// Period of 2^36 ps in which packets were last marked as old.
    marked: u64,
}

/// What the groups of one thread share.
#[derive(Debug)]
pub(crate) struct Worker<P> {
    pub(crate) probe: P,
    pools: ChunkPools,
    /// What reaches the group that is simulated in the window.
    arrivals: GroupArrivals,
    /// From the router that is simulated.
    to_nodes: InFlight,
    /// By router of the group that is simulated: what reaches it in the window.
    reaching: Vec<RouterArrivals>,
}

impl<P> Worker<P> {
    pub(crate) fn new(probe: P) -> Self {
        Self {
            probe,
            pools: ChunkPools::default(),
            arrivals: GroupArrivals::default(),
            to_nodes: InFlight::default(),
            reaching: Vec::new(),
        }
    }
}

/// A group that is simulated by one combination of features, under one kind of probe.
#[derive(Debug)]
pub(crate) struct Running<'a, F, E, P> {
    shared: &'a Shared,
    group: &'a mut Group<E>,
    kind: PhantomData<fn() -> (F, P)>,
}

impl<'a, F, E, P> Running<'a, F, E, P> {
    pub(crate) const fn new(shared: &'a Shared, group: &'a mut Group<E>) -> Self {
        Self {
            shared,
            group,
            kind: PhantomData,
        }
    }
}

impl<E: Endpoint> Group<E> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "ids fit 24 bits, checked before"
    )]
    pub(crate) fn new(shared: &Shared, id: GroupId, endpoints: Vec<E>) -> Self {
        let topology = &shared.topology;
        let first_node = topology.first_node(id).0;
        let mut totals = GroupTotals::default();
        let mut routers = Vec::new();
        let mut nodes = Vec::new();
        let mut endpoints = endpoints.into_iter();
        for (index, router) in topology.routers_of(id).enumerate() {
            let first = nodes.len();
            let count = topology.nodes_of(router).len();
            for (port, endpoint) in endpoints.by_ref().take(count).enumerate() {
                let node = NodeId(first_node + nodes.len() as u32);
                let at = (index, port);
                nodes.push(Node::new(shared, node, at, endpoint, &mut totals));
            }
            routers.push(Router::new(shared, router, first..nodes.len()));
        }
        let wakes = WakeSchedule::new(shared, routers.len());
        Self {
            id,
            first_node,
            routers,
            due: nodes.iter().map(Node::begins).collect(),
            nodes,
            active: vec![0; wakes.words()],
            wakes,
            wheel: wheel(shared),
            totals,
            announced: Vec::new(),
            until: Instant::NEVER,
            marked: 0,
        }
    }

    /// How much work it is beside other groups, before the run: through one whose nodes do nothing
    /// only detours pass.
    pub(crate) fn weight(&self) -> u64 {
        let at_work = self.due.iter().filter(|due| **due < Instant::NEVER);
        (self.routers.len() + 16 * at_work.count()) as u64
    }

    /// First router of the group.
    pub(crate) fn first_router(&self) -> RouterId {
        self.routers.first().map_or(RouterId(0), |router| router.id)
    }

    /// Keeps the ages of packets that are held for long from wrapping; from epoch to epoch.
    fn mark_old(&mut self, now: Instant) {
        let period = now.ps() >> YOUNG_BITS;
        if period == self.marked {
            return;
        }
        self.marked = period;
        for router in &mut self.routers {
            router.slab.mark_old(now);
        }
        for in_flight in &mut self.wheel {
            let mark = |flight: &mut PacketInFlight| flight.packet.mark_if_old(now);
            in_flight.packets.change_all(mark);
        }
    }

    /// Whether packets or credits are on their way within this group, or packets wait in it; most
    /// often the first in_flight from `slot` on that is looked at knows.
    fn is_moving(&self, slot: usize) -> bool {
        let (later, next) = self.wheel.split_at(slot);
        let is_any = |lists: &[InFlight]| lists.iter().any(|in_flight| !in_flight.is_empty());
        is_any(next) || is_any(later) || self.routers.iter().any(|router| !router.is_empty())
    }

    fn expect_message(&mut self, incoming: Incoming) {
        let node = (incoming.message.target.0 - self.first_node) as usize;
        self.nodes[node].expect(incoming);
    }

    /// Simulates all windows from `from` to `to`.
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^16 groups")]
    fn advance<F: Features, P: Probe>(
        &mut self,
        shared: &Shared,
        (from, to): (Instant, Instant),
        worker: &mut Worker<P>,
        mail: &mut [InFlight],
    ) {
        self.mark_old(from);
        if worker.reaching.len() < self.routers.len() {
            let routers = self.routers.len();
            worker
                .reaching
                .resize_with(routers, RouterArrivals::default);
        }
        let mut out = Outbox::<F, P>::new(Parts {
            group: self.id.0 as u16,
            shared,
            wakes: &mut self.wakes,
            wheel: &mut self.wheel,
            totals: &mut self.totals,
            announced: &mut self.announced,
            probe: &mut worker.probe,
            pools: &mut worker.pools,
            to_nodes: &mut worker.to_nodes,
            mail,
        });
        if self.until != from {
            // Idle time was skipped, and with it what routers had planned for it.
            for router in 0..self.routers.len() {
                out.schedule(router, from, from);
            }
        }
        self.until = to;
        let mut walk = Walk {
            routers: &mut self.routers,
            nodes: &mut self.nodes,
            due: &mut self.due,
            active: &mut self.active,
            reaching: &mut worker.reaching,
            arrivals: &mut worker.arrivals,
            out,
        };
        let mut start = from;
        while start < to {
            let end = start.plus(shared.window());
            walk.advance((start, end.min(to)));
            start = end;
        }
    }
}

/// The parts of a group, on its way through its windows.
struct Walk<'a, F, E, P> {
    routers: &'a mut [Router],
    nodes: &'a mut [Node<E>],
    due: &'a mut [Instant],
    /// Routers that something happens at in the window, as a bit set.
    active: &'a mut [u64],
    reaching: &'a mut [RouterArrivals],
    arrivals: &'a mut GroupArrivals,
    out: Outbox<'a, F, P>,
}

impl<F: Features, E: Endpoint, P: Probe> Walk<'_, F, E, P> {
    /// The window from `start` to `end`: nodes first, then what reaches the routers, then they. The
    /// last window of a run may be a short one.
    fn advance(&mut self, (start, end): (Instant, Instant)) {
        let slot = self.out.shared.clock.slot(start);
        if self.out.wakes.is_quiet(slot) && self.out.window(slot).is_empty() {
            return;
        }
        let mut is_any = false;
        for word in 0..self.active.len() {
            let wakes = self.out.wakes.take(slot, word);
            self.active[word] = wakes;
            is_any |= wakes != 0;
        }
        if is_any {
            self.run_nodes((start, end));
        }
        self.open(slot, (start, end));
        for word in 0..self.active.len() {
            let mut active = self.active[word];
            while active != 0 {
                let index = word * 64 + active.trailing_zeros() as usize;
                active &= active - 1;
                self.run_router(index, (start, end));
            }
        }
        self.arrivals.keep(self.out.pools);
    }

    /// Nodes of active routers, up to the end of the window less their way into the router.
    #[inline(never)]
    fn run_nodes(&mut self, (window_start, window_end): (Instant, Instant)) {
        let lag = self.out.shared.nic_lag;
        let end = Instant::from_ps(window_end.ps().saturating_sub(lag.ps()));
        let in_sets = !self.out.shared.sets.is_empty();
        for word in 0..self.active.len() {
            let mut active = self.active[word];
            while active != 0 {
                let index = word * 64 + active.trailing_zeros() as usize;
                active &= active - 1;
                if self.routers[index].nodes_due >= end {
                    continue;
                }
                if in_sets {
                    self.run_sets_of(index, end, (window_start, window_end));
                } else {
                    self.run_nodes_of(index, end);
                }
            }
        }
        while let Some(incoming) = self.out.announced.pop() {
            let first = self.out.shared.topology.first_node(self.out.group_id());
            let node = (incoming.message.target.0 - first.0) as usize;
            self.nodes[node].expect(incoming);
        }
    }

    /// Nodes of one router, up to `end`.
    #[inline(always)]
    fn run_nodes_of(&mut self, index: usize, end: Instant) {
        let router = &mut self.routers[index];
        let mut due = Instant::NEVER;
        for host in router.hosts.clone() {
            let mut next = self.due[host];
            if next < end {
                next = self.nodes[host].advance(&mut self.out, end);
                self.due[host] = next;
            }
            due = due.min(next);
        }
        router.nodes_due = due;
    }

    /// The same where nodes are used together.
    fn run_sets_of(&mut self, index: usize, end: Instant, window: (Instant, Instant)) {
        let hosts = self.routers[index].hosts.clone();
        for host in hosts.clone() {
            if self.due[host] < end {
                self.run_together(host, end, window);
            }
        }
        let due = self.due[hosts].iter().min();
        self.routers[index].nodes_due = due.copied().unwrap_or(Instant::NEVER);
    }

    /// Nodes that are used together, up to `end`; their routers are looked at when they are due.
    fn run_together(&mut self, host: usize, end: Instant, (start, window_end): (Instant, Instant)) {
        let shared = self.out.shared;
        let first = shared.topology.first_node(self.out.group_id()).0 as usize;
        let set = shared.sets[first + host] as usize;
        let members = shared.observe.sharing.together[set].iter();
        let members: Vec<usize> = members.map(|node| node.index() - first).collect();
        let nodes = (&mut *self.nodes, &members[..], &mut *self.due);
        together::advance(nodes, &mut self.out, end);
        for member in members {
            let node = &self.nodes[member];
            let due = self.due[member];
            let router = &mut self.routers[node.router()];
            router.nodes_due = router.nodes_due.min(due);
            let next = due.ps().saturating_add(shared.nic_lag.ps());
            if next < Instant::NEVER.ps() {
                let next = Instant::from_ps(next).max(window_end);
                self.out.schedule(node.router(), next, start);
            }
        }
    }

    /// Tells routers what reaches them in the window, and hands them credits.
    #[inline(never)]
    fn open(&mut self, slot: usize, (start, end): (Instant, Instant)) {
        let arrivals = &mut *self.arrivals;
        self.out.take(slot, arrivals);
        let Outbox { shared, probe, .. } = &mut self.out;
        if end - start < shared.window() {
            arrivals.cut(end - start);
        }
        // Of one length, so that an index is checked once for both.
        let count = self.routers.len().min(self.reaching.len());
        let routers = &mut self.routers[..count];
        let reaching = &mut self.reaching[..count];
        let active = &mut *self.active;
        arrivals.credits.for_each(|_, returning| {
            let index = usize::from(returning.router);
            let is_kept = routers[index].foresee_credit(
                (shared, *probe),
                &mut reaching[index],
                (returning.credit, start),
            );
            active[index >> 6] |= u64::from(is_kept) << (index & 63);
        });
        arrivals.packets.for_each(|number, flight| {
            let index = usize::from(flight.router);
            active[index >> 6] |= 1 << (index & 63);
            let packet = &flight.packet;
            let order = &mut reaching[index].order;
            order.push(number, (packet.link, packet.in_port));
        });
        if shared.equipment.learns::<F>() {
            arrivals.feedback.for_each(|number, waiting| {
                let index = usize::from(waiting.router);
                active[index >> 6] |= 1 << (index & 63);
                let Feedback { offset, port, .. } = waiting.feedback;
                let feedback = &mut reaching[index].feedback;
                feedback.push(number, (offset, port));
            });
        }
    }

    /// A router through the window; plans when it is looked at again.
    #[inline(always)]
    fn run_router(&mut self, index: usize, (start, end): (Instant, Instant)) {
        let router = &mut self.routers[index];
        let reaching = &mut self.reaching[index];
        let mut next = Instant::NEVER;
        if !(reaching.is_empty() && router.rests(self.out.shared)) {
            let arriving = (reaching, &mut *self.arrivals);
            next = router.advance(&mut self.out, arriving, (start, end));
            if self.out.has_for_nodes() {
                tell_nodes(router, (self.nodes, self.due), &mut self.out, start);
            }
        }
        // A node acts `lag` before the window in which its router sees it.
        let lag = self.out.shared.nic_lag;
        let nodes = router.nodes_due.ps().saturating_add(lag.ps());
        let next = next.min(Instant::from_ps(nodes));
        if next < Instant::NEVER {
            self.out.schedule(index, next.max(end), start);
        }
    }
}

/// Tells the nodes of `router` what it sent them in the window that starts at `start`, and what it
/// gave them back.
#[inline(never)]
fn tell_nodes<F: Features, E: Endpoint, P: Probe>(
    router: &mut Router,
    (nodes, due): (&mut [Node<E>], &mut [Instant]),
    out: &mut Outbox<'_, F, P>,
    start: Instant,
) {
    let shared = out.shared;
    let first = router.hosts.start;
    if !out.for_nodes().credits.is_empty() {
        let mut credits = std::mem::take(&mut out.for_nodes().credits);
        credits.read(|returning| {
            let credit = returning.credit;
            let host = first + credit.port();
            let node = &mut nodes[host];
            if node.takes_at_once::<F>(shared, credit) {
                return;
            }
            let window = shared.clock.instant(start, returning.slot);
            let usable = window.plus(Span::from_ps(credit.offset()));
            node.expect_credit::<F>(shared, usable, credit);
            let due = &mut due[host];
            *due = usable.min(*due);
            router.nodes_due = usable.min(router.nodes_due);
        });
        out.pools.credits.clear(&mut credits);
        out.for_nodes().credits.put_back(credits);
    }
    if !out.for_nodes().packets.is_empty() {
        let mut packets = std::mem::take(&mut out.for_nodes().packets);
        packets.read(|flight| {
            let packet = &flight.packet;
            let start = start.plus(Span::from_ps(u64::from(packet.link)));
            let delay = shared.times.delivery(packet.flits);
            let host = first + usize::from(packet.in_port);
            let wake = nodes[host].receive(out, packet, (start, delay));
            if wake < Instant::NEVER {
                let due = &mut due[host];
                *due = wake.min(*due);
                router.nodes_due = wake.min(router.nodes_due);
            }
        });
        out.pools.packets.clear(&mut packets);
        out.for_nodes().packets.put_back(packets);
    }
}

impl<F: Features, E: Endpoint, P: Probe> engine::Block for Running<'_, F, E, P> {
    type Mail = InFlight;
    type Local = Worker<P>;

    fn receive(&mut self, mail: &mut InFlight, worker: &mut Worker<P>) {
        let group = &mut *self.group;
        let ChunkPools {
            packets,
            credits,
            feedback,
        } = &mut worker.pools;
        packets.drain(&mut mail.packets, |packets, flight| {
            let in_flight = &mut group.wheel[usize::from(flight.slot)];
            *packets.next(&mut in_flight.packets) = *flight;
        });
        credits.drain(&mut mail.credits, |credits, returning| {
            let in_flight = &mut group.wheel[usize::from(returning.slot)];
            *credits.next(&mut in_flight.credits) = *returning;
        });
        feedback.drain(&mut mail.feedback, |feedback, waiting| {
            let in_flight = &mut group.wheel[usize::from(waiting.slot)];
            *feedback.next(&mut in_flight.feedback) = *waiting;
        });
        for incoming in mail.messages.drain(..) {
            group.expect_message(incoming);
        }
    }

    /// Nothing is known of when: at once.
    fn needed(mail: &InFlight, now: Instant) -> Option<Instant> {
        (!mail.is_empty()).then_some(now)
    }

    fn advance(
        &mut self,
        from: Instant,
        to: Instant,
        worker: &mut Worker<P>,
        mail: &mut [InFlight],
    ) {
        self.group
            .advance::<F, P>(self.shared, (from, to), worker, mail);
    }

    fn status(&self, now: Instant) -> engine::Status {
        let group = &*self.group;
        let totals = &group.totals;
        let next = if group.is_moving(self.shared.clock.slot(now)) {
            now
        } else {
            // A NIC acts `nic_lag` before the window in which its router sees it.
            let earliest = group.due.iter().min();
            earliest.copied().unwrap_or(Instant::NEVER).max(now)
        };
        let mut open_goals = totals.unfinished;
        let mut on_the_way = totals.goal_messages;
        let mut next = next;
        if let Some(window) = self.shared.observe.measure {
            // An idle network still has to be watched to the end of the window.
            let measured = if now < window.to {
                next = next.min(window.to);
                1
            } else {
                let mut nodes = group.nodes.iter();
                totals.measured_undelivered
                    + i64::from(nodes.any(|node| node.creates_before(window.to)))
            };
            open_goals += measured;
            on_the_way += measured;
        }
        engine::Status {
            next,
            open_goals,
            goal_next: if totals.waking > 0 {
                now
            } else {
                Instant::NEVER
            },
            on_the_way,
            progress: totals.work + totals.calls,
            work: totals.work,
        }
    }
}
