//! Lists of what is under way, in chunks that are used again.
//!
//! What is under way is appended all the time, read once, and gone. A record that is put together
//! elsewhere and then copied costs as much again as writing it: so chunks always hold records, and
//! the next one is handed out to be written over. Emptied chunks are used again, last one first:
//! they are still in the cache. A list has spare room in its last chunk only, and is never copied.

use odonata_units::Record;

use crate::model::index::RecordIndex;

/// Records of a chunk: larger ones leave more room unused where little is under way, smaller ones
/// are read with more jumps (`docs/decisions/engine.md`).
const ROOM: usize = 1 << ROOM_BITS;
const ROOM_BITS: u32 = 6;
/// More emptied chunks are given back: those of mail stay with the thread that receives it, and
/// traffic may go one way for long.
const MOST_EMPTY: usize = 1 << 10;

/// Records that lie together.
type Chunk<T> = Box<[T; ROOM]>;

/// A list that is appended to.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct ChunkList<T> {
    /// The chunk that is appended to; without records if there is none, so that one comparison
    /// finds a chunk that is full and one that is not there.
    last: Box<[T]>,
    /// Records in use in the last chunk.
    used: usize,
    /// Full chunks; most lists have none.
    full: Option<Box<FullChunks<T>>>,
}

/// The chunks of a list before the last one, in the order in which they were filled.
#[derive(Debug)]
struct FullChunks<T>(Vec<Box<[T]>>);

/// Emptied chunks, the last one on top.
#[derive(Debug)]
pub(crate) struct ChunkPool<T>(Vec<Chunk<T>>);

/// A list that is read: its records are numbered, in the order in which they were appended.
#[derive(Debug)]
pub(crate) struct OpenList<T> {
    chunks: Vec<Chunk<T>>,
    len: usize,
}

impl<T: Copy + Default> ChunkPool<T> {
    /// The next record of `list`, which holds any value, to be written over as a whole. Calls
    /// `begin` if the list gets a chunk, as one that was opened does with its first record.
    #[inline(always)]
    pub(crate) fn next<'a>(
        &mut self,
        list: &'a mut ChunkList<T>,
        begin: impl FnOnce(),
    ) -> &'a mut T {
        if list.used >= list.last.len() {
            self.extend(list);
            begin();
        }
        let record = &mut list.last[list.used];
        list.used += 1;
        record
    }

    /// Gives a list whose last chunk is full one more.
    #[inline(never)]
    fn extend(&mut self, list: &mut ChunkList<T>) {
        let chunk = self.0.pop().unwrap_or_else(fresh);
        let full = std::mem::replace(&mut list.last, chunk);
        if !full.is_empty() {
            list.full.get_or_insert_default().0.push(full);
        }
        list.used = 0;
    }

    /// Moves the records of `list` to `open`, which holds none.
    #[inline(always)]
    pub(crate) fn open(&mut self, list: &mut ChunkList<T>, open: &mut OpenList<T>) {
        debug_assert!(open.chunks.is_empty());
        if list.used == 0 {
            return;
        }
        if let Some(full) = &mut list.full {
            open.chunks.extend(full.0.drain(..).filter_map(whole));
        }
        open.len = open.chunks.len() * ROOM + list.used;
        open.chunks.extend(whole(std::mem::take(&mut list.last)));
        list.used = 0;
    }

    /// Empties a list that was opened.
    #[inline(always)]
    pub(crate) fn keep(&mut self, open: &mut OpenList<T>) {
        while let Some(chunk) = open.chunks.pop() {
            self.keep_chunk(chunk);
        }
        open.len = 0;
    }

    #[inline(always)]
    fn keep_chunk(&mut self, chunk: Chunk<T>) {
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

    /// Appends the number of records of a list and these to `out`, and empties the list.
    pub(crate) fn pack(&mut self, list: &mut ChunkList<T>, out: &mut Vec<u8>)
    where
        T: Record,
    {
        let full = list.full.as_ref().map_or(0, |full| full.0.len());
        let count = full * ROOM + list.used;
        u32::try_from(count).unwrap_or(u32::MAX).write(out);
        self.drain(list, |_, record| record.write(out));
    }

    /// Empties a list, which keeps its last chunk.
    #[inline(always)]
    pub(crate) fn clear(&mut self, list: &mut ChunkList<T>) {
        list.used = 0;
        if let Some(full) = &mut list.full {
            while let Some(chunk) = full.0.pop().and_then(whole) {
                self.keep_chunk(chunk);
            }
        }
    }
}

/// A chunk that is in no list.
#[cold]
fn fresh<T: Copy + Default>() -> Chunk<T> {
    Box::new([T::default(); ROOM])
}

