//! Packets that wait at output ports: a line per port and virtual channel, and of each packet the
//! reading of the clocks when its wait began.

use odonata_units::Instant;

/// Nobody.
const NOBODY: u32 = u32::MAX;

/// A packet in the queue of an output port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// First instant at which it may start.
    pub(crate) since: Instant,
    /// Place of the one behind it, or of the next free place.
    pub(crate) next: u32,
    pub(crate) source: u32,
    pub(crate) party: u8,
    pub(crate) in_port: u8,
    /// Credits had been lacking here before its wait began: without that, the part of its reading
    /// that is about them is not written, and stands for zeros.
    pub(crate) had_lacked: bool,
}

/// First and last place of a line; nobody stands in it if there is no first.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u32,
    last: u32,
}

/// All lines of a share, in which packets stand in the order in which they start. Places are used
/// again, most recent first.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    places: Vec<Waiting>,
    /// `[place * length]`.
    readings: Vec<u64>,
    length: usize,
    free: u32,
}

impl Lines {
    pub(crate) fn new(lines: usize, length: usize) -> Self {
        let empty = Line {
            first: NOBODY,
            last: NOBODY,
        };
        Self {
            lines: vec![empty; lines],
            places: Vec::new(),
            readings: Vec::new(),
            length,
            free: NOBODY,
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self, line: usize) -> bool {
        self.lines[line].first == NOBODY
    }

    /// `one` joins a line; returns its place, whose reading is not written.
    #[inline(always)]
    pub(crate) fn join(&mut self, line: usize, one: Waiting) -> u32 {
        if self.free == NOBODY {
            self.grow();
        }
        let place = self.free;
        let slot = &mut self.places[place as usize];
        self.free = slot.next;
        *slot = one;
        let line = &mut self.lines[line];
        if line.first == NOBODY {
            line.first = place;
        } else {
            self.places[line.last as usize].next = place;
        }
        line.last = place;
        place
    }

    /// One more free place.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let place = u32::try_from(self.places.len()).unwrap_or(NOBODY);
        assert!(place < NOBODY, "fewer packets than 2^32 wait");
        self.places.push(Waiting {
            since: Instant::ZERO,
            next: NOBODY,
            source: 0,
            party: 0,
            in_port: 0,
            had_lacked: false,
        });
        self.readings.resize(self.readings.len() + self.length, 0);
        self.free = place;
    }

    /// The first of a line leaves it; its reading stays until the next one joins.
    #[inline(always)]
    pub(crate) fn leave(&mut self, line: usize) -> Option<(u32, Waiting)> {
        let line = &mut self.lines[line];
        let place = line.first;
        if place == NOBODY {
            return None;
        }
        let slot = &mut self.places[place as usize];
        let one = *slot;
        line.first = if place == line.last { NOBODY } else { one.next };
        slot.next = self.free;
        self.free = place;
        Some((place, one))
    }

    /// Whether credits had been lacking before the wait at `place` began.
    pub(crate) fn set_lacked(&mut self, place: u32, had_lacked: bool) {
        self.places[place as usize].had_lacked = had_lacked;
    }

    #[inline(always)]
    pub(crate) fn reading(&self, place: u32) -> &[u64] {
        &self.readings[place as usize * self.length..][..self.length]
    }

    #[inline(always)]
    pub(crate) fn reading_mut(&mut self, place: u32) -> &mut [u64] {
        &mut self.readings[place as usize * self.length..][..self.length]
    }
}
