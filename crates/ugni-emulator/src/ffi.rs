//! What C sees: `GNI_*`, and how tests look inside.
//!
//! Handles are numbers of tables, so that a wrong one is refused. The pointers that a program gives
//! are believed, as the real library believes them: where a comment on `unsafe` says that the
//! program promises something, it is the declaration of the function in `include/ugni.h` that asks
//! for it.

mod smsg;
#[cfg(test)]
mod tests;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{ptr, slice, thread};

use crate::abi::{CQ_GLOBAL, CQ_LOCAL, Code, Kind, MODES, MemoryHandle, PostDescriptor};
use crate::counters::{Counters, NAMES};
use crate::queue::{Event, Queue};
use crate::state::{AddressRange, Domain, Endpoint, Nic, State, mapped, mode_index, write};
use crate::traffic::Model;

static STATE: Mutex<State> = Mutex::new(State::new());
static COUNTERS: Counters = Counters::new();

/// Bytes of a file that holds the memory of a process at its own addresses: all of them.
const ADDRESSES: u64 = 1 << 47;
const PAGE_BYTES: usize = 4_096;
const PAGE: u64 = PAGE_BYTES as u64;

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn code(result: Result<(), Code>) -> c_int {
    match result {
        Ok(()) => Code::Success as c_int,
        Err(code) => code as c_int,
    }
}

/// Writes through a pointer that an exported function got from the program; refuses null.
fn give<T: Copy>(target: *mut T, value: T) -> Result<(), Code> {
    if target.is_null() {
        return Err(Code::InvalidParameter);
    }
    // SAFETY: the pointer is not null, and is an argument of this type of an exported function: the
    // program promises a variable of the type there, which nobody else uses during the call. What
    // is overwritten is plain data.
    unsafe { target.write(value) };
    Ok(())
}

/// An address that the program gave as a number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "addresses have the bits of a pointer"
)]
fn pointer<T>(address: u64) -> *mut T {
    ptr::with_exposed_provenance_mut(address as usize)
}

#[expect(
    clippy::disallowed_methods,
    reason = "events of a real program are due in real time"
)]
fn now_ns() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a library in a program has no other input"
)]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Reads what the environment says, once; a bad table ends the attachment.
fn configure(state: &mut State) -> Result<(), Code> {
    if state.model.is_some() {
        return Ok(());
    }
    let seed = environment("ODONATA_UGNI_SEED")
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0);
    state.is_paced = environment("ODONATA_UGNI_PACE").is_some();
    state.model = Some(match environment("ODONATA_UGNI_MODEL") {
        None => Model::calm(seed),
        Some(path) => {
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
            let read = text.and_then(|text| Model::parse(&text, seed).map_err(|e| e.to_string()));
            read.map_err(|problem| {
                let _ = std::io::Write::write_all(
                    &mut std::io::stderr(),
                    format!("ugni-emulator: {path}: {problem}\n").as_bytes(),
                );
                Code::InvalidParameter
            })?
        }
    });
    if environment("ODONATA_UGNI_SDE").is_some() {
        register_with_sde();
    }
    Ok(())
}

