//! Program of a rank: one sequence, or a graph.

use crate::graph::GraphProgram;
use crate::operation::Program;

/// The program of a rank.
pub enum RankProgram {
    /// One operation after the other.
    Sequence(Box<dyn Program>),
    /// Operations on streams, with edges.
    Graph(Box<GraphProgram>),
}

impl<P: Program + 'static> From<P> for RankProgram {
    fn from(program: P) -> Self {
        Self::Sequence(Box::new(program))
    }
}

impl From<GraphProgram> for RankProgram {
    fn from(program: GraphProgram) -> Self {
        Self::Graph(Box::new(program))
    }
}
