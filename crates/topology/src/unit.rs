//! A part of a machine.

/// One way to divide the nodes into consecutive parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// `node`, `router`, `chassis`, `cabinet` or `group`.
    pub name: &'static str,
    /// First node of each part, ascending; nodes `starts[i]..starts[i + 1]` form part `i`, and the
    /// last part ends at the last node.
    pub starts: Vec<u32>,
}

impl Unit {
    /// The parts that start at `starts`, those without nodes left out.
    pub(crate) fn new(name: &'static str, starts: impl Iterator<Item = u32>, nodes: u32) -> Self {
        let mut starts: Vec<u32> = starts.filter(|&start| start < nodes).collect();
        starts.dedup();
        Self { name, starts }
    }
}
