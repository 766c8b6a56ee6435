//! Knowledge of jobs before they run, wherever their ranks and sources are simulated.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::MpiRank;
use odonata_units::Span;

use crate::build::jobs::Placed;
use crate::result::exchange::gathered;

/// Knowledge of the jobs of a run.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// `[job]`.
    pub(super) jobs: Vec<JobAhead>,
    /// Several processes simulate their ranks.
    pub(super) is_shared: bool,
}

/// Knowledge of a job.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct JobAhead {
    /// Ranks that are there; none of open-loop traffic and of jobs that are muted.
    pub(super) ranks: u64,
    /// Iterations of each rank, if some rank is there: `None` where nobody knows them, or where
    /// they differ.
    iterations: Option<Option<u64>>,
    /// The longest cycle of its first source, ps.
    cycle_ps: Option<u64>,
}
impl Ahead {
    /// What is known of the jobs that are `placed`, from all processes of `mesh`.
    ///
    /// # Errors
    /// Another process is gone.
    pub(crate) fn of(placed: &Placed, mesh: &Mesh) -> Result<Self, MeshError> {
        let jobs = 0..placed.locations.len();
        let mut jobs: Vec<_> = jobs.map(|job| JobAhead::of(placed, job)).collect();
        for others in gathered(mesh, &jobs)? {
            for (job, other) in jobs.iter_mut().zip(&others) {
                job.add(other);
            }
        }
        Ok(Self {
            jobs,
            is_shared: mesh.has_others(),
        })
    }

    /// Ranks of a job that are there.
    pub(super) fn ranks(&self, job: usize) -> u64 {
        self.jobs.get(job).map_or(0, |job| job.ranks)
    }

    /// Iterations of each rank of a job, if all have the same number and it is known.
    pub(super) fn iterations(&self, job: usize) -> Option<u64> {
        self.jobs.get(job)?.iterations.flatten()
    }

    /// The longest cycle of open-loop traffic, and whose it is.
    pub(super) fn longest_cycle(&self) -> Option<(usize, Span)> {
        let jobs = self.jobs.iter().enumerate();
        let cycles = jobs.filter_map(|(index, job)| Some((index, Span::from_ps(job.cycle_ps?))));
        cycles.max_by_key(|(_, cycle)| *cycle)
    }
}

impl JobAhead {
    /// Knowledge of a job at the nodes of this process.
    fn of(placed: &Placed, job: usize) -> Self {
        let mut found = Self::default();
        let locations = &placed.locations[job];
        for location in locations {
            let served = placed.served(location.home);
            let rank = served.and_then(|served| served.endpoint.rank_at(location.local_rank));
            if let Some(rank) = rank {
                found.add(&Self {
                    ranks: 1,
                    iterations: Some(MpiRank::iterations(rank)),
                    cycle_ps: None,
                });
            }
        }
        let first = locations
            .first()
            .and_then(|first| placed.served(first.address));
        let cycle_ps = first.and_then(|served| served.endpoint.longest_cycle_ps());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative; the conversion saturates"
        )]
        let whole = |ps: f64| ps as u64;
        found.cycle_ps = cycle_ps.map(whole);
        found
    }

    fn add(&mut self, other: &Self) {
        self.ranks += other.ranks;
        self.iterations = match (self.iterations, other.iterations) {
            (Some(one), Some(other)) => Some(one.filter(|_| one == other)),
            (one, other) => one.or(other),
        };
        self.cycle_ps = self.cycle_ps.or(other.cycle_ps);
    }
}
