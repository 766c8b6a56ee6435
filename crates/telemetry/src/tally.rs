//! Sums of one job over one bin of the time series, which are booked when another bin begins.
//!
//! What a packet adds is added once, and lies in a few cache lines for each job; the series, the
//! totals and what counts in the measured window are all made of it. Nothing is lost or counted
//! twice: sums are taken when they are booked.

use odonata_units::{Instant, Span};

use crate::stats::{Histogram, Series, Stats};

/// The bin that sums are of: an instant is in it if it is less than `width` behind `start`.
#[derive(Clone, Copy, Debug, Default)]
struct OpenBin {
    start: u64,
    /// ps; nothing is in a bin of no width.
    width: u64,
}

impl OpenBin {
    fn of(series: &Series, at: Instant) -> Self {
        let width = series.bin().ps();
        let start = at.ps() - at.ps() % width;
        Self { start, width }
    }

    #[inline(always)]
    const fn contains(self, at: Instant) -> bool {
        at.ps().wrapping_sub(self.start) < self.width
    }
}

/// Packets that left a NIC.
#[derive(Clone, Copy, Debug, Default)]
struct Injected {
    packets: u64,
    bytes: u64,
    queueing_sum: u128,
}

/// Packets delivered.
#[derive(Clone, Copy, Debug, Default)]
struct Delivered {
    packets: u64,
    bytes: u64,
    latency_sum: u128,
    hops: u64,
    nonminimal: u64,
}

/// A packet that is delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery {
    pub(crate) bytes: u64,
    pub(crate) latency: Span,
    pub(crate) hops: u64,
    pub(crate) is_nonminimal: bool,
    /// It was created in the measured window.
    pub(crate) is_measured: bool,
    /// Those of its bytes that are delivered in it: all or none.
    pub(crate) window_bytes: u64,
}

/// Sums of one job.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Tally {
    delivered_in: OpenBin,
    /// `[is measured]`.
    delivered: [Delivered; 2],
    window_bytes: u64,
    latency_max: u64,
    latency: Histogram,
    injected_in: OpenBin,
    /// `[is measured]`.
    injected: [Injected; 2],
}

impl Tally {
    /// A packet leaves its NIC at `at`, having waited there for `queueing`.
    #[inline(always)]
    pub(crate) fn inject(
        &mut self,
        (job, books): (usize, &mut Stats),
        at: Instant,
        (bytes, queueing, is_measured): (u64, Span, bool),
    ) {
        if !self.injected_in.contains(at) {
            self.turn_injected(job, books, at);
        }
        let sums = &mut self.injected[usize::from(is_measured)];
        sums.packets += 1;
        sums.bytes += bytes;
        sums.queueing_sum += u128::from(queueing.ps());
    }

    /// A packet arrives at its NIC at `at`.
    #[inline(always)]
    pub(crate) fn deliver(
        &mut self,
        (job, books): (usize, &mut Stats),
        at: Instant,
        delivery: Delivery,
    ) {
        if !self.delivered_in.contains(at) {
            self.turn_delivered(job, books, at);
        }
        let latency = delivery.latency.ps();
        let sums = &mut self.delivered[usize::from(delivery.is_measured)];
        sums.packets += 1;
        sums.bytes += delivery.bytes;
        sums.latency_sum += u128::from(latency);
        sums.hops += delivery.hops;
        sums.nonminimal += u64::from(delivery.is_nonminimal);
        self.window_bytes += delivery.window_bytes;
        if delivery.is_measured {
            self.latency_max = self.latency_max.max(latency);
            self.latency.add(latency);
        }
    }

    #[cold]
    #[inline(never)]
    fn turn_injected(&mut self, job: usize, books: &mut Stats, at: Instant) {
        self.book_injected(job, books);
        self.injected_in = OpenBin::of(&books.series, at);
    }

    #[cold]
    #[inline(never)]
    fn turn_delivered(&mut self, job: usize, books: &mut Stats, at: Instant) {
        self.book_delivered(job, books);
        self.delivered_in = OpenBin::of(&books.series, at);
    }

    fn book_injected(&mut self, job: usize, books: &mut Stats) {
        let [others, measured] = std::mem::take(&mut self.injected);
        let (packets, bytes) = (
            others.packets + measured.packets,
            others.bytes + measured.bytes,
        );
        if packets == 0 {
            return;
        }
        let start = Instant::from_ps(self.injected_in.start);
        books.series.at(start, job).bytes_injected += bytes;
        let stats = &mut books.jobs[job];
        stats.packets_injected += packets;
        stats.bytes_injected += bytes;
        stats.packets_measured += measured.packets;
        stats.queueing_sum += measured.queueing_sum;
    }

