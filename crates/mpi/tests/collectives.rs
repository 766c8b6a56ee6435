//! Every collective, every algorithm, all sizes 1 to 17: every rank gets the right data, with the
//! number of messages the literature gives.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use odonata_mpi::collective::{Shape, Sizes};
use odonata_mpi::{Algorithm, Block, Collective, CollectiveKind, Primitive};

/// What a block of a buffer holds: who has contributed, each as (origin rank, block).
type Data = BTreeSet<(u32, u32)>;

/// What is under way from one rank to another: the data and the size of each message.
type Wire = VecDeque<(Vec<Data>, u64)>;

struct Rank {
    steps: Collective,
    buffer: Vec<Data>,
    /// Alltoall receives beside what it still has to send.
    received: Vec<Data>,
    pending: Vec<(u32, Block, u64)>,
    blocked: Option<(u32, Block, u64)>,
    waiting: bool,
    done: bool,
}

struct World {
    kind: CollectiveKind,
    ranks: Vec<Rank>,
    /// By (source, target), in order: the data and the size.
    wires: BTreeMap<(u32, u32), Wire>,
    messages: u64,
    bytes: u64,
}

const BYTES: u64 = 1000;

fn start(kind: CollectiveKind, size: u32, rank: u32, root: u32) -> Vec<Data> {
    let own = |block| Data::from([(rank, block)]);
    let blocks = |mine: fn(u32, u32, u32) -> bool| {
        (0..size)
            .map(|block| {
                if mine(block, rank, root) {
                    own(block)
                } else {
                    Data::new()
                }
            })
            .collect()
    };
    match kind {
        CollectiveKind::Bcast => vec![if rank == root { own(0) } else { Data::new() }],
        CollectiveKind::Barrier | CollectiveKind::Reduce | CollectiveKind::Scan => vec![own(0)],
        CollectiveKind::Alltoall | CollectiveKind::Allreduce | CollectiveKind::ReduceScatter => {
            blocks(|_, _, _| true)
        }
        CollectiveKind::Allgather | CollectiveKind::Gather => {
            blocks(|block, rank, _| block == rank)
        }
        CollectiveKind::Scatter => blocks(|_, rank, root| rank == root),
    }
}

impl World {
    fn new(kind: CollectiveKind, algorithm: Algorithm, size: u32, root: u32) -> Self {
        let blocks = match (kind, algorithm) {
            (CollectiveKind::Allreduce, Algorithm::Rabenseifner) => 1 << size.ilog2(),
            (CollectiveKind::Allreduce, Algorithm::Ring) => size as usize,
            (CollectiveKind::Allreduce | CollectiveKind::Barrier, _) => 1,
            _ => usize::MAX,
        };
        let ranks = (0..size).map(|rank| {
            let sizes = match kind {
                CollectiveKind::Allreduce => Sizes::Cut(BYTES),
                CollectiveKind::Barrier => Sizes::Uniform(0),
                CollectiveKind::Alltoall => {
                    Sizes::Each((0..size).map(|to| u64::from(rank * 100 + to)).collect())
                }
                _ => Sizes::Uniform(BYTES),
            };
            let incoming = match kind {
                CollectiveKind::Alltoall => {
                    Sizes::Each((0..size).map(|from| u64::from(from * 100 + rank)).collect())
                }
                _ => Sizes::Uniform(BYTES),
            };
            let mut buffer = start(kind, size, rank, root);
            buffer.truncate(blocks);
            Rank {
                steps: Collective::new(
                    kind,
                    algorithm,
                    Shape {
                        rank,
                        size,
                        root,
                        sizes,
                        incoming,
                    },
                ),
                received: vec![Data::new(); buffer.len()],
                buffer,
                pending: Vec::new(),
                blocked: None,
                waiting: false,
                done: false,
            }
        });
        let ranks = ranks.collect();
        Self {
            kind,
            ranks,
            wires: BTreeMap::new(),
            messages: 0,
            bytes: 0,
        }
    }