/// A chunk that is known to be whole.
#[inline]
fn whole<T>(chunk: Box<[T]>) -> Option<Chunk<T>> {
    Box::try_from(chunk).ok()
}

impl<T: Copy> OpenList<T> {
    /// The record of an index.
    #[inline(always)]
    pub(crate) fn get(&self, record: RecordIndex) -> &T {
        let chunk = &self.chunks[record.index() >> ROOM_BITS];
        &chunk[record.index() % ROOM]
    }

    /// The record of an index, to change it.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, record: RecordIndex) -> &mut T {
        let chunk = &mut self.chunks[record.index() >> ROOM_BITS];
        &mut chunk[record.index() % ROOM]
    }

    /// Calls `each` for all records in order, with their indices.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut each: impl FnMut(RecordIndex, &T)) {
        let mut start = 0;
        for chunk in &self.chunks {
            let count = ROOM.min(self.len.saturating_sub(start));
            for (position, record) in chunk[..count].iter().enumerate() {
                each(RecordIndex::new(start + position), record);
            }
            start += ROOM;
        }
    }

    /// Keeps the records for which `is_kept` holds, in their order, and hands out the others.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool, mut other: impl FnMut(&T)) {
        let mut kept = 0;
        for number in (0..self.len).map(RecordIndex::new) {
            let record = *self.get(number);
            if is_kept(&record) {
                *self.get_mut(RecordIndex::new(kept)) = record;
                kept += 1;
            } else {
                other(&record);
            }
        }
        self.len = kept;
    }
}

impl<T> ChunkList<T> {
    /// Whether nothing is in it.
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Puts a list where it was taken from, which left one without a chunk.
    #[inline(always)]
    pub(crate) fn put_back(&mut self, other: Self) {
        debug_assert!(self.last.is_empty());
        *self = other;
    }

    /// Calls `each` for all records in order; the list has to be emptied then.
    #[inline(always)]
    pub(crate) fn read(&self, mut each: impl FnMut(&T)) {
        for chunk in self.full.iter().flat_map(|full| &full.0) {
            chunk.iter().for_each(&mut each);
        }
        self.last[..self.used].iter().for_each(each);
    }

    /// Calls `each` for all records, to change them.
    pub(crate) fn change_all(&mut self, mut each: impl FnMut(&mut T)) {
        for chunk in self.full.iter_mut().flat_map(|full| &mut full.0) {
            chunk.iter_mut().for_each(&mut each);
        }
        self.last[..self.used].iter_mut().for_each(each);
    }
}

impl<T> Default for ChunkList<T> {
    fn default() -> Self {
        Self {
            last: Box::default(),
            used: 0,
            full: None,
        }
    }
}

impl<T> Default for FullChunks<T> {
    fn default() -> Self {
        Self(Vec::new())
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
            *chunks.next(&mut list, || ()) = number;
        }
        assert_eq!(list.is_empty(), count == 0);
        list
    }

    /// No record, one, about a chunk, and several chunks.
    const COUNTS: [usize; 8] = [0, 1, 2, ROOM - 1, ROOM, ROOM + 1, 3 * ROOM, 3 * ROOM + 5];

    #[test]
    fn records_are_read_in_the_order_they_were_appended() {
        let mut chunks = ChunkPool::default();
        let mut open = OpenList::default();
        for count in COUNTS {
            let mut list = filled(&mut chunks, count);
            list.change_all(|one| *one += 1);
            let mut read = Vec::<usize>::new();
            chunks.open(&mut list, &mut open);
            assert!(list.is_empty());
            open.for_each(|number, one| {
                assert_eq!((open.get(number), *one), (one, number.index() + 1));
                read.push(*one);
            });
            assert_eq!(read, (1..=count).collect::<Vec<_>>());
            let (mut kept, mut others) = (Vec::new(), Vec::new());
            open.retain(|one| one % 3 == 0, |one| others.push(*one));
            open.for_each(|_, one| kept.push(*one));
            let expected: (Vec<usize>, Vec<usize>) =
                read.iter().copied().partition(|one| one % 3 == 0);
            assert_eq!((kept, others), expected);
            chunks.keep(&mut open);
        }
    }

    #[test]
    fn a_list_is_read_where_it_lies_and_used_again() {
        let mut chunks = ChunkPool::default();
        let mut list = ChunkList::default();
        for count in COUNTS {
            for number in 0..count {
                *chunks.next(&mut list, || ()) = number;
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
    fn no_thread_hoards_chunks() {
        let mut chunks = ChunkPool::default();
        let mut open = OpenList::default();
        let mut long = filled(&mut chunks, 3 * MOST_EMPTY * ROOM);
        chunks.open(&mut long, &mut open);
        chunks.keep(&mut open);
        assert_eq!(chunks.0.len(), MOST_EMPTY);
    }
}
