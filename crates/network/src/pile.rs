//! A list whose records are written where they lie.
//!
//! What is under way is appended all the time. A record that is put together elsewhere and then
//! copied costs as much again as writing it. So the memory of a pile always holds records, those in
//! use first, and the next one is handed out to be written over.

use std::ops::Deref;

use odonata_units::dense::{at_mut, first};

/// Records that the first memory of a pile holds.
const FIRST: usize = 8;

/// See the module.
#[derive(Debug)]
pub(crate) struct Pile<T> {
    memory: Box<[T]>,
    used: usize,
}

impl<T: Copy + Default> Pile<T> {
    /// The next record, which holds anything, to be written over as a whole; `equip` may give a full
    /// pile more memory.
    #[inline(always)]
    pub(crate) fn next(&mut self, equip: impl FnOnce(&mut Self)) -> &mut T {
        if self.used == self.memory.len() {
            equip(self);
            self.grow_if_full();
        }
        let place = self.used;
        self.used += 1;
        at_mut(&mut self.memory, place)
    }

    /// Twice the memory, if there is no room.
    #[cold]
    #[inline(never)]
    fn grow_if_full(&mut self) {
        if self.used == self.memory.len() {
            let length = FIRST.max(2 * self.used);
            let mut records = std::mem::take(&mut self.memory).into_vec();
            records.reserve_exact(length - self.used);
            records.resize(length, T::default());
            self.memory = records.into_boxed_slice();
        }
    }
}

impl<T> Pile<T> {
    /// Whether it has memory.
    pub(crate) const fn has_memory(&self) -> bool {
        !self.memory.is_empty()
    }

    /// No record is in use any more.
    #[inline]
    pub(crate) const fn clear(&mut self) {
        self.used = 0;
    }

    /// Keeps those for which `is_kept`, in their order.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool)
    where
        T: Copy,
    {
        let mut kept = 0;
        for place in 0..self.used {
            let record = self.memory[place];
            if is_kept(&record) {
                self.memory[kept] = record;
                kept += 1;
            }
        }
        self.used = kept;
    }

    /// Those in use, to be changed.
    #[inline]
    pub(crate) fn all_mut(&mut self) -> &mut [T] {
        &mut self.memory[..self.used]
    }
}

impl<T> Default for Pile<T> {
    fn default() -> Self {
        Self {
            memory: Box::default(),
            used: 0,
        }
    }
}

impl<T> Deref for Pile<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        first(&self.memory, self.used)
    }
}
