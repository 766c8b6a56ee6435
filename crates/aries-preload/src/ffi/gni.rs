//! uGNI: posts by their descriptor, small messages by the mode of the NIC.

use std::ffi::{c_int, c_void};

use odonata_interpose::Next;
use odonata_policy::Operation;

use super::life::{LIFE, active, outermost, post};
use super::nics::{self, SET_DELIVERY_MODE};
use super::values::SUCCESS;
use crate::counts::LeftAlone;
use crate::descriptor::{delivery_mode, operation};

/// GNI_RC_ILLEGAL_OP: the library behind us has no such function.
const MISSING: c_int = 12;

// Offsets in a post descriptor; the layout is that of GNI 0x5c on x86-64.
const KIND: usize = 36;
const DELIVERY_MODE: usize = 42;
const LENGTH: usize = 96;

/// The descriptor of a post, which a program is about to hand to the library.
#[derive(Clone, Copy)]
struct Descriptor(*mut c_void);

impl Descriptor {
    /// The descriptor at an address that is not null.
    ///
    /// # Safety
    ///
    /// A `gni_post_descriptor_t` of 184 bytes is there, to be read and written by this thread alone
    /// as long as this value is used.
    const unsafe fn new(address: *mut c_void) -> Self {
        Self(address)
    }

    /// The bytes of the field at an offset.
    fn read<const N: usize>(self, offset: usize) -> [u8; N] {
        const { assert!(N <= 8) };
        assert!(offset <= LENGTH);
        // SAFETY: at most 8 bytes from at most `LENGTH` (96) on lie within the 184 bytes that `new`
        // was promised; bytes need no alignment, and any bits are bytes.
        unsafe { self.0.byte_add(offset).cast::<[u8; N]>().read() }
    }

    fn kind(self) -> u32 {
        u32::from_ne_bytes(self.read(KIND))
    }

    fn mode(self) -> u16 {
        u16::from_ne_bytes(self.read(DELIVERY_MODE))
    }

    fn length(self) -> u64 {
        u64::from_ne_bytes(self.read(LENGTH))
    }

    /// Sets the delivery mode.
    fn set_mode(self, mode: u16) {
        // SAFETY: the two bytes at 42 lie within the 184 bytes that `new` was promised to be ours
        // to write; the write needs no alignment.
        unsafe {
            self.0
                .byte_add(DELIVERY_MODE)
                .cast::<u16>()
                .write_unaligned(mode)
        };
    }
}

type PostFn = extern "C-unwind" fn(usize, *mut c_void) -> c_int;

fn post_descriptor(next: &Next<PostFn>, endpoint: usize, address: *mut c_void) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    let steering = (!address.is_null()).then(outermost).flatten();
    let Some(steering) = steering else {
        return real(endpoint, address);
    };
    // SAFETY: it is not null, and a program that calls one of these functions of uGNI gives them a
    // descriptor, which is its own, and so ours, until the function is called and after it refused.
    let descriptor = unsafe { Descriptor::new(address) };
    let asked = descriptor.mode();
    let operation = match operation(descriptor.kind(), asked) {
        Ok(operation) => operation,
        Err(reason) => {
            reason.count();
            return real(endpoint, address);
        }
    };
    let Some(verdict) = LIFE.before(steering, descriptor.length(), operation) else {
        return real(endpoint, address);
    };
    descriptor.set_mode(delivery_mode(verdict.mode));
    let done = post(steering, verdict, || real(endpoint, address));
    if done != SUCCESS {
        descriptor.set_mode(asked);
    }
    done
}

// SAFETY: this is the type of the function in `gni_pub.h`, a handle being a pointer.
static POST_FMA: Next<PostFn> = unsafe { Next::new(c"GNI_PostFma") };
// SAFETY: as of `GNI_PostFma`.
static POST_RDMA: Next<PostFn> = unsafe { Next::new(c"GNI_PostRdma") };
// SAFETY: as of `GNI_PostFma`.
static CT_POST_FMA: Next<PostFn> = unsafe { Next::new(c"GNI_CtPostFma") };

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_PostFma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post_descriptor(&POST_FMA, endpoint, descriptor)
}

