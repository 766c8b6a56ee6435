//! Sends and receives of a trace, paired by number.
//!
//! The messages of a few ranks at a time are put in order, so that memory is that of a part of the
//! messages, or of those into one rank; the table is gone through once for each part.

use super::table::TraceTable;
use super::{graph, op, order};

/// Parts into which the messages are divided, if no rank gets more.
const PARTS: u64 = 8;
/// Fewer messages are not divided: these take 24 MB.
const FEW: u64 = 1 << 20;

/// Where messages stay in order. Ranks are those of the job; -1 is any.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Channel {
    pub(super) comm: u32,
    pub(super) source: i32,
    pub(super) target: u32,
    pub(super) tag: i32,
}

impl Channel {
    const fn is_exact(&self) -> bool {
        self.source >= 0 && self.tag >= 0
    }

    /// Whether a receive here may get a message of `other`, within one inbox.
    const fn takes(&self, other: &Self) -> bool {
        (self.source < 0 || self.source == other.source) && (self.tag < 0 || self.tag == other.tag)
    }
}

/// Messages without partner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Unmatched {
    pub(super) is_receive: bool,
    pub(super) channel: Channel,
    pub(super) count: u64,
}

/// Receives that are smaller than what arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small {
    pub(super) count: u64,
    /// The first one's channel, the position of its send, and the bytes of that.
    pub(super) first: (Channel, u64, u64),
}

/// Faults in the messages of a trace.
#[derive(Default, Debug)]
pub(super) struct Faults {
    pub(super) unmatched: Vec<Unmatched>,
    /// Only looked for where every receive names its source and tag.
    pub(super) small: Option<Small>,
}

/// A send or receive; ordered by channel, sends first, as in the program if that is a sequence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    comm: u32,
    target: u32,
    source: i32,
    tag: i32,
    /// The operation; of a receive with the highest bit.
    at: u64,
}

const RECEIVE: u64 = 1 << 63;

/// Columns of a send or receive.
struct Columns {
    at: usize,
    code: u8,
    comm: u32,
    peer: i32,
    tag: i32,
}

impl Columns {
    fn of(table: &TraceTable, at: usize) -> Self {
        Self {
            at,
            code: table.op.get(at),
            comm: table.comm.get(at),
            peer: table.peer.get(at),
            tag: table.tag.get(at),
        }
    }
}

impl Message {
    /// The message of an operation of `rank`. Communicator and partner are there.
    fn of(table: &TraceTable, rank: u32, operation: &Columns) -> Option<Self> {
        let Columns {
            at,
            code,
            comm,
            peer,
            tag,
        } = *operation;
        let partner = usize::try_from(peer)
            .ok()
            .and_then(|peer| table.members(comm).get(peer).copied());
        let is_send = op::is_send(code);
        let (source, target) = if is_send {
            (Some(rank), partner?)
        } else {
            (partner, rank)
        };
        Some(Self {
            comm,
            target,
            source: source.map_or(-1, u32::cast_signed),
            tag: tag.max(-1),
            at: at as u64 | if is_send { 0 } else { RECEIVE },
        })
    }

    const fn channel(&self) -> Channel {
        Channel {
            comm: self.comm,
            source: self.source,
            target: self.target,
            tag: self.tag,
        }
    }

    const fn is_receive(&self) -> bool {
        self.at & RECEIVE != 0
    }
}

