//! Round robin over units.

use odonata_registry::Parameter;
use odonata_units::NodeId;

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;
use crate::unit::{self, UNIT_NAMES};

pub(super) const ENTRY: PlacementEntry = PlacementEntry {
    name: "striped",
    summary: "one free node of each unit in turn, again and again",
    source: "stripe allocation of the CODES tools (scripts/allocation_gen)",
    parameters: &[Parameter::choice(
        "unit",
        &UNIT_NAMES,
        "group",
        "what consecutive ranks are spread over; the system must have it",
    )
    .source("CODES, scripts/allocation_gen: one node of each group in turn")],
    choose,
};

fn choose(request: &mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError> {
    let name = request.spec.text("unit");
    let unit = unit::find(request.units, &name, request.kind)?;
    let free = request.free;
    let parts: Vec<_> = unit
        .parts(free.node_count())
        .map(|part| free.within(&part))
        .collect();
    let deepest = parts.iter().map(|part| part.len()).max().unwrap_or(0);
    let turns = (0..deepest).flat_map(|turn| parts.iter().filter_map(move |part| part.get(turn)));
    Ok(turns.copied().take(request.nodes as usize).collect())
}
