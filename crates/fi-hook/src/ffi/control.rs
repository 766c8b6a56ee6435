//! The life of an endpoint: opened, bound, enabled, changed, closed.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::abi::{
    Alias, BIND, CLOSE, CONTROL, EINVAL, ENOSYS, FI_ALIAS, FI_CLASS_CNTR, FI_CLASS_STX_CTX,
    FI_ENABLE, FI_EP_RDM, FI_SET_VAL, FI_SETOPSFLAG, FI_TRANSMIT, FID_CLASS, Info, Object, kind,
};
use super::endpoint::{find, insert, remove, shut};
use super::life::LIFE;
use super::post;
use super::table::Table;
use crate::counts::COUNTS;

/// An endpoint of a domain that is steered was opened.
///
/// # Safety
///
/// `endpoint` is a live endpoint of libfabric, which `domain` has opened by `info`, and which is
/// closed through its own table.
pub(super) unsafe fn opened(endpoint: Object, domain: Object, info: &Info) {
    if LIFE.running().is_none() || info.ep_attr.is_null() {
        return;
    }
    // SAFETY: an info that libfabric has taken has attributes of its own structure or none, and
    // these are not null; they live as long as the info.
    let kind = unsafe { (*info.ep_attr).kind };
    // SAFETY: as the caller promises.
    let is_taken = || unsafe { insert(endpoint, domain, info, patch) };
    if kind != FI_EP_RDM || !is_taken() {
        COUNTS.endpoints_left.add(1);
    }
}

/// Puts our functions in the place of those of the fid.
fn patch(table: Table<kind::Fid>) -> Table<kind::Fid> {
    table
        .patch(&CLOSE, close)
        .patch(&BIND, bind)
        .patch(&CONTROL, control)
}

extern "C-unwind" fn bind(endpoint: Object, other: Object, flags: u64) -> c_int {
    let Some(found) = find(endpoint) else {
        return EINVAL;
    };
    let Some(real) = found.of_fid(&BIND) else {
        return ENOSYS;
    };
    let done = real(endpoint, other, flags);
    if done == 0 && !other.is_null() {
        // SAFETY: the provider has bound this object, which is not null; every object of libfabric
        // begins with its class.
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
    let is_ours = LIFE.running().is_some() && !found.has_given_up();
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
                // SAFETY: the argument of this command is a `struct fi_alias`, and is not null; the
                // provider has succeeded, and so has written the alias to the address that it
                // holds.
                let alias = unsafe { *(*argument.cast::<Alias>()).fid };
                // SAFETY: the provider has just made this alias as a copy of the endpoint.
                unsafe { found.give_back(alias) };
                found.lose(); // what goes over it is not counted
            }
            FI_SETOPSFLAG => {
                // SAFETY: the argument of this command is the address of flags of 64 bits, and is
                // not null; the provider has just read them there.
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
    let Some(real) = found.of_fid(&CLOSE) else {
        return ENOSYS;
    };
    // SAFETY: libfabric forbids to close an endpoint while another call on it lasts. If the
    // provider refuses to close it, it keeps the tables that it gets back here, and no call comes
    // to us.
    unsafe { found.shut_aliases() };
    // SAFETY: this is the endpoint, which is live until the provider closes it.
    unsafe { found.give_back(endpoint) };
    let done = real(endpoint);
    // SAFETY: as above, no other call on it is under way, and none follows; `found` is not used any
    // more.
    let counters = unsafe { remove(endpoint) };
    if done == 0 {
        for counter in counters.into_iter().filter(|counter| !counter.is_null()) {
            // SAFETY: the counter was opened by us for this endpoint, which is gone, and was taken
            // out of what belonged to it.
            unsafe { shut(counter) };
        }
    }
    done
}
