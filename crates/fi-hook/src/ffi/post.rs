//! Posts: sends, tagged sends, reads and writes of remote memory.
//!
//! Calls are forwarded as nine words ([`PostFn`]), with another endpoint as the first one.

use std::sync::atomic::Ordering;

use odonata_interpose::{INSIDE, Verdict, Within, depth};
use odonata_policy::{Mode, Operation};

use super::abi::{
    EAGAIN, EINVAL, FI_CXI_WEAK_FENCE, FI_FENCE, FI_MORE, FI_MULTICAST, FI_TRIGGER, INJECT,
    INJECTDATA, Msg, OF_PROVIDERS, Object, PostFn, READ, READMSG, READV, SEND, SENDDATA, SENDMSG,
    SENDV, WRITE, WRITEDATA, WRITEMSG, WRITEV, kind,
};
use super::endpoint::{Endpoint, Family, Kind, OrderRule, find};
use super::life::{self, LIFE};
use super::table::{Slot, Table};
use crate::classes::packets;
use crate::counts::{COUNTS, LeftAlone};
use crate::lane::PostTarget;
use crate::order::{Assignment, Preference};

/// The words that follow the endpoint.
type Words = [usize; 8];

/// Where the words of a call have what is needed; the first word follows the endpoint.
#[derive(Clone, Copy)]
enum Arguments {
    /// A buffer: the words that hold its length and the destination.
    Flat { length: usize, destination: usize },
    /// An array of buffers: the words that hold its address, its length, and the destination.
    Vector {
        buffers: usize,
        count: usize,
        destination: usize,
    },
    /// A message at the address in the first word, and flags in the second one.
    Message,
}

/// Access of a post to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// It sends to a receive.
    Send,
    /// It reads remote memory.
    Read,
    /// It writes remote memory.
    Write,
}

/// One function of libfabric that posts messages.
struct PostCall {
    family: Family,
    slot: Slot<kind::Transfers, PostFn>,
    access: Access,
    arguments: Arguments,
}

/// A message that is about to be posted.
struct Post {
    operation: Operation,
    is_memory: bool,
    bytes: u64,
    destination: u64,
    flags: u64,
}

/// Flags under which a message is not for an alias: a group, or what only a provider knows.
const SPECIAL: u64 = FI_MULTICAST | FI_TRIGGER | FI_FENCE | OF_PROVIDERS;

/// `FI_MORE` as a word.
const MORE: usize = 1 << FI_MORE.trailing_zeros();

/// Most buffers of a message that are looked at; libfabric has far fewer.
const BUFFERS_MAX: usize = 256;

fn post(post_call: &PostCall, own: Object, mut words: Words) -> isize {
    let Some(endpoint) = find(own) else {
        return EINVAL as isize;
    };
    let Some(real) = endpoint.real(post_call.family, &post_call.slot) else {
        return EINVAL as isize;
    };
    let call = |object: Object, words: Words| {
        let [a, b, c, d, e, f, g, h] = words;
        real(object, a, b, c, d, e, f, g, h)
    };
    if depth(&INSIDE) > 0 {
        LeftAlone::Inside.count();
        return call(own, words);
    }
    if LIFE.is_forked() {
        return call(own, words);
    }
    // SAFETY: the program has called this function of libfabric with these words.
    let post = unsafe { post_call.read(&words) };
    if matches!(post_call.arguments, Arguments::Message) {
        // It is a hint to wait for the next message, which may have another target.
        words[1] &= !MORE;
    }
    steer(endpoint, own, &post, |object| call(object, words))
}

