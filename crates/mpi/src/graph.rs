//! Programs that are graphs: operations on streams, and what starts after what.
//!
//! `docs/traces.md` says when an operation is ready, starts and ends.

use std::collections::BTreeSet;

use odonata_units::Span;

use crate::operation::Operation;

/// Which moment of an operation another one waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// When the CPU of its stream takes it up.
    Start,
    /// When a computation is over, or a call returns.
    End,
}

/// `later` starts after a moment of `earlier`; both are positions in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The operation that is waited for.
    pub earlier: u32,
    /// Which moment of it.
    pub moment: Moment,
    /// The operation that waits.
    pub later: u32,
}

/// Why a graph cannot be a program.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GraphError {
    /// An edge of operation `later` to one that there is not.
    Missing(Edge),
    /// Operations that wait for each other: each edge's `later` is the next one's `earlier`, and
    /// the last one's `later` is the first one's `earlier`.
    Circle(Vec<Edge>),
}

/// Operations by the one that they wait for.
#[derive(Debug)]
struct Successors {
    /// `targets[offsets[i]..offsets[i + 1]]` are those of operation `i`.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    fn new(count: usize, edges: &[Edge], moment: Moment) -> Self {
        let of_moment = || edges.iter().filter(|edge| edge.moment == moment);
        let mut offsets = vec![0; count + 1];
        for edge in of_moment() {
            offsets[edge.earlier as usize + 1] += 1;
        }
        for at in 0..count {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; offsets[count] as usize];
        for edge in of_moment() {
            let place = &mut next[edge.earlier as usize];
            targets[*place as usize] = edge.later;
            *place += 1;
        }
        Self { offsets, targets }
    }

    fn of(&self, operation: u32) -> &[u32] {
        let at = operation as usize;
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

/// The shape of a program: the stream of each operation, and the edges between them.
#[derive(Debug)]
pub struct Graph {
    /// `[operation]`: index into `names`.
    streams: Vec<u32>,
    /// Numbers of the streams as given, ascending.
    names: Vec<u32>,
    /// `[operation]`: edges that it waits for.
    incoming: Vec<u32>,
    starts: Successors,
    ends: Successors,
}

impl Graph {
    /// The graph of as many operations as `streams` has entries, the number of the stream of each.
    ///
    /// Cost O(operations log operations + edges).
    ///
    /// # Errors
    /// If an edge names an operation that is not there, or operations wait for each other.
    pub fn new(streams: &[u32], edges: &[Edge]) -> Result<Self, GraphError> {
        let count = streams.len();
        let is_there = |operation: u32| (operation as usize) < count;
        if let Some(&edge) = edges
            .iter()
            .find(|edge| !is_there(edge.earlier) || !is_there(edge.later))
        {
            return Err(GraphError::Missing(edge));
        }
        let numbers: BTreeSet<u32> = streams.iter().copied().collect();
        let names: Vec<u32> = numbers.into_iter().collect();
        let dense = |name: &u32| names.partition_point(|known| known < name);
        let streams: Vec<u32> = streams
            .iter()
            .map(|name| u32::try_from(dense(name)).unwrap_or(u32::MAX))
            .collect();
        let mut incoming = vec![0; count];
        for edge in edges {
            incoming[edge.later as usize] += 1;
        }
        let graph = Self {
            streams,
            names,
            incoming,
            starts: Successors::new(count, edges, Moment::Start),
            ends: Successors::new(count, edges, Moment::End),
        };
        match graph.circle(edges) {
            circle if circle.is_empty() => Ok(graph),
            circle => Err(GraphError::Circle(circle)),
        }
    }

    /// Number of operations.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.streams.len()).unwrap_or(u32::MAX)
    }

    /// Whether there is no operation.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }

    /// Number of streams that have operations.
    #[must_use]
    pub const fn stream_count(&self) -> usize {
        self.names.len()
    }

    /// The stream of an operation, counted among those that have any.
    #[must_use]
    pub fn stream(&self, operation: u32) -> u32 {
        self.streams[operation as usize]
    }

    /// The number that stream `stream` was given.
    #[must_use]
    pub fn stream_name(&self, stream: u32) -> u32 {
        self.names.get(stream as usize).copied().unwrap_or(stream)
    }

    /// Edges that each operation waits for.
    #[must_use]
    pub fn incoming(&self) -> &[u32] {
        &self.incoming
    }

    /// The operations that wait for a moment of `operation`.
    #[must_use]
    pub fn after(&self, operation: u32, moment: Moment) -> &[u32] {
        match moment {
            Moment::Start => self.starts.of(operation),
            Moment::End => self.ends.of(operation),
        }
    }

    /// Edges that form a circle; none if there is no circle.
    fn circle(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut left = self.incoming.clone();
        let mut ready: Vec<u32> = (0..self.len())
            .filter(|&operation| left[operation as usize] == 0)
            .collect();
        while let Some(operation) = ready.pop() {
            for moment in [Moment::Start, Moment::End] {
                for &later in self.after(operation, moment) {
                    left[later as usize] -= 1;
                    if left[later as usize] == 0 {
                        ready.push(later);
                    }
                }
            }
        }
        // Whoever is left waits for one that is left: going back along such edges ends in a circle.
        let mut into = vec![None; left.len()];
        for edge in edges {
            if left[edge.later as usize] > 0 && left[edge.earlier as usize] > 0 {
                into[edge.later as usize] = Some(*edge);
            }
        }
        let Some(start) = into.iter().position(Option::is_some) else {
            return Vec::new();
        };
        let (mut seen, mut path, mut at) = (vec![false; left.len()], Vec::new(), start);
        while !seen[at] {
            seen[at] = true;
            let Some(edge) = into[at] else {
                return Vec::new();
            };
            path.push(edge);
            at = edge.earlier as usize;
        }
        let first = path.iter().position(|edge| edge.later as usize == at);
        let mut circle = path.split_off(first.unwrap_or(0));
        circle.reverse();
        circle
    }
}

