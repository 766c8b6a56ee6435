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
pub(crate) struct ChunkList<T> {
    last: Option<Box<Chunk<T>>>,
    /// Records in use in the last chunk; as many as fit in if there is none.
    used: usize,
}

/// Emptied chunks, the last one on top.
#[derive(Debug)]
pub(crate) struct ChunkPool<T>(Vec<Box<Chunk<T>>>);

/// A list that is read: its records are numbered, in the order in which they were appended.
#[derive(Debug)]
pub(crate) struct OpenList<T> {
    chunks: Vec<Box<Chunk<T>>>,
    len: usize,
}

impl<T: Copy + Default> ChunkPool<T> {
    /// The next record of `list`, which holds anything, to be written over as a whole.
    #[inline(always)]
    pub(crate) fn next<'a>(&mut self, list: &'a mut ChunkList<T>) -> &'a mut T {
        if list.used == ROOM {
            self.extend(list);
        }
        let position = list.used % ROOM;
        list.used += 1;
        // A list without a chunk was full, and has one now.
        &mut list.last.get_or_insert_with(fresh).records[position]
    }

    /// One more chunk for a list whose last one is full.
    #[inline(never)]
    fn extend(&mut self, list: &mut ChunkList<T>) {
        let mut chunk = self.0.pop().unwrap_or_else(fresh);
        chunk.before = list.last.take();
        list.last = Some(chunk);
        list.used = 0;
    }

    /// Moves the records of `list` to `open`, which holds none.
    #[inline(always)]
    pub(crate) fn open(&mut self, list: &mut ChunkList<T>, open: &mut OpenList<T>) {
        debug_assert!(open.chunks.is_empty());
        let mut next = list.last.take();
        while let Some(mut chunk) = next {
            next = chunk.before.take();
            open.chunks.push(chunk);
        }
        let count = open.chunks.len();
        open.len = count * ROOM + list.used - ROOM;
        list.used = ROOM;
        if count > 1 {
            open.chunks.reverse();
        }
    }

    /// Empties a list that was opened.
    #[inline]
    pub(crate) fn keep(&mut self, open: &mut OpenList<T>) {
        while let Some(chunk) = open.chunks.pop() {
            self.keep_chunk(chunk);
        }
        open.len = 0;
    }

    #[inline(always)]
    fn keep_chunk(&mut self, chunk: Box<Chunk<T>>) {
        if self.0.len() < MOST_EMPTY {
            self.0.push(chunk);
        }
    }

    /// Calls `each` for all records of a list in order, and empties it.
    #[inline(always)]
    pub(crate) fn drain(&mut self, list: &mut ChunkList<T>, mut each: impl FnMut(&mut Self, &T)) {
        if !list.is_empty() {
            list.read(|record| each(self, record));
            self.clear(list);
        }
    }

    /// Empties a list, which keeps one chunk.
    #[inline(always)]
    pub(crate) fn clear(&mut self, list: &mut ChunkList<T>) {
        if let Some(last) = &mut list.last {
            list.used = 0;
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

impl<T: Copy> OpenList<T> {
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
            for (position, record) in chunk.records[..count].iter().enumerate() {
                each(start + position, record);
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

impl<T> ChunkList<T> {
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

impl<T> Default for ChunkList<T> {
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

impl<T> Default for ChunkPool<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Default for OpenList<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChunkList, ChunkPool, MOST_EMPTY, OpenList, ROOM};

    fn filled(chunks: &mut ChunkPool<usize>, count: usize) -> ChunkList<usize> {
        let mut list = ChunkList::default();
        assert!(list.is_empty());
        for number in 0..count {
            *chunks.next(&mut list) = number;
        }
        assert_eq!(list.is_empty(), count == 0);
        list
    }

    /// None, one, about a chunk, and several chunks.
    const COUNTS: [usize; 8] = [0, 1, 2, ROOM - 1, ROOM, ROOM + 1, 3 * ROOM, 3 * ROOM + 5];

    #[test]
    fn records_are_read_in_the_order_they_were_appended() {
        let mut chunks = ChunkPool::default();
        let mut open = OpenList::default();
        for count in COUNTS {
            let mut list = filled(&mut chunks, count);
            list.change_all(|one| *one += 1);
            let mut read = Vec::new();
            chunks.open(&mut list, &mut open);
            assert!(list.is_empty());
            open.for_each(|number, one| {
                assert_eq!((open.get(number), *one), (one, number + 1));
                read.push(*one);
            });
            assert_eq!(read, (1..=count).collect::<Vec<_>>());
            open.retain(|one| one % 3 == 0);
            let mut kept = Vec::new();
            open.for_each(|_, one| kept.push(*one));
            read.retain(|one| one % 3 == 0);
            assert_eq!(kept, read);
            chunks.keep(&mut open);
        }
    }

    #[test]
    fn a_list_is_read_where_it_lies_and_used_again() {
        let mut chunks = ChunkPool::default();
        let mut list = ChunkList::default();
        for count in COUNTS {
            for number in 0..count {
                *chunks.next(&mut list) = number;
            }
            let mut taken = std::mem::take(&mut list);
            let mut read = Vec::new();
            taken.read(|one| read.push(*one));
            assert_eq!(read, (0..count).collect::<Vec<_>>());
            chunks.clear(&mut taken);
            list.put_back(taken);
            assert!(list.is_empty());
        }
    }

    #[test]
    fn no_thread_hoards_chunks_and_long_lists_are_dropped() {
        let mut chunks = ChunkPool::default();
        let mut open = OpenList::default();
        let mut long = filled(&mut chunks, 3 * MOST_EMPTY * ROOM);
        chunks.open(&mut long, &mut open);
        chunks.keep(&mut open);
        assert_eq!(chunks.0.len(), MOST_EMPTY);
        // One inside the other they would not fit the stack.
        drop(filled(&mut chunks, 300_000 * ROOM / 8));
    }
}
