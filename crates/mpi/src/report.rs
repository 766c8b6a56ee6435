//! What a rank records about itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use odonata_units::{Instant, Span};

/// One iteration of a rank's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationReport {
    /// When it began.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
    /// `end - start` less the computation in it.
    pub comm_time: Span,
}

/// The iterations of a rank: all are counted, and every `every`-th is kept.
///
/// When there are more than `most`, every second of those kept is dropped and `every` doubles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IterationLog {
    most: usize,
    every: u64,
    count: u64,
    comm_time: Span,
    kept: Vec<IterationReport>,
}

impl IterationLog {
    /// Keeps at most `most`, which is at least 1.
    pub(crate) const fn new(most: usize) -> Self {
        assert!(most > 0, "the first iteration is always kept");
        Self {
            most,
            every: 1,
            count: 0,
            comm_time: Span::ZERO,
            kept: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, iteration: IterationReport) {
        while self.count.is_multiple_of(self.every) && self.kept.len() == self.most {
            let mut number = 0_u64;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
        if self.count.is_multiple_of(self.every) {
            self.kept.push(iteration);
        }
        self.count += 1;
        self.comm_time += iteration.comm_time;
    }

    /// Iterations that have ended.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Sum over all of them of their communication time.
    #[must_use]
    pub const fn comm_time(&self) -> Span {
        self.comm_time
    }

    /// Which of them are kept: number 0 and every so many.
    #[must_use]
    pub const fn every(&self) -> u64 {
        self.every
    }

    pub(crate) fn to_vec(&self) -> Vec<IterationReport> {
        self.kept.clone()
    }

    /// Number of each iteration that is kept, and the iteration, in order.
    #[must_use]
    pub fn kept(&self) -> impl ExactSizeIterator<Item = (u64, &IterationReport)> {
        self.kept
            .iter()
            .enumerate()
            .map(|(place, one)| (place as u64 * self.every, one))
    }
}

/// Asks ranks to stop: from outside, at any time.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks everything that holds a copy to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been asked for.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The record of one rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankReport {
    /// When the rank took its first operation.
    pub start: Instant,
    /// When its program ended; if it has not, when it last did something.
    pub end: Instant,
    /// Bytes handed to the NIC, headers and protocol messages included.
    pub bytes_sent: u64,
    /// Payload of the messages sent, those to itself excluded.
    pub payload_bytes_sent: u64,
    /// Point-to-point messages sent, those of collectives included, those to itself excluded;
    /// a rendezvous counts once.
    pub messages_sent: u64,
    /// `end - start - compute_time`.
    pub comm_time: Span,
    /// Sum over calls of the span from entering to returning.
    pub mpi_time: Span,
    /// Sum of the computation.
    pub compute_time: Span,
    /// The iterations that have ended, those that are kept.
    pub iterations: Vec<IterationReport>,
    /// Whether the program has ended.
    pub finished: bool,
    /// What the rank waits for, or what went wrong, in words; `None` if it waits for nothing.
    pub blocked_on: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::{Instant, IterationLog, IterationReport, Span};

    #[test]
    fn what_is_kept_is_every_so_many() {
        for most in [1, 2, 3, 7, 1_000] {
            let mut log = IterationLog::new(most);
            for number in 0..500_u64 {
                log.push(IterationReport {
                    start: Instant::from_ps(number),
                    end: Instant::from_ps(number + 2),
                    comm_time: Span::from_ps(2),
                });
                assert!((1..=most).contains(&log.kept().len()), "{most} {number}");
                for (place, (iteration, report)) in log.kept().enumerate() {
                    assert_eq!(iteration, place as u64 * log.every());
                    assert_eq!(report.start.ps(), iteration);
                }
                // Nothing is missing at the end.
                let last = log.kept().last().map_or(0, |(last, _)| last);
                assert!(number - last < log.every(), "{most} {number}");
            }
            assert_eq!((log.count(), log.comm_time().ps()), (500, 1_000));
            assert_eq!(log.every() == 1, most >= 500);
        }
    }
}
