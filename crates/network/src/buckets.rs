//! Many small lists in one block of memory: what reaches each router in each window.
//!
//! A list is a chain of chunks of eight entries. Chunks of emptied lists are used again, last one
//! first, so that memory in use stays together and in the cache, and a list that is empty costs
//! eight bytes.

use std::ops::Range;

use crate::dense::Dense;

/// Entries of a chunk.
const CHUNK: u32 = 8;
/// No chunk.
const NONE: u32 = u32::MAX;
/// Entries are numbered in 26 bits: 2 GiB of packets under way to the routers of one group.
const MOST_ENTRIES: u32 = 1 << 26;

/// One list: its last chunk, and how many entries it has in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    last: u32,
    len: u32,
}

impl List {
    const EMPTY: Self = Self { last: NONE, len: 0 };

    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub(crate) const fn len(self) -> u32 {
        self.len
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Buckets<T> {
    lists: Dense<List>,
    /// Chunk `c` holds entries `CHUNK * c ..`.
    entries: Dense<T>,
    /// `[chunk]`: the chunk before it in its list, or the next free one.
    before: Dense<u32>,
    free: u32,
}

impl<T: Copy> Buckets<T> {
    /// `count` empty lists.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            lists: (0..count).map(|_| List::EMPTY).collect(),
            entries: Dense::default(),
            before: Dense::default(),
            free: NONE,
        }
    }

    /// Appends `entry` to list `bucket`; true if it is the first one.
    #[inline(always)]
    pub(crate) fn push(&mut self, bucket: usize, entry: &T) -> bool {
        let list = self.lists[bucket];
        let offset = list.len % CHUNK;
        let last = if offset == 0 {
            self.extend(list.last, entry)
        } else {
            list.last
        };
        self.lists[bucket] = List {
            last,
            len: list.len + 1,
        };
        self.entries[(last * CHUNK + offset) as usize] = *entry;
        list.len == 0
    }

    /// A chunk behind `before`, of free ones or of new ones, which are filled with `entry`.
    #[inline(always)]
    fn extend(&mut self, before: u32, entry: &T) -> u32 {
        if self.free == NONE {
            self.grow(entry);
        }
        let chunk = self.free;
        self.free = self.before[chunk as usize];
        self.before[chunk as usize] = before;
        chunk
    }

    #[inline(never)]
    fn grow(&mut self, entry: &T) {
        let chunk = u32::try_from(self.before.len()).unwrap_or(NONE);
        assert!(chunk < MOST_ENTRIES / CHUNK, "fewer than 2^26 entries");
        for _ in 0..CHUNK {
            self.entries.push(*entry);
        }
        self.before.push(self.free);
        self.free = chunk;
    }

    /// Takes list `bucket`, which is empty then; its entries stay until [`Buckets::release`].
    #[inline(always)]
    pub(crate) fn take(&mut self, bucket: usize) -> List {
        std::mem::replace(&mut self.lists[bucket], List::EMPTY)
    }

    /// Places of the entries of a list, chunk by chunk.
    #[inline(always)]
    pub(crate) fn places(&self, list: List) -> impl Iterator<Item = Range<u32>> {
        let mut chunk = list.last;
        let mut left = list.len;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let count = (left - 1) % CHUNK + 1;
            left -= count;
            let first = chunk * CHUNK;
            chunk = self.before[chunk as usize];
            Some(first..first + count)
        })
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: u32) -> &T {
        &self.entries[place as usize]
    }

    /// Frees the entries of a list that was taken.
    #[inline(always)]
    pub(crate) fn release(&mut self, list: List) {
        let mut chunk = list.last;
        let mut left = list.len.div_ceil(CHUNK);
        while left > 0 {
            let before = self.before[chunk as usize];
            self.before[chunk as usize] = self.free;
            self.free = chunk;
            chunk = before;
            left -= 1;
        }
    }

    /// All entries, those of emptied lists too.
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        self.entries.all_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::Buckets;

    fn contents(buckets: &Buckets<u32>, list: super::List) -> Vec<u32> {
        let places = buckets.places(list).flatten();
        let mut all: Vec<_> = places.map(|place| *buckets.get(place)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn lists_hold_what_was_put_in_and_memory_is_used_again() {
        let mut buckets = Buckets::new(3);
        for entry in 0..40 {
            let is_first = buckets.push((entry % 2) as usize, &entry);
            assert_eq!(is_first, entry < 2);
        }
        let even = buckets.take(0);
        assert_eq!(contents(&buckets, even), (0..20).map(|n| 2 * n).collect::<Vec<_>>());
        buckets.release(even);
        let size = buckets.all_mut().len();
        for entry in 100..124 {
            buckets.push(2, &entry);
        }
        assert_eq!(buckets.all_mut().len(), size, "24 entries in the chunks of 20");
        let odd = buckets.take(1);
        assert_eq!(contents(&buckets, odd), (0..20).map(|n| 2 * n + 1).collect::<Vec<_>>());
        let late = buckets.take(2);
        assert_eq!(contents(&buckets, late), (100..124).collect::<Vec<_>>());
        assert!(buckets.take(0).is_empty() && buckets.take(2).is_empty());
    }
}
