//! What is counted, per thread; merged at the end, so that the number of threads does not show.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

/// Buckets per power of two: relative width 1/64, relative error of a bucket's middle 0.8 %.
const SUB_BITS: u32 = 6;
/// A time series has at most this many bins; then neighbours are merged.
const MOST_BINS: usize = 4_096;

/// Steady-state measurement: packets created in `[from, to)` count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct MeasureWindow {
    /// Start, inclusive.
    pub from: Instant,
    /// End, exclusive.
    pub to: Instant,
}

impl MeasureWindow {
    /// Without a window everything counts.
    pub const ALWAYS: Self = Self {
        from: Instant::ZERO,
        to: Instant::NEVER,
    };

    /// Whether it contains `at`.
    #[inline]
    #[must_use]
    pub fn contains(&self, at: Instant) -> bool {
        (self.from..self.to).contains(&at)
    }
}

/// Log-linear histogram of latencies in picoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a bucket index is below 64 * 59"
    )]
    const fn bucket(ps: u64) -> usize {
        let wide = ps | (1 << SUB_BITS);
        let exponent = 63 - wide.leading_zeros() - SUB_BITS;
        (((exponent as u64) << SUB_BITS) + (ps >> exponent)) as usize
    }

    /// Counts one value.
    #[inline]
    pub fn add(&mut self, ps: u64) {
        let bucket = Self::bucket(ps);
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        } else {
            self.counts.resize(bucket + 64, 0);
            self.counts[bucket] += 1;
        }
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
    }

    /// Non-empty buckets in ascending order: low (inclusive) and high (exclusive) edge, ps, and
    /// count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let filled = self
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        filled.map(|(bucket, count)| (Self::edge(bucket), Self::edge(bucket + 1), *count))
    }

    const fn edge(bucket: usize) -> u64 {
        let bucket = bucket as u64;
        if bucket < 2 << SUB_BITS {
            return bucket;
        }
        let exponent = (bucket >> SUB_BITS) - 1;
        (bucket - (exponent << SUB_BITS)) << exponent
    }

    /// The value below which a share `quantile` of the values lies, ps, interpolated within its
    /// bucket; `None` if empty.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a quantile is an estimate within its bucket"
    )]
    pub fn quantile(&self, quantile: f64) -> Option<u64> {
        let total: u64 = self.counts.iter().sum();
        let rank = quantile * total as f64;
        let mut below = 0_u64;
        let mut last = None;
        for (low, high, count) in self.buckets() {
            let reached = (below + count) as f64;
            if reached >= rank {
                let inside = ((rank - below as f64) / count as f64).clamp(0.0, 1.0);
                return Some(low + (inside * (high - low) as f64) as u64);
            }
            below += count;
            last = Some(high);
        }
        last
    }
}

/// Packets of one job.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct JobStats {
    /// Packets that left a NIC (all, measured or not).
    pub packets_injected: u64,
    /// Bytes that left a NIC (all).
    pub bytes_injected: u64,
    /// Bytes delivered (all).
    pub bytes_delivered: u64,
    /// Packets delivered (all).
    pub packets_delivered: u64,
    /// Measured: packets delivered; the fields below speak of these.
    pub packets: u64,
    /// Sum of latencies from creation to delivery, ps. Sums of spans have 128 bits: 2^64 ps are
    /// 20 million packets of 1 s.
    pub latency_sum: u128,
    /// Largest latency, ps.
    pub latency_max: u64,
    /// All latencies.
    pub latency: Histogram,
    /// Measured: packets injected.
    pub packets_measured: u64,
    /// Sum of their waits from creation to injection, ps.
    pub queueing_sum: u128,
    /// Sum of routers traversed.
    pub hops: u64,
    /// Packets on non-minimal paths.
    pub nonminimal: u64,
    /// Bytes delivered in the measured window.
    pub window_bytes_delivered: u64,
    /// Responses that left a NIC (all).
    pub responses_injected: u64,
    /// Responses that came back (all).
    pub responses_delivered: u64,
    /// Measured: from the creation of a request to the delivery of its response.
    pub round_trips: Histogram,
    /// Their sum, ps.
    pub round_trip_sum: u128,
    /// Their number.
    pub round_trip_count: u64,
}

