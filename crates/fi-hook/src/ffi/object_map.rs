//! What belongs to objects of libfabric, found by their address without waiting.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::abi::Object;

/// An address that no object has: something was there.
const GONE: usize = 1;

/// Up to `N` objects of one kind with what belongs to them. What does not fit is not taken.
#[derive(Debug)]
pub(super) struct ObjectMap<const N: usize> {
    keys: [AtomicUsize; N],
    values: [AtomicUsize; N],
    /// Of those who change it.
    changing: Mutex<()>,
}

impl<const N: usize> ObjectMap<N> {
    pub(super) const fn new() -> Self {
        Self {
            keys: [const { AtomicUsize::new(0) }; N],
            values: [const { AtomicUsize::new(0) }; N],
            changing: Mutex::new(()),
        }
    }

    /// Indices in the order in which an object is looked for.
    fn probe_sequence(object: Object) -> impl Iterator<Item = usize> {
        let first = (object.addr() >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (0..N).map(move |step| (first + step) % N)
    }

    /// What belongs to an object.
    pub(super) fn find<T>(&self, object: Object) -> Option<*mut T> {
        for index in Self::probe_sequence(object) {
            match self.keys[index].load(Ordering::Acquire) {
                0 => return None,
                key if key == object.addr() => {
                    let value = self.values[index].load(Ordering::Acquire);
                    return Some(std::ptr::with_exposed_provenance_mut(value));
                }
                _ => {}
            }
        }
        None
    }

    /// Takes what belongs to an object that has nothing yet; gives it back if there is no room.
    pub(super) fn insert<T>(&self, object: Object, of_it: Box<T>) -> Result<*mut T, Box<T>> {
        let Ok(_changing) = self.changing.lock() else {
            return Err(of_it);
        };
        if self.find::<T>(object).is_some() {
            return Err(of_it);
        }
        for index in Self::probe_sequence(object) {
            let key = self.keys[index].load(Ordering::Acquire);
            if key == 0 || key == GONE {
                let value = Box::into_raw(of_it);
                self.values[index].store(value.expose_provenance(), Ordering::Release);
                self.keys[index].store(object.addr(), Ordering::Release);
                return Ok(value);
            }
        }
        Err(of_it)
    }

    /// Gives back what belongs to an object.
    ///
    /// # Safety
    ///
    /// It was inserted as a `T`, and nobody uses it any more.
    pub(super) unsafe fn remove<T>(&self, object: Object) -> Option<Box<T>> {
        let _changing = self.changing.lock().ok()?;
        for index in Self::probe_sequence(object) {
            match self.keys[index].load(Ordering::Acquire) {
                0 => return None,
                key if key == object.addr() => {
                    let value = self.values[index].load(Ordering::Acquire);
                    self.keys[index].store(GONE, Ordering::Release);
                    // SAFETY: `hold` has made it from a box; the caller knows the type.
                    return Some(unsafe {
                        Box::from_raw(std::ptr::with_exposed_provenance_mut(value))
                    });
                }
                _ => {}
            }
        }
        None
    }

    /// Calls `with` for everything in the map, while nothing is inserted or removed.
    pub(super) fn each<T>(&self, mut with: impl FnMut(*mut T)) {
        let Ok(_changing) = self.changing.lock() else {
            return;
        };
        for (key, value) in self.keys.iter().zip(&self.values) {
            if key.load(Ordering::Acquire) > GONE {
                let value = value.load(Ordering::Acquire);
                with(std::ptr::with_exposed_provenance_mut(value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_until_they_are_released() {
        static NUMBERS: ObjectMap<8> = ObjectMap::new();
        let objects: Vec<usize> = (0..10).map(|index| 0x1000 + 64 * index).collect();
        let at = |index: usize| std::ptr::without_provenance_mut::<usize>(objects[index]);
        for index in 0..8 {
            assert!(NUMBERS.insert(at(index), Box::new(index)).is_ok());
        }
        assert!(
            NUMBERS.insert(at(8), Box::new(8)).is_err(),
            "there is no room"
        );
        assert!(
            NUMBERS.insert(at(3), Box::new(8)).is_err(),
            "it is held already"
        );
        for round in 0..20 {
            for index in 0..8 {
                let found: *mut usize = NUMBERS.find(at(index)).unwrap();
                // SAFETY: it is held.
                assert_eq!(unsafe { *found }, index);
            }
            let one = round % 8;
            // SAFETY: it was held as a number.
            let gone = unsafe { NUMBERS.remove::<usize>(at(one)) };
            assert_eq!(gone, Some(Box::new(one)));
            assert!(NUMBERS.find::<usize>(at(one)).is_none());
            // SAFETY: it is not held.
            assert!(unsafe { NUMBERS.remove::<usize>(at(one)) }.is_none());
            assert!(NUMBERS.insert(at(one), Box::new(one)).is_ok());
        }
        let mut sum = 0;
        // SAFETY: what is held are numbers.
        NUMBERS.each(|value: *mut usize| sum += unsafe { *value });
        assert_eq!(sum, 28);
        for index in 0..8 {
            // SAFETY: it was held as a number.
            assert!(unsafe { NUMBERS.remove::<usize>(at(index)) }.is_some());
        }
    }
}
