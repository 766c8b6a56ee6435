//! What was charged to whom.

use borsh::{BorshDeserialize, BorshSerialize};

use super::party::{Transaction, Waiters};

/// Why a packet waited; see `docs/model/blame.md`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// The output port was sending.
    Port,
    /// Credits were lacking.
    Credits,
    /// The output stage or the crossbar had not come to it.
    Stage,
    /// Others were granted the same output port.
    Crossbar,
    /// Others stood before it in its input buffer.
    InputQueue,
    /// Others stood before it in its NIC.
    NicQueue,
    /// Credits of the host link were lacking.
    NicCredits,
    /// Too many requests were not answered.
    NicOutstanding,
    /// The NIC paced itself towards a target of many sources.
    NicPacing,
    /// The NIC had not come to it.
    NicStage,
}

impl Cause {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [
        Self::Port,
        Self::Credits,
        Self::Stage,
        Self::Crossbar,
        Self::InputQueue,
        Self::NicQueue,
        Self::NicCredits,
        Self::NicOutstanding,
        Self::NicPacing,
        Self::NicStage,
    ];

    /// As tables have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Port => "port",
            Self::Credits => "credits",
            Self::Stage => "stage",
            Self::Crossbar => "crossbar",
            Self::InputQueue => "input-queue",
            Self::NicQueue => "nic-queue",
            Self::NicCredits => "nic-credits",
            Self::NicOutstanding => "nic-outstanding",
            Self::NicPacing => "nic-pacing",
            Self::NicStage => "nic-stage",
        }
    }
}

/// Where a packet waited: in the NIC, in an input buffer, at an output port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BufferKind {
    Nic,
    Input,
    Output,
}

impl Cause {
    /// Whether its place is the input port of the buffer, not an output port.
    #[must_use]
    pub const fn is_by_input_port(self) -> bool {
        matches!(self, Self::InputQueue)
    }

    pub(crate) const fn buffer(self) -> BufferKind {
        match self {
            Self::Port | Self::Credits | Self::Stage => BufferKind::Output,
            Self::Crossbar | Self::InputQueue => BufferKind::Input,
            Self::NicQueue
            | Self::NicCredits
            | Self::NicOutstanding
            | Self::NicPacing
            | Self::NicStage => BufferKind::Nic,
        }
    }
}

/// One charge at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Charge {
    pub(crate) delayed: usize,
    pub(crate) transaction: Transaction,
    pub(crate) delaying: usize,
    pub(crate) cause: Cause,
    pub(crate) ps: u64,
}

/// The charges at one port or NIC: few, since few jobs meet there.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct Charges {
    /// Charges by [`key`], ps.
    list: Vec<(u32, u64)>,
    /// By who waited and where: packets.
    packets: Vec<(u32, u64)>,
}

/// Packets of a job, of one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Delayed {
    pub(crate) job: usize,
    pub(crate) transaction: Transaction,
}

impl Delayed {
    /// The packets of `waiter`.
    #[inline]
    pub(crate) const fn of(waiters: &Waiters, waiter: usize) -> Self {
        Self {
            job: waiters.job(waiter),
            transaction: waiters.transaction(waiter),
        }
    }
}

/// Delayed packets, delaying party (or nothing), and cause or kind of buffer, in one number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 256 jobs and 64 parties"
)]
const fn key(delayed: Delayed, delaying: usize, code: u8) -> u32 {
    let kind = delayed.transaction as u32;
    (delayed.job as u32) << 17 | kind << 16 | (delaying as u32) << 8 | code as u32
}

/// Adds to the entry of a key.
#[inline]
fn add(list: &mut Vec<(u32, u64)>, key: u32, more: u64) {
    for one in list.iter_mut() {
        if one.0 == key {
            one.1 += more;
            return;
        }
    }
    list.push((key, more));
}

impl Charges {
    /// Charges `ps` of `delayed` to party `delaying`.
    #[inline]
    pub(crate) fn add(&mut self, delayed: Delayed, delaying: usize, cause: Cause, ps: u64) {
        if ps > 0 {
            add(&mut self.list, key(delayed, delaying, cause as u8), ps);
        }
    }

    /// One more packet waited.
    #[inline]
    pub(crate) fn count(&mut self, delayed: Delayed, buffer: BufferKind) {
        add(&mut self.packets, key(delayed, 0, buffer as u8), 1);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Charge> + '_ {
        self.list.iter().map(|(key, ps)| Charge {
            delayed: (key >> 17) as usize,
            transaction: Transaction::ALL[(key >> 16 & 1) as usize],
            delaying: (key >> 8 & 0xFF) as usize,
            cause: Cause::ALL[(key & 0xFF) as usize],
            ps: *ps,
        })
    }

    /// Packets that waited in the stage of `cause`.
    pub(crate) fn packets(&self, delayed: Delayed, cause: Cause) -> u64 {
        let wanted = key(delayed, 0, cause.buffer() as u8);
        let found = self.packets.iter().find(|one| one.0 == wanted);
        found.map_or(0, |one| one.1)
    }
}

impl Charge {
    /// Whose waits they are.
    pub(crate) const fn packets(&self) -> Delayed {
        Delayed {
            job: self.delayed,
            transaction: self.transaction,
        }
    }
}
