//! Virtual channels: section "Ladders of virtual channels" of the page.

use odonata_routing::{Algorithm, Choice, Intermediate};
use odonata_topology::{Family, LinkKind};

use super::paths::Paths;

/// A leg of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leg {
    /// In the source group and out of it, minimal.
    Minimal,
    /// In the source group and out of it, non-minimal.
    NonMinimal,
    /// In the intermediate group, up to the intermediate router.
    ToIntermediate,
    /// From there to the target group; also out of the source group if minimal twice.
    Onward,
    /// In the target group.
    Target,
}

/// What counts of the way so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trail {
    /// VC of the last channel.
    pub(super) vc: u8,
    /// Channels between routers so far.
    channels: u8,
    /// Kind of the last one.
    last: LinkKind,
    /// Number of the leg, and local hops made in it so far.
    leg: (u8, u8),
}

impl Trail {
    pub(super) const START: Self = Self {
        vc: 0,
        channels: 0,
        last: LinkKind::Host,
        leg: (0, 0),
    };
}

/// Letters of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letter {
    M,
    G,
    R,
    D,
    P,
    H,
}

impl Letter {
    /// Column "ladder" of the table of algorithms, by the columns "path", "over" and "decided".
    const fn of(algorithm: &Algorithm, family: &Family) -> Self {
        match (algorithm, family) {
            (Algorithm::QAdaptive(_), _) => Self::H,
            (Algorithm::Ports(_), Family::Aries(_)) => Self::P,
            (Algorithm::Ports(_), _) => Self::D,
            (Algorithm::Rule(rule), _) => match (rule.choice, rule.intermediate) {
                (Choice::Minimal, _) => Self::M,
                _ if rule.progressive => Self::P,
                (_, Intermediate::Group) => Self::G,
                _ => Self::R,
            },
        }
    }

    /// The smallest ladder that holds the legs of both.
    fn join(self, other: Self) -> Self {
        let pair = [self, other];
        if pair.contains(&Self::R) && pair.contains(&Self::D) {
            return Self::P;
        }
        let order = [Self::M, Self::G, Self::R, Self::D, Self::P, Self::H];
        let larger = order.into_iter().rev().find(|one| pair.contains(one));
        larger.unwrap_or(self)
    }

    /// Numbers of the legs, in the order of [`Leg`].
    const fn numbers(self) -> [u8; 5] {
        match self {
            Self::M => [0, 0, 0, 0, 1],
            Self::G => [1, 0, 1, 1, 2],
            Self::R => [2, 0, 1, 2, 3],
            Self::D => [0, 1, 2, 2, 3],
            Self::P | Self::H => [0, 1, 2, 3, 4],
        }
    }

    /// Router-to-router hops of the longest path where local legs have one hop.
    const fn longest(self) -> u8 {
        match self {
            Self::M => 3,
            Self::G | Self::H => 5,
            Self::R | Self::D => 6,
            Self::P => 7,
        }
    }
}

/// What the VC follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counts {
    Legs,
    Turns,
    Hops,
}

/// What the ladder looks at of a hop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// Kind of the channel.
    pub(super) kind: LinkKind,
    /// It leaves a router with nodes.
    pub(super) from_leaf: bool,
}

/// What of a system, or of all states of one, the number of virtual channels follows from.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    longest: u8,
    has_gaps: bool,
    is_damaged: bool,
}

impl Extent {
    pub(super) fn of(paths: &Paths) -> Self {
        Self {
            longest: paths.longest(),
            has_gaps: paths.has_gaps(),
            is_damaged: paths.topology.is_damaged(),
        }
    }

    /// With shortest paths of so many hops, too.
    pub(super) fn reaching(self, hops: u8) -> Self {
        let longest = self.longest.max(hops);
        Self { longest, ..self }
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self {
            longest: self.longest.max(other.longest),
            has_gaps: self.has_gaps || other.has_gaps,
            is_damaged: self.is_damaged || other.is_damaged,
        }
    }
}

/// The virtual channels of requests or responses.
pub(super) struct Ladder {
    counts: Counts,
    numbers: [u8; 5],
    /// L.
    local: u8,
    first: u8,
    /// Virtual channels.
    pub(super) count: u8,
}

impl Ladder {
    /// For these algorithms in one network, from VC `first` on.
    pub(super) fn new(algorithms: &[Algorithm], paths: &Paths, extent: Extent, first: u8) -> Self {
        let family = paths.topology.family();
        let bridged = |letter: Letter| {
            if extent.has_gaps {
                letter.join(Letter::G)
            } else {
                letter
            }
        };
        let letters = || {
            algorithms
                .iter()
                .map(|one| bridged(Letter::of(one, family)))
        };
        let letter = letters().fold(Letter::M, Letter::join);
        let longest = extent.longest;
        let legs = letter.numbers()[Leg::Target as usize] + 1;
        let (counts, count) = if !paths.has_groups {
            let detours = letters().any(|letter| letter != Letter::M);
            (Counts::Hops, longest * if detours { 2 } else { 1 })
        } else if letter == Letter::H {
            let hops = letters().map(Letter::longest).max();
            (Counts::Hops, hops.unwrap_or(1))
        } else if family.has_levels() {
            let turns = u8::from(letter != Letter::M);
            let extra = if extent.is_damaged {
                legs * (longest / 2)
            } else {
                0
            };
            (Counts::Turns, 1 + turns + extra)
        } else {
            (Counts::Legs, legs * longest)
        };
        Self {
            counts,
            numbers: letter.numbers(),
            local: longest,
            first,
            count,
        }
    }

    /// VC of the last hop, to the node.
    pub(super) const fn to_node(&self, trail: &Trail) -> u8 {
        match self.counts {
            Counts::Legs | Counts::Turns => self.first + self.count - 1,
            Counts::Hops if trail.channels == 0 => self.first,
            Counts::Hops => trail.vc,
        }
    }

    /// The trail after another hop on `leg`.
    pub(super) fn extend(&self, trail: &Trail, leg: Leg, hop: Hop) -> Trail {
        let is_global = hop.kind == LinkKind::Global;
        let number = self.numbers[leg as usize];
        let is_same = trail.channels > 0 && trail.last != LinkKind::Global && trail.leg.0 == number;
        let made = if is_same { trail.leg.1 } else { 0 };
        let vc = match self.counts {
            Counts::Legs if is_global => self.first + number * self.local,
            Counts::Legs => self.first + number * self.local + made,
            Counts::Hops => self.first + trail.channels,
            Counts::Turns if trail.channels == 0 => self.first,
            Counts::Turns => {
                let turns = if is_global {
                    trail.last == LinkKind::Global
                } else {
                    hop.from_leaf
                };
                trail.vc + u8::from(turns)
            }
        };
        assert!(
            vc < self.first + self.count,
            "the page's ladder holds every path: {trail:?} {leg:?} {hop:?}"
        );
        Trail {
            vc,
            channels: trail.channels + 1,
            last: hop.kind,
            leg: (number, made + u8::from(!is_global)),
        }
    }
}
