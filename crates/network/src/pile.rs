//! Lists of what is under way, in chunks that are used again.
//!
//! What is under way is appended all the time, read once, and gone. A record that is put together
//! elsewhere and then copied costs as much again as writing it: so chunks always hold records, and
//! the next one is handed out to be written over. Emptied chunks are used again, last one first:
//! they are still in the cache. A list has spare room in its last chunk only, and is never copied.

/// Records of a chunk: larger ones leave more room unused where little is under way, smaller ones
/// are read with more jumps (`docs/decisions/2026-11-22-lists-in-chunks.md`).
const ROOM: usize = 1 << ROOM_BITS;
const ROOM_BITS: u32 = 6;
/// More emptied chunks are given back: those of mail stay with the thread that receives it, and
/// traffic may go one way for long.
const MOST_EMPTY: usize = 1 << 10;

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

/// A list that is read: its records are numbered, in the order in which they were appended.
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
        let place = pile.used % ROOM;
        pile.used += 1;
        // A list without a chunk was full, and has one now.
        &mut pile.last.get_or_insert_with(fresh).records[place]
    }

    /// One more chunk for a list whose last one is full.
    #[inline(never)]
    fn extend(&mut self, pile: &mut Pile<T>) {
        let mut chunk = self.0.pop().unwrap_or_else(fresh);
        chunk.before = pile.last.take();
        pile.last = Some(chunk);
        pile.used = 0;
    }

    /// Opens a list, of which `opened` holds nothing: moves what is in it there.
    #[inline(always)]
    pub(crate) fn open(&mut self, pile: &mut Pile<T>, opened: &mut Opened<T>) {
        debug_assert!(opened.chunks.is_empty());
        let mut next = pile.last.take();
        while let Some(mut chunk) = next {
            next = chunk.before.take();
            opened.chunks.push(chunk);
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
            self.keep_chunk(chunk);
        }
        opened.len = 0;
    }

    #[inline(always)]
    fn keep_chunk(&mut self, chunk: Box<Chunk<T>>) {
        if self.0.len() < MOST_EMPTY {
            self.0.push(chunk);
        }
    }

    /// Calls `each` for all records of a list in order, and empties it.
    #[inline(always)]
    pub(crate) fn drain(&mut self, pile: &mut Pile<T>, mut each: impl FnMut(&mut Self, &T)) {
        if !pile.is_empty() {
            pile.read(|record| each(self, record));
            self.clear(pile);
        }
    }

    /// Empties a list, which keeps one chunk.
    #[inline(always)]
    pub(crate) fn clear(&mut self, pile: &mut Pile<T>) {
        if let Some(last) = &mut pile.last {
            pile.used = 0;
            while let Some(mut chunk) = last.before.take() {
                last.before = chunk.before.take();
                self.keep_chunk(chunk);
            }
        }
    }
}

/// A chunk that is in no list.
#[cold]
fn fresh<T: Copy + Default>() -> Box<Chunk<T>> {
    Box::new(Chunk {
        records: [T::default(); ROOM],
        before: None,
    })
}

impl<T: Copy> Opened<T> {
    /// The record of a number.
    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> &T {
        let chunk = &self.chunks[number >> ROOM_BITS];
        &chunk.records[number % ROOM]
    }

    /// The same, to change it.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, number: usize) -> &mut T {
        let chunk = &mut self.chunks[number >> ROOM_BITS];
        &mut chunk.records[number % ROOM]
    }

    /// Calls `each` for all in order, with their numbers.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut each: impl FnMut(usize, &T)) {
        let mut start = 0;
        for chunk in &self.chunks {
            let count = ROOM.min(self.len.saturating_sub(start));
            for (place, record) in chunk.records[..count].iter().enumerate() {
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
            for record in &chunk.records[..count] {
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

#[cfg(test)]
mod tests {
    use super::{Chunks, MOST_EMPTY, Opened, Pile, ROOM};

    fn filled(chunks: &mut Chunks<usize>, count: usize) -> Pile<usize> {
        let mut pile = Pile::default();
        assert!(pile.is_empty());
        for number in 0..count {
            *chunks.next(&mut pile) = number;
        }
        assert_eq!(pile.is_empty(), count == 0);
        pile
    }

    /// None, one, about a chunk, and several chunks.
    const COUNTS: [usize; 8] = [0, 1, 2, ROOM - 1, ROOM, ROOM + 1, 3 * ROOM, 3 * ROOM + 5];

    #[test]
    fn records_are_read_in_the_order_they_were_appended() {
        let mut chunks = Chunks::default();
        let mut opened = Opened::default();
        for count in COUNTS {
            let mut pile = filled(&mut chunks, count);
            pile.change_all(|one| *one += 1);
            let mut read = Vec::new();
            chunks.open(&mut pile, &mut opened);
            assert!(pile.is_empty());
            opened.for_each(|number, one| {
                assert_eq!((opened.get(number), *one), (one, number + 1));
                read.push(*one);
            });
            assert_eq!(read, (1..=count).collect::<Vec<_>>());
            opened.retain(|one| one % 3 == 0);
            let mut kept = Vec::new();
            opened.for_each(|_, one| kept.push(*one));
            read.retain(|one| one % 3 == 0);
            assert_eq!(kept, read);
            chunks.keep(&mut opened);
        }
    }

    #[test]
    fn a_list_is_read_where_it_lies_and_used_again() {
        let mut chunks = Chunks::default();
        let mut pile = Pile::default();
        for count in COUNTS {
            for number in 0..count {
                *chunks.next(&mut pile) = number;
            }
            let mut taken = std::mem::take(&mut pile);
            let mut read = Vec::new();
            taken.read(|one| read.push(*one));
            assert_eq!(read, (0..count).collect::<Vec<_>>());
            chunks.clear(&mut taken);
            pile.put_back(taken);
            assert!(pile.is_empty());
        }
    }

    #[test]
    fn no_thread_hoards_chunks_and_long_lists_are_dropped() {
        let mut chunks = Chunks::default();
        let mut opened = Opened::default();
        let mut long = filled(&mut chunks, 3 * MOST_EMPTY * ROOM);
        chunks.open(&mut long, &mut opened);
        chunks.keep(&mut opened);
        assert_eq!(chunks.0.len(), MOST_EMPTY);
        // One inside the other they would not fit the stack.
        drop(filled(&mut chunks, 300_000 * ROOM / 8));
    }
}
