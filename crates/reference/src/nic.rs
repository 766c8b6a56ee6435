//! NICs: lanes, and which of them starts a packet when.

use odonata_endpoint::{Endpoint, Message, Role};
use odonata_network::GetData;
use odonata_telemetry::NicStall;
use odonata_topology::LinkKind;
use odonata_units::{Instant, NodeId, Span};

use crate::blame::NicWait;
use crate::event::{EventKind, EventPort, Subject};
use crate::packet::{Course, LaneName, Packet};
use crate::routing::Travel;
use crate::sender::{Load, Node, Queue, Stall};
use crate::simulation::Simulation;

/// The next packet of a lane.
struct Next {
    load: Load,
    /// From when on it exists.
    exists: Instant,
    /// From when on get requests that are handed over wait for it.
    queued: Instant,
    /// Its creation, for statistics and the oldest first.
    created: Instant,
    bytes: u32,
    target: NodeId,
    mode: u8,
}

impl Next {
    /// How long it waits if it starts after `stall`.
    const fn wait(&self, stall: Stall, wire: Span) -> NicWait {
        NicWait {
            load: self.load,
            exists: self.exists,
            stall,
            wire,
        }
    }
}

impl Node {
    /// A packet of `flits` starts on a lane, after `stall`.
    fn count(&mut self, lane: LaneName, flits: u32, stall: Stall) {
        let requests = u64::from(!lane.is_response);
        match stall.cause {
            NicStall::Credits => self.counters.lacked_credits(stall.span, lane.is_response),
            NicStall::Outstanding => self.counters.lacked_responses(stall.span),
            NicStall::Pacing => self.counters.was_paced(stall.span),
        }
        self.counters.flits += u64::from(flits);
        self.counters.request_flits += requests * u64::from(flits);
        self.counters.requests += requests;
    }
}

