//! One group of routers with its nodes: the state, and the walk through its windows.

use std::collections::VecDeque;
use std::sync::Arc;

use odonata_engine as engine;
use odonata_routing::QTable;
use odonata_units::{GroupId, Instant, NodeId, Purpose, RouterId, Stream};

use crate::cioq::Crossbar;
use crate::classes::Monitors;
use crate::endpoint::{Endpoint, Message};
use crate::lane::{Answer, SendLane, Unanswered};
use crate::learn::Lessons;
use crate::nic::{Incoming, NicState, Queues};
use crate::output::{Lane, LinkUse, NOTHING, Output};
use crate::packet::{Credit, Feedback, Lesson, Packet, Slab, YOUNG_BITS};
use crate::record::Recorder;
use crate::shared::Shared;
use crate::stats::Stats;
use crate::view::View;

/// What one block sends another in an epoch.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    /// Router, instant of entry in ps, packet.
    pub(crate) packets: Vec<(u32, u64, Packet)>,
    /// Router, instant in ps, credit.
    pub(crate) credits: Vec<(u32, u64, Credit)>,
    /// Router, instant in ps, what it learns.
    pub(crate) lessons: Vec<(u32, u64, Feedback)>,
    /// Announcements of messages whose packets will follow.
    pub(crate) messages: Vec<Incoming>,
}

/// Ports of a router, as a bit set.
pub(crate) type PortSet = [u64; 4];

/// Everything a group owns.
#[derive(Debug)]
pub(crate) struct State<E> {
    pub(crate) group_id: GroupId,
    pub(crate) first_router: u32,
    pub(crate) first_node: u32,
    pub(crate) routers: usize,
    /// First node of each router within the block, and the end.
    node_starts: Vec<usize>,
    /// `[router * radix + port]`.
    pub(crate) outputs: Vec<Output>,
    /// `[(router * radix + port) * vcs + vc]`.
    pub(crate) lanes: Vec<Lane>,
    /// `[(router * radix + port) * jobs + job]`.
    pub(crate) link_jobs: Vec<LinkUse>,
    /// `[(router * radix + port) * classes + class]`; empty with one class.
    pub(crate) link_classes: Vec<LinkUse>,
    /// Channels that leave routers, then NICs.
    pub(crate) monitors: Monitors,
    /// `[lane]`: first packet of its queue without a reserved slot downstream, or [`NOTHING`];
    /// empty unless slots are reserved.
    pub(crate) unreserved: Vec<u32>,
    /// `[router * slots + slot]`.
    pub(crate) arrivals: Vec<Vec<Packet>>,
    pub(crate) credits: Vec<Vec<Credit>>,
    /// Under a learning routing: tables by router, and what is on its way to them.
    pub(crate) tables: Vec<QTable>,
    pub(crate) lessons: Vec<Vec<Feedback>>,
    /// Of the packet that is being routed or moved.
    pub(crate) lesson: Lesson,
    /// Ports with waiting packets, per router.
    pub(crate) busy: Vec<PortSet>,
    pub(crate) draws: Vec<Stream>,
    pub(crate) slab: Slab,
    pub(crate) crossbars: Vec<Crossbar>,
    pub(crate) nics: Vec<NicState>,
    pub(crate) queues: Vec<Queues>,
    /// `[node * lanes + lane]`.
    pub(crate) send_lanes: Vec<SendLane>,
    /// `[node * classes + class]`; empty without responses.
    pub(crate) answers: Vec<VecDeque<Answer>>,
    /// `[node]`; empty without a limit.
    pub(crate) unanswered: Vec<Unanswered>,
    pub(crate) endpoints: Vec<E>,
    /// Buckets of the wheels that are in use.
    pub(crate) filled: u32,
    pub(crate) mailed: bool,
    /// Measured packets created here less those delivered here.
    pub(crate) outstanding: i64,
    /// Goal endpoints not finished.
    pub(crate) unfinished: i64,
    /// Messages of goals handed over here less those delivered here.
    pub(crate) goal_messages: i64,
    pub(crate) work: u64,
    pub(crate) recorder: Recorder,
    /// Start of the window, and the credits of the router in it that are applied already.
    pub(crate) window: u64,
    /// Period of 2^36 ps in which packets were last marked as old.
    marked: u64,
    pub(crate) early: Vec<Credit>,
    scratch: Scratch,
}

