//! Traffic classes: who may go next on a channel that several classes want.
//!
//! A bandwidth monitor per port and class (Mubarak et al. 2019, section II) says whether a class has
//! had its assured share, and whether it is at its ceiling. The rule and the instants are stated in
//! `docs/model/network.md`, section "Classes and virtual networks".

use odonata_routing::Routing;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use crate::model::limits::MOST_VCS;
use crate::model::parameters::{ClassShare, MOST_CLASSES, Monitor, Parameters};

/// Parts of a sliding window.
const PARTS: usize = 16;

/// Most contenders: the requests and the responses of every class.
pub(crate) const MOST_CONTENDERS: usize = 2 * MOST_CLASSES;

/// Limits of a monitor, for one class and kind of link.
#[derive(Clone, Copy, Debug, Default)]
struct ClassLimits {
    /// Assured bytes of a window.
    bytes: u64,
    /// The assured share, millionths of the bandwidth.
    ppm: u64,
    /// Bytes of a window at the ceiling; `None` without one.
    ceiling_bytes: Option<u64>,
    /// The ceiling, millionths of the bandwidth.
    ceiling_ppm: u64,
}

/// Packets that compete as one for a channel: those of a class, or its requests or its responses if
/// the two have priorities of their own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contender {
    pub(crate) class: u8,
    /// Rank of its priority; 0: the highest.
    level: u8,
    /// Its virtual channels, as a bit set.
    pub(crate) vcs: u32,
}

impl Contender {
    /// Its largest virtual channel.
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
    pub(crate) const fn largest_vc(self) -> u8 {
        (u32::BITS - 1).saturating_sub(self.vcs.leading_zeros()) as u8
    }
}

/// How traffic classes are watched: shares and windows, the same for every channel of a kind.
#[derive(Debug)]
pub(crate) struct ClassPolicy {
    pub(crate) classes: u8,
    /// Some class has a ceiling.
    pub(crate) has_ceilings: bool,
    monitor: Monitor,
    window: u64,
    part: u64,
    /// `[kind][class]`.
    limits: [[ClassLimits; MOST_CLASSES]; LinkKind::ALL.len()],
    /// In the order in which they go while their classes are below their assured shares.
    contenders: [Contender; MOST_CONTENDERS],
    /// How many of them there are.
    contender_count: u8,
    /// Different priorities.
    levels: u8,
    /// `[vc]`: the index of the contender that the VC belongs to.
    of_vc: [u8; MOST_VCS],
}

impl ClassPolicy {
    pub(crate) fn new(parameters: &Parameters, routing: &Routing) -> Self {
        let qos = parameters.qos;
        let window = qos.window.ps().max(1);
        let mut policy = Self {
            classes: qos.classes,
            has_ceilings: qos.classes > 1 && qos.has_ceilings(),
            monitor: qos.monitor,
            window,
            part: window.div_ceil(PARTS as u64),
            limits: LinkKind::ALL.map(|kind| {
                let rate = parameters.link(kind).bandwidth.bytes_per_second();
                // B/s times ps over 10^12, times the share over 10^6: rounded down once.
                let most = u128::from(rate) * u128::from(window);
                std::array::from_fn(|class| limits(qos.shares[class], kind, most))
            }),
            contenders: [Contender::default(); MOST_CONTENDERS],
            contender_count: 0,
            levels: 0,
            of_vc: [0; MOST_VCS],
        };
        policy.rank(parameters, routing);
        policy
    }

