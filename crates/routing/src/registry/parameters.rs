//! Parameters of algorithms: values in, values out.

use serde_json::{Value, json};

use crate::error::RoutingError;
use crate::mode::Algorithm;
use crate::rule::{Estimate, Rule};

/// What a parameter without a line in [`meaning`] is: the contract test `the_description_is_true`
/// finds it, and one without a line in [`get`] or [`set`].
const NOWHERE: (&str, &str, &str) = ("", "", "");

/// What a parameter is: type, unit, and a line of documentation.
pub(super) fn meaning(name: &str) -> (&'static str, &'static str, &'static str) {
    match name {
        "scale" => (
            "count",
            "",
            "non-minimal iff q_min > scale * q_nonmin + bias",
        ),
        "bias" => (
            "integer",
            "flits",
            "added to the non-minimal side; larger means more minimal",
        ),
        "bias_step" => (
            "integer",
            "flits",
            "added to the bias for each router of the source group behind the packet",
        ),
        "threshold" => (
            "count",
            "flits",
            "minimal without a comparison up to this congestion; bytes of a buffer divided by the flit size",
        ),
        "estimate" => (
            "choice",
            "",
            "congestion of a port: flits queued here, credits in use, or their sum",
        ),
        "minimal_candidates" => (
            "count",
            "",
            "minimal candidates drawn among parallel global links",
        ),
        "nonminimal_candidates" => ("count", "", "non-minimal candidates drawn"),
        "global_candidates" => (
            "count",
            "",
            "global ports drawn at a router with links to the group (dragonfly, megafly)",
        ),
        "source_leaf_consider_nonmin" => (
            "boolean",
            "",
            "a leaf of the source group may go non-minimally (megafly); else its spine decides",
        ),
        "int_spine_consider_min" => (
            "boolean",
            "",
            "an intermediate spine may take its own link to the target group (megafly); else down first",
        ),
        "learning_rate_good" => ("ratio", "", "weight of a time shorter than the estimate"),
        "learning_rate_bad" => ("ratio", "", "weight of a time longer than the estimate"),
        "epsilon" => ("ratio", "", "probability of a random port at a decision"),
        "threshold_source" => (
            "ratio",
            "",
            "share of the minimal estimate that another port must save at the source router",
        ),
        "threshold_intermediate" => (
            "ratio",
            "",
            "the same at the first router of an intermediate group",
        ),
        "global_ns" => (
            "count",
            "ns",
            "first estimate of a global link: its latency",
        ),
        "local_ns" => ("count", "ns", "first estimate of a local link: its latency"),
        _ => NOWHERE,
    }
}

/// Names of estimates.
pub(super) const ESTIMATES: [(&str, Estimate); 3] = [
    ("queued", Estimate::Queued),
    ("in-use", Estimate::InUse),
    ("both", Estimate::Both),
];

/// The value of parameter `name`.
pub(super) fn get(algorithm: &Algorithm, name: &str) -> Value {
    match algorithm {
        Algorithm::Rule(rule) => get_of_rule(rule, name),
        Algorithm::Ports(ports) => match name {
            "global_candidates" => json!(ports.global_candidates),
            "source_leaf_consider_nonmin" => json!(ports.source_leaf_nonminimal),
            "int_spine_consider_min" => json!(ports.spine_minimal),
            name => get_of_rule(&ports.rule, name),
        },
        Algorithm::QAdaptive(learner) => match name {
            "learning_rate_good" => json!(learner.rates.good),
            "learning_rate_bad" => json!(learner.rates.bad),
            "epsilon" => json!(learner.epsilon),
            "threshold_source" => json!(learner.threshold_source),
            "threshold_intermediate" => json!(learner.threshold_intermediate),
            "global_ns" => json!(learner.global_ns),
            "local_ns" => json!(learner.local_ns),
            _ => Value::Null,
        },
    }
}

fn get_of_rule(rule: &Rule, name: &str) -> Value {
    match name {
        "scale" => json!(rule.scale),
        "bias" => json!(rule.bias),
        "bias_step" => json!(rule.bias_step),
        "threshold" => json!(rule.threshold),
        "minimal_candidates" => json!(rule.minimal_candidates),
        "nonminimal_candidates" => json!(rule.nonminimal_candidates),
        "estimate" => {
            let known = ESTIMATES.iter().find(|(_, one)| *one == rule.estimate);
            json!(known.map(|(name, _)| name))
        }
        _ => Value::Null,
    }
}

