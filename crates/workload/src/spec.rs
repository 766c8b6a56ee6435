//! Parameters of workloads as data, and how they are read out of a resolved scenario.

use odonata_units::Span;
use odonata_units::spelling::hint;
use serde_json::{Map, Value, json};

use crate::error::WorkloadError;

/// What a parameter is; in the resolved scenario quantities are integers in base units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Whole number.
    Count,
    /// Bytes.
    Bytes,
    /// Picoseconds.
    Time,
    /// Any number.
    Ratio,
    /// One of some names.
    Choice(&'static [&'static str]),
    /// True or false.
    Boolean,
    /// List of whole numbers.
    Counts,
    /// List of numbers.
    List,
    /// Name of a file.
    Path,
}

/// What holds if a parameter is not given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Default {
    /// It must be given.
    Required,
    /// The workload decides.
    Derived,
    Count(u64),
    Ratio(f64),
    Text(&'static str),
    Boolean(bool),
    Ratios(&'static [f64]),
}

/// One parameter of a workload.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) default: Default,
    pub(crate) minimum: Option<u64>,
    pub(crate) doc: &'static str,
}

impl Parameter {
    pub(crate) const fn new(
        name: &'static str,
        kind: Kind,
        default: Default,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            default,
            minimum: None,
            doc,
        }
    }

    pub(crate) const fn at_least(mut self, minimum: u64) -> Self {
        self.minimum = Some(minimum);
        self
    }

    /// The registry's words for the parameter.
    pub(crate) fn describe(&self) -> Value {
        let (kind, unit, choices) = match self.kind {
            Kind::Count => ("count", None, None),
            Kind::Bytes => ("bytes", Some("B"), None),
            Kind::Time => ("time_ps", Some("ps"), None),
            Kind::Ratio => ("ratio", None, None),
            Kind::Choice(choices) => ("choice", None, Some(choices)),
            Kind::Boolean => ("boolean", None, None),
            Kind::Counts => ("counts", None, None),
            Kind::List => ("list", None, None),
            Kind::Path => ("path", None, None),
        };
        json!({
            "name": self.name, "type": kind, "unit": unit, "default": self.default_value(),
            "required": self.default == Default::Required, "choices": choices,
            "minimum": self.minimum, "doc": self.doc,
        })
    }

    fn default_value(&self) -> Value {
        match self.default {
            Default::Required | Default::Derived => Value::Null,
            Default::Count(count) => json!(count),
            Default::Ratio(ratio) => json!(ratio),
            Default::Text(text) => json!(text),
            Default::Boolean(boolean) => json!(boolean),
            Default::Ratios(ratios) => json!(ratios),
        }
    }

    /// Whether `value` is what the parameter must be; if not, what that is.
    fn expects(&self, value: &Value) -> Option<String> {
        let minimum = self.minimum.unwrap_or(0);
        let whole = |unit: &str| format!("a whole number{unit}, at least {minimum}");
        let is_whole = value.as_u64().is_some_and(|number| number >= minimum);
        match self.kind {
            Kind::Count => (!is_whole).then(|| whole("")),
            Kind::Bytes => (!is_whole).then(|| whole(" of bytes")),
            Kind::Time => (!is_whole).then(|| whole(" of picoseconds")),
            Kind::Ratio => {
                let fits = value
                    .as_f64()
                    .is_some_and(|number| number.is_finite() && number >= 0.0);
                (!fits).then(|| "a number, at least 0".to_owned())
            }
            Kind::Choice(choices) => {
                let given = value.as_str().unwrap_or_default();
                (!choices.contains(&given)).then(|| {
                    format!(
                        "one of {}{}",
                        choices.join(", "),
                        hint(given, choices.to_vec())
                    )
                })
            }
            Kind::Boolean => (!value.is_boolean()).then(|| "true or false".to_owned()),
            Kind::Counts => {
                let numbers = value.as_array();
                let fit = numbers.is_some_and(|list| {
                    list.iter()
                        .all(|item| item.as_u64().is_some_and(|number| number >= minimum))
                });
                (!fit).then(|| format!("a list of whole numbers, each at least {minimum}"))
            }
            Kind::List => {
                let numbers = value.as_array();
                let fit = numbers.is_some_and(|list| {
                    list.iter()
                        .all(|item| item.as_f64().is_some_and(|n| n.is_finite() && n >= 0.0))
                });
                (!fit).then(|| "a list of numbers, each at least 0".to_owned())
            }
            Kind::Path => (!value.is_string()).then(|| "a path".to_owned()),
        }
    }
}

