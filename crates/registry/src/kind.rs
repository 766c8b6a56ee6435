//! Kinds of values.

use serde_json::Value;

/// Kind of a value; in the resolved scenario quantities are integers in base units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole number of at least 0.
    Count,
    /// Whole number.
    Integer,
    /// Any finite number.
    Number,
    /// Bytes.
    Bytes,
    /// Picoseconds.
    Time,
    /// Bytes per second.
    Bandwidth,
    /// Millionths.
    Share,
    /// One of some names.
    Choice(&'static [&'static str]),
    /// List of some names.
    Choices(&'static [&'static str]),
    /// True or false.
    Boolean,
    /// Text.
    Text,
    /// Name of a file.
    Path,
    /// List of whole numbers of at least 0.
    Counts,
    /// List of numbers.
    Numbers,
    /// List of anything else, whose entries are read by who asks for it.
    List,
}

impl Kind {
    /// Name for those who validate, list and document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Bytes => "bytes",
            Self::Time => "time",
            Self::Bandwidth => "bandwidth",
            Self::Share => "share",
            Self::Choice(_) => "choice",
            Self::Boolean => "boolean",
            Self::Text => "text",
            Self::Path => "path",
            Self::Counts => "counts",
            Self::Choices(_) | Self::Numbers | Self::List => "list",
        }
    }

    /// Base unit of a quantity; empty for anything else.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Bytes => "B",
            Self::Time => "ps",
            Self::Bandwidth => "B/s",
            Self::Share => "ppm",
            _ => "",
        }
    }

    /// Ending of a key of the resolved configuration: its unit.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Self::Bytes => "_bytes",
            Self::Time => "_ps",
            Self::Bandwidth => "_bytes_per_s",
            Self::Share => "_ppm",
            _ => "",
        }
    }

    pub(crate) const fn choices(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Choice(names) | Self::Choices(names) => Some(names),
            _ => None,
        }
    }

    /// The words for what a value of this kind is, and for its unit.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Count | Self::Integer => "a whole number",
            Self::Bytes => "a whole number of bytes",
            Self::Time => "a whole number of picoseconds",
            Self::Bandwidth => "a whole number of bytes per second",
            Self::Share => "a whole number of millionths",
            Self::Number => "a number",
            Self::Choice(_) => "one of",
            Self::Choices(_) => "a list of",
            Self::Boolean => "true or false",
            Self::Text => "text",
            Self::Path => "a path in quotes",
            Self::Counts => "a list of whole numbers",
            Self::Numbers => "a list of numbers",
            Self::List => "a list",
        }
    }

    /// Whether `value` has this type, ranges and choices aside.
    pub(crate) fn has_type(self, value: &Value) -> bool {
        match self {
            Self::Count | Self::Bytes | Self::Time | Self::Bandwidth | Self::Share => {
                value.is_u64()
            }
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.as_f64().is_some_and(f64::is_finite),
            Self::Choice(_) | Self::Text | Self::Path => value.is_string(),
            Self::Boolean => value.is_boolean(),
            Self::Counts => all(value, Value::is_u64),
            Self::Numbers => all(value, |item| item.as_f64().is_some_and(f64::is_finite)),
            Self::Choices(_) => all(value, Value::is_string),
            Self::List => value.is_array(),
        }
    }

    /// Whether numbers of this kind cannot be negative.
    pub(crate) const fn is_unsigned(self) -> bool {
        !matches!(self, Self::Integer)
    }

    pub(crate) const fn is_numeric(self) -> bool {
        matches!(
            self,
            Self::Count
                | Self::Integer
                | Self::Number
                | Self::Bytes
                | Self::Time
                | Self::Bandwidth
                | Self::Share
                | Self::Counts
                | Self::Numbers
        )
    }
}

fn all(value: &Value, fits: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(fits))
}
