//! A run that is over.

use odonata_engine::{Laps, Stop};
use odonata_mpi::{MessageLog, MpiRank, RankLocation, RankReport};
use odonata_network::Network;
use odonata_units::{Instant, record};

use crate::build::learned::{LearnedRow, learned_rows};
use crate::build::machine::Machine;
use crate::build::service::Served;
use crate::build::sources::Sources;
use crate::config::Config;
use crate::policy::decision_sums::Decided;
use crate::precision::IterationWatch;
use crate::report::probes::Heard;
use crate::result::outcome::Table;

/// A network that has run, and who used it.
pub(crate) struct Finished {
    pub(crate) machine: Machine,
    pub(crate) placed: PlacedJobs,
    pub(crate) network: Network<Served>,
    /// `[job]`: its open-loop sources.
    pub(crate) sources: Vec<Sources>,
    pub(crate) heard: Heard,
    /// The tables of links, as far as they are put together.
    pub(crate) links: Vec<Table>,
    /// `[job]`: what its policy has done, if it has one.
    pub(crate) decided: Vec<Option<Decided>>,
    /// What routers have learned, if it is to be kept.
    pub(crate) learned: Vec<LearnedRow>,
    /// Messages that ranks elsewhere have logged.
    pub(crate) logs: Vec<RankLog>,
    pub(crate) stop: Stop,
    pub(crate) threads: usize,
    /// Where the time of all threads has gone, if that was measured.
    pub(crate) laps: Vec<Laps>,
    /// What was seen of the iterations of its jobs, if anybody looked.
    pub(crate) iterations: Option<IterationWatch>,
}

impl Finished {
    /// Adds what the routers of this process have learned, if it is to be kept, behind those of
    /// other processes that are there.
    pub(crate) fn add_learned(&mut self, config: &Config) {
        if config.telemetry.q_table {
            let first = self.network.own_routers().start;
            let tables = self.network.tables();
            let rows = learned_rows(&self.machine.topology, first, tables);
            self.learned.extend(rows);
        }
    }
}

/// What a rank of another process has logged, or one of this process that is gone.
pub(crate) struct RankLog {
    pub(crate) job: usize,
    pub(crate) rank: usize,
    pub(crate) messages: MessageLog,
}
record!(RankLog {
    job,
    rank,
    messages,
});

/// Where the ranks of the jobs run, kept after their endpoints have moved into the network.
pub(crate) struct PlacedJobs {
    /// `[job]`: where its ranks sit, in rank order.
    pub(crate) locations: Vec<Vec<RankLocation>>,
    /// `[node]`: several jobs use it.
    pub(crate) by_jobs: Vec<bool>,
    pub(crate) open_loop: Vec<bool>,
}

/// `[job][rank]`: reports of all ranks; empty for open-loop traffic.
pub(crate) fn rank_reports(finished: &Finished) -> Vec<Vec<RankReport>> {
    let of_job = |job| {
        let ranks = ranks(finished, job);
        ranks.into_iter().map(|one| one.rank.report()).collect()
    };
    (0..finished.placed.locations.len()).map(of_job).collect()
}

/// A rank at a node that this process simulates.
pub(crate) struct OwnRank<'a> {
    /// Its number in its job.
    pub(crate) number: usize,
    pub(crate) rank: &'a MpiRank,
}

/// The ranks of a job at the nodes of this process, in rank order; none for open-loop traffic.
pub(crate) fn ranks(finished: &Finished, job: usize) -> Vec<OwnRank<'_>> {
    let endpoints: Vec<_> = finished.network.endpoints().collect();
    let first = finished.network.own_nodes().start;
    let locations = finished.placed.locations[job].iter().enumerate();
    let ranks = locations.filter_map(|(number, location)| {
        let index = location.home.0.checked_sub(first)?;
        let served = endpoints.get(index as usize)?;
        let rank = served.endpoint.rank_at(location.local_rank)?;
        Some(OwnRank { number, rank })
    });
    ranks.collect()
}

/// Every so many iterations of each rank are in the tables: the coarsest of a job's ranks decides.
pub(crate) fn iterations_every(reports: &[RankReport]) -> u64 {
    let all = reports.iter().map(|report| report.iterations_every);
    all.max().unwrap_or(1)
}

/// A network that has run, and what its ranks say of it.
#[derive(Clone, Copy)]
pub(crate) struct Reported<'a> {
    pub(crate) config: &'a Config,
    pub(crate) finished: &'a Finished,
    /// `[job][rank]`; empty for open-loop traffic.
    pub(crate) reports: &'a [Vec<RankReport>],
}

impl Reported<'_> {
    /// The end of the last job that the run waited for, or else of the simulated time.
    pub(crate) fn end(&self) -> Instant {
        let end = self.finished.network.end();
        if self.finished.stop != Stop::Finished {
            return end;
        }
        let goals = self.config.jobs.iter().zip(self.reports);
        let goals = goals.filter(|(job, _)| job.ends_the_run());
        let last = goals.flat_map(|(_, reports)| reports.iter().map(|report| report.end));
        last.max().map_or(end, |last| last.min(end))
    }
}