/// Looks at the messages of all ranks; stops at the first fault if only that is wanted.
pub(super) fn faults(table: &TraceTable, only_first: bool) -> Faults {
    let is_in_order = (0..table.rank_count()).all(|rank| graph::is_in_order(table, rank));
    let mut counts = vec![0_u64; table.rank_count() as usize];
    let mut has_wildcards = false;
    each(table, |message| {
        counts[message.target as usize] += 1;
        has_wildcards |= !message.channel().is_exact();
    });
    let most = (counts.iter().sum::<u64>() / PARTS).max(FEW);
    let mut faults = Faults::default();
    let mut first = 0;
    while first < table.rank_count() && (!only_first || faults.unmatched.is_empty()) {
        let (mut end, mut count) = (first, 0);
        while end < table.rank_count() && (end == first || count + counts[end as usize] <= most) {
            count += counts[end as usize];
            end += 1;
        }
        let mut part = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        if count > 0 {
            each(table, |message| {
                if (first..end).contains(&message.target) {
                    part.push(message);
                }
            });
        }
        if is_in_order {
            part.sort_unstable();
        } else {
            // All sends of a channel are of one rank, and so are its receives.
            let key = |one: &Message| (one.comm, one.target, one.source, one.tag);
            part.sort_by_key(|message| (key(message), message.is_receive()));
        }
        for inbox in part.chunk_by(|a, b| (a.comm, a.target) == (b.comm, b.target)) {
            pair(inbox, &mut faults.unmatched);
            if !has_wildcards && !only_first {
                sizes(table, inbox, &mut faults.small);
            }
        }
        first = end;
    }
    faults.unmatched.sort_unstable();
    if !faults.unmatched.is_empty() {
        faults.small = None;
    }
    faults
}

/// Messages by rank, in the order of issue.
fn each(table: &TraceTable, mut take: impl FnMut(Message)) {
    for rank in 0..table.rank_count() {
        let mut offer = |columns: Columns| {
            let is_message = op::is_message(columns.code);
            let message = is_message.then(|| Message::of(table, rank, &columns));
            message.flatten().into_iter().for_each(&mut take);
        };
        if !graph::is_in_order(table, rank) {
            order::rows(table, rank).for_each(|at| offer(Columns::of(table, at)));
            continue;
        }
        // Column by column, which is quicker.
        let range = table.operations(rank);
        let codes = range.clone().zip(table.op.range(range.clone()));
        let partners = (table.comm.range(range.clone())).zip(table.peer.range(range.clone()));
        let rows = codes.zip(partners.zip(table.tag.range(range)));
        for ((at, code), ((comm, peer), tag)) in rows {
            offer(Columns {
                at,
                code,
                comm,
                peer,
                tag,
            });
        }
    }
}

/// Pairs exact receives first, then those with wildcards.
fn pair(inbox: &[Message], into: &mut Vec<Unmatched>) {
    let (mut sends, mut receives) = (Vec::new(), Vec::new());
    for channel in inbox.chunk_by(|a, b| a.channel() == b.channel()) {
        let sent = channel.partition_point(|message| !message.is_receive()) as u64;
        let received = channel.len() as u64 - sent;
        let paired = sent.min(received);
        let key = channel[0].channel();
        if sent > paired {
            sends.push((key, sent - paired));
        }
        if received > paired {
            receives.push((key, received - paired));
        }
    }
    for (any_source, any_tag) in [(false, true), (true, false), (true, true)] {
        for (wild, left) in &mut receives {
            if (wild.source < 0, wild.tag < 0) != (any_source, any_tag) {
                continue;
            }
            for (_, count) in sends.iter_mut().filter(|(key, _)| wild.takes(key)) {
                let paired = (*count).min(*left);
                *count -= paired;
                *left -= paired;
            }
        }
    }
    for (is_receive, found) in [(false, sends), (true, receives)] {
        let left = found.into_iter().filter(|(_, count)| *count > 0);
        into.extend(left.map(|(channel, count)| Unmatched {
            is_receive,
            channel,
            count,
        }));
    }
}

/// Compares the sizes of messages that belong together.
fn sizes(table: &TraceTable, inbox: &[Message], small: &mut Option<Small>) {
    let bytes = |message: &Message| {
        let at = message.at & !RECEIVE;
        table.bytes.get(usize::try_from(at).unwrap_or(usize::MAX))
    };
    for channel in inbox.chunk_by(|a, b| a.channel() == b.channel()) {
        let (sends, receives) =
            channel.split_at(channel.partition_point(|message| !message.is_receive()));
        for (send, receive) in sends.iter().zip(receives) {
            let sent = bytes(send);
            if bytes(receive) >= sent {
                continue;
            }
            let here = (send.channel(), send.at, sent);
            let known = small.get_or_insert(Small {
                count: 0,
                first: here,
            });
            known.count += 1;
            known.first = known.first.min(here);
        }
    }
}
