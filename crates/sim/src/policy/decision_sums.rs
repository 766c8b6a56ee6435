//! Sums over the decisions of a job's policy at its nodes.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::Span;

use crate::policy::decisions::Log;
use crate::policy::steering::Steering;

/// Sums over the decisions of a job's policy, at all NICs that were asked so far.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Decided {
    pub(crate) log: Log,
    /// Sums over the NICs, see [`PolicyCounts`](odonata_policy::PolicyCounts).
    pub(crate) decisions: u64,
    pub(crate) small: u64,
    pub(crate) changes: u64,
    pub(crate) observations: u64,
    pub(crate) empty_readings: u64,
    pub(crate) cut_losses: u64,
    /// Readings of counters, and the time they took.
    pub(crate) readings: u64,
    pub(crate) reading: Span,
    /// How many NICs there are, and the sums of their factors.
    pub(crate) deciders: u64,
    pub(crate) latency_factors: f64,
    pub(crate) stall_factors: f64,
}
impl Decided {
    /// Nothing, with the log of the first node.
    pub(crate) const fn beginning(log: Log) -> Self {
        Self {
            log,
            decisions: 0,
            small: 0,
            changes: 0,
            observations: 0,
            empty_readings: 0,
            cut_losses: 0,
            readings: 0,
            reading: Span::ZERO,
            deciders: 0,
            latency_factors: 0.0,
            stall_factors: 0.0,
        }
    }

    /// Adds what was done at a node, but for its log.
    pub(crate) fn count(&mut self, steering: &Steering) {
        let (readings, reading) = steering.readings();
        self.readings += readings;
        self.reading += reading;
        for decider in steering.deciders() {
            let counts = decider.counts();
            self.decisions += counts.decisions;
            self.small += counts.small;
            self.changes += counts.changes;
            self.observations += counts.observations;
            self.empty_readings += counts.empty;
            self.cut_losses += counts.cut_losses;
            let factors = decider.factors();
            self.deciders += 1;
            self.latency_factors += factors.latency;
            self.stall_factors += factors.stalls;
        }
    }
}
