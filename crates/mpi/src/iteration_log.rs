//! The iterations of a rank, in bounded memory.

use odonata_units::Span;

use crate::report::IterationReport;

/// Iterations of a rank: the time of all is summed, and every `every`-th is kept.
///
/// When more than `most` would be kept, every second one is dropped and `every` doubles. What is
/// kept depends on the number of iterations alone, never on time or threads.
#[derive(Debug)]
pub(crate) struct IterationLog {
    most: usize,
    every: u64,
    count: u64,
    comm_time: Span,
    kept: Vec<IterationReport>,
}

impl Default for IterationLog {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl IterationLog {
    /// Keeps at most `most`; one of 0 keeps the first iteration nevertheless.
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            most: if most == 0 { 1 } else { most },
            every: 1,
            count: 0,
            comm_time: Span::ZERO,
            kept: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, iteration: IterationReport) {
        while self.count.is_multiple_of(self.every) && self.kept.len() == self.most {
            self.halve();
        }
        if self.count.is_multiple_of(self.every) {
            self.kept.push(iteration);
        }
        self.count += 1;
        self.comm_time += iteration.comm_time;
    }

    fn halve(&mut self) {
        let mut index = 0_u64;
        self.kept.retain(|_| {
            index += 1;
            !index.is_multiple_of(2)
        });
        self.every *= 2;
    }

    /// Iterations that have ended.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Sum of the communication time of all iterations.
    pub(crate) const fn comm_time(&self) -> Span {
        self.comm_time
    }

    /// Which are kept: number 0 and every so many, a power of 2.
    pub(crate) const fn every(&self) -> u64 {
        self.every
    }

    pub(crate) fn kept(&self) -> &[IterationReport] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::{IterationLog, IterationReport, Span};
    use odonata_units::Instant;

    #[test]
    fn what_is_kept_is_every_so_many_and_sums_are_over_all() {
        for most in [0, 1, 2, 3, 7, 1_000] {
            let mut log = IterationLog::new(most);
            for number in 0..500_u64 {
                log.push(IterationReport {
                    repetition: 0,
                    start: Instant::from_ps(number),
                    end: Instant::from_ps(number + 2),
                    comm_time: Span::from_ps(2),
                });
                let kept: Vec<u64> = log.kept().iter().map(|one| one.start.ps()).collect();
                let step = usize::try_from(log.every()).unwrap_or(usize::MAX);
                let expected: Vec<u64> = (0..=number).step_by(step).collect();
                assert_eq!(kept, expected, "{most} {number}");
                assert!(kept.len() <= most.max(1), "{most} {number}");
            }
            assert_eq!(log.comm_time().ps(), 1_000);
            assert_eq!(log.every() == 1, most >= 500, "{most}");
        }
    }
}
