//! Values that are needed while a message is posted: what C returns, and what was set.

use std::ffi::c_int;
use std::sync::OnceLock;

/// Return values of functions of uGNI and DMAPP that did what they were asked for.
pub(super) const SUCCESS: c_int = 0;

static DMAPP: OnceLock<Option<[u8; 3]>> = OnceLock::new();

/// Values of DMAPP's relaxed ordering for ADAPTIVE 0, 1 and 3, if they are known.
pub(super) fn dmapp() -> Option<[u8; 3]> {
    DMAPP.get().copied().flatten()
}

/// Sets them, once.
pub(super) fn set_dmapp(values: Option<[u8; 3]>) {
    let _ = DMAPP.set(values);
}
