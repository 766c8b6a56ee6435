//! A wavefront over a 2-D grid: receive from upstream, compute, send downstream, stage by stage.

use odonata_mpi::{Operation, Peer};
use odonata_units::Span;

use super::grid::Grid;
use super::phase::{Cursor, Phase, RankIteration};

/// One sweep from a corner to the opposite one, in blocking operations.
pub(crate) struct Sweep {
    pub(crate) grid: Grid,
    /// Whether it runs towards higher coordinates, along x and y.
    pub(crate) upwards: [bool; 2],
    pub(crate) stages: u64,
    /// Payload along x and y.
    pub(crate) bytes: [u64; 2],
    pub(crate) compute: Span,
    pub(crate) tag: u32,
}

impl Sweep {
    fn neighbour(&self, rank: u32, dimension: usize, downstream: bool) -> Option<u32> {
        let mut step = [0; super::grid::DIMENSIONS];
        step[dimension] = if self.upwards[dimension] == downstream {
            1
        } else {
            -1
        };
        self.grid.neighbour(rank, &step)
    }

    fn act(&self, rank: u32, act: u32) -> Option<Operation> {
        match act {
            0 | 1 => {
                let neighbour = self.neighbour(rank, act as usize, false)?;
                Some(Peer::in_job(neighbour, self.tag).recv(self.bytes[act as usize]))
            }
            // This is done also if it takes no time: it parts what is sent from one stage from that
            // of the next.
            2 => Some(Operation::Compute(self.compute)),
            _ => {
                let dimension = act as usize - 3;
                let neighbour = self.neighbour(rank, dimension, true)?;
                Some(Peer::in_job(neighbour, self.tag).send(self.bytes[dimension]))
            }
        }
    }
}

impl Phase for Sweep {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        while cursor.at < self.stages {
            let act = cursor.act;
            (cursor.act, cursor.at) = if act == 4 {
                (0, cursor.at + 1)
            } else {
                (act + 1, cursor.at)
            };
            let operation = self.act(current.rank, act);
            if operation.is_some() {
                return operation;
            }
        }
        None
    }
}
