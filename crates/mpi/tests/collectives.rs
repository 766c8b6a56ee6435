//! Every collective, every algorithm, all sizes 1 to 17 and some larger ones, every root: every
//! rank gets the right data, with the messages and bytes that the page has formulas for.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use odonata_mpi::collective::{Shape, Sizes};
use odonata_mpi::{Algorithm, BlockRange, Collective, CollectiveKind, Groups, Primitive};

/// What a block of a buffer holds: who has contributed, each as (origin rank, block).
type Data = BTreeSet<(u32, u32)>;

/// What is under way from one rank to another: the data and the size of each message.
type Wire = VecDeque<(Vec<Data>, u64)>;

/// A payload that 1 to 17 ranks cut into equal blocks, and its size in segments of a pipeline.
const LONG: u64 = 12_252_240;
const SEGMENTS: u64 = LONG.div_ceil(65_536);

/// Segments of half of a payload on two trees.
fn segments(bytes: u64) -> u64 {
    (bytes / 2).div_ceil(65_536).clamp(1, 64)
}

/// A collective to be carried out.
#[derive(Clone, Copy)]
struct Case<'a> {
    kind: CollectiveKind,
    algorithm: Algorithm,
    size: u32,
    root: u32,
    /// The payload, or each block.
    bytes: u64,
    /// Whether the blocks of an alltoall have sizes of their own.
    individual: bool,
    groups: Option<&'a Arc<Groups>>,
}

impl Case<'_> {
    fn new(kind: CollectiveKind, algorithm: Algorithm, size: u32, root: u32) -> Self {
        Self {
            kind,
            algorithm,
            size,
            root,
            bytes: LONG,
            individual: false,
            groups: None,
        }
    }

    /// Into how many blocks the buffer of a rank is cut.
    fn blocks(&self) -> u32 {
        use CollectiveKind as Kind;
        let between = self.groups.map_or(self.size, |groups| groups.count());
        match (self.kind, self.algorithm) {
            (Kind::Allreduce | Kind::Barrier, Algorithm::DoubleTree) => 2,
            (Kind::Allreduce, Algorithm::PipelinedTrees) => {
                2 * u32::try_from(segments(self.bytes)).unwrap()
            }
            (Kind::Allreduce, Algorithm::RingChannels) => self.size * self.size / between,
            (Kind::Barrier, _) => 1,
            (Kind::Scan, Algorithm::RecursiveDoubling) => 2,
            (Kind::Scan, _) => 1,
            (Kind::Bcast | Kind::Reduce, Algorithm::Pipeline) => {
                u32::try_from(self.bytes.div_ceil(65_536)).unwrap()
            }
            (Kind::Allreduce, Algorithm::Rabenseifner | Algorithm::BineHalving) => {
                1 << self.size.ilog2()
            }
            (Kind::Allreduce, Algorithm::Hierarchical) => 1 << between.ilog2(),
            (Kind::Bcast | Kind::Reduce, Algorithm::Hierarchical) => between,
            _ => self.size,
        }
    }

    /// Alltoall by Bruck's rounds keeps what is under way in slots.
    fn has_slots(&self) -> bool {
        let bruck = self.algorithm == Algorithm::Bruck && !self.individual;
        self.kind == CollectiveKind::Alltoall && bruck
    }

    fn start(&self, rank: u32) -> Vec<Data> {
        use CollectiveKind as Kind;
        let own = |block| Data::from([(rank, block)]);
        let blocks = 0..self.blocks();
        if self.has_slots() {
            return blocks.map(|slot| own((rank + slot) % self.size)).collect();
        }
        let has = |block| match self.kind {
            Kind::Bcast | Kind::Scatter => rank == self.root,
            Kind::Allgather | Kind::Gather => rank == block,
            _ => true,
        };
        blocks
            .map(|block| if has(block) { own(block) } else { Data::new() })
            .collect()
    }

    fn shape(&self, rank: u32) -> Shape {
        use CollectiveKind as Kind;
        let each = |size: &dyn Fn(u32) -> u64| Sizes::Each((0..self.size).map(size).collect());
        let (sizes, incoming) = match self.kind {
            Kind::Allreduce => (Sizes::Cut(self.bytes), Sizes::Unknown),
            Kind::Barrier => (Sizes::Uniform(0), Sizes::Unknown),
            Kind::Alltoall if self.individual => (
                each(&|to| u64::from(rank * 100 + to)),
                each(&|from| u64::from(from * 100 + rank)),
            ),
            Kind::ReduceScatter | Kind::Allgather if self.individual => {
                (each(&|block| u64::from(block * 7 + 1)), Sizes::Unknown)
            }
            Kind::ReduceScatter => (each(&|_| self.bytes), Sizes::Unknown),
            _ => (Sizes::Uniform(self.bytes), Sizes::Uniform(self.bytes)),
        };
        Shape {
            rank,
            size: self.size,
            root: self.root,
            sizes,
            incoming,
        }
    }

    /// What rank `rank` must hold in block `block` at the end; `None`: nothing is asked.
    fn expected(&self, rank: u32, block: u32) -> Option<Data> {
        use CollectiveKind as Kind;
        let (size, root) = (self.size, self.root);
        let everybody = || (0..size).map(|origin| (origin, block)).collect();
        match self.kind {
            Kind::Barrier | Kind::Allreduce => Some(everybody()),
            Kind::Bcast => Some(Data::from([(root, block)])),
            Kind::Reduce => (rank == root).then(everybody),
            Kind::ReduceScatter => (rank == block).then(everybody),
            Kind::Allgather => Some(Data::from([(block, block)])),
            Kind::Gather => (rank == root).then(|| Data::from([(block, block)])),
            Kind::Scatter => (rank == block).then(|| Data::from([(root, block)])),
            Kind::Alltoall if self.has_slots() => {
                Some(Data::from([((rank + size - block) % size, rank)]))
            }
            Kind::Alltoall => (rank != block).then(|| Data::from([(block, rank)])),
            Kind::Scan => (block == 0).then(|| (0..=rank).map(|origin| (origin, 0)).collect()),
        }
    }
}

