//! Runs that stop when they know enough, `stop.precision`, and those that leave iterations out,
//! `stop.skip`: see `docs/model/precision.md` and `docs/model/skipping.md`.
//!
//! What is asked for is checked before the run (`ahead.rs`, `asked.rs`); during it a watch takes in the
//! iterations of all jobs and looks at their statistics (`mix.rs`, `progress.rs`), and decides
//! (`watch.rs`, `skip.rs`); at its end stands what the run would have said in full (`report.rs`,
//! `notes.rs`).

use odonata_mesh::Mesh;
use odonata_mpi::News;
use odonata_network::Parameters;
use odonata_units::Instant;
use serde_json::Value;

use crate::build::jobs::Placed;
use crate::config::Config;
use crate::result::exchange::TeamError;

mod ahead;
mod asked;
mod mix;
mod notes;
mod progress;
mod report;
mod skip;
mod watch;

pub(crate) use mix::rests_every;

use ahead::Ahead;
use mix::Mix;
use report::Known;
use skip::SkipWatch;
use watch::PrecisionWatch;

/// Whoever looks at the iterations of a run.
#[derive(Debug)]
pub(crate) enum IterationWatch {
    Stops(PrecisionWatch),
    Skips(SkipWatch),
}

impl IterationWatch {
    /// The watch of a run whose jobs are `placed`; `None` if nobody is to look.
    ///
    /// # Errors
    /// What is asked of it cannot be had; or another process of `mesh` is gone.
    pub(crate) fn new(
        config: &Config,
        placed: &mut Placed,
        parameters: &Parameters,
        mesh: &Mesh,
    ) -> Result<Option<Self>, TeamError> {
        if config.stop.precision.is_empty() && config.stop.skip_ppm.is_none() {
            return Ok(None);
        }
        let ahead = &Ahead::of(placed, mesh)?;
        if let Some(skips) = SkipWatch::new(config, placed, parameters, ahead)? {
            return Ok(Some(Self::Skips(skips)));
        }
        let stops = PrecisionWatch::new(config, placed, parameters, ahead)?;
        Ok(stops.map(Self::Stops))
    }

    const fn mix(&self) -> &Mix {
        match self {
            Self::Stops(watch) => watch.mix(),
            Self::Skips(watch) => watch.mix(),
        }
    }

    /// Iterations that the ranks of this process have ended since this was last asked, by job.
    pub(crate) fn take_news(&self) -> Vec<News> {
        self.mix().take_news()
    }

    /// Takes in what ranks have ended in another process; false if that cannot be.
    pub(crate) fn hear(&self, news: &[News]) -> bool {
        self.mix().hear(news)
    }

    /// All threads rest at `now`; whether the run is to stop.
    pub(crate) fn at_rest(&mut self, now: Instant) -> bool {
        match self {
            Self::Stops(watch) => watch.at_rest(now),
            Self::Skips(watch) => {
                watch.at_rest(now);
                false
            }
        }
    }

    /// The run is over, because it was interrupted or not; from inside or from outside.
    pub(crate) fn close(&mut self, end: Instant, is_interrupted: bool) {
        match self {
            Self::Stops(watch) => watch.close(end, !is_interrupted),
            Self::Skips(watch) => watch.close(end),
        }
    }

    /// Whether the run ended because enough was known.
    pub(crate) const fn is_decided(&self) -> bool {
        match self {
            Self::Stops(watch) => watch.is_decided(),
            Self::Skips(_) => false,
        }
    }

    /// What the run would have said in full of job `index`, if that is known and not all of it was
    /// simulated: the key `estimated` of its summary.
    pub(crate) fn estimated(&self, index: usize) -> Option<Value> {
        let known = match self {
            Self::Stops(watch) => watch.known(),
            Self::Skips(watch) => watch.known(),
        };
        let known = known.iter().find(|known| known.job == index);
        known.map(Known::json)
    }

    /// The key `cuts` of the summary of job `index`.
    pub(crate) fn cuts(&self, index: usize) -> Option<Value> {
        match self {
            Self::Stops(_) => None,
            Self::Skips(watch) => watch.cuts(index),
        }
    }

    /// Notes on the run, in sentences.
    pub(crate) fn notes(&self, config: &Config) -> Vec<String> {
        match self {
            Self::Stops(watch) => notes::notes(config, watch),
            Self::Skips(watch) => watch.notes(config),
        }
    }
}