/// Shows the counters to PAPI as `sde:::aries::NAME`; nothing happens where libsde is missing.
fn register_with_sde() {
    type Init = extern "C" fn(*const c_char) -> *mut c_void;
    type Register = extern "C" fn(*mut c_void, *const c_char, c_int, c_int, *mut c_void) -> c_int;
    // SAFETY: the name is a C string; what runs is the start of the library of that name.
    let library =
        unsafe { libc::dlopen(c"libsde.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if library.is_null() {
        return;
    }
    // SAFETY: the handle was opened above and is never closed; the names are C strings.
    let (init, register) = unsafe {
        (
            libc::dlsym(library, c"papi_sde_init".as_ptr()),
            libc::dlsym(library, c"papi_sde_register_counter".as_ptr()),
        )
    };
    if init.is_null() || register.is_null() {
        return;
    }
    // SAFETY: these are functions of libsde, which stays loaded, and `sde_lib.h` declares functions
    // of these names with these types.
    let (init, register) = unsafe {
        (
            std::mem::transmute::<*mut c_void, Init>(init),
            std::mem::transmute::<*mut c_void, Register>(register),
        )
    };
    let aries = init(c"aries".as_ptr());
    for (name, counter) in NAMES.iter().zip(&COUNTERS.shown) {
        let Ok(name) = std::ffi::CString::new(*name) else {
            continue;
        };
        // It is read only, as it stands (PAPI_SDE_INSTANT), a 64-bit integer; counters are static.
        register(aries, name.as_ptr(), 0x10, 0, counter.as_ptr().cast());
    }
}

fn path_of(cookie: u32, instance: u32) -> String {
    // SAFETY: `getuid` takes nothing, cannot fail, and touches no memory.
    let user = unsafe { libc::getuid() };
    format!("/dev/shm/odonata-ugni-{user}-{cookie}-{instance}")
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CdmCreate(
    instance: u32,
    _ptag: u8,
    cookie: u32,
    _modes: u32,
    domain: *mut usize,
) -> c_int {
    let handle = state().domains.add(Domain {
        instance,
        cookie,
        nic: None,
    });
    code(give(domain, handle))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CdmAttach(
    domain: usize,
    _device: u32,
    address: *mut u32,
    nic: *mut usize,
) -> c_int {
    let attach = || {
        let mut state = state();
        configure(&mut state)?;
        let found = state.domains.get(domain).ok_or(Code::InvalidParameter)?;
        if found.nic.is_some() {
            return Err(Code::InvalidState);
        }
        let (cookie, instance) = (found.cookie, found.instance);
        let path = path_of(cookie, instance);
        let mut options = File::options();
        options
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600);
        let file = options.open(&path).map_err(|_| Code::ErrorResource)?;
        file.set_len(ADDRESSES).map_err(|_| Code::ErrorResource)?;
        let handle = state.nics.add(Nic {
            file: Arc::new(file),
            path,
            cookie,
            smsg_mode: 0,
        });
        if let Some(found) = state.domains.get(domain) {
            found.nic = Some(handle);
        }
        give(address, instance)?;
        give(nic, handle)
    };
    code(attach())
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CdmDestroy(domain: usize) -> c_int {
    let mut state = state();
    let Some(gone) = state.domains.remove(domain) else {
        return Code::InvalidParameter as c_int;
    };
    if let Some(nic) = gone.nic.and_then(|handle| state.nics.remove(handle)) {
        let _ = std::fs::remove_file(nic.path);
    }
    Code::Success as c_int
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CqCreate(
    nic: usize,
    entries: u32,
    _delay: u32,
    _mode: u32,
    _handler: *const c_void,
    _context: *const c_void,
    queue: *mut usize,
) -> c_int {
    let mut state = state();
    if state.nics.get(nic).is_none() {
        return Code::InvalidParameter as c_int;
    }
    let handle = state.queues.add(Queue::new(entries as usize));
    code(give(queue, handle))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CqDestroy(queue: usize) -> c_int {
    let gone = state().queues.remove(queue);
    code(gone.map(|_| ()).ok_or(Code::InvalidParameter))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CqGetEvent(queue: usize, event: *mut u64) -> c_int {
    let mut state = state();
    let Some(queue) = state.queues.get(queue) else {
        return Code::InvalidParameter as c_int;
    };
    code(
        queue
            .pop(now_ns())
            .ok_or(Code::NotDone)
            .and_then(|word| give(event, word)),
    )
}

#[unsafe(no_mangle)]
extern "C" fn GNI_CqWaitEvent(queue: usize, timeout_ms: u64, event: *mut u64) -> c_int {
    const TIMEOUT: c_int = 4;
    let end = now_ns().saturating_add(timeout_ms.saturating_mul(1_000_000));
    loop {
        let found = GNI_CqGetEvent(queue, event);
        if found != Code::NotDone as c_int {
            return found;
        }
        if now_ns() >= end {
            return TIMEOUT;
        }
        thread::sleep(Duration::from_micros(1));
    }
}

#[unsafe(no_mangle)]
extern "C" fn GNI_GetCompleted(
    queue: usize,
    event: u64,
    descriptor: *mut *mut PostDescriptor,
) -> c_int {
    let mut state = state();
    let Some(queue) = state.queues.get(queue) else {
        return Code::InvalidParameter as c_int;
    };
    let found = queue.take(event).ok_or(Code::NoMatch);
    code(found.and_then(|address| give(descriptor, pointer(address))))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_EpCreate(nic: usize, queue: usize, endpoint: *mut usize) -> c_int {
    let mut state = state();
    let is_known = queue == 0 || state.queues.get(queue).is_some();
    if state.nics.get(nic).is_none() || !is_known {
        return Code::InvalidParameter as c_int;
    }
    let queue = (queue != 0).then_some(queue);
    let handle = state.endpoints.add(Endpoint {
        nic,
        queue,
        peer: None,
        mailbox: None,
    });
    code(give(endpoint, handle))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_EpBind(endpoint: usize, _address: u32, instance: u32) -> c_int {
    let bind = || {
        let mut state = state();
        let nic = state
            .endpoints
            .get(endpoint)
            .ok_or(Code::InvalidParameter)?
            .nic;
        let cookie = state.nics.get(nic).ok_or(Code::InvalidState)?.cookie;
        let mut options = File::options();
        let file = options
            .read(true)
            .write(true)
            .open(path_of(cookie, instance));
        let file = file.map_err(|_| Code::TransactionError)?;
        let endpoint = state
            .endpoints
            .get(endpoint)
            .ok_or(Code::InvalidParameter)?;
        endpoint.peer = Some(Arc::new(file));
        Ok(())
    };
    code(bind())
}

#[unsafe(no_mangle)]
extern "C" fn GNI_EpUnbind(endpoint: usize) -> c_int {
    let mut state = state();
    let found = state.endpoints.get(endpoint).ok_or(Code::InvalidParameter);
    code(found.map(|endpoint| endpoint.peer = None))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_EpDestroy(endpoint: usize) -> c_int {
    let gone = state().endpoints.remove(endpoint);
    code(gone.map(|_| ()).ok_or(Code::InvalidParameter))
}

/// Registers memory: from now on its pages are those of the file of this process. What other
/// threads write to these pages meanwhile may be lost.
#[unsafe(no_mangle)]
extern "C" fn GNI_MemRegister(
    nic: usize,
    address: u64,
    length: u64,
    queue: usize,
    _flags: u32,
    _index: u32,
    handle: *mut MemoryHandle,
) -> c_int {
    let register = || {
        let mut state = state();
        let nic = state.nics.get(nic).ok_or(Code::InvalidParameter)?;
        let end = address
            .checked_add(length)
            .filter(|&end| end <= ADDRESSES - PAGE);
        let end = end.ok_or(Code::InvalidParameter)?;
        if address == 0 || length == 0 {
            return Err(Code::InvalidParameter);
        }
        if queue != 0 {
            return Err(Code::IllegalOperation); // events of the other side are not emulated
        }
        // We do not remember it ourselves: a program may unmap what it had registered.
        let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| Code::ErrorResource)?;
        let shared = mapped(&maps, &format!(" {}", nic.path));
        let pages = AddressRange {
            start: address / PAGE * PAGE,
            end: end.next_multiple_of(PAGE),
        };
        for private in pages.without(shared) {
            // SAFETY: these are whole pages of memory that the program promises to be mapped, to be
            // its own, and not to be written by other threads during this call.
            unsafe { map_shared_pages(&nic.file, private) }?;
        }
        give(
            handle,
            MemoryHandle {
                start: address,
                length,
            },
        )
    };
    code(register())
}

/// Replaces pages by a mapping of the file at their own addresses, with the same bytes.
///
/// # Safety
///
/// `pages` are whole pages that are mapped readable and writable, that belong to the program and
/// not to this library, and that no other thread writes meanwhile.
unsafe fn map_shared_pages(file: &File, pages: AddressRange) -> Result<(), Code> {
    let start: *mut c_void = pointer(pages.start);
    let bytes = usize::try_from(pages.end - pages.start).map_err(|_| Code::SizeError)?;
    // SAFETY: the pages are mapped readable and nobody writes them meanwhile, as the caller
    // promises; any bits are bytes. The slice is not used when the pages are replaced.
    let content = unsafe { slice::from_raw_parts(start.cast(), bytes) };
    write_pages(file, content, pages.start)?;
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_SHARED | libc::MAP_FIXED,
    );
    let offset = libc::off_t::try_from(pages.start).map_err(|_| Code::InvalidParameter)?;
    // SAFETY: what is mapped over are the program's own pages, as the caller promises, and the file
    // has the same bytes at this offset: they were just written there. For whoever has a pointer to
    // these pages nothing changes; this library has no reference to them.
    let mapped = unsafe { libc::mmap(start, bytes, access, kind, file.as_raw_fd(), offset) };
    if mapped == libc::MAP_FAILED {
        Err(Code::ErrorResource)
    } else {
        Ok(())
    }
}

/// Writes the pages that differ from those of the file: empty ones take no room there.
fn write_pages(file: &File, bytes: &[u8], start: u64) -> Result<(), Code> {
    let mut in_file = [0; PAGE_BYTES];
    let mut address = start;
    for page in bytes.chunks(in_file.len()) {
        let in_file = &mut in_file[..page.len()];
        file.read_exact_at(in_file, address)
            .map_err(|_| Code::ErrorResource)?;
        if page != in_file {
            write(file, page, address)?;
        }
        address += PAGE;
    }
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn GNI_MemDeregister(nic: usize, handle: *mut MemoryHandle) -> c_int {
    // Pages stay shared: others of the same pages may be registered.
    let known = state()
        .nics
        .get(nic)
        .map(|_| ())
        .ok_or(Code::InvalidParameter);
    code(known.and_then(|()| give(handle, MemoryHandle::default())))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_PostFma(endpoint: usize, descriptor: *mut PostDescriptor) -> c_int {
    code(post(endpoint, descriptor, Kind::of_fma, false))
}

#[unsafe(no_mangle)]
extern "C" fn GNI_PostRdma(endpoint: usize, descriptor: *mut PostDescriptor) -> c_int {
    code(post(endpoint, descriptor, Kind::of_rdma, false))
}

/// Posts a chain: mode, events and id are those of the first descriptor.
#[unsafe(no_mangle)]
extern "C" fn GNI_CtPostFma(endpoint: usize, descriptor: *mut PostDescriptor) -> c_int {
    code(post(endpoint, descriptor, Kind::of_fma, true))
}

fn post(
    endpoint: usize,
    head: *mut PostDescriptor,
    kind_of: fn(u32) -> Option<Kind>,
    is_chain: bool,
) -> Result<(), Code> {
    if head.is_null() {
        return Err(Code::InvalidParameter);
    }
    // SAFETY: the pointer is not null, and the program promises a descriptor there, which nobody
    // writes during the call; it is plain data, of the layout that `abi.rs` asserts.
    let first = unsafe { &*head };
    let kind = kind_of(first.kind).ok_or(Code::IllegalOperation)?;
    let mode = mode_index(first.delivery_mode, !is_chain)?;
    let mut state = state();
    let queue = state.queue_with_room(endpoint, first.cq_mode & (CQ_LOCAL | CQ_GLOBAL) != 0)?;
    let found = state
        .endpoints
        .get(endpoint)
        .ok_or(Code::InvalidParameter)?;
    let peer = Arc::clone(found.peer.as_ref().ok_or(Code::InvalidState)?);
    let mut bytes = 0_u64;
    let mut next = head;
    while !next.is_null() {
        // SAFETY: the pointer is the first one, or that of a descriptor of a chain to the next one:
        // the program promises a descriptor there, and that the last one has null.
        let part = unsafe { &*next };
        transfer(kind, part, &peer)?;
        bytes = bytes.saturating_add(part.length);
        next = if is_chain { part.next } else { ptr::null_mut() };
    }
    let due = count_message(&mut state, mode, bytes, kind == Kind::Get);
    if let Some(queue) = queue.and_then(|handle| state.queues.get(handle)) {
        queue.push(due, Event::Post(head.expose_provenance() as u64));
    }
    // SAFETY: as for `first`; the program promises that the descriptor may be written until the
    // call returns, and the references `first` and `part` are not used any more.
    unsafe { (&raw mut (*head).status).write(0) };
    Ok(())
}

fn transfer(kind: Kind, part: &PostDescriptor, peer: &File) -> Result<(), Code> {
    if !part.remote_handle.holds(part.remote_address, part.length) {
        return Err(Code::PermissionError);
    }
    let bytes = usize::try_from(part.length).map_err(|_| Code::SizeError)?;
    let local: *mut u8 = pointer(part.local_address);
    if local.is_null() && bytes > 0 || kind == Kind::Get && bytes == 0 {
        return Err(Code::InvalidParameter);
    }
    if bytes > 0 && kind == Kind::Get {
        // SAFETY: the address is not null, and the program promises so many bytes there, which
        // nobody else uses before the transfer is complete; any bits are bytes.
        let target = unsafe { slice::from_raw_parts_mut(local, bytes) };
        peer.read_exact_at(target, part.remote_address)
            .map_err(|_| Code::TransactionError)?;
    } else if bytes > 0 {
        // SAFETY: the address is not null, and the program promises so many bytes there, which
        // nobody writes before the transfer is complete; any bits are bytes.
        let source = unsafe { slice::from_raw_parts(local, bytes) };
        write(peer, source, part.remote_address)?;
    }
    if kind == Kind::PutWithFlag {
        if !part.remote_handle.holds(part.flag_address, 8) {
            return Err(Code::PermissionError);
        }
        write(peer, &part.flag_value.to_ne_bytes(), part.flag_address)?;
    }
    Ok(())
}

/// Counts a message that leaves, and says when it is complete.
fn count_message(state: &mut State, mode: usize, bytes: u64, is_get: bool) -> u64 {
    let number = state.messages;
    state.messages += 1;
    state.by_mode[mode] += 1;
    let Some(model) = &state.model else { return 0 };
    let drawn = model.draw(number, MODES[mode].0, bytes, is_get);
    COUNTERS.add(&drawn);
    if state.is_paced {
        now_ns().saturating_add(drawn.time_ns)
    } else {
        0
    }
}

/// A counter by its name on Aries; 0 if there is one.
#[unsafe(no_mangle)]
extern "C" fn odonata_ugni_counter(name: *const c_char, value: *mut u64) -> c_int {
    if name.is_null() {
        return -1;
    }
    // SAFETY: the pointer is not null, and the program promises a C string there.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let Some(index) = NAMES.iter().position(|known| known.as_bytes() == name) else {
        return -1;
    };
    if give(value, COUNTERS.values()[index]).is_ok() {
        0
    } else {
        -1
    }
}

/// Sets all counters to 0, as a monitoring daemon of the machine may.
#[unsafe(no_mangle)]
extern "C" fn odonata_ugni_reset_counters() {
    COUNTERS.reset();
}

/// Messages sent with a delivery mode.
#[unsafe(no_mangle)]
extern "C" fn odonata_ugni_sent(mode: u16) -> u64 {
    mode_index(mode, false).map_or(0, |index| state().by_mode[index])
}
