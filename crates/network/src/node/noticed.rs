//! What a NIC is told about its targets, and what it holds back because of it.

use odonata_endpoint::Endpoint;
use odonata_units::{Instant, Span};

use super::due::Due;
use super::next_packet::packet_bytes;
use super::{GroupNodes, Node};
use crate::congestion::{Notice, PacketName, Sent};
use crate::features::Features;
use crate::index::{LaneIndex, LocalRouter};
use crate::packet::Packet;
use crate::view::View;

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

    /// Takes the next notice.
    pub(super) fn take_notice(&mut self) {
        self.extension().control.take_notice();
        self.is_stale = true;
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
                control.held_until(next.target, packet_bytes(&shared, next.left))
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
