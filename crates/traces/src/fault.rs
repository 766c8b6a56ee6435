//! Why a trace cannot be read.

/// A file that is damaged or of another kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct ReadError {
    /// Name of the file.
    pub file: String,
    /// The problem, its place, and the remedy.
    pub problem: String,
}

impl ReadError {
    /// The problem of a file, as a sentence.
    pub fn new(file: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            problem: problem.into(),
        }
    }
}
