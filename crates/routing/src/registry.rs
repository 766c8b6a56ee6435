//! The routing algorithms by name.

use odonata_units::spelling::hint;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::rule::{Choice, Estimate, Intermediate, Rule, VcScheme};

/// One routing algorithm of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name in scenarios.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Paper and place.
    pub source: &'static str,
    /// Defaults; the adaptive ones can be overridden by parameters.
    pub rule: Rule,
}

const MINIMAL: Rule = Rule {
    choice: Choice::Minimal,
    intermediate: Intermediate::Group,
    minimal_candidates: 1,
    nonminimal_candidates: 1,
    estimate: Estimate::Both,
    same_port_by_vc: true,
    scale: 2,
    bias: 0,
    progressive: false,
    vcs: VcScheme::Minimal,
};

const UGAL_G: Rule = Rule {
    choice: Choice::Adaptive,
    vcs: VcScheme::Group,
    ..MINIMAL
};
const UGAL_N: Rule = Rule {
    intermediate: Intermediate::Router,
    vcs: VcScheme::Router,
    ..UGAL_G
};

/// Every algorithm, in the order of listings.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "minimal",
        summary: "at most local-global-local, never adaptive between groups",
        source: "Kim, Dally, Scott, Abts 2008, section 4.1 (MIN)",
        rule: MINIMAL,
    },
    Entry {
        name: "valiant-group",
        summary: "always over a random intermediate group, minimal inside it",
        source: "Kim et al. 2008, section 4.1 (VAL)",
        rule: Rule {
            choice: Choice::NonMinimal,
            ..UGAL_G
        },
    },
    Entry {
        name: "valiant-node",
        summary: "always over a random intermediate router",
        source: "Valiant 1982; Won et al. 2015, section 2 (VALn)",
        rule: Rule {
            choice: Choice::NonMinimal,
            ..UGAL_N
        },
    },
    Entry {
        name: "ugal-g",
        summary: "minimal or over a random group, decided once at the source router",
        source: "Kang, Wang, Lan 2022, section II-B (UGALg)",
        rule: UGAL_G,
    },
    Entry {
        name: "ugal-n",
        summary: "minimal or over a random router, decided once at the source router",
        source: "Kang et al. 2022, section II-B (UGALn); Won et al. 2015",
        rule: UGAL_N,
    },
    Entry {
        name: "par",
        summary: "as ugal-n, and a minimal choice may be revised once in the source group",
        source: "Kang et al. 2022, section II-B (PAR); Jiang, Kim, Dally 2009, section 3.4",
        rule: Rule {
            progressive: true,
            vcs: VcScheme::Progressive,
            ..UGAL_N
        },
    },
    Entry {
        name: "booksim-ugal",
        summary: "UGAL-L on credits in use, threshold 30 flits, random node of the machine",
        source: "BookSim2, ugal_dragonflynew (its VC scheme is replaced by an acyclic one)",
        rule: Rule {
            intermediate: Intermediate::AnyNode,
            estimate: Estimate::InUse,
            same_port_by_vc: false,
            bias: 30,
            ..UGAL_N
        },
    },
];

/// Why a routing cannot be built.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoutingError {
    /// No entry of that name.
    #[error("no routing is called `{name}`{hint}; valid: {valid}")]
    Unknown {
        /// As given.
        name: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Every valid name.
        valid: String,
    },
    /// A parameter the entry does not have.
    #[error("routing `{algorithm}` has no parameter `{parameter}`; valid: {valid}")]
    UnknownParameter {
        /// Registry name.
        algorithm: String,
        /// As given.
        parameter: String,
        /// Its parameters.
        valid: String,
    },
    /// A value outside its range.
    #[error("routing parameter `{parameter}` must be {expected}, not {value}")]
    BadValue {
        /// Name.
        parameter: String,
        /// In words.
        expected: &'static str,
        /// As given.
        value: String,
    },
}

