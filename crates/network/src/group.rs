//! One group of routers with its nodes, or several that are simulated as one, and the walk through
//! its windows.

use std::marker::PhantomData;

use odonata_engine as engine;
use odonata_telemetry::Probe;
use odonata_topology::{PortIndex, Topology};
use odonata_units::{GroupId, Instant, NodeId, Record, Span};

use crate::flight::in_flight::{ChunkPools, GroupArrivals, InFlight, PacketInFlight, Wheel};
use crate::flight::inbox::Incoming;
use crate::flight::outbox::{GroupTotals, Outbox, Parts};
use crate::flight::wake_schedule::{NodeSchedule, RouterSet, SlotSet, WakeSchedule};
use crate::model::features::Features;
use crate::model::index::{LocalNode, LocalRouter, WindowSlot};
use crate::model::packet::{Feedback, YOUNG_BITS};
use crate::model::partition::Partition;
use crate::model::window::Window;
use crate::nic::node::together::{self, Members};
use crate::nic::node::{GroupNodes, HostPort, Node};
use crate::router::arrival_lists::ArrivalLists;
use crate::router::state::Router;
use crate::rules::congestion::Notice;
use crate::shared::all_groups::Shared;
use odonata_endpoint::Endpoint;

mod delivery;

/// Everything a group owns, or those that are simulated as one: a block of the engine.
#[derive(Debug)]
pub(crate) struct Group<E> {
    first_node: u32,
    pub(crate) routers: Vec<Router>,
    pub(crate) nodes: Vec<Node<E>>,
    /// `[node]`: the instant before which nothing happens at the node. They lie together, for most
    /// nodes of a router wait for long.
    due: Vec<Instant>,
    /// Windows in which routers do something of their own accord.
    wakes: WakeSchedule,
    /// Windows in which nodes of routers do.
    node_wakes: NodeSchedule,
    /// Arrivals at the group, by window.
    wheel: Wheel,
    /// Routers that something happens at in a window.
    active: RouterSet,
    pub(crate) totals: GroupTotals,
    announced: Vec<Incoming>,
    /// Mail has come since the last window.
    has_mail: bool,
    outlook: Outlook,
    /// The period of 2^36 ps in which packets were last marked as old.
    marked: u64,
}

/// State of a group after an epoch. It holds as long as no mail comes and nothing is
/// simulated.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    /// Packets or credits are on their way within the group, or packets wait in it.
    is_moving: bool,
    /// The start of the first window in which anything happens; never if nothing will.
    idle_until: Instant,
    /// Unless something is moving: the instant before which nothing happens at any node.
    nodes_due: Instant,
    /// Routers that hold packets.
    holding: usize,
    /// Nodes before this one create no more measured messages, once the window of measurement is
    /// over.
    creating: usize,
}

/// State that the groups of one thread share.
#[derive(Debug)]
pub(crate) struct Worker<P> {
    pub(crate) probe: P,
    pools: ChunkPools,
    /// Arrivals at the group that is simulated in the window.
    arrivals: GroupArrivals,
    /// Flits in flight from the router that is simulated to its nodes.
    to_nodes: InFlight,
    /// Arrivals at its routers.
    reaching: ArrivalLists,
}

impl<P> Worker<P> {
    pub(crate) fn new(probe: P) -> Self {
        Self {
            probe,
            pools: ChunkPools::default(),
            arrivals: GroupArrivals::default(),
            to_nodes: InFlight::default(),
            reaching: ArrivalLists::default(),
        }
    }
}

/// A group that is simulated by one combination of features, under one kind of probe.
#[derive(Debug)]
pub(crate) struct Running<'a, F, E, P> {
    shared: &'a Shared,
    partition: &'a Partition,
    group: &'a mut Group<E>,
    kind: PhantomData<fn() -> (F, P)>,
}