/// Buffers of one window, kept to save allocations.
#[derive(Debug, Default)]
struct Scratch {
    keys: Vec<u64>,
    credits: Vec<Credit>,
}

/// What the blocks of one thread share: statistics, and emptied buckets for use again. Few buckets
/// are in use at a time, so their memory stays in the cache.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) stats: Stats,
    pub(crate) spares: Spares,
}

/// Emptied buckets.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    packets: Vec<Vec<Packet>>,
    credits: Vec<Vec<Credit>>,
}

impl Local {
    pub(crate) fn new(shared: &Shared) -> Self {
        let stats = Stats::new(shared.jobs, shared.series_bin);
        Self {
            stats,
            spares: Spares::default(),
        }
    }
}

/// A group and what it shares with all others.
#[derive(Debug)]
pub(crate) struct Block<E> {
    pub(crate) shared: Arc<Shared>,
    /// Which compilation of the hot loop it takes, see [`View`].
    is_rich: bool,
    pub(crate) state: State<E>,
}

/// What travels along while a block is simulated.
pub(crate) struct Context<'a, const RICH: bool> {
    pub(crate) shared: View<'a, RICH>,
    pub(crate) stats: &'a mut Stats,
    pub(crate) spares: &'a mut Spares,
    pub(crate) mail: &'a mut [Mail],
}

impl<E: Endpoint> Block<E> {
    pub(crate) fn new(shared: &Arc<Shared>, group: GroupId, endpoints: Vec<E>) -> Self {
        Self {
            shared: Arc::clone(shared),
            is_rich: shared.is_rich(),
            state: State::new(shared, group, endpoints),
        }
    }
}

