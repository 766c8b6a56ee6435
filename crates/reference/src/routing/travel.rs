//! What a packet remembers of its decisions.

use odonata_units::{NodeId, RouterId};

use super::ladder::Trail;

/// How far the decisions of a packet have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathState {
    /// Nothing is decided.
    New,
    /// Minimal.
    Minimal,
    /// Minimal, and to be asked again in the source group.
    Tentative,
    /// Non-minimal, before its intermediate.
    Outward,
    /// Non-minimal, behind its intermediate.
    Onward,
}

/// What a packet remembers of its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Travel {
    pub(super) source: NodeId,
    pub(super) target: NodeId,
    pub(super) path_state: PathState,
    /// Intermediate router; meaningful once one is drawn.
    pub(super) via: RouterId,
    /// The router of this group that it heads for to leave the group.
    pub(super) gateway: Option<RouterId>,
    pub(super) trail: Trail,
}

impl Travel {
    pub(crate) const fn new(source: NodeId, target: NodeId) -> Self {
        Self {
            source,
            target,
            path_state: PathState::New,
            via: RouterId(0),
            gateway: None,
            trail: Trail::START,
        }
    }

    pub(crate) const fn is_nonminimal(&self) -> bool {
        matches!(self.path_state, PathState::Outward | PathState::Onward)
    }
}
