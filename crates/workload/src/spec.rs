//! Parameters of one job, as the builders of its workload read them.

use std::ops::Deref;

use odonata_registry::{MemberError, Problem};
use odonata_units::Span;
use serde_json::{Map, Value};

use crate::error::WorkloadError;

pub(crate) use odonata_registry::{Default, Kind, Parameter};

/// The word for a workload in messages.
pub(crate) const FAMILY: &str = "workload";

/// The parameters of one job, checked against the rows of its workload.
#[derive(Clone, Debug)]
pub(crate) struct Spec<'a> {
    pub(crate) kind: &'static str,
    values: odonata_registry::Spec<'a>,
}

impl<'a> Deref for Spec<'a> {
    type Target = odonata_registry::Spec<'a>;

    fn deref(&self) -> &Self::Target {
        &self.values
    }
}

impl<'a> Spec<'a> {
    pub(crate) fn new(
        kind: &'static str,
        parameters: &'static [Parameter],
        given: &'a Map<String, Value>,
    ) -> Result<Self, WorkloadError> {
        let values = odonata_registry::Spec::new(parameters, &["kind"], given)
            .map_err(|problem| MemberError::new(FAMILY, kind, problem))?;
        Ok(Self { kind, values })
    }

    /// As `count`, at most 2^32 - 1.
    pub(crate) fn small(&self, name: &str) -> Result<u32, WorkloadError> {
        self.fit(name, self.count(name))
    }

    pub(crate) fn fit(&self, name: &str, count: u64) -> Result<u32, WorkloadError> {
        u32::try_from(count).map_err(|_| self.wrong(name, "at most 4294967295"))
    }

    pub(crate) fn time(&self, name: &str) -> Span {
        Span::from_ps(self.count(name))
    }

    pub(crate) fn wrong(&self, name: &str, expected: &str) -> WorkloadError {
        let problem = Problem::Wrong {
            key: name.to_owned(),
            value: self.value(name).to_string(),
            expected: expected.to_owned(),
        };
        MemberError::new(FAMILY, self.kind, problem).into()
    }

    pub(crate) fn impossible(&self, problem: String) -> WorkloadError {
        WorkloadError::Impossible {
            kind: self.kind.to_owned(),
            problem,
        }
    }
}
