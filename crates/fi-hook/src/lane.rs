//! Lanes: what a message can choose on Slingshot instead of a routing mode.
//!
//! A user cannot choose the bias of Aries there, but the traffic class of a message, and whether
//! its packets are routed one by one (unordered) or as a flow (ordered):
//! `docs/preload-slingshot.md`.

use odonata_policy::{BULK_DATA, LOW_LATENCY, TRAFFIC_CLASSES, TrafficClassName};

/// A traffic class, by its number in `rdma/fabric.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrafficClass(pub u32);

impl TrafficClass {
    /// The class of one that libfabric has a number for.
    const fn of(class: TrafficClassName) -> Option<Self> {
        match class.libfabric {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }
}

/// Classes that can be asked for, with their names.
fn classes() -> impl Iterator<Item = (&'static str, TrafficClass)> {
    let number = |class: TrafficClassName| Some((class.name, TrafficClass::of(class)?));
    TRAFFIC_CLASSES.into_iter().filter_map(number)
}

/// Lane of the messages of a mode in place of a routing mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Their traffic class; `None`: that of the endpoint.
    pub class: Option<TrafficClass>,
    /// Whether messages that need no order are sent unordered.
    pub unordered: bool,
}

impl Lane {
    /// The lane of the program's endpoint.
    pub const OWN: Self = Self {
        class: None,
        unordered: false,
    };

    /// The lanes of ADAPTIVE, ADAPTIVE in an alltoall, and HIGH BIAS unless others are named.
    pub const DEFAULT: [Self; 3] = [
        Self {
            class: None,
            unordered: true,
        },
        Self {
            class: TrafficClass::of(BULK_DATA),
            unordered: true,
        },
        Self {
            class: TrafficClass::of(LOW_LATENCY),
            unordered: false,
        },
    ];

    /// Reads three lanes from a text such as `own+unordered,bulk-data,low-latency`.
    ///
    /// # Errors
    ///
    /// The error says what was expected.
    pub fn parse(text: &str) -> Result<[Self; 3], String> {
        let lanes: Result<Vec<Self>, String> = text.split(',').map(one).collect();
        lanes?
            .try_into()
            .map_err(|_| "three lanes: of ADAPTIVE, ADAPTIVE in an alltoall, HIGH BIAS".to_owned())
    }

    /// The name as [`Lane::parse`] reads it.
    #[must_use]
    pub fn name(self) -> String {
        let class = self.class.map_or("own", |class| {
            let known = classes().find(|(_, known)| *known == class);
            known.map_or("unknown", |(name, _)| name)
        });
        let order = if self.unordered { "+unordered" } else { "" };
        format!("{class}{order}")
    }
}

fn one(text: &str) -> Result<Lane, String> {
    let text = text.trim();
    let (class, unordered) = match text.strip_suffix("+unordered") {
        Some(class) => (class, true),
        None => (text, false),
    };
    if class == "own" {
        return Ok(Lane {
            class: None,
            unordered,
        });
    }
    match classes().find(|(name, _)| *name == class) {
        Some((_, class)) => Ok(Lane {
            class: Some(class),
            unordered,
        }),
        None => Err(format!(
            "one of own, {}, each also with +unordered (`{text}` is none)",
            classes()
                .map(|(name, _)| name)
                .collect::<Vec<_>>()
                .join(", ")
        )),
    }
}

/// What a message is posted to instead of the program's endpoint: an alias of it, or the endpoint
/// itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PostTarget(u8);

impl PostTarget {
    /// The endpoint itself.
    pub const OWN: Self = Self(3);
    /// [`PostTarget::index`] is below this.
    pub const COUNT: usize = 6;

    /// The target of the mode of this index, for messages that keep their order.
    #[must_use]
    pub const fn ordered(mode: usize) -> Self {
        Self([0, 1, 2, 3][if mode < 3 { mode } else { 3 }])
    }

    /// Its number among the targets of messages that keep their order: 0 to 2, and 3 for the
    /// endpoint itself.
    #[must_use]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Its number as two bits, for [`crate::OrderTracker`].
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The target that these two bits stand for.
    #[must_use]
    pub const fn of_bits(bits: u64) -> Self {
        Self((bits & 3) as u8)
    }

    /// Its index among aliases; `None` for the endpoint itself. Unordered aliases follow the
    /// ordered ones.
    #[must_use]
    pub const fn index(self, unordered: bool) -> Option<usize> {
        match (self.0, unordered) {
            (3, _) => None,
            (mode, false) => Some(mode as usize),
            (mode, true) => Some(mode as usize + 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert_eq!(
            Lane::parse(&Lane::DEFAULT.map(Lane::name).join(",")).unwrap(),
            Lane::DEFAULT
        );
        for (name, class) in classes() {
            let lanes = Lane::parse(&format!("{name}, own ,{name}+unordered")).unwrap();
            assert_eq!(lanes[0].class, Some(class));
            assert_eq!(lanes[1], Lane::OWN);
            assert!(lanes[2].unordered && lanes[2].class == Some(class));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = Lane::parse("own,own").unwrap_err();
        assert!(said.starts_with("three lanes"), "{said}");
        let said = Lane::parse("own,fast,own").unwrap_err();
        assert!(said.contains("one of own, best-effort, low-latency") && said.contains("`fast`"));
    }

    #[test]
    fn targets_have_indices_of_their_own() {
        let mut seen = [false; PostTarget::COUNT];
        for mode in 0..3 {
            for unordered in [false, true] {
                let index = PostTarget::ordered(mode).index(unordered).unwrap();
                assert!(!std::mem::replace(&mut seen[index], true));
            }
            assert_eq!(
                PostTarget::of_bits(PostTarget::ordered(mode).bits()),
                PostTarget::ordered(mode)
            );
        }
        assert_eq!(PostTarget::OWN.index(true), None);
        assert_eq!(PostTarget::of_bits(PostTarget::OWN.bits()), PostTarget::OWN);
    }
}
