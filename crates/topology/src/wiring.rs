//! The far end of every port, and what follows from it.

use odonata_units::{GroupId, RouterId};

use crate::channel::{ChannelIndex, LinkKind, PortIndex};
use crate::layout::Layout;
use crate::numbering::Numbering;

/// A port of a router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct End {
    pub(crate) router: RouterId,
    pub(crate) port: PortIndex,
}

impl End {
    const NOWHERE: Self = Self::new(RouterId(u32::MAX), PortIndex(u16::MAX));

    pub(crate) const fn new(router: RouterId, port: PortIndex) -> Self {
        Self { router, port }
    }
}

/// The far ends of all ports but host ports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    hosts: usize,
    /// Ports of a router that are not host ports.
    ports: usize,
    table: Vec<End>,
}

impl Ends {
    /// Nothing connected.
    pub(crate) fn new(routers: u32, layout: &Layout) -> Self {
        let hosts = usize::from(layout.hosts());
        let ports = usize::from(layout.radix()) - hosts;
        Self {
            hosts,
            ports,
            table: vec![End::NOWHERE; routers as usize * ports],
        }
    }

    /// Index of a port that is not a host port and exists.
    #[inline]
    fn index(&self, end: End) -> Option<usize> {
        let port = end.port.index().wrapping_sub(self.hosts);
        (port < self.ports).then(|| end.router.index() * self.ports + port)
    }

    /// Far end of a port.
    #[inline]
    pub(crate) fn get(&self, end: End) -> Option<End> {
        let far = self.table[self.index(end)?];
        (far != End::NOWHERE).then_some(far)
    }

    /// Takes a link away, in both directions.
    pub(crate) fn cut(&mut self, near: End) {
        if let Some(far) = self.get(near) {
            for end in [near, far] {
                if let Some(index) = self.index(end) {
                    self.table[index] = End::NOWHERE;
                }
            }
        }
    }

    /// Joins two ports, in both directions.
    pub(crate) fn join(&mut self, one: End, other: End) {
        debug_assert!(self.get(one).is_none() && self.get(other).is_none());
        for (near, far) in [(one, other), (other, one)] {
            if let Some(index) = self.index(near) {
                self.table[index] = far;
            }
        }
    }
}

/// Lists derived from the far ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wiring {
    pub(crate) ends: Ends,
    /// Per port that is not a host port: the number of its channel, `u32::MAX` if unconnected.
    outputs: Vec<u32>,
    /// Number of channels.
    pub(crate) channels: u32,
    groups: usize,
    /// Per ordered pair of groups, `[from * groups + to]`: where its channels start in
    /// `near_ends`; one more at the end.
    pair_starts: Vec<u32>,
    near_ends: Vec<(RouterId, PortIndex)>,
    /// Per router: where its global channels start in the two lists below; one more at the end.
    direct_starts: Vec<u32>,
    /// By far group, then port.
    direct_groups: Vec<GroupId>,
    direct_ports: Vec<PortIndex>,
    /// Links of each pair of groups if all pairs have as many, else 0.
    pub(crate) links_per_pair: u32,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer than 2^32 ports"
)]
const fn count(items: usize) -> u32 {
    items as u32
}

impl Wiring {
    pub(crate) fn new(ends: Ends, numbering: &Numbering, layout: &Layout) -> Self {
        let groups = numbering.groups as usize;
        let mut wiring = Self {
            outputs: vec![u32::MAX; ends.table.len()],
            ends,
            channels: 2 * numbering.nodes,
            groups,
            pair_starts: vec![0; groups * groups + 1],
            near_ends: Vec::new(),
            direct_starts: Vec::with_capacity(numbering.routers as usize + 1),
            direct_groups: Vec::new(),
            direct_ports: Vec::new(),
            links_per_pair: 0,
        };
        wiring.number_channels(numbering.routers, layout);
        wiring.list_direct_ports(numbering, layout);
        wiring.list_near_ends(numbering);
        wiring
    }

