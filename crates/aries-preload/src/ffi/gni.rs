//! uGNI: posts by their descriptor, small messages by the mode of the NIC.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};

use odonata_policy::Operation;

use super::next::Next;
use super::{INSIDE, Within, active, after, before, depth, function};
use crate::descriptor::{delivery_mode, is_adaptive, operation};
use crate::steering::Steering;
use crate::tally::Left;

const SUCCESS: c_int = 0;
/// GNI_RC_ILLEGAL_OP: the library behind us has no such function.
const MISSING: c_int = 12;

// Places in a post descriptor; the layout is that of GNI 0x5c on x86-64.
const KIND: usize = 36;
const DELIVERY_MODE: usize = 42;
const LENGTH: usize = 96;

type Post = extern "C-unwind" fn(usize, *mut c_void) -> c_int;

fn post(next: &Next, endpoint: usize, descriptor: *mut c_void) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    // SAFETY: the function of this name has this type.
    let real: Post = unsafe { function(real) };
    let Some(steering) = active().filter(|_| !descriptor.is_null()) else {
        return real(endpoint, descriptor);
    };
    if depth(&INSIDE) > 0 {
        steering.tally.left(Left::Inside);
        return real(endpoint, descriptor);
    }
    // SAFETY: the program posts a descriptor; of it only fields of this layout are read.
    let (kind, mode, length) = unsafe {
        let at = |offset| descriptor.byte_add(offset);
        (
            at(KIND).cast::<u32>().read_unaligned(),
            at(DELIVERY_MODE).cast::<u16>(),
            at(LENGTH).cast::<u64>().read_unaligned(),
        )
    };
    // SAFETY: as above.
    let asked = unsafe { mode.read_unaligned() };
    let operation = match operation(kind, asked) {
        Ok(operation) => operation,
        Err(reason) => {
            steering.tally.left(reason);
            return real(endpoint, descriptor);
        }
    };
    let Some(verdict) = before(steering, length, operation) else {
        return real(endpoint, descriptor);
    };
    // SAFETY: until it is posted, the descriptor is the caller's, and so ours.
    unsafe { mode.write_unaligned(delivery_mode(verdict.mode)) };
    let done = {
        let _inside = Within::new(&INSIDE);
        real(endpoint, descriptor)
    };
    if done == SUCCESS {
        after(steering, verdict);
    } else {
        // SAFETY: it was not posted and is the caller's again.
        unsafe { mode.write_unaligned(asked) };
    }
    done
}

static POST_FMA: Next = Next::new(c"GNI_PostFma");
static POST_RDMA: Next = Next::new(c"GNI_PostRdma");
static CT_POST_FMA: Next = Next::new(c"GNI_CtPostFma");

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_PostFma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post(&POST_FMA, endpoint, descriptor)
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_PostRdma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post(&POST_RDMA, endpoint, descriptor)
}

/// The mode of the first descriptor is that of the chain. Only its own length is counted: what
/// follows has another layout.
#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_CtPostFma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post(&CT_POST_FMA, endpoint, descriptor)
}

/// A NIC that the program has attached to.
struct Attached {
    /// 0: free.
    nic: AtomicUsize,
    domain: AtomicUsize,
    /// The mode of its small messages.
    mode: AtomicU16,
    /// The program wants something else than an adaptive mode, or setting it failed.
    hands_off: AtomicBool,
}

static NICS: [Attached; 16] = [const {
    Attached {
        nic: AtomicUsize::new(0),
        domain: AtomicUsize::new(0),
        mode: AtomicU16::new(0),
        hands_off: AtomicBool::new(false),
    }
}; 16];

type CdmAttach = extern "C-unwind" fn(usize, u32, *mut u32, *mut usize) -> c_int;
type CdmDestroy = extern "C-unwind" fn(usize) -> c_int;
type SetDeliveryMode = extern "C-unwind" fn(usize, u16) -> c_int;
type SmsgSend = extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32) -> c_int;
type SmsgSendWTag =
    extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32, u8) -> c_int;

