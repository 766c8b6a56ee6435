//! Whom blame tells apart: jobs, each in every traffic class.

/// Jobs and classes of a run, as one range of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parties {
    /// Number of jobs.
    pub jobs: usize,
    /// Number of traffic classes.
    pub classes: usize,
    /// Virtual channels of one class.
    pub class_vcs: usize,
}

impl Parties {
    /// That can be told apart.
    pub const MOST: usize = 64;

    /// Their number.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.jobs * self.classes
    }

    /// Number of `job` on virtual channel `vc`.
    #[inline]
    #[must_use]
    pub const fn on(&self, job: u8, vc: u8) -> usize {
        job as usize * self.classes + self.class_of(vc as usize)
    }

    /// Parties of a job, one per class.
    pub(crate) const fn of_job(&self, job: usize) -> std::ops::Range<usize> {
        job * self.classes..(job + 1) * self.classes
    }

    /// Traffic class of virtual channel `vc`.
    #[inline]
    #[must_use]
    pub const fn class_of(&self, vc: usize) -> usize {
        if self.classes == 1 {
            0
        } else {
            vc / self.class_vcs
        }
    }

    /// Job of a party.
    #[inline]
    #[must_use]
    pub const fn job(&self, party: usize) -> usize {
        party / self.classes
    }

    /// Traffic class of a party.
    #[inline]
    #[must_use]
    pub const fn class(&self, party: usize) -> usize {
        party % self.classes
    }
}
