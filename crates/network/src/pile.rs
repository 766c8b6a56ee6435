//! Lists of what is under way, in chunks that are used again.
//!
//! What is under way is appended all the time, read once, and gone. A record that is put together
//! elsewhere and then copied costs as much again as writing it: so chunks always hold records, and
//! the next one is handed out to be written over. Emptied chunks are used again, last one first:
//! few are in use at a time, so they stay in the cache. Only the last chunk of a list has room left.

use odonata_units::dense::{append, at, at_mut, first, present};

/// Records of a chunk.
const ROOM: usize = 1 << ROOM_BITS;
const ROOM_BITS: u32 = 7;

/// Records that lie together.
#[derive(Debug)]
struct Chunk<T> {
    records: [T; ROOM],
    /// The one before it in its list.
    before: Option<Box<Self>>,
}

/// A list that is appended to.
#[derive(Debug)]
pub(crate) struct Pile<T> {
    last: Option<Box<Chunk<T>>>,
    /// Records in use in the last chunk; as many as fit in if there is none.
    used: usize,
}

/// Emptied chunks, the last one on top.
#[derive(Debug)]
pub(crate) struct Chunks<T>(Vec<Box<Chunk<T>>>);

/// A list that is read: its records are numbered.
#[derive(Debug)]
pub(crate) struct Opened<T> {
    chunks: Vec<Box<Chunk<T>>>,
    len: usize,
}

impl<T: Copy + Default> Chunks<T> {
    /// The next record of `pile`, which holds anything, to be written over as a whole.
    #[inline(always)]
    pub(crate) fn next<'a>(&mut self, pile: &'a mut Pile<T>) -> &'a mut T {
        if pile.used == ROOM {
            self.extend(pile);
        }
        let place = pile.used;
        pile.used += 1;
        // A list without a chunk was full.
        at_mut(&mut present(&mut pile.last).records, place)
    }

    #[inline(never)]
    fn extend(&mut self, pile: &mut Pile<T>) {
        let mut chunk = self.0.pop().unwrap_or_else(|| {
            Box::new(Chunk {
                records: [T::default(); ROOM],
                before: None,
            })
        });
        // Nothing is dropped: a chunk that is in no list has none before it.
        std::mem::swap(&mut chunk.before, &mut pile.last);
        std::mem::forget(pile.last.replace(chunk));
        pile.used = 0;
    }

    /// Opens a list, of which `opened` holds nothing: moves what is in it there.
    #[inline]
    pub(crate) fn open(&mut self, pile: &mut Pile<T>, opened: &mut Opened<T>) {
        debug_assert!(opened.chunks.is_empty());
        let mut next = pile.last.take();
        while let Some(mut chunk) = next {
            next = chunk.before.take();
            append(&mut opened.chunks, chunk, |_| ());
        }
        let count = opened.chunks.len();
        opened.len = count * ROOM + pile.used - ROOM;
        pile.used = ROOM;
        if count > 1 {
            opened.chunks.reverse();
        }
    }

    /// Empties a list that was opened.
    #[inline]
    pub(crate) fn keep(&mut self, opened: &mut Opened<T>) {
        while let Some(chunk) = opened.chunks.pop() {
            append(&mut self.0, chunk, |_| ());
        }
        opened.len = 0;
    }

    /// Empties a list, which keeps one chunk.
    #[inline(always)]
    pub(crate) fn clear(&mut self, pile: &mut Pile<T>) {
        if let Some(last) = &mut pile.last {
            while let Some(mut chunk) = last.before.take() {
                last.before = chunk.before.take();
                self.0.push(chunk);
            }
            pile.used = 0;
        }
    }
}

impl<T: Copy> Opened<T> {
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> &T {
        let chunk = at(&self.chunks, number >> ROOM_BITS);
        at(&chunk.records, number % ROOM)
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, number: usize) -> &mut T {
        let chunk = at_mut(&mut self.chunks, number >> ROOM_BITS);
        at_mut(&mut chunk.records, number % ROOM)
    }

    /// Calls `each` for all in order, with their numbers.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut each: impl FnMut(usize, &T)) {
        let mut start = 0;
        for chunk in &self.chunks {
            let count = ROOM.min(self.len.saturating_sub(start));
            for (place, record) in first(&chunk.records, count).iter().enumerate() {
                each(start + place, record);
            }
            start += ROOM;
        }
    }

    /// Keeps those for which `is_kept`, in their order.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        let mut kept = 0;
        for number in 0..self.len {
            let record = *self.get(number);
            if is_kept(&record) {
                *self.get_mut(kept) = record;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl<T> Pile<T> {
    /// Whether nothing is in it.
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.used == 0 || self.last.is_none()
    }

    /// Puts a list in the place of one that has no chunk.
    #[inline(always)]
    pub(crate) fn put_back(&mut self, other: Self) {
        debug_assert!(self.last.is_none());
        std::mem::forget(std::mem::replace(self, other));
    }

    /// Calls `each` for all in order; the list has to be emptied then.
    #[inline(always)]
    pub(crate) fn read(&mut self, mut each: impl FnMut(&T)) {
        if self.last.as_ref().is_some_and(|last| last.before.is_some()) {
            self.turn_round();
        }
        let mut next = &self.last;
        while let Some(chunk) = next {
            let is_last = chunk.before.is_none();
            let count = if is_last { self.used } else { ROOM };
            for record in first(&chunk.records, count) {
                each(record);
            }
            next = &chunk.before;
        }
    }

    /// The first chunk becomes the last.
    #[cold]
    #[inline(never)]
    fn turn_round(&mut self) {
        let mut turned = None;
        let mut next = self.last.take();
        while let Some(mut chunk) = next {
            next = std::mem::replace(&mut chunk.before, turned);
            turned = Some(chunk);
        }
        self.last = turned;
    }

    /// Calls `each` for all, in any order, to change them.
    pub(crate) fn change_all(&mut self, mut each: impl FnMut(&mut T)) {
        let mut count = self.used;
        let mut next = &mut self.last;
        while let Some(chunk) = next {
            chunk.records[..count].iter_mut().for_each(&mut each);
            count = ROOM;
            next = &mut chunk.before;
        }
    }
}

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Self {
            last: None,
            used: ROOM,
        }
    }
}

/// A long list would be dropped chunk inside chunk.
impl<T> Drop for Chunk<T> {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut chunk) = next {
            next = chunk.before.take();
        }
    }
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Default for Opened<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }
}
