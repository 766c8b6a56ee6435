//! Tables of functions: what a provider's has, and a patched copy to put in its place.

use odonata_interpose::function;

use super::abi::Object;

/// Larger than any table there is; guards against what is none.
const LARGEST_BYTES: usize = 4_096;
const WORD: usize = size_of::<usize>();

/// The function at a word of a table, unless the table is too short or has none there.
///
/// # Safety
///
/// `table` is null or a table of functions of libfabric.
pub(super) unsafe fn function_at(table: *const usize, word: usize) -> Option<*mut libc::c_void> {
    if table.is_null() {
        return None;
    }
    // SAFETY: the first word is the size, and no word behind it is read.
    let found = unsafe {
        if *table < (word + 1) * WORD {
            return None;
        }
        *table.add(word)
    };
    (found != 0).then(|| std::ptr::with_exposed_provenance_mut(found))
}

/// The same as a function of a type.
///
/// # Safety
///
/// As of [`function_at`], and the function of this word has this type.
pub(super) unsafe fn typed_at<F: Copy>(table: *const usize, word: usize) -> Option<F> {
    // SAFETY: as the caller says.
    unsafe { function_at(table, word).map(|found| function(found)) }
}

/// A copy of a table in which functions are replaced.
#[derive(Debug)]
pub(super) struct Table(Box<[usize]>);

impl Table {
    /// Of the whole table, whatever it has behind what we know.
    ///
    /// # Safety
    ///
    /// As of [`function_at`].
    pub(super) unsafe fn copy(table: *const usize) -> Option<Self> {
        if table.is_null() {
            return None;
        }
        // SAFETY: the first word is the size in bytes.
        let bytes = unsafe { *table };
        if !(WORD..=LARGEST_BYTES).contains(&bytes) || !bytes.is_multiple_of(WORD) {
            return None;
        }
        // SAFETY: the table is as long as it says.
        Some(Self(
            unsafe { std::slice::from_raw_parts(table, bytes / WORD) }.into(),
        ))
    }

    /// Replaces a function that is there.
    pub(super) fn patch(mut self, word: usize, function: *const ()) -> Self {
        if let Some(place) = self.0.get_mut(word).filter(|place| **place != 0) {
            *place = function.expose_provenance();
        }
        self
    }

    /// To be written into an object.
    pub(super) fn address(&self) -> usize {
        self.0.as_ptr().expose_provenance()
    }
}

/// The table that an object has at a word.
///
/// # Safety
///
/// `object` is an object of libfabric that has a table there.
pub(super) unsafe fn table_of(object: Object, word: usize) -> *const usize {
    // SAFETY: as the caller says.
    std::ptr::with_exposed_provenance(unsafe { *object.add(word) })
}

/// Gives an object another table.
///
/// # Safety
///
/// As of [`table_of`]; the table lives as long as it is there.
pub(super) unsafe fn set_table(object: Object, word: usize, table: usize) {
    // SAFETY: as the caller says; others may read it meanwhile.
    unsafe { std::sync::atomic::AtomicUsize::from_ptr(object.add(word)) }
        .store(table, std::sync::atomic::Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_is_not_known() {
        extern "C" fn new() {}
        let table = [4 * WORD, 11, 0, 33];
        // SAFETY: it is a table of four words.
        let (copy, at) = unsafe {
            (Table::copy(table.as_ptr()).unwrap(), |word| {
                function_at(table.as_ptr(), word).map(|found| found as usize)
            })
        };
        let new = new as *const ();
        let copy = copy.patch(1, new).patch(2, new).patch(4, new);
        assert_eq!(*copy.0, [4 * WORD, new as usize, 0, 33]);
        assert_eq!(
            (at(1), at(2), at(3), at(4)),
            (Some(11), None, Some(33), None)
        );
    }

    #[test]
    fn what_is_no_table_is_not_copied() {
        for size in [0, 7, 12, LARGEST_BYTES + 8] {
            // SAFETY: only its first word is read.
            assert!(unsafe { Table::copy([size].as_ptr()) }.is_none());
        }
        // SAFETY: null is allowed.
        assert!(unsafe { Table::copy(std::ptr::null()) }.is_none());
    }
}
