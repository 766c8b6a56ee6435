//! From one layout of the mesh to another.

use odonata_mpi::{Operation, Peer, Request};

use super::super::phase::{Cursor, Partner, Phase, RankIteration};
use super::boxes::Layout;

/// Every point from where it is to where it is wanted: receives, sends, all together.
pub(super) struct Transpose {
    pub(super) from: Layout,
    pub(super) to: Layout,
    pub(super) point_bytes: u64,
    pub(super) size: u32,
}

/// Entries of the partners.
const RECEIVE: u32 = 0;
const SEND: u32 = 1;

impl Transpose {
    /// The others of `ranks`, those behind `rank` first.
    fn around(&self, rank: u32, mut ranks: Vec<u32>, entry: u32) -> impl Iterator<Item = Partner> {
        ranks.retain(|&other| other != rank);
        let size = self.size;
        ranks.sort_by_key(|&other| (other + size - rank) % size);
        ranks.into_iter().map(move |rank| Partner { rank, entry })
    }
}

impl Phase for Transpose {
    fn enter(&self, current: RankIteration, cursor: &mut Cursor) {
        let rank = current.rank;
        let sources = self.from.holders(&self.to, rank);
        let targets = self.to.holders(&self.from, rank);
        cursor.partners.extend(self.around(rank, sources, RECEIVE));
        cursor.partners.extend(self.around(rank, targets, SEND));
    }

    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let tag = 0;
        let at = u32::try_from(cursor.at).unwrap_or(u32::MAX);
        cursor.at += 1;
        let request = Request(at);
        let count = u32::try_from(cursor.partners.len()).unwrap_or(u32::MAX);
        let Some(partner) = cursor.partners.get(at as usize) else {
            let all = || (0..count).map(Request).collect();
            return (at == count).then(|| Operation::WaitAll(all()));
        };
        let other = partner.rank;
        Some(if partner.entry == RECEIVE {
            Peer::in_job(other, tag).irecv(
                self.from.overlap(other, &self.to, current.rank) * self.point_bytes,
                request,
            )
        } else {
            Peer::in_job(other, tag).isend(
                self.from.overlap(current.rank, &self.to, other) * self.point_bytes,
                request,
            )
        })
    }
}
