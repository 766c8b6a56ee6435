//! Systems with failed links.

use std::collections::BTreeSet;

use odonata_units::{Purpose, RouterId, Stream};

use crate::channel::{Attachment, LinkKind, PortIndex};
use crate::error::TopologyError;
use crate::local::{Lists, LocalPattern, LocalPorts};
use crate::topology::Topology;
use crate::wiring::{End, Wiring};

/// A link that does not work, in neither direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FailedLink {
    /// One end.
    pub from: RouterId,
    /// The other end.
    pub to: RouterId,
    /// The port at `from`; `None`: every parallel link between the two.
    pub port: Option<PortIndex>,
}

impl Topology {
    /// This system without `failed` links. Ports keep their numbers and are unconnected;
    /// channels are numbered anew, without gaps. A link named twice fails once.
    ///
    /// # Errors
    /// If a link does not exist, or two nodes are left without a path.
    pub fn without_links(&self, failed: &[FailedLink]) -> Result<Self, TopologyError> {
        if failed.is_empty() {
            return Ok(self.clone());
        }
        let mut ends = self.wiring.ends.clone();
        let mut gone = BTreeSet::new();
        for link in failed {
            for near in self.ends_of(link)? {
                gone.insert(near);
            }
        }
        for near in gone {
            ends.cut(near);
        }
        let lists = Lists::new(&ends, self.router_count(), &self.layout);
        let damaged = Self {
            local: LocalPorts::new(LocalPattern::Listed(lists), &self.layout),
            wiring: Wiring::new(ends, &self.numbering, &self.layout),
            is_damaged: true,
            ..self.clone()
        };
        damaged.check_connected()?;
        Ok(damaged)
    }

    /// The ports at the first end of a link, those of all parallel ones if no port is named.
    ///
    /// # Errors
    /// If the link does not exist.
    pub fn ports_of_link(&self, link: &FailedLink) -> Result<Vec<PortIndex>, TopologyError> {
        let ends = self.ends_of(link)?;
        Ok(ends.into_iter().map(|end| end.port).collect())
    }

    /// The near ends of a failed link, all parallel ones if no port is named.
    fn ends_of(&self, link: &FailedLink) -> Result<Vec<End>, TopologyError> {
        let (from, to) = (link.from, link.to);
        let unknown = |problem: String| TopologyError::NoSuchLink {
            from: from.0,
            to: to.0,
            problem,
        };
        let last = self.router_count() - 1;
        if from.0 > last || to.0 > last {
            return Err(unknown(format!("the routers are 0 to {last}")));
        }
        let joins = |port: u16| {
            let far = self.wiring.ends.get(End::new(from, PortIndex(port)));
            far.is_some_and(|far| far.router == to)
        };
        let ports: Vec<u16> = (self.layout.hosts()..self.radix())
            .filter(|&port| joins(port))
            .collect();
        if ports.is_empty() {
            let mut near: Vec<u32> = self.adjacent(from).map(|router| router.0).collect();
            near.sort_unstable();
            near.dedup();
            let near: Vec<String> = near.iter().map(u32::to_string).collect();
            return Err(unknown(format!(
                "router {} is joined to {}",
                from.0,
                near.join(", ")
            )));
        }
        match link.port {
            None => {
                let ends = ports.iter().map(|&port| End::new(from, PortIndex(port)));
                Ok(ends.collect())
            }
            Some(port) if ports.contains(&port.0) => Ok(vec![End::new(from, port)]),
            Some(port) => {
                let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
                Err(unknown(format!(
                    "port {} of router {} does not lead there; {} does",
                    port.0,
                    from.0,
                    ports.join(", ")
                )))
            }
        }
    }

    /// Draws failed links: `share` of all links of `kinds`, in millionths and rounded to the
    /// nearest whole number, each set of that size as likely as any other.
    ///
    /// The draw depends on `seed`, the system and the kinds only. Links are drawn one by one, so
    /// that a larger share fails a superset of the links of a smaller one.
    ///
    /// # Errors
    /// If the share is more than one million, or the kinds contain host links, which join a node to
    /// the only router it has.
    pub fn draw_failures(
        &self,
        share_ppm: u32,
        kinds: &[LinkKind],
        seed: u64,
    ) -> Result<Vec<FailedLink>, TopologyError> {
        const WHOLE: u64 = 1_000_000;
        if u64::from(share_ppm) > WHOLE {
            return Err(TopologyError::FailureShare { share_ppm });
        }
        if kinds.contains(&LinkKind::Host) {
            return Err(TopologyError::HostFailure);
        }
        let mut links: Vec<FailedLink> = self
            .channels()
            .filter(|channel| kinds.contains(&channel.kind))
            .filter_map(|channel| match (channel.source, channel.target) {
                // Each link once, seen from its lower end.
                (Attachment::Router(from, port), Attachment::Router(to, _)) if from < to => {
                    let port = Some(port);
                    Some(FailedLink { from, to, port })
                }
                _ => None,
            })
            .collect();
        let failed = (links.len() as u64 * u64::from(share_ppm) + WHOLE / 2) / WHOLE;
        let failed = usize::try_from(failed).unwrap_or(links.len());
        let mut draw = Stream::new(seed, Purpose::Failure, 0);
        for position in 0..failed {
            let left = u32::try_from(links.len() - position).unwrap_or(u32::MAX);
            links.swap(position, position + draw.below(left) as usize);
        }
        links.truncate(failed);
        Ok(links)
    }
}
