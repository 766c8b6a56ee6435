//! Programs that are graphs: operations on streams, and what starts after what.
//!
//! `docs/traces.md` says when an operation is ready, starts and ends.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

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

/// How many edges each operation waits for: a byte for each, since few wait for more.
#[derive(Clone, Debug)]
pub struct Counts {
    small: Vec<u8>,
    /// Counts above 255.
    more: BTreeMap<u32, u32>,
}

impl Counts {
    fn none(operations: usize) -> Self {
        Self {
            small: vec![0; operations],
            more: BTreeMap::new(),
        }
    }

    fn add(&mut self, operation: u32) {
        let small = &mut self.small[operation as usize];
        if *small < u8::MAX {
            *small += 1;
        } else {
            *self.more.entry(operation).or_default() += 1;
        }
    }

    /// The edges of an operation.
    #[must_use]
    pub fn of(&self, operation: u32) -> u32 {
        let more = self.more.get(&operation).copied().unwrap_or(0);
        u32::from(self.small[operation as usize]) + more
    }

    /// One edge fewer; says whether none is left.
    pub(crate) fn take(&mut self, operation: u32) -> bool {
        if let Some(more) = self.more.get_mut(&operation) {
            *more -= 1;
            if *more == 0 {
                self.more.remove(&operation);
            }
            return false;
        }
        let small = &mut self.small[operation as usize];
        *small -= 1;
        *small == 0
    }

    /// Operations that wait for nothing.
    pub(crate) fn free(&self) -> impl Iterator<Item = u32> + '_ {
        let all = (0..).zip(&self.small);
        all.filter_map(|(operation, &count)| (count == 0).then_some(operation))
    }
}

/// Operations by the one that they wait for.
#[derive(Debug)]
struct Successors {
    /// `targets[offsets[i]..offsets[i + 1]]` are those of operation `i`; empty: there are none.
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Successors {
    /// With the edges of each operation counted: none of the lists is filled yet.
    fn counted(mut counts: Vec<u32>) -> Self {
        // Each offset is where the list begins, and, when all are filled in, where it ends.
        let mut total = 0;
        for count in &mut counts {
            total += std::mem::replace(count, total);
        }
        Self {
            offsets: if total > 0 { counts } else { Vec::new() },
            targets: vec![0; total as usize],
        }
    }

    fn put(&mut self, earlier: u32, later: u32) {
        let end = &mut self.offsets[earlier as usize];
        self.targets[*end as usize] = later;
        *end += 1;
    }

    /// All are filled in: moves the offsets, which are ends now, behind one another.
    fn finish(&mut self) {
        if !self.offsets.is_empty() {
            self.offsets.rotate_right(1);
            self.offsets[0] = 0;
        }
    }

    fn of(&self, operation: u32) -> &[u32] {
        if self.offsets.is_empty() {
            return &[];
        }
        let at = operation as usize;
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

/// The shape of a program: the stream of each operation, and the edges between them.
#[derive(Debug)]
pub struct Graph {
    /// `[operation]`: index into `names`; empty: all are on the same stream.
    streams: Vec<u32>,
    /// Numbers of the streams as given, ascending.
    names: Vec<u32>,
    /// Edges that each operation waits for.
    incoming: Counts,
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
        Self::of(streams.to_vec(), || edges.iter().copied())
    }

    /// Makes the graph of edges that are gone through several times instead of being kept.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn of<I: Iterator<Item = Edge>>(
        mut streams: Vec<u32>,
        edges: impl Fn() -> I,
    ) -> Result<Self, GraphError> {
        let count = streams.len();
        let is_there = |operation: u32| (operation as usize) < count;
        let mut incoming = Counts::none(count);
        // One entry more: the end of the last list.
        let (mut starts, mut ends) = (vec![0; count + 1], vec![0; count + 1]);
        for edge in edges() {
            if !is_there(edge.earlier) || !is_there(edge.later) {
                return Err(GraphError::Missing(edge));
            }
            incoming.add(edge.later);
            let counts = match edge.moment {
                Moment::Start => &mut starts,
                Moment::End => &mut ends,
            };
            counts[edge.earlier as usize] += 1;
        }
        let (mut starts, mut ends) = (Successors::counted(starts), Successors::counted(ends));
        for edge in edges() {
            match edge.moment {
                Moment::Start => starts.put(edge.earlier, edge.later),
                Moment::End => ends.put(edge.earlier, edge.later),
            }
        }
        starts.finish();
        ends.finish();
        let mut names: Vec<u32> = Vec::new();
        for &stream in &streams {
            if let Err(index) = names.binary_search(&stream) {
                names.insert(index, stream);
            }
        }
        if names.len() > 1 {
            let dense = |name: u32| names.partition_point(|&known| known < name);
            for stream in &mut streams {
                *stream = u32::try_from(dense(*stream)).unwrap_or(u32::MAX);
            }
        } else {
            streams = Vec::new();
        }
        let graph = Self {
            streams,
            names,
            incoming,
            starts,
            ends,
        };
        match graph.circle(edges) {
            circle if circle.is_empty() => Ok(graph),
            circle => Err(GraphError::Circle(circle)),
        }
    }

    /// Number of operations.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.incoming.small.len()).unwrap_or(u32::MAX)
    }

