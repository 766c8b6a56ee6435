//! Domains: their endpoints are looked at, and one of them is counted by.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{
    CLOSE, CONTROL, CloseFn, ControlFn, EINVAL, ENDPOINT, ENDPOINT2, ENOSYS, FI_QUEUE_WORK,
    FID_OPS, Info, OPS, Object, Open2Fn, OpenFn,
};
use super::object_map::ObjectMap;
use super::table::{Table, set_table, table_of, typed_at};
use super::{control, endpoint, life, source};

static DOMAINS: ObjectMap<256> = ObjectMap::new();

/// What belongs to a domain.
struct Domain {
    /// The provider's tables.
    fid: *const usize,
    ops: *const usize,
    /// Ours, in their place.
    our_fid: Table,
    our_ops: Table,
}

/// A domain was opened.
pub(super) fn opened(domain: Object) {
    if !life::opened(domain) {
        return;
    }
    // SAFETY: a domain has these tables; they are replaced before the program has it.
    unsafe {
        let (fid, ops) = (table_of(domain, FID_OPS), table_of(domain, OPS));
        let (Some(our_fid), Some(our_ops)) = (Table::copy(fid), Table::copy(ops)) else {
            return;
        };
        let held = DOMAINS.insert(
            domain,
            Box::new(Domain {
                fid,
                ops,
                our_fid: our_fid
                    .patch(CLOSE, close as *const ())
                    .patch(CONTROL, control_domain as *const ()),
                our_ops: our_ops
                    .patch(ENDPOINT, open_endpoint as *const ())
                    .patch(ENDPOINT2, open_endpoint2 as *const ()),
            }),
        );
        if let Ok(held) = held {
            set_table(domain, FID_OPS, (*held).our_fid.address());
            set_table(domain, OPS, (*held).our_ops.address());
        }
    }
}

fn find(domain: Object) -> Option<&'static Domain> {
    // SAFETY: what is held lives until the domain is closed.
    DOMAINS
        .find::<Domain>(domain)
        .map(|found| unsafe { &*found })
}

extern "C-unwind" fn open_endpoint(
    domain: Object,
    info: *const Info,
    endpoint: *mut Object,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the function of this place has this type.
    let real = find(domain).and_then(|found| unsafe { typed_at::<OpenFn>(found.ops, ENDPOINT) });
    let Some(real) = real else { return ENOSYS };
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
    // SAFETY: the function of this place has this type.
    let real = find(domain).and_then(|found| unsafe { typed_at::<Open2Fn>(found.ops, ENDPOINT2) });
    let Some(real) = real else { return ENOSYS };
    let done = real(domain, info, endpoint, flags, context);
    note(done, domain, info, endpoint);
    done
}

fn note(done: c_int, domain: Object, info: *const Info, endpoint: *mut Object) {
    if done == 0 && !endpoint.is_null() && !info.is_null() {
        // SAFETY: the call has written the endpoint, and its info is the caller's.
        let (endpoint, info) = unsafe { (*endpoint, &*info) };
        let _ = catch_unwind(AssertUnwindSafe(|| control::opened(endpoint, domain, info)));
    }
}

/// Work that the NIC does later is not counted as ours: nothing can be concluded from counts.
extern "C-unwind" fn control_domain(
    domain: Object,
    command: c_int,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the function of this place has this type.
    let real = find(domain).and_then(|found| unsafe { typed_at::<ControlFn>(found.fid, CONTROL) });
    let Some(real) = real else { return ENOSYS };
    if command == FI_QUEUE_WORK {
        endpoint::lose_all(domain);
    }
    real(domain, command, argument)
}

extern "C-unwind" fn close(domain: Object) -> c_int {
    let Some(found) = find(domain) else {
        return EINVAL;
    };
    // SAFETY: the function of this place has this type; the domain gets its own tables back before
    // it goes, and ours again if it stays.
    unsafe {
        let Some(real) = typed_at::<CloseFn>(found.fid, CLOSE) else {
            return ENOSYS;
        };
        let was_counted = source::leave(domain);
        set_table(domain, FID_OPS, found.fid.expose_provenance());
        set_table(domain, OPS, found.ops.expose_provenance());
        let done = real(domain);
        if done == 0 {
            drop(DOMAINS.remove::<Domain>(domain));
        } else {
            set_table(domain, FID_OPS, found.our_fid.address());
            set_table(domain, OPS, found.our_ops.address());
            if was_counted {
                source::take(domain);
            }
        }
        done
    }
}
