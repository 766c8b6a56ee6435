//! The NIC of a node as its endpoint uses it while it is called: to send, and to read counters.

use odonata_telemetry::Probe;
use odonata_units::{Instant, NodeId};

use crate::model::index::LaneIndex;
use crate::nic::nic_control::{HandedOver, NicControl};
use crate::nic::send_queue::SendQueues;
use crate::shared::all_groups::Shared;
use odonata_endpoint::{Message, Nic, NicCounters};

/// Counts of a NIC by packet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SentCounts {
    pub(super) requests: u64,
    /// Flits of all packets, responses included.
    pub(super) flits: u64,
}

impl SentCounts {
    /// All that a NIC has counted: these, `flits` of which are of responses, and `others`.
    pub(super) const fn with(self, flits: u64, others: &NicCounters) -> NicCounters {
        NicCounters {
            requests: self.requests,
            flits: self.flits,
            request_flits: self.flits - flits,
            ..*others
        }
    }
}

/// Collects what an endpoint sends.
pub(super) struct Outgoing<'a, P> {
    pub(super) now: Instant,
    pub(super) source: NodeId,
    pub(super) networks: u8,
    /// Data of gets are responses.
    pub(super) has_data: bool,
    pub(super) shared: &'a Shared,
    pub(super) queues: &'a mut SendQueues,
    /// Messages for other NICs of the node.
    pub(super) elsewhere: &'a mut Vec<Message>,
    pub(super) sent: SentCounts,
    /// Flits of responses.
    pub(super) response_flits: u64,
    pub(super) counters: &'a NicCounters,
    /// Told of what is handed over, if anything heeds that.
    pub(super) control: Option<&'a mut NicControl>,
    /// Counters of the other NICs of the node.
    pub(super) beside: &'a [NicCounters],
    pub(super) probe: &'a mut P,
    /// Job of the node, if it has one.
    pub(super) job: Option<u8>,
    pub(super) goals: &'a [bool],
    pub(super) handed: i64,
}

impl<P: Probe> Nic for Outgoing<'_, P> {
    fn send(&mut self, mut message: Message) {
        debug_assert!(message.bytes > 0 && message.target != self.source);
        message.source = self.source;
        message.job = self.job.unwrap_or(message.job);
        self.handed += i64::from(self.job.is_some() || is_goal(self.goals, &message));
        if message.nic > 0 {
            return self.elsewhere.push(message);
        }
        let is_data = self.has_data && message.role.is_data();
        let lane = LaneIndex::new(usize::from(
            message.class * self.networks + u8::from(is_data),
        ));
        self.queues[lane].hand_over(self.shared, self.now, message);
        if let Some(control) = &mut self.control {
            control.hand_over(HandedOver::new(self.shared, &message, self.now, self.now));
        }
        self.probe
            .posted(self.source, message.target, message.bytes, self.now);
    }

    fn counters(&self, nic: u8) -> NicCounters {
        match nic {
            0 => self.sent.with(self.response_flits, self.counters),
            other => self.beside[usize::from(other) - 1],
        }
    }
}

/// Whether the run waits for the job of `message`.
pub(super) fn is_goal(goals: &[bool], message: &Message) -> bool {
    goals
        .get(usize::from(message.job))
        .copied()
        .unwrap_or(false)
}
