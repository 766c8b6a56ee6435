//! uGNI: posts by their descriptor, small messages by the mode of the NIC.

use std::ffi::{c_int, c_void};

use odonata_interpose::{INSIDE, Next, Within, depth, function};
use odonata_policy::Operation;

use super::life::{active, after, before};
use super::nics::{self, SET_DELIVERY_MODE, SetDeliveryMode};
use crate::descriptor::{delivery_mode, operation};
use crate::left::{Left, left};

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
        left(Left::Inside);
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
            left(reason);
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

type CdmAttach = extern "C-unwind" fn(usize, u32, *mut u32, *mut usize) -> c_int;
type CdmDestroy = extern "C-unwind" fn(usize) -> c_int;
type SmsgSend = extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32) -> c_int;
type SmsgSendWTag =
    extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32, u8) -> c_int;

static CDM_ATTACH: Next = Next::new(c"GNI_CdmAttach");
static CDM_DESTROY: Next = Next::new(c"GNI_CdmDestroy");
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
        nics::attached(domain, handle);
        active(); // opens the counters while the program starts, not at its first message
    }
    done
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_CdmDestroy(domain: usize) -> c_int {
    let Some(real) = CDM_DESTROY.get() else {
        return MISSING;
    };
    nics::destroyed(domain);
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
        nics::asked(nic, mode);
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
        left(Left::Inside);
        return real();
    }
    if !nics::any_open() {
        left(Left::OtherMode);
        return real();
    }
    let bytes = u64::from(header_bytes) + u64::from(data_bytes);
    let Some(verdict) = before(steering, bytes, Operation::Put) else {
        return real();
    };
    nics::set_all(delivery_mode(verdict.mode));
    let done = {
        let _inside = Within::new(&INSIDE);
        real()
    };
    if done == SUCCESS {
        after(steering, verdict);
    }
    done
}