#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_PostRdma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post_descriptor(&POST_RDMA, endpoint, descriptor)
}

/// The mode of the first descriptor is that of the chain. Only its own length is counted: what
/// follows has another layout.
#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_CtPostFma(endpoint: usize, descriptor: *mut c_void) -> c_int {
    post_descriptor(&CT_POST_FMA, endpoint, descriptor)
}

type CdmAttachFn = extern "C-unwind" fn(usize, u32, *mut u32, *mut usize) -> c_int;
type CdmDestroyFn = extern "C-unwind" fn(usize) -> c_int;
type SmsgSendFn = extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32) -> c_int;
type SmsgSendWTagFn =
    extern "C-unwind" fn(usize, *mut c_void, u32, *mut c_void, u32, u32, u8) -> c_int;

// SAFETY: this is the type of the function in `gni_pub.h`, a handle being a pointer.
static CDM_ATTACH: Next<CdmAttachFn> = unsafe { Next::new(c"GNI_CdmAttach") };
// SAFETY: as of `GNI_CdmAttach`.
static CDM_DESTROY: Next<CdmDestroyFn> = unsafe { Next::new(c"GNI_CdmDestroy") };
// SAFETY: as of `GNI_CdmAttach`.
static SMSG_SEND: Next<SmsgSendFn> = unsafe { Next::new(c"GNI_SmsgSend") };
// SAFETY: as of `GNI_CdmAttach`.
static SMSG_SEND_TAGGED: Next<SmsgSendWTagFn> = unsafe { Next::new(c"GNI_SmsgSendWTag") };

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
    let done = real(domain, device, address, nic);
    if done == SUCCESS && !nic.is_null() {
        // SAFETY: the call has succeeded, and so has written the handle to this address, which is
        // not null; it returns before the program can use the address for anything else.
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
    real(domain)
}

/// The program says itself how small messages go: what is not adaptive is left alone from then on.
#[unsafe(no_mangle)]
extern "C-unwind" fn GNI_SmsgSetDeliveryMode(nic: usize, mode: u16) -> c_int {
    let Some(real) = SET_DELIVERY_MODE.get() else {
        return MISSING;
    };
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
    send_small(header_bytes, data_bytes, || {
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
    send_small(header_bytes, data_bytes, || {
        real(endpoint, header, header_bytes, data, data_bytes, id, tag)
    })
}

fn send_small(header_bytes: u32, data_bytes: u32, real: impl FnOnce() -> c_int) -> c_int {
    let Some(steering) = outermost() else {
        return real();
    };
    if !nics::any_open() {
        LeftAlone::OtherMode.count();
        return real();
    }
    let bytes = u64::from(header_bytes) + u64::from(data_bytes);
    let Some(verdict) = LIFE.before(steering, bytes, Operation::Put) else {
        return real();
    };
    nics::set_all(delivery_mode(verdict.mode));
    post(steering, verdict, real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_only_the_mode_is_written() {
        let mut bytes: [u8; 184] = [0; 184];
        for (index, byte) in (0..).zip(&mut bytes) {
            *byte = index;
        }
        let before = bytes;
        // SAFETY: these are 184 bytes that nobody else uses.
        let descriptor = unsafe { Descriptor::new(bytes.as_mut_ptr().cast()) };
        assert_eq!(descriptor.kind(), 0x2726_2524);
        assert_eq!(descriptor.length(), 0x6766_6564_6362_6160);
        descriptor.set_mode(0xabcd);
        assert_eq!(descriptor.mode(), 0xabcd);
        assert_eq!(bytes[42..44], 0xabcd_u16.to_ne_bytes());
        assert_eq!((&bytes[..42], &bytes[44..]), (&before[..42], &before[44..]));
    }
}