/// The parameters of one job, checked against those of its workload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec<'a> {
    pub(crate) kind: &'static str,
    parameters: &'static [Parameter],
    given: &'a Map<String, Value>,
}

impl<'a> Spec<'a> {
    pub(crate) fn new(
        kind: &'static str,
        parameters: &'static [Parameter],
        given: &'a Map<String, Value>,
    ) -> Result<Self, WorkloadError> {
        let names = || {
            parameters
                .iter()
                .map(|parameter| parameter.name)
                .chain(["kind"])
        };
        for (key, value) in given.iter().filter(|(key, _)| key.as_str() != "kind") {
            let Some(parameter) = parameters.iter().find(|one| one.name == key.as_str()) else {
                return Err(WorkloadError::UnknownKey {
                    key: key.clone(),
                    kind: kind.to_owned(),
                    hint: hint(key, names()),
                    choices: names().collect::<Vec<_>>().join(", "),
                });
            };
            if let Some(expected) = parameter.expects(value) {
                return Err(WorkloadError::WrongValue {
                    key: key.clone(),
                    kind: kind.to_owned(),
                    value: value.to_string(),
                    expected,
                });
            }
        }
        let missing = parameters
            .iter()
            .find(|one| one.default == Default::Required && !given.contains_key(one.name));
        if let Some(parameter) = missing {
            return Err(WorkloadError::MissingKey {
                key: parameter.name.to_owned(),
                kind: kind.to_owned(),
                doc: parameter.doc.to_owned(),
            });
        }
        Ok(Self {
            kind,
            parameters,
            given,
        })
    }

    fn value(&self, name: &str) -> Value {
        let parameter = self.parameters.iter().find(|one| one.name == name);
        assert!(
            parameter.is_some(),
            "a builder asks for parameters of its own entry only"
        );
        let default = || parameter.map_or(Value::Null, Parameter::default_value);
        self.given.get(name).cloned().unwrap_or_else(default)
    }

    /// A whole number; `None` if it is not given and has no default.
    pub(crate) fn optional_count(&self, name: &str) -> Option<u64> {
        self.value(name).as_u64()
    }

    /// A whole number that has a default or must be given.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.optional_count(name).unwrap_or(0)
    }

    /// As [`Spec::count`], at most 2^32 - 1.
    pub(crate) fn small(&self, name: &str) -> Result<u32, WorkloadError> {
        self.fit(name, self.count(name))
    }

    pub(crate) fn fit(&self, name: &str, count: u64) -> Result<u32, WorkloadError> {
        u32::try_from(count).map_err(|_| self.wrong(name, "at most 4294967295"))
    }

    pub(crate) fn time(&self, name: &str) -> Span {
        Span::from_ps(self.count(name))
    }

    pub(crate) fn ratio(&self, name: &str) -> f64 {
        self.value(name).as_f64().unwrap_or(0.0)
    }

    pub(crate) fn boolean(&self, name: &str) -> bool {
        self.value(name).as_bool().unwrap_or(false)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.value(name).as_str().unwrap_or_default().to_owned()
    }

    /// A list of whole numbers; `None` if it is not given.
    pub(crate) fn counts(&self, name: &str) -> Option<Vec<u64>> {
        self.value(name)
            .as_array()
            .map(|list| list.iter().filter_map(Value::as_u64).collect())
    }

    pub(crate) fn ratios(&self, name: &str) -> Vec<f64> {
        let value = self.value(name);
        let list = value
            .as_array()
            .map(|list| list.iter().filter_map(Value::as_f64).collect());
        list.unwrap_or_default()
    }

    pub(crate) fn wrong(&self, name: &str, expected: &str) -> WorkloadError {
        WorkloadError::WrongValue {
            key: name.to_owned(),
            kind: self.kind.to_owned(),
            value: self.value(name).to_string(),
            expected: expected.to_owned(),
        }
    }

    pub(crate) fn impossible(&self, problem: String) -> WorkloadError {
        WorkloadError::Impossible {
            kind: self.kind.to_owned(),
            problem,
        }
    }
}
