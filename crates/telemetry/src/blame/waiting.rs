//! Packets that wait at output ports: a line per port and virtual channel, and of each packet the
//! reading of the clocks when its wait began.

use odonata_units::Instant;

/// Nobody.
const NOBODY: u32 = u32::MAX;

/// Who waits, in one word: node that sent it (32 bits), whether credits had been lacking, port it
/// came in by (8), waiter (8).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who(u64);

const IN_PORT_BIT: u32 = 8;
/// Credits had been lacking before its wait began: without that, the part of its reading that is
/// about them is not written, and stands for zeros.
const HAD_LACKED: u64 = 1 << 16;
const SOURCE_BIT: u32 = 32;

/// A packet in the queue of an output port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingPacket {
    /// First instant at which it may start.
    pub(crate) since: Instant,
    pub(crate) who: Who,
}

/// Words of a record before its reading: since when it waits; the index behind it or the next free
/// one; who it is.
const HEAD: usize = 3;
const SINCE: usize = 0;
const NEXT: usize = 1;
const WHO: usize = 2;

/// First and last index of a line; nobody stands in it if there is no first.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
}

/// All lines of a scope, in which packets stand in the order in which they start. Records are used
/// again, most recent first; the index of one is that of its first word.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    records: Vec<u64>,
    /// Words of a reading.
    length: usize,
    free: u32,
}

impl Who {
    #[inline(always)]
    pub(crate) const fn new(waiter: usize, in_port: u8, source: u32) -> Self {
        let here = waiter as u64 | (in_port as u64) << IN_PORT_BIT;
        Self(here | (source as u64) << SOURCE_BIT)
    }

    #[inline(always)]
    pub(crate) const fn waiter(self) -> usize {
        (self.0 & 0xFF) as usize
    }

    #[inline(always)]
    pub(crate) const fn in_port(self) -> usize {
        (self.0 >> IN_PORT_BIT & 0xFF) as usize
    }

    #[inline(always)]
    pub(crate) const fn source(self) -> u32 {
        (self.0 >> SOURCE_BIT) as u32
    }

    #[inline(always)]
    pub(crate) const fn had_lacked(self) -> bool {
        self.0 & HAD_LACKED != 0
    }
}

impl Lines {
    pub(crate) fn new(lines: usize, length: usize) -> Self {
        let empty = Line {
            first: NOBODY,
            last: NOBODY,
        };
        Self {
            lines: vec![empty; lines],
            records: Vec::new(),
            length,
            free: NOBODY,
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self, line: usize) -> bool {
        self.lines[line].first == NOBODY
    }

    /// `one` joins a line; returns its index, whose reading is not written.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "indices have 32 bits")]
    pub(crate) fn join(&mut self, line: usize, one: WaitingPacket) -> u32 {
        if self.free == NOBODY {
            self.grow();
        }
        let index = self.free;
        let record = &mut self.records[index as usize..][..HEAD];
        self.free = record[NEXT] as u32;
        record[SINCE] = one.since.ps();
        record[WHO] = one.who.0;
        let line = &mut self.lines[line];
        if line.first == NOBODY {
            line.first = index;
        } else {
            self.records[line.last as usize + NEXT] = u64::from(index);
        }
        line.last = index;
        index
    }

    /// One more free record.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let index = u32::try_from(self.records.len()).unwrap_or(NOBODY);
        assert!(
            index < NOBODY,
            "fewer packets than memory has room for wait"
        );
        let words = self.records.len() + HEAD + self.length;
        self.records.resize(words, 0);
        self.records[index as usize + NEXT] = u64::from(NOBODY);
        self.free = index;
    }

    /// The first of a line leaves it; its reading stays until the next one joins.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "indices have 32 bits")]
    pub(crate) fn leave(&mut self, line: usize) -> Option<(u32, WaitingPacket)> {
        let line = &mut self.lines[line];
        let index = line.first;
        if index == NOBODY {
            return None;
        }
        let record = &mut self.records[index as usize..][..HEAD];
        let next = record[NEXT];
        let one = WaitingPacket {
            since: Instant::from_ps(record[SINCE]),
            who: Who(record[WHO]),
        };
        line.first = if index == line.last {
            NOBODY
        } else {
            next as u32
        };
        record[NEXT] = u64::from(self.free);
        self.free = index;
        Some((index, one))
    }

    /// Credits had been lacking before the wait at `index` began.
    pub(crate) fn set_lacked(&mut self, index: u32) {
        self.records[index as usize + WHO] |= HAD_LACKED;
    }

    #[inline(always)]
    pub(crate) fn reading(&self, index: u32) -> &[u64] {
        &self.records[index as usize + HEAD..][..self.length]
    }

    #[inline(always)]
    pub(crate) fn reading_mut(&mut self, index: u32) -> &mut [u64] {
        let first = index as usize + HEAD;
        &mut self.records[first..][..self.length]
    }
}
