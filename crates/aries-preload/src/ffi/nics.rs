//! The NICs of a process, and the mode of their small messages.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};

use odonata_interpose::Next;

use super::values::SUCCESS;
use crate::counts::{LeftAlone, SMSG_CHANGES};
use crate::descriptor::is_adaptive;

type SetDeliveryModeFn = extern "C-unwind" fn(usize, u16) -> c_int;
pub(super) static SET_DELIVERY_MODE: Next<SetDeliveryModeFn> =
    // SAFETY: this is the type of the function in `gni_pub.h`, a handle being a pointer.
    unsafe { Next::new(c"GNI_SmsgSetDeliveryMode") };

/// A NIC that the program has attached to.
struct Attached {
    /// 0: free.
    nic: AtomicUsize,
    domain: AtomicUsize,
    /// The mode that its small messages have now.
    mode: AtomicU16,
    /// The mode that the program set, or that holds from the start.
    asked: AtomicU16,
    /// The program wants something else than an adaptive mode, or setting it failed.
    hands_off: AtomicBool,
}

static NICS: [Attached; 16] = [const {
    Attached {
        nic: AtomicUsize::new(0),
        domain: AtomicUsize::new(0),
        mode: AtomicU16::new(0),
        asked: AtomicU16::new(0),
        hands_off: AtomicBool::new(false),
    }
}; 16];

impl Attached {
    fn is_open(&self) -> bool {
        self.nic.load(Ordering::Acquire) != 0 && !self.hands_off.load(Ordering::Relaxed)
    }

    fn note(&self, mode: u16) {
        self.hands_off.store(!is_adaptive(mode), Ordering::Relaxed);
        self.mode.store(mode, Ordering::Relaxed);
        self.asked.store(mode, Ordering::Relaxed);
    }

    /// Sets the mode if it is another one; says whether it was set.
    fn set(&self, mode: u16) -> bool {
        let Some(real) = SET_DELIVERY_MODE.get() else {
            return false;
        };
        if !self.is_open() || self.mode.swap(mode, Ordering::Relaxed) == mode {
            return false;
        }
        let done = real(self.nic.load(Ordering::Acquire), mode) == SUCCESS;
        self.hands_off.store(!done, Ordering::Relaxed);
        done
    }
}

/// The program has attached to a NIC. Those beyond the sixteenth are left alone.
pub(super) fn attached(domain: usize, handle: usize) {
    let take = |slot: &&Attached| {
        let (new, old) = (Ordering::AcqRel, Ordering::Relaxed);
        slot.nic.compare_exchange(0, handle, new, old).is_ok()
    };
    if let Some(slot) = NICS.iter().find(take) {
        slot.domain.store(domain, Ordering::Relaxed);
    }
}

/// A domain goes, and its NIC with it.
pub(super) fn destroyed(domain: usize) {
    for slot in &NICS {
        if slot.domain.load(Ordering::Relaxed) == domain {
            slot.domain.store(0, Ordering::Relaxed);
            slot.note(0);
            slot.nic.store(0, Ordering::Release);
        }
    }
}

/// The program has set the mode of its small messages.
pub(super) fn asked(nic: usize, mode: u16) {
    for slot in &NICS {
        if slot.nic.load(Ordering::Acquire) == nic {
            slot.note(mode);
        }
    }
}

/// Whether there is a NIC whose mode may be set.
pub(super) fn any_open() -> bool {
    NICS.iter().any(Attached::is_open)
}

/// Gives the small messages of all NICs a mode: which one an endpoint belongs to is not known.
pub(super) fn set_all(mode: u16) {
    if SET_DELIVERY_MODE.get().is_none() {
        LeftAlone::NotSettable.count();
        return;
    }
    for slot in &NICS {
        if slot.set(mode) {
            SMSG_CHANGES.add(1);
        }
    }
}

/// Small messages go as the program asked again: nobody decides on them any more.
pub(super) fn give_back() {
    for slot in &NICS {
        slot.set(slot.asked.load(Ordering::Relaxed));
    }
}
