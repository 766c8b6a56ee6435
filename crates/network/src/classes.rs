//! Traffic classes: who may go next on a channel that several classes want.
//!
//! Mubarak et al. 2019, section II: a bandwidth monitor per port and class; a class over its cap
//! yields to the others, and to nobody if they have nothing to send. The instants are stated in
//! `docs/model/network.md`, section "Classes and virtual networks".

use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use crate::parameters::{MOST_CLASSES, Monitor, Parameters};

/// Parts of a sliding window.
const PARTS: usize = 16;

/// What a monitor compares with, for one class and kind of link.
#[derive(Clone, Copy, Debug, Default)]
struct Cap {
    /// Bytes of a window.
    bytes: u64,
    /// Millionths of the bandwidth.
    ppm: u64,
}

/// How traffic classes are watched: caps and windows, the same for every channel of a kind.
#[derive(Debug)]
pub(crate) struct ClassPolicy {
    pub(crate) classes: u8,
    monitor: Monitor,
    window: u64,
    part: u64,
    /// `[kind][class]`.
    caps: [[Cap; MOST_CLASSES]; LinkKind::ALL.len()],
}

impl ClassPolicy {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let qos = parameters.qos;
        let window = qos.window.ps().max(1);
        let cap = |kind, class: usize| {
            let rate = parameters.link(kind).bandwidth.bytes_per_second();
            let ppm = u64::from(qos.caps_ppm[class]);
            // B/s times ps over 10^12, times the cap over 10^6: rounded down once.
            let bytes = u128::from(rate) * u128::from(window) * u128::from(ppm) / 10_u128.pow(18);
            Cap {
                bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
                ppm: ppm.max(1),
            }
        };
        Self {
            classes: qos.classes,
            monitor: qos.monitor,
            window,
            part: window.div_ceil(PARTS as u64),
            caps: LinkKind::ALL.map(|kind| std::array::from_fn(|class| cap(kind, class))),
        }
    }
}

impl ClassPolicy {
    #[inline]
    fn cap(&self, channel: ClassChannel) -> Cap {
        self.caps[channel.kind as usize][usize::from(channel.class)]
    }
}

/// What one class has used of one channel.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    /// End of the window the bytes belong to; number of the part; for a bucket the instant it is
    /// full again, ps.
    stamp: u64,
    bytes: u64,
}

impl Usage {
    /// Whether `at` lies in the window that ends at the stamp.
    #[inline]
    const fn is_within(&self, policy: &ClassPolicy, at: Instant) -> bool {
        at.ps() < self.stamp && self.stamp - at.ps() <= policy.window
    }
}

/// What every class has used of the channels of one owner: `[channel * classes + class]`.
#[derive(Debug, Default)]
pub(crate) struct Monitors {
    usage: Vec<Usage>,
    /// Bytes by part, for sliding windows.
    parts: Vec<[u64; PARTS]>,
    /// VC of the class that was served last.
    last_vc: Vec<Option<u8>>,
    /// `[channel]`: class served last while it was over its share.
    turns: Vec<u8>,
}

/// A traffic class on the channel that leaves a port.
#[derive(Clone, Copy)]
pub(crate) struct ClassChannel {
    pub(crate) port: PortIndex,
    pub(crate) kind: LinkKind,
    pub(crate) class: u8,
}

/// A packet that occupies a channel.
#[derive(Clone, Copy)]
pub(crate) struct Transmission {
    /// When the packet starts.
    pub(crate) at: Instant,
    pub(crate) vc: u8,
    pub(crate) bytes: u16,
    /// For how long the packet occupies the channel.
    pub(crate) serialization: Span,
}

impl ClassChannel {
    /// The index of the class and channel in the lists of [`Monitors`].
    #[inline]
    const fn index(self, policy: &ClassPolicy) -> usize {
        self.port.index() * policy.classes as usize + self.class as usize
    }
}

impl Monitors {
    /// The monitors of the channels of `channels` ports; empty with one class.
    pub(crate) fn new(policy: &ClassPolicy, channels: usize) -> Self {
        if policy.classes == 1 {
            return Self::default();
        }
        let count = channels * usize::from(policy.classes);
        let slides = policy.monitor == Monitor::Sliding;
        Self {
            usage: (0..count).map(|_| Usage::default()).collect(),
            parts: (0..if slides { count } else { 0 })
                .map(|_| [0; PARTS])
                .collect(),
            last_vc: vec![None; count],
            turns: vec![policy.classes - 1; channels],
        }
    }

    /// The class served last while it was over its share; before that the last one, so that the
    /// first class is next.
    #[inline]
    pub(crate) fn last_turn(&self, port: PortIndex) -> u8 {
        self.turns[port.index()]
    }

    /// VC of the class served last, if any was.
    #[inline]
    pub(crate) fn last_vc(&self, policy: &ClassPolicy, channel: ClassChannel) -> Option<u8> {
        self.last_vc[channel.index(policy)]
    }

