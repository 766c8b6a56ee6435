//! What a NIC holds.

use std::collections::VecDeque;

use odonata_network::{NicCounters, Parameters};
use odonata_topology::{Attachment, LinkKind, Topology};
use odonata_units::{Instant, NodeId};

use crate::monitor::Shares;

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

/// Packets of one class and virtual network, in order.
pub(crate) struct Lane {
    pub(crate) queue: VecDeque<Load>,
    /// Usable credits of its VC.
    pub(crate) credits: u32,
    /// `c`: since when the next packet has its credits and its place among the outstanding.
    pub(crate) cleared: Option<Instant>,
    /// Since when it has had its credits, and its place, one without the other.
    pub(crate) credited: Option<Instant>,
    pub(crate) placed: Option<Instant>,
    /// Starts of the packets of messages handed over.
    pub(crate) starts: Vec<Instant>,
    /// Packets ever started.
    pub(crate) started: u64,
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
    /// By class: the virtual network served last was that of responses.
    pub(crate) response_last: Vec<bool>,
}

impl Node {
    pub(crate) fn new(id: NodeId, topology: &Topology, parameters: &Parameters) -> Self {
        let classes = usize::from(parameters.qos.classes);
        let lane = |_| Lane {
            queue: VecDeque::new(),
            credits: parameters.input_buffer_flits[LinkKind::Host as usize],
            cleared: None,
            credited: None,
            placed: None,
            starts: Vec::new(),
            started: 0,
        };
        Self {
            id,
            attached: Attachment::Router(topology.router_of(id), topology.host_port(id)),
            lanes: (0..2 * classes).map(lane).collect(),
            channel_free: Instant::ZERO,
            unanswered: 0,
            counters: NicCounters::default(),
            shares: Shares::new(parameters.qos, parameters.host.bandwidth),
            response_last: vec![false; classes],
        }
    }
}