    /// Finds the contenders, and puts them in their order.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 16 contenders of at most 8 classes"
    )]
    fn rank(&mut self, parameters: &Parameters, routing: &Routing) {
        let class_vcs = usize::from(routing.virtual_channels());
        let is_split =
            |share: &ClassShare| self.classes > 1 && share.priority != share.response_priority;
        let mut found: Vec<(u8, Contender)> = Vec::new();
        for (class, share) in parameters.qos.each().iter().enumerate() {
            let first = class * class_vcs;
            let responses = (0..class_vcs)
                .filter(|&vc| is_split(share) && routing.is_for_responses(vc as u8))
                .fold(0_u32, |set, vc| set | bit(first + vc));
            let all = (first..first + class_vcs).fold(0, |set, vc| set | bit(vc));
            for (priority, vcs) in [
                (share.priority, all & !responses),
                (share.response_priority, responses),
            ] {
                if vcs != 0 {
                    let class = class as u8;
                    let level = 0;
                    found.push((priority, Contender { class, level, vcs }));
                }
            }
        }
        // Of equal priorities the first class stays first.
        found.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        let mut highest = found.first().map_or(0, |(priority, _)| *priority);
        for (index, (priority, contender)) in found.into_iter().enumerate() {
            self.levels += u8::from(priority != highest);
            highest = priority;
            let level = self.levels;
            self.contenders[index] = Contender { level, ..contender };
            for vc in (0..MOST_VCS).filter(|&vc| contender.vcs & bit(vc) != 0) {
                self.of_vc[vc] = index as u8;
            }
            self.contender_count = index as u8 + 1;
        }
        self.levels += 1;
    }

    #[inline]
    fn limits(&self, channel: ClassChannel) -> &ClassLimits {
        &self.limits[channel.kind as usize][usize::from(channel.class)]
    }

    /// Those who compete for a channel, in the order in which they go while their classes are below
    /// their assured shares.
    #[inline]
    pub(crate) fn contenders(&self) -> &[Contender] {
        &self.contenders[..usize::from(self.contender_count)]
    }

    /// The index of the contender that `vc` belongs to.
    #[inline]
    pub(crate) fn contender_of(&self, vc: u8) -> usize {
        usize::from(self.of_vc[usize::from(vc) % MOST_VCS])
    }

    /// Of the contenders `able`, a bit set, whose classes have all had their assured shares, the one
    /// that goes: of the highest priority the next one behind the class that had the last turn.
    pub(crate) fn next_in_turn(&self, able: u32, monitors: &Monitors, port: PortIndex) -> usize {
        let first = able.trailing_zeros() as usize;
        let level = self.contenders.get(first).map_or(0, |one| one.level);
        let last = monitors.last_turn(self, port, level);
        let all = self.contenders().iter().enumerate();
        let equals = all.filter(|(index, one)| one.level == level && able & bit(*index) != 0);
        let behind = |class: u8| (class + self.classes - 1 - last) % self.classes;
        let next = equals.min_by_key(|(_, one)| behind(one.class));
        next.map_or(first, |(index, _)| index)
    }
}

/// Share of a class in a channel of this kind, of which `most` is the product of bandwidth and
/// window, B/s times ps.
fn limits(share: ClassShare, kind: LinkKind, most: u128) -> ClassLimits {
    let bytes = |ppm: u64| {
        let bytes = most * u128::from(ppm) / 10_u128.pow(18);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    };
    let ppm = u64::from(share.assured_on(kind));
    let ceiling_ppm = u64::from(share.ceiling_ppm).max(1);
    ClassLimits {
        bytes: bytes(ppm),
        ppm: ppm.max(1),
        ceiling_bytes: share.has_ceiling().then(|| bytes(ceiling_ppm).max(1)),
        ceiling_ppm,
    }
}

/// A set of one.
const fn bit(index: usize) -> u32 {
    1 << index
}

/// Use of one channel by one class.
#[derive(Clone, Copy, Debug, Default)]
struct ChannelUse {
    /// End of the window the bytes belong to; number of the part; for a bucket the instant it is
    /// full again, ps.
    stamp: u64,
    bytes: u64,
}

impl ChannelUse {
    /// Whether `at` lies in the window that ends at the stamp.
    #[inline]
    const fn is_within(&self, policy: &ClassPolicy, at: Instant) -> bool {
        at.ps() < self.stamp && self.stamp - at.ps() <= policy.window
    }
}

/// Use of the channels of one owner by every class: `[channel * classes + class]`.
#[derive(Debug, Default)]
pub(crate) struct Monitors {
    usage: Vec<ChannelUse>,
    /// Bytes by part, for sliding windows.
    parts: Vec<[u64; PARTS]>,
    /// The instant at which a bucket of the ceiling is full again, ps; empty without such.
    ceilings: Vec<u64>,
    /// `[channel * contenders + contender]`: the VC that was served last.
    last_vc: Vec<Option<u8>>,
    /// `[channel * levels + level]`: the class of this priority that was served last while it had
    /// had its assured share.
    turns: Vec<u8>,
}

