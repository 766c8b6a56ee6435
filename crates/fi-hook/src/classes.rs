//! Whether a traffic class took effect: the NIC counts packets by class.
//!
//! A class that the service of a job forbids silently becomes best effort. Which of the eight
//! counted classes is which is a matter of the fabric manager, so they are told apart by what is
//! sent: the class in which most packets leave while messages go one way, against that in which most
//! leave while they go over the endpoint itself.

use crate::lane::Way;

/// Classes that a NIC counts.
pub(crate) const COUNTED: usize = 8;
/// Ways: three modes, and the endpoint itself.
const WAYS: usize = 4;
/// Packets by one way from which on a verdict is given.
const ENOUGH: u64 = 256;
/// Payload of a packet, for an estimate of their number.
const PACKET_BYTES: u64 = 2_048;

/// Whether the messages of a way leave in a class of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Too few packets yet, or no counters of classes.
    Unknown,
    /// They do.
    Seen,
    /// They leave in the class of the endpoint.
    NotSeen,
}

impl Proof {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Seen => "seen",
            Self::NotSeen => "not seen",
        }
    }
}

/// What was sent by each way, and in which class it left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classes {
    /// Packets by class while nearly all messages went one way.
    left: [[u64; COUNTED]; WAYS],
    /// Estimated packets of these messages.
    packets: [u64; WAYS],
    before: Option<([u64; WAYS], [u64; COUNTED])>,
}

/// Packets of a message; an estimate.
#[must_use]
pub(crate) const fn packets(bytes: u64) -> u64 {
    1 + bytes / PACKET_BYTES
}

impl Classes {
    /// Packets that were posted by each way until now, and that left in each class until now.
    pub fn look(&mut self, posted: [u64; WAYS], counted: [u64; COUNTED]) {
        let Some((posted_before, counted_before)) = self.before.replace((posted, counted)) else {
            return;
        };
        let mut sent = [0; WAYS];
        for (way, sent) in sent.iter_mut().enumerate() {
            *sent = posted[way].saturating_sub(posted_before[way]);
        }
        let total = sent
            .iter()
            .fold(0, |sum: u64, &one| sum.saturating_add(one));
        let Some(way) = sent
            .iter()
            .position(|&one| one > 0 && one >= total - total / 10)
        else {
            return;
        };
        self.packets[way] = self.packets[way].saturating_add(sent[way]);
        for class in 0..COUNTED {
            let more = counted[class].saturating_sub(counted_before[class]);
            self.left[way][class] = self.left[way][class].saturating_add(more);
        }
    }

    /// The verdict on a way.
    #[must_use]
    pub fn proof(&self, way: Way) -> Proof {
        let (own, way) = (Way::OWN.number(), way.number());
        if way == own || self.packets[way] < ENOUGH || self.packets[own] < ENOUGH {
            return Proof::Unknown;
        }
        match (most(&self.left[way]), most(&self.left[own])) {
            (Some(mine), Some(its)) if mine == its => Proof::NotSeen,
            (Some(_), Some(_)) => Proof::Seen,
            _ => Proof::Unknown,
        }
    }
}

/// The class in which most packets left; `None` if none did.
fn most(left: &[u64; COUNTED]) -> Option<usize> {
    (0..COUNTED)
        .filter(|&class| left[class] > 0)
        .max_by_key(|&class| left[class])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks after `count` packets by `way` that leave in `class`, beside some of others in class 5.
    fn send(classes: &mut Classes, state: &mut ([u64; 4], [u64; 8]), way: usize, class: usize) {
        state.0[way] += 300;
        state.1[class] += 290;
        state.1[5] += 40;
        classes.look(state.0, state.1);
    }

    #[test]
    fn a_class_is_seen_or_not() {
        let (mut classes, mut state) = (Classes::default(), ([0; 4], [0; 8]));
        classes.look(state.0, state.1);
        assert_eq!(classes.proof(Way::ordered(2)), Proof::Unknown);
        send(&mut classes, &mut state, 3, 1);
        send(&mut classes, &mut state, 2, 4);
        send(&mut classes, &mut state, 1, 1);
        assert_eq!(classes.proof(Way::ordered(2)), Proof::Seen);
        assert_eq!(classes.proof(Way::ordered(1)), Proof::NotSeen);
        assert_eq!(classes.proof(Way::ordered(0)), Proof::Unknown);
        assert_eq!(classes.proof(Way::OWN), Proof::Unknown);
    }

    #[test]
    fn mixed_traffic_says_nothing() {
        let mut classes = Classes::default();
        classes.look([0; 4], [0; 8]);
        classes.look([0, 0, 500, 500], [1_000, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(classes.proof(Way::ordered(2)), Proof::Unknown);
    }

    #[test]
    fn a_reset_and_the_largest_counts_do_no_harm() {
        let mut classes = Classes::default();
        classes.look([0; 4], [u64::MAX; 8]);
        classes.look([u64::MAX; 4], [0; 8]);
        classes.look([u64::MAX; 4], [u64::MAX; 8]);
        assert_eq!(classes.proof(Way::ordered(0)), Proof::Unknown);
    }
}
