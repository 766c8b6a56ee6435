//! Exchanges with neighbours on a grid: who, how much, and in which order.

use std::ops::Range;

use odonata_mpi::{Operation, Peer, Request};
use odonata_units::Span;

use super::grid::{DIMENSIONS, Grid, Step};
use super::phase::{Cursor, Partner, Phase, RankIteration};

/// Exchange with a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Direction {
    pub(crate) step: Step,
    pub(crate) bytes: u64,
    /// Tags of what is sent and received: one per direction of travel, so that messages between
    /// ranks that are neighbours twice are told apart.
    pub(crate) sent: u32,
    pub(crate) received: u32,
}

/// Down and up along each of `dimensions` dimensions in turn, the same bytes everywhere.
pub(crate) fn faces(dimensions: usize, bytes: u64) -> Vec<Direction> {
    (0..)
        .take(dimensions)
        .flat_map(|dimension| {
            [(-1, 0), (1, 1)].map(|(by, way)| {
                let mut step = [0; DIMENSIONS];
                step[dimension as usize] = by;
                Direction {
                    step,
                    bytes,
                    sent: 2 * dimension + way,
                    received: 2 * dimension + 1 - way,
                }
            })
        })
        .collect()
}

/// All 26 neighbours in three dimensions, faces first, then edges, then corners; `bytes(step)` to
/// each.
pub(crate) fn box26(bytes: impl Fn(&Step) -> u64) -> Vec<Direction> {
    let mut all = Vec::with_capacity(26);
    for number in (0..27).filter(|&number| number != 13) {
        let along = |divisor: i8| number / divisor % 3 - 1;
        let step = [along(1), along(3), along(9), 0, 0];
        let tag = u32::try_from(number).unwrap_or(0);
        all.push(Direction {
            step,
            bytes: bytes(&step),
            sent: tag,
            received: 26 - tag,
        });
    }
    all.sort_by_key(|direction| crossed(&direction.step));
    all
}

/// In how many dimensions a step leads away: 1 over a face, 2 over an edge, 3 over a corner.
pub(crate) fn crossed(step: &Step) -> usize {
    step.iter().filter(|&&by| by != 0).count()
}

/// A part of an exchange, over a range of its directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// Posts the receives.
    Receive(Range<u32>),
    /// Posts a receive and a send, direction by direction.
    Both(Range<u32>),
    /// Posts the sends.
    Isend(Range<u32>),
    /// Sends in turn, each until it returns.
    Send(Range<u32>),
    /// Until all receives, and all sends if `sends`.
    WaitAll { of: Range<u32>, sends: bool },
    /// Until all sends that were posted.
    WaitSends(Range<u32>),
    /// Until each receive in turn.
    Wait(Range<u32>),
    /// Computes.
    Compute(Span),
}

/// An exchange on a grid.
pub(crate) struct Exchange {
    pub(crate) grid: Grid,
    pub(crate) directions: Vec<Direction>,
    pub(crate) acts: Vec<Act>,
}

/// Receives first, then sends, then all together.
pub(crate) fn at_once(directions: &[Direction]) -> Vec<Act> {
    let all = || 0..count(directions);
    vec![
        Act::Receive(all()),
        Act::Isend(all()),
        Act::WaitAll {
            of: all(),
            sends: true,
        },
    ]
}

/// How many directions, as entries count them.
pub(crate) fn count(directions: &[Direction]) -> u32 {
    u32::try_from(directions.len()).unwrap_or(u32::MAX)
}

impl Exchange {
    fn receive(&self, partner: Partner) -> Operation {
        let direction = &self.directions[partner.entry as usize];
        Peer::in_job(partner.rank, direction.received).irecv(direction.bytes, receiving(partner))
    }

    fn isend(&self, partner: Partner) -> Operation {
        let direction = &self.directions[partner.entry as usize];
        Peer::in_job(partner.rank, direction.sent).isend(direction.bytes, sending(partner))
    }

    fn send(&self, partner: Partner) -> Operation {
        let direction = &self.directions[partner.entry as usize];
        Peer::in_job(partner.rank, direction.sent).send(direction.bytes)
    }
}

const fn receiving(partner: Partner) -> Request {
    Request(2 * partner.entry)
}

const fn sending(partner: Partner) -> Request {
    Request(2 * partner.entry + 1)
}

/// The partners whose entries are in `range`.
fn within<'a>(partners: &'a [Partner], range: &Range<u32>) -> &'a [Partner] {
    let first = partners.partition_point(|partner| partner.entry < range.start);
    let end = partners.partition_point(|partner| partner.entry < range.end);
    &partners[first..end]
}

impl Phase for Exchange {
    fn enter(&self, current: RankIteration, cursor: &mut Cursor) {
        let partners = (0..)
            .zip(&self.directions)
            .filter_map(|(entry, direction)| {
                let rank = self.grid.neighbour(current.rank, &direction.step)?;
                Some(Partner { rank, entry })
            });
        cursor.partners.extend(partners);
    }

    fn next(&self, _current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        loop {
            let act = self.acts.get(cursor.act as usize)?;
            let at = usize::try_from(cursor.at).unwrap_or(usize::MAX);
            let of = |range| within(&cursor.partners, range);
            let once = |operation: Operation| (at == 0).then_some(operation);
            let all = |range, receives: bool, sends: bool| {
                if at > 0 {
                    return None;
                }
                let partners = of(range);
                let mut names = Vec::with_capacity(2 * partners.len());
                for &one in partners {
                    names.extend(receives.then(|| receiving(one)));
                    names.extend(sends.then(|| sending(one)));
                }
                Some(Operation::WaitAll(names))
            };
            let operation = match act {
                Act::Receive(range) => of(range).get(at).map(|&one| self.receive(one)),
                Act::Both(range) => of(range).get(at / 2).map(|&one| match at % 2 {
                    0 => self.receive(one),
                    _ => self.isend(one),
                }),
                Act::Isend(range) => of(range).get(at).map(|&one| self.isend(one)),
                Act::Send(range) => of(range).get(at).map(|&one| self.send(one)),
                Act::WaitAll { of, sends } => all(of, true, *sends),
                Act::WaitSends(range) => all(range, false, true),
                Act::Wait(range) => of(range)
                    .get(at)
                    .map(|&one| Operation::Wait(receiving(one))),
                Act::Compute(span) => once(Operation::Compute(*span)),
            };
            if operation.is_some() {
                cursor.at += 1;
                return operation;
            }
            cursor.act += 1;
            cursor.at = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{box26, crossed, faces};
    use crate::skeleton::grid::Grid;

    #[test]
    fn what_one_sends_its_neighbour_receives() {
        let grid = Grid::periodic(&[2, 3, 4]);
        for directions in [faces(3, 8), box26(|_| 8)] {
            for rank in 0..24 {
                for there in &directions {
                    let Some(other) = grid.neighbour(rank, &there.step) else {
                        continue;
                    };
                    let back = directions.iter().filter(|back| {
                        grid.neighbour(other, &back.step) == Some(rank)
                            && back.received == there.sent
                            && back.sent == there.received
                    });
                    assert_eq!(back.count(), 1);
                }
            }
        }
    }

    #[test]
    fn a_box_has_faces_edges_and_corners_in_this_order() {
        let kinds: Vec<usize> = box26(|_| 1).iter().map(|one| crossed(&one.step)).collect();
        let expected = [vec![1; 6], vec![2; 12], vec![3; 8]].concat();
        assert_eq!(kinds, expected);
    }
}
