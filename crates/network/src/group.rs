//! One group of routers with its nodes, and the walk through its windows.

use std::marker::PhantomData;

use odonata_engine as engine;
use odonata_telemetry::Probe;
use odonata_units::{GroupId, Instant, NodeId, RouterId};

use crate::endpoint::Endpoint;
use crate::features::Features;
use crate::inbox::Incoming;
use crate::node::Node;
use crate::outbox::{Mail, Outbox, Parts, Scratch, Tally};
use crate::packet::YOUNG_BITS;
use crate::router::Router;
use crate::shared::Shared;
use crate::wires::Wires;

/// Everything a group owns.
#[derive(Debug)]
pub(crate) struct Group<E> {
    id: GroupId,
    first_node: u32,
    pub(crate) routers: Vec<Router>,
    pub(crate) nodes: Vec<Node<E>>,
    wires: Wires,
    pub(crate) tally: Tally,
    announced: Vec<Incoming>,
    /// Something is in the mail of the last epoch.
    mailed: bool,
    /// End of the last epoch.
    until: Instant,
    /// Period of 2^36 ps in which packets were last marked as old.
    marked: u64,
}

/// What the groups of one thread share.
#[derive(Debug)]
pub(crate) struct Worker<P> {
    pub(crate) probe: P,
    scratch: Scratch,
}

impl<P> Worker<P> {
    pub(crate) fn new(probe: P) -> Self {
        Self {
            probe,
            scratch: Scratch::default(),
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
        let mut tally = Tally::default();
        let mut routers = Vec::new();
        let mut nodes = Vec::new();
        let mut endpoints = endpoints.into_iter();
        for (place, router) in topology.routers_of(id).enumerate() {
            let first = nodes.len();
            let count = topology.nodes_of(router).len();
            for (port, endpoint) in endpoints.by_ref().take(count).enumerate() {
                let node = NodeId(first_node + nodes.len() as u32);
                let at = (place, port);
                nodes.push(Node::new(shared, node, at, endpoint, &mut tally));
            }
            routers.push(Router::new(shared, router, first..nodes.len()));
        }
        let wires = Wires::new(shared, routers.len(), shared.routing.learns());
        Self {
            id,
            first_node,
            routers,
            nodes,
            wires,
            tally,
            announced: Vec::new(),
            mailed: false,
            until: Instant::NEVER,
            marked: 0,
        }
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
        self.wires.mark_old(now);
    }

    /// Whether packets or credits are on their way within this group, or packets wait in it.
    fn is_moving(&self) -> bool {
        self.mailed
            || self.wires.is_moving()
            || self.routers.iter().any(|router| !router.is_empty())
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
        mail: &mut [Mail],
    ) {
        self.mark_old(from);
        let words = self.wires.words();
        let mut out = Outbox::<F, P>::new(Parts {
            group: self.id.0 as u16,
            shared,
            wires: &mut self.wires,
            tally: &mut self.tally,
            announced: &mut self.announced,
            probe: &mut worker.probe,
            scratch: &mut worker.scratch,
            mail,
        });
        if self.until != from {
            // Idle time was skipped, and with it what routers had planned for it.
            for router in &self.routers {
                out.activate(router.first_bucket, from);
            }
        }
        self.until = to;
        let window = shared.window();
        let mut start = from;
        while start < to {
            for word in 0..words {
                let mut active = out.take_active(start, word);
                while active != 0 {
                    let place = word * 64 + active.trailing_zeros() as usize;
                    active &= active - 1;
                    let router = &mut self.routers[place];
                    let span = (start, start.plus(window));
                    advance_one(router, &mut self.nodes, &mut out, span);
                }
            }
            start = start.plus(window);
        }
        self.mailed = out.mailed;
    }
}

/// Simulates a router and its nodes through a window, and plans when it is looked at again.
#[inline(always)]
fn advance_one<F: Features, E: Endpoint, P: Probe>(
    router: &mut Router,
    nodes: &mut [Node<E>],
    out: &mut Outbox<'_, F, P>,
    (start, end): (Instant, Instant),
) {
    let lag = out.shared.nic_lag;
    let nic_end = Instant::from_ps(end.ps().saturating_sub(lag.ps()));
    for node in &mut nodes[router.hosts.clone()] {
        if node.earliest < nic_end {
            node.advance(out, nic_end);
        }
    }
    while let Some(incoming) = out.announced.pop() {
        let first = out.shared.topology.first_node(router.group);
        let node = (incoming.message.target.0 - first.0) as usize;
        nodes[node].expect(incoming);
    }
    let next = router.advance(nodes, out, start);
    let hosts = nodes[router.hosts.clone()].iter();
    let earliest = hosts.map(|node| node.earliest).min();
    let node = earliest.unwrap_or(Instant::NEVER);
    // A node acts `lag` before the window in which its router sees it.
    let next = next.min(Instant::from_ps(node.ps().saturating_add(lag.ps())));
    if next < Instant::NEVER {
        out.activate_by_horizon(router.first_bucket, next.max(end), start);
    }
}

impl<F: Features, E: Endpoint, P: Probe> engine::Block for Running<'_, F, E, P> {
    type Mail = Mail;
    type Local = Worker<P>;

    fn receive(&mut self, mail: &mut Mail, _: &mut Worker<P>) {
        let Group { wires, .. } = &mut *self.group;
        for (bucket, packet) in &mail.packets {
            wires.post_packet(*bucket, packet);
        }
        mail.packets.clear();
        for (bucket, credit) in mail.credits.drain(..) {
            wires.post_credit(bucket, credit);
        }
        for (bucket, feedback) in mail.lessons.drain(..) {
            wires.post_lesson(bucket, feedback);
        }
        for incoming in mail.messages.drain(..) {
            self.group.expect_message(incoming);
        }
    }

    fn advance(&mut self, from: Instant, to: Instant, worker: &mut Worker<P>, mail: &mut [Mail]) {
        self.group
            .advance::<F, P>(self.shared, (from, to), worker, mail);
    }

    fn status(&self, now: Instant) -> engine::Status {
        let group = &*self.group;
        let tally = &group.tally;
        let next = if group.is_moving() {
            now
        } else {
            let earliest = group.nodes.iter().map(|node| node.earliest).min();
            // A NIC acts `nic_lag` before the window in which its router sees it.
            earliest.unwrap_or(Instant::NEVER).max(now)
        };
        let mut open_goals = tally.unfinished;
        let mut on_the_way = tally.goal_messages;
        let mut next = next;
        if let Some(window) = self.shared.observe.measure {
            // An idle network still has to be watched to the end of the window.
            let measured = if now < window.to {
                next = next.min(window.to);
                1
            } else {
                let mut nodes = group.nodes.iter();
                tally.outstanding + i64::from(nodes.any(|node| node.creates_before(window.to)))
            };
            open_goals += measured;
            on_the_way += measured;
        }
        engine::Status {
            next,
            open_goals,
            goal_next: if tally.waking > 0 {
                now
            } else {
                Instant::NEVER
            },
            on_the_way,
            progress: tally.work,
            work: tally.work,
        }
    }
}
