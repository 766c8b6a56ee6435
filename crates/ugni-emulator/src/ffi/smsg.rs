//! Small messages: mailboxes in registered memory.

use std::ffi::{c_int, c_void};
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{code, count_message, give, pointer, state};
use crate::abi::{Code, SmsgAttributes};
use crate::queue::Event;
use crate::state::{Mailbox, SLOT_HEAD, mode_index, write};

const ANY_TAG: u8 = 0xff;

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgSetDeliveryMode(nic: usize, mode: u16) -> c_int {
    let mut state = state();
    let set = mode_index(mode, false).and_then(|_| {
        let nic = state.nics.get(nic).ok_or(Code::InvalidParameter)?;
        nic.smsg_mode = mode;
        Ok(())
    });
    code(set)
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgBufferSizeNeeded(
    attributes: *const SmsgAttributes,
    bytes: *mut u32,
) -> c_int {
    if attributes.is_null() {
        return Code::InvalidParameter as c_int;
    }
    // SAFETY: the pointer is not null, and the program promises attributes there; they are plain
    // data, of the layout that C gives them.
    let needed = u32::try_from(unsafe { &*attributes }.needed());
    code(
        needed
            .map_err(|_| Code::SizeError)
            .and_then(|needed| give(bytes, needed)),
    )
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgInit(
    endpoint: usize,
    local: *const SmsgAttributes,
    remote: *const SmsgAttributes,
) -> c_int {
    if local.is_null() || remote.is_null() {
        return Code::InvalidParameter as c_int;
    }
    // SAFETY: neither pointer is null, and the program promises attributes there; they are plain
    // data, of the layout that C gives them.
    let (local, remote) = unsafe { (*local, *remote) };
    let mut state = state();
    let Some(found) = state.endpoints.get(endpoint) else {
        return Code::InvalidParameter as c_int;
    };
    if !local.is_possible() || !remote.is_possible() {
        return Code::InvalidParameter as c_int;
    }
    found.mailbox = Some(Mailbox {
        local,
        remote,
        sent: 0,
        received: 0,
        released: 0,
    });
    Code::Success as c_int
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgSend(
    endpoint: usize,
    header: *const c_void,
    header_bytes: u32,
    data: *const c_void,
    data_bytes: u32,
    number: u32,
) -> c_int {
    GNI_SmsgSendWTag(endpoint, header, header_bytes, data, data_bytes, number, 0)
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgSendWTag(
    endpoint: usize,
    header: *const c_void,
    header_bytes: u32,
    data: *const c_void,
    data_bytes: u32,
    number: u32,
    tag: u8,
) -> c_int {
    let part = |start: *const c_void, bytes: u32| -> &[u8] {
        if start.is_null() || bytes == 0 {
            return &[];
        }
        // SAFETY: the pointer is not null, and the program promises so many bytes there, which
        // nobody writes during the call; any bits are bytes. The slice is copied before the call
        // returns.
        unsafe { slice::from_raw_parts(start.cast(), bytes as usize) }
    };
    let message = [part(header, header_bytes), part(data, data_bytes)].concat();
    let head = MessageHead {
        header_bytes,
        data_bytes,
        tag,
    };
    code(send(endpoint, &message, head, number))
}

/// What stands in front of a message in its slot, behind its number.
struct MessageHead {
    header_bytes: u32,
    data_bytes: u32,
    tag: u8,
}

fn send(endpoint: usize, message: &[u8], head: MessageHead, number: u32) -> Result<(), Code> {
    let mut state = state();
    let queue = state.queue_with_room(endpoint, true)?;
    let found = state
        .endpoints
        .get(endpoint)
        .ok_or(Code::InvalidParameter)?;
    let peer = Arc::clone(found.peer.as_ref().ok_or(Code::InvalidState)?);
    let nic = found.nic;
    let mailbox = found.mailbox.as_mut().ok_or(Code::InvalidState)?;
    if message.len() > mailbox.remote.largest as usize {
        return Err(Code::SizeError);
    }
    // SAFETY: the mailbox was possible when it was given, so that this is its first word.
    let released = unsafe { load(mailbox.local.base()) };
    if mailbox.sent - released >= u64::from(mailbox.remote.credits) {
        return Err(Code::NotDone);
    }
    let slot = mailbox.remote.slot(mailbox.sent);
    mailbox.sent += 1;
    let full = mailbox.sent;
    let head = [head.header_bytes, head.data_bytes, head.tag.into()];
    let mut bytes: Vec<u8> = head.iter().flat_map(|word| word.to_ne_bytes()).collect();
    bytes.resize(16, 0);
    bytes.extend(message);
    write(&peer, &bytes, slot + 8)?;
    // The number of the message is last: who sees it sees the message.
    write(&peer, &full.to_ne_bytes(), slot)?;
    let mode = state.nics.get(nic).ok_or(Code::InvalidState)?.smsg_mode;
    let due = count_message(
        &mut state,
        mode_index(mode, false)?,
        message.len() as u64,
        false,
    );
    if let Some(queue) = queue.and_then(|handle| state.queues.get(handle)) {
        queue.push(due, Event::Message(number));
    }
    Ok(())
}

/// A word of a mailbox of this process, which another one writes.
///
/// # Safety
///
/// `address` is that of an aligned word in the local mailbox of an endpoint.
unsafe fn load(address: u64) -> u64 {
    let word: *mut u64 = pointer(address);
    // SAFETY: the word is aligned, as the caller promises, and lies in a mailbox, memory that the
    // program promises to keep registered, and so mapped, as long as it uses the endpoint. Others
    // write it meanwhile: the other process by `pwrite`, whose words are stored at once, and nobody
    // in this process otherwise than through atomics.
    unsafe { AtomicU64::from_ptr(word) }.load(Ordering::Acquire)
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgGetNext(endpoint: usize, header: *mut *mut c_void) -> c_int {
    let mut tag = ANY_TAG;
    GNI_SmsgGetNextWTag(endpoint, header, &raw mut tag)
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgGetNextWTag(
    endpoint: usize,
    header: *mut *mut c_void,
    tag: *mut u8,
) -> c_int {
    let next = || {
        let mut state = state();
        let found = state
            .endpoints
            .get(endpoint)
            .ok_or(Code::InvalidParameter)?;
        let mailbox = found.mailbox.as_mut().ok_or(Code::InvalidState)?;
        if tag.is_null() {
            return Err(Code::InvalidParameter);
        }
        let slot = mailbox.local.slot(mailbox.received);
        // SAFETY: the mailbox was possible when it was given, and slots begin at words of it.
        if unsafe { load(slot) } != mailbox.received + 1 {
            return Err(Code::NotDone);
        }
        // SAFETY: the pointer is not null, and the program promises a tag there.
        let wanted = unsafe { *tag };
        // SAFETY: this is the third word of the slot.
        let found_tag = unsafe { load(slot + 16) }.to_ne_bytes()[0];
        give(tag, found_tag)?;
        if wanted != ANY_TAG && wanted != found_tag {
            return Err(Code::NoMatch);
        }
        mailbox.received += 1;
        give(header, pointer(slot + SLOT_HEAD))
    };
    code(next())
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn GNI_SmsgRelease(endpoint: usize) -> c_int {
    let release = || {
        let mut state = state();
        let found = state
            .endpoints
            .get(endpoint)
            .ok_or(Code::InvalidParameter)?;
        let peer = Arc::clone(found.peer.as_ref().ok_or(Code::InvalidState)?);
        let mailbox = found.mailbox.as_mut().ok_or(Code::InvalidState)?;
        if mailbox.released == mailbox.received {
            return Err(Code::InvalidState);
        }
        mailbox.released += 1;
        write(
            &peer,
            &mailbox.released.to_ne_bytes(),
            mailbox.remote.base(),
        )
    };
    code(release())
}