impl JobStats {
    /// Adds the packets of another job or thread.
    pub fn merge(&mut self, other: &Self) {
        self.packets_injected += other.packets_injected;
        self.bytes_injected += other.bytes_injected;
        self.bytes_delivered += other.bytes_delivered;
        self.packets_delivered += other.packets_delivered;
        self.packets += other.packets;
        self.latency_sum += other.latency_sum;
        self.latency_max = self.latency_max.max(other.latency_max);
        self.latency.merge(&other.latency);
        self.packets_measured += other.packets_measured;
        self.queueing_sum += other.queueing_sum;
        self.hops += other.hops;
        self.nonminimal += other.nonminimal;
        self.window_bytes_delivered += other.window_bytes_delivered;
        self.responses_injected += other.responses_injected;
        self.responses_delivered += other.responses_delivered;
        self.round_trips.merge(&other.round_trips);
        self.round_trip_sum += other.round_trip_sum;
        self.round_trip_count += other.round_trip_count;
    }
}

/// One bin of the time series of one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Bin {
    /// Bytes that left NICs.
    pub bytes_injected: u64,
    /// Bytes delivered.
    pub bytes_delivered: u64,
    /// Packets delivered.
    pub packets_delivered: u64,
    /// Sum of their latencies, ps.
    pub latency_sum: u128,
    /// Delivered packets on non-minimal paths.
    pub nonminimal: u64,
    /// Estimates of a learning routing that were corrected.
    pub lessons: u64,
    /// Sum of how far off they were, ns.
    pub lesson_error_ns: u64,
}

impl Bin {
    const fn add(&mut self, other: &Self) {
        self.bytes_injected += other.bytes_injected;
        self.bytes_delivered += other.bytes_delivered;
        self.packets_delivered += other.packets_delivered;
        self.latency_sum += other.latency_sum;
        self.nonminimal += other.nonminimal;
        self.lessons += other.lessons;
        self.lesson_error_ns += other.lesson_error_ns;
    }
}

/// What is counted in a bin of a [`Series`].
pub trait Counted: Clone + Copy + Default {
    /// Adds what was counted elsewhere.
    fn add(&mut self, other: &Self);
}

impl Counted for Bin {
    fn add(&mut self, other: &Self) {
        Self::add(self, other);
    }
}

/// Time series of all jobs (or of other things that are numbered), in bins that double when they
/// become more than `MOST`.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Series<B = Bin, const MOST: usize = MOST_BINS> {
    bin_ps: u64,
    jobs: usize,
    bins: Vec<B>,
    /// Bin used last: first and end instant, index.
    #[borsh(skip)]
    recent: (u64, u64, usize),
}

impl<B: Counted, const MOST: usize> Series<B, MOST> {
    pub(crate) fn new(bin_ps: u64, jobs: usize) -> Self {
        Self {
            bin_ps: bin_ps.max(1),
            jobs: jobs.max(1),
            bins: Vec::new(),
            recent: (0, 0, 0),
        }
    }

    /// Bin of `job` at `ps`.
    #[inline(always)]
    pub(crate) fn at(&mut self, at: Instant, job: usize) -> &mut B {
        let ps = at.ps();
        if !(self.recent.0..self.recent.1).contains(&ps) {
            self.find(ps);
        }
        &mut self.bins[self.recent.2 + job]
    }

    /// Hands the parts of `[since, until)` to the bins of `job` they lie in.
    #[inline]
    pub(crate) fn spread(
        &mut self,
        since: Instant,
        until: Instant,
        job: usize,
        add: impl Fn(&mut B, Span),
    ) {
        // The last bin first: bins that double do so before anything is added.
        if until > since {
            self.at(Instant::from_ps(until.ps() - 1), job);
        }
        let mut from = since;
        while from < until {
            self.at(from, job);
            let to = until.min(Instant::from_ps(self.recent.1));
            add(self.at(from, job), to.saturating_since(from));
            from = to;
        }
    }

