//! Why a configuration cannot be run.

use thiserror::Error;

/// A configuration that does not fit together, or cannot be simulated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{path}: {message}")]
pub struct SimError {
    /// Where in the configuration, such as `jobs[1].workload.grid`.
    pub path: String,
    /// The problem, what would be right, and the remedy.
    pub message: String,
}

impl SimError {
    pub(crate) fn new(path: impl Into<String>, message: impl ToString) -> Self {
        Self {
            path: path.into(),
            message: message.to_string(),
        }
    }
}

/// Adds the path of a key to an error of a lower room.
pub(crate) trait At<T> {
    fn at(self, path: impl Into<String>) -> Result<T, SimError>;
}

impl<T, E: std::fmt::Display> At<T> for Result<T, E> {
    fn at(self, path: impl Into<String>) -> Result<T, SimError> {
        self.map_err(|error| SimError::new(path, error))
    }
}
