//! The life of a probe that a run has only if it is asked for.

use odonata_units::{Instant, Record};

use crate::probe::{Probe, ProbeScope};

/// A probe that hears one scope of a run; what the instruments of all scopes have recorded is put
/// together in the end.
pub trait Instrument: Probe + Sized {
    /// What it needs to know before the run.
    type Setting;
    /// Its record of one scope.
    type Report: Record;
    /// The record of the whole run.
    type Whole;

    /// An instrument that has heard nothing yet of `scope`.
    #[must_use]
    fn new(scope: &ProbeScope, setting: &Self::Setting) -> Self;

    /// The record of the scope, in a run that ended at `end`.
    #[must_use]
    fn close(self, end: Instant) -> Self::Report;

    /// The record of a run that ended at `end`, from those of its scopes, in their order; `None`
    /// without any.
    #[must_use]
    fn merge(reports: Vec<Self::Report>, end: Instant) -> Option<Self::Whole>;
}