static CDM_ATTACH: Next = Next::new(c"GNI_CdmAttach");
static CDM_DESTROY: Next = Next::new(c"GNI_CdmDestroy");
static SET_DELIVERY_MODE: Next = Next::new(c"GNI_SmsgSetDeliveryMode");
static SMSG_SEND: Next = Next::new(c"GNI_SmsgSend");
static SMSG_SEND_TAGGED: Next = Next::new(c"GNI_SmsgSendWTag");

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_CdmAttach(
    domain: usize,
    device: u32,
    address: *mut u32,
    nic: *mut usize,
) -> c_int {
    let Some(real) = CDM_ATTACH.get() else {
        return MISSING;
    };
    // SAFETY: the function of this name has this type.
    let real: CdmAttach = unsafe { function(real) };
    let done = real(domain, device, address, nic);
    if done == SUCCESS && !nic.is_null() {
        // SAFETY: the call has written it.
        let handle = unsafe { *nic };
        let free = |slot: &&Attached| {
            let taken = slot
                .nic
                .compare_exchange(0, handle, Ordering::AcqRel, Ordering::Relaxed);
            taken.is_ok()
        };
        if let Some(slot) = NICS.iter().find(free) {
            slot.domain.store(domain, Ordering::Relaxed);
            slot.mode.store(0, Ordering::Relaxed);
            slot.hands_off.store(false, Ordering::Relaxed);
        }
        active(); // opens the counters while the program starts, not at its first message
    }
    done
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_CdmDestroy(domain: usize) -> c_int {
    let Some(real) = CDM_DESTROY.get() else {
        return MISSING;
    };
    for slot in &NICS {
        if slot.domain.load(Ordering::Relaxed) == domain {
            slot.nic.store(0, Ordering::Release);
        }
    }
    // SAFETY: the function of this name has this type.
    let real: CdmDestroy = unsafe { function(real) };
    real(domain)
}

/// The program says itself how small messages go: what is not adaptive is left alone from then on.
#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_SmsgSetDeliveryMode(nic: usize, mode: u16) -> c_int {
    let Some(real) = SET_DELIVERY_MODE.get() else {
        return MISSING;
    };
    // SAFETY: the function of this name has this type.
    let real: SetDeliveryMode = unsafe { function(real) };
    let done = real(nic, mode);
    if done == SUCCESS {
        for slot in NICS
            .iter()
            .filter(|slot| slot.nic.load(Ordering::Acquire) == nic)
        {
            slot.hands_off.store(!is_adaptive(mode), Ordering::Relaxed);
            slot.mode.store(mode, Ordering::Relaxed);
        }
    }
    done
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_SmsgSend(
    endpoint: usize,
    header: *mut c_void,
    header_bytes: u32,
    data: *mut c_void,
    data_bytes: u32,
    id: u32,
) -> c_int {
    let Some(real) = SMSG_SEND.get() else {
        return MISSING;
    };
    // SAFETY: the function of this name has this type.
    let real: SmsgSend = unsafe { function(real) };
    small(header_bytes, data_bytes, || {
        real(endpoint, header, header_bytes, data, data_bytes, id)
    })
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_SmsgSendWTag(
    endpoint: usize,
    header: *mut c_void,
    header_bytes: u32,
    data: *mut c_void,
    data_bytes: u32,
    id: u32,
    tag: u8,
) -> c_int {
    let Some(real) = SMSG_SEND_TAGGED.get() else {
        return MISSING;
    };
    // SAFETY: the function of this name has this type.
    let real: SmsgSendWTag = unsafe { function(real) };
    small(header_bytes, data_bytes, || {
        real(endpoint, header, header_bytes, data, data_bytes, id, tag)
    })
}

fn small(header_bytes: u32, data_bytes: u32, real: impl FnOnce() -> c_int) -> c_int {
    let Some(steering) = active() else {
        return real();
    };
    if depth(&INSIDE) > 0 {
        steering.tally.left(Left::Inside);
        return real();
    }
    let attached = |slot: &&Attached| slot.nic.load(Ordering::Acquire) != 0;
    let mut nics = NICS.iter().filter(attached);
    if !nics.any(|slot| !slot.hands_off.load(Ordering::Relaxed)) {
        steering.tally.left(Left::OtherMode);
        return real();
    }
    let bytes = u64::from(header_bytes) + u64::from(data_bytes);
    let Some(verdict) = before(steering, bytes, Operation::Put) else {
        return real();
    };
    set_all(steering, delivery_mode(verdict.mode));
    let done = {
        let _inside = Within::new(&INSIDE);
        real()
    };
    if done == SUCCESS {
        after(steering, verdict);
    }
    done
}

/// Gives the small messages of all NICs a mode: which one an endpoint belongs to is not known.
fn set_all(steering: &Steering, mode: u16) {
    let Some(real) = SET_DELIVERY_MODE.get() else {
        steering.tally.left(Left::NoWay);
        return;
    };
    // SAFETY: the function of this name has this type.
    let real: SetDeliveryMode = unsafe { function(real) };
    for slot in &NICS {
        let nic = slot.nic.load(Ordering::Acquire);
        let is_open = nic != 0 && !slot.hands_off.load(Ordering::Relaxed);
        if !is_open || slot.mode.swap(mode, Ordering::Relaxed) == mode {
            continue;
        }
        steering.tally.smsg_changes.add(1);
        if real(nic, mode) != SUCCESS {
            slot.hands_off.store(true, Ordering::Relaxed);
        }
    }
}