impl<E: Endpoint> State<E> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "ids fit 24 bits, checked before"
    )]
    fn new(shared: &Shared, group: GroupId, endpoints: Vec<E>) -> Self {
        let topology = &shared.topology;
        let routers = topology.routers_in_group(group) as usize;
        let first_router = topology.first_router(group).0;
        let here = |router: usize| RouterId(first_router + router as u32);
        let ports = routers * shared.radix;
        let outputs: Vec<_> = (0..ports)
            .map(|place| {
                let router = here(place / shared.radix);
                Output::new(shared, router, (place % shared.radix) as u16)
            })
            .collect();
        let lanes = ports * shared.vcs;
        let lane = |place: usize| Lane::new(shared, outputs[place / shared.vcs].kind());
        let nodes = endpoints.len();
        let classes = shared.policy.classes;
        let seed = shared.parameters.seed;
        let per_slot = routers * shared.slots;
        let node_starts = node_starts(shared, group);
        let mut state = Self {
            group_id: group,
            first_router,
            first_node: topology.first_node(group).0,
            routers,
            lanes: (0..lanes).map(lane).collect(),
            link_jobs: vec![LinkUse::default(); ports * shared.jobs],
            link_classes: vec![LinkUse::default(); if classes == 1 { 0 } else { ports * classes }],
            monitors: Monitors::new(&shared.policy, ports + nodes),
            unreserved: vec![NOTHING; if shared.reserves { lanes } else { 0 }],
            outputs,
            arrivals: (0..per_slot).map(|_| Vec::new()).collect(),
            credits: (0..per_slot).map(|_| Vec::new()).collect(),
            tables: Vec::new(),
            lessons: Vec::new(),
            lesson: Lesson::default(),
            busy: vec![[0; 4]; routers],
            draws: (0..routers)
                .map(|router| Stream::new(seed, Purpose::Routing, u64::from(here(router).0)))
                .collect(),
            slab: Slab::default(),
            crossbars: Vec::new(),
            nics: nics(&node_starts),
            queues: (0..nodes).map(|_| Queues::default()).collect(),
            send_lanes: (0..nodes * shared.nic_lanes)
                .map(|_| SendLane::new(shared))
                .collect(),
            answers: Vec::new(),
            unanswered: Vec::new(),
            endpoints,
            node_starts,
            filled: 0,
            mailed: false,
            outstanding: 0,
            unfinished: 0,
            goal_messages: 0,
            work: 0,
            recorder: Recorder::new(shared),
            window: 0,
            marked: 0,
            early: Vec::new(),
            scratch: Scratch::default(),
        };
        state.equip(shared);
        for node in 0..nodes {
            state.start_node(shared, node);
        }
        state
    }

    /// What only some networks have.
    fn equip(&mut self, shared: &Shared) {
        let nodes = self.endpoints.len();
        if shared.is_cioq {
            self.crossbars = (0..self.routers).map(|_| Crossbar::new(shared)).collect();
        }
        if shared.learns {
            let routers = shared.topology.routers_of(self.group_id);
            self.tables = routers.map(|router| shared.routing.table(router)).collect();
            self.lessons = self.credits.iter().map(|_| Vec::new()).collect();
        }
        if shared.has_responses {
            let lanes = nodes * shared.policy.classes;
            self.answers = (0..lanes).map(|_| VecDeque::new()).collect();
        }
        if shared.parameters.outstanding > 0 {
            self.unanswered = (0..nodes).map(|_| Unanswered::default()).collect();
        }
    }

    /// Node `index` of this block.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an index into this block's nodes"
    )]
    pub(crate) const fn node(&self, index: usize) -> NodeId {
        NodeId(self.first_node + index as u32)
    }

    /// Simulates router `router` (and its nodes) through the window that starts at `start`.
    fn advance_router<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        start: u64,
    ) {
        let shared = context.shared;
        let end = start + (1 << shared.shift);
        let nic_end = end.saturating_sub(shared.nic_lag);
        for node in self.node_starts[router]..self.node_starts[router + 1] {
            if self.nics[node].earliest < nic_end {
                self.advance_node(context, node, nic_end);
            }
        }
        let place = router * shared.slots + shared.slot(start);
        let idle = self.busy[router] == [0; 4];
        if self.arrivals[place].is_empty()
            && self.credits[place].is_empty()
            && idle
            && (!shared.learns() || self.lessons[place].is_empty())
            && self.crossbars.get(router).is_none_or(Crossbar::is_idle)
        {
            return;
        }
        self.window = start;
        let mut scratch = std::mem::take(&mut self.scratch);
        self.sort_credits(context, router, place, &mut scratch.credits);
        let mut packets = std::mem::take(&mut self.arrivals[place]);
        sort_arrivals(&packets, &mut scratch.keys);
        context.stats.events += packets.len() as u64;
        let mut next_credit = 0;
        let mut lessons = Lessons::default();
        if shared.learns() {
            lessons = self.sort_lessons(place);
        }
        for key in &scratch.keys {
            let packet = &mut packets[(key & PLACE_MASK) as usize];
            let now = start + u64::from(packet.link);
            while let Some(credit) = scratch.credits.get(next_credit) {
                let at = start + credit.offset();
                if at > now {
                    break;
                }
                self.learn_until(context, router, &mut lessons, at);
                self.take_credit(context, router, *credit, at);
                next_credit += 1;
            }
            self.learn_until(context, router, &mut lessons, now);
            self.run_router_arrival(context, router, packet, now);
        }
        for credit in &scratch.credits[next_credit..] {
            let at = start + credit.offset();
            self.learn_until(context, router, &mut lessons, at);
            self.take_credit(context, router, *credit, at);
        }
        self.learn_until(context, router, &mut lessons, end - 1);
        if shared.learns() {
            self.put_back(place, lessons);
        }
        packets.clear();
        if packets.capacity() > 0 {
            context.spares.packets.push(packets);
            self.filled -= 1;
        }
        self.scratch = scratch;
        self.run_crossbar(context, router, end - 1);
        self.run_busy_outputs(context, router, end - 1);
    }

    /// Applies one credit at its instant; quickly where nothing can depend on it.
    #[inline]
    fn take_credit<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        credit: Credit,
        at: u64,
    ) {
        let shared = context.shared;
        let output = router * shared.radix + credit.port();
        let port = &mut self.outputs[output];
        let lane = &mut self.lanes[output * shared.vcs + credit.vc()];
        if port.waiting_vcs == 0 && lane.credits >= shared.packet_flits && !shared.is_cioq {
            lane.credits += credit.flits();
            port.in_use -= credit.flits();
            return;
        }
        self.run_crossbar(context, router, at - 1);
        self.add_credit(context, router, credit, at);
    }

    /// Applies the credits of a window that may be applied early, and puts the others in order.
    fn sort_credits<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        place: usize,
        exact: &mut Vec<Credit>,
    ) {
        let shared = context.shared;
        exact.clear();
        self.early.clear();
        if self.credits[place].is_empty() {
            return;
        }
        let window = shared.window_number(self.window);
        let mut credits = std::mem::take(&mut self.credits[place]);
        for credit in &credits {
            let output = router * shared.radix + credit.port();
            let lane = &mut self.lanes[output * shared.vcs + credit.vc()];
            if lane.credits >= shared.ample_credits {
                lane.credits += credit.flits();
                self.outputs[output].in_use -= credit.flits();
                if shared.shows_credits {
                    self.early.push(*credit);
                    self.outputs[output].early = window;
                }
            } else {
                exact.push(*credit);
            }
        }
        exact.sort_unstable();
        credits.clear();
        context.spares.credits.push(credits);
        self.filled -= 1;
    }

    /// Puts a packet in the wheel of a router of this block; its `link` is its offset already.
    #[inline]
    pub(crate) fn post_packet(
        &mut self,
        shared: &Shared,
        spares: &mut Spares,
        (router, at): (usize, u64),
        packet: Packet,
    ) {
        let bucket = &mut self.arrivals[router * shared.slots + shared.slot(at)];
        if bucket.capacity() == 0 {
            self.filled += 1;
            *bucket = spares
                .packets
                .pop()
                .unwrap_or_else(|| Vec::with_capacity(16));
        }
        debug_assert!(packet.link == shared.offset(at));
        bucket.push(packet);
    }

    /// Puts a credit in the wheel of a router of this block.
    #[inline(always)]
    pub(crate) fn post_credit(
        &mut self,
        shared: &Shared,
        spares: &mut Spares,
        (router, at): (usize, u64),
        credit: Credit,
    ) {
        let bucket = &mut self.credits[router * shared.slots + shared.slot(at)];
        if bucket.capacity() == 0 {
            self.filled += 1;
            *bucket = spares
                .credits
                .pop()
                .unwrap_or_else(|| Vec::with_capacity(32));
        }
        bucket.push(credit.at(shared.offset(at)));
    }

    /// Next instant at which a goal's endpoint wants to be woken, ps.
    fn next_goal_wake(&self) -> u64 {
        let goals = self
            .nics
            .iter()
            .zip(&self.endpoints)
            .filter(|(nic, _)| nic.is_goal);
        let wakes = goals.map(|(_, endpoint)| endpoint.next_wake().ps());
        wakes.min().unwrap_or(u64::MAX)
    }

    /// Keeps the ages of packets that are held for long from wrapping; from epoch to epoch.
    fn mark_old(&mut self, now: Instant) {
        let period = now.ps() >> YOUNG_BITS;
        if period == self.marked {
            return;
        }
        self.marked = period;
        self.slab.mark_old(now);
        for packet in self.arrivals.iter_mut().flatten() {
            packet.mark_if_old(now);
        }
    }

    /// Whether packets or credits are on their way within this block, or packets wait in it.
    fn is_moving(&self) -> bool {
        self.mailed || self.filled > 0 || !self.slab.is_empty()
    }
}

