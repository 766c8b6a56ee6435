//! Fabrics: the domains of those whose provider is steered are looked at.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{CLOSE, DOMAIN, DOMAIN2, ENOSYS, FABRIC_OPS, Info, Object, kind};
use super::patched::PatchedObjects;
use super::{domain, life};

static FABRICS: PatchedObjects<kind::Fabric> = PatchedObjects::new(FABRIC_OPS);

/// A fabric of `provider` was opened; nothing happens if it was seen before.
///
/// # Safety
///
/// `fabric` is a fabric of libfabric, which is closed through its own table.
pub(super) unsafe fn opened(fabric: Object, provider: &CStr) {
    let provider = provider.to_string_lossy();
    if !life::is_chosen(&provider) {
        life::passed_over(&provider);
        return;
    }
    // SAFETY: a fabric has both tables, which are constants of its provider; it is closed through
    // the table of its fid, and so by `close` below.
    unsafe {
        FABRICS.patch(
            fabric,
            |fid| fid.patch(&CLOSE, close),
            |own| {
                own.patch(&DOMAIN, open_domain)
                    .patch(&DOMAIN2, open_domain2)
            },
        );
    }
}

extern "C-unwind" fn open_domain(
    fabric: Object,
    info: *const Info,
    domain: *mut Object,
    context: *mut c_void,
) -> c_int {
    let Some(real) = FABRICS.own(fabric).and_then(|own| own.function(&DOMAIN)) else {
        return ENOSYS;
    };
    let done = real(fabric, info, domain, context);
    note(done, domain);
    done
}

extern "C-unwind" fn open_domain2(
    fabric: Object,
    info: *const Info,
    domain: *mut Object,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    let Some(real) = FABRICS.own(fabric).and_then(|own| own.function(&DOMAIN2)) else {
        return ENOSYS;
    };
    let done = real(fabric, info, domain, flags, context);
    note(done, domain);
    done
}

fn note(done: c_int, domain: *mut Object) {
    if done == 0 && !domain.is_null() {
        // SAFETY: the provider has succeeded, and so has written a domain to this address, which is
        // not null.
        let domain = unsafe { *domain };
        // SAFETY: the provider has just opened this domain, and the program does not have it yet.
        let look = || unsafe { domain::opened(domain) };
        let _ = catch_unwind(AssertUnwindSafe(look));
    }
}

extern "C-unwind" fn close(fabric: Object) -> c_int {
    FABRICS.close(fabric)
}
