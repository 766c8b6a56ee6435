//! Arrivals at the routers of a block in the window that is simulated, as a list for each router.
//!
//! Most routers of a sparse window have nothing, and the others one record: so a router has the
//! numbers of its first records and no more, and a thread has one place in which those of the
//! router that is simulated are put in order.

use crate::model::index::{LocalRouter, RecordIndex};
use crate::model::packet::Credit;
use crate::router::advance::RouterArrivals;
use crate::router::order::OrderKey;

/// The first records of one router, by number from 1; 0 if there is none.
#[derive(Clone, Copy, Default, Debug)]
struct Heads {
    packets: u32,
    credits: u32,
    feedback: u32,
}

/// Sorted part of a packet or of feedback, and the next record of its router.
#[derive(Clone, Copy, Debug)]
struct Timed {
    key: OrderKey,
    next: u32,
}

/// A credit that is not applied early, and the next one of its router.
#[derive(Clone, Copy, Debug)]
struct Returning {
    next: u32,
    credit: Credit,
}

/// Arrivals at the routers of a block in a window.
#[derive(Debug, Default)]
pub(crate) struct ArrivalLists {
    /// `[router]`.
    heads: Vec<Heads>,
    /// `[record]`, as the list of the group numbers them.
    packets: Vec<Timed>,
    credits: Vec<Returning>,
    /// `[record]`, as the list of the group numbers them.
    feedback: Vec<Timed>,
    /// Arrivals at the router that is simulated.
    own: RouterArrivals,
}

/// The number of the last of `records`, from 1.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "records are numbered so")]
const fn number_of_last<T>(records: &[T]) -> u32 {
    records.len() as u32
}

impl ArrivalLists {
    /// Makes room for the lists of so many routers.
    pub(crate) fn reserve(&mut self, routers: usize) {
        if self.heads.len() < routers {
            self.heads.resize(routers, Heads::default());
        }
    }

    /// Whether a packet enters `router`.
    #[inline(always)]
    pub(crate) fn has_packets(&self, router: LocalRouter) -> bool {
        self.heads[router.index()].packets != 0
    }

    /// Adds the next packet of the list of the group; true if it is the first of its router.
    #[inline(always)]
    pub(crate) fn add_packet(&mut self, router: LocalRouter, offset: u32, port: u8) -> bool {
        let head = &mut self.heads[router.index()].packets;
        let next = *head;
        let key = OrderKey::new(RecordIndex::new(self.packets.len()), offset, port);
        self.packets.push(Timed { key, next });
        *head = number_of_last(&self.packets);
        next == 0
    }

    /// Adds a credit that is not applied early; true if it is the first of its router.
    #[inline(always)]
    pub(crate) fn add_credit(&mut self, router: LocalRouter, credit: Credit) -> bool {
        let head = &mut self.heads[router.index()].credits;
        let next = *head;
        self.credits.push(Returning { next, credit });
        *head = number_of_last(&self.credits);
        next == 0
    }

    /// Adds the next feedback of the list of the group; true if it is the first of its router.
    #[inline(always)]
    pub(crate) fn add_feedback(&mut self, router: LocalRouter, offset: u32, port: u8) -> bool {
        let head = &mut self.heads[router.index()].feedback;
        let next = *head;
        let key = OrderKey::new(RecordIndex::new(self.feedback.len()), offset, port);
        self.feedback.push(Timed { key, next });
        *head = number_of_last(&self.feedback);
        next == 0
    }

    /// Takes what reaches `router`; `None` if nothing does.
    #[inline(always)]
    pub(crate) fn take(&mut self, router: LocalRouter) -> Option<&mut RouterArrivals> {
        let heads = std::mem::take(&mut self.heads[router.index()]);
        if heads.packets | heads.credits | heads.feedback == 0 {
            return None;
        }
        let mut next = heads.packets;
        while next != 0 {
            let packet = self.packets[next as usize - 1];
            self.own.packets.push(packet.key);
            next = packet.next;
        }
        let mut next = heads.credits;
        while next != 0 {
            let returning = self.credits[next as usize - 1];
            self.own.credits.push(returning.credit);
            next = returning.next;
        }
        let mut next = heads.feedback;
        while next != 0 {
            let feedback = self.feedback[next as usize - 1];
            self.own.feedback.push(feedback.key);
            next = feedback.next;
        }
        Some(&mut self.own)
    }

    /// Nothing: what reaches a router that only acts of its own accord.
    #[inline(always)]
    pub(crate) fn nothing(&mut self) -> &mut RouterArrivals {
        &mut self.own
    }

    /// Ends the window, whose lists have all been taken.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.packets.clear();
        self.credits.clear();
        self.feedback.clear();
    }
}
