//! The functions whose place a library takes.

use std::ffi::{CStr, CString, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The next function of a name behind ours, of the type `F`; looked up once.
#[derive(Debug)]
pub struct Next<F> {
    name: &'static CStr,
    /// Null until it is looked up; the address of this value if there is none.
    found: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

impl<F: Copy> Next<F> {
    /// The next function of this name.
    ///
    /// # Safety
    ///
    /// `F` is the type of a function pointer, and every function of this name in any library of the
    /// process can be called as one.
    #[must_use]
    pub const unsafe fn new(name: &'static CStr) -> Self {
        Self {
            name,
            found: AtomicPtr::new(ptr::null_mut()),
            function: PhantomData,
        }
    }

    /// The function; `None` if no library behind ours has one.
    pub fn get(&self) -> Option<F> {
        let none = ptr::from_ref(self).cast_mut().cast();
        let mut found = self.found.load(Ordering::Acquire);
        if found.is_null() {
            found = self.look_up().unwrap_or(none);
            self.found.store(found, Ordering::Release);
        }
        // SAFETY: an address other than `none` is that of a function of our name (`look_up` gives
        // no other, and nobody else writes `found`), which has the type `F` by the promise to
        // `new`. Its library stays loaded: `RTLD_NEXT` finds what the program is linked with, and
        // `hidden_in` keeps the handle of what it finds.
        (found != none).then(|| unsafe { function(found) })
    }

    fn look_up(&self) -> Option<*mut c_void> {
        // SAFETY: `name` is a C string that lives as long as the process; `dlsym` only reads it.
        let next = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if !next.is_null() {
            return Some(next);
        }
        // What a plugin was linked with may be visible to the plugin only (as in Python); its call
        // has come to us all the same.
        loaded().iter().find_map(|library| self.hidden_in(library))
    }

    /// The function of a library that is loaded; not ours.
    fn hidden_in(&self, library: &CStr) -> Option<*mut c_void> {
        // SAFETY: `library` is a C string that outlives the call; with `RTLD_NOLOAD` no code runs.
        let handle = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if handle.is_null() {
            return None;
        }
        // SAFETY: the handle was opened above and not closed yet; the name is a C string.
        let found = unsafe { libc::dlsym(handle, self.name.as_ptr()) };
        let is_ours = || library_of(found).base == library_of(ptr::from_ref(self).cast()).base;
        if found.is_null() || is_ours() {
            // SAFETY: this gives back the handle that was opened above, once, and nothing of the
            // library is used afterwards.
            unsafe { libc::dlclose(handle) };
            return None;
        }
        Some(found)
    }
}

/// The library that an address belongs to.
struct LoadedLibrary {
    /// Where it begins; null if the address belongs to none.
    base: *const c_void,
    /// Its file, a C string of the loader; null if the address belongs to none.
    file: *const libc::c_char,
}

fn library_of(address: *const c_void) -> LoadedLibrary {
    let mut found = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: `dladdr` takes any address, reads nothing at it, and writes to `found` alone, which
    // is ours during the call.
    unsafe { libc::dladdr(address, &raw mut found) };
    LoadedLibrary {
        base: found.dli_fbase,
        file: found.dli_fname,
    }
}

/// Keeps the library that holds `address` loaded until the process ends.
pub fn keep_loaded(address: *const c_void) {
    let file = library_of(address).file;
    if !file.is_null() {
        let flags = libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
        // SAFETY: `file` is the C string of the loader's own list, in which it stays while the
        // library is loaded; with `RTLD_NOLOAD` no code runs.
        unsafe { libc::dlopen(file, flags) };
    }
}

/// Files of all libraries that are loaded.
fn loaded() -> Vec<CString> {
    extern "C" fn note(info: *mut libc::dl_phdr_info, _: libc::size_t, to: *mut c_void) -> c_int {
        // SAFETY: the loader calls this with a description of a library that lives during the call.
        let name = unsafe { (*info).dlpi_name };
        // SAFETY: the name is null or a C string of the loader.
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
        // The program itself has no name.
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            // SAFETY: `to` is the pointer to `names` below, which nobody else uses meanwhile.
            unsafe { &mut *to.cast::<Vec<CString>>() }.push(name.to_owned());
        }
        0
    }
    let mut names: Vec<CString> = Vec::new();
    // SAFETY: `note` has the type that is asked for and does not unwind (`extern "C"`); the list
    // that it gets outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut names).cast()) };
    names
}

/// A function pointer of another library.
///
/// # Safety
///
/// `F` is the type of a function pointer, and `address` that of a function of this type.
#[must_use]
pub unsafe fn function<F: Copy>(address: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the sizes agree by the assertion, and the caller promises that these bits are an `F`.
    unsafe { std::mem::transmute_copy(&address) }
}

/// A text that ends with 0, as macros make it by `concat!`, as the name of a function; empty if it
/// does not end so.
#[must_use]
pub const fn c_name(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    type Length = extern "C" fn(*const libc::c_char) -> usize;

    #[test]
    fn a_function_is_found_and_one_that_is_nowhere_is_not() {
        // SAFETY: the C library has one `strlen`, of this type.
        static STRLEN: Next<Length> = unsafe { Next::new(c"strlen") };
        // SAFETY: no library has a function of this name.
        static NOWHERE: Next<Length> = unsafe { Next::new(c"odonata_is_nowhere") };
        for _ in 0..2 {
            assert_eq!(STRLEN.get().map(|strlen| strlen(c"four".as_ptr())), Some(4));
            assert!(NOWHERE.get().is_none());
        }
    }

    #[test]
    fn a_function_is_found_in_one_library_that_is_loaded() {
        // SAFETY: as above.
        static STRLEN: Next<Length> = unsafe { Next::new(c"strlen") };
        let found = loaded()
            .iter()
            .find_map(|library| STRLEN.hidden_in(library));
        assert!(found.is_some());
        keep_loaded(ptr::from_ref(&STRLEN).cast());
        keep_loaded(ptr::null());
        assert!(library_of(ptr::null()).file.is_null());
    }

    #[test]
    fn names_end_with_zero() {
        assert_eq!(c_name("f\0"), c"f");
        assert_eq!(c_name("f"), c"");
    }
}
