//! Parameters of algorithms: a row for each, with the field that holds its value.

use odonata_registry::{Kind, Parameter};
use serde_json::{Value, json};

use crate::error::RoutingError;
use crate::mode::Algorithm;
use crate::rule::{Estimate, Ordered, Rule, Scope, Weights};

/// A parameter: what is said of it, and where its value is. Its default is the value there.
pub(super) struct Row {
    parameter: Parameter,
    field: fn(&mut Algorithm) -> Option<Field<'_>>,
}

/// Where the value of a parameter is.
enum Field<'a> {
    Small(&'a mut u8),
    Count(&'a mut u32),
    Flits(&'a mut i64),
    Fraction(&'a mut f64),
    Flag(&'a mut bool),
    Estimate(&'a mut Estimate),
    Weights(&'a mut Weights),
    Ordered(&'a mut Ordered),
    Scope(&'a mut Scope),
}

/// Names of estimates.
const ESTIMATES: [(&str, Estimate); 4] = [
    ("queued", Estimate::Queued),
    ("in-use", Estimate::InUse),
    ("both", Estimate::Both),
    ("backlog", Estimate::Backlog),
];
const ESTIMATE_NAMES: [&str; 4] = [
    ESTIMATES[0].0,
    ESTIMATES[1].0,
    ESTIMATES[2].0,
    ESTIMATES[3].0,
];

/// Names of weights.
const WEIGHTS: [(&str, Weights); 2] = [("scale", Weights::Scale), ("hops", Weights::Hops)];
const WEIGHT_NAMES: [&str; 2] = [WEIGHTS[0].0, WEIGHTS[1].0];

/// Names of what is ordered.
const ORDERED: [(&str, Ordered); 3] = [
    ("none", Ordered::None),
    ("eager", Ordered::Eager),
    ("all", Ordered::All),
];
const ORDERED_NAMES: [&str; 3] = [ORDERED[0].0, ORDERED[1].0, ORDERED[2].0];

/// Names of scopes.
const SCOPES: [(&str, Scope); 2] = [("global", Scope::Global), ("everywhere", Scope::Everywhere)];
const SCOPE_NAMES: [&str; 2] = [SCOPES[0].0, SCOPES[1].0];

/// The rule of an algorithm that has one.
const fn rule(algorithm: &mut Algorithm) -> Option<&mut Rule> {
    match algorithm {
        Algorithm::Rule(rule) => Some(rule),
        Algorithm::Ports(ports) => Some(&mut ports.rule),
        Algorithm::QAdaptive(_) => None,
    }
}

/// A row whose field is in `Rule`.
macro_rules! of_rule {
    ($field:ident: $variant:ident, $kind:expr, $meaning:literal) => {
        Row {
            parameter: Parameter::derived(stringify!($field), $kind, $meaning),
            field: |algorithm| Some(Field::$variant(&mut rule(algorithm)?.$field)),
        }
    };
}

/// A row whose field is in another variant of `Algorithm`.
macro_rules! of_variant {
    ($owner:ident.$($field:ident).+: $variant:ident, $name:literal, $kind:expr, $meaning:literal) => {
        Row {
            parameter: Parameter::derived($name, $kind, $meaning),
            field: |algorithm| match algorithm {
                Algorithm::$owner(owner) => Some(Field::$variant(&mut owner.$($field).+)),
                _ => None,
            },
        }
    };
}

/// A row whose field is in `Spray`.
macro_rules! of_spray {
    ($field:ident, $meaning:literal) => {
        Row {
            parameter: Parameter::derived(stringify!($field), Kind::Count, $meaning),
            field: |algorithm| {
                let spray = rule(algorithm)?.spray.as_mut()?;
                Some(Field::Count(&mut spray.$field))
            },
        }
    };
}

impl Row {
    const fn at_most(mut self, most: u64) -> Self {
        self.parameter = self.parameter.at_most(most);
        self
    }

    const fn within(mut self, least: f64, most: f64) -> Self {
        self.parameter = self.parameter.within(least, most);
        self
    }

    /// Scenarios that leave it at its default do not mention it.
    const fn sparse(mut self) -> Self {
        self.parameter = self.parameter.sparse();
        self
    }

    const fn unit(mut self, unit: &'static str) -> Self {
        self.parameter = self.parameter.unit(unit);
        self
    }

    /// As [`Parameter::describe`], with the value in `algorithm` as default.
    pub(super) fn describe(&self, mut algorithm: Algorithm) -> Value {
        let mut row = self.parameter.describe();
        row["default"] = (self.field)(&mut algorithm).map_or(Value::Null, |field| field.get());
        row
    }

    /// Puts `value` into `algorithm`.
    pub(super) fn set(&self, algorithm: &mut Algorithm, value: &Value) -> Result<(), RoutingError> {
        let refusal = self.parameter.refusal(value);
        let field = (self.field)(algorithm).filter(|_| refusal.is_none());
        field
            .and_then(|field| field.set(value))
            .ok_or_else(|| RoutingError::BadValue {
                parameter: self.parameter.name.to_owned(),
                expected: refusal.unwrap_or_else(|| "one of those that `show` lists".to_owned()),
                value: value.to_string(),
            })
    }
}

impl Field<'_> {
    fn get(self) -> Value {
        match self {
            Self::Small(count) => json!(count),
            Self::Count(count) => json!(count),
            Self::Flits(flits) => json!(flits),
            Self::Fraction(fraction) => json!(fraction),
            Self::Flag(flag) => json!(flag),
            Self::Estimate(estimate) => {
                let known = ESTIMATES.iter().find(|(_, one)| one == estimate);
                json!(known.map(|(name, _)| name))
            }
            Self::Weights(weights) => {
                let known = WEIGHTS.iter().find(|(_, one)| one == weights);
                json!(known.map(|(name, _)| name))
            }
            Self::Ordered(ordered) => {
                let known = ORDERED.iter().find(|(_, one)| one == ordered);
                json!(known.map(|(name, _)| name))
            }
            Self::Scope(scope) => {
                let known = SCOPES.iter().find(|(_, one)| one == scope);
                json!(known.map(|(name, _)| name))
            }
        }
    }

    /// `None` if `value` does not fit, which the range of a row excludes.
    fn set(self, value: &Value) -> Option<()> {
        match self {
            Self::Small(count) => *count = u8::try_from(value.as_u64()?).ok()?,
            Self::Count(count) => *count = u32::try_from(value.as_u64()?).ok()?,
            Self::Flits(flits) => *flits = value.as_i64()?,
            Self::Fraction(fraction) => *fraction = value.as_f64()?,
            Self::Flag(flag) => *flag = value.as_bool()?,
            Self::Estimate(estimate) => {
                let name = value.as_str()?;
                *estimate = ESTIMATES.iter().find(|(known, _)| *known == name)?.1;
            }
            Self::Weights(weights) => {
                let name = value.as_str()?;
                *weights = WEIGHTS.iter().find(|(known, _)| *known == name)?.1;
            }
            Self::Ordered(ordered) => {
                let name = value.as_str()?;
                *ordered = ORDERED.iter().find(|(known, _)| *known == name)?.1;
            }
            Self::Scope(scope) => {
                let name = value.as_str()?;
                *scope = SCOPES.iter().find(|(known, _)| *known == name)?.1;
            }
        }
        Some(())
    }
}

/// Flits that a comparison can deal with.
const FLITS: f64 = (1 << 30) as f64;

/// Every parameter of every algorithm; which of them an algorithm has, its entry says.
pub(super) const ROWS: &[Row] = &[
    of_rule!(scale: Count, Kind::Count, "non-minimal iff q_min > scale * q_nonmin + bias")
        .at_most(1_000),
    of_rule!(
        weights: Weights,
        Kind::Choice(&WEIGHT_NAMES),
        "of the two sides: 1 and `scale`, or the hops of each path from here on (then `scale` is not read)"
    )
    .sparse(),
    of_rule!(bias: Flits, Kind::Integer, "added to the non-minimal side; larger means more minimal")
        .unit("flits")
        .within(-FLITS, FLITS),
    of_rule!(
        bias_packets: Flits,
        Kind::Integer,
        "added to the non-minimal side, in full packets of the system"
    )
    .unit("packets")
    .within(-10_000.0, 10_000.0)
    .sparse(),
    of_rule!(
        bias_percent: Flits,
        Kind::Integer,
        "added to the non-minimal side, percent of it: \"5 % away from minimal\" is -5"
    )
    .unit("%")
    .within(-100.0, 10_000.0)
    .sparse(),
    of_rule!(
        bias_step: Flits,
        Kind::Integer,
        "added to the bias for each router of the source group behind the packet"
    )
    .unit("flits")
    .within(-FLITS, FLITS),
    of_rule!(
        threshold: Count,
        Kind::Count,
        "minimal without a comparison up to this congestion; bytes of a buffer divided by the flit \
         size"
    )
    .unit("flits")
    .at_most(1 << 30),
    of_rule!(
        estimate: Estimate,
        Kind::Choice(&ESTIMATE_NAMES),
        "congestion of a port: flits queued here, credits in use, their sum, or the sum less the \
         credits of the link's round trip"
    ),
    of_rule!(
        minimal_candidates: Small,
        Kind::Count,
        "minimal candidates drawn among parallel global links"
    )
    .within(1.0, 8.0),
    of_rule!(nonminimal_candidates: Small, Kind::Count, "non-minimal candidates drawn")
        .within(1.0, 8.0),
    of_rule!(
        ordered: Ordered,
        Kind::Choice(&ORDERED_NAMES),
        "packets that follow the one before in their flow: none, those of eager messages and of \
         protocol headers of MPI, or all"
    )
    .sparse(),
    of_rule!(
        flow_gap_ns: Count,
        Kind::Count,
        "an ordered packet decides anew if it comes this long after the one before"
    )
    .unit("ns")
    .at_most(1_000_000_000)
    .sparse(),
    of_rule!(
        scope: Scope,
        Kind::Choice(&SCOPE_NAMES),
        "packets that have a choice: those that leave their group, or also those inside it, which \
         then may visit another router of the group"
    )
    .sparse(),
    of_variant!(
        Ports.global_candidates: Small, "global_candidates", Kind::Count,
        "global ports drawn at a router with links to the group (dragonfly, megafly)"
    )
    .within(1.0, 8.0),
    of_variant!(
        Ports.source_leaf_nonminimal: Flag, "source_leaf_consider_nonmin", Kind::Boolean,
        "a leaf of the source group may go non-minimally (megafly); else its spine decides"
    ),
    of_variant!(
        Ports.spine_minimal: Flag, "int_spine_consider_min", Kind::Boolean,
        "an intermediate spine may take its own link to the target group (megafly); else down first"
    ),
    of_spray!(
        minimal_percent,
        "weight of the minimal path where no path was marked, of that of all others together"
    )
    .unit("%")
    .at_most(1_000),
    of_spray!(top_score, "highest score of a path; an acknowledgement without a mark adds 1")
        .within(1.0, 1_000.0),
    of_spray!(mark_cut, "what an acknowledgement with a mark takes off the score of its path")
        .unit("%")
        .at_most(100),
    of_variant!(
        QAdaptive.rates.good: Fraction, "learning_rate_good", Kind::Number,
        "weight of a time shorter than the estimate"
    )
    .within(0.0, 1.0),
    of_variant!(
        QAdaptive.rates.bad: Fraction, "learning_rate_bad", Kind::Number,
        "weight of a time longer than the estimate"
    )
    .within(0.0, 1.0),
    of_variant!(
        QAdaptive.epsilon: Fraction, "epsilon", Kind::Number,
        "probability of a random port at a decision"
    )
    .within(0.0, 1.0),
    of_variant!(
        QAdaptive.threshold_source: Fraction, "threshold_source", Kind::Number,
        "share of the minimal estimate that another port must save at the source router"
    )
    .within(0.0, 1.0),
    of_variant!(
        QAdaptive.threshold_intermediate: Fraction, "threshold_intermediate", Kind::Number,
        "the same at the first router of an intermediate group"
    )
    .within(0.0, 1.0),
    of_variant!(
        QAdaptive.global_ns: Count, "global_ns", Kind::Count,
        "first estimate of a global link: its latency"
    )
    .unit("ns")
    .at_most(1_000_000_000),
    of_variant!(
        QAdaptive.local_ns: Count, "local_ns", Kind::Count,
        "first estimate of a local link: its latency"
    )
    .unit("ns")
    .at_most(1_000_000_000),
];

/// Parameters of an algorithm that compares paths over a router that is visited.
pub(super) const VISITED: &[&str] = &[
    "scale",
    "weights",
    "bias",
    "bias_packets",
    "bias_percent",
    "estimate",
    "minimal_candidates",
    "nonminimal_candidates",
    "ordered",
    "flow_gap_ns",
    "scope",
];

/// Parameters of an algorithm that compares paths over a group, which only packets that leave
/// theirs have.
pub(super) const COMPARED: &[&str] = VISITED.split_at(VISITED.len() - 1).0;

/// The row called `name`.
pub(super) fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.parameter.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ROWS, SCOPE_NAMES, row};
    use crate::registry::ENTRIES;

    #[test]
    fn every_row_has_a_field_in_every_algorithm_that_lists_it() {
        let mut listed = BTreeSet::new();
        for entry in ENTRIES {
            for name in entry.parameters {
                let row = row(name).unwrap();
                let mut algorithm = entry.algorithm;
                let field = (row.field)(&mut algorithm);
                assert!(field.is_some(), "`{name}` of {}", entry.name);
                listed.insert(row.parameter.name);
            }
        }
        let rows: Vec<_> = ROWS.iter().map(|row| row.parameter.name).collect();
        let known: BTreeSet<_> = rows.iter().copied().collect();
        assert_eq!(known.len(), rows.len(), "a name stands twice");
        assert_eq!(listed, known, "a row that no algorithm has");
    }

    /// Two rows that share a field: one of them is not read.
    #[test]
    fn every_row_has_a_field_of_its_own() {
        for entry in ENTRIES {
            for name in entry.parameters {
                let row = row(name).unwrap();
                let before = entry.algorithm;
                let old = row.describe(before)["default"].clone();
                let others = [0_usize, 1, 2, 3, 4].map(|number| {
                    [
                        serde_json::json!(number),
                        serde_json::json!(number > 0),
                        serde_json::json!(["queued", "in-use", "both"][number.min(2)]),
                        serde_json::json!(["scale", "hops"][number.min(1)]),
                        serde_json::json!(["none", "eager", "all"][number.min(2)]),
                        serde_json::json!(SCOPE_NAMES[number.min(1)]),
                        serde_json::json!(f64::from(u8::try_from(number).unwrap()) / 5.0),
                    ]
                });
                let new = others
                    .as_flattened()
                    .iter()
                    .find(|one| **one != old && row.parameter.refusal(one).is_none());
                let mut after = before;
                row.set(&mut after, new.unwrap()).unwrap();
                for other in entry.parameters.iter().filter(|other| *other != name) {
                    let other = super::row(other).unwrap();
                    assert_eq!(other.describe(before), other.describe(after), "{name}");
                }
            }
        }
    }
}
