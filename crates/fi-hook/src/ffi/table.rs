//! Tables of functions: that of a provider, and a patched copy to put in its place.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

use odonata_interpose::function;

/// An object of libfabric: its words.
pub(super) type Object = *mut usize;

/// No table is larger; guards against what is none.
const LARGEST_BYTES: usize = 4_096;
const WORD: usize = size_of::<usize>();

/// A function of a table of the kind `K`: its word, and its type `F`.
pub(super) struct Slot<K, F> {
    word: usize,
    types: PhantomData<(K, F)>,
}

impl<K, F: Copy> Slot<K, F> {
    /// The function at a word; the first word is the size of the table.
    ///
    /// # Safety
    ///
    /// In tables of the kind `K` this word is 0 or the address of a function of the type `F`.
    pub(super) const unsafe fn new(word: usize) -> Self {
        Self {
            word,
            types: PhantomData,
        }
    }

    /// Its index among the words of the table.
    pub(super) const fn word(&self) -> usize {
        self.word
    }
}

/// The word of an object that holds its table of the kind `K`.
pub(super) struct Field<K> {
    word: usize,
    kind: PhantomData<K>,
}

impl<K> Field<K> {
    /// The field at a word of an object.
    pub(super) const fn new(word: usize) -> Self {
        Self {
            word,
            kind: PhantomData,
        }
    }

    /// Its index among the words of the object.
    pub(super) const fn word(&self) -> usize {
        self.word
    }
}

/// A provider's table of the kind `K`, or null: words of 8 bytes, the first of which is the size in
/// bytes.
#[derive(Debug)]
pub(super) struct TableRef<K> {
    words: *const usize,
    kind: PhantomData<K>,
}

impl<K> Clone for TableRef<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for TableRef<K> {}

// SAFETY: a table does not change and lives as long as the value is used, in whatever thread, by
// the promise to `TableRef::new`.
unsafe impl<K> Send for TableRef<K> {}
// SAFETY: as above.
unsafe impl<K> Sync for TableRef<K> {}

impl<K> TableRef<K> {
    /// The table at an address.
    ///
    /// # Safety
    ///
    /// `words` is null or a table of the kind `K` that begins with its size in bytes, does not
    /// change, and lives as long as this value and its copies are used.
    pub(super) const unsafe fn new(words: *const usize) -> Self {
        Self {
            words,
            kind: PhantomData,
        }
    }

    /// The words of the table; none if there is no table, or its size is that of none.
    fn words(&self) -> &[usize] {
        if self.words.is_null() {
            return &[];
        }
        // SAFETY: a table that is not null begins with a word, by the promise to `new`.
        let bytes = unsafe { *self.words };
        if !(WORD..=LARGEST_BYTES).contains(&bytes) || !bytes.is_multiple_of(WORD) {
            return &[];
        }
        // SAFETY: the table has the size that its first word says, does not change, and lives as
        // long as `self`, by the promise to `new`; the size was found to be a whole number of
        // words.
        unsafe { std::slice::from_raw_parts(self.words, bytes / WORD) }
    }

    /// The function of a slot, unless the table is too short or has none there.
    pub(super) fn function<F: Copy>(&self, slot: &Slot<K, F>) -> Option<F> {
        let found = *self.words().get(slot.word)?;
        let address = std::ptr::with_exposed_provenance_mut(found);
        // SAFETY: the word of this slot in a table of this kind is 0 or the address of a function
        // of the type `F`, by the promises to `Slot::new` and `TableRef::new`; it is not 0.
        (found != 0).then(|| unsafe { function(address) })
    }

    /// A copy of the whole table, whatever it has behind what we know; `None` if there is no table.
    pub(super) fn copy(&self) -> Option<Table<K>> {
        let words = self.words();
        (!words.is_empty()).then(|| Table {
            words: words.into(),
            kind: PhantomData,
        })
    }

    /// The table that an object has in a field.
    ///
    /// # Safety
    ///
    /// `object` is a live object of libfabric that has this field, and what [`TableRef::new`] asks
    /// for holds of the table there.
    pub(super) unsafe fn of(object: Object, field: &Field<K>) -> Self {
        // SAFETY: the object has this word, by the caller's promise. It is read as an atomic:
        // another thread of the program may look at the object while `TableRef::put` replaces the
        // table.
        let word = unsafe { AtomicUsize::from_ptr(object.add(field.word)) };
        // SAFETY: as the caller promises.
        unsafe {
            Self::new(std::ptr::with_exposed_provenance(
                word.load(Ordering::Acquire),
            ))
        }
    }

    /// Puts this table in a field of an object.
    ///
    /// # Safety
    ///
    /// `object` is a live object of libfabric that has this field.
    pub(super) unsafe fn put(self, object: Object, field: &Field<K>) {
        // SAFETY: the object has this word, by the caller's promise; others may read it meanwhile,
        // and find the old table or this one, both of which live.
        let word = unsafe { AtomicUsize::from_ptr(object.add(field.word)) };
        word.store(self.words.expose_provenance(), Ordering::Release);
    }
}

