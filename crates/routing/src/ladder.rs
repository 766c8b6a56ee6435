//! Which virtual channel a packet travels on.
//!
//! Three kinds of ladder. On dragonflies whose groups are joined by local legs of up to `L` hops,
//! the VC follows the **leg** of the path; on a megafly the **turns** from down to up; on any other
//! graph, and under Q-adaptive, the **hops**. Each lets a packet wait only for channels that stand
//! higher.

use odonata_topology::LinkKind;

use crate::packet::{Arrival, PathState};

/// Which legs of the path have virtual channels of their own. Channels: `l` local, `g` global; the
/// number is the leg. Where a local leg has at most one hop it is also the VC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VcScheme {
    /// 2: `l0 g0 l1`.
    Minimal,
    /// 3: non-minimal `l0 g0 l1 g1 l2`, minimal `l1 g1 l2`.
    Group,
    /// 4: non-minimal `l0 g0 l1 l2 g2 l3`, minimal `l2 g2 l3`.
    Router,
    /// 4: `g0`, or `l0 g1`, then (minimal) `l3` or (non-minimal) `l2 g2 l3`.
    ProgressiveGroup,
    /// 5: `g0 l4`, or `l0` then (stay) `g3 l4` or (divert) `l1 g1 l2 l3 g3 l4`.
    Progressive,
    /// The hops of the longest path: VC = router-to-router hops so far (Q-adaptive).
    Hops,
}

/// A leg of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Leg {
    /// A minimal packet in its source group, as decided at the source router.
    SourceMinimal = 0,
    /// A non-minimal packet in its source group.
    SourceNonminimal = 1,
    /// Towards the intermediate router, inside its group.
    ToIntermediate = 2,
    /// From the intermediate group (or router) to the target group; also of a minimal packet
    /// confirmed at the second decision of PAR.
    Onward = 3,
    /// In the target group.
    Target = 4,
}

impl Leg {
    /// The leg of a packet that leaves its group minimally under `path_state`.
    #[inline]
    pub(crate) const fn minimal(path_state: PathState) -> Self {
        match path_state {
            PathState::Fresh | PathState::Minimal | PathState::Tentative => Self::SourceMinimal,
            PathState::Confirmed | PathState::Outward | PathState::Onward => Self::Onward,
        }
    }
}

impl VcScheme {
    /// Number of legs.
    #[must_use]
    pub const fn legs(self) -> u8 {
        match self {
            Self::Minimal => 2,
            Self::Group => 3,
            Self::Router | Self::ProgressiveGroup => 4,
            Self::Progressive | Self::Hops => 5,
        }
    }

    /// Numbers of the legs, in the order of [`Leg`].
    const fn numbers(self) -> [u8; 5] {
        match self {
            Self::Minimal => [0, 0, 0, 0, 1],
            Self::Group => [1, 0, 1, 1, 2],
            Self::Router => [2, 0, 1, 2, 3],
            Self::ProgressiveGroup => [0, 1, 2, 2, 3],
            Self::Progressive | Self::Hops => [0, 1, 2, 3, 4],
        }
    }

    /// Router-to-router hops of the longest path, where local legs have at most `local` hops.
    #[must_use]
    pub(crate) const fn longest_path(self, local: u8) -> u8 {
        let local_legs = match self {
            Self::Minimal => 2,
            Self::Group => 3,
            // Between its intermediate's group's two global hops a packet has two local legs.
            Self::Router | Self::ProgressiveGroup => 4,
            Self::Progressive => 5,
            Self::Hops => return 5,
        };
        let global = if matches!(self, Self::Minimal) { 1 } else { 2 };
        local_legs * local + global
    }

    /// Turns from down to up that a path on an undamaged megafly can have.
    const fn turns(self) -> u8 {
        match self {
            Self::Minimal => 0,
            _ => 1,
        }
    }

    /// The scheme in which packets of both find their legs.
    #[must_use]
    pub(crate) const fn join(self, other: Self) -> Self {
        use VcScheme::{Hops, Progressive, ProgressiveGroup, Router};
        match (self, other) {
            (Hops, _) | (_, Hops) => Hops,
            (Router, ProgressiveGroup) | (ProgressiveGroup, Router) => Progressive,
            _ if self.legs() >= other.legs() => self,
            _ => other,
        }
    }
}

/// A hop out of a router.
#[derive(Clone, Copy)]
pub(crate) struct Exit {
    /// Whether its channel is global.
    pub(crate) is_global: bool,
    /// Whether it leaves a router with nodes, which is upward on a megafly.
    pub(crate) is_up: bool,
}

/// Quantity that the VC counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counts {
    /// Legs, and inside a leg local hops.
    Legs,
    /// Turns from down to up (megafly).
    Turns,
    /// Hops.
    Hops,
}