impl PostCall {
    /// What a call sends, and where to.
    ///
    /// # Safety
    ///
    /// `words` are the arguments, behind the endpoint, of a call of this function by a program that
    /// keeps to libfabric's rules.
    unsafe fn read(&self, words: &Words) -> Post {
        let (bytes, destination, flags) = match self.arguments {
            Arguments::Flat {
                length,
                destination,
            } => (words[length] as u64, words[destination] as u64, 0),
            Arguments::Vector {
                buffers,
                count,
                destination,
            } => {
                let buffers = std::ptr::with_exposed_provenance(words[buffers]);
                // SAFETY: the program gives an array of as many buffers as it says, or null.
                let bytes = unsafe { sum(buffers, words[count]) };
                (bytes, words[destination] as u64, 0)
            }
            Arguments::Message => {
                let message: *const Msg = std::ptr::with_exposed_provenance(words[0]);
                // SAFETY: the program gives the address of a message, which it does not change
                // during the call, or null.
                let (bytes, destination) = match unsafe { message.as_ref() } {
                    // SAFETY: a message has an array of as many buffers as it says, or null.
                    Some(message) => (unsafe { sum(message.iov, message.iov_count) }, message.addr),
                    None => (0, 0),
                };
                (bytes, destination, words[1] as u64)
            }
        };
        Post {
            operation: match self.access {
                Access::Read => Operation::Get,
                Access::Send | Access::Write => Operation::Put,
            },
            is_memory: self.access != Access::Send,
            bytes,
            destination,
            flags,
        }
    }
}

/// Bytes of buffers.
///
/// # Safety
///
/// `buffers` is an array of `count` of them that does not change during the call, or null.
unsafe fn sum(buffers: *const libc::iovec, count: usize) -> u64 {
    if buffers.is_null() {
        return 0;
    }
    (0..count.min(BUFFERS_MAX)).fold(0, |sum: u64, index| {
        // SAFETY: the index is below `count`, and so that of a buffer of the array, as the caller
        // promises.
        sum.saturating_add(unsafe { (*buffers.add(index)).iov_len } as u64)
    })
}

fn steer(
    endpoint: &Endpoint,
    own: Object,
    post: &Post,
    call: impl FnOnce(Object) -> isize,
) -> isize {
    let kind = if post.is_memory {
        &endpoint.memory
    } else {
        &endpoint.sends
    };
    if post.flags & FI_TRIGGER != 0 {
        endpoint.lose(); // it completes when something else says so
    }
    if post.flags & (FI_FENCE | FI_CXI_WEAK_FENCE) != 0 && !is_settled(endpoint) {
        COUNTS.fence_waits.add(1);
        return EAGAIN;
    }
    let verdict = decide(endpoint, kind, post);
    let assignment = assign(endpoint, kind, post, verdict);
    let is_unordered = kind.rule() == OrderRule::Free && endpoint.is_unordered(assignment.target);
    let object = endpoint.object_of(own, assignment.target, is_unordered);
    let done = {
        let _inside = Within::new(&INSIDE);
        call(object)
    };
    if done == 0 {
        let target = assignment.target.number();
        COUNTS.sent[target].add(1);
        COUNTS.sent_unordered.add(u64::from(is_unordered));
        COUNTS.packets[target].add(packets(post.bytes));
        COUNTS.held.add(u64::from(assignment.is_held));
        // What was held back says nothing of the mode that was decided.
        if let (Some(verdict), false) = (verdict, assignment.is_held)
            && let Some(steering) = LIFE.running()
        {
            LIFE.after(steering, verdict);
        }
    } else {
        if is_counted(kind) {
            kind.order.failed();
        }
        if let (Some(verdict), EAGAIN) = (verdict, done) {
            endpoint
                .retry
                .store(noted(post, verdict), Ordering::Relaxed);
        }
    }
    done
}

/// Whether no message is in flight over an alias that a fence would have to wait for.
fn is_settled(endpoint: &Endpoint) -> bool {
    endpoint.sends.is_idle() && endpoint.memory.is_idle()
}

fn is_counted(kind: &Kind) -> bool {
    kind.rule() != OrderRule::LeftAlone && kind.is_counted()
}

