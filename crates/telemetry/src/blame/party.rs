//! Whom blame tells apart: jobs, each in every traffic class; and of packets that wait also
//! requests and responses.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::probe::PacketFacts;

/// Jobs and classes of a run, as one range of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct Parties {
    /// Number of jobs.
    pub jobs: usize,
    /// Number of traffic classes.
    pub classes: usize,
    /// Virtual channels of one class.
    pub class_vcs: usize,
}

impl Parties {
    /// That can be told apart.
    pub const MOST: usize = 64;

    /// Their number.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.jobs * self.classes
    }

    /// Number of `job` on virtual channel `vc`.
    #[inline]
    #[must_use]
    pub const fn on(&self, job: u8, vc: u8) -> usize {
        job as usize * self.classes + self.class_of(vc as usize)
    }

    /// Traffic class of virtual channel `vc`.
    #[inline]
    #[must_use]
    pub const fn class_of(&self, vc: usize) -> usize {
        if self.classes == 1 {
            0
        } else {
            vc / self.class_vcs
        }
    }

    /// Job of a party.
    #[inline]
    #[must_use]
    pub const fn job(&self, party: usize) -> usize {
        party / self.classes
    }

    /// Traffic class of a party.
    #[inline]
    #[must_use]
    pub const fn class(&self, party: usize) -> usize {
        party % self.classes
    }
}

/// What a packet is in an exchange; see `docs/model/blame.md`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Transaction {
    /// It carries a message, or a part of one: data of gets, too.
    Request,
    /// It acknowledges a packet of a message: no rank waits for it.
    Response,
}

impl Transaction {
    /// All of them, in order.
    pub const ALL: [Self; 2] = [Self::Request, Self::Response];

    /// As tables have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
        }
    }
}

/// Jobs, classes and transactions of packets that wait, as one range of numbers: those of a party
/// that are requests have its own number, its responses one behind the last party.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct Waiters {
    /// Jobs and classes.
    pub parties: Parties,
    /// Routing mode of responses, if there are any.
    pub response_mode: Option<u8>,
}

impl Waiters {
    /// Kinds of transactions: one without responses.
    #[inline]
    #[must_use]
    pub const fn transactions(&self) -> usize {
        1 + self.response_mode.is_some() as usize
    }

    /// Kinds of transactions that there are.
    pub(crate) fn kinds(&self) -> &'static [Transaction] {
        &Transaction::ALL[..self.transactions()]
    }

    /// Their number.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.parties.count() * self.transactions()
    }

    /// Number of `packet`.
    #[inline(always)]
    pub(crate) fn of(&self, packet: &PacketFacts) -> usize {
        let party = self.parties.on(packet.job, packet.vc);
        if self.response_mode == Some(packet.mode) {
            party + self.parties.count()
        } else {
            party
        }
    }

    /// Party of a waiter.
    #[inline(always)]
    pub(crate) const fn party(&self, waiter: usize) -> usize {
        if waiter < self.parties.count() {
            waiter
        } else {
            waiter - self.parties.count()
        }
    }

    /// Job of a waiter.
    #[inline]
    pub(crate) const fn job(&self, waiter: usize) -> usize {
        self.parties.job(self.party(waiter))
    }

    /// What a waiter is.
    #[inline(always)]
    pub(crate) const fn transaction(&self, waiter: usize) -> Transaction {
        if waiter < self.parties.count() {
            Transaction::Request
        } else {
            Transaction::Response
        }
    }

    /// The packets of one job and kind.
    pub(crate) fn alike(&self, job: usize, transaction: Transaction) -> std::ops::Range<usize> {
        let first = transaction as usize * self.parties.count() + job * self.parties.classes;
        first..first + self.parties.classes
    }
}
