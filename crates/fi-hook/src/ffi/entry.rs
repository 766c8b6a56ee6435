//! The two ways into a process: `LD_PRELOAD`, which takes the place of `fi_fabric`, and a hook
//! provider, which libfabric loads from `FI_PROVIDER_PATH` and calls where `FI_HOOK` names it.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use odonata_interpose::{Next, function};

use super::abi::{EINVAL, ENOSYS, FabricAttr, Info, Object, Provider};
use super::{fabric, life};

type FabricFn = extern "C-unwind" fn(*const FabricAttr, *mut Object, *mut c_void) -> c_int;
type Fabric2Fn = extern "C-unwind" fn(*const Info, *mut Object, u64, *mut c_void) -> c_int;

fn opened(fabric: *mut Object, provider: *const std::ffi::c_char) {
    if fabric.is_null() || provider.is_null() {
        return;
    }
    // SAFETY: the call has written the fabric; the name ends with 0.
    let (fabric, provider) = unsafe { (*fabric, CStr::from_ptr(provider)) };
    if !fabric.is_null() {
        let _ = catch_unwind(AssertUnwindSafe(|| fabric::opened(fabric, provider)));
    }
}

#[unsafe(no_mangle)]
extern "C-unwind" fn fi_fabric(
    attributes: *const FabricAttr,
    fabric: *mut Object,
    context: *mut c_void,
) -> c_int {
    static NEXT: Next = Next::new(c"fi_fabric");
    let Some(real) = NEXT.get() else {
        return ENOSYS;
    };
    // SAFETY: the function of this name has this type.
    let real: FabricFn = unsafe { function(real) };
    let done = real(attributes, fabric, context);
    if done == 0 && !attributes.is_null() {
        // SAFETY: libfabric has taken these attributes.
        opened(fabric, unsafe { (*attributes).prov_name });
    }
    done
}

/// Of libfabric 2.
#[unsafe(no_mangle)]
extern "C-unwind" fn fi_fabric2(
    info: *const Info,
    fabric: *mut Object,
    flags: u64,
    context: *mut c_void,
) -> c_int {
    static NEXT: Next = Next::new(c"fi_fabric2");
    let Some(real) = NEXT.get() else {
        return ENOSYS;
    };
    // SAFETY: the function of this name has this type.
    let real: Fabric2Fn = unsafe { function(real) };
    let done = real(info, fabric, flags, context);
    if done == 0 && !info.is_null() {
        // SAFETY: libfabric has taken this info, which names its provider.
        let attributes = unsafe { (*info).fabric_attr };
        if !attributes.is_null() {
            // SAFETY: as above.
            opened(fabric, unsafe { (*attributes).prov_name });
        }
    }
    done
}

/// libfabric writes into it.
struct Cell(UnsafeCell<Provider>);

// SAFETY: libfabric loads providers under a lock of its own, and we write once, in `fi_prov_ini`.
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

// SAFETY of the pointer in it: a name that lives as long as the process.

/// libfabric asks a file for its provider.
#[unsafe(no_mangle)]
extern "C" fn fi_prov_ini() -> *mut Provider {
    stay();
    let provider = PROVIDER.0.get();
    // SAFETY: nobody else has it yet.
    unsafe {
        // libfabric takes only what is not newer than itself.
        (*provider).fi_version = life::version().unwrap_or(1 << 16 | 5);
        (*provider).fabric = (hook as *const ()).expose_provenance();
        (*provider).cleanup = (clean_up as *const ()).expose_provenance();
    }
    provider
}

/// Keeps this library in the process: objects have its tables, and the report comes at the end.
fn stay() {
    // SAFETY: all zeros is a valid answer; the name is that of a library that is loaded.
    unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        let known = libc::dladdr(ptr::from_ref(&PROVIDER).cast(), &raw mut found);
        if known != 0 && !found.dli_fname.is_null() {
            let flags = libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
            libc::dlopen(found.dli_fname, flags);
        }
    }
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
    // SAFETY: libfabric gives the fabric in the attributes, and its provider.
    unsafe {
        *fabric = (*attributes).fabric;
        opened(fabric, (*provider.cast::<Provider>()).name);
    }
    0
}

extern "C" fn clean_up() {}
