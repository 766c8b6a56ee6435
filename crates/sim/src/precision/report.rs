//! Results of a run as if all of it had been simulated.

use odonata_steady::Estimate;
use serde_json::{Map, Value, json};

use crate::result::statistic::number;

use super::progress::JobProgress;

/// A number with an interval in which the full run's is with a probability of 95 %, ps.
#[derive(Clone, Copy, Debug)]
struct Interval {
    /// The simulated part.
    least: f64,
    mean: f64,
    low: f64,
    high: f64,
}

impl Interval {
    /// What was simulated, and `left` more iterations.
    fn of_all(simulated: f64, left: f64, each: &Estimate) -> Self {
        let left_out = LeftOut {
            sum: left * each.mean,
            half: each.half_width_of_sum(left),
        };
        Self::beyond(simulated, left_out)
    }

    /// What was simulated, and what was left out. Times are whole picoseconds; means of what does
    /// not vary are rounded. What was left out takes no less than no time.
    fn beyond(simulated: f64, left: LeftOut) -> Self {
        let mean = simulated + left.sum;
        Self {
            least: simulated,
            mean,
            low: (mean - left.half - 1.0).max(simulated),
            high: mean + left.half + 1.0,
        }
    }

    /// Also true if what comes behind `from` is over at once.
    fn or_over_from(self, from: f64) -> Self {
        Self {
            low: (self.low - (self.mean - from).max(0.0)).max(self.least),
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

/// Results of a job that was cut short, as if all of it had been simulated.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) job: usize,
    pub(crate) total: u64,
    pub(crate) simulated: u64,
    /// Of the one sample, where there is one.
    sample: Option<Sample>,
    end: Interval,
    comm: Option<Interval>,
}

/// Estimate of an iteration from a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) time: Estimate,
    pub(super) comm_time: Option<Estimate>,
}

impl Sample {
    /// Its keys.
    pub(super) fn json(&self) -> Map<String, Value> {
        let mean = |each: &Estimate| {
            json!({
                "mean": number(each.mean / 1e3),
                "low": number((each.mean - each.half_width).max(0.0) / 1e3),
                "high": number((each.mean + each.half_width) / 1e3),
            })
        };
        let keys = [
            ("iterations_used", json!(self.time.used)),
            ("batches", json!(self.time.batches)),
            ("batch_iterations", json!(self.time.batch_size)),
            ("batch_correlation", number(self.time.correlation)),
            ("iteration_time_ns", mean(&self.time)),
            (
                "iteration_comm_time_ns",
                json!(self.comm_time.as_ref().map(mean)),
            ),
        ];
        let keys = keys.into_iter().map(|(key, value)| (key.to_owned(), value));
        keys.collect()
    }
}

/// A sum of what was left out, with half the width of its interval, ps.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LeftOut {
    pub(super) sum: f64,
    pub(super) half: f64,
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
            sample: Some(Sample { time, comm_time }),
            end,
            comm,
        })
    }

    /// Of job `index`, which has ended, and of which so much time and, if it is known, so much
    /// communication time was left out.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(super) fn of_skipped(
        index: usize,
        job: &JobProgress,
        time: LeftOut,
        comm_time: Option<LeftOut>,
    ) -> Option<Self> {
        Some(Self {
            job: index,
            total: job.terms.total?,
            simulated: job.count,
            sample: None,
            end: Interval::beyond(job.last.ps() as f64, time),
            comm: comm_time.map(|left| Interval::beyond(job.comm_time(), left)),
        })
    }

    /// The key `estimated` of the job's summary.
    pub(crate) fn json(&self) -> Value {
        let mut found = Map::new();
        let mut set = |key: &str, value: Value| found.insert(key.to_owned(), value);
        set("iterations", json!(self.total));
        set("iterations_simulated", json!(self.simulated));
        if let Some(sample) = &self.sample {
            let warm_up = self.simulated - sample.time.used as u64;
            set("iterations_warm_up", json!(warm_up));
            found.append(&mut sample.json());
        }
        let mut set = |key: &str, value: Value| found.insert(key.to_owned(), value);
        set("end_ns", self.end.json());
        set(
            "comm_time_ns",
            json!(self.comm.as_ref().map(Interval::json)),
        );
        Value::Object(found)
    }
}
