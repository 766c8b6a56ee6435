//! The lines of an interconnect dump of a Cray XC: one per tile of a router.
//!
//! ```text
//! c0-0c1s2a0l07(0:1:2) black -> c1-0c2s2a0l16(0:5:2)
//! |         | |   |                              |
//! |         | |   group : row : column           the tile at the other end
//! |         | tile (row and column of tiles on the chip)
//! |         Aries 0 of slot 2
//! cabinet 0-0, chassis 1
//! ```
//!
//! Green tiles lead along a row, black ones along a column, blue ones to other groups; `ptile` ones
//! lead to the NICs (`processor`). Any may be `unused`.

use std::fmt;

/// Group, row and column of a router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RouterPosition {
    pub(crate) group: u32,
    pub(crate) row: u32,
    pub(crate) column: u32,
}

impl fmt::Display for RouterPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}:{}:{})", self.group, self.row, self.column)
    }
}

/// Where a router stands in the machine room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Name {
    pub(crate) cabinet: (u32, u32),
    pub(crate) chassis: u32,
    pub(crate) slot: u32,
    pub(crate) aries: u32,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.cabinet;
        let (chassis, slot, aries) = (self.chassis, self.slot, self.aries);
        write!(f, "c{x}-{y}c{chassis}s{slot}a{aries}")
    }
}

/// One tile of one router.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Tile {
    pub(crate) position: RouterPosition,
    pub(crate) name: Name,
    /// As written: row and column of the tile.
    pub(crate) tile: u32,
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}l{:02}{}", self.name, self.tile, self.position)
    }
}

/// Purpose of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colour {
    /// Along a row.
    Green,
    /// Along a column.
    Black,
    /// To another group.
    Blue,
    /// To the NICs.
    Processor,
}

impl Colour {
    const ALL: [Self; 4] = [Self::Green, Self::Black, Self::Blue, Self::Processor];

    /// As written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Black => "black",
            Self::Blue => "blue",
            Self::Processor => "ptile",
        }
    }
}

/// The other end of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Far {
    Unused,
    Processor,
    Tile(Tile),
}

/// One line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// Counted from 1.
    pub(crate) line: u64,
    pub(crate) near: Tile,
    pub(crate) colour: Colour,
    pub(crate) far: Far,
}

/// Reads one line; says what is wrong with it.
pub(crate) fn record(line: u64, text: &str) -> Result<Record, String> {
    let mut words = text.split_whitespace();
    let (Some(near), Some(colour), Some("->"), Some(far), None) = (
        words.next(),
        words.next(),
        words.next(),
        words.next(),
        words.next(),
    ) else {
        return Err(
            "expected `TILE COLOUR -> TILE`, for example `c0-0c0s0a0l00(0:0:0) green -> \
                    c0-0c0s6a0l10(0:0:6)`"
                .to_owned(),
        );
    };
    let near = tile(near)?;
    let colour = Colour::ALL
        .into_iter()
        .find(|entry| entry.name() == colour)
        .ok_or_else(|| {
            let names = Colour::ALL.map(Colour::name);
            let hint = odonata_registry::spelling::hint(colour, names);
            format!(
                "there is no kind of tile `{colour}`{hint}; expected one of {}",
                names.join(", ")
            )
        })?;
    let far = match far {
        "unused" => Far::Unused,
        "processor" => Far::Processor,
        end => Far::Tile(tile(end)?),
    };
    let fits = match far {
        Far::Unused => true,
        Far::Processor => colour == Colour::Processor,
        Far::Tile(_) => colour != Colour::Processor,
    };
    if !fits {
        return Err(format!(
            "a {} tile does not lead there; ptiles lead to `processor`, others to tiles",
            colour.name()
        ));
    }
    Ok(Record {
        line,
        near,
        colour,
        far,
    })
}

fn tile(text: &str) -> Result<Tile, String> {
    let mut scanner = Scanner { rest: text };
    scanner
        .tile()
        .filter(|_| scanner.rest.is_empty())
        .ok_or_else(|| {
            format!("`{text}` is not a tile; expected a form like `c0-0c0s0a0l00(0:0:0)`")
        })
}

/// Takes numbers and signs off the front of a text.
struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    fn sign(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    /// A number below 2^12: everything in a machine is counted in less.
    fn number(&mut self) -> Option<u32> {
        let end = self
            .rest
            .find(|sign: char| !sign.is_ascii_digit())
            .unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok().filter(|number| *number < 1 << 12)
    }

    fn after(&mut self, sign: &str) -> Option<u32> {
        self.sign(sign)?;
        self.number()
    }

    fn tile(&mut self) -> Option<Tile> {
        let name = Name {
            cabinet: (self.after("c")?, self.after("-")?),
            chassis: self.after("c")?,
            slot: self.after("s")?,
            aries: self.after("a")?,
        };
        let tile = self.after("l")?;
        let position = RouterPosition {
            group: self.after("(")?,
            row: self.after(":")?,
            column: self.after(":")?,
        };
        self.sign(")")?;
        Some(Tile {
            position,
            name,
            tile,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Far, record};

    #[test]
    fn lines_are_read() {
        let line = "c1-2c0s13a0l47(3:4:13) blue -> c10-0c0s0a0l02(5:0:0)";
        let read = record(7, line).unwrap();
        assert_eq!(read.near.to_string(), "c1-2c0s13a0l47(3:4:13)");
        assert_eq!(read.colour, Colour::Blue);
        let Far::Tile(far) = read.far else {
            unreachable!("it leads to a tile");
        };
        assert_eq!(far.to_string(), "c10-0c0s0a0l02(5:0:0)");
        let line = "c0-0c0s0a0l50(0:0:0) ptile -> processor";
        assert_eq!(record(1, line).unwrap().far, Far::Processor);
        let line = "c0-0c0s0a0l04(0:0:0) blue -> unused";
        assert_eq!(record(1, line).unwrap().far, Far::Unused);
    }

    #[test]
    fn other_lines_are_refused() {
        for (line, expected) in [
            (
                "c0-0c0s0a0l50(0:0:0) ptile",
                "expected `TILE COLOUR -> TILE`",
            ),
            ("c0-0c0s0a0l50(0:0) ptile -> processor", "is not a tile"),
            ("c0-0c0s0a0l50(0:0:0)x ptile -> processor", "is not a tile"),
            (
                "c0-0c0s0a0l50(0:0:99999) ptile -> processor",
                "is not a tile",
            ),
            (
                "c0-0c0s0a0l50(0:0:0) gren -> unused",
                "(did you mean `green`?)",
            ),
            ("c0-0c0s0a0l50(0:0:0) green -> processor", "ptiles lead to"),
        ] {
            let error = record(1, line).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
