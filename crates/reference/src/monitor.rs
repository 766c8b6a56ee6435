//! Shares of traffic classes on one channel: page "Classes and virtual networks".

use std::cmp::Reverse;
use std::collections::BTreeMap;

use odonata_network::{ClassShare, Monitor, Parameters, Qos};
use odonata_topology::LinkKind;
use odonata_units::{Bandwidth, Instant, Span};

use crate::packet::LaneName;

/// Parts of a window that slides.
const PARTS: u64 = 16;

/// What one class has started on a channel.
#[derive(Clone, Debug, Default)]
struct History {
    /// Every packet: start and bytes.
    starts: Vec<(Instant, u32)>,
    /// `T` of the token bucket of the assured share, ps.
    bucket: u64,
    /// `T` of that of the ceiling, ps.
    ceiling_bucket: u64,
}

impl History {
    /// Bytes started in `[from, now)`.
    fn bytes(&self, from: Instant, now: Instant) -> u128 {
        let recent = self.starts.iter().rev().take_while(|(at, _)| *at >= from);
        let before = recent.filter(|(at, _)| *at < now);
        before.map(|&(_, bytes)| u128::from(bytes)).sum()
    }
}

/// Who competes for a channel: a class, or its requests or its responses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Contender {
    pub(crate) class: usize,
    /// Whether it is the responses; `None`: both, which have one priority.
    is_response: Option<bool>,
}

/// The classes of one channel: what they took of it, and whose turn it was last.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    qos: Qos,
    kind: LinkKind,
    bandwidth: Bandwidth,
    histories: Vec<History>,
    /// By priority: the class served last while it had had its assured share.
    turns: BTreeMap<u8, usize>,
}

impl Shares {
    pub(crate) fn new(parameters: &Parameters, kind: LinkKind) -> Self {
        Self {
            qos: parameters.qos,
            kind,
            bandwidth: parameters.link(kind).bandwidth,
            histories: vec![History::default(); usize::from(parameters.qos.classes)],
            turns: BTreeMap::new(),
        }
    }

    /// `Q`: bytes of a window that this share is, rounded down once.
    fn quota(&self, ppm: u32) -> u128 {
        let rate = u128::from(self.bandwidth.bytes_per_second());
        let window = u128::from(self.qos.window.ps());
        u128::from(ppm) * rate * window / (1_000_000 * 1_000_000_000_000)
    }

    /// The contender that a packet of this lane belongs to.
    pub(crate) fn contender_of(&self, lane: LaneName) -> Contender {
        let share = &self.qos.shares[lane.class];
        let is_split = self.histories.len() > 1 && share.priority != share.response_priority;
        Contender {
            class: lane.class,
            is_response: is_split.then_some(lane.is_response),
        }
    }

    fn priority(&self, contender: Contender) -> u8 {
        let share = &self.qos.shares[contender.class];
        if contender.is_response == Some(true) {
            share.response_priority
        } else {
            share.priority
        }
    }

    /// What the class has started that the monitor knows of at `now`, bytes; not for buckets.
    fn used(&self, class: usize, now: Instant) -> u128 {
        let window = self.qos.window.ps();
        let from = if self.qos.monitor == Monitor::Static {
            now.ps() / window * window
        } else {
            let part = window.div_ceil(PARTS);
            (now.ps() / part).saturating_sub(PARTS - 1) * part
        };
        self.histories[class].bytes(Instant::from_ps(from), now)
    }

    /// Whether `class` has had its assured share at `now`.
    fn is_over(&self, class: usize, now: Instant) -> bool {
        match self.qos.monitor {
            Monitor::Static | Monitor::Sliding => {
                let assured = self.qos.shares[class].assured_on(self.kind);
                self.used(class, now) >= self.quota(assured)
            }
            Monitor::TokenBucket => self.histories[class].bucket > now.ps() + self.qos.window.ps(),
        }
    }

