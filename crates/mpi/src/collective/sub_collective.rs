//! Collectives made of collectives: what follows what, and among whom.

use std::sync::Arc;

use super::algorithm::Algorithm;
use super::butterfly::Wiring;
use super::choice::settled;
use super::groups::Groups;
use super::parts::{CollectiveKind, Primitive, Shape, Sizes};
use super::{
    bine, bruck, channels, dissemination, double_tree, doubling, exchange, halving, linear,
    neighbor, pat, pipeline, ring, tree,
};

/// One collective by one algorithm, among some of the ranks.
#[derive(Clone, Debug)]
pub(super) struct SubCollective {
    kind: CollectiveKind,
    algorithm: Algorithm,
    shape: Shape,
    among: Among,
    /// Steps made in advance, for the algorithms that are simpler so.
    list: Vec<Primitive>,
}

/// Whose ranks a part counts.
#[derive(Clone, Debug)]
enum Among {
    All,
    /// All, on nodes of equally many ranks.
    Nodes(Arc<Groups>),
    /// The ranks of one group.
    Group(Arc<Groups>, u32),
    /// One rank of each group: its first, but that of the root is the root.
    Leaders(Arc<Groups>, u32),
}

impl Among {
    fn rank(&self, position: u32) -> u32 {
        match self {
            Self::All | Self::Nodes(_) => position,
            Self::Group(groups, group) => groups.members(*group)[position as usize],
            Self::Leaders(groups, root) => leader(groups, position, *root),
        }
    }
}

fn leader(groups: &Groups, group: u32, root: u32) -> u32 {
    if groups.of(root) == group {
        root
    } else {
        groups.members(group)[0]
    }
}

impl SubCollective {
    fn new(kind: CollectiveKind, algorithm: Algorithm, shape: Shape, among: Among) -> Self {
        let list = match algorithm {
            Algorithm::DoubleTree if shape.size > 1 => double_tree::steps(&shape),
            Algorithm::PipelinedTrees if shape.size > 1 => double_tree::pipelined(&shape),
            _ => Vec::new(),
        };
        Self {
            kind,
            algorithm,
            shape,
            among,
            list,
        }
    }

    /// Primitive of this rank in step `step`.
    pub(super) fn step(&self, step: u32) -> Primitive {
        if self.shape.size == 1 {
            return Primitive::Done;
        }
        let primitive = self.counted(step);
        match self.among {
            Among::All => primitive,
            _ => primitive.with_peer(|peer| self.among.rank(peer)),
        }
    }

    /// The step with peers as the part counts them.
    fn counted(&self, step: u32) -> Primitive {
        use CollectiveKind as Kind;
        let (kind, shape) = (self.kind, &self.shape);
        match self.algorithm {
            Algorithm::BinaryTree => tree::binary(kind, shape, step),
            Algorithm::Binomial => match kind {
                Kind::Gather | Kind::Scatter => tree::binomial_blocks(kind, shape, step),
                _ => tree::binomial(kind, shape, step),
            },
            Algorithm::RecursiveDoubling => match kind {
                Kind::Scan => doubling::scan(shape, step),
                Kind::Allgather => halving::blocks(kind, Wiring::Far, shape, step),
                _ => doubling::step(Wiring::Near, shape, step),
            },
            Algorithm::RecursiveHalving => halving::blocks(kind, Wiring::Far, shape, step),
            Algorithm::Rabenseifner => halving::allreduce(Wiring::Near, shape, step),
            Algorithm::Bine => match kind {
                Kind::Bcast | Kind::Reduce => bine::tree(kind, shape, step),
                Kind::Allgather | Kind::ReduceScatter => {
                    halving::blocks(kind, Wiring::Bine, shape, step)
                }
                _ => doubling::step(Wiring::Bine, shape, step),
            },
            Algorithm::BineHalving => halving::allreduce(Wiring::Bine, shape, step),
            Algorithm::Dissemination => dissemination::step(shape, step),
            Algorithm::Ring => ring::step(kind, shape, step),
            Algorithm::RingRounds => exchange::ring_rounds(shape, step),
            Algorithm::Pairwise => match kind {
                Kind::ReduceScatter => exchange::pairwise_reduce(shape, step),
                _ => exchange::pairwise(shape, step),
            },
            Algorithm::Linear => match kind {
                Kind::Alltoall => exchange::at_once(shape, step),
                _ => linear::step(kind, shape, step),
            },
            Algorithm::Bruck => match kind {
                Kind::Alltoall => bruck::alltoall(shape, step),
                _ => bruck::allgather(shape, step),
            },
            Algorithm::NeighborExchange => neighbor::step(shape, step),
            Algorithm::Pipeline => pipeline::step(kind, shape, step),
            Algorithm::Pat => pat::step(kind, shape, step),
            Algorithm::RingChannels => match &self.among {
                Among::Nodes(groups) => channels::step(groups, shape, step),
                _ => ring::step(kind, shape, step),
            },
            Algorithm::DoubleTree | Algorithm::PipelinedTrees => {
                let made = self.list.get(step as usize);
                made.copied().unwrap_or(Primitive::Done)
            }
            // `parts` has taken these apart.
            Algorithm::ScatterDoubling
            | Algorithm::ScatterRing
            | Algorithm::Hierarchical
            | Algorithm::Mpich
            | Algorithm::OpenMpi
            | Algorithm::NcclLike => Primitive::Done,
        }
    }
}

