//! Random placement of whole units: routers, chassis, cabinets or groups in random order, their
//! nodes consecutively.

use odonata_units::{NodeId, Stream};

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;
use crate::unit;

const WANG: &str = "Wang et al. 2018, section III-B";

macro_rules! entry {
    ($constant:ident, $kind:literal, $unit:literal, $summary:literal, $source:expr) => {
        pub(super) const $constant: PlacementEntry = PlacementEntry {
            name: $kind,
            summary: $summary,
            source: $source,
            parameters: &[],
            choose: |request| choose(request, $unit),
        };
    };
}

entry!(
    ROUTER,
    "random-router",
    "router",
    "routers in random order, the free nodes of each consecutively",
    WANG
);
entry!(
    CHASSIS,
    "random-chassis",
    "chassis",
    "chassis in random order, the free nodes of each consecutively; needs a system with chassis",
    WANG
);
entry!(
    CABINET,
    "random-cabinet",
    "cabinet",
    "cabinets in random order, the free nodes of each consecutively; needs a system with cabinets",
    WANG
);
entry!(
    GROUP,
    "random-group",
    "group",
    "groups in random order, the free nodes of each consecutively",
    "the scheme of Wang et al. 2018, section III-B, one level up"
);

/// All parts are shuffled, also those without free nodes, so that another job in the scenario
/// takes nodes away but does not change the order.
pub(super) fn choose(
    request: &mut PlacementRequest<'_>,
    name: &str,
) -> Result<Vec<NodeId>, PlacementError> {
    let unit = unit::find(request.units, name, request.kind)?;
    let mut parts: Vec<_> = unit.parts(request.free.node_count()).collect();
    shuffle(&mut parts, request.stream);
    let nodes = parts.iter().flat_map(|part| request.free.within(part));
    Ok(nodes.copied().take(request.nodes as usize).collect())
}

/// Fisher-Yates, from the front.
pub(super) fn shuffle<T>(items: &mut [T], stream: &mut Stream) {
    for index in 0..items.len() {
        let left = u32::try_from(items.len() - index).unwrap_or(u32::MAX);
        items.swap(index, index + stream.below(left) as usize);
    }
}