/// First node of each router of `group` within its block, and the end.
fn node_starts(shared: &Shared, group: GroupId) -> Vec<usize> {
    let topology = &shared.topology;
    let mut starts = vec![0];
    let mut end = 0;
    for router in topology.routers_of(group) {
        end += topology.nodes_of(router).len();
        starts.push(end);
    }
    starts
}

/// A NIC per node, at the ports of its router in order.
fn nics(node_starts: &[usize]) -> Vec<NicState> {
    let routers = node_starts.windows(2).enumerate();
    let of = |(router, two): (usize, &[usize])| {
        (0..two[1] - two[0]).map(move |port| NicState::new(router, port))
    };
    routers.flat_map(of).collect()
}

/// A sort key holds offset (32 bits), input port (8) and place in the bucket (24).
const PLACE_BITS: u32 = 24;
const PLACE_MASK: u64 = (1 << PLACE_BITS) - 1;

/// Order of entry: instant, then input port. A port takes in one packet per instant at most.
#[inline]
fn sort_arrivals(packets: &[Packet], keys: &mut Vec<u64>) {
    assert!(
        packets.len() <= 1 << PLACE_BITS,
        "a window brings a router at most 2^24 packets"
    );
    keys.clear();
    keys.extend(packets.iter().enumerate().map(|(place, packet)| {
        u64::from(packet.link) << 32 | u64::from(packet.in_port) << PLACE_BITS | place as u64
    }));
    keys.sort_unstable();
}

