//! Problems with the values of a scenario.

use crate::spelling::hint;

/// A problem with a value; the rooms say of which.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// A key that does not exist.
    #[error("`{key}` does not exist{hint}; its keys are {choices}")]
    Unknown {
        /// The given key.
        key: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known keys.
        choices: String,
    },
    /// A key that must be given is not.
    #[error("`{key}` is missing: {meaning}")]
    Missing {
        /// Its name.
        key: String,
        /// Its meaning.
        meaning: String,
    },
    /// A value of the wrong type or out of range.
    #[error("`{key}` is {value}, but it must be {expected}")]
    Wrong {
        /// Its name.
        key: String,
        /// The given value.
        value: String,
        /// The right value, in words.
        expected: String,
    },
}

impl Problem {
    /// The first of `given` that is none of `known`.
    pub(crate) fn unknown<'a>(
        given: impl IntoIterator<Item = &'a String>,
        known: &[&str],
    ) -> Option<Self> {
        let key = given
            .into_iter()
            .find(|key| !known.contains(&key.as_str()))?;
        Some(Self::Unknown {
            key: key.clone(),
            hint: hint(key, known.iter().copied()),
            choices: known.join(", "),
        })
    }

    /// The key it is about.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Unknown { key, .. } | Self::Missing { key, .. } | Self::Wrong { key, .. } => key,
        }
    }
}