fn decide(endpoint: &Endpoint, kind: &Kind, post: &Post) -> Option<Verdict> {
    let steering = LIFE.running()?;
    let reason = if kind.rule() == OrderRule::LeftAlone {
        Some(LeftAlone::Order)
    } else if post.flags & SPECIAL != 0 {
        Some(LeftAlone::Flags)
    } else if endpoint.has_given_up() {
        Some(LeftAlone::NoAlias)
    } else {
        None
    };
    if let Some(reason) = reason {
        reason.count();
        return None;
    }
    let before = endpoint.retry.swap(0, Ordering::Relaxed);
    if let Some(verdict) = tried_before(before, post) {
        COUNTS.retried.add(1);
        return Some(verdict);
    }
    LIFE.before(steering, post.bytes, post.operation)
}

/// Gives a message its target, by its verdict and the order that it keeps.
fn assign(endpoint: &Endpoint, kind: &Kind, post: &Post, verdict: Option<Verdict>) -> Assignment {
    let verdict = verdict.filter(|verdict| !life::is_refuted(verdict.mode));
    let mode = verdict.map(|verdict| verdict.mode);
    match kind.rule() {
        OrderRule::Kept => {
            let preference = match verdict {
                None => Preference::Own,
                Some(Verdict {
                    mode,
                    is_small: true,
                    ..
                }) => Preference::Small(endpoint.target_of(mode as usize)),
                Some(Verdict { mode, .. }) => {
                    Preference::Decided(endpoint.target_of(mode as usize))
                }
            };
            kind.order
                .begin(post.destination, preference, || kind.completed())
        }
        OrderRule::Free => {
            if kind.is_counted() {
                kind.order.issue();
            }
            Assignment {
                target: mode.map_or(PostTarget::OWN, |mode| PostTarget::ordered(mode as usize)),
                is_held: false,
            }
        }
        OrderRule::LeftAlone => Assignment {
            target: PostTarget::OWN,
            is_held: false,
        },
    }
}

/// Bits of a verdict as a number: its mode from 1 on, whether it reads counters, whether it is
/// small.
const VERDICT_BITS: u32 = 4;

/// A message and its verdict as a number that is not 0.
fn noted(post: &Post, verdict: Verdict) -> u64 {
    let mode = verdict.mode as u64 + 1;
    let flags = u64::from(verdict.is_small) << 1 | u64::from(verdict.reads_counters);
    mark(post) << VERDICT_BITS | flags << 2 | mode
}

/// The verdict of the same message, if that is what was noted.
fn tried_before(noted: u64, post: &Post) -> Option<Verdict> {
    if noted == 0 || noted >> VERDICT_BITS != mark(post) {
        return None;
    }
    let mode = usize::try_from(noted & 3).ok()?.checked_sub(1)?;
    Some(Verdict {
        mode: *Mode::ALL.get(mode)?,
        reads_counters: noted & 4 != 0,
        is_small: noted & 8 != 0,
    })
}

fn mark(post: &Post) -> u64 {
    let mixed = post.destination ^ post.bytes.rotate_left(32) ^ u64::from(post.is_memory);
    mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> VERDICT_BITS
}

/// A buffer with the words of its length and destination.
const fn flat(length: usize, destination: usize) -> Arguments {
    Arguments::Flat {
        length,
        destination,
    }
}

/// The arguments of every function that takes an array of buffers.
const VECTOR: Arguments = Arguments::Vector {
    buffers: 0,
    count: 2,
    destination: 3,
};

macro_rules! posts {
    ($($name:ident $family:ident $slot:ident $access:ident $arguments:expr;)*) => {$(
        extern "C-unwind" fn $name(
            own: Object, a: usize, b: usize, c: usize, d: usize,
            e: usize, f: usize, g: usize, h: usize,
        ) -> isize {
            const CALL: PostCall = PostCall {
                family: Family::$family,
                slot: $slot,
                access: Access::$access,
                arguments: $arguments,
            };
            post(&CALL, own, [a, b, c, d, e, f, g, h])
        }
    )*

    /// Puts our functions in the place of the provider's.
    pub(super) fn patch(
        mut table: Table<kind::Transfers>,
        family: Family,
    ) -> Table<kind::Transfers> {
        $(if family == Family::$family {
            table = table.patch(&$slot, $name);
        })*
        table
    }};
}