    /// Completes a receive if its message is there.
    fn receive(&mut self, rank: u32, (peer, block, bytes): (u32, Block, u64)) -> bool {
        let Some((data, size)) = self
            .wires
            .get_mut(&(peer, rank))
            .and_then(VecDeque::pop_front)
        else {
            return false;
        };
        assert_eq!(size, bytes, "sender and receiver agree on the size");
        assert_eq!(data.len(), block.count as usize);
        let state = &mut self.ranks[rank as usize];
        for (index, part) in (block.first..).zip(data) {
            let buffer = match self.kind {
                CollectiveKind::Alltoall => &mut state.received,
                _ => &mut state.buffer,
            };
            let own = &mut buffer[index as usize];
            if block.combine {
                for contribution in part {
                    // Hearing twice of somebody does no harm to a barrier.
                    assert!(
                        own.insert(contribution) || self.kind == CollectiveKind::Barrier,
                        "{contribution:?} is combined twice"
                    );
                }
            } else {
                *own = part;
            }
        }
        true
    }

    /// One step of one rank; false if it cannot move.
    fn step(&mut self, rank: u32) -> bool {
        let index = rank as usize;
        if let Some(receive) = self.ranks[index].blocked.take() {
            if self.receive(rank, receive) {
                return true;
            }
            self.ranks[index].blocked = Some(receive);
            return false;
        }
        if self.ranks[index].waiting {
            let pending = std::mem::take(&mut self.ranks[index].pending);
            let left: Vec<_> = pending
                .into_iter()
                .filter(|r| !self.receive(rank, *r))
                .collect();
            self.ranks[index].waiting = !left.is_empty();
            self.ranks[index].pending = left;
            return !self.ranks[index].waiting;
        }
        if self.ranks[index].done {
            return false;
        }
        match self.ranks[index].steps.advance() {
            Primitive::Send { peer, bytes, block } | Primitive::Isend { peer, bytes, block } => {
                assert_ne!(peer, rank, "nobody sends to itself");
                let range = block.first as usize..(block.first + block.count) as usize;
                let data = self.ranks[index].buffer[range].to_vec();
                self.wires
                    .entry((rank, peer))
                    .or_default()
                    .push_back((data, bytes));
                self.messages += 1;
                self.bytes += bytes;
            }
            Primitive::Recv { peer, bytes, block } => {
                self.ranks[index].blocked = Some((peer, block, bytes));
            }
            Primitive::Irecv { peer, bytes, block } => {
                self.ranks[index].pending.push((peer, block, bytes));
            }
            Primitive::WaitAll => self.ranks[index].waiting = true,
            Primitive::Done => self.ranks[index].done = true,
        }
        true
    }

