//! One group of routers with its nodes, and the walk through its windows.

use std::marker::PhantomData;

use odonata_engine as engine;
use odonata_telemetry::Probe;
use odonata_topology::PortIndex;
use odonata_units::{GroupId, Instant, NodeId, RouterId, Span};

use crate::advance::RouterArrivals;
use crate::features::Features;
use crate::in_flight::{ChunkPools, GroupArrivals, InFlight, PacketInFlight, wheel};
use crate::inbox::Incoming;
use crate::index::{LocalNode, LocalRouter, WindowSlot};
use crate::node::together::{self, Members};
use crate::node::{GroupNodes, HostPort, Node};
use crate::outbox::{GroupTotals, Outbox, Parts};
use crate::packet::{Feedback, YOUNG_BITS};
use crate::router::Router;
use crate::shared::Shared;
use crate::wake_schedule::WakeSchedule;
use crate::window::Window;
use odonata_endpoint::Endpoint;

/// Everything a group owns.
#[derive(Debug)]
pub(crate) struct Group<E> {
    id: GroupId,
    first_node: u32,
    pub(crate) routers: Vec<Router>,
    pub(crate) nodes: Vec<Node<E>>,
    /// `[node]`: the instant before which nothing happens at the node. They lie together, for most
    /// nodes of a router wait for long.
    due: Vec<Instant>,
    wakes: WakeSchedule,
    /// `[slot]`: what reaches the group, by window.
    wheel: Vec<InFlight>,
    /// Routers that something happens at in a window, as a bit set.
    active: Vec<u64>,
    pub(crate) totals: GroupTotals,
    announced: Vec<Incoming>,
    /// The end of the last epoch.
    until: Instant,
    /// The period of 2^36 ps in which packets were last marked as old.
    marked: u64,
}

/// What the groups of one thread share.
#[derive(Debug)]
pub(crate) struct Worker<P> {
    pub(crate) probe: P,
    pools: ChunkPools,
    /// What reaches the group that is simulated in the window.
    arrivals: GroupArrivals,
    /// What the router that is simulated sends its nodes.
    to_nodes: InFlight,
    /// `[router]`: what reaches the router of the group that is simulated in the window.
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
                let at = HostPort {
                    router: LocalRouter::new(index),
                    port: PortIndex(port as u16),
                };
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

    /// How much work the group is beside other groups, before the run: through a group whose nodes
    /// do nothing only detours pass.
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
    fn is_moving(&self, slot: WindowSlot) -> bool {
        let (later, next) = self.wheel.split_at(slot.index());
        let is_any = |lists: &[InFlight]| lists.iter().any(|in_flight| !in_flight.is_empty());
        is_any(next) || is_any(later) || self.routers.iter().any(|router| !router.is_empty())
    }

    fn expect_message(&mut self, incoming: Incoming) {
        let node = incoming.message.target.0 - self.first_node;
        self.nodes[node as usize].expect(incoming);
    }

    /// Simulates all windows of `epoch`.
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^16 groups")]
    fn advance<F: Features, P: Probe>(
        &mut self,
        shared: &Shared,
        epoch: Window,
        worker: &mut Worker<P>,
        mail: &mut [InFlight],
    ) {
        let (from, to) = (epoch.start, epoch.end);
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
                out.schedule(LocalRouter::new(router), from, from);
            }
        }
        self.until = to;
        let mut walk = Walk {
            routers: &mut self.routers,
            nodes: GroupNodes {
                nodes: &mut self.nodes,
                due: &mut self.due,
            },
            active: &mut self.active,
            reaching: &mut worker.reaching,
            arrivals: &mut worker.arrivals,
            out,
        };
        let mut start = from;
        while start < to {
            let end = start.plus(shared.window());
            walk.advance(Window {
                start,
                end: end.min(to),
            });
            start = end;
        }
    }
}

/// A group that is simulated window by window.
struct Walk<'a, F, E, P> {
    routers: &'a mut [Router],
    nodes: GroupNodes<'a, E>,
    /// Routers that something happens at in the window, as a bit set.
    active: &'a mut [u64],
    reaching: &'a mut [RouterArrivals],
    arrivals: &'a mut GroupArrivals,
    out: Outbox<'a, F, P>,
}

