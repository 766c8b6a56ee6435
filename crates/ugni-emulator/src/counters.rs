//! Counters of the process, by their names on Aries.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::traffic::Drawn;

/// Names, in the order of [`Counters::values`].
pub const NAMES: [&str; 4] = [
    "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS",
    "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED",
    "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK",
    "AR_NIC_ORB_PRF_NET_RSP_TRACK_2",
];

/// Counts that only grow, unless they are reset.
#[derive(Debug, Default)]
pub struct Counters {
    /// Flits, stalled cycles, packet pairs, microseconds of latency.
    pub(crate) shown: [AtomicU64; 4],
    /// Latency, in picoseconds.
    latency_ps: AtomicU64,
}

impl Counters {
    /// Counters that are all 0.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            shown: [const { AtomicU64::new(0) }; 4],
            latency_ps: AtomicU64::new(0),
        }
    }

    /// Counts what a message did.
    pub fn add(&self, drawn: &Drawn) {
        let [flits, stalled, packets, latency] = &self.shown;
        flits.fetch_add(drawn.flits, Ordering::Relaxed);
        stalled.fetch_add(drawn.stalled_cycles, Ordering::Relaxed);
        packets.fetch_add(drawn.packets, Ordering::Relaxed);
        let more = drawn.latency_ps;
        let sum = self
            .latency_ps
            .fetch_add(more, Ordering::Relaxed)
            .wrapping_add(more);
        latency.fetch_max(sum / 1_000_000, Ordering::Relaxed);
    }

    /// What is counted now, in the order of [`NAMES`].
    #[must_use]
    pub fn values(&self) -> [u64; 4] {
        [0, 1, 2, 3].map(|index: usize| self.shown[index].load(Ordering::Relaxed))
    }

    /// Sets all counters to 0, as a daemon of the machine may.
    pub fn reset(&self) {
        for counter in self.shown.iter().chain([&self.latency_ps]) {
            counter.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_is_shown_in_whole_microseconds_and_keeps_the_rest() {
        let counters = Counters::new();
        let drawn = Drawn {
            flits: 5,
            packets: 1,
            stalled_cycles: 2,
            latency_ps: 600_000,
            time_ns: 0,
        };
        for (latency, times) in [(0, 1), (1, 2), (1, 3), (2, 4), (3, 5)] {
            counters.add(&drawn);
            assert_eq!(counters.values(), [5 * times, 2 * times, times, latency]);
        }
        counters.reset();
        assert_eq!(counters.values(), [0; 4]);
    }
}