/// A receive that is posted.
#[derive(Clone, Copy)]
struct Receive {
    peer: u32,
    block: BlockRange,
    bytes: u64,
}

struct Rank {
    steps: Collective,
    buffer: Vec<Data>,
    /// Alltoall receives beside what it still has to send.
    received: Vec<Data>,
    pending: Vec<Receive>,
    blocked: Option<Receive>,
    waiting: bool,
    done: bool,
}

struct World<'a> {
    case: Case<'a>,
    ranks: Vec<Rank>,
    /// By (source, target), in order: the data and the size.
    wires: BTreeMap<(u32, u32), Wire>,
    messages: u64,
    bytes: u64,
}

impl<'a> World<'a> {
    fn new(case: Case<'a>) -> Self {
        let ranks = (0..case.size).map(|rank| {
            let buffer = case.start(rank);
            let shape = case.shape(rank);
            Rank {
                steps: Collective::on_nodes(case.kind, case.algorithm, shape, case.groups),
                received: vec![Data::new(); buffer.len()],
                buffer,
                pending: Vec::new(),
                blocked: None,
                waiting: false,
                done: false,
            }
        });
        Self {
            case,
            ranks: ranks.collect(),
            wires: BTreeMap::new(),
            messages: 0,
            bytes: 0,
        }
    }

