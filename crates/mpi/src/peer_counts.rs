//! A count for each rank that a rank has to do with.

/// Counts by rank, all 0 at first. A count is found by a look at one line of the cache or two,
/// however many ranks there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeerCounts {
    /// A power of two, half of them free at least; a count stands at the first free place behind
    /// that which its rank gives.
    places: Box<[PeerSlot]>,
    used: u32,
}

#[derive(Clone, Copy, Debug)]
struct PeerSlot {
    /// [`NOBODY`] if the place is free.
    peer: u32,
    count: u32,
}

/// No rank: a job has fewer.
const NOBODY: u32 = u32::MAX;
/// Places of those with few peers: a line of the cache.
const FEW: usize = 8;

impl PeerCounts {
    /// The count of `peer`.
    pub(crate) fn of(&mut self, peer: u32) -> &mut u32 {
        if 2 * self.used as usize >= self.places.len() {
            self.grow();
        }
        let at = self.find(peer);
        let place = &mut self.places[at];
        if place.peer == NOBODY {
            place.peer = peer;
            self.used += 1;
        }
        &mut place.count
    }

    /// The place of `peer`, or the free one that it would take.
    fn find(&self, peer: u32) -> usize {
        let length = self.places.len();
        let mixed = u64::from(peer.wrapping_mul(0x9E37_79B1));
        let mut at = ((mixed * length as u64) >> 32) as usize;
        loop {
            let found = self.places[at].peer;
            if found == peer || found == NOBODY {
                return at;
            }
            at = (at + 1) & (length - 1);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let free = PeerSlot {
            peer: NOBODY,
            count: 0,
        };
        let length = FEW.max(2 * self.places.len());
        let before = std::mem::replace(&mut self.places, vec![free; length].into());
        for place in before.into_iter().filter(|place| place.peer != NOBODY) {
            let at = self.find(place.peer);
            self.places[at] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::PeerCounts;

    #[test]
    fn every_peer_has_its_count() {
        let (mut counts, mut expected) = (PeerCounts::default(), BTreeMap::new());
        let mut peer = 1_u32;
        for step in 0..20_000_u32 {
            peer = peer.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 24);
            let peer = peer % (1 + step / 8);
            *counts.of(peer) += 1;
            *expected.entry(peer).or_insert(0) += 1;
        }
        for (peer, count) in expected {
            assert_eq!(*counts.of(peer), count, "of {peer}");
        }
        assert_eq!(*counts.of(0x00FF_FFFF), 0);
    }
}