impl<E: Endpoint> engine::Block for Block<E> {
    type Mail = Mail;
    type Local = Local;

    fn receive(&mut self, mail: &mut Mail, local: &mut Local) {
        let (shared, state) = (&*self.shared, &mut self.state);
        for (router, at, packet) in mail.packets.drain(..) {
            let router = (router - state.first_router) as usize;
            state.post_packet(shared, &mut local.spares, (router, at), packet);
        }
        for (router, at, credit) in mail.credits.drain(..) {
            let router = (router - state.first_router) as usize;
            state.post_credit(shared, &mut local.spares, (router, at), credit);
        }
        for (router, at, feedback) in mail.lessons.drain(..) {
            let router = (router - state.first_router) as usize;
            state.post_lesson(shared, (router, at), feedback);
        }
        for incoming in mail.messages.drain(..) {
            state.expect_message(incoming);
        }
    }

    fn advance(&mut self, from: Instant, to: Instant, local: &mut Local, mail: &mut [Mail]) {
        self.state.recorder.begin_epoch(&self.shared.recorded);
        if self.is_rich {
            self.advance_as::<true>((from, to), local, mail);
        } else {
            self.advance_as::<false>((from, to), local, mail);
        }
        self.state.recorder.end_epoch(&self.shared.recorded);
    }

    fn status(&self, now: Instant) -> engine::Status {
        let state = &self.state;
        let measures_until = self
            .shared
            .observe
            .measure
            .map_or(Instant::ZERO, |window| window.to);
        let next = if state.is_moving() {
            now
        } else {
            let earliest = state
                .nics
                .iter()
                .map(|nic| nic.earliest)
                .min()
                .unwrap_or(u64::MAX);
            // A NIC acts `nic_lag` before the window in which its router sees it.
            Instant::from_ps(earliest).max(now)
        };
        // An idle network still has to be watched to the end of the window.
        let next = if now < measures_until {
            next.min(measures_until)
        } else {
            next
        };
        let mut open_goals = state.unfinished;
        if let Some(window) = self.shared.observe.measure {
            open_goals += state.outstanding;
            let behind = state
                .send_lanes
                .iter()
                .filter(|lane| lane.creates_before(window.to));
            open_goals += i64::try_from(behind.count()).unwrap_or(i64::MAX);
            open_goals += i64::from(now < window.to);
        }
        engine::Status {
            next,
            open_goals,
            goal_next: Instant::from_ps(state.next_goal_wake()),
            on_the_way: state.goal_messages + open_goals - state.unfinished,
            progress: state.work,
            work: state.work,
        }
    }
}

impl<E: Endpoint> Block<E> {
    /// Simulates all routers through the windows of an epoch.
    fn advance_as<const RICH: bool>(
        &mut self,
        (from, to): (Instant, Instant),
        local: &mut Local,
        mail: &mut [Mail],
    ) {
        let state = &mut self.state;
        state.mark_old(from);
        state.mailed = false;
        let Local { stats, spares } = local;
        let mut context = Context {
            shared: View::<RICH>(&self.shared),
            stats,
            spares,
            mail,
        };
        let mut start = from.ps();
        while start < to.ps() {
            for router in 0..state.routers {
                state.advance_router(&mut context, router, start);
            }
            start += 1 << context.shared.shift;
        }
    }
}

/// A message on its way to a node, as its receiver needs to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived {
    pub(crate) at: Instant,
    pub(crate) sequence: u32,
    pub(crate) message: Message,
}