impl<F: Features, E: Endpoint, P: Probe> Walk<'_, F, E, P> {
    /// Simulates `window`: nodes first, then what reaches the routers, then they. The last window
    /// of a run may be a short one.
    fn advance(&mut self, window: Window) {
        let slot = self.out.shared.clock.slot(window.start);
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
            self.run_nodes(window);
        }
        self.open(slot, window);
        for word in 0..self.active.len() {
            let mut active = self.active[word];
            while active != 0 {
                let router = LocalRouter::new(word * 64 + active.trailing_zeros() as usize);
                active &= active - 1;
                self.run_router(router, window);
            }
        }
        self.arrivals.keep(self.out.pools);
    }

    /// Simulates the nodes of active routers, up to the end of the window less the time from a NIC
    /// into its router.
    #[inline(never)]
    fn run_nodes(&mut self, window: Window) {
        let lag = self.out.shared.nic_lag;
        let end = Instant::from_ps(window.end.ps().saturating_sub(lag.ps()));
        let in_sets = !self.out.shared.sets.is_empty();
        for word in 0..self.active.len() {
            let mut active = self.active[word];
            while active != 0 {
                let router = LocalRouter::new(word * 64 + active.trailing_zeros() as usize);
                active &= active - 1;
                if self.routers[router.index()].nodes_due >= end {
                    continue;
                }
                if in_sets {
                    self.run_sets_of(router, end, window);
                } else {
                    self.run_nodes_of(router, end);
                }
            }
        }
        while let Some(incoming) = self.out.announced.pop() {
            let first = self.out.shared.topology.first_node(self.out.group_id());
            let node = incoming.message.target.0 - first.0;
            self.nodes.nodes[node as usize].expect(incoming);
        }
    }

    /// Simulates the nodes of one router up to `end`.
    #[inline(always)]
    fn run_nodes_of(&mut self, router: LocalRouter, end: Instant) {
        let router = &mut self.routers[router.index()];
        let nodes = &mut self.nodes.nodes[router.hosts()];
        let due = &mut self.nodes.due[router.hosts()];
        let mut first = Instant::NEVER;
        for (node, due) in nodes.iter_mut().zip(due) {
            if *due < end {
                *due = node.advance(&mut self.out, end);
            }
            first = first.min(*due);
        }
        router.nodes_due = first;
    }

    /// As [`Walk::run_nodes_of`], where nodes are used together.
    fn run_sets_of(&mut self, router: LocalRouter, end: Instant, window: Window) {
        let hosts = self.routers[router.index()].hosts();
        for host in hosts.clone() {
            if self.nodes.due[host] < end {
                self.run_together(LocalNode::new(host), end, window);
            }
        }
        let due = self.nodes.due[hosts].iter().min();
        self.routers[router.index()].nodes_due = due.copied().unwrap_or(Instant::NEVER);
    }

    /// Simulates nodes that are used together up to `end`, and schedules their routers.
    fn run_together(&mut self, host: LocalNode, end: Instant, window: Window) {
        let shared = self.out.shared;
        let first = shared.topology.first_node(self.out.group_id());
        let set = shared.sets[first.index() + host.index()] as usize;
        let members = Members::new(first, &shared.usage.sharing.together[set]);
        together::advance(&mut self.nodes, members, &mut self.out, end);
        for member in members.iter() {
            let node = &self.nodes.nodes[member];
            let due = self.nodes.due[member];
            let router = &mut self.routers[node.router().index()];
            router.nodes_due = router.nodes_due.min(due);
            let next = due.ps().saturating_add(shared.nic_lag.ps());
            if next < Instant::NEVER.ps() {
                let next = Instant::from_ps(next).max(window.end);
                self.out.schedule(node.router(), next, window.start);
            }
        }
    }

    /// Tells routers what reaches them in the window, and hands them credits.
    #[inline(never)]
    fn open(&mut self, slot: WindowSlot, window: Window) {
        let arrivals = &mut *self.arrivals;
        self.out.take(slot, arrivals);
        let Outbox { shared, probe, .. } = &mut self.out;
        if window.length() < shared.window() {
            arrivals.cut(window.length());
        }
        // Both slices have one length, so that an index is checked once for both.
        let count = self.routers.len().min(self.reaching.len());
        let routers = &mut self.routers[..count];
        let reaching = &mut self.reaching[..count];
        let active = &mut *self.active;
        arrivals.credits.for_each(|_, returning| {
            let index = returning.router.index();
            let credit = returning.credit;
            let at = window.start.plus(Span::from_ps(credit.offset()));
            let is_applied = routers[index].apply_early(shared, *probe, credit, at);
            if !is_applied {
                reaching[index].credits.push(credit);
            }
            // Where routing looks at credits, those applied early have to be put off again.
            let is_active = !is_applied || shared.shows_credits;
            active[index >> 6] |= u64::from(is_active) << (index & 63);
        });
        arrivals.packets.for_each(|number, flight| {
            let index = flight.router.index();
            active[index >> 6] |= 1 << (index & 63);
            let packet = &flight.packet;
            let packets = &mut reaching[index].packets;
            packets.push(number, packet.offset(), packet.in_port);
        });
        if shared.learns() {
            arrivals.feedback.for_each(|number, waiting| {
                let index = waiting.router.index();
                active[index >> 6] |= 1 << (index & 63);
                let Feedback { offset, port, .. } = waiting.feedback;
                let feedback = &mut reaching[index].feedback;
                feedback.push(number, offset, port);
            });
        }
    }

    /// Simulates a router through the window, and schedules when it wakes again.
    #[inline(always)]
    fn run_router(&mut self, local: LocalRouter, window: Window) {
        let router = &mut self.routers[local.index()];
        let reaching = &mut self.reaching[local.index()];
        let mut next = Instant::NEVER;
        if !(reaching.is_empty() && router.rests(&self.out.shared)) {
            next = router.advance(&mut self.out, reaching, self.arrivals, window);
            if self.out.has_for_nodes() {
                tell_nodes(router, &mut self.nodes, &mut self.out, window.start);
            }
        }
        // A node acts `nic_lag` before the window in which its router sees it.
        let lag = self.out.shared.nic_lag;
        let nodes = router.nodes_due.ps().saturating_add(lag.ps());
        let next = next.min(Instant::from_ps(nodes));
        if next < Instant::NEVER {
            self.out.schedule(local, next.max(window.end), window.start);
        }
    }
}

