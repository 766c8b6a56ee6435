//! The report of a process, as JSON.

use std::fmt::Write;

use odonata_policy::{EXTENSIONS, Mode, P_TERMS, PTerm, ROWS};

use crate::steering::Steering;
use crate::tally::Left;

/// Which process it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Name of the node.
    pub host: String,
    /// Process id.
    pub pid: u32,
    /// Rank in the job, where the launcher says it.
    pub rank: Option<u64>,
    /// File of the program.
    pub program: String,
}

/// A JSON object, one line; `problem` says why the library does nothing, if so.
#[must_use]
pub fn report(place: &Place, steering: Option<&Steering>, problem: Option<&str>) -> String {
    let mut text = String::from("{\"schema\": 1, \"library\": \"libodonata_aries\"");
    let mut put = |key: &str, value: &str| {
        let _ = write!(text, ", {}: {value}", quoted(key));
    };
    put("version", &quoted(env!("CARGO_PKG_VERSION")));
    put("host", &quoted(&place.host));
    put("pid", &place.pid.to_string());
    put(
        "rank",
        &place
            .rank
            .map_or("null".to_owned(), |rank| rank.to_string()),
    );
    put("program", &quoted(&place.program));
    put("problem", &problem.map_or("null".to_owned(), quoted));
    if let Some(steering) = steering {
        describe(steering, &mut put);
    }
    text.push_str("}\n");
    text
}

fn describe(steering: &Steering, put: &mut impl FnMut(&str, &str)) {
    let (settings, tally) = (&steering.settings, &steering.tally);
    let parameters = &settings.parameters;
    put("plan", &quoted(settings.plan.name()));
    let is_on = [
        parameters.damping.is_some(),
        parameters.learning_rate.is_some(),
        parameters.exploration.is_some(),
    ];
    let extensions: Vec<String> = EXTENSIONS
        .iter()
        .zip(is_on)
        .filter(|(_, is_on)| *is_on)
        .map(|((name, _), _)| quoted(name))
        .collect();
    put("extensions", &format!("[{}]", extensions.join(", ")));
    let p_term = usize::from(parameters.p_term == PTerm::Authors);
    put("p_term", &quoted(P_TERMS[p_term].0));
    put(
        "parameters",
        &object(ROWS.map(|row| (row.name, (row.get)(parameters).to_string()))),
    );
    let counts = |counts: &[crate::tally::Count; 3]| {
        object(
            [0, 1, 2]
                .map(|index: usize| (Mode::ALL[index].name(), counts[index].get().to_string())),
        )
    };
    put("messages", &counts(&tally.messages));
    put("bytes", &counts(&tally.bytes));
    let mut left = Left::ALL.into_iter().zip(&tally.left);
    let left: [_; 4] = std::array::from_fn(|_| {
        left.next()
            .map_or(("", "0".to_owned()), |((_, name), count)| {
                (name, count.get().to_string())
            })
    });
    put("left_alone", &object(left));
    put("smsg_changes", &tally.smsg_changes.get().to_string());
    put("counter_reads", &tally.reads.get().to_string());
    put("failed_reads", &tally.failed_reads.get().to_string());
    put("contended", &tally.contended.get().to_string());
    if let Some(policy) = steering.policy() {
        let done = policy.tally();
        put("decisions", &done.decisions.to_string());
        put("small", &done.small.to_string());
        put("changes", &done.changes.to_string());
        put("observations", &done.observations.to_string());
        put("empty_reads", &done.empty.to_string());
        put("resets", &done.resets.to_string());
        put("cut_losses", &done.cut_losses.to_string());
        put("latency_factor", &number(policy.factors().latency));
        put("stall_factor", &number(policy.factors().stalls));
        let seen = policy.seen();
        let shown = |value: Option<f64>| value.map_or("null".to_owned(), number);
        put(
            "last_latency_cycles",
            &shown(seen.map(odonata_policy::Observation::latency)),
        );
        put(
            "last_stalls_per_flit",
            &shown(seen.map(odonata_policy::Observation::stalls)),
        );
    }
}

fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "null".to_owned()
    }
}

fn object<const N: usize>(items: [(&str, String); N]) -> String {
    let items = items.map(|(name, value)| format!("{}: {value}", quoted(name)));
    format!("{{{}}}", items.join(", "))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"b\\c\n\u{e9}"), "\"a\\\"b\\\\c\\u000a\u{e9}\"");
        assert_eq!(number(f64::NAN), "null");
    }

    #[test]
    fn what_was_done_is_there() {
        let steering = Steering::new(Settings::default(), None);
        let text = report(&Place::default(), Some(&steering), None);
        for part in [
            "\"plan\": \"application-aware\"",
            "\"expiry\": 5",
            "\"other_mode\": 0",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let idle = report(&Place::default(), None, Some("no PAPI"));
        assert!(idle.contains("\"problem\": \"no PAPI\"") && !idle.contains("plan"));
    }
}
