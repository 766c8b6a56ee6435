//! The calls of one rank, in time, as operations: what every format that records MPI has in common.

use std::collections::BTreeMap;

use odonata_workload::trace::op;

use crate::communicators::LocalCommunicators;
use crate::recorded::{Entry, Writer};

/// A message as a call names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    pub(crate) bytes: u64,
    /// Rank of the communicator; -1: any.
    pub(crate) peer: i32,
    /// -1: any.
    pub(crate) tag: i32,
    /// Communicator of the rank.
    pub(crate) comm: u32,
}

/// A persistent request: what starting it does.
#[derive(Clone, Copy, Debug)]
struct Persistent {
    code: u8,
    envelope: Envelope,
}

/// An open request: its number in the table, and where it began if it may receive from anybody.
#[derive(Clone, Copy, Debug)]
struct Open {
    number: u32,
    wild: Option<usize>,
}

/// The program of one rank while it is read.
pub(crate) struct RankCalls<'a> {
    pub(crate) writer: &'a mut Writer,
    pub(crate) communicators: LocalCommunicators,
    open: BTreeMap<u64, Open>,
    persistent: BTreeMap<u64, Persistent>,
    next_request: u32,
    /// When the last call ended, ps.
    last_end: Option<u64>,
}

impl<'a> RankCalls<'a> {
    pub(crate) fn new(writer: &'a mut Writer) -> Self {
        Self {
            writer,
            communicators: LocalCommunicators::default(),
            open: BTreeMap::new(),
            persistent: BTreeMap::new(),
            next_request: 0,
            last_end: None,
        }
    }

    /// The program begins here: what came before is no computation.
    pub(crate) const fn begin_at(&mut self, time_ps: u64) {
        self.last_end = Some(time_ps);
    }

    /// A call lasts from `start_ps` to `end_ps`: since the last one the rank computed.
    pub(crate) fn call(&mut self, start_ps: u64, end_ps: u64) {
        if let Some(last) = self.last_end {
            self.writer.compute(start_ps.saturating_sub(last));
        }
        self.last_end = Some(self.last_end.unwrap_or(0).max(end_ps));
    }

    fn request(&mut self) -> u32 {
        self.next_request = self.next_request.wrapping_add(1);
        self.next_request - 1
    }

    fn push(&mut self, code: u8, envelope: Envelope, request: u32) -> usize {
        self.writer.push(Entry {
            op: code,
            peer: envelope.peer,
            bytes: envelope.bytes,
            tag: envelope.tag,
            comm: envelope.comm,
            request,
            ..Entry::default()
        })
    }

    /// A blocking message.
    pub(crate) fn message(&mut self, code: u8, envelope: Envelope) {
        if is_somebody(code, envelope) {
            self.push(code, envelope, 0);
        }
    }

    /// A nonblocking message whose request has this handle.
    pub(crate) fn begin(&mut self, code: u8, envelope: Envelope, handle: u64) {
        if !is_somebody(code, envelope) {
            return;
        }
        let number = self.request();
        let at = self.push(code, envelope, number);
        let is_wild = code == op::IRECV && (envelope.peer < 0 || envelope.tag < 0);
        let wild = is_wild.then_some(at);
        self.open.insert(handle, Open { number, wild });
    }

    /// A persistent request is made.
    pub(crate) fn prepare(&mut self, code: u8, envelope: Envelope, handle: u64) {
        self.persistent
            .insert(handle, Persistent { code, envelope });
    }

    /// A persistent request is started.
    pub(crate) fn start(&mut self, handle: u64) {
        if let Some(&Persistent { code, envelope }) = self.persistent.get(&handle) {
            self.begin(code, envelope, handle);
        }
    }

    /// Both messages at once, as `MPI_Sendrecv` does.
    pub(crate) fn exchange(&mut self, send: Envelope, receive: Envelope) {
        let mut numbers = Vec::new();
        for (code, envelope) in [(op::IRECV, receive), (op::ISEND, send)] {
            if is_somebody(code, envelope) {
                let number = self.request();
                self.push(code, envelope, number);
                numbers.push(number);
            }
        }
        self.writer.wait(&numbers);
    }

    /// The requests with these handles are complete; what nobody began is left out. `got` is the
    /// source and tag of what each received, as far as it is known.
    pub(crate) fn complete(&mut self, handles: &[u64], got: &[(i32, i32)]) {
        let mut numbers = Vec::new();
        for (index, handle) in handles.iter().enumerate() {
            let Some(open) = self.open.remove(handle) else {
                continue;
            };
            numbers.push(open.number);
            if let (Some(at), Some(&(source, tag))) = (open.wild, got.get(index)) {
                self.settle(at, source, tag);
            }
        }
        self.writer.wait(&numbers);
    }

    /// Puts what was received in place of a wildcard.
    fn settle(&mut self, at: usize, source: i32, tag: i32) {
        if source < 0 || tag < 0 {
            return;
        }
        let table = &mut self.writer.recorded.table;
        if table.peer.get(at) < 0 {
            table.peer.set(at, source);
        }
        if table.tag.get(at) < 0 {
            table.tag.set(at, tag);
        }
    }

    /// A request is given up without being waited for.
    pub(crate) fn forget(&mut self, handle: u64) {
        self.open.remove(&handle);
        self.persistent.remove(&handle);
    }

    /// Whether a request with this handle is open or persistent.
    pub(crate) fn knows(&self, handle: u64) -> bool {
        self.open.contains_key(&handle) || self.persistent.contains_key(&handle)
    }

    /// How many requests are open or persistent.
    pub(crate) fn open_count(&self) -> usize {
        self.open.len() + self.persistent.len()
    }

    /// The request that began first among the open ones with these handles.
    pub(crate) fn oldest(&self, handles: &[u64]) -> Option<u64> {
        let open = handles.iter().filter_map(|handle| {
            let open = self.open.get(handle)?;
            Some((open.number, *handle))
        });
        open.min().map(|(_, handle)| handle)
    }

    /// Waits for whatever is open: the program has ended, so that it was complete.
    pub(crate) fn wait_for_open(&mut self) {
        let mut open: Vec<u32> = self.open.values().map(|open| open.number).collect();
        open.sort_unstable();
        self.open.clear();
        self.writer.wait(&open);
    }

    /// A collective.
    pub(crate) fn collective(&mut self, code: u8, root: i32, bytes: u64, comm: u32) -> usize {
        self.writer.push(Entry {
            op: code,
            peer: root,
            bytes,
            comm,
            ..Entry::default()
        })
    }

    /// The collective that was added last returns at once; its request has this handle.
    pub(crate) fn begin_collective(&mut self, handle: u64) {
        let number = self.request();
        let table = &mut self.writer.recorded.table;
        if let Some(code) = table.op.last() {
            let last = table.op.len() - 1;
            table.op.set(last, code + op::NONBLOCKING);
            table.request.set(last, number);
        }
        self.open.insert(handle, Open { number, wild: None });
    }

    /// Ends the rank; requests that are still open were never waited for.
    pub(crate) fn finish(self) {
        if !self.open.is_empty() {
            let words = "nonblocking messages that are never waited for";
            for _ in &self.open {
                self.writer.hint(words);
            }
        }
        self.writer.end_rank(self.communicators);
    }
}

/// Whether the partner of a message is a rank: a receive may name any, a send to nobody
/// (`MPI_PROC_NULL`, a negative number) does nothing, and neither does a receive from it.
fn is_somebody(code: u8, envelope: Envelope) -> bool {
    let may_be_any = matches!(code, op::RECV | op::IRECV);
    envelope.peer >= 0 || (may_be_any && envelope.peer == -1)
}
