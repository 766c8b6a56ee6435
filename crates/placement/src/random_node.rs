//! Random placement, node by node.

use odonata_units::NodeId;
use serde_json::json;

use crate::{Entry, PlacementError, Request};

pub(super) const ENTRY: Entry = Entry {
    name: "random-node",
    summary: "free nodes drawn uniformly, each rank independently of its neighbours",
    source: "Kang et al. 2022, section IV",
    keys: &[],
    parameters: || json!([]),
    choose,
};

/// The first `ranks` places of a Fisher-Yates shuffle of the free nodes.
#[expect(clippy::unnecessary_wraps, reason = "the signature of the registry")]
fn choose(mut request: Request<'_>) -> Result<Vec<NodeId>, PlacementError> {
    let mut nodes = request.free.nodes().to_vec();
    let total = request.free.count();
    for rank in 0..request.ranks {
        let other = rank + request.stream.below(total - rank);
        nodes.swap(rank as usize, other as usize);
    }
    nodes.truncate(request.ranks as usize);
    Ok(nodes)
}
