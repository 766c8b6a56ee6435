//! The schedule of one rank, as it is read.

use odonata_workload::Column;

use crate::recorded::Edge;

/// Kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Send,
    Recv,
    Calc,
    /// Something else, which is counted; only its dependencies are kept.
    Other,
}

const KINDS: [Kind; 4] = [Kind::Send, Kind::Recv, Kind::Calc, Kind::Other];

/// One operation of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) kind: Kind,
    /// Bytes or nanoseconds.
    pub(super) size: u64,
    pub(super) peer: u32,
    pub(super) tag: u32,
    pub(super) cpu: u8,
    pub(super) nic: u8,
}

/// Operations, packed as in the table, and what waits for what.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    kind: Column<u8>,
    size: Column<u64>,
    peer: Column<u32>,
    tag: Column<u32>,
    cpu: Column<u8>,
    nic: Column<u8>,
    pub(super) edges: Vec<Edge>,
}

impl Schedule {
    pub(super) const fn len(&self) -> usize {
        self.kind.len()
    }

    pub(super) fn push(&mut self, vertex: Vertex) {
        self.kind.push(vertex.kind as u8);
        self.size.push(vertex.size);
        self.peer.push(vertex.peer);
        self.tag.push(vertex.tag);
        self.cpu.push(vertex.cpu);
        self.nic.push(vertex.nic);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..self.len()).map(|at| Vertex {
            kind: KINDS[usize::from(self.kind.get(at))],
            size: self.size.get(at),
            peer: self.peer.get(at),
            tag: self.tag.get(at),
            cpu: self.cpu.get(at),
            nic: self.nic.get(at),
        })
    }
}
