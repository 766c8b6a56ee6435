//! Requests of a server: when they arrive, and how long they are.

use odonata_units::{JobId, Purpose, Span, Stream};

use crate::spec::Spec;

/// A request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Served {
    /// Since the job began.
    pub(super) at: Span,
    /// Tokens that come in.
    pub(super) prompt: u64,
    /// Tokens that go out; the first one follows from the prompt.
    pub(super) output: u64,
}

pub(super) const ARRIVALS: [&str; 2] = ["exponential", "fixed"];
pub(super) const LENGTHS: [&str; 2] = ["fixed", "exponential"];

/// All requests in their order, from the stream of the job.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times and lengths are positive and far below 2^53, and rounded"
)]
pub(super) fn requests(spec: &Spec<'_>, seed: u64, job: JobId) -> Vec<Served> {
    let mut stream = Stream::new(seed, Purpose::Request, u64::from(job.0));
    let gap = 1e12 / spec.ratio("rate");
    let (prompt, output) = (spec.count("prompt"), spec.count("output"));
    let is_poisson = spec.text("arrival") == ARRIVALS[0];
    let is_drawn = spec.text("lengths") == LENGTHS[1];
    let mut at = 0.0;
    (0..spec.count("requests"))
        .map(|_| {
            at += if is_poisson {
                stream.exponential(gap)
            } else {
                gap
            };
            let mut length = |mean: u64, least: u64| {
                if is_drawn {
                    (stream.exponential(mean as f64) as u64).max(least)
                } else {
                    mean
                }
            };
            Served {
                at: Span::from_ps(at as u64),
                prompt: length(prompt, 1),
                output: length(output, 2),
            }
        })
        .collect()
}
