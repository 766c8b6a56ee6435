//! What was charged to whom.

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
    /// All of them.
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
    pub(crate) delayed: u16,
    pub(crate) delaying: u16,
    pub(crate) cause: Cause,
    pub(crate) ps: u64,
}

/// The charges at one port or NIC: few, since few jobs meet there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charges {
    list: Vec<Charge>,
    /// Job, stage, packets that waited.
    packets: Vec<(u16, Stage, u64)>,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 256 jobs and 64 parties"
)]
impl Charges {
    /// Charges `ps` of job `delayed` to party `delaying`.
    #[inline]
    pub(crate) fn add(&mut self, delayed: usize, delaying: usize, cause: Cause, ps: u64) {
        if ps == 0 {
            return;
        }
        let key = (delayed as u16, delaying as u16, cause);
        let found = self
            .list
            .iter_mut()
            .find(|one| (one.delayed, one.delaying, one.cause) == key);
        match found {
            Some(one) => one.ps += ps,
            None => self.list.push(Charge {
                delayed: key.0,
                delaying: key.1,
                cause,
                ps,
            }),
        }
    }

    /// One more packet of a job waited.
    #[inline]
    pub(crate) fn count(&mut self, delayed: usize, stage: Stage) {
        let key = (delayed as u16, stage);
        let found = self.packets.iter_mut().find(|one| (one.0, one.1) == key);
        match found {
            Some(one) => one.2 += 1,
            None => self.packets.push((key.0, stage, 1)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Charge> {
        self.list.iter()
    }

    /// Packets of a job that waited in the stage of `cause`.
    pub(crate) fn packets(&self, delayed: usize, cause: Cause) -> u64 {
        let key = (delayed as u16, cause.stage());
        let found = self.packets.iter().find(|one| (one.0, one.1) == key);
        found.map_or(0, |one| one.2)
    }
}

/// Waits of ranks: `[node * parties + party]`, ps.
#[derive(Clone, Debug)]
pub(crate) struct BySender {
    parties: Parties,
    ps: Vec<u64>,
}

impl BySender {
    pub(crate) fn new(nodes: usize, parties: Parties) -> Self {
        Self {
            parties,
            ps: vec![0; nodes * parties.count()],
        }
    }

    /// A packet that `node` sent waited because of `delaying`.
    #[inline]
    pub(crate) fn add(&mut self, node: u32, delaying: usize, ps: u64) {
        self.ps[node as usize * self.parties.count() + delaying] += ps;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.ps.iter_mut().zip(&other.ps) {
            *mine += theirs;
        }
    }

    /// By party.
    pub(crate) fn of(&self, node: usize) -> &[u64] {
        let parties = self.parties.count();
        &self.ps[node * parties..(node + 1) * parties]
    }
}