    /// Whether `class` is at its ceiling at `now`.
    fn is_at_ceiling(&self, class: usize, now: Instant) -> bool {
        let ceiling = self.qos.shares[class].ceiling_ppm;
        if ceiling == ClassShare::WHOLE_PPM || self.histories.len() == 1 {
            return false;
        }
        match self.qos.monitor {
            Monitor::Static | Monitor::Sliding => {
                self.used(class, now) >= self.quota(ceiling).max(1)
            }
            Monitor::TokenBucket => {
                self.histories[class].ceiling_bucket > now.ps() + self.qos.window.ps()
            }
        }
    }

    /// `g`: the first instant after all starts until now at which `class` is below its ceiling, if
    /// it starts nothing more; the beginning of time if it has not been at it since.
    pub(crate) fn held_until(&self, class: usize) -> Instant {
        let history = &self.histories[class];
        let window = self.qos.window.ps();
        let Some(&(last, _)) = history.starts.last() else {
            return Instant::ZERO;
        };
        let after = last + Span::from_ps(1);
        if !self.is_at_ceiling(class, after) {
            return Instant::ZERO;
        }
        match self.qos.monitor {
            Monitor::Static => Instant::from_ps((after.ps() / window + 1) * window),
            Monitor::Sliding => {
                let part = window.div_ceil(PARTS);
                let mut ends = (after.ps() / part + 1..).map(|end| Instant::from_ps(end * part));
                let free = ends.find(|&end| !self.is_at_ceiling(class, end));
                free.unwrap_or(Instant::NEVER)
            }
            Monitor::TokenBucket => Instant::from_ps(history.ceiling_bucket - window),
        }
    }

    /// The contender that goes at `now`, if packets of these lanes could start.
    pub(crate) fn choose(&self, candidates: &[LaneName], now: Instant) -> Option<Contender> {
        let all = candidates.iter().map(|&lane| self.contender_of(lane));
        let mut able: Vec<Contender> = all
            .filter(|one| !self.is_at_ceiling(one.class, now))
            .collect();
        able.sort_by_key(|&one| (Reverse(self.priority(one)), one.class));
        if let Some(first) = able.iter().find(|one| !self.is_over(one.class, now)) {
            return Some(*first);
        }
        let highest = self.priority(*able.first()?);
        able.retain(|&one| self.priority(one) == highest);
        let classes = self.histories.len();
        let first = (self.turns.get(&highest)).map_or(0, |turn| (turn + 1) % classes);
        let turn = |one: &Contender| (one.class + classes - first) % classes;
        able.into_iter().min_by_key(turn)
    }

