//! What links that change make of times: `docs/model/network.md`, "Links that change during the
//! run".

use odonata_routing::WHOLE_PPM;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, RouterId, Span};

use crate::model::features::Features;
use crate::model::parameters::Switching;
use crate::model::times::HopTimes;
use crate::shared::view::View;

/// A channel between routers, at one of its ends.
#[derive(Clone, Copy)]
pub(crate) struct LinkAt {
    pub(crate) router: RouterId,
    pub(crate) port: PortIndex,
    pub(crate) kind: LinkKind,
}

impl<F: Features> View<'_, F> {
    /// What is left at `at` of the bandwidth of a link, millionths; all of it while it is down, as
    /// only what had started is on it then.
    #[inline]
    fn share_ppm(self, link: LinkAt, at: Instant) -> u32 {
        self.changes().map_or(WHOLE_PPM, |changes| {
            changes.timeline().lanes_ppm(link.router, link.port, at)
        })
    }

    /// The times of a packet of `flits` that starts at `at`.
    #[inline(always)]
    pub(crate) fn hop_times(self, link: LinkAt, flits: u16, at: Instant) -> HopTimes {
        let whole = self.times.hop(link.kind, flits);
        if !F::CHANGES {
            return whole;
        }
        match self.share_ppm(link, at) {
            WHOLE_PPM => whole,
            share => self.slow_times(link.kind, flits, share),
        }
    }

    /// The times of a packet on a link that has lost lanes.
    #[inline(never)]
    fn slow_times(self, kind: LinkKind, flits: u16, share_ppm: u32) -> HopTimes {
        let flits = u32::from(flits);
        HopTimes {
            serialization: self.parameters.serialization_at(kind, flits, share_ppm),
            entry: self.parameters.entry_delay_at(kind, flits, share_ppm),
        }
    }

    /// The time from the entry of a packet over `from` at `entered` to its first possible start
    /// over `to`.
    #[inline(always)]
    pub(crate) fn ready_wait(self, from: LinkAt, to: LinkAt, flits: u16, entered: Instant) -> Span {
        if !F::CHANGES || self.changes().is_none() {
            return self.times.ready(from.kind, to.kind, flits);
        }
        self.changing_wait(from, to, flits, entered)
    }

    #[inline(never)]
    fn changing_wait(self, from: LinkAt, to: LinkAt, flits: u16, entered: Instant) -> Span {
        let parameters = &self.parameters;
        if parameters.switching == Switching::StoreAndForward {
            return Span::ZERO;
        }
        let flits = u32::from(flits);
        let extra = parameters
            .cables()
            .extra(&self.topology, from.router, from.port);
        let started = entered.ps() - (parameters.entry_delay(from.kind, 0) + extra).ps();
        let coming = self.share_ppm(from, Instant::from_ps(started));
        let coming = parameters.serialization_at(from.kind, flits, coming);
        let going = self.share_ppm(to, entered);
        coming.saturating_sub(parameters.serialization_at(to.kind, flits, going))
    }

    /// The instant before which a packet that entered a router at `entered` does not leave it over
    /// `to`, where it is queued at `at`: a router that is down has lost it, and it is sent again.
    #[inline(never)]
    pub(crate) fn held_until(self, to: LinkAt, entered: Instant, at: Instant) -> Instant {
        let changes = self.changes().filter(|_| to.kind != LinkKind::Host);
        changes.map_or(Instant::ZERO, |changes| {
            changes.timeline().held_until(to.router, entered, at)
        })
    }
}
