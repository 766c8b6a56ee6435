//! Which tile of an Aries router a port is.
//!
//! A router has 48 tiles in 6 rows of 8; those of row 5 lead to the NICs. A tile is written as in
//! interconnect dumps: ten times its row, plus its column.
//!
//! ```text
//!          0  1  2  3  4  5  6  7        in a router of the first half of the columns; in
//!     0    g  b  b  b  b  b  b  k        the second half green and black change places
//!     1    g  g  b  b  b  b  k  k
//!     2    g  g  g  g  k  k  k  k        g green (along a row)    k black (along a column)
//!     3    g  g  g  g  k  k  k  k        b blue (between groups)
//!     4    g  g  g  g  k  k  k  k        p processor tiles
//!     5    p  p  p  p  p  p  p  p
//! ```
//!
//! The colours are those of Theta's interconnect dump.

use odonata_units::RouterId;

use crate::channel::{LinkKind, PortIndex};
use crate::family::Family;
use crate::topology::Topology;

/// Columns of tiles.
const COLUMNS: u16 = 8;
/// Row of the processor tiles.
const PROCESSOR_ROW: u16 = 5;
/// Network tiles.
const NETWORK_TILES: u16 = PROCESSOR_ROW * COLUMNS;

/// Tiles along rows in the first half of the columns; along columns in the second.
const LEFT: [u8; 15] = [0, 10, 11, 20, 21, 22, 23, 30, 31, 32, 33, 40, 41, 42, 43];
/// The other way round.
const RIGHT: [u8; 15] = [7, 16, 17, 24, 25, 26, 27, 34, 35, 36, 37, 44, 45, 46, 47];
/// Tiles between groups.
const BLUE: [u8; 10] = [1, 2, 3, 4, 5, 6, 12, 13, 14, 15];

impl Topology {
    /// The tile that `port` of `router` is: ten times its row, plus its column; `None` where
    /// routers have more ports than an Aries has tiles.
    ///
    /// A machine rebuilt from an interconnect dump has the tiles of the dump. Otherwise, in a
    /// two-dimensional dragonfly the ports of each kind take the tiles of their colour in order;
    /// elsewhere, ports between routers take the network tiles in order. NIC `n` of `p` at a router
    /// has the first of its processor tiles, `n * floor(8 / p)` (at least 1).
    #[must_use]
    pub fn tile(&self, router: RouterId, port: PortIndex) -> Option<u8> {
        if !self.has_tiles() {
            return None;
        }
        if self.layout.kind(port) == LinkKind::Host {
            return self.processor_tile(port);
        }
        let index = router.index() * usize::from(self.radix()) + port.index();
        if let Some(tile) = self.tiles.get(index) {
            return *tile;
        }
        self.coloured_tile(router, port).or_else(|| {
            let number = port.0 - self.layout.hosts();
            u8::try_from(number / COLUMNS * 10 + number % COLUMNS).ok()
        })
    }

    /// This system without the tiles of a dump: ports have the tiles that the rule gives them.
    #[must_use]
    pub fn with_tiles_by_rule(mut self) -> Self {
        self.tiles = Vec::new();
        self
    }

    /// Whether ports are tiles.
    #[must_use]
    pub const fn has_tiles(&self) -> bool {
        let hosts = self.layout.hosts();
        hosts <= COLUMNS && self.layout.radix() - hosts <= NETWORK_TILES
    }

    fn processor_tile(&self, port: PortIndex) -> Option<u8> {
        let each = (COLUMNS / self.layout.hosts().max(1)).max(1);
        u8::try_from(PROCESSOR_ROW * 10 + port.0 * each).ok()
    }

    /// The tile of a two-dimensional dragonfly that an Aries has room for.
    fn coloured_tile(&self, router: RouterId, port: PortIndex) -> Option<u8> {
        let Family::Aries(shape) = &self.family else {
            return None;
        };
        let ports = |kind| self.layout.ports(kind);
        let fits = ports(LinkKind::Row).len() <= LEFT.len()
            && ports(LinkKind::Column).len() <= RIGHT.len()
            && ports(LinkKind::Global).len() <= BLUE.len();
        if !fits {
            return None;
        }
        let kind = self.layout.kind(port);
        let index = usize::from(port.0 - self.layout.first(kind));
        let column = shape.row_and_column(router.0 % shape.routers_per_group()).1;
        let tiles: &[u8] = match (kind, column < shape.columns.div_ceil(2)) {
            (LinkKind::Global, _) => &BLUE,
            (LinkKind::Row, true) | (LinkKind::Column, false) => &LEFT,
            _ => &RIGHT,
        };
        tiles.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use odonata_units::RouterId;

    use super::{BLUE, LEFT, RIGHT};
    use crate::channel::PortIndex;
    use crate::family::AriesShape;
    use crate::shape::Shape;
    use crate::topology::Topology;

    fn tiles(topology: &Topology, router: u32) -> Vec<Option<u8>> {
        let ports = (0..topology.radix()).map(PortIndex);
        ports
            .map(|port| topology.tile(RouterId(router), port))
            .collect()
    }

    #[test]
    fn every_network_tile_has_one_colour() {
        let all: BTreeSet<u8> = LEFT.into_iter().chain(RIGHT).chain(BLUE).collect();
        let expected: BTreeSet<u8> = (0..5)
            .flat_map(|row| (0..8).map(move |c| row * 10 + c))
            .collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn ports_of_an_aries_take_the_tiles_of_their_colour() {
        let shape = AriesShape {
            groups: 9,
            rows: 6,
            columns: 16,
            nodes_per_router: 4,
            column_links: 3,
            global_ports_per_router: 4,
            chassis_per_cabinet: 3,
        };
        let theta = Topology::aries(shape).unwrap();
        let first = tiles(&theta, 7);
        assert_eq!(first[..4], [50, 52, 54, 56].map(Some));
        assert_eq!(first[4..19], LEFT.map(Some));
        assert_eq!(first[19..34], RIGHT.map(Some));
        assert_eq!(first[34..], [1, 2, 3, 4].map(Some));
        let second = tiles(&theta, 8);
        assert_eq!(
            (&second[4..19], &second[19..34]),
            (&first[19..34], &first[4..19])
        );
    }

    #[test]
    fn other_routers_fill_the_tiles_in_order_or_have_none() {
        let system = |nodes| {
            Topology::dragonfly(Shape {
                groups: 9,
                routers_per_group: 4,
                nodes_per_router: nodes,
                global_ports_per_router: 2,
                arrangement: crate::Arrangement::Absolute,
            })
        };
        let found = tiles(&system(3).unwrap(), 7);
        assert_eq!(found, [50, 52, 54, 0, 1, 2, 3, 4].map(Some));
        assert!(tiles(&system(9).unwrap(), 7).iter().all(Option::is_none));
    }
}
