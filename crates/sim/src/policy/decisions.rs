//! Decisions of policies, over time.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_policy::Observation;
use odonata_units::{Instant, Span};

/// Bins of a NIC at most: there are as many logs as nodes.
const MOST_BINS: usize = 128;

/// Messages in one send mode in one bin.
#[derive(Clone, Copy, PartialEq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct Cell {
    /// Messages, and their bytes on the wire.
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
    /// How many of them the algorithm decided.
    pub(crate) decisions: u64,
    /// How many of these used another send mode than the one decided before.
    pub(crate) changes: u64,
    /// Observations after them, and the sums of what was observed: cycles, cycles per flit.
    pub(crate) observations: u64,
    pub(crate) latency: f64,
    pub(crate) stalls: f64,
}
impl Cell {
    fn add(&mut self, other: &Self) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.decisions += other.decisions;
        self.changes += other.changes;
        self.observations += other.observations;
        self.latency += other.latency;
        self.stalls += other.stalls;
    }
}

/// Decisions by bin and send mode. Bins are doubled until there are few enough: their width
/// depends on the instant of the last message only.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Log {
    send_modes: usize,
    bin: Span,
    /// `[bin * send_modes + send_mode]`.
    cells: Vec<Cell>,
    /// `[nic]`: the send mode decided last.
    last: Vec<Option<usize>>,
}
impl Log {
    /// Nothing was decided yet among so many send modes; bins are at least `bin` wide.
    pub(crate) fn new(send_modes: usize, bin: Span) -> Self {
        Self {
            send_modes,
            bin: bin.max(Span::from_ps(1)),
            cells: Vec::new(),
            last: Vec::new(),
        }
    }

    /// A message of so many bytes uses this send mode at this NIC.
    pub(crate) fn note(
        &mut self,
        now: Instant,
        nic: u8,
        send_mode: usize,
        bytes: u64,
        is_decided: bool,
    ) {
        let nic = usize::from(nic);
        if self.last.len() <= nic {
            self.last.resize(nic + 1, None);
        }
        let has_changed = is_decided
            && self.last[nic]
                .replace(send_mode)
                .is_some_and(|last| last != send_mode);
        let cell = self.cell(now, send_mode);
        cell.messages += 1;
        cell.bytes += bytes;
        cell.decisions += u64::from(is_decided);
        cell.changes += u64::from(has_changed);
    }

    /// The counters after a message that used this send mode say so.
    pub(crate) fn observed(&mut self, now: Instant, send_mode: usize, seen: Observation) {
        let cell = self.cell(now, send_mode);
        cell.observations += 1;
        cell.latency += seen.latency();
        cell.stalls += seen.stalls();
    }

    fn cell(&mut self, now: Instant, send_mode: usize) -> &mut Cell {
        while now.ps() / self.bin.ps() >= MOST_BINS as u64 {
            self.double();
        }
        let bin = usize::try_from(now.ps() / self.bin.ps()).unwrap_or(MOST_BINS - 1);
        let needed = (bin + 1) * self.send_modes;
        if self.cells.len() < needed {
            self.cells.resize(needed, Cell::default());
        }
        &mut self.cells[bin * self.send_modes + send_mode]
    }

    fn double(&mut self) {
        self.bin = self.bin * 2;
        let bins = self.cells.len() / self.send_modes;
        let mut halved = vec![Cell::default(); bins.div_ceil(2) * self.send_modes];
        for (index, cell) in self.cells.iter().enumerate() {
            let (bin, send_mode) = (index / self.send_modes, index % self.send_modes);
            halved[bin / 2 * self.send_modes + send_mode].add(cell);
        }
        self.cells = halved;
    }

    /// Adds what was decided elsewhere among the same send modes.
    pub(crate) fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        while self.bin < other.bin {
            self.double();
        }
        while other.bin < self.bin {
            other.double();
        }
        if self.cells.len() < other.cells.len() {
            self.cells.resize(other.cells.len(), Cell::default());
        }
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell.add(more);
        }
    }

    /// Width of a bin.
    pub(crate) const fn bin(&self) -> Span {
        self.bin
    }

    /// Bin, send mode, and what used it in that bin, where anything did.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u64, usize, &Cell)> {
        let indexed = self.cells.iter().enumerate();
        let used = indexed.filter(|(_, cell)| cell.messages > 0 || cell.observations > 0);
        used.map(|(index, cell)| {
            (
                (index / self.send_modes) as u64,
                index % self.send_modes,
                cell,
            )
        })
    }

    /// `[send_mode]`: everything that used it.
    pub(crate) fn totals(&self) -> Vec<Cell> {
        let mut totals = vec![Cell::default(); self.send_modes];
        for (_, send_mode, cell) in self.cells() {
            totals[send_mode].add(cell);
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Log, MOST_BINS, Observation, Span};

    #[test]
    fn bins_double_and_nothing_is_lost() {
        let mut merged = Log::new(2, Span::from_ps(10));
        let mut bytes = 0;
        for log in 0..3_u64 {
            let mut one = Log::new(2, Span::from_ps(10));
            // The first ends early, the last late.
            for number in 0..1_000 * (log * log + 1) {
                let send_mode = usize::from(number % 7 == 0);
                let now = Instant::from_ps(number * 3);
                one.note(now, 0, send_mode, number, number % 2 == 0);
                one.observed(now, send_mode, Observation::new(2.0, 1.0));
                bytes += number;
            }
            assert!(one.cells.len() <= MOST_BINS * 2);
            merged.merge(&one);
        }
        assert_eq!(merged.bin().ps(), 160, "15,000 ps in at most 128 bins");
        let totals = merged.totals();
        assert_eq!(totals.iter().map(|cell| cell.bytes).sum::<u64>(), bytes);
        assert_eq!(totals.iter().map(|cell| cell.messages).sum::<u64>(), 8_000);
        let observations: u64 = totals.iter().map(|cell| cell.observations).sum();
        assert_eq!(observations, 8_000);
        assert!(totals[0].changes > 100 && totals[1].changes > 100);
        let first = merged
            .cells()
            .next()
            .map(|(bin, send_mode, cell)| (bin, send_mode, cell.messages));
        // Three logs with 54 messages each in the first 160 ps, 46 of them not divisible by 7.
        assert_eq!(first, Some((0, 0, 3 * 46)));
    }

    /// Two NICs that each stay with a send mode of their own have changed nothing.
    #[test]
    fn changes_are_those_of_a_nic() {
        let mut log = Log::new(2, Span::from_ps(10));
        for number in 0..10 {
            log.note(Instant::from_ps(number), 0, 0, 1, true);
            log.note(Instant::from_ps(number), 1, 1, 1, true);
        }
        let changes = |log: &Log| log.totals().iter().map(|cell| cell.changes).sum::<u64>();
        assert_eq!(changes(&log), 0);
        log.note(Instant::from_ps(10), 1, 0, 1, true);
        assert_eq!(changes(&log), 1);
    }
}