    /// Whether there is no operation.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.incoming.small.is_empty()
    }

    /// Number of streams that have operations.
    #[must_use]
    pub const fn stream_count(&self) -> usize {
        self.names.len()
    }

    /// The stream of an operation, counted among those that have any.
    #[must_use]
    pub fn stream(&self, operation: u32) -> u32 {
        self.streams.get(operation as usize).copied().unwrap_or(0)
    }

    /// The number that stream `stream` was given.
    #[must_use]
    pub fn stream_name(&self, stream: u32) -> u32 {
        self.names.get(stream as usize).copied().unwrap_or(stream)
    }

    /// Edges that each operation waits for.
    #[must_use]
    pub const fn incoming(&self) -> &Counts {
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

    /// The operations, each behind all that it waits for, and otherwise as they stand in the program;
    /// `None` if they stand so already.
    ///
    /// Cost O(operations log operations + edges).
    #[must_use]
    pub fn order(&self) -> Option<Vec<u32>> {
        let moments = [Moment::Start, Moment::End];
        let is_behind = |operation: u32| {
            let mut after = moments.iter().flat_map(|&one| self.after(operation, one));
            after.all(|&later| later > operation)
        };
        if (0..self.len()).all(is_behind) {
            return None;
        }
        let mut left = self.incoming.clone();
        let mut ready: BinaryHeap<Reverse<u32>> = left.free().map(Reverse).collect();
        let mut order = Vec::with_capacity(self.len() as usize);
        while let Some(Reverse(operation)) = ready.pop() {
            order.push(operation);
            let after = moments.iter().flat_map(|&one| self.after(operation, one));
            ready.extend(
                after
                    .filter(|&&later| left.take(later))
                    .copied()
                    .map(Reverse),
            );
        }
        Some(order)
    }

    /// Edges that form a circle; none if there is no circle.
    fn circle<I: Iterator<Item = Edge>>(&self, edges: impl Fn() -> I) -> Vec<Edge> {
        let mut left = self.incoming.clone();
        let mut ready: Vec<u32> = left.free().collect();
        while let Some(operation) = ready.pop() {
            for moment in [Moment::Start, Moment::End] {
                for &later in self.after(operation, moment) {
                    if left.take(later) {
                        ready.push(later);
                    }
                }
            }
        }
        let count = self.len() as usize;
        if left.free().count() == count {
            return Vec::new();
        }
        // Whoever is left waits for one that is left: going back along such edges ends in a circle.
        let mut into = vec![None; count];
        for edge in edges() {
            if left.of(edge.later) > 0 && left.of(edge.earlier) > 0 {
                into[edge.later as usize] = Some(edge);
            }
        }
        let Some(start) = into.iter().position(Option::is_some) else {
            return Vec::new();
        };
        let (mut seen, mut path, mut at) = (vec![false; count], Vec::new(), start);
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
    /// The operations. None of them is [`Operation::Finish`].
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
        let incoming = [0, 1, 2, 3].map(|operation| graph.incoming().of(operation));
        assert_eq!(incoming, [0, 1, 2, 1]);
        assert_eq!((graph.stream(0), graph.stream(1)), (1, 0));
        assert_eq!((graph.stream_name(0), graph.stream_name(1)), (3, 7));
        assert_eq!((graph.stream_count(), graph.len()), (2, 4));
    }

    #[test]
    fn an_operation_may_wait_for_many() {
        let edges: Vec<Edge> = (0..700).map(|at| edge(at, Moment::End, 700)).collect();
        let graph = Graph::new(&[5; 701], &edges).unwrap();
        let mut left = graph.incoming().clone();
        assert_eq!((left.of(700), left.of(3)), (700, 0));
        assert_eq!(left.free().count(), 700);
        assert_eq!((0..700).filter(|_| left.take(700)).count(), 1);
        assert_eq!(left.of(700), 0);
    }

    #[test]
    fn what_waits_stands_behind_and_the_rest_as_it_was() {
        let graph = Graph::new(&[0; 3], &[edge(0, Moment::Start, 2)]).unwrap();
        assert_eq!(graph.order(), None);
        let edges = [edge(3, Moment::End, 0), edge(2, Moment::Start, 1)];
        let graph = Graph::new(&[0, 1, 0, 1], &edges).unwrap();
        assert_eq!(graph.order(), Some(vec![2, 1, 3, 0]));
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