/// A copy of a table of the kind `K` in which functions are replaced.
#[derive(Debug)]
pub(super) struct Table<K> {
    words: Box<[usize]>,
    kind: PhantomData<K>,
}

impl<K> Table<K> {
    /// Replaces a function that is there.
    pub(super) fn patch<F: Copy>(mut self, slot: &Slot<K, F>, function: F) -> Self {
        const { assert!(size_of::<F>() == size_of::<*const ()>()) };
        if let Some(word) = self.words.get_mut(slot.word).filter(|word| **word != 0) {
            // SAFETY: `F` is the type of a function pointer by the promise to `Slot::new`, which
            // has the size and the bits of a pointer.
            let address: *const () = unsafe { std::mem::transmute_copy(&function) };
            *word = address.expose_provenance();
        }
        self
    }

    /// The copy as a table.
    ///
    /// # Safety
    ///
    /// What is returned, and its copies, are not used when `self` is gone.
    pub(super) unsafe fn as_table(&self) -> TableRef<K> {
        // SAFETY: the words are those of a table of this kind, of which functions were replaced by
        // functions of the same types. They begin with their size in bytes, do not change (`patch`
        // takes `self`), and live as long as it does, which the caller promises to be long enough.
        unsafe { TableRef::new(self.words.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers;
    type NumberFn = extern "C" fn() -> usize;

    extern "C" fn eleven() -> usize {
        11
    }

    extern "C" fn new() -> usize {
        44
    }

    const fn slot(word: usize) -> Slot<Numbers, NumberFn> {
        // SAFETY: the tables of these tests have 0 or a function of this type at every word but the
        // first one.
        unsafe { Slot::new(word) }
    }

    fn address(function: NumberFn) -> usize {
        (function as *const ()).expose_provenance()
    }

    #[test]
    fn a_copy_keeps_what_is_not_known_and_calls_what_was_patched() {
        // A function may have another address each time that it is named.
        let (eleven, new): (NumberFn, NumberFn) = (eleven, new);
        let words = [4 * WORD, address(eleven), 0, address(eleven)];
        // SAFETY: these are the words of a table, which outlives what is made of it.
        let table: TableRef<Numbers> = unsafe { TableRef::new(words.as_ptr()) };
        let copy = table.copy().unwrap();
        let copy = copy.patch(&slot(1), new).patch(&slot(2), new);
        let copy = copy.patch(&slot(4), new);
        assert_eq!(*copy.words, [words[0], address(new), 0, words[3]]);
        // SAFETY: the copy outlives this.
        let ours = unsafe { copy.as_table() };
        let at = |table: TableRef<Numbers>, word| table.function(&slot(word)).map(|found| found());
        assert_eq!(
            [1, 2, 3, 4].map(|word| at(table, word)),
            [Some(11), None, Some(11), None]
        );
        assert_eq!(
            [1, 2, 3, 4].map(|word| at(ours, word)),
            [Some(44), None, Some(11), None]
        );
    }

    #[test]
    fn what_is_no_table_has_no_functions() {
        for size in [0, 7, 12, LARGEST_BYTES + 8] {
            // SAFETY: of a table of such a size only the first word is read.
            let table: TableRef<Numbers> = unsafe { TableRef::new(std::ptr::from_ref(&size)) };
            assert!(table.copy().is_none() && table.function(&slot(1)).is_none());
        }
        // SAFETY: null is allowed.
        let table: TableRef<Numbers> = unsafe { TableRef::new(std::ptr::null()) };
        assert!(table.copy().is_none() && table.function(&slot(1)).is_none());
    }

    #[test]
    fn an_object_gets_another_table_and_its_own_again() {
        const FIELD: Field<Numbers> = Field::new(1);
        let words = [2 * WORD, address(eleven)];
        let mut object = [7, words.as_ptr().expose_provenance(), 9];
        let object: Object = object.as_mut_ptr();
        // SAFETY: the object has a table of this kind in this field, and both outlive the test.
        let table = unsafe { TableRef::of(object, &FIELD) };
        let copy = table.copy().unwrap().patch(&slot(1), new);
        // SAFETY: as above; the copy outlives the test, too.
        let found = unsafe {
            copy.as_table().put(object, &FIELD);
            TableRef::of(object, &FIELD)
        };
        assert_eq!(found.function(&slot(1)).map(|found| found()), Some(44));
        // SAFETY: as above.
        let found = unsafe {
            table.put(object, &FIELD);
            TableRef::of(object, &FIELD)
        };
        assert_eq!(found.function(&slot(1)).map(|found| found()), Some(11));
    }
}