    /// Whether the class has used up its share at `at`.
    #[inline]
    pub(crate) fn is_over(
        &mut self,
        policy: &ClassPolicy,
        channel: ClassChannel,
        at: Instant,
    ) -> bool {
        let index = channel.index(policy);
        let cap = policy.cap(channel);
        match policy.monitor {
            Monitor::Static => {
                let usage = self.usage[index];
                let is_current = usage.is_within(policy, at);
                let used = if is_current { usage.bytes } else { 0 };
                used >= cap.bytes
            }
            Monitor::Sliding => {
                self.slide(policy, index, at);
                self.usage[index].bytes >= cap.bytes
            }
            Monitor::TokenBucket => self.usage[index].stamp > at.ps() + policy.window,
        }
    }

    /// As [`Monitors::is_over`], at an instant before which something may still start: nothing is
    /// forgotten yet.
    pub(crate) fn will_be_over(
        &self,
        policy: &ClassPolicy,
        channel: ClassChannel,
        at: Instant,
    ) -> bool {
        let index = channel.index(policy);
        let usage = &self.usage[index];
        let cap = policy.cap(channel);
        match policy.monitor {
            Monitor::Static => {
                let used = if usage.is_within(policy, at) {
                    usage.bytes
                } else {
                    0
                };
                used >= cap.bytes
            }
            Monitor::Sliding => {
                let now = at.ps() / policy.part;
                let used = if now >= usage.stamp + PARTS as u64 {
                    0
                } else {
                    let gone = (usage.stamp + 1..=now).map(|part| self.parts[index][part_of(part)]);
                    usage.bytes - gone.sum::<u64>()
                };
                used >= cap.bytes
            }
            Monitor::TokenBucket => usage.stamp > at.ps() + policy.window,
        }
    }

    /// Books `transmission` to its class.
    #[inline]
    pub(crate) fn note(
        &mut self,
        policy: &ClassPolicy,
        channel: ClassChannel,
        transmission: Transmission,
    ) {
        let Transmission { at, vc, .. } = transmission;
        let index = channel.index(policy);
        let cap = policy.cap(channel);
        let bytes = u64::from(transmission.bytes);
        self.last_vc[index] = Some(vc);
        let was_over = self.is_over(policy, channel, at);
        if was_over {
            self.turns[channel.port.index()] = channel.class;
        }
        match policy.monitor {
            Monitor::Static => {
                let usage = &mut self.usage[index];
                if !usage.is_within(policy, at) {
                    let window = at.ps() / policy.window;
                    *usage = Usage {
                        stamp: (window + 1).saturating_mul(policy.window),
                        bytes: 0,
                    };
                }
                usage.bytes += bytes;
            }
            Monitor::Sliding => {
                let usage = &mut self.usage[index];
                usage.bytes += bytes;
                self.parts[index][part_of(usage.stamp)] += bytes;
            }
            Monitor::TokenBucket if was_over => {}
            Monitor::TokenBucket => {
                let usage = &mut self.usage[index];
                let charge = transmission.serialization.ps() * 1_000_000 / cap.ppm;
                usage.stamp = usage.stamp.max(at.ps()) + charge;
            }
        }
    }

    /// Lets the parts that have left the window of `at` go.
    fn slide(&mut self, policy: &ClassPolicy, index: usize, at: Instant) {
        let now = at.ps() / policy.part;
        let usage = &mut self.usage[index];
        let parts = &mut self.parts[index];
        if now >= usage.stamp + PARTS as u64 {
            parts.fill(0);
            *usage = Usage {
                stamp: now,
                bytes: 0,
            };
            return;
        }
        while usage.stamp < now {
            usage.stamp += 1;
            usage.bytes -= std::mem::take(&mut parts[part_of(usage.stamp)]);
        }
    }
}

/// Index of a part in the ring.
#[expect(clippy::cast_possible_truncation, reason = "below 16")]
const fn part_of(part: u64) -> usize {
    (part % PARTS as u64) as usize
}

/// The class to serve: of those that can start something the first that is not over its share;
/// if all are over, the next one behind `last` in cyclic order. Bit `c` of `able`: class `c` can.
pub(crate) fn next_class(
    able: u32,
    classes: u8,
    last: u8,
    mut is_over: impl FnMut(u8) -> bool,
) -> Option<u8> {
    let can = |class: &u8| able & (1 << class) != 0;
    if let Some(class) = (0..classes).filter(can).find(|class| !is_over(*class)) {
        return Some(class);
    }
    (1..=classes).map(|step| (last + step) % classes).find(can)
}

#[cfg(test)]
mod tests {
    use super::next_class;

    #[test]
    fn priority_then_turns() {
        assert_eq!(next_class(0b000, 3, 0, |_| false), None);
        assert_eq!(next_class(0b110, 3, 0, |_| false), Some(1));
        assert_eq!(next_class(0b111, 3, 0, |class| class == 0), Some(1));
        // The only one that wants the channel has it, over its cap or not.
        assert_eq!(next_class(0b100, 3, 0, |_| true), Some(2));
        assert_eq!(next_class(0b111, 3, 0, |_| true), Some(1));
        assert_eq!(next_class(0b101, 3, 2, |_| true), Some(0));
    }
}
