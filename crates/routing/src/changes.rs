//! The routing of a network whose links change during the run: `docs/model/routing.md`, "Links that
//! go down during the run".

use odonata_units::Instant;

use crate::timeline::LinkTimeline;

/// From when on packets are routed for a set of links that are down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Era {
    pub(crate) from: Instant,
    pub(crate) state: u8,
}

/// Changes of links during the run, and the routing of packets then.
#[derive(Clone, Debug)]
pub struct LinkChanges<R> {
    pub(crate) timeline: LinkTimeline,
    /// In order; none if no link goes down.
    pub(crate) eras: Vec<Era>,
    /// By state: the routing of packets that start with it.
    pub(crate) states: Vec<R>,
    /// That of rerouted packets: minimal, over the links that never go down.
    pub(crate) rerouting: Option<R>,
}

impl<R> LinkChanges<R> {
    /// When which links change.
    #[must_use]
    pub const fn timeline(&self) -> &LinkTimeline {
        &self.timeline
    }

    /// By state, the routing of packets that start with it; none if no link goes down.
    #[must_use]
    pub fn states(&self) -> &[R] {
        &self.states
    }

    /// The state that packets begin with which are routed for the first time at `now`.
    #[must_use]
    pub fn state_at(&self, now: Instant) -> u8 {
        let began = self.eras.partition_point(|era| era.from <= now);
        self.eras[..began].last().map_or(0, |era| era.state)
    }

    /// The routing of rerouted packets, whose virtual channels stand behind those of the others:
    /// mode 0 is for requests, mode 1 for responses. `None` if no link goes down.
    #[must_use]
    pub const fn rerouting(&self) -> Option<&R> {
        self.rerouting.as_ref()
    }
}
