//! Which global channel of a group leads to which group.
//!
//! The global channels of a group that are in use form lanes of `groups - 1` **slots**; every lane
//! reaches each other group once. An arrangement is the bijection between the slots of a lane and
//! the other groups, the same for every lane.

use std::fmt;
use std::str::FromStr;

use odonata_registry::spelling;

use crate::error::TopologyError;

/// How the global channels of a group are spread over the other groups.
///
/// ```
/// use odonata_topology::Arrangement;
/// assert_eq!("circulant".parse(), Ok(Arrangement::Circulant));
/// let error = "absolut".parse::<Arrangement>().unwrap_err();
/// assert!(error.to_string().ends_with("(did you mean \"absolute\"?)"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Arrangement {
    /// Slot `i` leads to group `i`, own group skipped (named by Hastings et al. 2015). Also called:
    /// consecutive.
    #[default]
    Absolute,
    /// Slot `i` leads `i + 1` groups onwards, cyclically (Hastings et al. 2015).
    Relative,
    /// Slots lead alternately onwards and back: +1, -1, +2, -2, ... (Hastings et al. 2015).
    Circulant,
}

impl Arrangement {
    /// Every arrangement, in the order of listings.
    pub const ALL: [Self; 3] = [Self::Absolute, Self::Relative, Self::Circulant];

    /// The name in scenarios.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::Circulant => "circulant",
        }
    }

    /// One line for listings.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Absolute => "slot i leads to group i, own group skipped",
            Self::Relative => "slot i leads i + 1 groups onwards, cyclically",
            Self::Circulant => "slots lead alternately onwards and back: +1, -1, +2, -2, ...",
        }
    }

    /// The group that `slot` of group `from` leads to; `slot` in `[0, groups - 1)`.
    pub(crate) const fn target(self, from: u32, slot: u32, groups: u32) -> u32 {
        let ahead = match self {
            Self::Absolute => return if slot < from { slot } else { slot + 1 },
            Self::Relative => slot + 1,
            Self::Circulant if slot.is_multiple_of(2) => slot / 2 + 1,
            Self::Circulant => groups - slot.div_ceil(2),
        };
        let target = from + ahead;
        if target < groups {
            target
        } else {
            target - groups
        }
    }

    /// The slot of group `from` that leads to group `to`, another one: undoes `target`.
    #[inline]
    pub(crate) const fn slot(self, from: u32, to: u32, groups: u32) -> u32 {
        let ahead = if to > from {
            to - from
        } else {
            to + groups - from
        };
        match self {
            Self::Absolute => to - (to > from) as u32,
            Self::Relative => ahead - 1,
            Self::Circulant if ahead <= groups - ahead => 2 * (ahead - 1),
            Self::Circulant => 2 * (groups - ahead) - 1,
        }
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Arrangement {
    type Err = TopologyError;

    fn from_str(name: &str) -> Result<Self, TopologyError> {
        if let Some(arrangement) = Self::ALL.into_iter().find(|entry| entry.name() == name) {
            return Ok(arrangement);
        }
        let choices = Self::ALL.map(Self::name);
        Err(TopologyError::UnknownArrangement {
            name: name.to_owned(),
            choices: choices.join(", "),
            nearest: spelling::nearest(name, choices),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Arrangement;

    #[track_caller]
    fn check(arrangement: Arrangement, from: u32, groups: u32, expected: &[u32]) {
        let targets: Vec<u32> = (0..groups - 1)
            .map(|slot| arrangement.target(from, slot, groups))
            .collect();
        assert_eq!(targets, expected);
    }

    #[test]
    fn targets_by_hand() {
        check(Arrangement::Absolute, 2, 5, &[0, 1, 3, 4]);
        check(Arrangement::Relative, 2, 5, &[3, 4, 0, 1]);
        check(Arrangement::Circulant, 2, 5, &[3, 1, 4, 0]);
        check(Arrangement::Circulant, 2, 6, &[3, 1, 4, 0, 5]);
        check(Arrangement::Circulant, 0, 2, &[1]);
    }

    /// The far slot in closed form, as `docs/model/dragonfly.md` states it.
    fn far_slot(arrangement: Arrangement, from: u32, slot: u32, groups: u32) -> u32 {
        let to = arrangement.target(from, slot, groups);
        match arrangement {
            Arrangement::Absolute => {
                if from < to {
                    from
                } else {
                    from - 1
                }
            }
            Arrangement::Relative => groups - 2 - slot,
            Arrangement::Circulant if groups.is_multiple_of(2) && slot == groups - 2 => slot,
            Arrangement::Circulant => slot ^ 1,
        }
    }

    #[test]
    fn slots_and_groups_are_bijective_and_far_slots_as_documented() {
        for arrangement in Arrangement::ALL {
            for groups in 2..40 {
                for from in 0..groups {
                    for slot in 0..groups - 1 {
                        let to = arrangement.target(from, slot, groups);
                        assert!(to < groups && to != from);
                        assert_eq!(arrangement.slot(from, to, groups), slot);
                        let far = far_slot(arrangement, from, slot, groups);
                        assert_eq!(arrangement.slot(to, from, groups), far);
                        assert_eq!(arrangement.target(to, far, groups), from);
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_parsed_back() {
        for arrangement in Arrangement::ALL {
            assert_eq!(arrangement.to_string().parse(), Ok(arrangement));
        }
        let error = "palm".parse::<Arrangement>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no global arrangement \"palm\"; use one of absolute, relative, circulant"
        );
    }
}
