//! Where the time of a thread goes.

use borsh::{BorshDeserialize, BorshSerialize};

/// Where the time of one thread has gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Laps {
    /// Number of the process.
    pub process: u64,
    /// Number of the thread in its process.
    pub thread: u64,
    /// Epochs that were simulated.
    pub epochs: u64,
    /// Simulating blocks, ns.
    pub work_ns: u64,
    /// Until other threads and processes were as far, ns.
    pub waiting_ns: u64,
    /// Handing mail over and taking it in, ns; the first thread of a process does so for its
    /// process, too.
    pub exchange_ns: u64,
    /// Sent to other processes, by the first thread of a process, bytes.
    pub sent_bytes: u64,
}

/// What a thread has done beside waiting while it met others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exchanged {
    /// Since the beginning of the run, ns.
    pub(crate) ns: u64,
    pub(crate) sent_bytes: u64,
}