    /// A packet of `lane` with `bytes`, which take `wire`, starts at `now`.
    pub(crate) fn count(&mut self, lane: LaneName, bytes: u32, wire: Span, now: Instant) {
        if self.histories.len() == 1 {
            // Nobody asks, and long runs start millions.
            return;
        }
        let class = lane.class;
        let was_over = self.is_over(class, now);
        assert!(
            !self.is_at_ceiling(class, now),
            "a class at its ceiling waits"
        );
        if was_over {
            let priority = self.priority(self.contender_of(lane));
            self.turns.insert(priority, class);
        }
        let share = self.qos.shares[class];
        let charged =
            |bucket: u64, ppm: u32| bucket.max(now.ps()) + wire.ps() * 1_000_000 / u64::from(ppm);
        let history = &mut self.histories[class];
        history.starts.push((now, bytes));
        if self.qos.monitor == Monitor::TokenBucket {
            history.ceiling_bucket = charged(history.ceiling_bucket, share.ceiling_ppm);
            if !was_over {
                history.bucket = charged(history.bucket, share.assured_on(self.kind));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use odonata_network::{ClassShare, Monitor, Parameters, Qos};
    use odonata_topology::LinkKind;
    use odonata_units::{Instant, Span};

    use super::{Contender, Shares};
    use crate::packet::LaneName;
    use crate::testing::{booksim, gigabytes};

    /// The shares of classes on a host link of 4 B/ns, with windows of 160 ns.
    fn shares_of(monitor: Monitor, of_each: &[ClassShare]) -> Shares {
        let mut parameters = Parameters {
            qos: Qos {
                classes: u8::try_from(of_each.len()).unwrap(),
                window: Span::from_ns(160),
                monitor,
                ..Qos::NONE
            },
            ..booksim()
        };
        parameters.qos.shares[..of_each.len()].copy_from_slice(of_each);
        parameters.host.bandwidth = gigabytes(4);
        Shares::new(&parameters, LinkKind::Host)
    }

    /// Two classes of 25 % and 50 %: 160 B and 320 B.
    fn shares(monitor: Monitor) -> Shares {
        shares_of(
            monitor,
            &[ClassShare::cap(250_000), ClassShare::cap(500_000)],
        )
    }

    fn ns(ns: u64) -> Instant {
        Instant::ZERO + Span::from_ns(ns)
    }

    const fn request(class: usize) -> LaneName {
        LaneName {
            class,
            is_response: false,
        }
    }

    const fn response(class: usize) -> LaneName {
        LaneName {
            class,
            is_response: true,
        }
    }

    fn start(shares: &mut Shares, class: usize, bytes: u32, at: u64) {
        let wire = gigabytes(4).serialization(bytes.into());
        shares.count(request(class), bytes, wire, ns(at));
    }

    /// The class that goes, of those that could.
    fn chosen(shares: &Shares, classes: &[usize], at: u64) -> Option<usize> {
        let lanes: Vec<_> = classes.iter().map(|&class| request(class)).collect();
        shares.choose(&lanes, ns(at)).map(|one| one.class)
    }

    #[test]
    fn static_windows_forget_at_once() {
        let mut shares = shares(Monitor::Static);
        assert_eq!((shares.quota(250_000), shares.quota(500_000)), (160, 320));
        start(&mut shares, 0, 159, 10);
        assert!(!shares.is_over(0, ns(100)));
        start(&mut shares, 0, 1, 100);
        assert!(!shares.is_over(0, ns(100)), "what starts now is not before");
        assert!(shares.is_over(0, ns(101)) && shares.is_over(0, ns(159)));
        assert!(!shares.is_over(0, ns(160)));
    }

    #[test]
    fn sliding_windows_forget_by_parts() {
        let mut shares = shares(Monitor::Sliding);
        start(&mut shares, 0, 100, 9);
        start(&mut shares, 0, 60, 10);
        assert!(shares.is_over(0, ns(159)), "part 15 sees parts 0 to 15");
        assert!(!shares.is_over(0, ns(160)), "part 16 sees parts 1 to 16");
        start(&mut shares, 0, 100, 160);
        assert!(shares.is_over(0, ns(169)));
        assert!(!shares.is_over(0, ns(170)));
    }

    #[test]
    fn a_bucket_holds_a_window() {
        let mut shares = shares(Monitor::TokenBucket);
        // 40 B take 10 ns of the wire and 40 ns of the bucket.
        for _ in 0..4 {
            start(&mut shares, 0, 40, 0);
        }
        assert!(!shares.is_over(0, ns(0)), "exactly the bucket");
        start(&mut shares, 0, 40, 0);
        assert!(shares.is_over(0, ns(39)));
        assert!(!shares.is_over(0, ns(40)));
        start(&mut shares, 1, 40, 1_000);
        assert_eq!(shares.histories[1].bucket, 1_020_000, "no saving beyond");
    }

    #[test]
    fn priority_below_the_cap_and_turns_above() {
        let mut shares = shares(Monitor::Static);
        assert_eq!(chosen(&shares, &[], 0), None);
        assert_eq!(chosen(&shares, &[0, 1], 0), Some(0));
        start(&mut shares, 0, 160, 0);
        assert_eq!(chosen(&shares, &[0, 1], 1), Some(1));
        assert_eq!(chosen(&shares, &[0], 1), Some(0), "nobody else wants it");
        start(&mut shares, 1, 320, 1);
        assert_eq!(chosen(&shares, &[0, 1], 2), Some(0), "nobody had a turn");
        start(&mut shares, 0, 1, 2);
        assert_eq!(chosen(&shares, &[0, 1], 3), Some(1), "after class 0");
        assert_eq!(chosen(&shares, &[0, 1], 160), Some(0));
    }

    /// Class 0 has 25 % and a ceiling of 50 %, class 1 has 25 %, class 2 12.5 %; the priorities are 5,
    /// 2, 2, and those of responses one less.
    fn with_ceiling(monitor: Monitor) -> Shares {
        let of = |assured_ppm, ceiling_ppm, priority| ClassShare {
            assured_ppm,
            fabric_ppm: assured_ppm,
            ceiling_ppm,
            priority,
            response_priority: priority - 1,
        };
        let whole = ClassShare::WHOLE_PPM;
        let of_each = [
            of(250_000, 500_000, 5),
            of(250_000, whole, 2),
            of(125_000, whole, 2),
        ];
        shares_of(monitor, &of_each)
    }

    #[test]
    fn assured_shares_then_priorities_then_nothing_at_a_ceiling() {
        let mut shares = with_ceiling(Monitor::Static);
        assert_eq!(chosen(&shares, &[0, 1, 2], 0), Some(0));
        start(&mut shares, 0, 160, 0);
        assert_eq!(
            chosen(&shares, &[0, 1, 2], 1),
            Some(1),
            "has less than 25 %"
        );
        start(&mut shares, 1, 160, 1);
        assert_eq!(chosen(&shares, &[0, 1, 2], 2), Some(2));
        start(&mut shares, 2, 80, 2);
        assert_eq!(chosen(&shares, &[0, 1, 2], 3), Some(0), "by priority again");
        start(&mut shares, 0, 160, 3);
        assert_eq!(chosen(&shares, &[0], 4), None, "at its ceiling");
        assert_eq!(shares.held_until(0), ns(160));
        assert_eq!(chosen(&shares, &[0, 1, 2], 4), Some(1), "equals in turn");
        start(&mut shares, 1, 1, 4);
        assert_eq!(chosen(&shares, &[0, 1, 2], 5), Some(2));
        start(&mut shares, 2, 1, 5);
        assert_eq!(chosen(&shares, &[0, 1, 2], 6), Some(1));
        assert_eq!(chosen(&shares, &[0, 1, 2], 160), Some(0));
    }

    #[test]
    fn responses_have_a_priority_of_their_own() {
        let mut shares = with_ceiling(Monitor::Static);
        let both = [response(0), request(1)];
        let of = |class, is_response| {
            Some(Contender {
                class,
                is_response: Some(is_response),
            })
        };
        assert_eq!(shares.choose(&both, ns(0)), of(0, true), "4 before 2");
        let own = [request(1), response(1), response(2)];
        assert_eq!(shares.choose(&own, ns(0)), of(1, false), "2 before 1");
        assert_eq!(shares.choose(&own[1..], ns(0)), of(1, true), "in order");
        start(&mut shares, 1, 160, 0);
        assert_eq!(shares.choose(&own, ns(1)), of(2, true), "assured first");
        start(&mut shares, 2, 80, 1);
        assert_eq!(shares.choose(&own, ns(2)), of(1, false), "by priority");
    }

    #[test]
    fn ceilings_by_hand() {
        // Parts of 10 ns: what started at 5 ns is forgotten at 160 ns, what at 25 ns at 180 ns.
        let mut shares = with_ceiling(Monitor::Sliding);
        start(&mut shares, 0, 300, 5);
        assert_eq!(shares.held_until(0), Instant::ZERO);
        start(&mut shares, 0, 20, 25);
        assert_eq!(shares.held_until(0), ns(160));
        assert_eq!(chosen(&shares, &[0], 159), None);
        assert_eq!(chosen(&shares, &[0], 160), Some(0));
        // 320 B at once fill the bucket of 50 %; 80 B more are 40 ns of it too many.
        let mut shares = with_ceiling(Monitor::TokenBucket);
        start(&mut shares, 0, 320, 0);
        assert_eq!(shares.held_until(0), Instant::ZERO, "exactly the bucket");
        start(&mut shares, 0, 80, 0);
        assert_eq!(shares.held_until(0), ns(40));
        assert_eq!(chosen(&shares, &[0], 39), None);
        assert_eq!(chosen(&shares, &[0], 40), Some(0));
    }
}
