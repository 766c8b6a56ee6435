//! What a process has: communication domains, endpoints, queues, mailboxes.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use crate::abi::{Code, MODES, MemoryHandle, ORDERED_TAIL, SmsgAttributes};
use crate::queue::Queue;
use crate::traffic::Model;

/// The kind of thing that a handle stands for, in its upper half: a program cannot take one for
/// another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleKind {
    Domain = 0x11,
    Nic = 0x12,
    Endpoint = 0x13,
    Queue = 0x14,
}

/// Things of one kind by handle.
#[derive(Debug)]
pub(crate) struct Table<T> {
    of: HandleKind,
    items: Vec<Option<T>>,
}

impl<T> Table<T> {
    const fn new(of: HandleKind) -> Self {
        Self {
            of,
            items: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, item: T) -> usize {
        self.items.push(Some(item));
        (self.of as usize) << 32 | self.items.len()
    }

    fn index(&self, handle: usize) -> Option<usize> {
        let index = (handle & 0xffff_ffff).checked_sub(1)?;
        (handle >> 32 == self.of as usize).then_some(index)
    }

    pub(crate) fn get(&mut self, handle: usize) -> Option<&mut T> {
        let index = self.index(handle)?;
        self.items.get_mut(index)?.as_mut()
    }

    pub(crate) fn remove(&mut self, handle: usize) -> Option<T> {
        let index = self.index(handle)?;
        self.items.get_mut(index)?.take()
    }
}

/// A communication domain; it has one NIC at most.
#[derive(Debug)]
pub(crate) struct Domain {
    pub(crate) instance: u32,
    pub(crate) cookie: u32,
    pub(crate) nic: Option<usize>,
}

/// A NIC: the file in which this process shares its memory.
#[derive(Debug)]
pub(crate) struct Nic {
    pub(crate) file: Arc<File>,
    pub(crate) path: String,
    pub(crate) cookie: u32,
    pub(crate) smsg_mode: u16,
}

/// An endpoint, bound to another process or not yet.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) nic: usize,
    pub(crate) queue: Option<usize>,
    pub(crate) peer: Option<Arc<File>>,
    pub(crate) mailbox: Option<Mailbox>,
}

/// Both ends of a pair of mailboxes, as one process sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mailbox {
    pub(crate) local: SmsgAttributes,
    pub(crate) remote: SmsgAttributes,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) released: u64,
}

/// Bytes in front of the slots, which say how many messages the other side has released.
const MAILBOX_HEAD: u64 = 64;
/// Bytes in front of a message: its number from 1, bytes of header and data, tag.
pub(crate) const SLOT_HEAD: u64 = 24;

impl SmsgAttributes {
    /// Bytes that the mailbox needs.
    pub(crate) fn needed(&self) -> u64 {
        MAILBOX_HEAD + u64::from(self.credits) * self.slot_bytes()
    }

    fn slot_bytes(&self) -> u64 {
        SLOT_HEAD + u64::from(self.largest).next_multiple_of(8)
    }

    /// Where the mailbox begins.
    pub(crate) fn base(&self) -> u64 {
        self.buffer.wrapping_add(u64::from(self.offset))
    }

    /// Where the slot of message `number` (from 0) begins.
    pub(crate) fn slot(&self, number: u64) -> u64 {
        self.base() + MAILBOX_HEAD + number % u64::from(self.credits) * self.slot_bytes()
    }

    /// Whether the whole mailbox lies in the memory that it names as registered, and its words of 8
    /// bytes where a processor reads them at once.
    pub(crate) fn is_possible(&self) -> bool {
        let is_aligned = self.base().is_multiple_of(8);
        self.credits > 0 && is_aligned && self.handle.holds(self.base(), self.needed())
    }
}

impl MemoryHandle {
    /// Whether all of these bytes are registered.
    pub(crate) fn holds(&self, address: u64, bytes: u64) -> bool {
        let Some(before) = address.checked_sub(self.start) else {
            return false;
        };
        before
            .checked_add(bytes)
            .is_some_and(|end| end <= self.length)
    }
}

/// What this process has of the emulated network.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) domains: Table<Domain>,
    pub(crate) nics: Table<Nic>,
    pub(crate) endpoints: Table<Endpoint>,
    pub(crate) queues: Table<Queue>,
    pub(crate) model: Option<Model>,
    /// Whether events are due when the model says.
    pub(crate) is_paced: bool,
    /// Messages sent, and by mode in the order of [`MODES`].
    pub(crate) messages: u64,
    pub(crate) by_mode: [u64; MODES.len()],
}

impl State {
    pub(crate) const fn new() -> Self {
        Self {
            domains: Table::new(HandleKind::Domain),
            nics: Table::new(HandleKind::Nic),
            endpoints: Table::new(HandleKind::Endpoint),
            queues: Table::new(HandleKind::Queue),
            model: None,
            is_paced: false,
            messages: 0,
            by_mode: [0; MODES.len()],
        }
    }

