//! Map from objects of libfabric, by their address, which is read without waiting.

use std::marker::PhantomData;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::abi::Object;

/// An address that no object has: an object was there and was removed.
const GONE: usize = 1;

/// Up to `N` objects of one kind, with the `T` that belongs to each. What does not fit is not
/// taken.
///
/// An entry with a key above [`GONE`] has a value that `insert` has made from a box, and that
/// `remove` has not given back.
#[derive(Debug)]
pub(super) struct ObjectMap<T, const N: usize> {
    keys: [AtomicUsize; N],
    values: [AtomicPtr<T>; N],
    /// Held by those who insert or remove.
    changing: Mutex<()>,
    owns: PhantomData<T>,
}

impl<T: Send + Sync, const N: usize> ObjectMap<T, N> {
    pub(super) const fn new() -> Self {
        Self {
            keys: [const { AtomicUsize::new(0) }; N],
            values: [const { AtomicPtr::new(ptr::null_mut()) }; N],
            changing: Mutex::new(()),
            owns: PhantomData,
        }
    }

    /// Indices in the order in which an object is looked for.
    fn probe_sequence(object: Object) -> impl Iterator<Item = usize> {
        let first = (object.addr() >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (0..N).map(move |step| (first + step) % N)
    }

    /// The index of an object that is in the map.
    fn index(&self, object: Object) -> Option<usize> {
        for index in Self::probe_sequence(object) {
            match self.keys[index].load(Ordering::Acquire) {
                0 => return None,
                key if key == object.addr() => return Some(index),
                _ => {}
            }
        }
        None
    }

    /// Value of an object.
    ///
    /// # Safety
    ///
    /// Nobody removes the object while the answer is used.
    pub(super) unsafe fn find(&self, object: Object) -> Option<&T> {
        let value = self.values[self.index(object)?].load(Ordering::Acquire);
        // SAFETY: the key of this entry was the object's, so that its value is a live box made by
        // `insert`, of which there are only shared references; it stays, as the caller promises.
        Some(unsafe { &*value })
    }

    /// Takes what belongs to an object that has nothing yet, and calls `with` for it where it
    /// stays; gives it back if there is no room.
    pub(super) fn insert(&self, object: Object, value: T, with: impl FnOnce(&T)) -> Result<(), T> {
        let Ok(_changing) = self.changing.lock() else {
            return Err(value);
        };
        if self.index(object).is_some() {
            return Err(value);
        }
        let is_free = |index: &usize| self.keys[*index].load(Ordering::Acquire) <= GONE;
        let Some(index) = Self::probe_sequence(object).find(is_free) else {
            return Err(value);
        };
        let value = Box::into_raw(Box::new(value));
        self.values[index].store(value, Ordering::Release);
        self.keys[index].store(object.addr(), Ordering::Release);
        // SAFETY: the box is live: it is given back by `remove` alone, which takes the lock that is
        // held here; and there are only shared references to it.
        with(unsafe { &*value });
        Ok(())
    }

    /// Gives back what belongs to an object.
    ///
    /// # Safety
    ///
    /// Nobody uses what [`ObjectMap::find`] has given for it any more.
    pub(super) unsafe fn remove(&self, object: Object) -> Option<Box<T>> {
        let _changing = self.changing.lock().ok()?;
        let index = self.index(object)?;
        let value = self.values[index].load(Ordering::Acquire);
        self.keys[index].store(GONE, Ordering::Release);
        // SAFETY: the key of this entry was the object's, so that its value is a box made by
        // `insert`; it is given back once, since the key is gone and nobody else changes the map
        // meanwhile. No reference to it is used any more, as the caller promises.
        Some(unsafe { Box::from_raw(value) })
    }

    /// Calls `with` for everything in the map, while nothing is inserted or removed.
    pub(super) fn each(&self, mut with: impl FnMut(&T)) {
        let Ok(_changing) = self.changing.lock() else {
            return;
        };
        for (key, value) in self.keys.iter().zip(&self.values) {
            if key.load(Ordering::Acquire) > GONE {
                // SAFETY: the entry has a key, so that its value is a live box made by `insert`; it
                // is not removed, since that takes the lock that is held here.
                with(unsafe { &*value.load(Ordering::Acquire) });
            }
        }
    }
}

impl<T, const N: usize> Drop for ObjectMap<T, N> {
    fn drop(&mut self) {
        for (key, value) in self.keys.iter().zip(&self.values) {
            if key.load(Ordering::Relaxed) > GONE {
                // SAFETY: the entry has a key, so that its value is a box made by `insert` that was
                // not given back; nobody has a reference to it, since nobody has one to the map.
                drop(unsafe { Box::from_raw(value.load(Ordering::Relaxed)) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(index: usize) -> Object {
        ptr::without_provenance_mut(0x1000 + 64 * index)
    }

    /// What belongs to an object of a map that nobody changes meanwhile.
    fn found(map: &ObjectMap<usize, 8>, index: usize) -> Option<usize> {
        // SAFETY: the only thread that has the map removes nothing meanwhile.
        unsafe { map.find(at(index)) }.copied()
    }

    fn removed(map: &ObjectMap<usize, 8>, index: usize) -> Option<usize> {
        // SAFETY: `found` keeps no reference.
        unsafe { map.remove(at(index)) }.map(|value| *value)
    }

    #[test]
    fn objects_are_found_until_they_are_removed() {
        let map = ObjectMap::new();
        let insert = |index: usize, value| map.insert(at(index), value, |_| ());
        for index in 0..8 {
            assert_eq!(insert(index, index), Ok(()));
        }
        assert_eq!(insert(8, 8), Err(8), "there is no room");
        assert_eq!(insert(3, 8), Err(8), "it is there already");
        for round in 0..20 {
            for index in 0..8 {
                assert_eq!(found(&map, index), Some(index));
            }
            let one = round % 8;
            assert_eq!(removed(&map, one), Some(one));
            assert_eq!((found(&map, one), removed(&map, one)), (None, None));
            assert_eq!(insert(one, one), Ok(()));
        }
        let mut sum = 0;
        map.each(|value| sum += value);
        assert_eq!(sum, 28);
        assert_eq!(removed(&map, 5), Some(5));
        // What is still in the map goes with it: Miri and valgrind would see a leak.
    }

    #[test]
    fn threads_find_their_objects_while_others_come_and_go() {
        let map: ObjectMap<usize, 8> = ObjectMap::new();
        let rounds = if cfg!(miri) { 20 } else { 2_000 };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let map = &map;
                scope.spawn(move || {
                    for round in 0..rounds {
                        assert_eq!(map.insert(at(thread), round, |_| ()), Ok(()));
                        assert_eq!(found(map, thread), Some(round));
                        assert_eq!(removed(map, thread), Some(round));
                    }
                });
            }
        });
    }
}
