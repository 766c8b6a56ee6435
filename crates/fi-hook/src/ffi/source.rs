//! Counters of the NIC, through the operations of a domain of the provider cxi.
//!
//! The counters of one domain of a process are read; every call goes through `guarded`: one that
//! crashes is the last.

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

use odonata_interpose::{CounterSource, Crashed, ReadError, guarded};
use odonata_policy::Counters;

use super::abi::{FID_OPS, OPS_OPEN, Object};
use super::table::TableRef;
use crate::classes::{ClassEffect, Classes};
use crate::counting::Counting;
use crate::counts::COUNTS;
use crate::lane::PostTarget;

/// Names of the operations; later ones only have more of them.
const NAMES: [&CStr; 6] = [
    c"dom_ops_v6",
    c"dom_ops_v5",
    c"dom_ops_v4",
    c"dom_ops_v3",
    c"dom_ops_v2",
    c"dom_ops_v1",
];

/// The domain whose counters are read; null: there is none now.
static DOMAIN: AtomicPtr<usize> = AtomicPtr::new(ptr::null_mut());
/// The function `cntr_read` of that domain.
static CNTR_READ: AtomicPtr<libc::c_void> = AtomicPtr::new(ptr::null_mut());

/// Whether the class of each mode's messages took effect: a `ClassEffect` as a number.
static CLASS_EFFECTS: [AtomicU8; 3] = [const { AtomicU8::new(0) }; 3];

/// Takes a domain to read counters from unless there is one; says whether it is the one now.
///
/// # Safety
///
/// `domain` is a live domain of libfabric.
pub(super) unsafe fn take(domain: Object) -> bool {
    // SAFETY: as the caller promises.
    let Some(read) = (unsafe { cntr_read(domain) }) else {
        return DOMAIN.load(Ordering::Acquire) == domain;
    };
    let (new, old) = (Ordering::AcqRel, Ordering::Acquire);
    match DOMAIN.compare_exchange(ptr::null_mut(), domain, new, old) {
        Ok(_) => {
            CNTR_READ.store(read, Ordering::Release);
            true
        }
        Err(other) => other == domain,
    }
}

/// A domain is about to be closed; says whether its counters were read until now.
pub(super) fn leave(domain: Object) -> bool {
    let (new, old) = (Ordering::AcqRel, Ordering::Acquire);
    DOMAIN
        .compare_exchange(domain, ptr::null_mut(), new, old)
        .is_ok()
}

/// The function that reads a counter of a domain.
///
/// # Safety
///
/// `domain` is a live domain of libfabric.
unsafe fn cntr_read(domain: Object) -> Option<*mut libc::c_void> {
    // SAFETY: a domain begins with its fid, which has this table: that of the provider, or our
    // copy, which lives until the domain is closed.
    let open = unsafe { TableRef::of(domain, &FID_OPS) }.function(&OPS_OPEN)?;
    NAMES.iter().find_map(|name| {
        let mut found: Object = ptr::null_mut();
        let done = open(domain, name.as_ptr(), 0, &raw mut found, ptr::null_mut());
        if done != 0 || found.is_null() {
            return None;
        }
        // SAFETY: the provider has opened its operations of this name, a structure of functions, a
        // constant, which begins with `cntr_read`, without a size (`rdma/fi_cxi_ext.h`).
        let read = unsafe { *found };
        (read != 0).then(|| ptr::with_exposed_provenance_mut(read))
    })
}

/// Whether the class of a mode's messages took effect.
pub(super) fn class_effect(mode: usize) -> ClassEffect {
    match CLASS_EFFECTS[mode].load(Ordering::Relaxed) {
        1 => ClassEffect::Seen,
        2 => ClassEffect::NotSeen,
        _ => ClassEffect::Unknown,
    }
}

/// Counters of the NIC.
pub(super) struct Nic {
    counting: Counting,
    classes: Classes,
}

impl Nic {
    pub(super) fn new(counting: Counting) -> Self {
        Self {
            counting,
            classes: Classes::default(),
        }
    }

    /// Whether classes still have to be looked at: some are in use without a verdict.
    fn looks(&mut self) -> Result<(), ReadError> {
        let is_known = |mode: usize| {
            class_effect(mode) != ClassEffect::Unknown || COUNTS.packets[mode].get() == 0
        };
        if (0..CLASS_EFFECTS.len()).all(is_known) {
            return Ok(());
        }
        let posted = std::array::from_fn(|target| COUNTS.packets[target].get());
        let Some(counted) = self.counting.classes(read)? else {
            return Ok(());
        };
        self.classes.look(posted, counted);
        for (mode, class_effect) in CLASS_EFFECTS.iter().enumerate() {
            let found = match self.classes.class_effect(PostTarget::ordered(mode)) {
                ClassEffect::Unknown => continue,
                ClassEffect::Seen => 1,
                ClassEffect::NotSeen => 2,
            };
            class_effect.store(found, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl CounterSource for Nic {
    fn read(&mut self) -> Result<Counters, ReadError> {
        let counters = self.counting.counters(read)?;
        self.looks()?;
        Ok(counters)
    }
}

/// Reads one counter.
fn read(number: u32) -> Result<u64, ReadError> {
    let domain = DOMAIN.load(Ordering::Acquire);
    let function = CNTR_READ.load(Ordering::Acquire);
    if domain.is_null() || function.is_null() {
        return Err(ReadError::Failed);
    }
    let mut value = u64::MAX;
    let mut instant = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let words = [
        domain.expose_provenance(),
        number as usize,
        (&raw mut value).expose_provenance(),
        (&raw mut instant).expose_provenance(),
    ];
    // SAFETY: `cntr_read` of cxi takes these four words and returns an `int`: the fid of a domain,
    // a number, the address of 64 bits for the value, and that of a time. Both are locals that live
    // during the call. The domain is live: `leave` takes it out before it is closed, and libfabric
    // forbids to close it while a call on one of its endpoints lasts, such as the one that asks
    // here.
    let done: Result<c_int, Crashed> = unsafe { guarded(function, words) };
    match done {
        // SAFETY: `value` is a live, initialised local. The read is volatile because the provider
        // has written to it through an address that was exposed as a number.
        Ok(0) => Ok(unsafe { ptr::read_volatile(&raw const value) }),
        Ok(_) => Err(ReadError::Failed),
        Err(Crashed) => Err(ReadError::Broken),
    }
}
