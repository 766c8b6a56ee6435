//! Butterflies: rounds in which every rank exchanges with one partner.
//!
//! With `p` the largest power of two up to the number of ranks, `p` virtual ranks take part. The
//! ranks beyond fold: of the first `2 (n - p)` ranks each even one hands what it has to the next
//! odd one, stays out, and is told the result at the end.
//!
//! After `r` rounds of halving a virtual rank keeps the blocks whose position agrees with its own
//! in the highest `r` bits: what is kept is always one range of positions.

use super::negabinary;

/// Who is whose partner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wiring {
    /// Distances 1, 2, 4, ...
    Near,
    /// Distances p/2, ..., 2, 1: positions are virtual ranks.
    Far,
    /// Distances 1, -1, 3, -5, 11, ... of even virtual ranks.
    Bine,
}

/// The virtual ranks of a number of ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Butterfly {
    wiring: Wiring,
    /// `log2 p`.
    pub(super) rounds: u32,
    /// Ranks beyond `p`.
    pub(super) fold: u32,
}

/// Step of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    /// Hand everything to `rank + 1`.
    HandOver,
    /// Hear the result from `rank + 1`.
    Hear,
    /// Take over what `rank - 1` has.
    TakeOver,
    /// A part (receive, send, wait) of a turn.
    Turn(u32, u32),
    /// Tell `rank - 1` the result.
    Tell,
    /// Nothing is left.
    Done,
}

impl Butterfly {
    pub(super) const fn new(size: u32, wiring: Wiring) -> Self {
        let rounds = size.ilog2();
        Self {
            wiring,
            rounds,
            fold: size - (1 << rounds),
        }
    }

    /// `p`.
    pub(super) const fn power(self) -> u32 {
        1 << self.rounds
    }

    /// Step `step` of `rank` where the virtual ranks take `turns` turns of three parts.
    pub(super) const fn frame(self, rank: u32, step: u32, turns: u32) -> Frame {
        let folded = rank < 2 * self.fold;
        if folded && rank.is_multiple_of(2) {
            return match step {
                0 => Frame::HandOver,
                1 => Frame::Hear,
                _ => Frame::Done,
            };
        }
        let step = if folded {
            let Some(step) = step.checked_sub(1) else {
                return Frame::TakeOver;
            };
            step
        } else {
            step
        };
        if step < 3 * turns {
            Frame::Turn(step / 3, step % 3)
        } else if folded && step == 3 * turns {
            Frame::Tell
        } else {
            Frame::Done
        }
    }

    /// Virtual rank of a rank; that of `rank + 1` for one that stays out.
    pub(super) const fn vrank(self, rank: u32) -> u32 {
        if rank < 2 * self.fold {
            rank / 2
        } else {
            rank - self.fold
        }
    }

    /// The rank that acts for a virtual rank.
    pub(super) const fn rank(self, vrank: u32) -> u32 {
        if vrank < self.fold {
            vrank * 2 + 1
        } else {
            vrank + self.fold
        }
    }

    /// First rank whose block belongs to `vrank`: two ranks each where ranks are folded.
    pub(super) const fn first_rank(self, vrank: u32) -> u32 {
        if vrank < self.fold {
            vrank * 2
        } else {
            vrank + self.fold
        }
    }

    /// The virtual rank that `vrank` exchanges with in a round.
    pub(super) const fn partner(self, vrank: u32, round: u32) -> u32 {
        match self.wiring {
            Wiring::Near => vrank ^ (1 << round),
            Wiring::Far => vrank ^ (1 << (self.rounds - 1 - round)),
            Wiring::Bine => negabinary::partner(vrank, round, self.rounds),
        }
    }

    /// Positions that `vrank` keeps after `halvings` rounds: the first one, and how many.
    pub(super) const fn kept(self, vrank: u32, halvings: u32) -> (u32, u32) {
        let position = match self.wiring {
            // In round r those with bit r set keep the upper half: bits are reversed.
            Wiring::Near => reverse(vrank, self.rounds),
            Wiring::Far => vrank,
            Wiring::Bine => reverse(negabinary::path(vrank, self.rounds), self.rounds),
        };
        let rest = self.rounds - halvings;
        (position >> rest << rest, 1 << rest)
    }

    /// The virtual rank at a position.
    pub(super) const fn vrank_at(self, position: u32) -> u32 {
        match self.wiring {
            Wiring::Near => reverse(position, self.rounds),
            Wiring::Far => position,
            Wiring::Bine => negabinary::vrank(reverse(position, self.rounds), self.rounds),
        }
    }
}

/// The lowest `bits` bits in the opposite order, the others zero.
const fn reverse(value: u32, bits: u32) -> u32 {
    if bits == 0 {
        0
    } else {
        value.reverse_bits() >> (u32::BITS - bits)
    }
}

#[cfg(test)]
mod tests {
    use super::{Butterfly, Wiring};

    #[test]
    fn partners_are_mutual_and_share_what_they_halve() {
        for wiring in [Wiring::Near, Wiring::Far, Wiring::Bine] {
            for rounds in 0..9 {
                let butterfly = Butterfly::new(1 << rounds, wiring);
                for vrank in 0..butterfly.power() {
                    let (position, _) = butterfly.kept(vrank, rounds);
                    assert_eq!(butterfly.vrank_at(position), vrank);
                    for round in 0..rounds {
                        let other = butterfly.partner(vrank, round);
                        assert_eq!(butterfly.partner(other, round), vrank);
                        assert_eq!(butterfly.kept(vrank, round), butterfly.kept(other, round));
                        assert_ne!(
                            butterfly.kept(vrank, round + 1),
                            butterfly.kept(other, round + 1)
                        );
                    }
                }
            }
        }
    }
}