    /// The queue of an endpoint, if its events are wanted and it has room.
    pub(crate) fn queue_with_room(
        &mut self,
        endpoint: usize,
        is_wanted: bool,
    ) -> Result<Option<usize>, Code> {
        let endpoint = self.endpoints.get(endpoint).ok_or(Code::InvalidParameter)?;
        let Some(handle) = endpoint.queue.filter(|_| is_wanted) else {
            return Ok(None);
        };
        let queue = self.queues.get(handle).ok_or(Code::InvalidState)?;
        if queue.has_room() {
            Ok(Some(handle))
        } else {
            Err(Code::ErrorResource)
        }
    }
}

/// Addresses from `start` on and below `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct AddressRange {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl AddressRange {
    /// The parts of this range that are in none of some ranges, which are apart from each other.
    pub(crate) fn without(self, mut ranges: Vec<Self>) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut start = self.start;
        ranges.sort_unstable();
        for range in ranges {
            if range.end <= start || range.start >= self.end {
                continue;
            }
            if range.start > start {
                let end = range.start;
                parts.push(Self { start, end });
            }
            start = start.max(range.end);
        }
        if start < self.end {
            let end = self.end;
            parts.push(Self { start, end });
        }
        parts
    }
}

/// Where a file is mapped, by a text in the form of `/proc/self/maps`.
pub(crate) fn mapped(maps: &str, file: &str) -> Vec<AddressRange> {
    let of_file = maps.lines().filter(|line| line.ends_with(file));
    let range = |line: &str| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let address = |text| u64::from_str_radix(text, 16).ok();
        Some(AddressRange {
            start: address(start)?,
            end: address(end)?,
        })
    };
    of_file.filter_map(range).collect()
}

/// The index of a delivery mode in [`MODES`].
pub(crate) fn mode_index(mode: u16, tail_allowed: bool) -> Result<usize, Code> {
    let plain = mode & !ORDERED_TAIL;
    if plain != mode && !tail_allowed {
        return Err(Code::InvalidParameter);
    }
    let known = MODES.iter().position(|&(value, _)| value == plain);
    known.ok_or(Code::InvalidParameter)
}

/// Writes to the memory of another process.
pub(crate) fn write(file: &File, bytes: &[u8], address: u64) -> Result<(), Code> {
    file.write_all_at(bytes, address)
        .map_err(|_| Code::TransactionError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_of_one_kind_and_die() {
        let mut state = State::new();
        let domain = Domain {
            instance: 0,
            cookie: 1,
            nic: None,
        };
        let domain = state.domains.add(domain);
        let queue = state.queues.add(Queue::new(4));
        assert!(state.domains.get(queue).is_none() && state.queues.get(domain).is_none());
        assert!(state.queues.get(0).is_none() && state.queues.get(queue + 1).is_none());
        assert!(state.queues.remove(queue).is_some() && state.queues.get(queue).is_none());
    }

    #[test]
    fn what_is_mapped_is_found_and_the_rest_is_shared() {
        let maps = "10-20 rw-s 00000010 00:17 3 /dev/shm/a-1\n\
                    30-40 rw-s 00000030 00:17 3 /dev/shm/a-1\n\
                    50-60 rw-p 00000000 00:00 0\n\
                    60-70 rw-s 00000060 00:17 4 /dev/shm/a-12\n";
        let range = |start, end| AddressRange { start, end };
        let found = mapped(maps, " /dev/shm/a-1");
        assert_eq!(found, [range(0x10, 0x20), range(0x30, 0x40)]);
        assert_eq!(
            range(5, 0x45).without(found.clone()),
            [range(5, 0x10), range(0x20, 0x30), range(0x40, 0x45)]
        );
        assert!(range(0x12, 0x20).without(found.clone()).is_empty());
        assert_eq!(range(0x50, 0x60).without(found), [range(0x50, 0x60)]);
    }

    #[test]
    fn modes_are_known_and_the_tail_is_a_flag() {
        assert_eq!(mode_index(0x80, false), Ok(3));
        assert_eq!(mode_index(0x103, true), Ok(4));
        assert_eq!(mode_index(0x100, false), Err(Code::InvalidParameter));
        assert_eq!(mode_index(0x81, true), Err(Code::InvalidParameter));
    }

    #[test]
    fn ranges_do_not_wrap() {
        let handle = MemoryHandle {
            start: 100,
            length: 50,
        };
        assert!(handle.holds(100, 50) && handle.holds(150, 0));
        assert!(!handle.holds(99, 1) && !handle.holds(149, 2) && !handle.holds(120, u64::MAX));
    }
}
