//! The functions whose place we take.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The next function of a name behind ours; looked up once.
#[derive(Debug)]
pub struct Next {
    name: &'static CStr,
    /// Null until it is looked up; ourselves if there is none.
    found: AtomicPtr<c_void>,
}

impl Next {
    /// Of this name.
    #[must_use]
    pub const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            found: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Its address.
    pub fn get(&self) -> Option<*mut c_void> {
        let none = ptr::from_ref(self).cast_mut().cast();
        let mut found = self.found.load(Ordering::Acquire);
        if found.is_null() {
            found = self.look_up().unwrap_or(none);
            self.found.store(found, Ordering::Release);
        }
        (found != none).then_some(found)
    }

    fn look_up(&self) -> Option<*mut c_void> {
        // SAFETY: the name ends with 0.
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
        // SAFETY: names end with 0; a handle is given back unless its function is used.
        unsafe {
            let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            if handle.is_null() {
                return None;
            }
            let found = libc::dlsym(handle, self.name.as_ptr());
            if found.is_null() || base(found) == base(ptr::from_ref(self).cast()) {
                libc::dlclose(handle);
                return None;
            }
            Some(found)
        }
    }
}

/// Where the library of an address begins.
fn base(address: *const c_void) -> *const c_void {
    // SAFETY: all zeros is a valid answer, and what `dladdr` gives where it knows nothing.
    unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        libc::dladdr(address, &raw mut found);
        found.dli_fbase
    }
}

/// Files of all libraries that are loaded.
fn loaded() -> Vec<CString> {
    extern "C" fn note(info: *mut libc::dl_phdr_info, _: libc::size_t, to: *mut c_void) -> c_int {
        // SAFETY: the loader gives a description of a library, and back what we gave it.
        unsafe {
            let name = (*info).dlpi_name;
            // The program itself has no name.
            if !name.is_null() && *name != 0 {
                (*to.cast::<Vec<CString>>()).push(CStr::from_ptr(name).to_owned());
            }
        }
        0
    }
    let mut names: Vec<CString> = Vec::new();
    // SAFETY: `note` gets the list, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut names).cast()) };
    names
}

/// A function pointer of another library.
///
/// # Safety
///
/// `address` is that of a function of the type `F`.
#[must_use]
pub unsafe fn function<F: Copy>(address: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the sizes agree, and the caller knows the type.
    unsafe { std::mem::transmute_copy(&address) }
}
