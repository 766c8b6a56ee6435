//! Routings by name.

use std::sync::Arc;

use odonata_routing::geometry::Geometry;
use odonata_routing::{Mode, Routing, RoutingError, entry};
use odonata_topology::Topology;

/// The modes of these names with their defaults.
///
/// # Errors
/// [`RoutingError::Unknown`].
pub fn modes(algorithms: &[&str]) -> Result<Vec<Mode>, RoutingError> {
    let mode = |name: &&str| Ok(entry(name)?.mode());
    algorithms.iter().map(mode).collect()
}

/// A routing on `topology` whose modes are these algorithms with their defaults.
///
/// # Errors
/// [`RoutingError`] if an algorithm does not exist or does not fit the topology.
pub fn routing(
    topology: &Arc<Topology>,
    algorithms: &[&str],
    has_responses: bool,
) -> Result<Routing, RoutingError> {
    let geometry = Geometry::new(Arc::clone(topology));
    Routing::new(geometry, modes(algorithms)?, has_responses)
}
