//! What is counted, and how it is read.

use std::ops::Range;
use std::sync::Arc;

use odonata_counters::{Names, TILE_VCS};
use odonata_units::Span;

use super::samples::Samples;

/// What the counters need to know of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterShape {
    /// `[vc]`: the virtual channel of a tile that one of the network is folded onto.
    pub folds: [u8; 32],
    /// Virtual channels of a channel.
    pub vcs: usize,
    /// Virtual channels of one traffic class.
    pub class_vcs: u8,
    /// Virtual channels that are for requests.
    pub request_vcs: u8,
    /// Routers have input FIFOs and a crossbar (`cioq`).
    pub has_crossbar: bool,
    /// Packets are answered.
    pub has_responses: bool,
    /// Header of a packet, bytes.
    pub header_bytes: u32,
    /// Which counters NICs have.
    pub names: Names,
    /// Time between two readings; absent: only at the end.
    pub every: Option<Span>,
    /// Readings at most; if there were more, the time between them is doubled.
    pub most_readings: u64,
    /// `[router]`: whose counters are kept; absent: of all.
    pub routers: Option<Arc<[bool]>>,
    /// `[node]`: the same of NICs.
    pub nodes: Option<Arc<[bool]>>,
    /// Events of different routers come at most this much out of order.
    pub lag: Span,
}

impl CounterShape {
    /// Folds `classes` times `class_vcs` virtual channels, of which in each class the first
    /// `requests` are for requests, onto those of a tile.
    ///
    /// A half with more than four has several of the network in one: in order, as evenly as may
    /// be.
    #[must_use]
    pub fn folds(classes: usize, class_vcs: usize, requests: usize) -> [u8; 32] {
        const HALF: usize = TILE_VCS / 2;
        let fold = |vc: usize, count: usize| {
            if count <= HALF { vc } else { vc * HALF / count }
        };
        std::array::from_fn(|vc| {
            let inside = if vc < classes * class_vcs {
                vc % class_vcs
            } else {
                0
            };
            let folded = if inside < requests {
                fold(inside, requests)
            } else {
                HALF + fold(inside - requests, class_vcs - requests)
            };
            u8::try_from(folded).unwrap_or(0)
        })
    }

    /// Sums of `each` components for each of `all`, which are routers or nodes; `kept` says whose
    /// are kept.
    pub(crate) fn samples<const W: usize>(
        &self,
        all: Range<u32>,
        each: usize,
        kept: Option<&Arc<[bool]>>,
    ) -> Samples<W> {
        let components = all.len() * each;
        let samples = Samples::new(components, self.every, self.most_readings, self.lag);
        let of_one = |kept: &bool| std::iter::repeat_n(*kept, each);
        let own = kept.map(|kept| &kept[all.start as usize..all.end as usize]);
        samples.keeping(own.unwrap_or_default().iter().flat_map(of_one).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::CounterShape;

    #[test]
    fn channels_are_folded_in_order() {
        // Aries, adaptive: 8 channels for requests, 4 for responses, say.
        let folds = CounterShape::folds(1, 12, 8);
        assert_eq!(folds[..12], [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7]);
        // Two classes of 2 and 2.
        let folds = CounterShape::folds(2, 4, 2);
        assert_eq!(folds[..8], [0, 1, 4, 5, 0, 1, 4, 5]);
        // Ten for one-way packets.
        let folds = CounterShape::folds(1, 10, 10);
        assert_eq!(folds[..10], [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]);
    }
}
