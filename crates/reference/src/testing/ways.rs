//! Routings by name.

use std::sync::Arc;

use odonata_routing::geometry::Geometry;
use odonata_routing::{Routing, RoutingError, build_rule};
use odonata_topology::Topology;

/// A routing on `topology` whose modes are these algorithms with their defaults.
///
/// # Errors
/// [`RoutingError`] if an algorithm does not exist or does not fit the topology.
pub fn routing(
    topology: &Arc<Topology>,
    algorithms: &[&str],
    has_responses: bool,
) -> Result<Routing, RoutingError> {
    let rule = build_rule(algorithms[0], &serde_json::Map::new())?;
    let routing = Routing::new(Geometry::new(Arc::clone(topology)), rule);
    Ok(if has_responses {
        routing.with_responses()
    } else {
        routing
    })
}