    /// Completes a receive if its message is there.
    fn receive(&mut self, rank: u32, receive: Receive) -> bool {
        let Receive { peer, block, bytes } = receive;
        let wire = self.wires.get_mut(&(peer, rank));
        let Some((data, size)) = wire.and_then(VecDeque::pop_front) else {
            return false;
        };
        assert_eq!(size, bytes, "sender and receiver agree on the size");
        let beside = self.case.kind == CollectiveKind::Alltoall && !self.case.has_slots();
        let state = &mut self.ranks[rank as usize];
        let total = u32::try_from(state.buffer.len()).unwrap();
        let indices: Vec<u32> = block.set.indices(total).collect();
        assert_eq!(data.len(), indices.len(), "as many blocks as are expected");
        if self.case.kind == CollectiveKind::Scan && total == 2 && peer < rank {
            // What lower ranks add up to also counts in the result, which is block 0.
            state.buffer[0].extend(data[0].iter().map(|(origin, _)| (*origin, 0)));
        }
        for (index, part) in indices.into_iter().zip(data) {
            let buffer = if beside {
                &mut state.received
            } else {
                &mut state.buffer
            };
            let own = &mut buffer[index as usize];
            if block.combine {
                for contribution in part {
                    // Hearing twice of somebody does no harm to a barrier.
                    assert!(
                        own.insert(contribution) || self.case.kind == CollectiveKind::Barrier,
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
            Primitive::Send {
                peer, bytes, block, ..
            } => {
                assert_ne!(peer, rank, "nobody sends to itself");
                let buffer = &self.ranks[index].buffer;
                let total = u32::try_from(buffer.len()).unwrap();
                let chosen = block.set.indices(total);
                let data = chosen.map(|block| buffer[block as usize].clone()).collect();
                let wire = self.wires.entry((rank, peer)).or_default();
                wire.push_back((data, bytes));
                self.messages += 1;
                self.bytes += bytes;
            }
            Primitive::Receive {
                peer,
                bytes,
                block,
                blocking,
            } => {
                let receive = Receive { peer, block, bytes };
                if blocking {
                    self.ranks[index].blocked = Some(receive);
                } else {
                    self.ranks[index].pending.push(receive);
                }
            }
            Primitive::WaitAll => self.ranks[index].waiting = true,
            Primitive::Done => {
                assert!(self.ranks[index].pending.is_empty(), "all is awaited");
                self.ranks[index].done = true;
            }
        }
        true
    }

    /// Runs to the end and looks at every block of every rank.
    fn run(mut self, case_name: &str) -> Self {
        let mut moved = true;
        while moved {
            moved = false;
            for rank in 0..self.case.size {
                while self.step(rank) {
                    moved = true;
                }
            }
        }
        let all_done = self.ranks.iter().all(|rank| rank.done);
        assert!(all_done, "{case_name}: nobody is left waiting");
        let all_heard = self.wires.values().all(VecDeque::is_empty);
        assert!(all_heard, "{case_name}: every message is received");
        for (rank, state) in (0..).zip(&self.ranks) {
            let beside = self.case.kind == CollectiveKind::Alltoall && !self.case.has_slots();
            let buffer = if beside {
                &state.received
            } else {
                &state.buffer
            };
            for (block, held) in (0..).zip(buffer) {
                if let Some(wanted) = self.case.expected(rank, block) {
                    assert_eq!(held, &wanted, "{case_name}, rank {rank}, block {block}");
                }
            }
        }
        self
    }
}

/// Messages on the wire, by the formulas of `docs/model/collectives.md`.
fn message_count(kind: CollectiveKind, algorithm: Algorithm, size: u32) -> u64 {
    use CollectiveKind as Kind;
    let n = u64::from(size);
    let (power, rounds) = (1_u64 << size.ilog2(), u64::from(size.ilog2()));
    let ceiling = u64::from(u32::BITS - (size - 1).leading_zeros());
    let butterfly = power * rounds + 2 * (n - power);
    match (kind, algorithm) {
        (_, Algorithm::Pipeline) => (n - 1) * SEGMENTS,
        (_, Algorithm::ScatterRing) => n * (n - 1) + (n - 1),
        (_, Algorithm::ScatterDoubling) => butterfly + (n - 1),
        (Kind::Reduce, Algorithm::Rabenseifner) => butterfly + (n - 1),
        (_, Algorithm::Rabenseifner | Algorithm::BineHalving) => {
            2 * power * rounds + 2 * (n - power)
        }
        (_, Algorithm::Dissemination | Algorithm::Bruck | Algorithm::Pat) => n * ceiling,
        (_, Algorithm::PipelinedTrees) => 4 * (n - 1) * segments(LONG),
        (Kind::Scan, Algorithm::RecursiveDoubling) => {
            let met = |rank: u32| (0..31).filter(move |r| rank ^ (1 << r) < size);
            (0..size).flat_map(met).count() as u64
        }
        (_, Algorithm::RecursiveDoubling | Algorithm::RecursiveHalving) => butterfly,
        (Kind::Bcast | Kind::Reduce, _) => n - 1,
        (_, Algorithm::Bine) => butterfly,
        (Kind::Allreduce | Kind::Barrier, Algorithm::BinaryTree) => 2 * (n - 1),
        // The last of an odd number of ranks has one edge.
        (_, Algorithm::DoubleTree) => 4 * (n - 1) - 2 * (n % 2) * u64::from(n > 1),
        (Kind::Allreduce, Algorithm::Ring | Algorithm::RingChannels) => 2 * n * (n - 1),
        (_, Algorithm::NeighborExchange) if size.is_multiple_of(2) => n * n / 2,
        (Kind::Allgather | Kind::ReduceScatter | Kind::Alltoall, _) => n * (n - 1),
        _ => n - 1,
    }
}

/// Bytes on the wire for a payload, or blocks, of `LONG`.
fn byte_count(kind: CollectiveKind, algorithm: Algorithm, size: u32) -> u64 {
    use CollectiveKind as Kind;
    let n = u64::from(size);
    let fold = n - (1 << size.ilog2());
    // Blocks that the edges of a binomial tree carry: each rank stands for all below it.
    let scattered: u64 = (1..n)
        .map(|rank| (rank & rank.wrapping_neg()).min(n - rank))
        .sum();
    let block = LONG / n;
    match (kind, algorithm) {
        (Kind::Barrier, _) => 0,
        (Kind::Bcast, Algorithm::ScatterRing | Algorithm::ScatterDoubling) => {
            (scattered + n * (n - 1)) * block
        }
        (Kind::Reduce, Algorithm::Rabenseifner) => (scattered + n * (n - 1) + fold) * block,
        (Kind::Allreduce, Algorithm::RecursiveDoubling | Algorithm::Bine) => {
            message_count(kind, algorithm, size) * LONG
        }
        (Kind::Allreduce, _) => 2 * (n - 1) * LONG,
        (Kind::Alltoall, Algorithm::Bruck) => {
            let ones = (0..n).map(|slot| u64::from(slot.count_ones()));
            n * ones.sum::<u64>() * LONG
        }
        (Kind::ReduceScatter, Algorithm::RecursiveHalving | Algorithm::Bine) => {
            (n * (n - 1) + fold) * LONG
        }
        (Kind::Alltoall | Kind::Allgather | Kind::ReduceScatter, _) => n * (n - 1) * LONG,
        (Kind::Gather | Kind::Scatter, Algorithm::Binomial) => scattered * LONG,
        (Kind::Scan, _) => message_count(kind, algorithm, size) * LONG,
        _ => (n - 1) * LONG,
    }
}

/// Whether the algorithm is one, not a choice among several.
fn is_plain(algorithm: Algorithm) -> bool {
    use Algorithm::{Hierarchical, Mpich, NcclLike, OpenMpi};
    ![Hierarchical, Mpich, NcclLike, OpenMpi].contains(&algorithm)
}

fn for_each_plain(mut check: impl FnMut(CollectiveKind, Algorithm)) {
    for kind in CollectiveKind::ALL {
        for &algorithm in kind.algorithms() {
            if is_plain(algorithm) {
                check(kind, algorithm);
            }
        }
    }
}

#[test]
fn every_rank_gets_the_right_data() {
    for_each_plain(|kind, algorithm| {
        for size in 1..=17_u32 {
            // A pipeline moves 187 segments: roots in the middle are alike.
            let roots = if algorithm == Algorithm::Pipeline {
                3
            } else {
                17
            };
            for root in (0..size).filter(|root| *root < roots || root + 1 == size) {
                let case_name = format!("{} by {}, {size} ranks", kind.name(), algorithm.name());
                let world = World::new(Case::new(kind, algorithm, size, root)).run(&case_name);
                let messages = message_count(kind, algorithm, size);
                let bytes = byte_count(kind, algorithm, size);
                assert_eq!(
                    (world.messages, world.bytes),
                    (messages, bytes),
                    "{case_name}"
                );
            }
        }
    });
}

#[test]
fn larger_numbers_of_ranks_get_the_right_data() {
    for_each_plain(|kind, algorithm| {
        for size in [31, 32, 33, 60, 64, 100_u32] {
            for root in [0, size / 3, size - 1] {
                let case = Case {
                    bytes: 70_000,
                    ..Case::new(kind, algorithm, size, root)
                };
                World::new(case).run(&format!("{}, {size} ranks", algorithm.name()));
            }
        }
    });
}

#[test]
fn blocks_may_have_sizes_of_their_own() {
    use CollectiveKind as Kind;
    for kind in [Kind::Alltoall, Kind::Allgather, Kind::ReduceScatter] {
        for &algorithm in kind.algorithms() {
            for size in [1, 2, 3, 8, 12, 17] {
                let case = Case {
                    individual: true,
                    ..Case::new(kind, algorithm, size, 0)
                };
                let world = World::new(case);
                let plain = is_plain(algorithm);
                let world = if plain { world } else { continue };
                world.run(&format!(
                    "{} by {}, {size} ranks",
                    kind.name(),
                    algorithm.name()
                ));
            }
        }
    }
}

/// Nodes of ranks: blocks of `width`, or dealt out in turn.
fn groupings(size: u32) -> Vec<Arc<Groups>> {
    let blocks = [1, 2, 3, 4].map(|width| Groups::new((0..size).map(|rank| rank / width)));
    let dealt = [2, 3].map(|nodes| Groups::new((0..size).map(|rank| rank % nodes)));
    let uneven = Groups::new((0..size).map(|rank| (rank * rank) % 5));
    blocks
        .into_iter()
        .chain(dealt)
        .chain([uneven])
        .map(Arc::new)
        .collect()
}

#[test]
fn hierarchies_deliver_on_any_grouping() {
    use CollectiveKind as Kind;
    for (kind, inside) in [
        (Kind::Barrier, 2),
        (Kind::Bcast, 1),
        (Kind::Reduce, 1),
        (Kind::Allreduce, 2),
    ] {
        for size in [1, 2, 3, 7, 8, 9, 16, 17, 40_u32] {
            for groups in groupings(size) {
                for root in [0, 1, size / 2, size - 1] {
                    for bytes in [8, 20_000, 4_000_000] {
                        let case = Case {
                            bytes,
                            groups: Some(&groups),
                            ..Case::new(kind, Algorithm::Hierarchical, size, root.min(size - 1))
                        };
                        let nodes = groups.count();
                        let case_name = format!("{}, {size} ranks, {nodes} nodes", kind.name());
                        let world = World::new(case).run(&case_name);
                        let between = match (kind, bytes) {
                            (Kind::Barrier, _) => Algorithm::Dissemination,
                            (Kind::Bcast, 20_000) if nodes >= 8 && nodes.is_power_of_two() => {
                                Algorithm::ScatterDoubling
                            }
                            (Kind::Bcast, 20_000 | 4_000_000) if nodes >= 8 => {
                                Algorithm::ScatterRing
                            }
                            (Kind::Bcast, _) | (Kind::Reduce, 8) => Algorithm::Binomial,
                            (_, 8) => Algorithm::RecursiveDoubling,
                            _ => Algorithm::Rabenseifner,
                        };
                        let wanted =
                            inside * u64::from(size - nodes) + message_count(kind, between, nodes);
                        assert_eq!(world.messages, wanted, "{case_name}");
                    }
                }
            }
        }
    }
}

/// A ring for each rank of a node: every rank sends its share to other nodes, and no more.
#[test]
fn channels_leave_a_node_at_all_its_ranks() {
    for (size, width) in [(4, 2), (6, 3), (12, 4), (12, 1), (15, 5), (16, 16_u32)] {
        for dealt in [false, true] {
            let nodes = size / width;
            let node = |rank| if dealt { rank % nodes } else { rank / width };
            let groups = Arc::new(Groups::new((0..size).map(node)));
            let case = Case {
                groups: Some(&groups),
                ..Case::new(CollectiveKind::Allreduce, Algorithm::RingChannels, size, 0)
            };
            let mut crossing = vec![0; size as usize];
            for rank in 0..size {
                let mut steps = World::new(case).ranks.remove(rank as usize).steps;
                loop {
                    match steps.advance() {
                        Primitive::Send { peer, .. } => {
                            let is_other = groups.of(peer) != groups.of(rank);
                            crossing[rank as usize] += u64::from(is_other);
                        }
                        Primitive::Done => break,
                        _ => {}
                    }
                }
            }
            let world = World::new(case).run(&format!("{size} ranks, {width} a node"));
            let (n, w) = (u64::from(size), u64::from(width));
            assert_eq!(world.messages, w * 2 * n * (n - 1));
            assert_eq!(world.bytes, 2 * (n - 1) * LONG);
            let each = if nodes > 1 { 2 * (n - 1) } else { 0 };
            assert_eq!(
                crossing,
                vec![each; size as usize],
                "{size} ranks, {width} a node"
            );
        }
    }
}

#[test]
fn between_nodes_a_hierarchy_sends_less() {
    let groups = Arc::new(Groups::new((0..64).map(|rank| rank / 8)));
    let crossing = |algorithm, kind| {
        let case = Case {
            bytes: 8,
            groups: Some(&groups),
            ..Case::new(kind, algorithm, 64, 0)
        };
        let mut world = World::new(case);
        let mut crossed = 0;
        for rank in 0..64 {
            let steps = &mut world.ranks[rank as usize].steps;
            loop {
                match steps.advance() {
                    Primitive::Send { peer, .. } => {
                        crossed += u32::from(groups.of(peer) != groups.of(rank));
                    }
                    Primitive::Done => break,
                    _ => {}
                }
            }
        }
        crossed
    };
    let kind = CollectiveKind::Allreduce;
    assert_eq!(crossing(Algorithm::RecursiveDoubling, kind), 64 * 3);
    assert_eq!(crossing(Algorithm::Hierarchical, kind), 8 * 3);
}

#[test]
fn bine_reaches_less_far_than_binomial() {
    // Sum over the edges of a broadcast of the distance round a ring of ranks.
    let length = |algorithm| {
        let mut sum = 0;
        for rank in 0..256_u32 {
            let shape = Case::new(CollectiveKind::Bcast, algorithm, 256, 0).shape(rank);
            let mut steps = Collective::new(CollectiveKind::Bcast, algorithm, shape);
            loop {
                match steps.advance() {
                    Primitive::Send { peer, .. } => {
                        let apart = peer.abs_diff(rank);
                        sum += apart.min(256 - apart);
                    }
                    Primitive::Done => break,
                    _ => {}
                }
            }
        }
        sum
    };
    let (bine, binomial) = (length(Algorithm::Bine), length(Algorithm::Binomial));
    // Distances 85, 43, 21, 11, 5, 3, 1, 1 of 1, 2, 4, ..., 128 edges, against 128, 64, ..., 1.
    assert_eq!((bine, binomial), (711, 1_024));
}
