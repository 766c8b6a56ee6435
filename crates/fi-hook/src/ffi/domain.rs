//! Domains: their endpoints are looked at, and the counters of one of them are read.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{
    CLOSE, CONTROL, DOMAIN_OPS, ENDPOINT, ENDPOINT2, ENOSYS, FI_QUEUE_WORK, Info, Object, kind,
};
use super::patched::PatchedObjects;
use super::{control, endpoint, life, source};

static DOMAINS: PatchedObjects<kind::Domain> = PatchedObjects::new(DOMAIN_OPS);

/// A domain was opened.
///
/// # Safety
///
/// `domain` is a domain of libfabric, which is closed through its own table.
pub(super) unsafe fn opened(domain: Object) {
    // SAFETY: as the caller promises.
    if !unsafe { life::opened(domain) } {
        return;
    }
    // SAFETY: a domain has both tables, which live as long as it does; it is closed through the
    // table of its fid, and so by `close` below.
    unsafe {
        DOMAINS.patch(
            domain,
            |fid| fid.patch(&CLOSE, close).patch(&CONTROL, control_domain),
            |own| {
                own.patch(&ENDPOINT, open_endpoint)
                    .patch(&ENDPOINT2, open_endpoint2)
            },
        );
    }
}

extern "C-unwind" fn open_endpoint(
    domain: Object,
    info: *const Info,
    endpoint: *mut Object,
    context: *mut c_void,
) -> c_int {
    let Some(real) = DOMAINS.own(domain).and_then(|own| own.function(&ENDPOINT)) else {
        return ENOSYS;
    };
    let done = real(domain, info, endpoint, context);
    note(done, domain, info, endpoint);
    done
}

extern "C-unwind" fn open_endpoint2(
    domain: Object,
    info: *const Info,
    endpoint: *mut Object,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    let Some(real) = DOMAINS.own(domain).and_then(|own| own.function(&ENDPOINT2)) else {
        return ENOSYS;
    };
    let done = real(domain, info, endpoint, flags, context);
    note(done, domain, info, endpoint);
    done
}

fn note(done: c_int, domain: Object, info: *const Info, endpoint: *mut Object) {
    if done == 0 && !endpoint.is_null() && !info.is_null() {
        // SAFETY: the provider has succeeded, and so has written an endpoint to this address, which
        // is not null, and has read the whole info, which the program keeps during its call.
        let (endpoint, info) = unsafe { (*endpoint, &*info) };
        // SAFETY: the provider has just opened this endpoint of this domain by this info, and the
        // program does not have it yet.
        let look = || unsafe { control::opened(endpoint, domain, info) };
        let _ = catch_unwind(AssertUnwindSafe(look));
    }
}

/// Work that the NIC does later is not counted as ours: nothing can be concluded from counts.
extern "C-unwind" fn control_domain(
    domain: Object,
    command: c_int,
    argument: *mut c_void,
) -> c_int {
    let Some(real) = DOMAINS.fid(domain).and_then(|fid| fid.function(&CONTROL)) else {
        return ENOSYS;
    };
    if command == FI_QUEUE_WORK {
        endpoint::lose_all(domain);
    }
    real(domain, command, argument)
}

extern "C-unwind" fn close(domain: Object) -> c_int {
    let was_counted = source::leave(domain);
    let done = DOMAINS.close(domain);
    if done != 0 && was_counted {
        // SAFETY: the domain was not closed, and is live as before.
        unsafe { source::take(domain) };
    }
    done
}
