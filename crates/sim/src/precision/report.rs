//! What a run would have said in full.

use odonata_steady::Estimate;
use serde_json::{Value, json};

use crate::statistic::number;

use super::progress::JobProgress;

/// A number with an interval in which the full run's is with a probability of 95 %, ps.
#[derive(Clone, Copy, Debug)]
struct Interval {
    mean: f64,
    low: f64,
    high: f64,
}

impl Interval {
    /// What was simulated, and `left` more iterations.
    fn of_all(simulated: f64, left: f64, each: &Estimate) -> Self {
        let mean = simulated + left * each.mean;
        // Times are whole picoseconds; means of what does not vary are rounded.
        let half = each.half_width_of_sum(left) + 1.0;
        Self {
            mean,
            low: mean - half,
            high: mean + half,
        }
    }

    /// Also true if what comes behind `from` is over at once.
    fn or_over_from(self, from: f64) -> Self {
        Self {
            low: self.low - (self.mean - from).max(0.0),
            ..self
        }
    }

    fn json(&self) -> Value {
        json!({
            "mean": number(self.mean / 1e3), "low": number(self.low / 1e3),
            "high": number(self.high / 1e3),
        })
    }
}

/// What a job that was cut short would have said in full.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) job: usize,
    pub(crate) total: u64,
    pub(crate) simulated: u64,
    time: Estimate,
    comm_time: Option<Estimate>,
    end: Interval,
    comm: Option<Interval>,
}

impl Known {
    /// Of job `index`; `other_end`: when the first other job is predicted to end, ps.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(super) fn new(index: usize, job: &JobProgress, other_end: Option<f64>) -> Option<Self> {
        let sayings = job.sayings?;
        let (time, comm_time) = (sayings.time.ok()?, sayings.comm_time.ok());
        let left = job.left() as f64;
        let mut end = Interval::of_all(job.last.ps() as f64, left, &time);
        let mut comm = comm_time.map(|each| Interval::of_all(job.comm_time(), left, &each));
        if let Some(other) = other_end.filter(|other| *other < end.mean) {
            // The rest of the job is alone, and not slower than beside the other one.
            let late = end.mean - other;
            end = end.or_over_from(other);
            comm = comm.map(|comm| comm.or_over_from(comm.mean - late));
        }
        Some(Self {
            job: index,
            total: job.terms.total?,
            simulated: job.count,
            time,
            comm_time,
            end,
            comm,
        })
    }

    /// The key `estimated` of the job's summary.
    pub(crate) fn json(&self) -> Value {
        let mean = |each: &Estimate| {
            json!({
                "mean": number(each.mean / 1e3), "low": number((each.mean - each.half_width) / 1e3),
                "high": number((each.mean + each.half_width) / 1e3),
            })
        };
        json!({
            "iterations": self.total,
            "iterations_simulated": self.simulated,
            "iterations_warm_up": self.simulated - self.time.used as u64,
            "iterations_used": self.time.used,
            "batches": self.time.batches,
            "batch_iterations": self.time.batch_size,
            "batch_correlation": number(self.time.correlation),
            "iteration_time_ns": mean(&self.time),
            "iteration_comm_time_ns": self.comm_time.as_ref().map(mean),
            "end_ns": self.end.json(),
            "comm_time_ns": self.comm.as_ref().map(Interval::json),
        })
    }
}