/// The parts of a collective, one after the other; there is at least one.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) first: SubCollective,
    pub(super) rest: Vec<SubCollective>,
}

/// The parts of a collective, one after the other, as the rank of `shape` takes part in them.
pub(super) fn sequence(
    kind: CollectiveKind,
    algorithm: Algorithm,
    shape: Shape,
    groups: Option<&Arc<Groups>>,
) -> Sequence {
    match (kind, settled(kind, algorithm, &shape)) {
        (_, Algorithm::ScatterDoubling) => scattered(shape, Algorithm::RecursiveDoubling),
        (_, Algorithm::ScatterRing) => scattered(shape, Algorithm::Ring),
        (CollectiveKind::Reduce, Algorithm::Rabenseifner) => reduced(shape),
        (_, Algorithm::RingChannels) => {
            let among = groups.filter(|groups| groups.width().is_some_and(|width| width > 1));
            let among = among.map_or(Among::All, |groups| Among::Nodes(Arc::clone(groups)));
            front(vec![SubCollective::new(
                kind,
                Algorithm::RingChannels,
                shape,
                among,
            )])
        }
        (_, Algorithm::Hierarchical) => hierarchical(kind, shape, groups),
        (_, plain) => Sequence {
            first: SubCollective::new(kind, plain, shape, Among::All),
            rest: Vec::new(),
        },
    }
}

/// Van de Geijn's broadcast: the payload in pieces to everybody, then everybody's to everybody.
fn scattered(shape: Shape, gathering: Algorithm) -> Sequence {
    let shape = cut(shape);
    let scatter = (CollectiveKind::Scatter, Algorithm::Binomial);
    Sequence {
        first: SubCollective::new(scatter.0, scatter.1, shape.clone(), Among::All),
        rest: vec![SubCollective::new(
            CollectiveKind::Allgather,
            gathering,
            shape,
            Among::All,
        )],
    }
}

/// Rabenseifner's reduce: pieces combined everywhere, then gathered at the root.
fn reduced(shape: Shape) -> Sequence {
    let shape = cut(shape);
    let (halving, binomial) = (Algorithm::RecursiveHalving, Algorithm::Binomial);
    Sequence {
        first: SubCollective::new(
            CollectiveKind::ReduceScatter,
            halving,
            shape.clone(),
            Among::All,
        ),
        rest: vec![SubCollective::new(
            CollectiveKind::Gather,
            binomial,
            shape,
            Among::All,
        )],
    }
}

/// This shape with the payload cut into as many pieces as there are ranks.
fn cut(shape: Shape) -> Shape {
    let sizes = Sizes::Cut(shape.sizes.whole());
    Shape {
        incoming: sizes.clone(),
        sizes,
        ..shape
    }
}

/// Node first: inside the groups, between their leaders, inside the groups again.
fn hierarchical(kind: CollectiveKind, shape: Shape, groups: Option<&Arc<Groups>>) -> Sequence {
    let between = |shape: Shape, among| {
        let algorithm = settled(kind, Algorithm::Mpich, &shape);
        match (kind, algorithm) {
            (_, Algorithm::ScatterDoubling) => {
                spread(scattered(shape, Algorithm::RecursiveDoubling), &among)
            }
            (_, Algorithm::ScatterRing) => spread(scattered(shape, Algorithm::Ring), &among),
            (CollectiveKind::Reduce, Algorithm::Rabenseifner) => spread(reduced(shape), &among),
            (_, plain) => vec![SubCollective::new(kind, plain, shape, among)],
        }
    };
    let Some(groups) = groups.filter(|groups| !groups.are_single()) else {
        return front(between(shape, Among::All));
    };
    let (group, root) = (groups.of(shape.rank), shape.root);
    let members = groups.members(group);
    let position = |rank| {
        let found = members.iter().position(|&member| member == rank);
        u32::try_from(found.unwrap_or(0)).unwrap_or(0)
    };
    let leads = leader(groups, group, root);
    let inside = |kind| {
        let shape = Shape {
            rank: position(shape.rank),
            size: u32::try_from(members.len()).unwrap_or(u32::MAX),
            root: position(leads),
            ..shape.clone()
        };
        let among = Among::Group(Arc::clone(groups), group);
        SubCollective::new(kind, Algorithm::Binomial, shape, among)
    };
    let mut parts = Vec::new();
    if kind != CollectiveKind::Bcast {
        parts.push(inside(CollectiveKind::Reduce));
    }
    if shape.rank == leads {
        let shape = Shape {
            rank: group,
            size: groups.count(),
            root: groups.of(root),
            ..shape.clone()
        };
        parts.extend(between(shape, Among::Leaders(Arc::clone(groups), root)));
    }
    if kind != CollectiveKind::Reduce {
        parts.push(inside(CollectiveKind::Bcast));
    }
    front(parts)
}

/// The parts among other ranks.
fn spread(sequence: Sequence, among: &Among) -> Vec<SubCollective> {
    let all = [sequence.first].into_iter().chain(sequence.rest);
    all.map(|part| SubCollective {
        among: among.clone(),
        ..part
    })
    .collect()
}

/// The first part, and the others; a collective has at least one.
fn front(mut parts: Vec<SubCollective>) -> Sequence {
    let rest = parts.split_off(1);
    let first = parts.remove(0);
    Sequence { first, rest }
}
