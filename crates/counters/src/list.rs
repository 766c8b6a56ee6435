//! All counters.

use crate::aries::{ARIES_NIC, NETWORK_TILE, PROCESSOR_TILE};
use crate::cassini::CASSINI_NIC;
use crate::entry::{Component, Entry};

/// Whose names the counters of NICs have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// Cray Aries.
    Aries,
    /// The Cassini NIC of HPE Slingshot.
    Cassini,
}

/// The counters of a component, in the order of listings.
pub fn entries(component: Component) -> impl Iterator<Item = &'static Entry> {
    let all = match component {
        Component::NetworkTile => NETWORK_TILE,
        Component::ProcessorTile => PROCESSOR_TILE,
        Component::AriesNic => ARIES_NIC,
        Component::CassiniNic => CASSINI_NIC,
    };
    all.iter()
}

/// The counters of NICs by these names.
pub fn of_nics(names: Names) -> impl Iterator<Item = &'static Entry> {
    entries(match names {
        Names::Aries => Component::AriesNic,
        Names::Cassini => Component::CassiniNic,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::entries;
    use crate::entry::Component;

    #[test]
    fn names_are_unique_and_as_many_as_the_machine_has() {
        let count = |component| {
            let of_machine = entries(component).filter(|entry| !entry.is_derived);
            of_machine.map(super::Entry::len).sum::<usize>()
        };
        // Groves et al. 2017: 25 of a network tile; AriesNCL: 18 of a processor tile.
        assert_eq!(
            (
                count(Component::NetworkTile),
                count(Component::ProcessorTile)
            ),
            (25, 18)
        );
        let components = [
            Component::NetworkTile,
            Component::ProcessorTile,
            Component::AriesNic,
            Component::CassiniNic,
        ];
        for component in components {
            let all = entries(component).flat_map(|entry| (0..entry.len()).map(|m| entry.name(m)));
            let all: Vec<String> = all.collect();
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            assert!(entries(component).all(|entry| entry.component == component));
        }
    }

    #[test]
    fn rows_have_a_place_for_their_number() {
        let components = [
            Component::NetworkTile,
            Component::ProcessorTile,
            Component::AriesNic,
            Component::CassiniNic,
        ];
        for entry in components.into_iter().flat_map(entries) {
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
