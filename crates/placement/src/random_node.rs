//! Random placement, node by node.

use odonata_units::NodeId;

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;
use crate::random_unit;

pub(super) const ENTRY: PlacementEntry = PlacementEntry {
    name: "random-node",
    summary: "free nodes drawn uniformly, each rank independently of its neighbours; with several \
              NICs per node, whole nodes in random order",
    source: "Kang et al. 2022, section IV; Wang et al. 2018, section III-B",
    parameters: &[],
    choose,
};

/// The first `ranks` entries of a Fisher-Yates shuffle of the free nodes.
fn choose(request: &mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError> {
    if request.units.iter().any(|unit| unit.name == "node") {
        return random_unit::choose(request, "node");
    }
    let mut nodes = request.free.nodes().to_vec();
    let total = request.free.count();
    for rank in 0..request.nodes {
        let other = rank + request.stream.below(total - rank);
        nodes.swap(rank as usize, other as usize);
    }
    nodes.truncate(request.nodes as usize);
    Ok(nodes)
}
