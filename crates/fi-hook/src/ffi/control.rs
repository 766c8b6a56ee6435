//! The life of an endpoint: opened, bound, enabled, changed, closed.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{
    Alias, BIND, BindFn, CLOSE, CONTROL, CloseFn, EINVAL, ENOSYS, FI_ALIAS, FI_CLASS_CNTR,
    FI_CLASS_STX_CTX, FI_ENABLE, FI_EP_RDM, FI_SET_VAL, FI_SETOPSFLAG, FI_TRANSMIT, FID_CLASS,
    Info, Object,
};
use super::endpoint::{find, insert, remove, shut};
use super::table::Table;
use super::{life, post};
use crate::left::COUNTS;

/// An endpoint of a domain that is steered was opened.
pub(super) fn opened(endpoint: Object, domain: Object, info: &Info) {
    if life::running().is_none() || info.ep_attr.is_null() {
        return;
    }
    // SAFETY: the info is the caller's, and libfabric has taken it.
    let kind = unsafe { (*info.ep_attr).kind };
    if kind != FI_EP_RDM || !insert(endpoint, domain, info, patch) {
        COUNTS.endpoints_left.add(1);
    }
}

/// Puts our functions in the place of those of the fid.
fn patch(table: Table) -> Table {
    table
        .patch(CLOSE, close as *const ())
        .patch(BIND, bind as *const ())
        .patch(CONTROL, control as *const ())
}

extern "C-unwind" fn bind(endpoint: Object, other: Object, flags: u64) -> c_int {
    let Some(found) = find(endpoint) else {
        return EINVAL;
    };
    // SAFETY: the function of this place has this type.
    let Some(real) = (unsafe { found.of_fid::<BindFn>(BIND) }) else {
        return ENOSYS;
    };
    let done = real(endpoint, other, flags);
    if done == 0 && !other.is_null() {
        // SAFETY: what was bound is an object of libfabric.
        match unsafe { *other.add(FID_CLASS) } {
            FI_CLASS_CNTR => {
                found.bound(flags);
            }
            // A shared context of several endpoints: none of them sends alone.
            FI_CLASS_STX_CTX => found.give_up(),
            _ => {}
        }
    }
    done
}

extern "C-unwind" fn control(endpoint: Object, command: c_int, argument: *mut c_void) -> c_int {
    let Some(found) = find(endpoint) else {
        return EINVAL;
    };
    let is_ours = life::running().is_some() && !found.has_given_up();
    if command == FI_ENABLE && is_ours && !found.is_enabled() {
        let _ = catch_unwind(AssertUnwindSafe(|| found.count(endpoint)));
        let done = found.control(endpoint, command, argument);
        if done == 0 {
            let _ = catch_unwind(AssertUnwindSafe(|| found.enable(endpoint, post::patch)));
        }
        return done;
    }
    let done = found.control(endpoint, command, argument);
    if done == 0 && !argument.is_null() {
        match command {
            FI_ALIAS => {
                // SAFETY: the provider has written the alias.
                let alias = unsafe { *(*argument.cast::<Alias>()).fid };
                found.give_back(alias);
                found.lose(); // what goes over it is not counted
            }
            FI_SETOPSFLAG => {
                // SAFETY: this command takes flags.
                let flags = unsafe { *argument.cast::<u64>() };
                if flags & FI_TRANSMIT != 0 {
                    for alias in found.aliases() {
                        let mut flags = flags;
                        found.control(alias, command, (&raw mut flags).cast());
                    }
                }
            }
            // The class or order of the endpoint is another one than that of its aliases.
            FI_SET_VAL => found.give_up(),
            _ => {}
        }
    }
    done
}

extern "C-unwind" fn close(endpoint: Object) -> c_int {
    let Some(found) = find(endpoint) else {
        return EINVAL;
    };
    // SAFETY: the function of this place has this type; the endpoint gets its own tables back before
    // it goes, and keeps them if it stays.
    unsafe {
        let Some(real) = found.of_fid::<CloseFn>(CLOSE) else {
            return ENOSYS;
        };
        found.shut_aliases();
        found.give_back(endpoint);
        let done = real(endpoint);
        let counters = remove(endpoint);
        if done == 0 {
            let held = counters.into_iter().filter(|counter| !counter.is_null());
            held.for_each(shut);
        }
        done
    }
}
