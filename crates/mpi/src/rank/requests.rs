//! The requests of a rank: what has been started and is not yet complete.

use std::collections::BTreeMap;

use crate::operation::Request;

/// Kind of a request, with the way that its payload goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestKind {
    /// Out of this rank.
    Send,
    /// Out of this rank, by rendezvous whatever its size.
    SynchronousSend,
    /// Into this rank.
    Receive,
    /// Both: a nonblocking collective.
    Collective,
    /// Out of this rank, into the memory of another one.
    Put,
    /// Into this rank, out of the memory of another one.
    Get,
}

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenRequest {
    /// Whether it is a send, a receive, or another operation.
    pub(super) kind: RequestKind,
    /// Whether the call that made it waits for it.
    pub(super) blocking: bool,
    /// Payload to send, or the largest payload to receive; `u64::MAX`: as large as it comes.
    pub(super) bytes: u64,
    /// Bytes whose registration is released when the request is retired.
    pub(super) release: u64,
    /// Context as in the envelope.
    pub(super) context: u32,
    /// The other rank of the job; `None`: any.
    pub(super) peer: Option<u32>,
    /// Tag; `None`: any.
    pub(super) tag: Option<u32>,
    /// Receives of a rendezvous: rank of the job and request slot to acknowledge to.
    pub(super) acknowledge: (u32, u32),
    /// Name given by the program.
    pub(super) name: Option<Request>,
    /// Strand that waits for it, or waited, if the rank has several.
    pub(super) waiter: Option<u32>,
    /// Another one that is complete with it.
    pub(super) echo: Option<u32>,
}

impl OpenRequest {
    /// A request of nothing, which others are made of.
    pub(super) const IDLE: Self = Self {
        kind: RequestKind::Send,
        blocking: false,
        bytes: 0,
        release: 0,
        context: 0,
        peer: None,
        tag: None,
        acknowledge: (0, 0),
        name: None,
        waiter: None,
        echo: None,
    };
}

/// All requests of a rank.
#[derive(Debug, Default)]
pub(super) struct Requests {
    slots: Vec<OpenRequest>,
    /// `[slot]`: whether the request is complete, but not yet awaited. Whoever waits for many looks
    /// at all of them.
    done: Vec<bool>,
    /// Times that one has completed.
    completed: u64,
    free: Vec<u32>,
    names: Names,
}

/// The slots of names: numbers that begin near 0, as a rule.
#[derive(Debug, Default)]
struct Names {
    /// `[name]`: its slot, or [`FREE`].
    low: Vec<u32>,
    /// Those of the other names, if there are any.
    #[expect(clippy::box_collection, reason = "most ranks have none, and are many")]
    high: Option<Box<BTreeMap<Request, u32>>>,
}

/// No slot.
const FREE: u32 = u32::MAX;
/// Names from here on are looked for.
const HIGH: u32 = 4_096;

impl Names {
    fn get(&self, name: Request) -> Option<u32> {
        if name.0 < HIGH {
            let slot = self.low.get(name.0 as usize).copied();
            return slot.filter(|slot| *slot != FREE);
        }
        self.high.as_ref()?.get(&name).copied()
    }

    fn insert(&mut self, name: Request, slot: u32) {
        if name.0 >= HIGH {
            self.high.get_or_insert_default().insert(name, slot);
            return;
        }
        let at = name.0 as usize;
        if at >= self.low.len() {
            self.low.resize(at + 1, FREE);
        }
        self.low[at] = slot;
    }

    fn remove(&mut self, name: Request) {
        if name.0 >= HIGH {
            self.high.as_mut().and_then(|high| high.remove(&name));
        } else if let Some(slot) = self.low.get_mut(name.0 as usize) {
            *slot = FREE;
        }
    }

    /// Forgets all; the slots of what they named, by name.
    fn take(&mut self) -> impl Iterator<Item = u32> + use<> {
        let Self { low, high } = std::mem::take(self);
        let low = low.into_iter().filter(|slot| *slot != FREE);
        low.chain(high.into_iter().flat_map(|high| high.into_values()))
    }
}

impl Requests {
    /// Stores a request; `None` if its name is in use.
    pub(super) fn insert(&mut self, request: OpenRequest) -> Option<u32> {
        if request
            .name
            .is_some_and(|name| self.names.get(name).is_some())
        {
            return None;
        }
        let index = if let Some(index) = self.free.pop() {
            self.slots[index as usize] = request;
            self.done[index as usize] = false;
            index
        } else {
            let index = u32::try_from(self.slots.len()).ok()?;
            self.slots.push(request);
            self.done.push(false);
            index
        };
        if let Some(name) = request.name {
            self.names.insert(name, index);
        }
        Some(index)
    }

    /// Forgets a request and its name.
    pub(super) fn remove(&mut self, index: u32) {
        if let Some(name) = self.slots[index as usize].name.take() {
            self.names.remove(name);
        }
        self.free.push(index);
    }

    /// The program is over: nobody will await a request any more. What is on its way still
    /// completes.
    pub(super) fn forget_names(&mut self) {
        for index in self.names.take() {
            self.slots[index as usize].name = None;
            if self.done[index as usize] {
                self.free.push(index);
            }
        }
    }

    /// The slot of a name; `None` if it names nothing.
    pub(super) fn named(&self, name: Request) -> Option<u32> {
        self.names.get(name)
    }

    /// Whether a request is complete.
    pub(super) fn is_done(&self, index: u32) -> bool {
        self.done[index as usize]
    }

    /// How often a request has completed.
    pub(super) const fn completed(&self) -> u64 {
        self.completed
    }

    /// Notes whether a request is complete.
    pub(super) fn set_done(&mut self, index: u32, done: bool) {
        self.done[index as usize] = done;
        self.completed += u64::from(done);
    }

    pub(super) fn get(&self, index: u32) -> &OpenRequest {
        &self.slots[index as usize]
    }

    pub(super) fn get_mut(&mut self, index: u32) -> &mut OpenRequest {
        &mut self.slots[index as usize]
    }

    /// Names of the requests that are not complete.
    pub(super) fn open_count(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

/// Puts and gets that no flush has waited for.
#[derive(Debug, Default)]
pub(super) struct OneSided {
    /// Their requests.
    pub(super) open: Vec<u32>,
    /// When there are so many, those that are done are forgotten.
    pub(super) sweep_at: usize,
}
