//! A column of a table: whole numbers, packed block by block.
//!
//! The last values, fewer than a block, are as they were given; so is the block that was changed
//! last. Whoever is done with a column closes it, which packs these as well.

use std::fmt::Debug;
use std::mem::size_of;
use std::ops::Range;

use super::block::{BLOCK, Block};

/// A type of whole numbers that a column can have.
pub trait Word: Copy + Default + PartialEq + Debug {
    /// A number without sign; larger for larger values.
    fn ordinal(self) -> u64;
    /// The value with this number.
    fn from_ordinal(ordinal: u64) -> Self;
}

impl Word for u64 {
    fn ordinal(self) -> u64 {
        self
    }

    fn from_ordinal(ordinal: u64) -> Self {
        ordinal
    }
}

/// A number that no value has, as damaged files have it, becomes the largest one.
macro_rules! narrow {
    ($kind:ty) => {
        impl Word for $kind {
            fn ordinal(self) -> u64 {
                u64::from(self)
            }

            fn from_ordinal(ordinal: u64) -> Self {
                Self::try_from(ordinal).unwrap_or(Self::MAX)
            }
        }
    };
}

narrow!(u8);
narrow!(u32);

impl Word for i32 {
    fn ordinal(self) -> u64 {
        u64::from(self.cast_unsigned() ^ (1 << 31))
    }

    fn from_ordinal(ordinal: u64) -> Self {
        u32::try_from(ordinal).map_or(Self::MAX, |bits| (bits ^ (1 << 31)).cast_signed())
    }
}

/// Whole numbers in few bytes; see the module.
#[derive(Clone, Default)]
pub struct Column<T> {
    blocks: Vec<Block>,
    /// Values behind the whole blocks.
    tail: Vec<T>,
    len: usize,
    /// A block that has been changed and not been packed since.
    open: Option<(usize, Vec<T>)>,
}

impl<T: Word> Column<T> {
    /// Number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends a value.
    pub fn push(&mut self, value: T) {
        if self.len / BLOCK < self.blocks.len() {
            // It was closed with a part of a block.
            self.pack_open();
            self.tail = self.unpacked(self.len / BLOCK);
            self.blocks.pop();
        }
        self.tail.push(value);
        self.len += 1;
        if self.tail.len() == BLOCK {
            self.blocks.push(pack(&self.tail));
            self.tail.clear();
        }
    }

    /// The value at a position.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, at: usize) -> T {
        let (block, position) = (at / BLOCK, at % BLOCK);
        if let Some((open, values)) = &self.open
            && *open == block
        {
            return values[position];
        }
        match self.blocks.get(block) {
            Some(block) if at < self.len => T::from_ordinal(block.get(position, usual::<T>())),
            _ => self.tail[at - self.blocks.len() * BLOCK],
        }
    }

    /// The last value.
    #[must_use]
    pub fn last(&self) -> Option<T> {
        self.len.checked_sub(1).map(|at| self.get(at))
    }

    /// Replaces a value.
    ///
    /// # Panics
    /// If there is none.
    pub fn set(&mut self, at: usize, value: T) {
        let (block, position) = (at / BLOCK, at % BLOCK);
        if block >= self.blocks.len() {
            self.tail[at - self.blocks.len() * BLOCK] = value;
            return;
        }
        if self.open.as_ref().is_none_or(|(open, _)| *open != block) {
            if self.get(at) == value {
                return;
            }
            self.pack_open();
            self.open = Some((block, self.unpacked(block)));
        }
        if let Some((_, values)) = &mut self.open {
            values[position] = value;
        }
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.range(0..self.len)
    }

    /// The values at some positions.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn range(&self, positions: Range<usize>) -> impl Iterator<Item = T> + '_ {
        assert!(
            positions.end <= self.len,
            "positions {positions:?} of {}",
            self.len
        );
        let blocks = positions.start / BLOCK..positions.end.div_ceil(BLOCK);
        blocks.flat_map(move |block| {
            let first = block * BLOCK;
            let own = positions.start.max(first) - first..positions.end.min(first + BLOCK) - first;
            let mut values = self.unpacked(block);
            values.truncate(own.end);
            values.into_iter().skip(own.start)
        })
    }

    /// Forgets the values from a position on.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.pack_open();
        let block = len / BLOCK;
        self.tail = self.unpacked(block);
        self.tail.truncate(len % BLOCK);
        self.blocks.truncate(block);
        self.len = len;
    }

    /// Packs what is not packed yet. What is closed can still be changed.
    pub fn close(&mut self) {
        self.pack_open();
        if !self.tail.is_empty() {
            self.blocks.push(pack(&self.tail));
        }
        self.tail = Vec::new();
        self.blocks.shrink_to_fit();
    }

    /// Keeps the values at the positions where `keep` says so.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let positions = (0..self.len).filter(|&at| keep(at));
        let mut kept: Self = positions.map(|at| self.get(at)).collect();
        kept.close();
        *self = kept;
    }

    /// Bytes of memory, those of the column itself left out.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let open = self
            .open
            .as_ref()
            .map_or(0, |(_, values)| values.capacity());
        self.blocks.iter().map(Block::heap_bytes).sum::<usize>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.tail.capacity() + open) * size_of::<T>()
    }

    /// Appends some of the blocks of a closed column to what is kept in a file; says where the
    /// next ones begin.
    #[must_use]
    pub fn write(&self, from: usize, bytes: usize, into: &mut Vec<u8>) -> usize {
        let enough = into.len() + bytes;
        let mut next = from;
        while next < self.blocks.len() && into.len() < enough {
            self.blocks[next].write(into);
            next += 1;
        }
        next
    }

    /// Number of blocks.
    #[must_use]
    pub const fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Appends blocks from a file until there are `len` values at most; says whether all of it
    /// were blocks.
    pub fn read(&mut self, mut bytes: &[u8], len: usize) -> bool {
        while !bytes.is_empty() {
            let count = BLOCK.min(len.saturating_sub(self.len));
            let Some((block, rest)) = Block::read(bytes, count).filter(|_| count > 0) else {
                return false;
            };
            self.blocks.push(block);
            self.len += count;
            bytes = rest;
        }
        true
    }

    fn unpacked(&self, block: usize) -> Vec<T> {
        if let Some((open, values)) = &self.open
            && *open == block
        {
            return values.clone();
        }
        let Some(packed) = self.blocks.get(block) else {
            return self.tail.clone();
        };
        let mut ordinals = Vec::with_capacity(BLOCK);
        let count = BLOCK.min(self.len - block * BLOCK);
        packed.unpack(count, usual::<T>(), &mut ordinals);
        ordinals.into_iter().map(T::from_ordinal).collect()
    }

    fn pack_open(&mut self) {
        if let Some((block, values)) = self.open.take() {
            self.blocks[block] = pack(&values);
        }
    }
}

