//! The notices that a NIC gets and sends, and the packets that it holds back because of them.

use odonata_endpoint::{Endpoint, Message};
use odonata_telemetry::Probe;
use odonata_units::{Instant, Span};

use super::due::Due;
use super::next_packet::packet_bytes;
use super::{GroupNodes, Node};
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::index::{LaneIndex, LocalRouter};
use crate::model::packet::Packet;
use crate::nic::nic_control::HandedOver;
use crate::rules::congestion::{Content, Notice, PacketName, Sent};
use crate::shared::all_groups::Shared;
use crate::shared::view::View;

impl<E> GroupNodes<'_, E> {
    /// Announces `notice`, which will arrive at `node`; returns the router of the node.
    pub(crate) fn expect_notice(&mut self, node: usize, notice: Notice) -> LocalRouter {
        let due = &mut self.due[node];
        *due = notice.at.min(*due);
        let node = &mut self.nodes[node];
        let extension = node.extension.get_or_insert_default();
        extension.control.expect(notice);
        node.router
    }
}

impl<E: Endpoint> Node<E> {
    /// When the next notice arrives; never if none is on its way.
    pub(super) fn next_notice(&self) -> Instant {
        let extension = self.extension.as_ref();
        extension.map_or(Instant::NEVER, |extension| extension.control.next_notice())
    }

    /// Takes the next notice, or gives credit.
    pub(super) fn take_notice<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>) {
        let taken = (self.extension().control).take_notice(&out.shared.routing);
        self.is_stale = true;
        if let Some(notice) = taken {
            let sources = match notice.content {
                Content::Sources { degree, .. } => degree,
                _ => 0,
            };
            out.probe
                .noticed(self.id, notice.target, sources, notice.at);
        }
        self.send_notices(out);
    }

    /// Sends other NICs notices about credit, if there is any.
    #[inline]
    pub(super) fn send_notices<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>) {
        if F::NOTICES && out.shared.credit_rules.is_some() {
            self.send_credit_notices(out);
        }
    }

    #[inline(never)]
    fn send_credit_notices<F: Features, P: Probe>(&mut self, out: &mut Outbox<'_, F, P>) {
        let (id, shared) = (self.id, out.shared);
        let Some(unsent) = self.extension().control.credit_notices() else {
            return;
        };
        let (topology, times) = (&shared.topology, &shared.notice_times);
        let router = topology.router_of(id);
        let notices = unsent.drain(..).map(|notice| Notice {
            at: (notice.at).plus(times.delay_from_node(topology, router, notice.node)),
            node: notice.node,
            target: id,
            content: notice.content,
        });
        out.notices.extend(notices);
    }

    /// Notes that a message is handed over, which exists from `exists` on.
    pub(super) fn note_handed(
        &mut self,
        shared: &Shared,
        message: &Message,
        now: Instant,
        exists: Instant,
    ) {
        if shared.credit_rules.is_some() {
            let handed = HandedOver::new(shared, message, now, exists);
            self.extension().control.hand_over(handed);
        }
    }

    /// Lets the queue of `lane` send next whose turn it is among those that are not held back.
    pub(super) fn take_turn<F: Features>(&mut self, shared: View<'_, F>, lane: LaneIndex) {
        let (Some(rules), Some(extension)) = (shared.control(), self.extension.as_ref()) else {
            return;
        };
        let control = &extension.control;
        if control.is_idle() {
            return self.queues[lane].return_turn();
        }
        let free_at = self.free_at;
        self.queues[lane].choose_turn(&shared, |next| {
            let payload = next.left.min(u64::from(shared.payload_bytes));
            let counts = payload >= u64::from(rules.smallest_bytes());
            let until = if counts {
                control.held_until(next.target, packet_bytes(&shared, next.left, 1))
            } else {
                Instant::ZERO
            };
            if until > free_at.max(next.exists) {
                until
            } else {
                Instant::ZERO
            }
        });
    }

    /// The instant until which the next packet of the messages of `lane`, of `bytes`, is held back.
    #[inline]
    pub(super) fn held_until<F: Features>(
        &self,
        shared: View<'_, F>,
        lane: LaneIndex,
        bytes: u32,
    ) -> Instant {
        let (Some(rules), Some(extension)) = (shared.control(), self.extension.as_ref()) else {
            return Instant::ZERO;
        };
        let counts = bytes - shared.parameters.header_bytes >= rules.smallest_bytes();
        match &self.queues[lane].current {
            Some(current) if counts => extension.control.held_until(current.target, bytes),
            _ => Instant::ZERO,
        }
    }

    /// The instant from which on the next packet of `lane`, of `bytes`, may start.
    #[inline]
    pub(super) fn paced_until<F: Features>(
        &self,
        shared: View<'_, F>,
        lane: LaneIndex,
        bytes: u32,
        is_response: bool,
    ) -> Instant {
        let last = self.last_notice();
        if is_response {
            last
        } else {
            last.max(self.held_until(shared, lane, bytes))
        }
    }

    /// When the last notice came: what can start is known anew with it, and not before.
    #[inline]
    fn last_notice(&self) -> Instant {
        let extension = self.extension.as_ref();
        extension.map_or(Instant::ZERO, |extension| extension.control.last())
    }

    /// Decides on the path of `packet`, which is of a message and starts, if the NIC sprays.
    #[inline]
    pub(super) fn choose_path<F: Features>(&mut self, shared: View<'_, F>, packet: &mut Packet) {
        if let Some(extension) = self.extension.as_mut() {
            extension.control.choose_path(&shared.routing, packet);
        }
    }

    /// `packet`, which is of a message, starts as `due`.
    #[inline]
    pub(super) fn note_paced<F: Features>(
        &mut self,
        shared: View<'_, F>,
        packet: &Packet,
        due: Due,
        wire: Span,
    ) {
        let (Some(rules), Some(extension)) = (shared.control(), self.extension.as_mut()) else {
            return;
        };
        let payload = u32::from(due.bytes) - shared.parameters.header_bytes;
        if payload >= rules.smallest_bytes() {
            extension.control.sent(Sent {
                target: packet.target(),
                at: due.start,
                wire,
                bytes: due.bytes,
                name: PacketName::new(due.lane(shared), packet.sequence),
            });
        }
    }
}