impl<'a, F, E, P> Running<'a, F, E, P> {
    pub(crate) const fn new(
        shared: &'a Shared,
        partition: &'a Partition,
        group: &'a mut Group<E>,
    ) -> Self {
        Self {
            shared,
            partition,
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
    pub(crate) fn new(
        shared: &Shared,
        partition: &Partition,
        id: GroupId,
        endpoints: Vec<E>,
    ) -> Self {
        let topology = &shared.topology;
        let first_node = topology.first_node(id).0;
        let mut totals = GroupTotals::default();
        // A vector that grows has room for up to twice as many.
        let mut routers = Vec::with_capacity(topology.routers_in_group(id) as usize);
        let mut nodes = Vec::with_capacity(endpoints.len());
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
            let hosts = first..nodes.len();
            routers.push(Router::new(shared, partition, router, hosts));
        }
        Self {
            routers,
            due: nodes.iter().map(Node::begins).collect(),
            nodes,
            totals,
            ..Self::elsewhere(topology, id)
        }
    }

    /// The group `id` in a process that does not simulate it.
    pub(crate) fn elsewhere(topology: &Topology, id: GroupId) -> Self {
        Self {
            first_node: topology.first_node(id).0,
            due: Vec::new(),
            nodes: Vec::new(),
            active: RouterSet::new(0),
            wakes: WakeSchedule::new(0, 0),
            node_wakes: NodeSchedule::new(0, 0),
            wheel: Wheel::new(0),
            routers: Vec::new(),
            totals: GroupTotals::default(),
            announced: Vec::new(),
            has_mail: false,
            outlook: Outlook {
                is_moving: false,
                idle_until: Instant::ZERO,
                nodes_due: Instant::ZERO,
                holding: 0,
                creating: 0,
            },
            marked: 0,
        }
    }

    /// Makes the group the first of its block of `partition`.
    pub(crate) fn lead(&mut self, shared: &Shared, partition: &Partition) {
        for router in &mut self.routers {
            router.join(shared, partition, 0);
        }
    }

    /// Takes in `other`, the group behind it in its block of `partition`. Nothing has happened yet
    /// in either.
    pub(crate) fn join(&mut self, shared: &Shared, partition: &Partition, other: Self) {
        let routers = self.routers.len();
        for mut router in other.routers {
            router.join(shared, partition, self.nodes.len());
            self.routers.push(router);
        }
        for mut node in other.nodes {
            node.join(routers);
            self.nodes.push(node);
        }
        self.due.extend(other.due);
        self.totals.add(&other.totals);
    }

    /// Prepares for a run: nothing has happened yet.
    pub(crate) fn begin(&mut self, shared: &Shared) {
        let routers = self.routers.len();
        self.active = RouterSet::new(routers);
        self.wakes = WakeSchedule::new(shared.slots, routers);
        self.node_wakes = NodeSchedule::new(shared.slots, routers);
        self.wheel = Wheel::new(shared.slots);
        for (index, router) in self.routers.iter_mut().enumerate() {
            let due = self.due[router.hosts()].iter().min();
            router.nodes_due = due.copied().unwrap_or(Instant::NEVER);
            let (index, due) = (LocalRouter::new(index), router.nodes_due);
            self.node_wakes.schedule(shared, index, due, Window::NONE);
        }
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
        for in_flight in &mut self.wheel.slots {
            let mark = |flight: &mut PacketInFlight| flight.packet.mark_if_old(now);
            in_flight.packets.change_all(mark);
        }
    }

    fn expect_message(&mut self, incoming: Incoming) {
        let node = incoming.message.target.0 - self.first_node;
        self.nodes[node as usize].expect(incoming);
    }

    /// Simulates all windows of `epoch`.
    #[expect(clippy::cast_possible_truncation, reason = "ids fit 24 bits")]
    fn advance<F: Features, P: Probe>(
        &mut self,
        shared: &Shared,
        partition: &Partition,
        epoch: Window,
        worker: &mut Worker<P>,
        mail: &mut [InFlight],
    ) {
        let (from, to) = (epoch.start, epoch.end);
        self.mark_old(from);
        if !self.has_mail && self.outlook.idle_until >= to {
            return self.look_for_creation(shared, to);
        }
        self.has_mail = false;
        worker.reaching.reserve(self.routers.len());
        let out = Outbox::<F, P>::new(Parts {
            shared,
            partition,
            own: self.first_node..self.first_node + self.nodes.len() as u32,
            wakes: &mut self.wakes,
            nodes: &mut self.node_wakes,
            wheel: &mut self.wheel,
            totals: &mut self.totals,
            announced: &mut self.announced,
            probe: &mut worker.probe,
            pools: &mut worker.pools,
            to_nodes: &mut worker.to_nodes,
            mail,
        });
        let mut walk = Walk {
            routers: &mut self.routers,
            nodes: GroupNodes {
                nodes: &mut self.nodes,
                due: &mut self.due,
            },
            active: &mut self.active,
            holding: &mut self.outlook.holding,
            reaching: &mut worker.reaching,
            arrivals: &mut worker.arrivals,
            out,
        };
        let mut next = from;
        while next < to {
            walk.reach_nodes(next);
            let slot = shared.clock.slot(next);
            let Some(ahead) = walk.out.windows_ahead(slot) else {
                let far = walk.out.nodes.far_next();
                if far >= to {
                    break;
                }
                let windows = (far - next).ps() / shared.window().ps();
                next = next.plus(shared.window() * windows);
                continue;
            };
            let start = next.plus(shared.window() * ahead);
            if start >= to {
                break;
            }
            next = start.plus(shared.window());
            let end = next.min(to);
            walk.advance(Window { start, end });
        }
        self.look_out(shared, to);
    }

    /// Notes what is known after an epoch that ended at `now`.
    fn look_out(&mut self, shared: &Shared, now: Instant) {
        let is_moving = self.outlook.holding > 0 || !self.wheel.filled.is_empty();
        if !is_moving {
            self.settle_nodes(shared, now);
        }
        let slot = shared.clock.slot(now);
        let nodes = &self.node_wakes.near.slots;
        let ahead = SlotSet::ahead([&self.wheel.filled, &self.wakes.slots, nodes], slot);
        let near = ahead.map_or(Instant::NEVER, |ahead| now.plus(shared.window() * ahead));
        self.outlook.is_moving = is_moving;
        self.outlook.idle_until = near.min(self.node_wakes.far_next());
        self.look_for_creation(shared, now);
    }

    /// Notes whether measured messages are still to be created, after an epoch that ended at `now`.
    fn look_for_creation(&mut self, shared: &Shared, now: Instant) {
        if let Some(window) = shared.usage.measure
            && now >= window.to
        {
            let rest = &self.nodes[self.outlook.creating..];
            let over = rest.iter().position(|node| node.creates_before(window.to));
            self.outlook.creating += over.unwrap_or(rest.len());
        }
    }

    /// Finds the instant before which nothing happens at any node, after an epoch that ended at
    /// `now`: wakes that are too early are put off until the first one is not.
    fn settle_nodes(&mut self, shared: &Shared, now: Instant) {
        let from = Window {
            start: now,
            end: now,
        };
        let horizon = now.plus(shared.horizon);
        self.outlook.nodes_due = loop {
            while let Some(router) = self.node_wakes.pop_far(horizon) {
                self.wake_nodes(shared, router, from);
            }
            let Some(ahead) = SlotSet::ahead([&self.node_wakes.near.slots], shared.clock.slot(now))
            else {
                let at = self.node_wakes.far_next();
                let Some(router) = self.node_wakes.pop_far(Instant::NEVER) else {
                    break Instant::NEVER;
                };
                self.wake_nodes(shared, router, from);
                if self.node_wakes.far_next() == at {
                    break self.routers[router.index()].nodes_due;
                }
                continue;
            };
            let start = now.plus(shared.window() * ahead);
            let slot = shared.clock.slot(start);
            self.node_wakes.near.take(slot, &mut self.active);
            let mut first = Instant::NEVER;
            while let Some(routers) = self.active.pop() {
                for router in routers {
                    if self.wake_nodes(shared, router, from) < start.plus(shared.window()) {
                        first = first.min(self.routers[router.index()].nodes_due);
                    }
                }
            }
            if first < Instant::NEVER {
                break first;
            }
        };
    }

    /// Schedules the nodes of a router, not before `window.end`; returns the instant at which the
    /// router sees what they do.
    fn wake_nodes(&mut self, shared: &Shared, router: LocalRouter, window: Window) -> Instant {
        let due = self.routers[router.index()].nodes_due;
        self.node_wakes.schedule(shared, router, due, window)
    }
}

/// A group that is simulated window by window.
struct Walk<'a, F, E, P> {
    routers: &'a mut [Router],
    nodes: GroupNodes<'a, E>,
    /// Routers that something happens at in the window.
    active: &'a mut RouterSet,
    /// Routers that hold packets.
    holding: &'a mut usize,
    reaching: &'a mut ArrivalLists,
    arrivals: &'a mut GroupArrivals,
    out: Outbox<'a, F, P>,
}