posts! {
    send Messages SEND Send flat(1, 3);
    sendv Messages SENDV Send VECTOR;
    sendmsg Messages SENDMSG Send Arguments::Message;
    inject Messages INJECT Send flat(1, 2);
    senddata Messages SENDDATA Send flat(1, 4);
    injectdata Messages INJECTDATA Send flat(1, 3);
    tagged_send Tagged SEND Send flat(1, 3);
    tagged_sendv Tagged SENDV Send VECTOR;
    tagged_sendmsg Tagged SENDMSG Send Arguments::Message;
    tagged_inject Tagged INJECT Send flat(1, 2);
    tagged_senddata Tagged SENDDATA Send flat(1, 4);
    tagged_injectdata Tagged INJECTDATA Send flat(1, 3);
    read_memory Memory READ Read flat(1, 3);
    read_vector Memory READV Read VECTOR;
    read_message Memory READMSG Read Arguments::Message;
    write_memory Memory WRITE Write flat(1, 3);
    write_vector Memory WRITEV Write VECTOR;
    write_message Memory WRITEMSG Write Arguments::Message;
    write_inject Memory INJECT Write flat(1, 2);
    write_data Memory WRITEDATA Write flat(1, 4);
    write_injectdata Memory INJECTDATA Write flat(1, 3);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_found_again_for_the_same_message_only() {
        let post = |bytes, destination| Post {
            operation: Operation::Put,
            is_memory: false,
            bytes,
            destination,
            flags: 0,
        };
        for mode in Mode::ALL {
            for flags in 0..4 {
                let verdict = Verdict {
                    mode,
                    reads_counters: flags & 1 != 0,
                    is_small: flags & 2 != 0,
                };
                let number = noted(&post(64, 3), verdict);
                assert_eq!(tried_before(number, &post(64, 3)), Some(verdict));
                assert_eq!(tried_before(number, &post(65, 3)), None);
                assert_eq!(tried_before(number, &post(64, 4)), None);
            }
        }
        assert_eq!(tried_before(0, &post(64, 3)), None);
    }

    #[test]
    fn what_is_sent_is_read_from_the_arguments() {
        let buffers = [3, 5, 7].map(|iov_len| libc::iovec {
            iov_base: std::ptr::null_mut(),
            iov_len,
        });
        let address = buffers.as_ptr().expose_provenance();
        let call = |access, arguments| PostCall {
            family: Family::Messages,
            slot: SEND,
            access,
            arguments,
        };
        let mut words: Words = [address, 0, 3, 77, 0, 0, 0, 0];
        // SAFETY: these are the words of a call with an array of three buffers.
        let post = unsafe { call(Access::Read, VECTOR).read(&words) };
        assert_eq!((post.bytes, post.destination, post.flags), (15, 77, 0));
        assert!(post.operation == Operation::Get && post.is_memory);
        words[1] = 9;
        // SAFETY: these are the words of a call with a buffer, whose address is not looked at.
        let post = unsafe { call(Access::Send, flat(1, 3)).read(&words) };
        assert_eq!((post.bytes, post.destination, post.flags), (9, 77, 0));
        assert!(post.operation == Operation::Put && !post.is_memory);
        let message = Msg::new(&buffers[..2], 66);
        words[0] = (&raw const message).expose_provenance();
        // SAFETY: these are the words of a call with a message of two buffers, and flags.
        let post = unsafe { call(Access::Write, Arguments::Message).read(&words) };
        assert_eq!((post.bytes, post.destination, post.flags), (8, 66, 9));
        words[0] = 0;
        // SAFETY: null is allowed.
        let post = unsafe { call(Access::Write, Arguments::Message).read(&words) };
        assert_eq!((post.bytes, post.destination), (0, 0));
    }
}
