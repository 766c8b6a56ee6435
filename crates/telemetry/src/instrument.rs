//! The life of a probe that a run has only if it is asked for.

use odonata_units::{Instant, Record};

use crate::probe::{Probe, ProbeScope};

/// A probe that hears one scope of a run. In the end those of all scopes are put together.
pub trait Instrument: Probe + Record + Sized {
    /// What it needs to know before the run.
    type Setting;
    /// What those of all scopes have heard.
    type Whole;

    /// An instrument that has heard nothing yet of `scope`.
    #[must_use]
    fn new(scope: &ProbeScope, setting: &Self::Setting) -> Self;

    /// The run has ended at `end`: only what is to be put together is kept, and may become a record.
    fn close(&mut self, _end: Instant) {}

    /// The whole of a run that ended at `end`, from all scopes in their order; `None` without any.
    #[must_use]
    fn merge(scopes: Vec<Self>, end: Instant) -> Option<Self::Whole>;
}