impl<E: Endpoint> Simulation<'_, E> {
    pub(crate) const fn node_port(node: usize) -> EventPort {
        EventPort {
            component: node,
            port: 0,
        }
    }

    /// VC on which packets of a lane enter the network.
    pub(crate) fn lane_vc(&self, lane: LaneName) -> usize {
        let first = lane.class * self.class_vcs;
        if lane.is_response {
            first + self.request_vcs
        } else {
            first
        }
    }

    /// What a lane has to send next: of an answer and a packet of a message the one that exists
    /// earlier, and the answer if neither does. Of a get request that has a queue of its own and
    /// another message it is what was queued earlier, and the get request if neither was.
    fn next_of(&self, node: usize, lane: LaneName) -> Option<Next> {
        let state = &self.nodes[node].lanes[lane.index()];
        let answer = state
            .answers
            .front()
            .map(|load| self.next_with(lane, state.front(), *load));
        let of = |queue: &Queue| {
            let front = queue.loads.front();
            front.map(|load| self.next_with(lane, queue, *load))
        };
        // Of equals the first one is the minimum.
        let messages = [of(&state.gets), of(state.front())].into_iter().flatten();
        let message = messages.min_by_key(|next| next.queued);
        match (answer, message) {
            (Some(answer), Some(message))
                if message.exists < answer.exists
                    && self.load_held_until(node, message.load, message.bytes) < answer.exists =>
            {
                Some(message)
            }
            (None, message) => message,
            (answer, _) => answer,
        }
    }

    fn next_with(&self, lane: LaneName, state: &Queue, load: Load) -> Next {
        match load {
            Load::Message(transfer) => {
                let multiple = self.multiple(self.transfers[transfer].message.source);
                let freed = |packets: u32| {
                    let freed = state.starts.len().checked_sub(packets as usize);
                    freed.map(|packet| state.starts[packet])
                };
                let transfer = &self.transfers[transfer];
                let exists = transfer
                    .origin
                    .exists(freed(self.parameters.nic_buffer_packets));
                let behind = self.parameters.get_behind.max(1);
                let queued = transfer.origin.exists(freed(behind));
                Next {
                    load,
                    exists,
                    queued,
                    created: exists,
                    bytes: transfer.next_bytes(self.parameters, multiple),
                    target: transfer.message.target,
                    mode: match transfer.message.mode {
                        mode if lane.is_response => self.routing.data_mode(mode),
                        mode if transfer.message.is_ordered => self.routing.ordered_mode(mode),
                        mode => mode,
                    },
                }
            }
            Load::Response { request, delivered } => {
                let request = &self.packets[request];
                Next {
                    load,
                    exists: delivered,
                    queued: delivered,
                    created: request.created,
                    bytes: self.parameters.response_bytes * self.stands_for(request.bytes),
                    target: request.source,
                    mode: self.routing.response_mode(),
                }
            }
        }
    }

    /// When the next packet of a message exists, which is the first of its queue, and its bytes.
    pub(crate) fn next_in(
        &self,
        node: usize,
        lane: LaneName,
        queue: usize,
        load: Load,
    ) -> (Instant, u32) {
        let Load::Message(transfer) = load else {
            unreachable!("queues hold messages");
        };
        let starts = &self.nodes[node].lanes[lane.index()].queues[queue].starts;
        let packets = self.parameters.nic_buffer_packets as usize;
        let freed = starts.len().checked_sub(packets);
        let freed = freed.map(|packet| starts[packet]);
        let transfer = &self.transfers[transfer];
        let exists = transfer.origin.exists(freed);
        let multiple = self.multiple(transfer.message.source);
        (exists, transfer.next_bytes(self.parameters, multiple))
    }

    /// `M`: how many packets of a node travel as one at most.
    fn multiple(&self, node: NodeId) -> u32 {
        let known = self.packet_multiples.get(node.index());
        known.map_or(1, |multiple| u32::from(*multiple))
    }

    /// How many full packets a packet of `bytes` stands for, the last of which may be shorter.
    fn stands_for(&self, bytes: u32) -> u32 {
        let mut packets = 1;
        while packets * self.parameters.packet_bytes < bytes {
            packets += 1;
        }
        packets
    }

    /// Whether a packet takes a slot among the outstanding requests: all requests do, but of a get
    /// that its data answer only the last packet.
    fn takes_place(&self, lane: LaneName, load: Load) -> bool {
        let Load::Message(transfer) = load else {
            return false;
        };
        let transfer = &self.transfers[transfer];
        let payload = self.parameters.packet_bytes - self.parameters.header_bytes;
        let most = u64::from(payload * self.multiple(transfer.message.source));
        let is_followed = self.is_get(&transfer.message) && transfer.unsent > most;
        !lane.is_response && !is_followed
    }

    /// Whether a message is a get that its data answer.
    pub(crate) fn is_get(&self, message: &Message) -> bool {
        self.has_data() && message.role == Role::Get
    }

    /// Whether a message is a get request that does not wait behind other messages.
    pub(crate) fn has_own_queue(&self, message: &Message) -> bool {
        self.parameters.get_behind > 0 && message.role == Role::Get
    }

    /// Whether the data of gets are responses.
    pub(crate) fn has_data(&self) -> bool {
        self.parameters.response_bytes > 0 && self.parameters.get_data == GetData::Responses
    }

    /// Whether the next packet of a lane has its slot among the outstanding requests.
    fn has_place(&self, node: usize, lane: LaneName, next: &Next) -> bool {
        let limit = self.parameters.outstanding;
        let limit = limit.div_ceil(self.multiple(self.nodes[node].id));
        !self.takes_place(lane, next.load) || limit == 0 || self.nodes[node].unanswered < limit
    }

    /// Whether it has its credits.
    fn has_credits(&self, node: usize, lane: LaneName, next: &Next) -> bool {
        self.nodes[node].lanes[lane.index()].credits >= self.timing.flits(next.bytes)
    }

    /// The instant at which the next packet of a lane could start but for credits and the limit of
    /// outstanding requests.
    fn begin_of(&self, node: usize, next: &Next) -> Instant {
        let free = self.nodes[node].channel_free;
        if next.exists < free {
            free
        } else {
            next.exists + self.timing.wake_up(LinkKind::Host)
        }
    }

    /// The instant until which the NIC paces itself, or the class of the lane is at its ceiling.
    fn held_back_until(&self, node: usize, lane: LaneName, next: &Next) -> Instant {
        let at_ceiling = self.nodes[node].shares.held_until(lane.class);
        at_ceiling.max(self.paced_until(node, next.load, next.bytes))
    }

    /// The instant at which a lane could start, as far as is known now.
    fn lane_start(&self, node: usize, lane: LaneName) -> Option<Instant> {
        let next = self.next_of(node, lane)?;
        let cleared = self.nodes[node].lanes[lane.index()].cleared?;
        let cleared = cleared.max(self.held_back_until(node, lane, &next));
        if cleared == Instant::NEVER {
            return None;
        }
        let wake_up = self.timing.wake_up(LinkKind::Host);
        let begin = self.begin_of(node, &next);
        Some(if cleared <= begin {
            begin
        } else {
            cleared + wake_up
        })
    }

    /// Something changed at a NIC: notes which lanes are clear from now on, and plans the next
    /// start. Starts planned before that are wrong now are skipped when they come.
    pub(crate) fn plan_injection(&mut self, node: usize) {
        let lanes = 0..self.nodes[node].lanes.len();
        for lane in lanes.clone().map(LaneName::at) {
            self.choose_queue(node, lane);
            let next = self.next_of(node, lane);
            let known = next.as_ref();
            let has_place = known.is_some_and(|next| self.has_place(node, lane, next));
            let has_credits = known.is_some_and(|next| self.has_credits(node, lane, next));
            let now = self.now;
            let state = &mut self.nodes[node].lanes[lane.index()];
            let since = |was: Option<Instant>, is: bool| is.then(|| was.unwrap_or(now));
            state.placed = since(state.placed, has_place);
            state.credited = since(state.credited, has_credits);
            state.cleared = since(state.cleared, has_place && has_credits);
        }
        let starts = lanes.filter_map(|lane| self.lane_start(node, LaneName::at(lane)));
        if let Some(at) = starts.min() {
            let port = Self::node_port(node);
            self.agenda
                .add(at, EventKind::Injection, port, Subject::Port);
        }
    }

    /// The lane that starts a packet now, if one does.
    fn choose_lane(&self, node: usize) -> Option<LaneName> {
        let lanes = (0..self.nodes[node].lanes.len()).map(LaneName::at);
        let starts = |lane: &LaneName| self.lane_start(node, *lane) == Some(self.now);
        let ready: Vec<LaneName> = lanes.filter(starts).collect();
        let shares = &self.nodes[node].shares;
        let chosen = shares.choose(&ready, self.now)?;
        let mut ready = ready;
        ready.retain(|&lane| shares.contender_of(lane) == chosen);
        let preferred = LaneName {
            class: chosen.class,
            is_response: !self.nodes[node].response_last[chosen.class],
        };
        let first = ready.first().copied();
        if ready.contains(&preferred) {
            Some(preferred)
        } else {
            first
        }
    }

    /// Starts a packet, if some lane does now.
    pub(crate) fn inject(&mut self, node: usize) {
        let Some(lane) = self.choose_lane(node) else {
            return;
        };
        let Some(next) = self.next_of(node, lane) else {
            unreachable!("a lane that starts has a packet");
        };
        let flits = self.timing.flits(next.bytes);
        let wire = self.timing.serialization(LinkKind::Host, flits);
        let vc = self.lane_vc(lane);
        let begin = self.begin_of(node, &next);
        let takes_place = self.takes_place(lane, next.load);
        let paced_until = self.held_back_until(node, lane, &next);
        let state = &mut self.nodes[node];
        let queue = &state.lanes[lane.index()];
        let cause = queue.stalled_by(paced_until);
        let span = self.now - begin;
        let stall = Stall { cause, span };
        state.count(lane, flits, stall);
        assert!(
            self.now >= state.channel_free && self.now >= next.exists,
            "not before its time"
        );
        state.channel_free = self.now + wire;
        state.shares.count(lane, next.bytes, wire, self.now);
        state.response_last[lane.class] = lane.is_response;
        if takes_place && self.parameters.response_bytes > 0 {
            state.unanswered += 1;
        }
        let (source, attached) = (state.id, state.attached);
        let queue = &mut state.lanes[lane.index()];
        assert!(queue.credits >= flits, "no packet starts without credits");
        queue.credits -= flits;
        (queue.cleared, queue.credited, queue.placed) = (None, None, None);
        self.pace(node, next.load, next.bytes, wire);
        let sequence = self.number_packet(node, lane, next.load);
        let packet = self.packets.len();
        self.packets.push(Packet {
            transfer: next.load.transfer(),
            job: self.job_of(node, next.load),
            source,
            target: next.target,
            lane,
            sequence,
            bytes: next.bytes,
            flits,
            created: next.created,
            is_marked: false,
            injected: self.now,
            route: Self::fresh_route(source, next.target, next.mode),
            travel: Travel::new(source, next.target),
            course: Course::default(),
            path: Vec::new(),
            vc,
            entered_before: None,
            entered: Instant::NEVER,
            headed: Instant::NEVER,
            input: (0, 0),
            output: (0, 0),
            ready: Instant::NEVER,
            feedback: None,
        });
        self.spray(node, packet);
        self.count_injection(node, packet, stall);
        self.blame_injection(node, packet, &next.wait(stall, wire));
        self.send_over(packet, LinkKind::Host, wire, attached);
        self.finish_packet(node, lane, next.load, next.bytes);
        self.fly(node, packet);
        self.spend(node, packet);
        self.plan_injection(node);
    }

    /// The job that a packet is booked to: messages say it where several jobs use the node.
    fn job_of(&self, node: usize, load: Load) -> u8 {
        match load {
            Load::Message(transfer) if self.by_jobs.get(node) == Some(&true) => {
                let transfer = &self.transfers[transfer];
                if transfer.origin.is_pulled() {
                    0
                } else {
                    transfer.message.job
                }
            }
            Load::Message(_) => 0,
            Load::Response { request, .. } => self.packets[request].job,
        }
    }

    /// The number of the next packet of a lane; those of a message are drawn when the first starts.
    fn number_packet(&mut self, node: usize, lane: LaneName, load: Load) -> u64 {
        let Load::Message(transfer) = load else {
            let numbered = &mut self.nodes[node].lanes[lane.index()].numbered;
            *numbered += 1;
            return *numbered - 1;
        };
        let multiple = self.multiple(self.transfers[transfer].message.source);
        let numbered = &mut self.nodes[node].lanes[lane.index()].numbered;
        let transfer = &mut self.transfers[transfer];
        let number = transfer.number.unwrap_or_else(|| {
            let first = *numbered;
            let payload = self.parameters.packet_bytes - self.parameters.header_bytes;
            *numbered += transfer
                .message
                .bytes
                .div_ceil(u64::from(payload * multiple));
            first
        });
        transfer.number = Some(number + 1);
        number
    }

    /// Counts a packet off what its lane has to send; a pulled message that is through makes room
    /// for the next.
    fn finish_packet(&mut self, node: usize, lane: LaneName, load: Load, bytes: u32) {
        let Load::Message(transfer) = load else {
            let queue = &mut self.nodes[node].lanes[lane.index()];
            queue.answers.pop_front();
            return;
        };
        let stands_for = self.stands_for(bytes);
        let has_own_queue = self.has_own_queue(&self.transfers[transfer].message);
        let state = &mut self.nodes[node].lanes[lane.index()];
        let queue = if has_own_queue {
            &mut state.gets
        } else {
            state.front_mut()
        };
        let transfer = &mut self.transfers[transfer];
        transfer.on_the_way += 1;
        let headers = stands_for * self.parameters.header_bytes;
        transfer.unsent -= u64::from(bytes - headers);
        if !transfer.origin.is_pulled() {
            queue.starts.push(self.now);
        }
        let is_through = transfer.unsent == 0;
        if is_through {
            queue.loads.pop_front();
        }
        if !has_own_queue {
            state.pass_turn();
        }
        if is_through && transfer.origin.is_pulled() {
            self.pull(node);
        }
    }

    pub(crate) fn add_nic_credits(&mut self, node: usize, vc: usize, flits: u32) {
        let class = vc / self.class_vcs;
        let lane = LaneName {
            class,
            is_response: !vc.is_multiple_of(self.class_vcs),
        };
        assert!(vc == self.lane_vc(lane), "NICs inject on the VCs of lanes");
        let credits = &mut self.nodes[node].lanes[lane.index()].credits;
        *credits += flits;
        assert!(
            *credits <= self.timing.depth(LinkKind::Host),
            "no credit is made"
        );
        self.plan_injection(node);
    }
}
