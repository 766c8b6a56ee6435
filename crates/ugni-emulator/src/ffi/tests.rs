//! A program in Rust over the exported functions: what they do with its pointers, for Miri, too.
//! Registered memory needs a mapping at a fixed address, which Miri has not: there the memory of
//! the other side is only in its file. `crates/aries-preload/tests/programs/semantics.c` has both.

use super::smsg::*;
use super::*;
use crate::abi::SmsgAttributes;

const SUCCESS: c_int = Code::Success as c_int;

/// One process that sends to itself.
struct Process {
    domain: usize,
    queue: usize,
    endpoint: usize,
}

impl Process {
    fn new(cookie: u32) -> Self {
        let (mut domain, mut nic, mut queue, mut endpoint) = (0, 0, 0, 0);
        let mut address = 0;
        assert_eq!(GNI_CdmCreate(7, 0, cookie, 0, &raw mut domain), SUCCESS);
        assert_eq!(
            GNI_CdmAttach(domain, 0, &raw mut address, &raw mut nic),
            SUCCESS
        );
        assert_eq!(address, 7);
        let none = ptr::null();
        assert_eq!(
            GNI_CqCreate(nic, 8, 0, 0, none, none, &raw mut queue),
            SUCCESS
        );
        assert_eq!(GNI_EpCreate(nic, queue, &raw mut endpoint), SUCCESS);
        assert_eq!(GNI_EpBind(endpoint, 0, 7), SUCCESS);
        Self {
            domain,
            queue,
            endpoint,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        assert_eq!(GNI_CdmDestroy(self.domain), SUCCESS);
    }
}

/// A cookie that no other process of this machine has.
fn cookie(test: u32) -> u32 {
    std::process::id() % 100_000_000 * 10 + test
}

fn descriptor(kind: u32, local: *mut u8, length: u64) -> PostDescriptor {
    // SAFETY: the descriptor is plain data, for which all zeros are a value: numbers and null.
    let zero: PostDescriptor = unsafe { std::mem::zeroed() };
    PostDescriptor {
        kind,
        cq_mode: CQ_GLOBAL,
        local_address: local.expose_provenance() as u64,
        remote_address: 1 << 32,
        remote_handle: MemoryHandle {
            start: 1 << 32,
            length: 4_096,
        },
        length,
        ..zero
    }
}

#[test]
fn data_go_to_the_other_side_and_come_back() {
    let process = Process::new(cookie(1));
    let (mut sent, mut received) = (*b"dragonfly network", [0; 17]);
    let mut put = descriptor(3, sent.as_mut_ptr(), 17);
    let mut get = descriptor(2, received.as_mut_ptr(), 17);
    assert_eq!(GNI_PostFma(process.endpoint, &raw mut put), SUCCESS);
    assert_eq!(GNI_PostRdma(process.endpoint, &raw mut get), SUCCESS);
    assert_eq!(received, sent);
    for posted in [&raw mut put, &raw mut get] {
        let (mut event, mut done) = (0, ptr::null_mut());
        assert_eq!(GNI_CqGetEvent(process.queue, &raw mut event), SUCCESS);
        assert_eq!(
            GNI_GetCompleted(process.queue, event, &raw mut done),
            SUCCESS
        );
        assert_eq!(done, posted);
    }
    let outside = Code::PermissionError as c_int;
    put.remote_address += 4_090;
    assert_eq!(GNI_PostFma(process.endpoint, &raw mut put), outside);
    assert_eq!(GNI_PostFma(process.endpoint, ptr::null_mut()), 2);
}

#[test]
fn parts_of_a_chain_arrive() {
    let process = Process::new(cookie(2));
    let (mut low, mut high, mut received) = ([1_u8; 8], [2_u8; 8], [0_u8; 16]);
    let mut second = descriptor(3, high.as_mut_ptr(), 8);
    second.remote_address += 8;
    let mut first = descriptor(3, low.as_mut_ptr(), 8);
    first.next = &raw mut second;
    first.status = 9;
    assert_eq!(GNI_CtPostFma(process.endpoint, &raw mut first), SUCCESS);
    assert_eq!(first.status, 0);
    let mut get = descriptor(2, received.as_mut_ptr(), 16);
    assert_eq!(GNI_PostRdma(process.endpoint, &raw mut get), SUCCESS);
    assert_eq!(
        (received[0], received[7], received[8], received[15]),
        (1, 1, 2, 2)
    );
}

#[test]
fn a_small_message_is_read_where_it_lies() {
    let process = Process::new(cookie(3));
    // Two slots of 24 + 32 bytes behind 64 of the head, in words.
    let mut words = [0_u64; 22];
    let start = words.as_mut_ptr().expose_provenance() as u64;
    let mut attributes = SmsgAttributes {
        buffer: start,
        handle: MemoryHandle {
            start,
            length: 22 * 8,
        },
        credits: 2,
        largest: 32,
        ..SmsgAttributes::default()
    };
    let (mut needed, mailbox) = (0, &raw const attributes);
    assert_eq!(GNI_SmsgBufferSizeNeeded(mailbox, &raw mut needed), SUCCESS);
    assert_eq!(needed, 22 * 8);
    assert_eq!(GNI_SmsgInit(process.endpoint, mailbox, mailbox), SUCCESS);
    let text = *b"abcd";
    let data = text.as_ptr().cast();
    assert_eq!(
        GNI_SmsgSendWTag(process.endpoint, data, 2, data, 4, 5, 3),
        SUCCESS
    );
    let (mut tag, mut header) = (3, ptr::null_mut());
    let next = |header: &mut *mut c_void, tag: &mut u8| {
        GNI_SmsgGetNextWTag(process.endpoint, &raw mut *header, &raw mut *tag)
    };
    assert_eq!(next(&mut header, &mut tag), Code::NotDone as c_int);
    // What registered memory does by itself: the mailbox has what is in its file.
    let mut file = File::options();
    let file = file.read(true).open(path_of(cookie(3), 7)).unwrap();
    let mut bytes = [0; 22 * 8];
    file.read_exact_at(&mut bytes, start).unwrap();
    for (index, word) in bytes.chunks(8).enumerate() {
        let word = u64::from_ne_bytes(word.try_into().unwrap());
        // SAFETY: the index is below 22; the address is that of `words`, which live.
        unsafe { pointer::<u64>(start).add(index).write(word) };
    }
    assert_eq!(next(&mut header, &mut tag), SUCCESS);
    // SAFETY: the header lies in the mailbox, which lives: 2 bytes, and 4 of data behind them.
    let found = unsafe { slice::from_raw_parts(header.cast::<u8>(), 6) };
    assert_eq!(found, b"ababcd");
    assert_eq!(GNI_SmsgRelease(process.endpoint), SUCCESS);
    attributes.offset = 4;
    attributes.handle.length += 8;
    let mailbox = &raw const attributes;
    assert_eq!(GNI_SmsgInit(process.endpoint, mailbox, mailbox), 2);
}

#[cfg(not(miri))]
#[test]
fn memory_that_is_registered_is_that_of_the_file() {
    let process = Process::new(cookie(4));
    let nic = state().domains.get(process.domain).unwrap().nic.unwrap();
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    );
    // SAFETY: new pages are mapped, where there was nothing.
    let page = unsafe { libc::mmap(ptr::null_mut(), 2 * PAGE_BYTES, access, kind, -1, 0) };
    assert_ne!(page, libc::MAP_FAILED);
    let bytes: *mut u8 = page.cast();
    // SAFETY: the pages are ours.
    unsafe { bytes.add(5_000).write(42) };
    let mut handle = MemoryHandle::default();
    let address = page.expose_provenance() as u64;
    let length = 2 * PAGE;
    let registered = GNI_MemRegister(nic, address, length, 0, 0, 0, &raw mut handle);
    assert_eq!((registered, handle.start), (SUCCESS, address));
    // SAFETY: as above; they have the same bytes.
    assert_eq!(unsafe { bytes.add(5_000).read() }, 42);
    let mut text = *b"written";
    let mut put = PostDescriptor {
        remote_address: address + 100,
        remote_handle: handle,
        ..descriptor(1, text.as_mut_ptr(), 7)
    };
    assert_eq!(GNI_PostRdma(process.endpoint, &raw mut put), SUCCESS);
    // SAFETY: the pages are ours, and nobody writes them now.
    let found = unsafe { slice::from_raw_parts(bytes.add(100), 7) };
    assert_eq!(found, text);
    // SAFETY: the pages are ours; nothing refers to them any more.
    assert_eq!(unsafe { libc::munmap(page, 2 * PAGE_BYTES) }, 0);
}

#[test]
fn counters_are_found_by_name() {
    let mut value = u64::MAX;
    let name = c"AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS".as_ptr();
    assert_eq!(odonata_ugni_counter(name, &raw mut value), 0);
    assert!(value < u64::MAX);
    assert_eq!(odonata_ugni_counter(name, ptr::null_mut()), -1);
    assert_eq!(odonata_ugni_counter(c"FLITS".as_ptr(), &raw mut value), -1);
    assert_eq!(odonata_ugni_counter(ptr::null(), &raw mut value), -1);
}