/// The entry called `name`.
///
/// # Errors
/// [`RoutingError::Unknown`].
pub fn entry(name: &str) -> Result<&'static Entry, RoutingError> {
    ENTRIES
        .iter()
        .find(|e| e.name == name)
        .ok_or_else(|| RoutingError::Unknown {
            name: name.to_owned(),
            hint: hint(name, ENTRIES.iter().map(|e| e.name)),
            valid: ENTRIES
                .iter()
                .map(|e| e.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
}

const PARAMETERS: [&str; 5] = [
    "scale",
    "bias",
    "estimate",
    "minimal_candidates",
    "nonminimal_candidates",
];

/// The rule of `algorithm` with `parameters` (JSON numbers and strings) in place of its defaults.
///
/// # Errors
/// [`RoutingError`]: unknown name or parameter, value out of range.
pub fn build_rule(algorithm: &str, parameters: &Map<String, Value>) -> Result<Rule, RoutingError> {
    let mut rule = entry(algorithm)?.rule;
    let valid: &[&str] = if rule.choice == Choice::Adaptive {
        &PARAMETERS
    } else {
        &[]
    };
    for (name, value) in parameters {
        if !valid.contains(&name.as_str()) {
            let valid = if valid.is_empty() {
                "none".to_owned()
            } else {
                valid.join(", ")
            };
            return Err(RoutingError::UnknownParameter {
                algorithm: algorithm.to_owned(),
                parameter: name.clone(),
                valid,
            });
        }
        set(&mut rule, name, value)?;
    }
    Ok(rule)
}

fn set(rule: &mut Rule, name: &str, value: &Value) -> Result<(), RoutingError> {
    let bad = |expected| RoutingError::BadValue {
        parameter: name.to_owned(),
        expected,
        value: value.to_string(),
    };
    let candidates = |expected| {
        let count = value.as_u64().and_then(|n| u8::try_from(n).ok());
        count
            .filter(|n| (1..=8).contains(n))
            .ok_or_else(|| bad(expected))
    };
    match name {
        "scale" => {
            let scale = value.as_u64().and_then(|n| u32::try_from(n).ok());
            rule.scale = scale
                .filter(|n| *n <= 1000)
                .ok_or_else(|| bad("0 to 1000"))?;
        }
        "bias" => {
            let bias = value.as_i64().filter(|n| n.unsigned_abs() <= 1 << 30);
            rule.bias = bias.ok_or_else(|| bad("a whole number of flits within 2^30"))?;
        }
        "estimate" => {
            rule.estimate = match value.as_str() {
                Some("queued") => Estimate::Queued,
                Some("in-use") => Estimate::InUse,
                Some("both") => Estimate::Both,
                _ => return Err(bad("`queued`, `in-use` or `both`")),
            };
        }
        "minimal_candidates" => rule.minimal_candidates = candidates("1 to 8")?,
        _ => rule.nonminimal_candidates = candidates("1 to 8")?,
    }
    Ok(())
}

/// The registry as JSON, for listings, validation and documentation.
#[must_use]
pub fn describe() -> Value {
    let entries = ENTRIES.iter().map(|e| {
        let adaptive = e.rule.choice == Choice::Adaptive;
        let estimate = match e.rule.estimate {
            Estimate::Queued => "queued",
            Estimate::InUse => "in-use",
            Estimate::Both => "both",
        };
        let parameters = serde_json::json!([
            {"name": "scale", "type": "count", "unit": "", "default": e.rule.scale,
             "doc": "non-minimal iff q_min > scale * q_nonmin + bias"},
            {"name": "bias", "type": "integer", "unit": "flits", "default": e.rule.bias,
             "doc": "added to the non-minimal side; larger means more minimal"},
            {"name": "estimate", "type": "choice", "unit": "", "default": estimate,
             "choices": ["queued", "in-use", "both"],
             "doc": "congestion of a port: flits queued here, credits in use, or their sum"},
            {"name": "minimal_candidates", "type": "count", "unit": "",
             "default": e.rule.minimal_candidates,
             "doc": "minimal candidates drawn among parallel global links"},
            {"name": "nonminimal_candidates", "type": "count", "unit": "",
             "default": e.rule.nonminimal_candidates, "doc": "non-minimal candidates drawn"},
        ]);
        serde_json::json!({
            "name": e.name,
            "summary": e.summary,
            "source": e.source,
            "parameters": if adaptive { parameters } else { serde_json::json!([]) },
            "needs": format!("{} virtual channels", e.rule.vcs.count()),
        })
    });
    Value::Array(entries.collect())
}
