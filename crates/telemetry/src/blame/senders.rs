//! Waits of what each node sent.

use borsh::{BorshDeserialize, BorshSerialize};

use super::charges::Cause;
use super::party::{Transaction, Waiters};
use super::sums::Sums;

/// Charges that may be told apart by sender and port: more, and they are told apart by sender only.
const MOST_HELD: usize = 1 << 24;

/// Waits by who sent the packets.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct BySender {
    waiters: Waiters,
    /// `[(node * transactions + transaction) * parties + party]`, ps.
    ps: Vec<u64>,
    /// What of it is passed on, by [`Held::pack`]: ps.
    held: Sums,
    knows_ports: bool,
}

/// A charge in a router that is passed on: where and why, by whom, and who sent what waited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Held {
    /// Number of the port among those of all routers; none where there are too many.
    pub(crate) port: Option<u32>,
    pub(crate) sender: u32,
    pub(crate) transaction: Transaction,
    pub(crate) delaying: usize,
    pub(crate) cause: Cause,
}

/// Causes in routers that are passed on.
const PASSED: [Cause; 3] = [Cause::Credits, Cause::Crossbar, Cause::InputQueue];
const NO_PORT: u64 = (1 << 30) - 1;

impl Held {
    /// In one number: cause (2 bits), party (6), transaction (1), sender (24), port (30).
    const fn pack(self) -> u64 {
        let cause = match self.cause {
            Cause::Credits => 0,
            Cause::Crossbar => 1,
            _ => 2,
        };
        let port = match self.port {
            Some(port) => port as u64,
            None => NO_PORT,
        };
        let kind = self.transaction as u64;
        port << 33 | (self.sender as u64) << 9 | kind << 8 | (self.delaying as u64) << 2 | cause
    }

    #[expect(clippy::cast_possible_truncation, reason = "fields of their widths")]
    const fn unpack(word: u64) -> Self {
        let port = word >> 33;
        Self {
            port: if port == NO_PORT {
                None
            } else {
                Some(port as u32)
            },
            sender: (word >> 9) as u32 & 0xFF_FFFF,
            transaction: Transaction::ALL[(word >> 8 & 1) as usize],
            delaying: (word >> 2 & 63) as usize,
            cause: PASSED[(word & 3) as usize],
        }
    }
}

impl BySender {
    /// Empty sums of all `nodes`, in a network with so many `ports`.
    pub(crate) fn new(nodes: usize, ports: usize, waiters: Waiters) -> Self {
        let (waiting, parties) = (waiters.transactions(), waiters.parties.count());
        Self {
            waiters,
            ps: vec![0; nodes * waiting * parties],
            held: Sums::default(),
            knows_ports: nodes * ports * waiting * parties <= MOST_HELD,
        }
    }

    #[inline(always)]
    fn first(&self, node: u32, transaction: Transaction) -> usize {
        let row = node as usize * self.waiters.transactions() + transaction as usize;
        row * self.waiters.parties.count()
    }

    /// A packet that `node` sent waited because of `delaying`.
    #[inline(always)]
    pub(crate) fn add(&mut self, node: u32, kind: Transaction, delaying: usize, ps: u64) {
        let index = self.first(node, kind) + delaying;
        self.ps[index] += ps;
    }

    /// A packet waited because of another, and the charge is passed on.
    #[inline]
    pub(crate) fn add_held(&mut self, mut held: Held, ps: u64) {
        self.add(held.sender, held.transaction, held.delaying, ps);
        if !self.knows_ports {
            held.port = None;
        }
        self.held.add(held.pack(), ps);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.ps.iter_mut().zip(other.ps.iter()) {
            *mine += theirs;
        }
        self.held.merge(&other.held);
    }

    /// Waits of packets of a kind, by party that delayed them.
    pub(crate) fn of(&self, node: usize, transaction: Transaction) -> &[u64] {
        let row = node * self.waiters.transactions() + transaction as usize;
        let count = self.waiters.parties.count();
        &self.ps[row * count..(row + 1) * count]
    }

    /// Whether charges that are passed on are told apart by port.
    pub(crate) const fn knows_ports(&self) -> bool {
        self.knows_ports
    }

    /// What of the waits is passed on, by port, sender and so on.
    pub(crate) fn held(&self) -> Vec<(Held, u64)> {
        let all = self.held.sorted().into_iter();
        all.map(|(key, ps)| (Held::unpack(key), ps)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Held, PASSED};
    use crate::blame::party::Transaction;

    #[test]
    fn keys_are_unpacked_as_they_were() {
        for cause in PASSED {
            for port in [None, Some(0), Some((1 << 30) - 2)] {
                let held = Held {
                    port,
                    sender: (1 << 24) - 1,
                    transaction: Transaction::Response,
                    delaying: 63,
                    cause,
                };
                assert_eq!(Held::unpack(held.pack()), held);
            }
        }
    }
}