/// Puts `value` in the place of parameter `name`.
pub(super) fn set(
    algorithm: &mut Algorithm,
    name: &str,
    value: &Value,
) -> Result<(), RoutingError> {
    let given = Given { name, value };
    match algorithm {
        Algorithm::Rule(rule) => return set_of_rule(rule, given),
        Algorithm::Ports(ports) => match name {
            "global_candidates" => ports.global_candidates = given.candidates()?,
            "source_leaf_consider_nonmin" => ports.source_leaf_nonminimal = given.boolean()?,
            "int_spine_consider_min" => ports.spine_minimal = given.boolean()?,
            _ => return set_of_rule(&mut ports.rule, given),
        },
        Algorithm::QAdaptive(learner) => match name {
            "learning_rate_good" => learner.rates.good = given.ratio()?,
            "learning_rate_bad" => learner.rates.bad = given.ratio()?,
            "epsilon" => learner.epsilon = given.ratio()?,
            "threshold_source" => learner.threshold_source = given.ratio()?,
            "threshold_intermediate" => learner.threshold_intermediate = given.ratio()?,
            "global_ns" => learner.global_ns = given.nanoseconds()?,
            "local_ns" => learner.local_ns = given.nanoseconds()?,
            _ => return Err(given.bad("left out: nothing reads it")),
        },
    }
    Ok(())
}

fn set_of_rule(rule: &mut Rule, given: Given<'_>) -> Result<(), RoutingError> {
    match given.name {
        "scale" => rule.scale = given.at_most(1_000, "0 to 1000")?,
        "bias" => rule.bias = given.flits()?,
        "bias_step" => rule.bias_step = given.flits()?,
        "threshold" => rule.threshold = given.at_most(1 << 30, "0 to 2^30 flits")?,
        "minimal_candidates" => rule.minimal_candidates = given.candidates()?,
        "nonminimal_candidates" => rule.nonminimal_candidates = given.candidates()?,
        "estimate" => {
            let known = ESTIMATES
                .iter()
                .find(|(name, _)| given.value.as_str() == Some(name));
            rule.estimate = known
                .map(|(_, estimate)| *estimate)
                .ok_or_else(|| given.bad("`queued`, `in-use` or `both`"))?;
        }
        _ => return Err(given.bad("left out: nothing reads it")),
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Given<'a> {
    name: &'a str,
    value: &'a Value,
}

impl Given<'_> {
    fn bad(&self, expected: &'static str) -> RoutingError {
        RoutingError::BadValue {
            parameter: self.name.to_owned(),
            expected,
            value: self.value.to_string(),
        }
    }

    fn at_most(&self, most: u32, expected: &'static str) -> Result<u32, RoutingError> {
        let number = self.value.as_u64().and_then(|n| u32::try_from(n).ok());
        number
            .filter(|n| *n <= most)
            .ok_or_else(|| self.bad(expected))
    }

    fn flits(&self) -> Result<i64, RoutingError> {
        let flits = self.value.as_i64().filter(|n| n.unsigned_abs() <= 1 << 30);
        flits.ok_or_else(|| self.bad("a whole number of flits within 2^30"))
    }

    fn candidates(&self) -> Result<u8, RoutingError> {
        let count = self.value.as_u64().and_then(|n| u8::try_from(n).ok());
        count
            .filter(|n| (1..=8).contains(n))
            .ok_or_else(|| self.bad("1 to 8"))
    }

    fn boolean(&self) -> Result<bool, RoutingError> {
        self.value
            .as_bool()
            .ok_or_else(|| self.bad("true or false"))
    }

    fn ratio(&self) -> Result<f64, RoutingError> {
        let ratio = self.value.as_f64().filter(|n| (0.0..=1.0).contains(n));
        ratio.ok_or_else(|| self.bad("0 to 1"))
    }

    fn nanoseconds(&self) -> Result<u32, RoutingError> {
        self.at_most(1_000_000_000, "0 to 10^9 ns")
    }
}
