//! Errors between processes, in sentences.

use std::fmt;

/// Why the processes of a run cannot go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    sentence: String,
    is_refusal: bool,
}

impl MeshError {
    /// The error that `sentence` tells of.
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            is_refusal: false,
        }
    }

    /// Process 0 does not want this one: `sentence` says why.
    pub(crate) const fn refused(sentence: String) -> Self {
        Self {
            sentence,
            is_refusal: true,
        }
    }

    /// Whether process 0 is there, but has refused this process.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        self.is_refusal
    }

    /// Process `rank` of `processes` has closed its connection without a word.
    pub(crate) fn gone(rank: usize, processes: usize) -> Self {
        Self::new(format!(
            "process {rank} of the {processes} that simulate together has ended unexpectedly, or its \
             machine cannot be reached any more (they are numbered from 0)"
        ))
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for MeshError {}
