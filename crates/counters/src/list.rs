//! All counters.

use crate::aries::{ARIES_NIC, NETWORK_TILE, PROCESSOR_TILE};
use crate::cassini::CASSINI_NIC;
use crate::entry::{Entry, Place};

/// Whose names the counters of NICs have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// Cray Aries.
    Aries,
    /// The Cassini NIC of HPE Slingshot.
    Cassini,
}

/// The counters of a place, in the order of listings.
pub fn entries(place: Place) -> impl Iterator<Item = &'static Entry> {
    let all = match place {
        Place::NetworkTile => NETWORK_TILE,
        Place::ProcessorTile => PROCESSOR_TILE,
        Place::AriesNic => ARIES_NIC,
        Place::CassiniNic => CASSINI_NIC,
    };
    all.iter()
}

/// The counters of NICs by these names.
pub fn of_nics(names: Names) -> impl Iterator<Item = &'static Entry> {
    entries(match names {
        Names::Aries => Place::AriesNic,
        Names::Cassini => Place::CassiniNic,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::entries;
    use crate::entry::Place;

    #[test]
    fn names_are_unique_and_as_many_as_the_machine_has() {
        let count = |place| {
            let of_machine = entries(place).filter(|entry| !entry.is_derived);
            of_machine.map(super::Entry::len).sum::<usize>()
        };
        // Groves et al. 2017: 25 of a network tile; AriesNCL: 18 of a processor tile.
        assert_eq!(
            (count(Place::NetworkTile), count(Place::ProcessorTile)),
            (25, 18)
        );
        let places = [
            Place::NetworkTile,
            Place::ProcessorTile,
            Place::AriesNic,
            Place::CassiniNic,
        ];
        for place in places {
            let all = entries(place).flat_map(|entry| (0..entry.len()).map(|m| entry.name(m)));
            let all: Vec<String> = all.collect();
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            assert!(entries(place).all(|entry| entry.place == place));
        }
    }

    #[test]
    fn rows_have_a_place_for_their_number() {
        let places = [
            Place::NetworkTile,
            Place::ProcessorTile,
            Place::AriesNic,
            Place::CassiniNic,
        ];
        for entry in places.into_iter().flat_map(entries) {
            assert_eq!(entry.len() > 1, entry.pattern().contains("{}"), "{entry:?}");
            assert!(
                !entry.meaning.is_empty() && !entry.hardware.is_empty(),
                "{entry:?}"
            );
            assert_eq!(
                entry.counts(),
                !entry.meaning.starts_with("always 0"),
                "{entry:?}"
            );
        }
    }
}
