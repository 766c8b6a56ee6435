//! The functions whose place we take.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The next function of a name behind ours; looked up once.
pub(super) struct Next {
    name: &'static CStr,
    /// Libraries that may be loaded where only their user sees them.
    hidden_in: &'static [&'static CStr],
    /// Null until it is looked up; ourselves if there is none.
    found: AtomicPtr<c_void>,
}

impl Next {
    pub(super) const fn new(name: &'static CStr, hidden_in: &'static [&'static CStr]) -> Self {
        Self {
            name,
            hidden_in,
            found: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Its address.
    pub(super) fn get(&self) -> Option<*mut c_void> {
        let none = ptr::from_ref(self).cast_mut().cast();
        let mut found = self.found.load(Ordering::Acquire);
        if found.is_null() {
            found = self.look_up().unwrap_or(none);
            self.found.store(found, Ordering::Release);
        }
        (found != none).then_some(found)
    }

    fn look_up(&self) -> Option<*mut c_void> {
        // SAFETY: names end with 0; a handle that was found is used once and kept open by its user.
        unsafe {
            let next = libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr());
            if !next.is_null() {
                return Some(next);
            }
            self.hidden_in.iter().find_map(|library| {
                let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
                if handle.is_null() {
                    return None;
                }
                let found = libc::dlsym(handle, self.name.as_ptr());
                (!found.is_null()).then_some(found)
            })
        }
    }
}
