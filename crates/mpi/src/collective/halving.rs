//! Halves of the payload on a butterfly: allreduce, reduce-scatter, allgather.

use super::butterfly::{Butterfly, Frame, Wiring};
use super::parts::{BlockRange, CollectiveKind, Primitive, Set, Shape, Sizes};

/// Steps of an allreduce by halving, then doubling: Rabenseifner's, or Bine's.
///
/// The payload is cut into `p` blocks, `p` the largest power of two up to the number of ranks. In
/// each round of the first half partners exchange halves of what is left to each, so that in the
/// end each has one block complete; the second half runs the rounds backwards and gathers the
/// blocks. A round posts its receive, then its send, then waits for both.
pub(super) fn allreduce(wiring: Wiring, shape: &Shape, step: u32) -> Primitive {
    let butterfly = Butterfly::new(shape.size, wiring);
    let (rank, bytes, rounds) = (shape.rank, shape.sizes.whole(), butterfly.rounds);
    match butterfly.frame(rank, step, 2 * rounds) {
        Frame::HandOver => send(rank + 1, bytes, BlockRange::ALL),
        Frame::Hear => receive(rank + 1, bytes, BlockRange::ALL),
        Frame::TakeOver => receive(rank - 1, bytes, BlockRange::ALL_COMBINED),
        Frame::Tell => send(rank - 1, bytes, BlockRange::ALL),
        Frame::Turn(turn, part) => {
            let combine = turn < rounds;
            let round = if combine { turn } else { 2 * rounds - 1 - turn };
            let exchange = Exchange::new(butterfly, rank, round, combine);
            let size = |first, count| shape.sizes.range(first, count, butterfly.power());
            let block = |first, count| BlockRange::range(first, count);
            exchange.part(part, combine, size, block)
        }
        Frame::Done => Primitive::Done,
    }
}

/// Steps of a reduce-scatter by recursive halving, and of an allgather by recursive doubling,
/// which is the same backwards: blocks belong to ranks.
///
/// A rank that folds hands its blocks to its neighbour first and gets what is its own last.
pub(super) fn blocks(kind: CollectiveKind, wiring: Wiring, shape: &Shape, step: u32) -> Primitive {
    let butterfly = Butterfly::new(shape.size, wiring);
    let (rank, size, rounds) = (shape.rank, shape.size, butterfly.rounds);
    let halving = kind == CollectiveKind::ReduceScatter;
    let everything = (shape.sizes.sum(0, size, size), BlockRange::ALL);
    let own = |rank| (shape.sizes.block(rank, size), BlockRange::one(rank));
    let others = |rank: u32| {
        let first = (rank + 1) % size;
        (
            shape.sizes.sum(first, size - 1, size),
            BlockRange::range(first, size - 1),
        )
    };
    match butterfly.frame(rank, step, rounds) {
        Frame::HandOver => {
            let (bytes, block) = if halving { everything } else { own(rank) };
            send(rank + 1, bytes, block)
        }
        Frame::Hear => {
            let (bytes, block) = if halving { own(rank) } else { others(rank) };
            receive(rank + 1, bytes, block)
        }
        Frame::TakeOver => {
            let (bytes, block) = if halving { everything } else { own(rank - 1) };
            receive(rank - 1, bytes, block.combined_if(halving))
        }
        Frame::Tell => {
            let (bytes, block) = if halving {
                own(rank - 1)
            } else {
                others(rank - 1)
            };
            send(rank - 1, bytes, block)
        }
        Frame::Turn(turn, part) => {
            let round = if halving { turn } else { rounds - 1 - turn };
            let exchange = Exchange::new(butterfly, rank, round, halving);
            let block = |first, count| of_ranks(butterfly, wiring, first, count);
            let bytes = |first, count| bytes_of(&shape.sizes, block(first, count), size);
            exchange.part(part, halving, bytes, block)
        }
        Frame::Done => Primitive::Done,
    }
}

