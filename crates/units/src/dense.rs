//! A list whose indices are right by construction.
//!
//! Ports, queues, nodes and packets are numbered by the shape of a network, which does not change
//! after it is built; an index is made in one place from that shape. Checking it again at every
//! access costs a sixth of the instructions of a packet-hop. Builds with debug assertions, and so
//! all tests, check every index; release builds rely on them.
#![allow(
    unsafe_code,
    reason = "the one place without bounds checks, see the module"
)]

use std::ops::{Deref, Index, IndexMut};

/// Element `index` of a list that is not a [`Dense`].
#[inline(always)]
pub fn at<T>(all: &[T], index: usize) -> &T {
    debug_assert!(index < all.len(), "{index} of {}", all.len());
    // SAFETY: the index comes from the shape of the network or was made with the list, see the
    // module.
    unsafe { all.get_unchecked(index) }
}

/// The same, to change it.
#[inline(always)]
pub fn at_mut<T>(all: &mut [T], index: usize) -> &mut T {
    debug_assert!(index < all.len(), "{index} of {}", all.len());
    // SAFETY: as above.
    unsafe { all.get_unchecked_mut(index) }
}

/// The first `count` elements of a list that has at least as many.
#[inline(always)]
pub fn first<T>(all: &[T], count: usize) -> &[T] {
    debug_assert!(count <= all.len(), "{count} of {}", all.len());
    // SAFETY: the count was made with the list.
    unsafe { all.get_unchecked(..count) }
}

/// `count` elements from `start` on, of a list that has them.
#[inline(always)]
pub fn part<T>(all: &[T], start: usize, count: usize) -> &[T] {
    debug_assert!(start + count <= all.len(), "{start} of {}", all.len());
    // SAFETY: as above.
    unsafe { all.get_unchecked(start..start + count) }
}

/// The same, to change them.
#[inline(always)]
pub fn part_mut<T>(all: &mut [T], start: usize, count: usize) -> &mut [T] {
    debug_assert!(start + count <= all.len(), "{start} of {}", all.len());
    // SAFETY: as above.
    unsafe { all.get_unchecked_mut(start..start + count) }
}

/// What is there, of something that is there.
#[inline(always)]
pub fn present<T>(one: &mut Option<T>) -> &mut T {
    debug_assert!(one.is_some(), "nothing is there");
    // SAFETY: whoever asks has made sure of it.
    unsafe { one.as_mut().unwrap_unchecked() }
}

/// Appends `one` to a list; `equip` gives a full list more memory. Returns the element.
#[inline(always)]
pub fn append<T>(list: &mut Vec<T>, one: T, equip: impl FnOnce(&mut Vec<T>)) -> &mut T {
    if list.len() == list.capacity() {
        equip(list);
        list.reserve(1);
    }
    let place = list.len();
    // SAFETY: there is room for one more behind the last element, and it is written before it
    // counts.
    unsafe {
        let slot = list.as_mut_ptr().add(place);
        slot.write(one);
        list.set_len(place + 1);
        &mut *slot
    }
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dense<T>(Vec<T>);

impl<T> Dense<T> {
    /// Puts one more behind the others.
    #[inline]
    pub fn push(&mut self, one: T) {
        self.0.push(one);
    }

    /// All of them.
    #[inline]
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// Puts those of another list behind these.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl<T: Clone> Dense<T> {
    /// `count` times `one`.
    #[must_use]
    pub fn of(one: T, count: usize) -> Self {
        Self(vec![one; count])
    }

    /// As many more of `one` as are missing to `count`.
    pub fn fill(&mut self, one: T, count: usize) {
        self.0.resize(count, one);
    }
}

impl<T> Default for Dense<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for Dense<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> FromIterator<T> for Dense<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl<T> Index<usize> for Dense<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        debug_assert!(index < self.0.len(), "{index} of {}", self.0.len());
        // SAFETY: the index comes from the shape the list was built by, see the module.
        unsafe { self.0.get_unchecked(index) }
    }
}

impl<T> IndexMut<usize> for Dense<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        debug_assert!(index < self.0.len(), "{index} of {}", self.0.len());
        // SAFETY: the index comes from the shape the list was built by, see the module.
        unsafe { self.0.get_unchecked_mut(index) }
    }
}
