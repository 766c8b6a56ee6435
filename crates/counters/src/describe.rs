//! The table as data, for listings and pages.

use serde_json::{Value, json};

use crate::entry::{Entry, Place};
use crate::list::entries;

/// Every row: pattern, labels (what stands for `{}`), names, place, unit, meaning, hardware, differs, derived.
#[must_use]
pub fn describe() -> Value {
    let places = [
        Place::NetworkTile,
        Place::ProcessorTile,
        Place::AriesNic,
        Place::CassiniNic,
    ];
    let rows = places.into_iter().flat_map(entries).map(row);
    Value::Array(rows.collect())
}

fn row(entry: &Entry) -> Value {
    let names: Vec<String> = (0..entry.len()).map(|member| entry.name(member)).collect();
    json!({
        "pattern": entry.pattern(), "labels": entry.labels, "names": names, "place": entry.place.name(),
        "unit": entry.unit.name(), "meaning": entry.meaning, "hardware": entry.hardware,
        "differs": entry.differs, "derived": entry.is_derived, "counts": entry.counts(),
    })
}
