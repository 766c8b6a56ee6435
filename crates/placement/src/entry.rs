//! Placements and their inputs: known to every file of the room.

use odonata_registry::{MemberError, Parameter, Spec};
use odonata_units::{NodeId, Stream};
use serde_json::{Map, Value};

use crate::error::PlacementError;
use crate::free::FreeNodes;
use crate::unit::Unit;

/// The word for a placement in messages.
pub(crate) const FAMILY: &str = "placement";

/// The ranks of a job, and how they share nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankCount {
    /// Ranks of the job.
    pub ranks: u32,
    /// Ranks on each node but the last one, which has what is left.
    pub per_node: u32,
}

/// Inputs of a placement.
pub(crate) struct PlacementRequest<'a> {
    pub(crate) kind: &'static str,
    pub(crate) spec: Spec<'a>,
    /// As given, with what no row speaks of: the mapping, and the content of files.
    pub(crate) given: &'a Map<String, Value>,
    /// How many it is to choose.
    pub(crate) nodes: u32,
    pub(crate) free: &'a FreeNodes,
    pub(crate) units: &'a [Unit],
    pub(crate) job: u32,
    pub(crate) stream: &'a mut Stream,
}

impl PlacementRequest<'_> {
    pub(crate) fn wrong(&self, key: &str, problem: String) -> PlacementError {
        let refused = MemberError::WrongValue {
            family: FAMILY,
            kind: self.kind.to_owned(),
            key: key.to_owned(),
            problem,
        };
        refused.into()
    }
}

/// One placement: a name, its documentation and how it chooses.
pub(crate) struct PlacementEntry {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) source: &'static str,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) choose: fn(&mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError>,
}
