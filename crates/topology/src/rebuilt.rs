//! The system of an interconnect dump.
//!
//! Ports are numbered as in a parametric system: row and column ports by far router, global ports
//! by far router, and parallel links in the order of their tiles at the router with the lower id.

use odonata_units::RouterId;

use crate::aries::port;
use crate::channel::LinkKind;
use crate::dump::TileLink;
use crate::error::TopologyError;
use crate::family::{AriesShape, Family};
use crate::interconnect::Interconnect;
use crate::local::{Lists, LocalPattern};
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

impl Topology {
    /// The machine that `interconnect` describes, with its own wiring between groups. If links
    /// inside groups are missing, it counts as damaged.
    ///
    /// # Errors
    /// If a limit is passed, or two nodes have no path.
    pub fn aries_from_interconnect(interconnect: &Interconnect) -> Result<Self, TopologyError> {
        let shape = interconnect.shape().clone();
        let (layout, numbering) = shape.frame()?;
        let mut ends = Ends::new(numbering.routers, &layout);
        let global = global_ports(&interconnect.links, numbering.routers);
        let mut parallel = 0;
        let mut tiles = vec![None; numbering.routers as usize * usize::from(layout.radix())];
        let mut before: Option<&TileLink> = None;
        for (link, global) in interconnect.links.iter().zip(global) {
            let is_parallel = before.is_some_and(|before| {
                (before.kind, before.low, before.high) == (link.kind, link.low, link.high)
            });
            parallel = if is_parallel { parallel + 1 } else { 0 };
            before = Some(link);
            let at = |near: RouterId, far: RouterId, global: u32| {
                let (near_place, far_place) = (position(&shape, near), position(&shape, far));
                let skip = |near: u32, far: u32| far - u32::from(far > near);
                let index = match link.kind {
                    LinkKind::Row => skip(near_place.1, far_place.1),
                    LinkKind::Column => {
                        skip(near_place.0, far_place.0) * shape.column_links + parallel
                    }
                    _ => global,
                };
                End::new(near, port(&layout, link.kind, index))
            };
            let (low, high) = (
                at(link.low, link.high, global.0),
                at(link.high, link.low, global.1),
            );
            for (end, tile) in [(low, link.tile), (high, link.high_tile)] {
                let radix = usize::from(layout.radix());
                let position = end.router.index() * radix + end.port.index();
                tiles[position] = u8::try_from(tile).ok();
            }
            ends.join(low, high);
        }
        let is_whole = is_whole(&shape, &interconnect.links);
        let mut topology = Self::assemble(Parts {
            pattern: if is_whole {
                LocalPattern::grid(&shape)
            } else {
                LocalPattern::Listed(Lists::new(&ends, numbering.routers, &layout))
            },
            family: Family::Aries(shape),
            numbering,
            layout,
            ends,
        });
        topology.tiles = tiles;
        topology.is_damaged = !is_whole
            || topology.groups().any(|from| {
                let mut others = topology.groups().filter(|&to| to != from);
                others.any(|to| topology.global_channels(from, to).is_empty())
            });
        topology.check_connected()?;
        Ok(topology)
    }
}

/// Row and column of a router.
const fn position(shape: &AriesShape, router: RouterId) -> (u32, u32) {
    shape.row_and_column(router.0 % shape.routers_per_group())
}

/// Whether every link inside groups is there.
fn is_whole(shape: &AriesShape, links: &[TileLink]) -> bool {
    let pairs = |members: u32| u64::from(members) * u64::from(members - 1) / 2;
    let row = pairs(shape.columns) * u64::from(shape.rows);
    let column = pairs(shape.rows) * u64::from(shape.columns) * u64::from(shape.column_links);
    let found = links.iter().filter(|link| link.kind != LinkKind::Global);
    found.count() as u64 == u64::from(shape.groups) * (row + column)
}

/// Per link, the positions of its ends among the global channels of their routers (0 for others).
fn global_ports(links: &[TileLink], routers: u32) -> Vec<(u32, u32)> {
    // Channels of each router by far router; parallel ones in the order of the links.
    let mut channels: Vec<Vec<(RouterId, usize)>> = vec![Vec::new(); routers as usize];
    for (number, link) in links.iter().enumerate() {
        if link.kind == LinkKind::Global {
            channels[link.low.index()].push((link.high, number));
            channels[link.high.index()].push((link.low, number));
        }
    }
    let mut ports = vec![(0, 0); links.len()];
    for (router, own) in (0..).map(RouterId).zip(&mut channels) {
        own.sort_unstable();
        for (port, (_, number)) in (0..).zip(own.iter()) {
            if links[*number].low == router {
                ports[*number].0 = port;
            } else {
                ports[*number].1 = port;
            }
        }
    }
    ports
}