/// Tells the nodes of `router` what it sent them in the window that starts at `start`, and what it
/// gave them back.
#[inline(never)]
fn tell_nodes<F: Features, E: Endpoint, P: Probe>(
    router: &mut Router,
    nodes: &mut GroupNodes<'_, E>,
    out: &mut Outbox<'_, F, P>,
    start: Instant,
) {
    let shared = out.shared;
    let due = &mut nodes.due[router.hosts()];
    let nodes = &mut nodes.nodes[router.hosts()];
    if !out.for_nodes().credits.is_empty() {
        let mut credits = std::mem::take(&mut out.for_nodes().credits);
        credits.read(|returning| {
            let credit = returning.credit;
            let host = credit.port().index();
            let node = &mut nodes[host];
            if node.takes_at_once(shared, credit) {
                return;
            }
            let window = shared.clock.instant(start, returning.slot);
            let usable = window.plus(Span::from_ps(credit.offset()));
            node.expect_credit(shared, usable, credit);
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
            let start = start.plus(Span::from_ps(u64::from(packet.offset())));
            let delay = shared.times.delivery(packet.flits);
            let host = packet.in_port().index();
            let wake = nodes[host].receive(out, packet, start, delay);
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
            let in_flight = &mut group.wheel[flight.slot.index()];
            *packets.next(&mut in_flight.packets) = *flight;
        });
        credits.drain(&mut mail.credits, |credits, returning| {
            let in_flight = &mut group.wheel[returning.slot.index()];
            *credits.next(&mut in_flight.credits) = *returning;
        });
        feedback.drain(&mut mail.feedback, |feedback, waiting| {
            let in_flight = &mut group.wheel[waiting.slot.index()];
            *feedback.next(&mut in_flight.feedback) = *waiting;
        });
        for incoming in mail.messages.drain(..) {
            group.expect_message(incoming);
        }
    }

    /// Mail matters at once: when it does is not looked at.
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
        self.group.advance::<F, P>(
            self.shared,
            Window {
                start: from,
                end: to,
            },
            worker,
            mail,
        );
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
        if let Some(window) = self.shared.usage.measure {
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
