//! A collective written out: the messages of one rank, for forms that have only those.

use super::Collective;
use super::parts::{CollectiveKind, Primitive, Shape};

/// A message that a rank sends or receives in a collective.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// It is sent.
    pub is_send: bool,
    /// The other rank of the communicator.
    pub peer: u32,
    /// Payload bytes.
    pub bytes: u64,
}

/// Messages of one rank in `kind` under the algorithm of this name: lists of those that go at once,
/// each after those of the list before. `None`: it has no such algorithm.
///
/// # Panics
/// If `shape` has no ranks.
#[must_use]
pub fn rounds(kind: CollectiveKind, algorithm: &str, shape: Shape) -> Option<Vec<Vec<Part>>> {
    let named = kind.algorithms().iter().find(|one| one.name() == algorithm);
    let mut steps = Collective::new(kind, *named?, shape);
    let mut rounds = Vec::new();
    let mut now = Vec::new();
    loop {
        let (part, is_blocking) = match steps.advance() {
            Primitive::Send {
                peer,
                bytes,
                blocking,
                ..
            } => (part(true, peer, bytes), blocking),
            Primitive::Receive {
                peer,
                bytes,
                blocking,
                ..
            } => (part(false, peer, bytes), blocking),
            waits_or_ends => {
                if !now.is_empty() {
                    rounds.push(std::mem::take(&mut now));
                }
                if waits_or_ends == Primitive::Done {
                    return Some(rounds);
                }
                continue;
            }
        };
        now.push(part);
        if is_blocking {
            rounds.push(std::mem::take(&mut now));
        }
    }
}

const fn part(is_send: bool, peer: u32, bytes: u64) -> Part {
    Part {
        is_send,
        peer,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, rounds};
    use crate::collective::{CollectiveKind, Shape, Sizes};

    fn of(kind: CollectiveKind, algorithm: &str, rank: u32) -> Option<Vec<Vec<Part>>> {
        let shape = Shape {
            rank,
            size: 3,
            root: 0,
            sizes: Sizes::Uniform(8),
            incoming: Sizes::Uniform(8),
        };
        rounds(kind, algorithm, shape)
    }

    #[test]
    fn what_goes_at_once_stands_together() {
        let part = |is_send, peer| Part {
            is_send,
            peer,
            bytes: 8,
        };
        let alltoall = of(CollectiveKind::Alltoall, "pairwise", 1).unwrap();
        let both = |to, from| vec![part(false, from), part(true, to)];
        assert_eq!(alltoall, [both(2, 0), both(0, 2)]);
        let gather = of(CollectiveKind::Gather, "linear", 0).unwrap();
        assert_eq!(gather, [vec![part(false, 1), part(false, 2)]]);
        let scan = of(CollectiveKind::Scan, "linear", 1).unwrap();
        assert_eq!(scan, [vec![part(false, 0)], vec![part(true, 2)]]);
        assert_eq!(of(CollectiveKind::Scan, "ring", 1), None);
    }
}
