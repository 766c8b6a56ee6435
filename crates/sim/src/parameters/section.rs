//! A table of the system, row by row, with errors that say where.

use odonata_registry::{Parameter, Problem, Table};
use odonata_units::Span;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::SimError;

/// The longest time that a row of congestion control can give: 10 ms, in picoseconds.
pub(super) const LONGEST: u64 = 10_000_000_000;

/// A table, and where it stands.
pub(super) struct Section<'a> {
    pub(super) path: &'static str,
    pub(super) table: Table<'a>,
}

impl Section<'_> {
    pub(super) fn read<T: DeserializeOwned>(&mut self, row: Parameter) -> Result<T, SimError> {
        let path = self.path;
        self.table
            .read(row)
            .map_err(|problem| at_key(path, &problem))
    }

    pub(super) fn span(&mut self, row: Parameter) -> Result<Span, SimError> {
        self.read(row).map(Span::from_ps)
    }

    /// A factor, in thousandths.
    pub(super) fn milli(&mut self, row: Parameter) -> Result<u32, SimError> {
        self.read(row).map(|factor: f64| rounded(factor * 1e3))
    }

    /// A factor, in millionths.
    pub(super) fn ppm(&mut self, row: Parameter) -> Result<u32, SimError> {
        self.read(row).map(|factor: f64| rounded(factor * 1e6))
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        row: Parameter,
        values: &[(&'static str, T)],
    ) -> Result<T, SimError> {
        let path = self.path;
        self.table
            .choice(row, values)
            .map_err(|problem| at_key(path, &problem))
    }

    pub(super) fn finish(self) -> Result<Vec<Value>, SimError> {
        let path = self.path;
        self.table
            .finish()
            .map_err(|problem| at_key(path, &problem))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "factors are not negative; casts of floats saturate"
)]
fn rounded(number: f64) -> u32 {
    number.round() as u32
}

fn at_key(path: &str, problem: &Problem) -> SimError {
    SimError::new(format!("{path}.{}", problem.key()), problem)
}
