//! One-sided calls of a rank. The rules are those of the reader of OTF2 (`docs/traces.md`).

use std::collections::BTreeMap;

use odonata_workload::trace::op;

use crate::calls::Envelope;

/// Tags of the messages between the two groups of a synchronisation.
const POSTED: i32 = 0;
const COMPLETED: i32 = 1;

/// A window as one rank sees it.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Communicator of the rank.
    pub(super) comm: u32,
    /// Another one of the same ranks, for messages that only synchronise.
    pub(super) beside: u32,
    /// Targets of transfers that are not known to be complete.
    targets: Vec<i32>,
    /// Ranks that may reach this one, and ranks that it may reach.
    posted: Vec<i32>,
    started: Vec<i32>,
}

/// The windows of a rank, by their handles.
#[derive(Debug, Default)]
pub(super) struct Windows(BTreeMap<i64, Window>);

/// Operations of a call: code and partner, tag, and whether it is on the communicator beside.
type Steps = Vec<(u8, Envelope)>;

impl Windows {
    pub(super) fn make(&mut self, handle: i64, comm: u32, beside: u32) {
        let window = Window {
            comm,
            beside,
            targets: Vec::new(),
            posted: Vec::new(),
            started: Vec::new(),
        };
        self.0.insert(handle, window);
    }

    pub(super) fn get(&self, handle: i64) -> Option<&Window> {
        self.0.get(&handle)
    }

    /// A transfer; from or to nobody there is none.
    pub(super) fn transfer(
        &mut self,
        handle: i64,
        code: u8,
        peer: i32,
        bytes: u64,
    ) -> Option<Steps> {
        let window = self.0.get_mut(&handle)?;
        if peer < 0 {
            return Some(Vec::new());
        }
        if !window.targets.contains(&peer) {
            window.targets.push(peer);
        }
        Some(vec![(code, envelope(window.comm, peer, 0, bytes))])
    }

    /// A fence: all transfers are complete.
    pub(super) fn fence(&mut self, handle: i64) -> Option<u32> {
        let window = self.0.get_mut(&handle)?;
        window.targets.clear();
        Some(window.comm)
    }

    /// The end of a lock: the transfers to that rank are complete.
    pub(super) fn unlock(&mut self, handle: i64, peer: i32) -> Option<Steps> {
        let window = self.0.get_mut(&handle)?;
        let (done, left) = window.targets.iter().partition(|&&target| target == peer);
        window.targets = left;
        let done: Vec<i32> = done;
        let flush = |peer| (op::FLUSH, envelope(window.comm, peer, 0, 0));
        Some(done.into_iter().map(flush).collect())
    }

    /// `post`, `start`, `complete` or `wait`; the first two with their group.
    pub(super) fn synchronise(
        &mut self,
        handle: i64,
        name: &str,
        group: Option<Vec<i32>>,
    ) -> Option<Steps> {
        let window = self.0.get_mut(&handle)?;
        let (code, tag, peers) = match name {
            "Win_post" => {
                window.posted = group?;
                (op::SEND, POSTED, window.posted.clone())
            }
            "Win_start" => {
                window.started = group?;
                (op::RECV, POSTED, window.started.clone())
            }
            "Win_complete" => {
                let started = std::mem::take(&mut window.started);
                window.targets.retain(|target| !started.contains(target));
                (op::SEND, COMPLETED, started)
            }
            _ => {
                let posted = std::mem::take(&mut window.posted);
                (op::RECV, COMPLETED, posted)
            }
        };
        let mut steps = Vec::new();
        if name == "Win_complete" {
            let flush = |&peer: &i32| (op::FLUSH, envelope(window.comm, peer, 0, 0));
            steps.extend(peers.iter().map(flush));
        }
        let message = |&peer: &i32| (code, envelope(window.beside, peer, tag, 0));
        steps.extend(peers.iter().map(message));
        Some(steps)
    }
}

const fn envelope(comm: u32, peer: i32, tag: i32, bytes: u64) -> Envelope {
    Envelope {
        bytes,
        peer,
        tag,
        comm,
    }
}
