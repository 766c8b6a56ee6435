//! What is simulated, who looks after it, and why it ends.

use std::num::NonZeroU64;

use odonata_units::{Instant, Span};

use crate::laps::Laps;
use crate::status::Status;

/// A set of logical processes that one thread simulates together.
pub trait Block: Send {
    /// What other blocks send here, in one container per epoch.
    type Mail: Default + Send;
    /// State common to the blocks of one thread (statistics, spare memory).
    type Local: Send;

    /// Takes in `mail` and leaves it empty (its memory is used again).
    fn receive(&mut self, mail: &mut Self::Mail, local: &mut Self::Local);

    /// The earliest instant at which `mail`, written in an epoch that ended at `now`, matters;
    /// `None` if nothing is in it: then it is not sent.
    fn needed(mail: &Self::Mail, now: Instant) -> Option<Instant>;

    /// Simulates everything in `[from, to)`; `mail[b]` is for block `b` and is received before
    /// `to`. Nothing in it may matter before `to`.
    fn advance(
        &mut self,
        from: Instant,
        to: Instant,
        local: &mut Self::Local,
        mail: &mut [Self::Mail],
    );

    /// What is left to do after an epoch that ended at `now`. Mail is not part of it, see
    /// [`Block::needed`].
    fn status(&self, now: Instant) -> Status;

    /// Appends `mail`, which is for a block of another process, to `out` as bytes, and leaves it
    /// empty.
    fn pack(mail: &mut Self::Mail, local: &mut Self::Local, out: &mut Vec<u8>);

    /// Takes in mail as [`Block::receive`] does, from bytes; `None` if they are no mail.
    fn unpack(&mut self, bytes: &[u8], local: &mut Self::Local) -> Option<()>;
}

/// Length and bounds of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EpochPlan {
    /// Nothing takes less than this from one block to another.
    pub epoch: Span,
    /// Nothing at or after this instant is simulated: the last epoch may be a short one.
    pub until: Instant,
    /// The run is stalled if it makes no progress for this long while goals are open and none waits
    /// for a known instant.
    pub patience: Span,
}

/// What a run tells of its progress, and how it is interrupted.
pub trait Control: Sync {
    /// Called by one thread after each epoch, which ended at `now`; `work` is the sum of work done
    /// up to the epoch before. The run stops now if the result is true.
    fn after_epoch(&self, now: Instant, work: u64) -> bool;

    /// Asked now and then while the threads of this process wait for another process: whether the
    /// run is to stop. The default: never.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// What a clock shows, ns, if it is to be measured where the time of the run goes. `None`, the
    /// default: it is not.
    fn clock_ns(&self) -> Option<u64> {
        None
    }

    /// Told by every thread at the end of the run, if there is a clock.
    fn timed(&self, _laps: Laps) {}

    /// After how many epochs, counted from the beginning of the run, all threads wait for
    /// [`Control::at_rest`]. Such an epoch is simulated even if nothing happens in it: which other
    /// ones are left out may depend on the number of threads. `None`, the default: never.
    fn rests_every(&self) -> Option<NonZeroU64> {
        None
    }

    /// Where several processes simulate: what the others are told before [`Control::at_rest`], by
    /// one thread of each process. The default: nothing.
    fn tells(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes in what another process tells at the same rest; false if that cannot be read.
    fn hears(&self, _told: &[u8]) -> bool {
        true
    }

    /// Called by one thread while no other one simulates: all have simulated everything up to
    /// `now`, and nothing behind it. The run stops now if the result is true.
    fn at_rest(&self, _now: Instant) -> bool {
        false
    }
}

/// The reason why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All goals were reached.
    Finished,
    /// The time limit, [`EpochPlan::until`], was reached.
    TimeLimit,
    /// [`Control::after_epoch`] asked for it.
    Interrupted,
    /// Goals are open, and nothing moves any more.
    Stalled,
}