impl<F: Features, E: Endpoint, P: Probe> Walk<'_, F, E, P> {
    /// Simulates `window`: nodes first, then what reaches the routers, then they. The last window
    /// of a run may be a short one.
    fn advance(&mut self, window: Window) {
        let slot = self.out.shared.clock.slot(window.start);
        self.run_nodes(slot, window);
        self.out.wakes.take(slot, self.active);
        self.open(slot, window);
        while let Some(routers) = self.active.pop() {
            for router in routers {
                self.run_router(router, window);
            }
        }
        self.reaching.clear();
        self.arrivals.keep(self.out.pools);
    }

    /// Puts the nodes that the wheel reaches from `start` on into the wheel.
    #[inline(always)]
    fn reach_nodes(&mut self, start: Instant) {
        let horizon = start.plus(self.out.shared.horizon);
        while let Some(router) = self.out.nodes.pop_far(horizon) {
            let due = self.routers[router.index()].nodes_due;
            let before = Window { start, end: start };
            self.out.schedule_nodes(router, due, before);
        }
    }

    /// Simulates the nodes that are due, up to the end of the window less the time from a NIC into
    /// its router.
    #[inline(never)]
    fn run_nodes(&mut self, slot: WindowSlot, window: Window) {
        let lag = self.out.shared.nic_lag;
        let end = Instant::from_ps(window.end.ps().saturating_sub(lag.ps()));
        let in_sets = !self.out.shared.sets.is_empty();
        self.out.nodes.near.take(slot, self.active);
        while let Some(routers) = self.active.pop() {
            for router in routers {
                if self.routers[router.index()].nodes_due < end {
                    if in_sets {
                        self.run_sets_of(router, end, window);
                    } else {
                        self.run_nodes_of(router, end);
                    }
                }
                let due = self.routers[router.index()].nodes_due;
                self.out.schedule_nodes(router, due, window);
            }
        }
        if F::NOTICES && !self.out.notices.is_empty() {
            self.send_notices(window);
        }
        while let Some(incoming) = self.out.announced.pop() {
            let node = self.out.local_node(incoming.message.target);
            self.nodes.nodes[node.index()].expect(incoming);
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
        let first = NodeId(self.out.own.start);
        let set = shared.sets[first.index() + host.index()] as usize;
        let members = Members::new(first, &shared.usage.sharing.together[set]);
        together::advance(&mut self.nodes, members, &mut self.out, end);
        for member in members.iter() {
            let node = &self.nodes.nodes[member];
            let due = self.nodes.due[member];
            let router = &mut self.routers[node.router().index()];
            router.nodes_due = router.nodes_due.min(due);
            self.out.schedule_nodes(node.router(), due, window);
        }
    }

    /// Tells routers what reaches them in the window, and hands them credits.
    #[inline(never)]
    fn open(&mut self, slot: WindowSlot, window: Window) {
        let arrivals = &mut *self.arrivals;
        self.out.take(slot, arrivals);
        if window.length() < self.out.shared.window() {
            self.out.leave_from(slot, window.length(), arrivals);
        }
        let Outbox { shared, probe, .. } = &mut self.out;
        let active = &mut *self.active;
        let reaching = &mut *self.reaching;
        arrivals.packets.for_each(|_, flight| {
            let packet = &flight.packet;
            if reaching.add_packet(flight.router, packet.offset(), packet.in_port) {
                active.insert(flight.router);
            }
        });
        let has_crossbar = shared.has_crossbar();
        arrivals.credits.for_each(|_, returning| {
            let router = &mut self.routers[returning.router.index()];
            let credit = returning.credit;
            let at = window.start.plus(Span::from_ps(credit.offset()));
            let moves = has_crossbar || reaching.has_packets(returning.router);
            if F::CHANGES || !router.apply_early(shared, *probe, credit, at, moves) {
                if reaching.add_credit(returning.router, credit) {
                    active.insert(returning.router);
                }
            } else if has_crossbar && shared.shows_credits {
                // Credits that were applied early have to be put off again.
                active.insert(returning.router);
            }
        });
        if shared.learns() {
            arrivals.feedback.for_each(|_, waiting| {
                let Feedback { offset, port, .. } = waiting.feedback;
                if reaching.add_feedback(waiting.router, offset, port) {
                    active.insert(waiting.router);
                }
            });
        }
    }

    /// Simulates a router through the window, and schedules when it wakes again.
    #[inline(always)]
    fn run_router(&mut self, local: LocalRouter, window: Window) {
        let router = &mut self.routers[local.index()];
        let reaching = match self.reaching.take(local) {
            Some(reaching) => reaching,
            None if router.rests(&self.out.shared) => return,
            None => self.reaching.nothing(),
        };
        let shared = self.out.shared;
        let was_empty = router.is_empty(shared);
        let next = router.advance(&mut self.out, reaching, self.arrivals, window);
        *self.holding += usize::from(was_empty);
        *self.holding -= usize::from(router.is_empty(shared));
        if F::NOTICES && !self.out.notices.is_empty() {
            self.send_notices(window);
        }
        let router = &mut self.routers[local.index()];
        if self.out.has_for_nodes() {
            let due = router.nodes_due;
            Self::deliver_to_nodes(router, &mut self.nodes, &mut self.out, window.start);
            if router.nodes_due < due {
                self.out.schedule_nodes(local, router.nodes_due, window);
            }
        }
        if next < Instant::NEVER {
            self.out.schedule(local, next.max(window.end), window.start);
        }
    }
}

