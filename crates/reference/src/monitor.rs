//! Shares of traffic classes on one channel: page "Classes and virtual networks".

use odonata_network::{Monitor, Qos};
use odonata_units::{Bandwidth, Instant, Span};

/// Parts of a window that slides.
const PARTS: u64 = 16;

/// What one class has started on a channel.
#[derive(Clone, Debug, Default)]
struct History {
    /// Every packet: start and bytes.
    starts: Vec<(Instant, u32)>,
    /// `T` of the token bucket, ps.
    bucket: u64,
}

impl History {
    /// Bytes started in `[from, now)`.
    fn bytes(&self, from: Instant, now: Instant) -> u128 {
        let recent = self.starts.iter().rev().take_while(|(at, _)| *at >= from);
        let before = recent.filter(|(at, _)| *at < now);
        before.map(|&(_, bytes)| u128::from(bytes)).sum()
    }
}

/// The classes of one channel: what they took of it, and whose turn it was last.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    qos: Qos,
    bandwidth: Bandwidth,
    histories: Vec<History>,
    /// Class served last while it was over its cap.
    turn: Option<usize>,
}

impl Shares {
    pub(crate) fn new(qos: Qos, bandwidth: Bandwidth) -> Self {
        Self {
            qos,
            bandwidth,
            histories: vec![History::default(); usize::from(qos.classes)],
            turn: None,
        }
    }

    /// `Q`: bytes in a window at which `class` is over, rounded down once.
    fn quota(&self, class: usize) -> u128 {
        let cap = u128::from(self.qos.caps_ppm[class]);
        let rate = u128::from(self.bandwidth.bytes_per_second());
        let window = u128::from(self.qos.window.ps());
        cap * rate * window / (1_000_000 * 1_000_000_000_000)
    }

    /// Whether `class` is over its cap at `now`.
    fn is_over(&self, class: usize, now: Instant) -> bool {
        let history = &self.histories[class];
        let window = self.qos.window.ps();
        match self.qos.monitor {
            Monitor::Static => {
                let from = Instant::from_ps(now.ps() / window * window);
                history.bytes(from, now) >= self.quota(class)
            }
            Monitor::Sliding => {
                let part = window.div_ceil(PARTS);
                let first = (now.ps() / part).saturating_sub(PARTS - 1);
                history.bytes(Instant::from_ps(first * part), now) >= self.quota(class)
            }
            Monitor::TokenBucket => history.bucket > now.ps() + window,
        }
    }

    /// The class that goes at `now`, of `candidates` (ascending).
    pub(crate) fn choose(&self, candidates: &[usize], now: Instant) -> Option<usize> {
        let inside = candidates.iter().find(|&&class| !self.is_over(class, now));
        let classes = self.histories.len();
        let first = self.turn.map_or(0, |turn| (turn + 1) % classes);
        let turn = |class: &&usize| (**class + classes - first) % classes;
        inside
            .or_else(|| candidates.iter().min_by_key(turn))
            .copied()
    }

    /// A packet of `class` with `bytes`, which take `wire`, starts at `now`.
    pub(crate) fn count(&mut self, class: usize, bytes: u32, wire: Span, now: Instant) {
        if self.histories.len() == 1 {
            // Nobody asks, and long runs start millions.
            return;
        }
        let was_over = self.is_over(class, now);
        if was_over {
            self.turn = Some(class);
        }
        let history = &mut self.histories[class];
        history.starts.push((now, bytes));
        if self.qos.monitor == Monitor::TokenBucket && !was_over {
            let share = u64::from(self.qos.caps_ppm[class]);
            history.bucket = history.bucket.max(now.ps()) + wire.ps() * 1_000_000 / share;
        }
    }
}

#[cfg(test)]
mod tests {
    use odonata_network::{MOST_CLASSES, Monitor, Qos};
    use odonata_units::{Instant, Span};

    use super::Shares;
    use crate::testing::gigabytes;

    /// Two classes of 25 % and 50 % of 4 B/ns, windows of 160 ns: 160 B and 320 B.
    fn shares(monitor: Monitor) -> Shares {
        let mut caps_ppm = [0; MOST_CLASSES];
        caps_ppm[..2].copy_from_slice(&[250_000, 500_000]);
        let qos = Qos {
            classes: 2,
            window: Span::from_ns(160),
            monitor,
            caps_ppm,
        };
        Shares::new(qos, gigabytes(4))
    }

    fn ns(ns: u64) -> Instant {
        Instant::ZERO + Span::from_ns(ns)
    }

    fn start(shares: &mut Shares, class: usize, bytes: u32, at: u64) {
        let wire = gigabytes(4).serialization(bytes.into());
        shares.count(class, bytes, wire, ns(at));
    }

    #[test]
    fn static_windows_forget_at_once() {
        let mut shares = shares(Monitor::Static);
        assert_eq!((shares.quota(0), shares.quota(1)), (160, 320));
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
        assert_eq!(shares.choose(&[], ns(0)), None);
        assert_eq!(shares.choose(&[0, 1], ns(0)), Some(0));
        start(&mut shares, 0, 160, 0);
        assert_eq!(shares.choose(&[0, 1], ns(1)), Some(1));
        assert_eq!(shares.choose(&[0], ns(1)), Some(0), "nobody else wants it");
        start(&mut shares, 1, 320, 1);
        assert_eq!(shares.choose(&[0, 1], ns(2)), Some(0), "nobody had a turn");
        start(&mut shares, 0, 1, 2);
        assert_eq!(shares.choose(&[0, 1], ns(3)), Some(1), "after class 0");
        assert_eq!(shares.choose(&[0, 1], ns(160)), Some(0));
    }
}
