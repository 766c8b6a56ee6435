//! Units: the parts of a system that a job can be given as a whole.

use std::ops::Range;

use odonata_registry::spelling::hint;

use crate::error::PlacementError;

/// Names that units have where systems have them, from the smallest to the largest: `node` only
/// on systems with several NICs per node, where each NIC is a node of the model; `chassis` and
/// `cabinet` on Cray systems.
pub const UNIT_NAMES: [&str; 5] = ["node", "router", "chassis", "cabinet", "group"];

/// One way to cut the nodes of a system into consecutive parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// One of [`UNIT_NAMES`].
    pub name: &'static str,
    /// First node of each part, ascending from 0; a part ends where the next one starts, the last
    /// one at the end of the system.
    pub starts: Vec<u32>,
}

impl Unit {
    /// The parts that start in `ids`.
    #[must_use]
    pub fn only(&self, ids: &Range<u32>) -> Self {
        let starts = self.starts.iter().copied();
        Self {
            name: self.name,
            starts: starts.filter(|start| ids.contains(start)).collect(),
        }
    }

    /// The parts as half-open ranges of node ids, those without nodes left out.
    pub fn parts(&self, node_count: u32) -> impl Iterator<Item = Range<u32>> {
        let ends = self.starts.iter().skip(1).copied().chain([node_count]);
        let parts = self.starts.iter().zip(ends);
        parts
            .map(|(&start, end)| start..end)
            .filter(|part| !part.is_empty())
    }
}

/// Nodes of the groups of one kind, or of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindNodes {
    /// Such as `compute`.
    pub name: String,
    /// Their ids.
    pub nodes: Range<u32>,
}

/// The unit called `name`, asked for by placement `kind`.
pub(crate) fn find<'a>(
    units: &'a [Unit],
    name: &str,
    kind: &str,
) -> Result<&'a Unit, PlacementError> {
    let names = || units.iter().map(|unit| unit.name);
    units.iter().find(|unit| unit.name == name).ok_or_else(|| {
        let choices: Vec<&str> = names().collect();
        PlacementError::UnknownUnit {
            kind: kind.to_owned(),
            unit: name.to_owned(),
            hint: hint(name, names()),
            choices: choices.join(", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn parts_follow_each_other_and_leave_out_what_is_empty() {
        let unit = Unit {
            name: "router",
            starts: vec![0, 4, 4, 8],
        };
        let parts: Vec<_> = unit.parts(10).collect();
        assert_eq!(parts, [0..4, 4..8, 8..10]);
    }
}
