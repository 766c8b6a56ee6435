//! Members of a family, found by the `kind` that a scenario gives, and why one is refused.

use serde_json::{Map, Value};

use crate::Problem;
use crate::spelling::hint;

/// Why what a scenario says of a member of a family is refused: its kind, a key, or a value.
///
/// `family` is the word for the family in messages, such as `workload`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemberError {
    /// The member is not named.
    #[error("a {family} needs the key `kind`, one of {choices}")]
    MissingKind {
        /// The family.
        family: &'static str,
        /// Known names.
        choices: String,
    },
    /// The family has no such member.
    #[error("{family} `{kind}` does not exist{hint}; choose one of {choices}")]
    UnknownKind {
        /// The family.
        family: &'static str,
        /// The given kind.
        kind: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// The member has no such key.
    #[error("`{key}` is not a key of {family} `{kind}`{hint}; its keys are {choices}")]
    UnknownKey {
        /// The family.
        family: &'static str,
        /// The member.
        kind: String,
        /// The given key.
        key: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known keys.
        choices: String,
    },
    /// A key that must be given is not.
    #[error("{family} `{kind}` needs the key `{key}`: {meaning}")]
    MissingKey {
        /// The family.
        family: &'static str,
        /// The member.
        kind: String,
        /// The key.
        key: String,
        /// Meaning of the key.
        meaning: String,
    },
    /// A value has the wrong type, is out of range, or does not fit what the system has.
    #[error("`{key}` of {family} `{kind}` {problem}")]
    WrongValue {
        /// The family.
        family: &'static str,
        /// The member.
        kind: String,
        /// The key.
        key: String,
        /// The problem and what would be right: a sentence whose subject is the key.
        problem: String,
    },
}

impl MemberError {
    /// What `problem` says, said of member `kind` of `family`.
    #[must_use]
    pub fn new(family: &'static str, kind: &str, problem: Problem) -> Self {
        let kind = kind.to_owned();
        match problem {
            Problem::Unknown { key, hint, choices } => Self::UnknownKey {
                family,
                kind,
                key,
                hint,
                choices,
            },
            Problem::Missing { key, meaning } => Self::MissingKey {
                family,
                kind,
                key,
                meaning,
            },
            Problem::Wrong {
                key,
                value,
                expected,
            } => Self::WrongValue {
                family,
                kind,
                key,
                problem: format!("is {value}, but it must be {expected}"),
            },
        }
    }
}

/// The member of `family` that the key `kind` of `given` names; `name` gives the name of each of
/// `members`.
///
/// # Errors
/// [`MemberError::MissingKind`] and [`MemberError::UnknownKind`], with the names of all members.
pub fn member<'m, M>(
    family: &'static str,
    members: &'m [M],
    name: impl Fn(&M) -> &'static str,
    given: &Map<String, Value>,
) -> Result<&'m M, MemberError> {
    let names = || members.iter().map(&name);
    let choices = || names().collect::<Vec<_>>().join(", ");
    let Some(kind) = given.get("kind").and_then(Value::as_str) else {
        let choices = choices();
        return Err(MemberError::MissingKind { family, choices });
    };
    let found = members.iter().find(|member| name(member) == kind);
    found.ok_or_else(|| MemberError::UnknownKind {
        family,
        kind: kind.to_owned(),
        hint: hint(kind, names()),
        choices: choices(),
    })
}
