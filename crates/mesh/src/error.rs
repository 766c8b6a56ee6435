//! What goes wrong between processes, in sentences.

use std::fmt;

/// Why the processes of a run cannot go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    sentence: String,
}

impl MeshError {
    /// The error that `sentence` tells of.
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
        }
    }

    /// Process `rank` of `processes` has closed its connection without a word.
    pub(crate) fn gone(rank: usize, processes: usize) -> Self {
        Self::new(format!(
            "process {rank} of the {processes} that simulate together has ended unexpectedly (they \
             are numbered from 0)"
        ))
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for MeshError {}
