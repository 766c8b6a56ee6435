//! The registry as JSON.

use serde_json::{Map, Value, json};

use super::{ENTRIES, Entry, former_name, parameters};
use crate::ladder::{Ladder, VcScheme};
use crate::mode::Algorithm;

/// The registry as JSON, for listings, validation and documentation.
#[must_use]
pub fn describe() -> Value {
    let entries = ENTRIES.iter().map(|entry| {
        let rows = entry
            .parameters
            .iter()
            .filter_map(|name| parameters::row(name));
        let parameters = rows.map(|row| row.describe(entry.algorithm));
        let counts = virtual_channels(entry);
        let first = entry
            .families
            .first()
            .and_then(|family| counts.get(*family));
        let count = first.and_then(Value::as_u64).unwrap_or(1);
        json!({
            "name": entry.name,
            "former_name": former_name(entry.name),
            "summary": entry.summary,
            "source": entry.source,
            "rule": entry.words,
            "families": entry.families,
            "virtual_channels": counts,
            "deadlock": deadlock(entry),
            "parameters": parameters.collect::<Vec<_>>(),
            "needs": format!("{count} virtual channels"),
        })
    });
    Value::Array(entries.collect())
}

/// Virtual channels on undamaged systems, per family; for networks given by their channels they
/// follow from the longest path.
fn virtual_channels(entry: &Entry) -> Map<String, Value> {
    let scheme = entry.algorithm.scheme();
    let mut counts = Map::new();
    for family in entry.families {
        let ladder = match *family {
            "aries" => match &entry.algorithm {
                Algorithm::Ports(ports) => Ladder::by_legs(ports.on_aries().vcs, 2, 0),
                Algorithm::Rule(_) | Algorithm::QAdaptive(_) => Ladder::by_legs(scheme, 2, 0),
            },
            "megafly" => Ladder::by_turns(scheme, 0, 0),
            "dragonfly" => Ladder::by_legs(scheme, 1, 0),
            _ => None,
        };
        if let Some(ladder) = ladder {
            counts.insert((*family).to_owned(), json!(ladder.count()));
        }
    }
    counts
}

fn deadlock(entry: &Entry) -> String {
    if entry.algorithm.scheme() == VcScheme::Hops {
        return "The VC is the number of hops between routers so far, and no packet has more than five: \
                it only ever waits for a channel of a higher VC."
            .to_owned();
    }
    let mut text = "Dragonfly, Aries: the VC follows the leg of the path and, inside a leg, the local hop; a \
                    packet only waits for channels of a later leg, or later in the order local, global of its \
                    own."
        .to_owned();
    if entry.families.contains(&"megafly") {
        text.push_str(
            " Megafly: up, global, down on one VC; a packet that turns upward again takes the next.",
        );
    }
    if entry.families.contains(&"file") {
        text.push_str(" Any other network: the VC is the number of hops so far.");
    }
    text
}
