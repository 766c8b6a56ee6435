//! How deep a thread is inside of calls that are steered, and inside of alltoalls.

use std::cell::Cell;
use std::thread::LocalKey;

thread_local! {
    /// Calls of this thread that were steered and have not returned.
    pub static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// Alltoalls of this thread that have not returned.
    pub static ALLTOALLS: Cell<u32> = const { Cell::new(0) };
}

/// Counts up as long as it lives.
#[derive(Debug)]
pub struct Within(&'static LocalKey<Cell<u32>>);

impl Within {
    /// The thread is one call deeper from now on, until this is dropped.
    #[must_use]
    pub fn new(of: &'static LocalKey<Cell<u32>>) -> Self {
        let _ = of.try_with(|depth| depth.set(depth.get().saturating_add(1)));
        Self(of)
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        let _ = self
            .0
            .try_with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// How deep it is inside of such calls.
#[must_use]
pub fn depth(of: &'static LocalKey<Cell<u32>>) -> u32 {
    of.try_with(Cell::get).unwrap_or(0)
}
