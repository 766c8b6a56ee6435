//! A member of a family: routings, workloads, placements, topologies, ...

use serde_json::{Value, json};

use crate::Parameter;

/// A member of a family, as listings have it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name in scenarios.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// Parameters that can be set.
    pub parameters: &'static [Parameter],
}

impl Entry {
    /// An entry without parameters.
    #[must_use]
    pub const fn plain(name: &'static str, summary: &'static str, source: &'static str) -> Self {
        Self {
            name,
            summary,
            source,
            parameters: &[],
        }
    }

    /// Names of entries, as the choices of a parameter.
    #[must_use]
    pub const fn names<const N: usize>(entries: &[Self; N]) -> [&'static str; N] {
        let mut names = [""; N];
        let mut index = 0;
        while index < N {
            names[index] = entries[index].name;
            index += 1;
        }
        names
    }

    /// The entry for those who validate, list and document: `name`, `summary`, `source`,
    /// `parameters`.
    #[must_use]
    pub fn describe(&self) -> Value {
        let parameters = self.parameters.iter().map(Parameter::describe).collect();
        describe([self.name, self.summary, self.source], parameters)
    }
}

/// An entry by name, summary, source, and its parameters as [`Parameter::describe`] has them.
#[must_use]
pub fn describe([name, summary, source]: [&str; 3], parameters: Vec<Value>) -> Value {
    json!({"name": name, "summary": summary, "source": source, "parameters": parameters})
}
