//! Posts: sends, tagged sends, reads and writes of remote memory.
//!
//! Every argument is a pointer or a number of 8 bytes, which the calling convention passes in a
//! register or in 8 bytes of the stack: calls are forwarded as nine words, with another endpoint.

use std::sync::atomic::Ordering;

use odonata_interpose::{INSIDE, Verdict, Within, depth, function};
use odonata_policy::{Mode, Operation};

use super::abi::{
    EAGAIN, EINVAL, FI_CXI_WEAK_FENCE, FI_FENCE, FI_MORE, FI_MULTICAST, FI_TRIGGER, INJECT,
    INJECTDATA, Msg, OF_PROVIDERS, Object, READ, READMSG, READV, SEND, SENDDATA, SENDMSG, SENDV,
    WRITE, WRITEDATA, WRITEMSG, WRITEV,
};
use super::endpoint::{Endpoint, Family, Kind, OrderRule, find};
use super::life;
use super::table::Table;
use crate::classes::packets;
use crate::lane::PostTarget;
use crate::left::{COUNTS, Left, left};
use crate::order::{Assignment, Preference};

/// What follows the endpoint.
type Words = [usize; 8];
#[rustfmt::skip]
type PostFn = extern "C-unwind" fn(
    Object, usize, usize, usize, usize, usize, usize, usize, usize,
) -> isize;

/// Where the words of a call have what is needed; the first word follows the endpoint.
#[derive(Clone, Copy)]
enum Shape {
    /// Words with the length and the destination.
    Flat(usize, usize),
    /// Words with an array of buffers, their number, and the destination.
    Vector(usize, usize, usize),
    /// A message, and flags.
    Message,
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

fn post(family: Family, word: usize, shape: Shape, own: Object, mut words: Words) -> isize {
    let Some(endpoint) = find(own) else {
        return EINVAL as isize;
    };
    let Some(real) = endpoint.real(family, word) else {
        return EINVAL as isize;
    };
    // SAFETY: the function of this place takes as many of these words as it has arguments.
    let real: PostFn = unsafe { function(real) };
    let call = |object: Object, words: Words| {
        let [a, b, c, d, e, f, g, h] = words;
        real(object, a, b, c, d, e, f, g, h)
    };
    if depth(&INSIDE) > 0 {
        left(Left::Inside);
        return call(own, words);
    }
    if life::is_forked() {
        return call(own, words);
    }
    let post = read(family, word, shape, &words);
    if matches!(shape, Shape::Message) {
        // It is a hint to wait for the next message, which may have another target.
        words[1] &= !MORE;
    }
    steer(endpoint, own, &post, |object| call(object, words))
}

/// What a call sends, and where to.
fn read(family: Family, word: usize, shape: Shape, words: &Words) -> Post {
    let is_memory = family == Family::Memory;
    let is_read = is_memory && matches!(word, READ | READV | READMSG);
    let (bytes, destination, flags) = match shape {
        Shape::Flat(length, destination) => (words[length] as u64, words[destination] as u64, 0),
        Shape::Vector(buffers, count, destination) => {
            let buffers = std::ptr::with_exposed_provenance(words[buffers]);
            // SAFETY: the caller gives as many buffers as it says.
            let bytes = unsafe { sum(buffers, words[count]) };
            (bytes, words[destination] as u64, 0)
        }
        Shape::Message => {
            let message: *const Msg = std::ptr::with_exposed_provenance(words[0]);
            // SAFETY: the caller gives a message.
            let (bytes, destination) = unsafe {
                if message.is_null() {
                    (0, 0)
                } else {
                    (sum((*message).iov, (*message).iov_count), (*message).addr)
                }
            };
            (bytes, destination, words[1] as u64)
        }
    };
    Post {
        operation: if is_read {
            Operation::Get
        } else {
            Operation::Put
        },
        is_memory,
        bytes,
        destination,
        flags,
    }
}

/// Bytes of buffers.
///
/// # Safety
///
/// There are as many as `count` says, or `buffers` is null.
unsafe fn sum(buffers: *const libc::iovec, count: usize) -> u64 {
    if buffers.is_null() {
        return 0;
    }
    (0..count.min(BUFFERS_MAX)).fold(0, |sum: u64, index| {
        // SAFETY: as the caller says.
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
            && let Some(steering) = life::running()
        {
            life::after(steering, verdict);
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
    let steering = life::running()?;
    let reason = if kind.rule() == OrderRule::LeftAlone {
        Some(Left::Order)
    } else if post.flags & SPECIAL != 0 {
        Some(Left::Flags)
    } else if endpoint.has_given_up() {
        Some(Left::NoAlias)
    } else {
        None
    };
    if let Some(reason) = reason {
        left(reason);
        return None;
    }
    let before = endpoint.retry.swap(0, Ordering::Relaxed);
    if let Some(verdict) = tried_before(before, post) {
        COUNTS.retried.add(1);
        return Some(verdict);
    }
    life::before(steering, post.bytes, post.operation)
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

/// Of a verdict as a number: its mode from 1 on, whether it reads counters, whether it is small.
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

macro_rules! posts {
    ($($name:ident $family:ident $word:ident $shape:expr;)*) => {$(
        extern "C-unwind" fn $name(
            own: Object, a: usize, b: usize, c: usize, d: usize,
            e: usize, f: usize, g: usize, h: usize,
        ) -> isize {
            post(Family::$family, $word, $shape, own, [a, b, c, d, e, f, g, h])
        }
    )*

    /// Puts our functions in the place of the provider's.
    pub(super) fn patch(mut table: Table, family: Family) -> Table {
        $(if family == Family::$family {
            table = table.patch($word, $name as *const ());
        })*
        table
    }};
}

posts! {
    send Messages SEND Shape::Flat(1, 3);
    sendv Messages SENDV Shape::Vector(0, 2, 3);
    sendmsg Messages SENDMSG Shape::Message;
    inject Messages INJECT Shape::Flat(1, 2);
    senddata Messages SENDDATA Shape::Flat(1, 4);
    injectdata Messages INJECTDATA Shape::Flat(1, 3);
    tagged_send Tagged SEND Shape::Flat(1, 3);
    tagged_sendv Tagged SENDV Shape::Vector(0, 2, 3);
    tagged_sendmsg Tagged SENDMSG Shape::Message;
    tagged_inject Tagged INJECT Shape::Flat(1, 2);
    tagged_senddata Tagged SENDDATA Shape::Flat(1, 4);
    tagged_injectdata Tagged INJECTDATA Shape::Flat(1, 3);
    read_memory Memory READ Shape::Flat(1, 3);
    read_vector Memory READV Shape::Vector(0, 2, 3);
    read_message Memory READMSG Shape::Message;
    write_memory Memory WRITE Shape::Flat(1, 3);
    write_vector Memory WRITEV Shape::Vector(0, 2, 3);
    write_message Memory WRITEMSG Shape::Message;
    write_inject Memory INJECT Shape::Flat(1, 2);
    write_data Memory WRITEDATA Shape::Flat(1, 4);
    write_injectdata Memory INJECTDATA Shape::Flat(1, 3);
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
}