    fn book_delivered(&mut self, job: usize, books: &mut Stats) {
        let [others, measured] = std::mem::take(&mut self.delivered);
        let (packets, bytes) = (
            others.packets + measured.packets,
            others.bytes + measured.bytes,
        );
        if packets == 0 {
            return;
        }
        let start = Instant::from_ps(self.delivered_in.start);
        let bin = books.series.at(start, job);
        bin.packets_delivered += packets;
        bin.bytes_delivered += bytes;
        bin.latency_sum += others.latency_sum + measured.latency_sum;
        bin.nonminimal += others.nonminimal + measured.nonminimal;
        books.packet_hops += others.hops + measured.hops;
        let stats = &mut books.jobs[job];
        stats.packets_delivered += packets;
        stats.bytes_delivered += bytes;
        stats.packets += measured.packets;
        stats.latency_sum += measured.latency_sum;
        stats.hops += measured.hops;
        stats.nonminimal += measured.nonminimal;
    }

    /// Books all that is not booked yet.
    pub(crate) fn close(mut self, job: usize, books: &mut Stats) {
        self.book_injected(job, books);
        self.book_delivered(job, books);
        let stats = &mut books.jobs[job];
        stats.window_bytes_delivered += self.window_bytes;
        stats.latency_max = stats.latency_max.max(self.latency_max);
        stats.latency.merge(&self.latency);
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::{Instant, Span};

    use super::{Delivery, Tally};
    use crate::stats::{JobStats, Stats};

    /// What every packet adds at once, by the definitions of the fields.
    fn add(stats: &mut Stats, at: Instant, one: Delivery) {
        let latency = u128::from(one.latency.ps());
        let bin = stats.series.at(at, 0);
        bin.packets_delivered += 1;
        bin.bytes_delivered += one.bytes;
        bin.latency_sum += latency;
        bin.nonminimal += u64::from(one.is_nonminimal);
        stats.packet_hops += one.hops;
        let job: &mut JobStats = &mut stats.jobs[0];
        job.packets_delivered += 1;
        job.bytes_delivered += one.bytes;
        job.window_bytes_delivered += one.window_bytes;
        if one.is_measured {
            job.packets += 1;
            job.latency_sum += latency;
            job.latency_max = job.latency_max.max(one.latency.ps());
            job.latency.add(one.latency.ps());
            job.hops += one.hops;
            job.nonminimal += u64::from(one.is_nonminimal);
        }
    }

    #[test]
    fn sums_are_booked_as_if_each_packet_were() {
        // Instants go back and forth between bins, and far enough that bins double.
        let mut stream = odonata_units::Stream::new(1, odonata_units::Purpose::Routing, 7);
        let (mut booked, mut expected) = (Stats::new(1, bin()), Stats::new(1, bin()));
        let mut tally = Tally::default();
        for number in 0..50_000_u64 {
            let at = Instant::from_ps(number * 3 + stream.next_u64() % 40);
            let draw = stream.next_u64();
            let one = Delivery {
                bytes: 1 + draw % 600,
                latency: Span::from_ps(draw % 9_000_000),
                hops: draw % 7,
                is_nonminimal: draw & 1 << 40 > 0,
                is_measured: draw & 1 << 41 > 0,
                window_bytes: draw % 11,
            };
            tally.deliver((0, &mut booked), at, one);
            add(&mut expected, at, one);
            let sent = (one.bytes, one.latency, one.is_measured);
            tally.inject((0, &mut booked), at, sent);
            expected.series.at(at, 0).bytes_injected += one.bytes;
            let job = &mut expected.jobs[0];
            job.packets_injected += 1;
            job.bytes_injected += one.bytes;
            if one.is_measured {
                job.packets_measured += 1;
                job.queueing_sum += u128::from(one.latency.ps());
            }
        }
        tally.close(0, &mut booked);
        assert!(expected.series.bin() > bin(), "bins have doubled");
        assert_eq!(booked.jobs, expected.jobs);
        assert_eq!(booked.packet_hops, expected.packet_hops);
        assert!(booked.series.bins().eq(expected.series.bins()));
    }

    fn bin() -> Span {
        Span::from_ps(10)
    }
}
