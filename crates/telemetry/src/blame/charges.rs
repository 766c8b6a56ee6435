//! What was charged to whom.

use odonata_units::dense::Dense;

use super::party::Parties;

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
    /// The NIC had not come to it.
    NicStage,
}

impl Cause {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Port,
        Self::Credits,
        Self::Stage,
        Self::Crossbar,
        Self::InputQueue,
        Self::NicQueue,
        Self::NicCredits,
        Self::NicOutstanding,
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
            Self::NicStage => "nic-stage",
        }
    }
}

/// Where a packet waited: in the NIC, in an input buffer, at an output port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
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

    pub(crate) const fn stage(self) -> Stage {
        match self {
            Self::Port | Self::Credits | Self::Stage => Stage::Output,
            Self::Crossbar | Self::InputQueue => Stage::Input,
            Self::NicQueue | Self::NicCredits | Self::NicOutstanding | Self::NicStage => Stage::Nic,
        }
    }
}

/// One charge at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Charge {
    pub(crate) delayed: usize,
    pub(crate) delaying: usize,
    pub(crate) cause: Cause,
    pub(crate) ps: u64,
}

/// The charges at one port or NIC: few, since few jobs meet there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charges {
    /// By [`key`]: ps.
    list: Vec<(u32, u64)>,
    /// By job and stage: packets that waited.
    packets: Vec<(u32, u64)>,
}

/// Delayed job, delaying party (or nothing), and cause or stage, in one number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 256 jobs and 64 parties"
)]
const fn key(delayed: usize, delaying: usize, code: u8) -> u32 {
    (delayed as u32) << 16 | (delaying as u32) << 8 | code as u32
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
    /// Charges `ps` of job `delayed` to party `delaying`.
    #[inline]
    pub(crate) fn add(&mut self, delayed: usize, delaying: usize, cause: Cause, ps: u64) {
        if ps > 0 {
            add(&mut self.list, key(delayed, delaying, cause as u8), ps);
        }
    }

    /// One more packet of a job waited.
    #[inline]
    pub(crate) fn count(&mut self, delayed: usize, stage: Stage) {
        add(&mut self.packets, key(delayed, 0, stage as u8), 1);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Charge> + '_ {
        self.list.iter().map(|(key, ps)| Charge {
            delayed: (key >> 16) as usize,
            delaying: (key >> 8 & 0xFF) as usize,
            cause: Cause::ALL[(key & 0xFF) as usize],
            ps: *ps,
        })
    }

    /// Packets of a job that waited in the stage of `cause`.
    pub(crate) fn packets(&self, delayed: usize, cause: Cause) -> u64 {
        let wanted = key(delayed, 0, cause.stage() as u8);
        let found = self.packets.iter().find(|one| one.0 == wanted);
        found.map_or(0, |one| one.1)
    }
}

/// Waits of ranks: `[node * parties + party]`, ps.
#[derive(Clone, Debug)]
pub(crate) struct BySender {
    /// Number of parties.
    parties: usize,
    ps: Dense<u64>,
}

impl BySender {
    pub(crate) fn new(nodes: usize, parties: Parties) -> Self {
        Self {
            parties: parties.count(),
            ps: Dense::of(0, nodes * parties.count()),
        }
    }

    /// A packet that `node` sent waited because of `delaying`.
    #[inline]
    pub(crate) fn add(&mut self, node: u32, delaying: usize, ps: u64) {
        self.ps[node as usize * self.parties + delaying] += ps;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.ps.all_mut().iter_mut().zip(other.ps.iter()) {
            *mine += theirs;
        }
    }

    /// By party.
    pub(crate) fn of(&self, node: usize) -> &[u64] {
        &(*self.ps)[node * self.parties..(node + 1) * self.parties]
    }
}
