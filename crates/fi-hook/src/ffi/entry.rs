//! The two ways into a process: `LD_PRELOAD`, which takes the place of `fi_fabric`, and a hook
//! provider, which libfabric loads from `FI_PROVIDER_PATH` and calls where `FI_HOOK` names it.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use odonata_interpose::{Next, keep_loaded};

use super::abi::{EINVAL, ENOSYS, FabricAttr, Info, Object, Provider};
use super::{fabric, life};

type FabricFn = extern "C-unwind" fn(*const FabricAttr, *mut Object, *mut c_void) -> c_int;
type Fabric2Fn = extern "C-unwind" fn(*const Info, *mut Object, u64, *mut c_void) -> c_int;

/// A fabric was opened.
///
/// # Safety
///
/// `fabric` is null or the address of a fabric that libfabric has just opened (or of null), and
/// `provider` is null or the name of its provider, a C string.
unsafe fn opened(fabric: *mut Object, provider: *const c_char) {
    if fabric.is_null() || provider.is_null() {
        return;
    }
    // SAFETY: neither is null, and so they are what the caller promises.
    let (fabric, provider) = unsafe { (*fabric, CStr::from_ptr(provider)) };
    if !fabric.is_null() {
        // SAFETY: the caller promises that this is a fabric of libfabric, whose objects are closed
        // through their own tables (`fi_close`).
        let look = || unsafe { fabric::opened(fabric, provider) };
        let _ = catch_unwind(AssertUnwindSafe(look));
    }
}

#[unsafe(no_mangle)]
extern "C-unwind" fn fi_fabric(
    attributes: *const FabricAttr,
    fabric: *mut Object,
    context: *mut c_void,
) -> c_int {
    // SAFETY: this is the type of the function in `rdma/fabric.h`.
    static NEXT: Next<FabricFn> = unsafe { Next::new(c"fi_fabric") };
    let Some(real) = NEXT.get() else {
        return ENOSYS;
    };
    let done = real(attributes, fabric, context);
    if done == 0 && !attributes.is_null() {
        // SAFETY: libfabric has opened a fabric by these attributes, which are not null; they live
        // during the program's call.
        let provider = unsafe { (*attributes).prov_name };
        // SAFETY: libfabric has written the fabric there, and the attributes name its provider.
        unsafe { opened(fabric, provider) };
    }
    done
}

/// The function of libfabric 2.
#[unsafe(no_mangle)]
extern "C-unwind" fn fi_fabric2(
    info: *const Info,
    fabric: *mut Object,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    // SAFETY: this is the type of the function in `rdma/fabric.h` of libfabric 2.
    static NEXT: Next<Fabric2Fn> = unsafe { Next::new(c"fi_fabric2") };
    let Some(real) = NEXT.get() else {
        return ENOSYS;
    };
    let done = real(info, fabric, flags, context);
    if done == 0 && !info.is_null() {
        // SAFETY: libfabric has opened a fabric by this info, which is not null; it lives during
        // the program's call.
        let attributes = unsafe { (*info).fabric_attr };
        if !attributes.is_null() {
            // SAFETY: the attributes of an info live as long as it does; they are not null.
            let provider = unsafe { (*attributes).prov_name };
            // SAFETY: libfabric has written the fabric there, and the attributes name its provider.
            unsafe { opened(fabric, provider) };
        }
    }
    done
}

/// Provider structure that libfabric gets, and writes to.
struct Cell(UnsafeCell<Provider>);

// SAFETY: we touch the cell in `fi_prov_ini` alone, which libfabric calls under a lock of its own,
// before it has the address; afterwards it is libfabric's. The name in it is a constant.
unsafe impl Sync for Cell {}

static PROVIDER: Cell = Cell(UnsafeCell::new(Provider {
    version: 1,
    fi_version: 0,
    context: [0; 4],
    // The name by which FI_HOOK=odonata finds it.
    name: c"ofi_hook_odonata".as_ptr(),
    // Without this function a provider is a hook.
    getinfo: 0,
    fabric: 0,
    cleanup: 0,
}));

/// libfabric asks a file for its provider.
#[unsafe(no_mangle)]
extern "C" fn fi_prov_ini() -> *mut Provider {
    // Objects have its tables, and the report comes at the end.
    keep_loaded(ptr::from_ref(&PROVIDER).cast());
    let provider = PROVIDER.0.get();
    // SAFETY: the cell lives as long as the process. libfabric calls this function under a lock,
    // once before it has the address of the provider, so that nobody else reads or writes it
    // meanwhile.
    unsafe {
        // libfabric takes only what is not newer than itself.
        (*provider).fi_version = life::version().unwrap_or(1 << 16 | 5);
        (*provider).fabric = (hook as *const ()).expose_provenance();
        (*provider).cleanup = (clean_up as *const ()).expose_provenance();
    }
    provider
}

/// A fabric of a provider (the context) was opened: it is patched, and stays the same object.
extern "C-unwind" fn hook(
    attributes: *const FabricAttr,
    fabric: *mut Object,
    provider: *mut c_void,
) -> c_int {
    if attributes.is_null() || fabric.is_null() || provider.is_null() {
        return EINVAL;
    }
    // SAFETY: libfabric calls this with the attributes of a fabric that it has opened (one of their
    // members), an address for a fabric, and the fabric's provider as the context. None of them is
    // null, and all live during the call.
    let name = unsafe {
        *fabric = (*attributes).fabric;
        (*provider.cast::<Provider>()).name
    };
    // SAFETY: the fabric was just written there, and the name is that of its provider.
    unsafe { opened(fabric, name) };
    0
}

extern "C" fn clean_up() {}