    fn run(mut self) -> Self {
        loop {
            let mut moved = false;
            for rank in 0..self.ranks.len() {
                while self.step(u32::try_from(rank).unwrap()) {
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        assert!(
            self.ranks.iter().all(|rank| rank.done),
            "nobody is left waiting"
        );
        assert!(
            self.wires.values().all(VecDeque::is_empty),
            "every message is received"
        );
        self
    }

    /// What rank `rank` must hold in block `block` at the end; `None`: nothing is asked.
    fn expected(&self, rank: u32, root: u32, block: u32) -> Option<Data> {
        let size = u32::try_from(self.ranks.len()).unwrap();
        let everybody = || (0..size).map(|origin| (origin, block)).collect();
        match self.kind {
            CollectiveKind::Barrier | CollectiveKind::Allreduce => Some(everybody()),
            CollectiveKind::Bcast => Some(Data::from([(root, 0)])),
            CollectiveKind::Reduce => (rank == root).then(everybody),
            CollectiveKind::ReduceScatter => (rank == block).then(everybody),
            CollectiveKind::Allgather => Some(Data::from([(block, block)])),
            CollectiveKind::Gather => (rank == root).then(|| Data::from([(block, block)])),
            CollectiveKind::Scatter => (rank == block).then(|| Data::from([(root, block)])),
            CollectiveKind::Alltoall => (rank != block).then(|| Data::from([(block, rank)])),
            CollectiveKind::Scan => Some((0..=rank).map(|origin| (origin, 0)).collect()),
        }
    }
}

/// Messages on the wire, by formula.
fn message_count(kind: CollectiveKind, algorithm: Algorithm, size: u32) -> u64 {
    let n = u64::from(size);
    let power = 1_u64 << size.ilog2();
    match (kind, algorithm) {
        (CollectiveKind::Allreduce | CollectiveKind::Barrier, Algorithm::BinaryTree) => 2 * (n - 1),
        (_, Algorithm::Rabenseifner) => 2 * power * u64::from(size.ilog2()) + 2 * (n - power),
        (_, Algorithm::Dissemination) => n * u64::from(u32::BITS - (size - 1).leading_zeros()),
        // Payloads of the test are short.
        (_, Algorithm::RecursiveDoubling | Algorithm::Mpich) => {
            power * u64::from(size.ilog2()) + 2 * (n - power)
        }
        (CollectiveKind::Allreduce, Algorithm::Ring) => 2 * n * (n - 1),
        (_, Algorithm::Ring | Algorithm::RingRounds | Algorithm::Pairwise) => n * (n - 1),
        _ => n - 1,
    }
}

#[test]
fn every_rank_gets_the_right_data() {
    for kind in CollectiveKind::ALL {
        for &algorithm in kind.algorithms() {
            for size in 1..=17_u32 {
                for root in 0..size {
                    let world = World::new(kind, algorithm, size, root).run();
                    let place = format!("{} by {}, {size} ranks", kind.name(), algorithm.name());
                    assert_eq!(
                        world.messages,
                        message_count(kind, algorithm, size),
                        "{place}"
                    );
                    for (rank, state) in (0..).zip(&world.ranks) {
                        let buffer = match kind {
                            CollectiveKind::Alltoall => &state.received,
                            _ => &state.buffer,
                        };
                        for (block, held) in (0..).zip(buffer) {
                            if let Some(wanted) = world.expected(rank, root, block) {
                                assert_eq!(held, &wanted, "{place}, rank {rank}, block {block}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_ring_allreduce_moves_the_least_bytes() {
    for size in 2..=17 {
        let n = u64::from(size);
        let world = World::new(CollectiveKind::Allreduce, Algorithm::Ring, size, 0).run();
        assert_eq!(world.bytes, 2 * (n - 1) * BYTES);
        let tree = World::new(CollectiveKind::Allreduce, Algorithm::BinaryTree, size, 0).run();
        assert_eq!(
            tree.bytes,
            2 * (n - 1) * BYTES,
            "the whole payload on every edge"
        );
    }
}

#[test]
fn rabenseifner_moves_twice_the_payload_and_folds_it_in_whole() {
    for size in 2..=17_u32 {
        let (n, power) = (u64::from(size), 1_u64 << size.ilog2());
        let world = World::new(CollectiveKind::Allreduce, Algorithm::Rabenseifner, size, 0).run();
        assert_eq!(world.bytes, 2 * (power - 1 + n - power) * BYTES);
    }
}

#[test]
fn mpich_changes_the_algorithm_with_the_size() {
    let steps = |algorithm, bytes: u64| {
        let shape = Shape {
            rank: 5,
            size: 12,
            root: 0,
            sizes: Sizes::Cut(bytes),
            incoming: Sizes::Uniform(0),
        };
        let mut steps = Collective::new(CollectiveKind::Allreduce, algorithm, shape);
        std::iter::from_fn(|| Some(steps.advance()))
            .take_while(|step| *step != Primitive::Done)
            .collect::<Vec<_>>()
    };
    let doubling = Algorithm::RecursiveDoubling;
    assert_eq!(steps(Algorithm::Mpich, 2_048), steps(doubling, 2_048));
    let halving = Algorithm::Rabenseifner;
    assert_eq!(steps(Algorithm::Mpich, 2_049), steps(halving, 2_049));
}
