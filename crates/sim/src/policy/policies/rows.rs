//! The parameters of Algorithm 1 as rows: those of `crates/policy`, with the units of scenarios.

use odonata_policy::{EXTENSIONS, P_TERMS, Parameters, ROWS, Row};
use odonata_registry::{Default, Kind, Parameter, Problem, Table};

/// Names of what can be switched on.
const NAMES: [&str; EXTENSIONS.len()] = {
    let mut names = [""; EXTENSIONS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = EXTENSIONS[index].0;
        index += 1;
    }
    names
};

/// Asks `table` for the parameters of Algorithm 1 and its extensions.
///
/// The seed of exploration is that of the NIC, which nobody knows yet.
pub(super) fn parameters(table: &mut Table<'_>) -> Result<Parameters, Problem> {
    let choices: Vec<(&'static str, &'static str)> =
        P_TERMS.iter().map(|(name, _)| (*name, *name)).collect();
    let p_term = table.choice(
        Parameter::choice(
            "p_term",
            &[],
            "paper",
            "latencies that a message waits for: (p + 512) / 1024, or as the authors' library has it",
        )
        .source("De Sensi et al. 2019, Eq. 2"),
        &choices,
    )?;
    let extensions: Option<Vec<String>> = table.read(Parameter::derived(
        "extensions",
        Kind::Choices(&NAMES),
        "what goes beyond the paper; default: settling, and nothing for the text of Algorithm 1",
    ))?;
    let mut found = extensions
        .as_ref()
        .map_or_else(Parameters::default, |_| Parameters::PAPER);
    let known = found.choose_p_term(p_term);
    debug_assert!(known.is_ok(), "the choices are the names");
    for name in extensions.iter().flatten() {
        found.extend(name, 0).map_err(|refusal| Problem::Wrong {
            key: "extensions".to_owned(),
            value: format!("\"{name}\""),
            expected: format!("some of {}: {refusal}", NAMES.join(", ")),
        })?;
    }
    for row in &ROWS {
        let default = (row.get)(&found);
        let value = number(table, row, default)?;
        let is_default = value.to_bits() == default.to_bits();
        if is_default {
            continue;
        }
        found
            .set(row.name, value)
            .map_err(|refusal| Problem::Wrong {
                key: row.name.to_owned(),
                value: value.to_string(),
                expected: format!("left out, because it {refusal}"),
            })?;
    }
    Ok(found)
}

/// The value of a row, whole or not.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the row says that it is a whole number from 0 to 2^53"
)]
fn number(table: &mut Table<'_>, row: &Row, default_value: f64) -> Result<f64, Problem> {
    let kind = match (row.unit, row.whole) {
        ("B", _) => Kind::Bytes,
        (_, true) => Kind::Count,
        (_, false) => Kind::Number,
    };
    let default = if row.whole {
        Default::Count(default_value as u64)
    } else {
        Default::Number(default_value)
    };
    let described = Parameter::new(row.name, kind, default, row.meaning)
        .unit(if kind == Kind::Bytes { "" } else { row.unit })
        .within(row.least, row.most)
        .source(row.source);
    if row.follows {
        let value: Option<u64> = table.read(Parameter {
            default: Default::Derived,
            ..described
        })?;
        return Ok(value.map_or(default_value, |value| value as f64));
    }
    if row.whole {
        let value: u64 = table.read(described)?;
        return Ok(value as f64);
    }
    table.read(described)
}