    fn number_channels(&mut self, routers: u32, layout: &Layout) {
        let locals = layout.first(LinkKind::Local)..layout.first(LinkKind::Global);
        for ports in [locals, layout.ports(LinkKind::Global)] {
            for router in (0..routers).map(RouterId) {
                for port in ports.clone().map(PortIndex) {
                    if let Some(index) = self.ends.index(End::new(router, port))
                        && self.ends.table[index] != End::NOWHERE
                    {
                        self.outputs[index] = self.channels;
                        self.channels += 1;
                    }
                }
            }
        }
    }

    fn list_direct_ports(&mut self, numbering: &Numbering, layout: &Layout) {
        let mut own = Vec::new();
        for router in (0..numbering.routers).map(RouterId) {
            own.clear();
            for port in layout.ports(LinkKind::Global).map(PortIndex) {
                if let Some(far) = self.ends.get(End::new(router, port)) {
                    own.push((numbering.group_of(far.router), port));
                }
            }
            own.sort_unstable();
            self.direct_starts.push(count(self.direct_ports.len()));
            self.direct_groups.extend(own.iter().map(|entry| entry.0));
            self.direct_ports.extend(own.iter().map(|entry| entry.1));
        }
        self.direct_starts.push(count(self.direct_ports.len()));
    }

    /// A counting sort by pair of groups; inside a pair by router, then port.
    fn list_near_ends(&mut self, numbering: &Numbering) {
        let from = |router| numbering.group_of(RouterId(router)).index() * self.groups;
        let mut starts = std::mem::take(&mut self.pair_starts);
        for router in 0..numbering.routers {
            for to in self.direct(RouterId(router)).0 {
                starts[from(router) + to.index() + 1] += 1;
            }
        }
        self.links_per_pair = self.uniform_count(&starts);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut near_ends = vec![(RouterId(0), PortIndex(0)); self.direct_ports.len()];
        let mut next = starts.clone();
        for router in 0..numbering.routers {
            let (groups, ports) = self.direct(RouterId(router));
            for (to, port) in groups.iter().zip(ports) {
                let index = &mut next[from(router) + to.index()];
                near_ends[*index as usize] = (RouterId(router), *port);
                *index += 1;
            }
        }
        self.near_ends = near_ends;
        self.pair_starts = starts;
    }

    /// The number that all pairs of different groups have; `counts` is one index ahead.
    fn uniform_count(&self, counts: &[u32]) -> u32 {
        let groups = self.groups;
        let of_pairs = (0..groups * groups)
            .filter(|pair| pair / groups != pair % groups)
            .map(|pair| counts[pair + 1]);
        let mut of_pairs = of_pairs.peekable();
        let first = of_pairs.peek().copied().unwrap_or(0);
        if of_pairs.all(|links| links == first) {
            first
        } else {
            0
        }
    }

    /// The far groups of the global channels of `router`, ascending, and their ports.
    #[inline]
    fn direct(&self, router: RouterId) -> (&[GroupId], &[PortIndex]) {
        let start = self.direct_starts[router.index()] as usize;
        let end = self.direct_starts[router.index() + 1] as usize;
        (
            &self.direct_groups[start..end],
            &self.direct_ports[start..end],
        )
    }

    /// The ports of `router` that lead to group `to`, ascending.
    #[inline]
    pub(crate) fn direct_ports(&self, router: RouterId, to: GroupId) -> &[PortIndex] {
        let (groups, ports) = self.direct(router);
        let start = groups.partition_point(|group| *group < to);
        let rest = &groups[start..];
        let length = rest.iter().take_while(|group| **group == to).count();
        &ports[start..start + length]
    }

    /// The near ends of the channels from one group to another, ascending.
    #[inline]
    pub(crate) fn near_ends(&self, from: GroupId, to: GroupId) -> &[(RouterId, PortIndex)] {
        let pair = from.index() * self.groups + to.index();
        let start = self.pair_starts[pair] as usize;
        let end = self.pair_starts[pair + 1] as usize;
        &self.near_ends[start..][..end - start]
    }

    /// The channel that leaves through a port that is not a host port.
    #[inline]
    pub(crate) fn output(&self, end: End) -> Option<ChannelIndex> {
        let channel = self.outputs[self.ends.index(end)?];
        (channel != u32::MAX).then_some(ChannelIndex(channel))
    }
}
