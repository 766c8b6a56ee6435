//! Fabrics: the domains of those whose provider is steered are looked at.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{
    CLOSE, CloseFn, DOMAIN, DOMAIN2, EINVAL, ENOSYS, FID_OPS, Info, OPS, Object, Open2Fn, OpenFn,
};
use super::object_map::ObjectMap;
use super::table::{Table, set_table, table_of, typed_at};
use super::{domain, life};

static FABRICS: ObjectMap<256> = ObjectMap::new();

/// What belongs to a fabric.
struct Fabric {
    /// The provider's tables.
    fid: *const usize,
    ops: *const usize,
    /// Ours, in their place.
    our_fid: Table,
    our_ops: Table,
}

/// A fabric of `provider` was opened; nothing happens if it was seen before.
pub(super) fn opened(fabric: Object, provider: &CStr) {
    let provider = provider.to_string_lossy();
    if !life::is_chosen(&provider) {
        life::passed_over(&provider);
        return;
    }
    // SAFETY: a fabric has these tables; they are replaced before the program has it.
    unsafe {
        let (fid, ops) = (table_of(fabric, FID_OPS), table_of(fabric, OPS));
        let (Some(our_fid), Some(our_ops)) = (Table::copy(fid), Table::copy(ops)) else {
            return;
        };
        let held = FABRICS.insert(
            fabric,
            Box::new(Fabric {
                fid,
                ops,
                our_fid: our_fid.patch(CLOSE, close as *const ()),
                our_ops: our_ops
                    .patch(DOMAIN, open_domain as *const ())
                    .patch(DOMAIN2, open_domain2 as *const ()),
            }),
        );
        if let Ok(held) = held {
            set_table(fabric, FID_OPS, (*held).our_fid.address());
            set_table(fabric, OPS, (*held).our_ops.address());
        }
    }
}

fn find(fabric: Object) -> Option<&'static Fabric> {
    // SAFETY: what is held lives until the fabric is closed.
    FABRICS
        .find::<Fabric>(fabric)
        .map(|found| unsafe { &*found })
}

extern "C-unwind" fn open_domain(
    fabric: Object,
    info: *const Info,
    domain: *mut Object,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the function of this place has this type.
    let real = find(fabric).and_then(|found| unsafe { typed_at::<OpenFn>(found.ops, DOMAIN) });
    let Some(real) = real else { return ENOSYS };
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
    // SAFETY: the function of this place has this type.
    let real = find(fabric).and_then(|found| unsafe { typed_at::<Open2Fn>(found.ops, DOMAIN2) });
    let Some(real) = real else { return ENOSYS };
    let done = real(fabric, info, domain, flags, context);
    note(done, domain);
    done
}

fn note(done: c_int, domain: *mut Object) {
    if done == 0 && !domain.is_null() {
        // SAFETY: the call has written it.
        let domain = unsafe { *domain };
        let _ = catch_unwind(AssertUnwindSafe(|| domain::opened(domain)));
    }
}

extern "C-unwind" fn close(fabric: Object) -> c_int {
    let Some(found) = find(fabric) else {
        return EINVAL;
    };
    // SAFETY: the function of this place has this type; the fabric gets its own tables back before
    // it goes, and ours again if it stays.
    unsafe {
        let Some(real) = typed_at::<CloseFn>(found.fid, CLOSE) else {
            return ENOSYS;
        };
        set_table(fabric, FID_OPS, found.fid.expose_provenance());
        set_table(fabric, OPS, found.ops.expose_provenance());
        let done = real(fabric);
        if done == 0 {
            drop(FABRICS.remove::<Fabric>(fabric));
        } else {
            set_table(fabric, FID_OPS, found.our_fid.address());
            set_table(fabric, OPS, found.our_ops.address());
        }
        done
    }
}
