//! Whether a traffic class took effect: the NIC counts packets by class.
//!
//! A class that the service of a job forbids silently becomes best effort. Which of the eight
//! counted classes is which is a matter of the fabric manager, so they are told apart by what is
//! sent: the class in which most packets leave while messages are posted to one target, against
//! that in which most leave while they are posted to the endpoint itself.

use crate::lane::PostTarget;

/// Classes that a NIC counts.
pub(crate) const COUNTED: usize = 8;
/// There are three modes, and the endpoint itself.
const TARGETS: usize = 4;
/// The class of a target is judged when so many packets were sent over it.
const ENOUGH: u64 = 256;
/// Payload of a packet, with which the number of packets is estimated.
const PACKET_BYTES: u64 = 2_048;

/// Whether the traffic class of a target took effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassEffect {
    /// There are too few packets yet, or no counters of classes.
    Unknown,
    /// Its messages leave in a class of their own.
    Seen,
    /// Its messages leave in the class of the endpoint.
    NotSeen,
}

impl ClassEffect {
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

/// Messages over each target, by the class in which they left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classes {
    /// Packets by class that left while nearly all messages were posted to one target.
    left: [[u64; COUNTED]; TARGETS],
    /// Estimated packets of these messages.
    packets: [u64; TARGETS],
    before: Option<Packets>,
}

/// Packets until some instant.
#[derive(Clone, Copy, Debug)]
struct Packets {
    /// Packets posted, by target.
    posted: [u64; TARGETS],
    /// Packets that left, by class.
    counted: [u64; COUNTED],
}

/// An estimate of the packets of a message.
#[must_use]
pub(crate) const fn packets(bytes: u64) -> u64 {
    1 + bytes / PACKET_BYTES
}

impl Classes {
    /// Takes the packets that were posted over each target until now, and those that left in each
    /// class until now.
    pub fn look(&mut self, posted: [u64; TARGETS], counted: [u64; COUNTED]) {
        let Some(before) = self.before.replace(Packets { posted, counted }) else {
            return;
        };
        let mut sent = [0; TARGETS];
        for (target, sent) in sent.iter_mut().enumerate() {
            *sent = posted[target].saturating_sub(before.posted[target]);
        }
        let total = sent
            .iter()
            .fold(0, |sum: u64, &one| sum.saturating_add(one));
        let Some(target) = sent
            .iter()
            .position(|&one| one > 0 && one >= total - total / 10)
        else {
            return;
        };
        self.packets[target] = self.packets[target].saturating_add(sent[target]);
        let classes = self.left[target].iter_mut();
        for ((left, now), before) in classes.zip(counted).zip(before.counted) {
            *left = left.saturating_add(now.saturating_sub(before));
        }
    }

    /// Whether the class of a target took effect.
    #[must_use]
    pub fn class_effect(&self, target: PostTarget) -> ClassEffect {
        let (own, target) = (PostTarget::OWN.number(), target.number());
        if target == own || self.packets[target] < ENOUGH || self.packets[own] < ENOUGH {
            return ClassEffect::Unknown;
        }
        match (most(&self.left[target]), most(&self.left[own])) {
            (Some(mine), Some(its)) if mine == its => ClassEffect::NotSeen,
            (Some(_), Some(_)) => ClassEffect::Seen,
            _ => ClassEffect::Unknown,
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

    /// Looks after 300 packets over `target` that leave in `class`, beside some of others in class
    /// 5.
    fn send(classes: &mut Classes, packets: &mut Packets, target: usize, class: usize) {
        packets.posted[target] += 300;
        packets.counted[class] += 290;
        packets.counted[5] += 40;
        classes.look(packets.posted, packets.counted);
    }

    #[test]
    fn a_class_is_seen_or_not() {
        let mut classes = Classes::default();
        let mut packets = Packets {
            posted: [0; 4],
            counted: [0; 8],
        };
        classes.look(packets.posted, packets.counted);
        assert_eq!(
            classes.class_effect(PostTarget::ordered(2)),
            ClassEffect::Unknown
        );
        send(&mut classes, &mut packets, 3, 1);
        send(&mut classes, &mut packets, 2, 4);
        send(&mut classes, &mut packets, 1, 1);
        assert_eq!(
            classes.class_effect(PostTarget::ordered(2)),
            ClassEffect::Seen
        );
        assert_eq!(
            classes.class_effect(PostTarget::ordered(1)),
            ClassEffect::NotSeen
        );
        assert_eq!(
            classes.class_effect(PostTarget::ordered(0)),
            ClassEffect::Unknown
        );
        assert_eq!(classes.class_effect(PostTarget::OWN), ClassEffect::Unknown);
    }

    #[test]
    fn mixed_traffic_says_nothing() {
        let mut classes = Classes::default();
        classes.look([0; 4], [0; 8]);
        classes.look([0, 0, 500, 500], [1_000, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(
            classes.class_effect(PostTarget::ordered(2)),
            ClassEffect::Unknown
        );
    }

    #[test]
    fn a_reset_and_the_largest_counts_do_no_harm() {
        let mut classes = Classes::default();
        classes.look([0; 4], [u64::MAX; 8]);
        classes.look([u64::MAX; 4], [0; 8]);
        classes.look([u64::MAX; 4], [u64::MAX; 8]);
        assert_eq!(
            classes.class_effect(PostTarget::ordered(0)),
            ClassEffect::Unknown
        );
    }
}