fn usual<T: Word>() -> u64 {
    T::default().ordinal()
}

fn pack<T: Word>(values: &[T]) -> Block {
    let mut ordinals = [0; BLOCK];
    for (ordinal, value) in ordinals.iter_mut().zip(values) {
        *ordinal = value.ordinal();
    }
    Block::pack(&ordinals[..values.len()], usual::<T>())
}

impl<T: Word> Extend<T> for Column<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl<'a, T: Word + 'a> Extend<&'a T> for Column<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        self.extend(values.into_iter().copied());
    }
}

impl<T: Word> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut column = Self::default();
        column.extend(values);
        column
    }
}

impl<T: Word> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: Word> Eq for Column<T> {}

impl<T: Word, const N: usize> PartialEq<[T; N]> for Column<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl<T: Word> Debug for Column<T> {
    fn fmt(&self, into: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        into.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Column;

    #[test]
    fn a_column_is_what_was_put_into_it() {
        let mut column = Column::<i32>::default();
        let mut model = Vec::new();
        let mut state = 1_u32;
        for step in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (state >> (state % 31)).cast_signed();
            match state >> 20 & 0x3f {
                0 => column.close(),
                1 if step % 7 == 0 => {
                    let len = model.len() - model.len() / 8;
                    model.truncate(len);
                    column.truncate(len);
                }
                2..=20 if !model.is_empty() => {
                    let at = (state >> 3) as usize % model.len();
                    model[at] = value;
                    column.set(at, value);
                }
                _ => {
                    model.push(value);
                    column.push(value);
                }
            }
            if step % 501 == 0 {
                assert!(column.iter().eq(model.iter().copied()), "step {step}");
                let part = model.len() / 3..model.len() / 2;
                assert!(column.range(part.clone()).eq(model[part].iter().copied()));
            }
            assert_eq!(column.last(), model.last().copied());
        }
        column.retain(|at| at % 3 != 1);
        let kept = model.iter().enumerate().filter(|(at, _)| at % 3 != 1);
        assert!(column.iter().eq(kept.map(|(_, value)| *value)));
    }

    #[test]
    fn a_file_brings_it_back() {
        let mut column: Column<u64> = (0..10_000).map(|at| at * at % 1_000).collect();
        column.close();
        let (mut again, mut next) = (Column::<u64>::default(), 0);
        while next < column.block_count() {
            let mut bytes = Vec::new();
            next = column.write(next, 1_000, &mut bytes);
            assert!(again.read(&bytes, column.len()));
        }
        assert_eq!(again, column);
        assert!(!Column::<u64>::default().read(&[1, 2, 3], 9));
    }
}