/// Exchange of two partners in a round, as ranges of positions.
struct Exchange {
    peer: u32,
    sent: (u32, u32),
    received: (u32, u32),
}

impl Exchange {
    fn new(butterfly: Butterfly, rank: u32, round: u32, halving: bool) -> Self {
        let vrank = butterfly.vrank(rank);
        let other = butterfly.partner(vrank, round);
        let (mine, theirs) = (
            butterfly.kept(vrank, round + 1),
            butterfly.kept(other, round + 1),
        );
        let (sent, received) = if halving {
            (theirs, mine)
        } else {
            (mine, theirs)
        };
        Self {
            peer: butterfly.rank(other),
            sent,
            received,
        }
    }

    fn part(
        &self,
        part: u32,
        combine: bool,
        bytes: impl Fn(u32, u32) -> u64,
        block: impl Fn(u32, u32) -> BlockRange,
    ) -> Primitive {
        let peer = self.peer;
        let (first, count) = if part == 0 { self.received } else { self.sent };
        match part {
            0 => Primitive::irecv(
                peer,
                bytes(first, count),
                block(first, count).combined_if(combine),
            ),
            1 => Primitive::isend(peer, bytes(first, count), block(first, count)),
            _ => Primitive::WaitAll,
        }
    }
}

/// The blocks of the ranks at a range of positions.
const fn of_ranks(butterfly: Butterfly, wiring: Wiring, first: u32, count: u32) -> BlockRange {
    match wiring {
        Wiring::Near | Wiring::Far => {
            let from = butterfly.first_rank(first);
            BlockRange::range(from, butterfly.first_rank(first + count) - from)
        }
        Wiring::Bine => BlockRange {
            set: Set::Bine { first, count },
            combine: false,
        },
    }
}

/// Payload of the blocks of some ranks.
pub(super) fn bytes_of(sizes: &Sizes, block: BlockRange, size: u32) -> u64 {
    match (block.set, sizes) {
        (Set::Back { count, .. }, Sizes::Uniform(bytes)) => bytes.saturating_mul(u64::from(count)),
        (Set::Range { first, count }, _) => sizes.sum(first, count, size),
        (Set::Bine { count, .. }, Sizes::Uniform(bytes)) if size.is_power_of_two() => {
            bytes.saturating_mul(u64::from(count))
        }
        _ => indices(block.set, size).map(|i| sizes.block(i, size)).sum(),
    }
}

/// The numbers of the blocks of a set among `total`, in no order. Cost: a step for each block.
pub(super) fn indices(set: Set, total: u32) -> Box<dyn Iterator<Item = u32>> {
    match set {
        Set::All => Box::new(0..total),
        Set::Range { first, count } => {
            Box::new((first..first + count).map(move |index| index % total))
        }
        Set::Back { first, step, count } => {
            Box::new((0..count).map(move |index| (first + total - index * step) % total))
        }
        Set::Bit(bit) => Box::new((0..total).filter(move |index| index >> bit & 1 == 1)),
        Set::Bine { first, count } => {
            let butterfly = Butterfly::new(total, Wiring::Bine);
            Box::new((first..first + count).flat_map(move |position| {
                let vrank = butterfly.vrank_at(position);
                butterfly.first_rank(vrank)
                    ..butterfly.first_rank(vrank) + ranks_at(butterfly, vrank)
            }))
        }
    }
}

/// Ranks whose blocks belong to a virtual rank.
const fn ranks_at(butterfly: Butterfly, vrank: u32) -> u32 {
    if vrank < butterfly.fold { 2 } else { 1 }
}

const fn send(peer: u32, bytes: u64, block: BlockRange) -> Primitive {
    Primitive::send(peer, bytes, block)
}

const fn receive(peer: u32, bytes: u64, block: BlockRange) -> Primitive {
    Primitive::recv(peer, bytes, block)
}