/// How a class stands on a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// It has not had its assured share.
    BelowAssured,
    /// It has had its assured share, but may go on.
    BelowCeiling,
    /// It must wait until then.
    AtCeiling(Instant),
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
        let buckets = policy.monitor == Monitor::TokenBucket && policy.has_ceilings;
        Self {
            usage: (0..count).map(|_| ChannelUse::default()).collect(),
            parts: (0..if slides { count } else { 0 })
                .map(|_| [0; PARTS])
                .collect(),
            ceilings: vec![0; if buckets { count } else { 0 }],
            last_vc: vec![None; channels * usize::from(policy.contender_count)],
            turns: vec![policy.classes - 1; channels * usize::from(policy.levels)],
        }
    }

    /// The class of this priority that was served last while it had had its assured share; before
    /// that the last one, so that the first class is next.
    #[inline]
    fn last_turn(&self, policy: &ClassPolicy, port: PortIndex, level: u8) -> u8 {
        self.turns[port.index() * usize::from(policy.levels) + usize::from(level)]
    }

    /// VC of a contender served last, if any was.
    #[inline]
    pub(crate) fn last_vc(
        &self,
        policy: &ClassPolicy,
        port: PortIndex,
        contender: usize,
    ) -> Option<u8> {
        self.last_vc[port.index() * usize::from(policy.contender_count) + contender]
    }

    /// How the class stands at `at`.
    #[inline]
    pub(crate) fn standing(
        &mut self,
        policy: &ClassPolicy,
        channel: ClassChannel,
        at: Instant,
    ) -> Standing {
        let is_over = self.is_over(policy, channel, at);
        if policy.has_ceilings {
            let held_until = self.held_until(policy, channel);
            if held_until > at {
                return Standing::AtCeiling(held_until);
            }
        }
        if is_over {
            Standing::BelowCeiling
        } else {
            Standing::BelowAssured
        }
    }

    /// The instant from which on the class is below its ceiling if it starts nothing more.
    pub(crate) fn held_until(&self, policy: &ClassPolicy, channel: ClassChannel) -> Instant {
        let Some(ceiling) = policy.limits(channel).ceiling_bytes else {
            return Instant::ZERO;
        };
        let index = channel.index(policy);
        let ps = match policy.monitor {
            Monitor::TokenBucket => self.ceilings[index].saturating_sub(policy.window),
            _ if self.usage[index].bytes < ceiling => 0,
            Monitor::Static => self.usage[index].stamp,
            Monitor::Sliding => {
                let ChannelUse { stamp, mut bytes } = self.usage[index];
                let mut part = stamp;
                while bytes >= ceiling {
                    part += 1;
                    bytes -= self.parts[index][part_of(part)];
                }
                part * policy.part
            }
        };
        Instant::from_ps(ps)
    }

    /// Whether the class has had its assured share at `at`.
    #[inline]
    fn is_over(&mut self, policy: &ClassPolicy, channel: ClassChannel, at: Instant) -> bool {
        let index = channel.index(policy);
        let limits = policy.limits(channel);
        match policy.monitor {
            Monitor::Static => {
                let usage = self.usage[index];
                let is_current = usage.is_within(policy, at);
                let used = if is_current { usage.bytes } else { 0 };
                used >= limits.bytes
            }
            Monitor::Sliding => {
                self.slide(policy, index, at);
                self.usage[index].bytes >= limits.bytes
            }
            Monitor::TokenBucket => self.usage[index].stamp > at.ps() + policy.window,
        }
    }

    /// Whether the class will have had its assured share at an instant before which something may
    /// still start: nothing is forgotten yet.
    pub(crate) fn will_be_over(
        &self,
        policy: &ClassPolicy,
        channel: ClassChannel,
        at: Instant,
    ) -> bool {
        let index = channel.index(policy);
        let usage = &self.usage[index];
        let limits = policy.limits(channel);
        match policy.monitor {
            Monitor::Static => {
                let used = if usage.is_within(policy, at) {
                    usage.bytes
                } else {
                    0
                };
                used >= limits.bytes
            }
            Monitor::Sliding => {
                let now = at.ps() / policy.part;
                let used = if now >= usage.stamp + PARTS as u64 {
                    0
                } else {
                    let gone = (usage.stamp + 1..=now).map(|part| self.parts[index][part_of(part)]);
                    usage.bytes - gone.sum::<u64>()
                };
                used >= limits.bytes
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
        let limits = policy.limits(channel);
        let bytes = u64::from(transmission.bytes);
        let contender = policy.contender_of(vc);
        let contenders = usize::from(policy.contender_count);
        self.last_vc[channel.port.index() * contenders + contender] = Some(vc);
        let was_over = self.is_over(policy, channel, at);
        if was_over {
            let level = usize::from(policy.contenders[contender].level);
            self.turns[channel.port.index() * usize::from(policy.levels) + level] = channel.class;
        }
        if let Some(full) = self.ceilings.get_mut(index) {
            let charge = transmission.serialization.ps() * 1_000_000 / limits.ceiling_ppm;
            *full = (*full).max(at.ps()) + charge;
        }
        match policy.monitor {
            Monitor::Static => {
                let usage = &mut self.usage[index];
                if !usage.is_within(policy, at) {
                    let window = at.ps() / policy.window;
                    *usage = ChannelUse {
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
                let charge = transmission.serialization.ps() * 1_000_000 / limits.ppm;
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
            *usage = ChannelUse {
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
