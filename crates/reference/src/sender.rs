//! What a NIC holds.

use std::collections::{BTreeMap, VecDeque};

use odonata_endpoint::NicCounters;
use odonata_network::Parameters;
use odonata_telemetry::NicStall;
use odonata_topology::{Attachment, LinkKind, Topology};
use odonata_units::{GroupId, Instant, NodeId, Purpose, Span, Stream};

use crate::credit::Credits;
use crate::ejection::Abated;
use crate::last_hop::Paced;
use crate::monitor::Shares;
use crate::window::Window;

/// What a lane has to send.
#[derive(Clone, Copy)]
pub(crate) enum Load {
    /// The packets of this message.
    Message(usize),
    /// The response to this packet.
    Response {
        /// The request.
        request: usize,
        /// When it was delivered.
        delivered: Instant,
    },
}

impl Load {
    /// The message, if it is one.
    pub(crate) const fn transfer(self) -> Option<usize> {
        match self {
            Self::Message(transfer) => Some(transfer),
            Self::Response { .. } => None,
        }
    }
}

/// How long a packet was held up at its NIC, and what it lacked last.
#[derive(Clone, Copy)]
pub(crate) struct Stall {
    pub(crate) cause: NicStall,
    pub(crate) span: Span,
}

/// One of the queues of a lane.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) loads: VecDeque<Load>,
    /// Starts of the packets of messages handed over.
    pub(crate) starts: Vec<Instant>,
}

/// Packets of one class and virtual network.
pub(crate) struct Lane {
    /// Of messages.
    pub(crate) queues: Vec<Queue>,
    /// Of get requests, where they do not wait behind other messages.
    pub(crate) gets: Queue,
    /// Responses to packets, in the order of their deliveries.
    pub(crate) answers: VecDeque<Load>,
    /// The queue whose turn it is.
    pub(crate) turn: usize,
    /// The queue that sends next.
    pub(crate) sending: usize,
    /// Usable credits of its VC.
    pub(crate) credits: u32,
    /// `c`: since when the next packet has its credits and its slot among the outstanding requests.
    pub(crate) cleared: Option<Instant>,
    /// Since when it has had its credits, and its slot, one without the other.
    pub(crate) credited: Option<Instant>,
    pub(crate) placed: Option<Instant>,
    /// Numbers given to packets so far.
    pub(crate) numbered: u64,
}

impl Lane {
    /// What a packet lacked last that may start from `paced_until` on, as far as pacing goes.
    pub(crate) fn stalled_by(&self, paced_until: Instant) -> NicStall {
        if Some(paced_until) > self.cleared {
            NicStall::Pacing
        } else if self.placed > self.credited {
            NicStall::Outstanding
        } else {
            NicStall::Credits
        }
    }

    /// The queue that sends next.
    pub(crate) fn front(&self) -> &Queue {
        &self.queues[self.sending]
    }

    /// The queue that sends next, to change it.
    pub(crate) fn front_mut(&mut self) -> &mut Queue {
        &mut self.queues[self.sending]
    }

    /// A packet has started: the next queue that holds something has its turn.
    pub(crate) fn pass_turn(&mut self) {
        let count = self.queues.len();
        let mut others = (1..=count).map(|ahead| (self.sending + ahead) % count);
        let next = others.find(|&queue| !self.queues[queue].loads.is_empty());
        self.turn = next.unwrap_or(self.sending);
        self.sending = self.turn;
    }

    /// Puts something into a queue; if all were empty it is the one that sends next.
    pub(crate) fn put(&mut self, queue: usize, load: Load) {
        if self.queues.iter().all(|queue| queue.loads.is_empty()) {
            self.turn = queue;
            self.sending = queue;
        }
        self.queues[queue].loads.push_back(load);
    }
}

/// Scores of the paths to a group.
pub(crate) struct Scores {
    /// `m`.
    pub(crate) minimal: u32,
    /// `s_k`, ascending.
    pub(crate) over: Vec<(GroupId, u32)>,
}

/// Memory of a NIC that sprays.
pub(crate) struct Sprayer {
    pub(crate) draws: Stream,
    /// By mode and target group.
    pub(crate) scores: BTreeMap<(u8, GroupId), Scores>,
}

impl Sprayer {
    fn new(seed: u64, node: u32) -> Self {
        Self {
            draws: Stream::new(seed, Purpose::Path, node.into()),
            scores: BTreeMap::new(),
        }
    }
}

/// A NIC.
pub(crate) struct Node {
    pub(crate) id: NodeId,
    /// Router and port at the other end of the host link.
    pub(crate) attached: Attachment,
    /// By the index of its name (`LaneName`).
    pub(crate) lanes: Vec<Lane>,
    /// `e`: end of the last packet.
    pub(crate) channel_free: Instant,
    /// Requests started and not answered.
    pub(crate) unanswered: u32,
    pub(crate) counters: NicCounters,
    pub(crate) shares: Shares,
    pub(crate) paced: Paced,
    pub(crate) abated: Abated,
    pub(crate) credits: Credits,
    /// By target.
    pub(crate) windows: BTreeMap<NodeId, Window>,
    /// Where paths are decided at NICs.
    pub(crate) sprayer: Sprayer,
    /// By class: the virtual network served last was that of responses.
    pub(crate) response_last: Vec<bool>,
}

impl Node {
    pub(crate) fn new(id: NodeId, topology: &Topology, parameters: &Parameters) -> Self {
        let classes = usize::from(parameters.qos.classes);
        let queues = |_| Queue::default();
        let lane = |_| Lane {
            queues: (0..parameters.nic_queues).map(queues).collect(),
            gets: Queue::default(),
            answers: VecDeque::new(),
            turn: 0,
            sending: 0,
            credits: parameters.input_buffer_flits[LinkKind::Host as usize],
            cleared: None,
            credited: None,
            placed: None,
            numbered: 0,
        };
        Self {
            id,
            attached: Attachment::Router(topology.router_of(id), topology.host_port(id)),
            lanes: (0..2 * classes).map(lane).collect(),
            channel_free: Instant::ZERO,
            unanswered: 0,
            counters: NicCounters::default(),
            shares: Shares::new(parameters, LinkKind::Host),
            paced: Paced::default(),
            abated: Abated::default(),
            credits: Credits::default(),
            windows: BTreeMap::new(),
            sprayer: Sprayer::new(parameters.seed, id.0),
            response_last: vec![false; classes],
        }
    }
}
