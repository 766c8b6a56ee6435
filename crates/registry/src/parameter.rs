//! One row of the registry.

use serde_json::{Value, json};

use crate::kind::Kind;
use crate::spelling::hint;

/// Default of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Default {
    /// It must be given.
    Required,
    /// It follows from other values; its meaning says how.
    Derived,
    /// Whole number, or quantity in base units.
    Count(u64),
    /// Whole number that may be negative.
    Integer(i64),
    /// Any number.
    Number(f64),
    /// Text, or one of some names.
    Text(&'static str),
    /// True or false.
    Boolean(bool),
    /// List of numbers.
    Numbers(&'static [f64]),
}

/// One parameter: everything that is said of it anywhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Key in scenarios.
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// Unit of a plain number, such as `flits`; that of a quantity follows from its kind.
    pub unit: &'static str,
    /// Its default.
    pub default: Default,
    /// Smallest valid number, if not that of the kind.
    pub least: Option<f64>,
    /// Largest valid number.
    pub most: Option<f64>,
    /// One line.
    pub meaning: &'static str,
    /// Where the default, or the parameter itself, comes from; empty where it is Odonata's own.
    pub source: &'static str,
    /// Whether resolved scenarios leave it out at its default: so have parameters that came later.
    /// What earlier versions ran keeps its fingerprint.
    pub sparse: bool,
}

impl Parameter {
    /// A row without range and source.
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: Kind,
        default: Default,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            unit: "",
            default,
            least: None,
            most: None,
            meaning,
            source: "",
            sparse: false,
        }
    }

    /// A row of a whole number.
    #[must_use]
    pub const fn count(name: &'static str, default: u64, meaning: &'static str) -> Self {
        Self::new(name, Kind::Count, Default::Count(default), meaning)
    }

    /// A row of bytes.
    #[must_use]
    pub const fn bytes(name: &'static str, default: u64, meaning: &'static str) -> Self {
        Self::new(name, Kind::Bytes, Default::Count(default), meaning)
    }

    /// A row of picoseconds.
    #[must_use]
    pub const fn time(name: &'static str, default: u64, meaning: &'static str) -> Self {
        Self::new(name, Kind::Time, Default::Count(default), meaning)
    }

    /// A row of any number.
    #[must_use]
    pub const fn number(name: &'static str, default: f64, meaning: &'static str) -> Self {
        Self::new(name, Kind::Number, Default::Number(default), meaning)
    }

    /// A row that is true or false.
    #[must_use]
    pub const fn boolean(name: &'static str, default: bool, meaning: &'static str) -> Self {
        Self::new(name, Kind::Boolean, Default::Boolean(default), meaning)
    }

    /// A row of one of some names.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        names: &'static [&'static str],
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self::new(name, Kind::Choice(names), Default::Text(default), meaning)
    }

    /// A row whose value follows from others if it is not given.
    #[must_use]
    pub const fn derived(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Default::Derived, meaning)
    }

    /// A row whose value must be given.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind, meaning: &'static str) -> Self {
        Self::new(name, kind, Default::Required, meaning)
    }

    /// This row with a smallest valid number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "bounds are far below 2^53")]
    pub const fn at_least(mut self, least: u64) -> Self {
        self.least = Some(least as f64);
        self
    }

    /// This row with a largest valid number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "bounds are at most 2^53")]
    pub const fn at_most(mut self, most: u64) -> Self {
        self.most = Some(most as f64);
        self
    }

    /// This row with a smallest and a largest valid number.
    #[must_use]
    pub const fn within(mut self, least: f64, most: f64) -> Self {
        self.least = Some(least);
        self.most = Some(most);
        self
    }

    /// This row as a plain number with a unit.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// This row with where it comes from.
    #[must_use]
    pub const fn source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }

    /// This row, left out of resolved scenarios at its default.
    #[must_use]
    pub const fn sparse(mut self) -> Self {
        self.sparse = true;
        self
    }

    /// This row with another default.
    #[must_use]
    pub const fn default(mut self, default: Default) -> Self {
        self.default = default;
        self
    }

    /// The row for those who validate, list and document: `name`, `type`, `unit`, `default`,
    /// `required`, `choices`, `minimum`, `maximum`, `sparse`, `doc`, `source`.
    #[must_use]
    pub fn describe(&self) -> Value {
        let unit = if self.unit.is_empty() {
            self.kind.unit()
        } else {
            self.unit
        };
        json!({
            "name": self.name, "type": self.kind.name(), "unit": unit,
            "default": self.default_value(), "required": self.default == Default::Required,
            "choices": self.kind.choices(), "minimum": self.least.map(number),
            "maximum": self.most.map(number), "sparse": self.sparse, "doc": self.meaning,
            "source": self.source,
        })
    }

    /// The default; `null` if there is none.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self.default {
            Default::Required | Default::Derived => Value::Null,
            Default::Count(count) => json!(count),
            Default::Integer(integer) => json!(integer),
            Default::Number(number) => json!(number),
            Default::Text(text) => json!(text),
            Default::Boolean(boolean) => json!(boolean),
            Default::Numbers(numbers) => json!(numbers),
        }
    }

    /// What `value` must be, if it is not.
    #[must_use]
    pub fn refusal(&self, value: &Value) -> Option<String> {
        let fits = self.kind.has_type(value) && self.is_in_range(value) && self.is_choice(value);
        (!fits).then(|| self.expected(value))
    }

    fn is_in_range(&self, value: &Value) -> bool {
        let fits = |number: f64| {
            number >= self.least_valid() && self.most.is_none_or(|most| number <= most)
        };
        match value {
            Value::Array(items) => items.iter().filter_map(Value::as_f64).all(fits),
            _ => value.as_f64().is_none_or(fits),
        }
    }

    fn is_choice(&self, value: &Value) -> bool {
        let Some(names) = self.kind.choices() else {
            return true;
        };
        let fits = |one: &Value| one.as_str().is_some_and(|name| names.contains(&name));
        match value {
            Value::Array(items) => items.iter().all(fits),
            one => fits(one),
        }
    }

    fn least_valid(&self) -> f64 {
        let least = if self.kind.is_unsigned() {
            0.0
        } else {
            f64::NEG_INFINITY
        };
        self.least.unwrap_or(least)
    }

    /// What a value must be, in words; `given` for the nearest spelling.
    fn expected(&self, given: &Value) -> String {
        let mut words = self.kind.words().to_owned();
        if let Some(names) = self.kind.choices() {
            let near = given.as_str().map(|name| hint(name, names.iter().copied()));
            let near = near.unwrap_or_default();
            return format!("{words} {}{near}", names.join(", "));
        }
        if !self.unit.is_empty() {
            words.push_str(" of ");
            words.push_str(self.unit);
        }
        if self.kind.is_numeric() {
            let each = if words.contains("list") { "each " } else { "" };
            let least = self.least_valid();
            let bound = number(least);
            match self.most.map(number) {
                Some(most) => {
                    words.push_str(&format!(", {each}at least {bound} and at most {most}"));
                }
                None if least.is_finite() => words.push_str(&format!(", {each}at least {bound}")),
                None => {}
            }
        }
        words
    }
}

/// A bound as JSON: whole numbers without a fraction.
#[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^63")]
fn number(bound: f64) -> Value {
    if bound.fract().abs() > 0.0 {
        json!(bound)
    } else {
        json!(bound as i64)
    }
}