/// The operations of a graph, by position.
pub trait Operations: Send {
    /// The operation at `position`; asked once per repetition of the program.
    fn operation(&self, position: u32) -> Operation;
}

impl<F: Fn(u32) -> Operation + Send> Operations for F {
    fn operation(&self, position: u32) -> Operation {
        self(position)
    }
}

/// A program that is a graph.
pub struct GraphProgram {
    /// Streams and edges.
    pub graph: Graph,
    /// What the operations are. None of them is [`Operation::Finish`].
    pub operations: Box<dyn Operations>,
    /// Computation before the first operation, of the first repetition only.
    pub wait_before: Span,
}

#[cfg(test)]
mod tests {
    use super::{Edge, Graph, GraphError, Moment};

    fn edge(earlier: u32, moment: Moment, later: u32) -> Edge {
        Edge {
            earlier,
            moment,
            later,
        }
    }

    #[test]
    fn successors_are_listed_by_moment() {
        let edges = [
            edge(0, Moment::End, 2),
            edge(0, Moment::Start, 1),
            edge(1, Moment::End, 2),
            edge(0, Moment::End, 3),
        ];
        let graph = Graph::new(&[7, 3, 7, 3], &edges).unwrap();
        assert_eq!(graph.after(0, Moment::End), [2, 3]);
        assert_eq!(graph.after(0, Moment::Start), [1]);
        assert_eq!(graph.after(3, Moment::End), [0_u32; 0]);
        assert_eq!(graph.incoming(), [0, 1, 2, 1]);
        assert_eq!((graph.stream(0), graph.stream(1)), (1, 0));
        assert_eq!((graph.stream_name(0), graph.stream_name(1)), (3, 7));
        assert_eq!((graph.stream_count(), graph.len()), (2, 4));
    }

    #[test]
    fn edges_to_nowhere_and_circles_are_named() {
        let missing = edge(4, Moment::End, 0);
        let error = Graph::new(&[0, 0], &[missing]).unwrap_err();
        assert_eq!(error, GraphError::Missing(missing));
        let own = edge(1, Moment::Start, 1);
        let error = Graph::new(&[0, 0], &[own]).unwrap_err();
        assert_eq!(error, GraphError::Circle(vec![own]));
        // 0 -> 1 -> 2 -> 3 -> 1, and 3 -> 4: the circle is 1, 2, 3.
        let edges = [
            edge(0, Moment::End, 1),
            edge(1, Moment::End, 2),
            edge(2, Moment::Start, 3),
            edge(3, Moment::End, 1),
            edge(3, Moment::End, 4),
        ];
        let Err(GraphError::Circle(circle)) = Graph::new(&[0; 5], &edges) else {
            unreachable!("a circle is refused")
        };
        assert_eq!(circle.len(), 3);
        for (one, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
            assert!(edges.contains(one));
            assert_eq!(one.later, next.earlier);
        }
    }
}
