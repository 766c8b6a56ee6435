//! A run that is over.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_engine::{Laps, Stop};
use odonata_mpi::{MessageLog, RankLocation, RankReport};
use odonata_network::Network;
use odonata_units::Instant;

use crate::build::events::Loss;
use crate::build::learned::{LearnedRow, learned_rows};
use crate::build::machine::Machine;
use crate::build::service::Served;
use crate::build::sources::Sources;
use crate::config::{Config, OnFailure};
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
    /// Tables that routers have learned, if they are to be kept.
    pub(crate) learned: Vec<LearnedRow>,
    /// `[job]`: the ranks that have logged messages, in their order, with their logs.
    pub(crate) logs: Vec<Vec<(usize, MessageLog)>>,
    pub(crate) stop: Stop,
    pub(crate) threads: usize,
    /// Where the time of all threads has gone, if that was measured.
    pub(crate) laps: Vec<Laps>,
    /// Watch over the iterations of its jobs, if there is one.
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

/// What a rank has to report, whichever process simulates it.
#[derive(BorshSerialize, BorshDeserialize)]
pub(crate) struct RankResult {
    pub(crate) job: usize,
    pub(crate) rank: usize,
    pub(crate) report: RankReport,
    /// The messages that it has logged, if any were asked for.
    pub(crate) messages: Option<MessageLog>,
}
/// Where the ranks of the jobs run, kept after their endpoints have moved into the network.
pub(crate) struct PlacedJobs {
    /// `[job]`: where its ranks sit, in rank order.
    pub(crate) locations: Vec<Vec<RankLocation>>,
    /// `[job]`: what it loses as nodes fail, if it does.
    pub(crate) losses: Vec<Option<Loss>>,
    /// `[node]`: several jobs use it.
    pub(crate) by_jobs: Vec<bool>,
    pub(crate) open_loop: Vec<bool>,
}

/// What the ranks at the nodes of this process have to report, job by job in rank order; their logs
/// are taken. Nothing for open-loop traffic.
pub(crate) fn rank_results(finished: &mut Finished) -> Vec<RankResult> {
    let first = finished.network.own_nodes().start;
    let mut endpoints: Vec<_> = finished.network.endpoints_mut().collect();
    let mut all = Vec::new();
    for (job, locations) in finished.placed.locations.iter().enumerate() {
        for (number, location) in locations.iter().enumerate() {
            let index = location.home.0.checked_sub(first);
            let served = index.and_then(|index| endpoints.get_mut(index as usize));
            let rank = served.and_then(|one| one.endpoint.rank_at_mut(location.local_rank));
            all.extend(rank.map(|rank| RankResult {
                job,
                rank: number,
                report: rank.report(),
                messages: rank.take_messages(),
            }));
        }
    }
    all
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
    /// What job `index` lost before it had ended, if it did.
    pub(crate) fn loss(&self, index: usize) -> Option<Loss> {
        let loss = self.finished.placed.losses[index]?;
        let is_open = self.finished.placed.open_loop[index];
        let mut reports = self.reports[index].iter();
        let ends = !is_open && !self.config.jobs[index].repeat;
        let is_over = ends && reports.all(|report| report.finished);
        let has_come = loss.first.from_ps <= self.finished.network.end().ps();
        (has_come && !is_over).then_some(loss)
    }

    /// The end of the last job that the run waited for, or else of the simulated time.
    pub(crate) fn end(&self) -> Instant {
        let end = self.finished.network.end();
        let jobs = 0..self.config.jobs.len();
        let has_lost = jobs.clone().any(|job| self.loss(job).is_some());
        if self.finished.stop != Stop::Finished || (self.config.measure.is_some() && has_lost) {
            return end;
        }
        let goals = jobs.filter(|job| self.config.jobs[*job].ends_the_run());
        let last = goals.flat_map(|job| {
            let killed = self.config.jobs[job].on_failure == OnFailure::End;
            let killed = self.loss(job).filter(|_| killed);
            let killed = killed.map(|loss| Instant::from_ps(loss.first.from_ps));
            (self.reports[job].iter().map(|report| report.end)).chain(killed)
        });
        last.max().map_or(end, |last| last.min(end))
    }
}