impl<F: Features, E: Endpoint, P: Probe> engine::Block for Running<'_, F, E, P> {
    type Mail = InFlight;
    type Local = Worker<P>;

    fn receive(&mut self, mail: &mut InFlight, worker: &mut Worker<P>) {
        let group = &mut *self.group;
        group.has_mail = true;
        group.wheel.receive(&mut worker.pools, mail);
        for incoming in mail.messages.drain(..) {
            group.expect_message(incoming);
        }
        for notice in mail.notices.drain(..) {
            group.expect_notice(self.shared, notice);
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
            self.partition,
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
        let outlook = &group.outlook;
        let next = if outlook.is_moving {
            now
        } else {
            // A NIC acts `nic_lag` before the window in which its router sees it.
            outlook.nodes_due.max(now)
        };
        let mut open_goals = totals.unfinished;
        let mut on_the_way = totals.goal_messages;
        let mut next = next;
        let mut idle_until = outlook.idle_until.max(now);
        if outlook.is_moving {
            // What is held for long has to be marked.
            let period = (now.ps() >> YOUNG_BITS) + 1;
            idle_until = idle_until.min(Instant::from_ps(period << YOUNG_BITS));
        }
        if let Some(window) = self.shared.usage.measure {
            // An idle network still has to be watched to the end of the window.
            let measured = if now < window.to {
                next = next.min(window.to);
                idle_until = idle_until.min(Instant::from_ps(window.to.ps() - 1));
                1
            } else {
                let is_over = outlook.creating == group.nodes.len();
                totals.measured_undelivered + i64::from(!is_over)
            };
            open_goals += measured;
            on_the_way += measured;
        }
        engine::Status {
            next,
            idle_until,
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

    fn pack(mail: &mut InFlight, worker: &mut Worker<P>, out: &mut Vec<u8>) {
        mail.pack(&mut worker.pools, out);
    }

    fn unpack(&mut self, mut bytes: &[u8], worker: &mut Worker<P>) -> Option<()> {
        let group = &mut *self.group;
        group.has_mail = true;
        group.wheel.unpack(&mut worker.pools, &mut bytes)?;
        for incoming in Vec::<Incoming>::read(&mut bytes)? {
            group.expect_message(incoming);
        }
        for notice in Vec::<Notice>::read(&mut bytes)? {
            group.expect_notice(self.shared, notice);
        }
        Some(())
    }
}
