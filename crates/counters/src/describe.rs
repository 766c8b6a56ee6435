//! The table as data, for listings and pages.

use serde_json::{Value, json};

use crate::entry::{Component, Entry};
use crate::list::entries;

/// Every row: pattern, labels (what stands for `{}`), names, component, unit, meaning, hardware,
/// differs, derived.
#[must_use]
pub fn describe() -> Value {
    let components = [
        Component::NetworkTile,
        Component::ProcessorTile,
        Component::AriesNic,
        Component::CassiniNic,
    ];
    let rows = components.into_iter().flat_map(entries).map(row);
    Value::Array(rows.collect())
}

fn row(entry: &Entry) -> Value {
    let names: Vec<String> = (0..entry.len()).map(|member| entry.name(member)).collect();
    json!({
        "pattern": entry.pattern(), "labels": entry.labels, "names": names, "place": entry.component.name(),
        "unit": entry.unit.name(), "meaning": entry.meaning, "hardware": entry.hardware,
        "differs": entry.differs, "derived": entry.is_derived, "counts": entry.counts(),
    })
}
