//! Who waits for whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use odonata_topology::LinkKind;
use odonata_units::RouterId;

/// A channel, or a class of channels, that packets hold or wait for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelClass {
    /// Kind of its link.
    pub kind: LinkKind,
    /// On a megafly: from a leaf to a spine; `None` elsewhere and on global links.
    pub up: Option<bool>,
    /// Virtual channel, of requests and responses.
    pub vc: u8,
    /// The routers it joins, if it is one channel and not a class.
    pub routers: Option<(RouterId, RouterId)>,
}

impl fmt::Display for ChannelClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.name())?;
        match self.up {
            Some(true) => write!(f, " up")?,
            Some(false) => write!(f, " down")?,
            None => {}
        }
        write!(f, " VC {}", self.vc)?;
        match self.routers {
            Some((from, to)) => write!(f, " (router {} to {})", from.0, to.0),
            None => Ok(()),
        }
    }
}

/// A channel that is waited for, and the one that is held meanwhile, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Edge {
    previous: Option<ChannelClass>,
    one: ChannelClass,
}

impl Edge {
    /// A number below [`KNOWN`], nearly a different one for each edge of a graph of classes.
    const fn code(&self) -> usize {
        let before = match &self.previous {
            Some(previous) => previous.code() + 1,
            None => 0,
        };
        let mixed = before.wrapping_mul(0x9E37_79B9) ^ self.one.code().wrapping_mul(0x85EB_CA6B);
        (mixed >> (u32::BITS - KNOWN.trailing_zeros())) as usize
    }
}

impl ChannelClass {
    /// A number, nearly a different one for each.
    const fn code(&self) -> u32 {
        let up = match self.up {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        let class = (self.vc as u32) << 5 | up << 3 | self.kind as u32;
        match self.routers {
            Some((from, to)) => class ^ from.0.wrapping_mul(0xC2B2_AE35) ^ to.0.rotate_left(13),
            None => class,
        }
    }
}

/// Edges that are remembered as added, a power of two.
const KNOWN: usize = 4_096;

/// Channels or classes of channels, and what may be waited for while they are held.
#[derive(Debug)]
pub(super) struct DependencyGraph {
    is_of_channels: bool,
    next: BTreeMap<ChannelClass, BTreeSet<ChannelClass>>,
    /// `[code]`: an edge that has been added. Most walks repeat what others have done.
    known: Vec<Option<Edge>>,
}

impl DependencyGraph {
    /// An empty graph whose vertices are classes of channels.
    pub(super) fn of_classes() -> Self {
        Self::empty(false)
    }

    /// An empty graph whose vertices are single channels; parallel ones between two routers count
    /// as one, which can only add dependencies.
    pub(super) fn of_channels() -> Self {
        Self::empty(true)
    }

    fn empty(is_of_channels: bool) -> Self {
        Self {
            is_of_channels,
            next: BTreeMap::new(),
            known: vec![None; KNOWN],
        }
    }

    pub(super) const fn is_of_channels(&self) -> bool {
        self.is_of_channels
    }

    /// A packet that holds `previous` may wait for `one`.
    pub(super) fn add(&mut self, previous: Option<ChannelClass>, one: ChannelClass) {
        let project = |class: ChannelClass| ChannelClass {
            routers: class.routers.filter(|_| self.is_of_channels),
            ..class
        };
        let edge = Edge {
            previous: previous.map(project),
            one: project(one),
        };
        let known = &mut self.known[edge.code()];
        if *known == Some(edge) {
            return;
        }
        *known = Some(edge);
        let Edge { previous, one } = edge;
        self.next.entry(one).or_default();
        if let Some(previous) = previous {
            self.next.entry(previous).or_default().insert(one);
        }
    }

    /// Some that wait for each other in a circle.
    pub(super) fn cycle(&self) -> Option<Vec<ChannelClass>> {
        let mut done = BTreeSet::new();
        for start in self.next.keys() {
            if let Some(cycle) = self.cycle_from(*start, &mut done) {
                return Some(cycle);
            }
        }
        None
    }

    /// Depth first, without recursion: chains of channels are long.
    fn cycle_from(
        &self,
        start: ChannelClass,
        done: &mut BTreeSet<ChannelClass>,
    ) -> Option<Vec<ChannelClass>> {
        if done.contains(&start) {
            return None;
        }
        let following = |one: &ChannelClass| self.next.get(one).into_iter().flatten().copied();
        let mut path = vec![start];
        let mut on_path = BTreeSet::from([start]);
        let mut open = vec![following(&start)];
        while let Some(next) = open.last_mut() {
            let Some(one) = next.next() else {
                open.pop();
                if let Some(finished) = path.pop() {
                    on_path.remove(&finished);
                    done.insert(finished);
                }
                continue;
            };
            if on_path.contains(&one) {
                let first = path.iter().position(|seen| *seen == one)?;
                return Some(path.split_off(first));
            }
            if !done.contains(&one) {
                path.push(one);
                on_path.insert(one);
                open.push(following(&one));
            }
        }
        None
    }
}
