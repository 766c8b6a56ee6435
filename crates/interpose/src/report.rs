//! The report of a process, as JSON.

use std::fmt::Write;

use odonata_policy::{EXTENSIONS, Mode, Observation, P_TERMS, PTerm, ROWS};

use crate::counts::Count;
use crate::steering::Steering;

/// Identity of a process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessIdentity {
    /// Name of the node.
    pub host: String,
    /// Process id.
    pub pid: u32,
    /// Rank in the job, where the launcher says it.
    pub rank: Option<u64>,
    /// File of the program.
    pub program: String,
}

/// A JSON object that is being written, on one line.
#[derive(Debug)]
pub struct JsonObject(String);

impl JsonObject {
    /// Begins the report of `library`; `problem` says why it does nothing, if so.
    #[must_use]
    pub fn new(library: &str, process: &ProcessIdentity, problem: Option<&str>) -> Self {
        let mut object = Self(format!("{{\"schema\": 1, \"library\": {}", quoted(library)));
        object.put("version", &quoted(env!("CARGO_PKG_VERSION")));
        object.put("host", &quoted(&process.host));
        object.put("pid", &process.pid.to_string());
        let rank = process.rank.map(|rank| rank.to_string());
        object.put("rank", rank.as_deref().unwrap_or("null"));
        object.put("program", &quoted(&process.program));
        object.put("problem", &problem.map_or("null".to_owned(), quoted));
        object
    }

    /// Adds a key with a value that is JSON already.
    pub fn put(&mut self, key: &str, value: &str) {
        let _ = write!(self.0, ", {}: {value}", quoted(key));
    }

    /// Adds a key with a count.
    pub fn count(&mut self, key: &str, count: &Count) {
        self.put(key, &count.get().to_string());
    }

    /// Adds a key with an object of counts, each by its name.
    pub fn counts<'a>(
        &mut self,
        key: &str,
        counts: impl IntoIterator<Item = (&'a str, &'a Count)>,
    ) {
        let texts = counts
            .into_iter()
            .map(|(name, count)| (name, count.get().to_string()));
        self.put(key, &object(texts));
    }

    /// Adds what was set, decided and done.
    pub fn describe(&mut self, steering: &Steering) {
        let (settings, counts) = (&steering.settings, &steering.counts);
        let parameters = &settings.parameters;
        self.put("plan", &quoted(settings.selection.name()));
        let extensions: Vec<String> = EXTENSIONS
            .iter()
            .filter(|(name, _)| parameters.has(name))
            .map(|(name, _)| quoted(name))
            .collect();
        self.put("extensions", &format!("[{}]", extensions.join(", ")));
        let p_term = usize::from(parameters.p_term == PTerm::Authors);
        self.put("p_term", &quoted(P_TERMS[p_term].0));
        let rows = ROWS.map(|row| (row.name, (row.get)(parameters).to_string()));
        self.put("parameters", &object(rows));
        let names = Mode::ALL.map(Mode::name);
        self.counts("messages", names.into_iter().zip(&counts.messages));
        self.counts("bytes", names.into_iter().zip(&counts.bytes));
        self.count("counter_reads", &counts.reads);
        self.count("failed_reads", &counts.failed_reads);
        self.count("contended", &counts.contended);
        self.decided(steering);
    }

    fn decided(&mut self, steering: &Steering) {
        let Some(policy) = steering.policy() else {
            return;
        };
        let done = policy.counts();
        for (key, count) in [
            ("decisions", done.decisions),
            ("small", done.small),
            ("changes", done.changes),
            ("observations", done.observations),
            ("empty_reads", done.empty),
            ("resets", done.resets),
            ("cut_losses", done.cut_losses),
        ] {
            self.put(key, &count.to_string());
        }
        self.put("latency_factor", &number(policy.factors().latency));
        self.put("stall_factor", &number(policy.factors().stalls));
        let seen = policy.seen();
        let shown = |value: Option<f64>| value.map_or("null".to_owned(), number);
        self.put(
            "last_latency_cycles",
            &shown(seen.map(Observation::latency)),
        );
        self.put(
            "last_stalls_per_flit",
            &shown(seen.map(Observation::stalls)),
        );
    }

    /// The whole object, with the end of its line.
    #[must_use]
    pub fn finish(self) -> String {
        self.0 + "}\n"
    }
}

fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "null".to_owned()
    }
}

fn object<'a>(items: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let items = items.into_iter();
    let items: Vec<String> = items
        .map(|(name, value)| format!("{}: {value}", quoted(name)))
        .collect();
    format!("{{{}}}", items.join(", "))
}

/// A text as JSON.
#[must_use]
pub fn quoted(text: &str) -> String {
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
    use odonata_policy::Units;

    use super::*;
    use crate::settings::CommonSettings;

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("a\"b\\c\n\u{e9}"), "\"a\\\"b\\\\c\\u000a\u{e9}\"");
        assert_eq!(number(f64::NAN), "null");
    }

    #[test]
    fn what_was_done_is_there() {
        let steering = Steering::new(CommonSettings::default(), Units::ARIES, None);
        let mut object = JsonObject::new("libx", &ProcessIdentity::default(), None);
        object.describe(&steering);
        let text = object.finish();
        for part in [
            "\"library\": \"libx\"",
            "\"plan\": \"application-aware\"",
            "\"extensions\": [\"settling\"]",
            "\"expiry\": 1000",
            "\"messages\": {\"adaptive-0\": 0, \"adaptive-1\": 0, \"adaptive-3\": 0}",
            "\"rank\": null",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let idle = JsonObject::new("libx", &ProcessIdentity::default(), Some("no PAPI")).finish();
        assert!(idle.ends_with("\"problem\": \"no PAPI\"}\n"));
    }
}
