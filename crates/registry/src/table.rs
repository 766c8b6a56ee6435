//! Tables of a scenario whose rows stand where their values are used.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::{Default, Parameter, Problem};

/// How the keys of a resolved table are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// As in scenarios.
    Plain,
    /// With the unit of a quantity as suffix: `latency_ps`.
    WithUnits,
}

/// A table of a scenario. It is walked through by one function, which asks for one value after the
/// other, each by its row. Walking with values reads them; walking without lists the rows. A row
/// can therefore neither be left unread nor be described apart from its use.
#[derive(Debug)]
pub struct Table<'a> {
    keys: Keys,
    given: Option<&'a Map<String, Value>>,
    names: Vec<String>,
    rows: Vec<Value>,
}

impl<'a> Table<'a> {
    /// A table to read from.
    #[must_use]
    pub const fn reading(given: &'a Map<String, Value>, keys: Keys) -> Self {
        Self {
            keys,
            given: Some(given),
            names: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// A table that collects its rows; what it reads are defaults, or the least that is valid.
    #[must_use]
    pub const fn listing() -> Self {
        Self {
            keys: Keys::Plain,
            given: None,
            names: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The value of a row; `T` is an `Option` where the default is [`Default::Derived`].
    ///
    /// # Errors
    /// It is missing, of the wrong type, or out of range.
    pub fn read<T: DeserializeOwned>(&mut self, row: Parameter) -> Result<T, Problem> {
        let described = row.describe();
        self.row(row, described)
    }

    /// The one of `values` that a row names; they are its choices.
    ///
    /// # Errors
    /// As [`Table::read`].
    pub fn choice<T: Copy>(
        &mut self,
        row: Parameter,
        values: &[(&'static str, T)],
    ) -> Result<T, Problem> {
        let names: Vec<_> = values.iter().map(|(name, _)| *name).collect();
        let mut described = row.describe();
        described["choices"] = json!(names);
        let given: String = self.row(row, described)?;
        let found = values.iter().find(|(name, _)| *name == given);
        let first = || self.given.is_none().then(|| values.first()).flatten();
        let (_, value) = found.or_else(first).ok_or_else(|| {
            let near = crate::spelling::hint(&given, names.iter().copied());
            Problem::Wrong {
                key: row.name.to_owned(),
                value: format!("\"{given}\""),
                expected: format!("one of {}{near}", names.join(", ")),
            }
        })?;
        Ok(*value)
    }

    /// Says more of the last row read, to those who list it.
    pub fn say(&mut self, key: &str, value: Value) {
        if let Some(row) = self.rows.last_mut() {
            row[key] = value;
        }
    }

    fn row<T: DeserializeOwned>(&mut self, row: Parameter, described: Value) -> Result<T, Problem> {
        let suffix = match self.keys {
            Keys::Plain => "",
            Keys::WithUnits => row.kind.suffix(),
        };
        let key = format!("{}{suffix}", row.name);
        self.rows.push(described);
        let given = self.given.map(|given| given.get(&key));
        self.names.push(key);
        let value = match given {
            None => sample(&row),
            Some(Some(Value::Null)) if row.default == Default::Derived => Value::Null,
            Some(Some(value)) => {
                if let Some(expected) = row.refusal(value).filter(|_| !is_named(&row)) {
                    return Err(wrong(&row, value, expected));
                }
                value.clone()
            }
            Some(None) if row.default == Default::Required => {
                return Err(Problem::Missing {
                    key: row.name.to_owned(),
                    meaning: row.meaning.to_owned(),
                });
            }
            Some(None) => row.default_value(),
        };
        serde_json::from_value(value.clone())
            .map_err(|error| wrong(&row, &value, error.to_string()))
    }

    /// Ends the walk.
    ///
    /// # Errors
    /// A key that no row has, with the nearest spelling.
    pub fn finish(self) -> Result<Vec<Value>, Problem> {
        let known: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let keys = self.given.into_iter().flat_map(Map::keys);
        match Problem::unknown(keys, &known) {
            Some(problem) => Err(problem),
            None => Ok(self.rows),
        }
    }
}

/// Whether the choices of a row come with its values, in [`Table::choice`].
fn is_named(row: &Parameter) -> bool {
    row.kind.choices().is_some_and(<[&str]>::is_empty)
}

fn wrong(row: &Parameter, value: &Value, expected: String) -> Problem {
    Problem::Wrong {
        key: row.name.to_owned(),
        value: value.to_string(),
        expected,
    }
}

/// A valid value for a walk without values.
fn sample(row: &Parameter) -> Value {
    use crate::Kind;
    match (row.default, row.kind) {
        (Default::Required, Kind::Choice(names)) => json!(names.first().copied().unwrap_or("")),
        (Default::Required, Kind::Text | Kind::Path) => json!(""),
        (Default::Required, Kind::Boolean) => json!(false),
        (Default::Required, Kind::Number) => json!(row.least.unwrap_or(0.0)),
        (Default::Required, Kind::Choices(_) | Kind::Counts | Kind::Numbers | Kind::List) => {
            json!([])
        }
        (Default::Required, _) => row.describe()["minimum"].as_u64().unwrap_or(0).into(),
        _ => row.default_value(),
    }
}

/// What is made of a table by walking through it.
pub trait Rows: Sized {
    /// Asks `table` for every value, each by its row.
    ///
    /// # Errors
    /// The first value that is missing or wrong.
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem>;
}

/// Reads a resolved table.
///
/// # Errors
/// The first value that is missing or wrong, or a key that no row has.
pub fn read<T: Rows>(given: &Map<String, Value>, keys: Keys) -> Result<T, Problem> {
    let mut table = Table::reading(given, keys);
    let read = T::rows(&mut table)?;
    table.finish()?;
    Ok(read)
}

/// The rows of a table.
///
/// # Panics
/// If a row does not accept its own default: a fault that any test finds.
#[must_use]
pub fn list<T: Rows>() -> Vec<Value> {
    let mut table = Table::listing();
    let walked = T::rows(&mut table);
    assert!(walked.is_ok(), "rows accept their own defaults");
    table.rows
}

/// What is made of a table that gives nothing.
///
/// # Errors
/// If a row must be given.
pub fn defaults<T: Rows>() -> Result<T, Problem> {
    read(&Map::new(), Keys::Plain)
}
