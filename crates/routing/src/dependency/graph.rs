//! Who waits for whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use odonata_topology::LinkKind;
use odonata_units::RouterId;

/// A channel, or a class of channels, that packets hold or wait for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelClass {
    /// What its link joins.
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

/// Channels or classes of channels, and what may be waited for while they are held.
#[derive(Debug)]
pub(super) struct DependencyGraph {
    is_of_channels: bool,
    next: BTreeMap<ChannelClass, BTreeSet<ChannelClass>>,
    /// What was added last: most walks repeat.
    last: Option<(Option<ChannelClass>, ChannelClass)>,
}

impl DependencyGraph {
    /// An empty graph whose vertices are classes of channels.
    pub(super) const fn of_classes() -> Self {
        Self {
            is_of_channels: false,
            next: BTreeMap::new(),
            last: None,
        }
    }

    /// An empty graph whose vertices are single channels; parallel ones between two routers count
    /// as one, which can only add dependencies.
    pub(super) const fn of_channels() -> Self {
        Self {
            is_of_channels: true,
            next: BTreeMap::new(),
            last: None,
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
        let edge = (previous.map(project), project(one));
        if self.last == Some(edge) {
            return;
        }
        self.last = Some(edge);
        let (previous, one) = edge;
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
