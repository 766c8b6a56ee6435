//! What a packet remembers of its decisions.

use odonata_units::{NodeId, Purpose, RouterId, Stream};

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

/// Memory of a packet of its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Travel {
    pub(super) source: NodeId,
    pub(super) target: NodeId,
    pub(super) path_state: PathState,
    /// Intermediate router; meaningful once one is drawn.
    pub(super) via: RouterId,
    /// Of an ordered packet that is minimal for good: the number of its period.
    pub(super) period: u32,
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
            period: 0,
            gateway: None,
            trail: Trail::START,
        }
    }

    /// Its NIC has decided: minimal, or over the group of this router.
    pub(crate) fn decide(&mut self, via: Option<RouterId>) {
        self.path_state = via.map_or(PathState::Minimal, |_| PathState::Outward);
        self.via = via.unwrap_or(self.via);
    }

    pub(crate) const fn is_tentative(&self) -> bool {
        matches!(self.path_state, PathState::Tentative)
    }

    /// The intermediate router, once one is drawn.
    pub(crate) const fn over(&self) -> RouterId {
        self.via
    }

    /// Draws at a router behind the source router, of an ordered packet.
    pub(super) fn ordered_draws(&self, here: RouterId) -> Stream {
        let number = match self.path_state {
            PathState::New | PathState::Minimal => self.period,
            PathState::Tentative | PathState::Outward | PathState::Onward => self.via.0,
        };
        let entity = u64::from(here.0) + (u64::from(number) << 32);
        Stream::new(self.pair(), Purpose::Routing, entity)
    }

    /// Its two nodes, as one number.
    pub(super) fn pair(&self) -> u64 {
        u64::from(self.source.0) << 32 | u64::from(self.target.0)
    }

    pub(crate) const fn is_nonminimal(&self) -> bool {
        matches!(self.path_state, PathState::Outward | PathState::Onward)
    }
}