    #[cold]
    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "bounded by MOST")]
    fn find(&mut self, ps: u64) {
        while ps / self.bin_ps >= MOST as u64 {
            self.halve();
        }
        let bin = (ps / self.bin_ps) as usize;
        let needed = (bin + 1) * self.jobs;
        if self.bins.len() < needed {
            self.bins.resize(needed, B::default());
        }
        let first = bin as u64 * self.bin_ps;
        self.recent = (first, first + self.bin_ps, bin * self.jobs);
    }

    pub(crate) fn halve(&mut self) {
        let bins = self.bins.len() / self.jobs;
        for bin in 0..bins {
            for job in 0..self.jobs {
                let from = self.bins[bin * self.jobs + job];
                let into = &mut self.bins[bin / 2 * self.jobs + job];
                if bin % 2 == 0 {
                    *into = from;
                } else {
                    into.add(&from);
                }
            }
        }
        self.bins.truncate(bins.div_ceil(2) * self.jobs);
        self.bin_ps *= 2;
        self.recent = (1, 0, 0);
    }

    fn merge(&mut self, mut other: Self) {
        while self.bin_ps < other.bin_ps {
            self.halve();
        }
        while other.bin_ps < self.bin_ps {
            other.halve();
        }
        if self.bins.len() < other.bins.len() {
            self.bins.resize(other.bins.len(), B::default());
        }
        for (mine, theirs) in self.bins.iter_mut().zip(&other.bins) {
            mine.add(theirs);
        }
    }

    /// Width of a bin.
    #[must_use]
    pub const fn bin(&self) -> Span {
        Span::from_ps(self.bin_ps)
    }

    /// Bins in time order; each holds one entry per job.
    pub fn bins(&self) -> impl Iterator<Item = &[B]> {
        self.bins.chunks(self.jobs)
    }
}

/// Statistics of one thread, or of all after merging.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Stats {
    /// Per job.
    pub jobs: Vec<JobStats>,
    /// Over time.
    pub series: Series,
    /// Router traversals of delivered packets.
    pub packet_hops: u64,
}

impl Stats {
    pub(crate) fn new(jobs: usize, bin: Span) -> Self {
        Self {
            jobs: vec![JobStats::default(); jobs],
            series: Series::new(bin.ps(), jobs),
            packet_hops: 0,
        }
    }

    /// Adds those of another thread.
    pub(crate) fn merge(&mut self, other: Self) {
        for (mine, theirs) in self.jobs.iter_mut().zip(&other.jobs) {
            mine.merge(theirs);
        }
        self.series.merge(other.series);
        self.packet_hops += other.packet_hops;
    }

    /// Packets and responses that were injected and not delivered.
    #[must_use]
    pub fn packets_in_flight(&self) -> u64 {
        let of_job = |job: &JobStats| {
            let requests = job.packets_injected - job.packets_delivered;
            requests + job.responses_injected - job.responses_delivered
        };
        self.jobs.iter().map(of_job).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Bin, Histogram, Series};
    use odonata_units::Instant;

    #[test]
    fn buckets_contain_their_values_within_two_percent() {
        for ps in (0..300).chain((8..63).flat_map(|e| [(1 << e) - 1, 1 << e, (1 << e) + 7])) {
            let mut histogram = Histogram::default();
            histogram.add(ps);
            let (low, high, count) = histogram.buckets().next().unwrap();
            assert_eq!(count, 1);
            assert!(low <= ps && ps < high, "{ps} in [{low}, {high})");
            assert!((high - low) * 64 <= low.max(64), "{ps} in [{low}, {high})");
        }
    }

    #[test]
    fn quantiles_of_a_uniform_ramp() {
        let mut histogram = Histogram::default();
        (1..=10_000).for_each(|ns| histogram.add(ns * 1_000));
        for (share, expected) in [(0.5, 5_000_000_u64), (0.95, 9_500_000), (0.99, 9_900_000)] {
            let found = histogram.quantile(share).unwrap();
            assert!(
                found.abs_diff(expected) * 100 < expected,
                "{share}: {found}"
            );
        }
    }

    #[test]
    fn series_double_without_losing_bytes() {
        let mut coarse = Series::<Bin>::new(10, 2);
        for step in 0..100_000_u64 {
            coarse
                .at(Instant::from_ps(step * 7), (step % 2) as usize)
                .bytes_injected += 1;
        }
        let total: u64 = coarse.bins().flatten().map(|bin| bin.bytes_injected).sum();
        assert_eq!(total, 100_000);
        assert_eq!(coarse.bin().ps(), 10 << 5);
        let mut fine = Series::<Bin>::new(10, 2);
        fine.at(Instant::from_ps(5), 0).bytes_injected += 3;
        fine.merge(coarse);
        let total: u64 = fine.bins().flatten().map(|bin| bin.bytes_injected).sum();
        assert_eq!(total, 100_003);
    }
}
