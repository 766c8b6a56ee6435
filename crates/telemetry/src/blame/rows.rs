//! What packets waited for at output ports: sums per port and waiter, in one piece of memory.
//!
//! A row has the packets that waited in the queue; by party, how long the port was occupied by it,
//! how long it held the credits that were lacking, and how long it went first through the crossbar;
//! and by input port, how long packets that came in there waited in all. What is left of the last
//! is the stage's own time.

use borsh::{BorshDeserialize, BorshSerialize};

use super::charges::{Cause, Charge, Delayed};
use super::party::Waiters;

/// What is summed up by party, in the order of a row.
const BY_PARTY: [Cause; 3] = [Cause::Port, Cause::Credits, Cause::Crossbar];

/// Words of a row before its sums: its number of packets.
const HEAD: usize = 1;

/// The rows of the routers of a scope.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Rows {
    radix: usize,
    waiters: Waiters,
    /// Number of waiters.
    count: usize,
    /// Causes of [`BY_PARTY`] that there are.
    causes: usize,
    /// Words of a row.
    length: usize,
    /// `[port * waiters + waiter]`: one more than the row of the first word of the row; 0 as long
    /// as nobody waited.
    first_words: Vec<u32>,
    words: Vec<u64>,
}

/// One row, to be added to.
pub(crate) struct Row<'a> {
    words: &'a mut [u64],
    parties: usize,
    waits: usize,
}

impl Row<'_> {
    /// One more packet waited in the queue.
    #[inline(always)]
    pub(crate) fn count(&mut self) {
        self.words[0] += 1;
    }

    /// A wait for what a party sent, held, or was granted.
    #[inline(always)]
    pub(crate) fn add(&mut self, cause: Cause, party: usize, ps: u64) {
        let row = match cause {
            Cause::Port => 0,
            Cause::Credits => 1,
            _ => 2,
        };
        debug_assert_eq!(BY_PARTY[row], cause, "what rows have");
        self.words[HEAD + row * self.parties + party] += ps;
    }

    /// The whole wait of a packet that came in by port `from` of its router.
    #[inline(always)]
    pub(crate) fn waited(&mut self, from: usize, ps: u64) {
        self.words[self.waits + from] += ps;
    }
}

impl Rows {
    pub(crate) fn new(routers: usize, radix: usize, waiters: Waiters, has_crossbar: bool) -> Self {
        let (count, causes) = (waiters.count(), if has_crossbar { 3 } else { 2 });
        Self {
            radix,
            waiters,
            count,
            causes,
            length: HEAD + causes * waiters.parties.count() + radix,
            first_words: vec![0; routers * radix * count],
            words: Vec::new(),
        }
    }

    /// Row of `waiter` at `port`.
    #[inline(always)]
    pub(crate) fn row(&mut self, port: usize, waiter: usize) -> Row<'_> {
        let row = port * self.count + waiter;
        if self.first_words[row] == 0 {
            self.grow(row);
        }
        let first = self.first_words[row] as usize - 1;
        Row {
            words: &mut self.words[first..][..self.length],
            parties: self.waiters.parties.count(),
            waits: self.length - self.radix,
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, row: usize) {
        let first = u32::try_from(self.words.len() + 1);
        self.words.resize(self.words.len() + self.length, 0);
        self.first_words[row] = first.unwrap_or_else(|_| unreachable!("fewer words than 2^32"));
    }

    /// Adds the routers behind these.
    pub(crate) fn append(&mut self, mut other: Self) {
        let before = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        for row in other.first_words.iter_mut().filter(|row| **row > 0) {
            *row += before;
        }
        self.first_words.extend(other.first_words);
        self.words.extend(other.words);
    }

    /// Words of the row of `waiter` at `port`, if there is one.
    fn words(&self, port: usize, waiter: usize) -> Option<&[u64]> {
        let row = self.first_words[port * self.count + waiter] as usize;
        let first = row.checked_sub(1)?;
        Some(&self.words[first..first + self.length])
    }

    /// Number of ports.
    pub(crate) fn ports(&self) -> usize {
        self.first_words.len() / self.count
    }

    /// Packets that waited in the queue of a port.
    pub(crate) fn packets(&self, port: usize, packets: Delayed) -> u64 {
        let waiters = self.waiters.alike(packets.job, packets.transaction);
        let rows = waiters.filter_map(|waiter| self.words(port, waiter));
        rows.map(|words| words[0]).sum()
    }

    /// Charges of the waits at an output port.
    pub(crate) fn charges(&self, port: usize) -> Vec<Charge> {
        let count = self.waiters.parties.count();
        let mut all = Vec::new();
        for waiter in 0..self.count {
            let Some(words) = self.words(port, waiter) else {
                continue;
            };
            let delayed = self.waiters.job(waiter);
            let transaction = self.waiters.transaction(waiter);
            let mut own: u64 = words[self.length - self.radix..].iter().sum();
            let by_party = words[HEAD..].chunks(count).take(self.causes);
            for (cause, sums) in BY_PARTY.into_iter().zip(by_party) {
                for (delaying, &ps) in sums.iter().enumerate().filter(|(_, ps)| **ps > 0) {
                    own -= ps;
                    all.push(Charge {
                        delayed,
                        transaction,
                        delaying,
                        cause,
                        ps,
                    });
                }
            }
            if own > 0 {
                all.push(Charge {
                    delayed,
                    transaction,
                    delaying: self.waiters.party(waiter),
                    cause: Cause::Stage,
                    ps: own,
                });
            }
        }
        all
    }

    /// Waits of packets of `party`, or of anyone, that came to `router` by `from`: output port,
    /// party and ps.
    pub(crate) fn from(
        &self,
        router: usize,
        from: usize,
        party: Option<usize>,
    ) -> Vec<(usize, usize, u64)> {
        let mut all = Vec::new();
        for output in 0..self.radix {
            for waiter in 0..self.count {
                let one = self.waiters.party(waiter);
                let words = self.words(router * self.radix + output, waiter);
                let wait = words.map_or(0, |words| words[self.length - self.radix + from]);
                if wait > 0 && party.is_none_or(|it| it == one) {
                    all.push((output, one, wait));
                }
            }
        }
        all
    }
}
