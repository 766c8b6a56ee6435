//! Looks at the iterations of jobs while they run, and says when enough is known.

use odonata_network::Parameters;
use odonata_units::Instant;

use crate::build::jobs::Placed;
use crate::config::Config;
use crate::error::SimError;

use super::ahead::Ahead;
use super::asked::{Asked, asked};
use super::mix::Mix;
use super::report::Known;

/// Looks at a run that is to stop when it knows enough.
#[derive(Debug)]
pub(crate) struct PrecisionWatch {
    asked: Vec<Asked>,
    mix: Mix,
    is_decided: bool,
}

impl PrecisionWatch {
    /// The watch of a run whose jobs are `placed`; `None` if nothing is asked of it.
    ///
    /// # Errors
    /// What is asked cannot be said.
    pub(crate) fn new(
        config: &Config,
        placed: &mut Placed,
        parameters: &Parameters,
        ahead: &Ahead,
    ) -> Result<Option<Self>, SimError> {
        let asked = asked(config, ahead)?;
        if asked.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            asked,
            mix: Mix::new(config, placed, parameters, ahead),
            is_decided: false,
        }))
    }

    /// The jobs that it looks at.
    pub(super) const fn mix(&self) -> &Mix {
        &self.mix
    }

    /// All threads rest at `now`; whether enough is known.
    pub(crate) fn at_rest(&mut self, now: Instant) -> bool {
        self.mix.rest(now);
        if self.is_due() {
            self.look();
            self.is_decided = (self.asked.iter()).all(|one| self.verdict(one).is_ok());
        }
        self.is_decided
    }

    /// The run is over, for another reason than that enough is known or for this one.
    pub(crate) fn close(&mut self, end: Instant, is_otherwise: bool) {
        if is_otherwise {
            self.is_decided = false;
            self.mix.close(end);
            self.look();
        }
    }

    /// Whether the run ended because enough was known.
    pub(crate) const fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Whether something new can be said of a job that is asked about.
    fn is_due(&self) -> bool {
        let mut asked = self
            .asked
            .iter()
            .filter_map(|one| self.mix.progress(one.job));
        let all_ended = asked.clone().all(|job| job.ended.is_some());
        all_ended || asked.any(|job| job.ended.is_none() && job.is_due())
    }

    fn look(&mut self) {
        for one in &self.asked {
            if let Some(job) = self.mix.jobs.get_mut(one.job).and_then(Option::as_mut) {
                job.look();
            }
        }
    }

    /// Whether what is asked is known for the whole job, or why not.
    fn verdict(&self, one: &Asked) -> Result<(), String> {
        self.mix.is_known(one)?;
        match self.mix.progress(one.job) {
            Some(job) if job.ended.is_none() => self.mix.mix_stays(one, job),
            _ => Ok(()),
        }
    }

    /// What the run would have said in full, of each job that was cut short and asked about.
    pub(crate) fn known(&self) -> Vec<Known> {
        if !self.is_decided {
            return Vec::new();
        }
        let mut jobs: Vec<usize> = self.asked.iter().map(|one| one.job).collect();
        jobs.sort_unstable();
        jobs.dedup();
        let known = jobs.into_iter().filter_map(|index| {
            let job = self.mix.progress(index).filter(|job| job.ended.is_none())?;
            let first = self.mix.first_other_end(index).and_then(|(_, end)| end);
            Known::new(index, job, first)
        });
        known.collect()
    }

    /// Why what is asked is not known, by job; of a run that has ended otherwise.
    pub(crate) fn unknown(&self) -> Vec<(usize, String)> {
        if self.is_decided {
            return Vec::new();
        }
        let unknown = self.asked.iter().filter_map(|one| {
            let why = self.verdict(one).err()?;
            Some((one.job, why))
        });
        unknown.collect()
    }
}
