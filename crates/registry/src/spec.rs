//! Values of a member of a family, by the names of its rows.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{Default, Parameter, Problem};

/// Values that a scenario gives to a member of a family, checked against its rows.
#[derive(Clone, Debug)]
pub struct Spec<'a> {
    parameters: &'static [Parameter],
    given: &'a Map<String, Value>,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Spec<'a> {
    /// Checks `given` against `parameters`. The keys `also` are left to the caller.
    ///
    /// # Errors
    /// The first unknown key, missing key or wrong value.
    pub fn new(
        parameters: &'static [Parameter],
        also: &[&'static str],
        given: &'a Map<String, Value>,
    ) -> Result<Self, Problem> {
        let own = parameters.iter().map(|one| one.name);
        let known: Vec<&str> = own.chain(also.iter().copied()).collect();
        if let Some(problem) = Problem::unknown(given.keys(), &known) {
            return Err(problem);
        }
        for parameter in parameters {
            match given.get(parameter.name) {
                Some(value) => {
                    if let Some(expected) = parameter.refusal(value) {
                        return Err(Problem::Wrong {
                            key: parameter.name.to_owned(),
                            value: value.to_string(),
                            expected,
                        });
                    }
                }
                None if parameter.default == Default::Required => {
                    return Err(Problem::Missing {
                        key: parameter.name.to_owned(),
                        meaning: parameter.meaning.to_owned(),
                    });
                }
                None => {}
            }
        }
        Ok(Self {
            parameters,
            given,
            asked: RefCell::default(),
        })
    }

    /// Rows that nobody has asked for since the values were checked.
    pub fn unread(&self) -> Vec<&'static str> {
        let asked = self.asked.borrow();
        let names = self.parameters.iter().map(|one| one.name);
        names.filter(|name| !asked.contains(name)).collect()
    }

    /// The value of a row: as given, or its default; `null` if there is neither.
    ///
    /// # Panics
    /// If there is no such row: a fault of the builder that any run of it finds.
    pub fn value(&self, name: &str) -> Value {
        let parameter = self.parameters.iter().find(|one| one.name == name);
        assert!(
            parameter.is_some(),
            "a builder asks for parameters of its own entry only, not for `{name}`"
        );
        let Some(parameter) = parameter else {
            return Value::Null;
        };
        self.asked.borrow_mut().insert(parameter.name);
        let default = || parameter.default_value();
        self.given.get(name).cloned().unwrap_or_else(default)
    }

    /// A whole number; `None` if it is not given and has no default.
    pub fn optional_count(&self, name: &str) -> Option<u64> {
        self.value(name).as_u64()
    }

    /// A whole number that has a default or must be given.
    pub fn count(&self, name: &str) -> u64 {
        self.optional_count(name).unwrap_or(0)
    }

    /// A number.
    pub fn ratio(&self, name: &str) -> f64 {
        self.value(name).as_f64().unwrap_or(0.0)
    }

    /// True or false.
    pub fn boolean(&self, name: &str) -> bool {
        self.value(name).as_bool().unwrap_or(false)
    }

    /// Text; empty if it is not given.
    pub fn text(&self, name: &str) -> String {
        self.value(name).as_str().unwrap_or_default().to_owned()
    }

    /// A list of whole numbers; `None` if it is not given.
    pub fn counts(&self, name: &str) -> Option<Vec<u64>> {
        let value = self.value(name);
        let list = value.as_array()?;
        Some(list.iter().filter_map(Value::as_u64).collect())
    }

    /// A list of numbers.
    pub fn ratios(&self, name: &str) -> Vec<f64> {
        let value = self.value(name);
        let list = value.as_array();
        list.map_or_else(Vec::new, |list| {
            list.iter().filter_map(Value::as_f64).collect()
        })
    }
}
