//! Policies: how each message of a job is sent, decided at its NIC.
//!
//! What decides is in `crates/policy`, shared with preload libraries; here stand the parameters,
//! the send modes, and how counters of the simulator are shown to it. A policy is a file in
//! `policies/` and a line in [`ENTRIES`].

use odonata_endpoint::NicCounters;
use odonata_policy::{Factors, Observation, PolicyCounts};
use odonata_registry::spelling::hint;
use odonata_registry::{Keys, Parameter, Problem, Table, describe};
use odonata_units::Span;
use serde_json::{Map, Value};

use crate::policy::interface::{
    DECIDE, Decider, Decision, Meter, PolicyEntry, Posting, RoutingPolicy, SendMode,
};

mod application_aware;
mod rows;
mod slingshot;

/// Every policy, in the order of listings.
static ENTRIES: [PolicyEntry; 2] = [application_aware::ENTRY, slingshot::ENTRY];

fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// The policy that `given` names by `kind`, with its parameters.
pub(crate) fn policy(given: &Map<String, Value>) -> Result<Box<dyn RoutingPolicy>, Problem> {
    let kind = given.get("kind").and_then(Value::as_str).unwrap_or("");
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == kind) else {
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(Problem::Wrong {
            key: "kind".to_owned(),
            value: format!("\"{kind}\""),
            expected: format!("one of {known}{}", hint(kind, names())),
        });
    };
    let mut own = given.clone();
    own.remove("kind");
    let mut table = Table::reading(&own, Keys::Plain);
    let plan = planned(entry, &mut table)?;
    table.finish()?;
    Ok(plan)
}

/// A policy by its rows; one that always uses the same send mode decides nothing.
fn planned(entry: &PolicyEntry, table: &mut Table<'_>) -> Result<Box<dyn RoutingPolicy>, Problem> {
    let plan = (entry.plan)(table)?;
    let always: String = table.read(
        Parameter::choice(
            "always",
            entry.always,
            DECIDE,
            "the way that all messages go, without decisions and readings; what regret is told \
             against",
        )
        .sparse(),
    )?;
    let send_modes = plan.send_modes();
    let fixed = send_modes.iter().position(|mode| mode.name == always);
    Ok(match fixed {
        None => plan,
        Some(send_mode) => Box::new(Always { plan, send_mode }),
    })
}

/// A policy that always uses one of its send modes.
struct Always {
    plan: Box<dyn RoutingPolicy>,
    send_mode: usize,
}

impl RoutingPolicy for Always {
    fn send_modes(&self) -> Vec<SendMode> {
        self.plan.send_modes()
    }

    fn at_nic(&self, seed: u64, meter: Meter) -> Box<dyn Decider> {
        Box::new(AlwaysAtNic {
            decider: self.plan.at_nic(seed, meter),
            send_mode: self.send_mode,
        })
    }

    fn counter_read(&self) -> Span {
        Span::ZERO
    }

    fn cycle(&self) -> Span {
        self.plan.cycle()
    }
}

/// The one send mode that is used at a NIC, and what would have decided there.
struct AlwaysAtNic {
    decider: Box<dyn Decider>,
    send_mode: usize,
}

impl Decider for AlwaysAtNic {
    fn decide(&mut self, _: &Posting) -> Decision {
        Decision {
            send_mode: self.send_mode,
            reads_counters: false,
        }
    }

    fn observe(&mut self, _: &NicCounters) {}

    fn rebase(&mut self, _: &NicCounters) {}

    fn counts(&self) -> PolicyCounts {
        self.decider.counts()
    }

    fn seen(&self) -> Option<Observation> {
        self.decider.seen()
    }

    fn factors(&self) -> Factors {
        self.decider.factors()
    }
}

/// All policies, for listings.
pub(crate) fn registry() -> Value {
    let entries = ENTRIES.iter().map(|entry| {
        let mut table = Table::listing();
        let walked = planned(entry, &mut table);
        let rows = table.finish().unwrap_or_default();
        debug_assert!(walked.is_ok(), "rows accept their own defaults");
        let mut described = describe([entry.name, entry.summary, entry.source], rows);
        described["rule"] = entry.rule.into();
        described
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::{ENTRIES, policy, registry};
    use serde_json::{Value, json};

    #[test]
    fn every_policy_is_listed_and_can_be_had() {
        let listed = registry();
        let listed = listed.as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(listed.len(), ENTRIES.len());
        for entry in listed {
            let given = json!({"kind": entry["name"]});
            let given = given.as_object().cloned().unwrap_or_default();
            let plan = policy(&given).map_err(|problem| problem.to_string());
            assert!(plan.is_ok(), "{:?}", plan.err());
            let send_modes = plan.map_or_else(|_| Vec::new(), |plan| plan.send_modes());
            let names: Vec<_> = send_modes.iter().map(|mode| mode.name).collect();
            let listed = ENTRIES.iter().find(|one| entry["name"] == one.name);
            assert_eq!(Some(&names[..]), listed.map(|one| &one.always[1..]));
            assert!(entry["rule"].as_str().is_some_and(|rule| rule.len() > 40));
            for row in entry["parameters"].as_array().into_iter().flatten() {
                let mut given = given.clone();
                given.insert("no such key".to_owned(), Value::Null);
                assert!(policy(&given).is_err());
                assert!(!row["doc"].as_str().unwrap_or("").is_empty(), "{row}");
            }
        }
        let wrong = json!({"kind": "aplication-aware"});
        let message = policy(wrong.as_object().unwrap_or(&serde_json::Map::new()));
        let message = message.map(|_| ()).map_err(|problem| problem.to_string());
        assert!(message.is_err_and(|text| text.contains("application-aware")));
    }
}