/// A ladder of virtual channels, as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ladder {
    pub(crate) counts: Counts,
    /// Local hops of the longest leg; at least 1.
    local: u8,
    /// The first VC of the ladder, and the last.
    first: u8,
    last: u8,
    /// First VC of each [`Leg`].
    bases: [u8; 5],
}

impl Ladder {
    /// `scheme` counted by legs of up to `local` hops, from VC `first`; `None` above 250 VCs.
    pub(crate) fn by_legs(scheme: VcScheme, local: u8, first: u8) -> Option<Self> {
        let count = u16::from(scheme.legs()) * u16::from(local);
        let numbers = scheme.numbers();
        let mut ladder = Self::of(Counts::Legs, count, first)?;
        ladder.local = local;
        ladder.bases = numbers.map(|leg| first + leg * local);
        Some(ladder)
    }

    /// A ladder by turns, on a megafly whose paths have `extra` more of them because of failed
    /// links.
    pub(crate) fn by_turns(scheme: VcScheme, extra: u8, first: u8) -> Option<Self> {
        let count = u16::from(scheme.turns()) + u16::from(extra) + 1;
        Self::of(Counts::Turns, count, first)
    }

    /// A ladder by hops, for paths of up to `count` of them.
    pub(crate) fn by_hops(count: u16, first: u8) -> Option<Self> {
        Self::of(Counts::Hops, count.max(1), first)
    }

    fn of(counts: Counts, count: u16, first: u8) -> Option<Self> {
        let last = u16::from(first) + count - 1;
        let last = u8::try_from(last).ok().filter(|last| *last < 250)?;
        Some(Self {
            counts,
            local: 1,
            first,
            last,
            bases: [first; 5],
        })
    }

    /// Number of virtual channels.
    pub(crate) const fn count(&self) -> u8 {
        self.last - self.first + 1
    }

    /// Whether VCs follow legs.
    pub(crate) const fn is_by_legs(&self) -> bool {
        matches!(self.counts, Counts::Legs)
    }

    /// Whether the leg alone gives the VC.
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.counts, Counts::Legs) && self.local == 1
    }

    /// Folds the VCs above `last` onto it.
    pub(crate) fn fold(&mut self, last: u8) {
        self.last = self.last.min(last);
        self.first = self.first.min(last);
        self.bases = self.bases.map(|vc| vc.min(last));
    }

    /// First VC of `leg`; the VC itself where the ladder is plain.
    #[inline]
    pub(crate) const fn base(&self, leg: Leg) -> u8 {
        self.bases[leg as usize]
    }

    /// VC towards the node.
    #[inline]
    pub(crate) const fn towards_node(&self, arrival: Arrival) -> u8 {
        match (self.counts, arrival.kind) {
            (Counts::Legs | Counts::Turns, _) => self.last,
            (Counts::Hops, LinkKind::Host) => self.first,
            (Counts::Hops, _) => arrival.vc,
        }
    }

    /// VC of the next hop, on `leg`.
    #[inline]
    pub(crate) fn next(&self, arrival: Arrival, leg: Leg, exit: Exit) -> u8 {
        self.next_from(self.base(leg), arrival, exit)
    }

    /// VC of the next hop, on the leg whose first VC is `base`.
    #[inline]
    pub(crate) fn next_from(&self, base: u8, arrival: Arrival, exit: Exit) -> u8 {
        let Exit { is_global, is_up } = exit;
        let vc = match self.counts {
            Counts::Legs if is_global => base,
            Counts::Legs => base + self.hops_in(arrival, base).min(self.local - 1),
            Counts::Turns | Counts::Hops if arrival.kind == LinkKind::Host => self.first,
            Counts::Hops => arrival.vc + 1,
            Counts::Turns => {
                // Up behind a local hop, which came down; over a second global link.
                let turns = if is_global {
                    arrival.kind == LinkKind::Global
                } else {
                    is_up
                };
                arrival.vc + u8::from(turns)
            }
        };
        vc.min(self.last)
    }

    /// Local hops already made in the leg whose first VC is `base`.
    const fn hops_in(&self, arrival: Arrival, base: u8) -> u8 {
        let inside = arrival.vc.wrapping_sub(base);
        if arrival.kind.is_local() && inside < self.local {
            inside + 1
        } else {
            0
        }
    }

    /// Routers of the source group behind a packet that is still minimal there.
    pub(crate) fn hops_made(&self, arrival: Arrival) -> u8 {
        match (self.counts, arrival.kind) {
            (_, LinkKind::Host) => 0,
            (Counts::Legs, _) => self.hops_in(arrival, self.base(Leg::SourceMinimal)),
            (Counts::Turns, _) => 1 + 2 * (arrival.vc - self.first),
            (Counts::Hops, _) => arrival.vc - self.first + 1,
        }
    }
}
