//! Contiguous placement.

use odonata_units::NodeId;

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;

pub(super) const ENTRY: PlacementEntry = PlacementEntry {
    name: "contiguous",
    summary: "the first free nodes in the order of their ids",
    source: "Wang et al. 2018, section III-B; Yang et al. 2016, Watch Out for the Bully!",
    parameters: &[],
    choose,
};

#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn choose(request: &mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError> {
    Ok(request.free.nodes()[..request.nodes as usize].to_vec())
}
