//! Sums of one job over one bin of the time series, which are booked when another bin begins.
//!
//! What a packet adds is added once, and lies in a few cache lines for each job; the series, the
//! totals and what counts in the measured window are all made of it. Nothing is lost or counted
//! twice: sums are taken when they are booked.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

use crate::stats::{Histogram, MeasureWindow, Series, Stats};

/// The bin that sums are of: an instant is in it if it is less than `width` behind `start`. It
/// ends where the measured window begins or ends, so that it is in it or out of it as a whole.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
struct OpenBin {
    start: u64,
    /// ps; nothing is in a bin of no width.
    width: u64,
    is_in_window: bool,
}

impl OpenBin {
    fn of(series: &Series, window: MeasureWindow, at: Instant) -> Self {
        let width = series.bin().ps();
        let first = at.ps() - at.ps() % width;
        let (mut start, mut end) = (first, first.saturating_add(width));
        for edge in [window.from.ps(), window.to.ps()] {
            if edge <= at.ps() {
                start = start.max(edge);
            } else {
                end = end.min(edge);
            }
        }
        Self {
            start,
            width: end - start,
            is_in_window: window.contains(at),
        }
    }

    #[inline(always)]
    const fn contains(self, at: Instant) -> bool {
        at.ps().wrapping_sub(self.start) < self.width
    }
}

/// Packets that left a NIC.
///
/// What is added to at once does not lie side by side: the compiler would add it in one wide
/// register, and put it together there first. The same below.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
#[repr(C)]
struct Injected {
    packets: u64,
    queueing_sum: u128,
    bytes: u64,
}

/// Packets delivered.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
#[repr(C)]
struct DeliveredSums {
    packets: u64,
    latency_sum: u128,
    bytes: u64,
    latency_max: u64,
    hops: u64,
}

/// A packet that leaves its NIC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobInjection {
    pub(crate) bytes: u64,
    /// Its wait in the NIC.
    pub(crate) queueing: Span,
    /// It was created in the measured window.
    pub(crate) is_measured: bool,
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
}

/// Sums of one job.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
#[repr(align(64))]
pub(crate) struct JobSums {
    /// `[is measured][is non-minimal]`.
    delivered: [[DeliveredSums; 2]; 2],
    delivered_in: OpenBin,
    latency: Histogram,
    injected_in: OpenBin,
    /// `[is measured]`.
    injected: [Injected; 2],
    window: MeasureWindow,
}

impl JobSums {
    /// Nothing yet, of a run that measures in `window`; in all of it if there is none.
    pub(crate) fn new(window: Option<MeasureWindow>) -> Self {
        Self {
            delivered: [[DeliveredSums::default(); 2]; 2],
            delivered_in: OpenBin::default(),
            latency: Histogram::default(),
            injected_in: OpenBin::default(),
            injected: [Injected::default(); 2],
            window: window.unwrap_or(MeasureWindow::ALWAYS),
        }
    }

    /// A packet leaves its NIC at `at`.
    #[inline(always)]
    pub(crate) fn inject(
        &mut self,
        job: usize,
        books: &mut Stats,
        at: Instant,
        injected: JobInjection,
    ) {
        if !self.injected_in.contains(at) {
            self.turn_injected(job, books, at);
        }
        let sums = &mut self.injected[usize::from(injected.is_measured)];
        sums.packets += 1;
        sums.bytes += injected.bytes;
        sums.queueing_sum += u128::from(injected.queueing.ps());
    }

    /// A packet arrives at its NIC at `at`.
    #[inline(always)]
    pub(crate) fn deliver(
        &mut self,
        job: usize,
        books: &mut Stats,
        at: Instant,
        delivery: Delivery,
    ) {
        if !self.delivered_in.contains(at) {
            self.turn_delivered(job, books, at);
        }
        let latency = delivery.latency.ps();
        let sums = &mut self.delivered[usize::from(delivery.is_measured)];
        let sums = &mut sums[usize::from(delivery.is_nonminimal)];
        sums.packets += 1;
        sums.bytes += delivery.bytes;
        sums.latency_sum += u128::from(latency);
        sums.latency_max = sums.latency_max.max(latency);
        sums.hops += delivery.hops;
        if delivery.is_measured {
            self.latency.add(latency);
        }
    }

    #[cold]
    #[inline(never)]
    fn turn_injected(&mut self, job: usize, books: &mut Stats, at: Instant) {
        self.book_injected(job, books);
        self.injected_in = OpenBin::of(&books.series, self.window, at);
    }

    #[cold]
    #[inline(never)]
    fn turn_delivered(&mut self, job: usize, books: &mut Stats, at: Instant) {
        self.book_delivered(job, books);
        self.delivered_in = OpenBin::of(&books.series, self.window, at);
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
        let sums = std::mem::take(&mut self.delivered);
        let [others, measured] = sums.map(|[minimal, detours]| minimal.with(&detours));
        let all = others.with(&measured);
        if all.packets == 0 {
            return;
        }
        let start = Instant::from_ps(self.delivered_in.start);
        let bin = books.series.at(start, job);
        bin.packets_delivered += all.packets;
        bin.bytes_delivered += all.bytes;
        bin.latency_sum += all.latency_sum;
        bin.nonminimal += sums[0][1].packets + sums[1][1].packets;
        books.packet_hops += all.hops;
        let stats = &mut books.jobs[job];
        stats.packets_delivered += all.packets;
        stats.bytes_delivered += all.bytes;
        if self.delivered_in.is_in_window {
            stats.window_bytes_delivered += all.bytes;
        }
        stats.packets += measured.packets;
        stats.latency_sum += measured.latency_sum;
        stats.latency_max = stats.latency_max.max(measured.latency_max);
        stats.hops += measured.hops;
        stats.nonminimal += sums[1][1].packets;
    }

    /// Books all that is not booked yet.
    pub(crate) fn close(mut self, job: usize, books: &mut Stats) {
        self.book_injected(job, books);
        self.book_delivered(job, books);
        books.jobs[job].latency.merge(&self.latency);
    }
}

impl DeliveredSums {
    fn with(&self, other: &Self) -> Self {
        Self {
            packets: self.packets + other.packets,
            latency_sum: self.latency_sum + other.latency_sum,
            bytes: self.bytes + other.bytes,
            latency_max: self.latency_max.max(other.latency_max),
            hops: self.hops + other.hops,
        }
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::{Instant, Span};

    use super::{Delivery, JobInjection, JobSums};
    use crate::stats::{JobStats, MeasureWindow, Stats};

    /// Begins and ends inside a bin.
    const WINDOW: MeasureWindow = MeasureWindow {
        from: Instant::from_ps(1_003),
        to: Instant::from_ps(90_017),
    };

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
        job.window_bytes_delivered += u64::from(WINDOW.contains(at)) * one.bytes;
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
        let mut sums = JobSums::new(Some(WINDOW));
        for number in 0..50_000_u64 {
            let at = Instant::from_ps(number * 3 + stream.next_u64() % 40);
            let draw = stream.next_u64();
            let one = Delivery {
                bytes: 1 + draw % 600,
                latency: Span::from_ps(draw % 9_000_000),
                hops: draw % 7,
                is_nonminimal: draw & 1 << 40 > 0,
                is_measured: draw & 1 << 41 > 0,
            };
            sums.deliver(0, &mut booked, at, one);
            add(&mut expected, at, one);
            let injected = JobInjection {
                bytes: one.bytes,
                queueing: one.latency,
                is_measured: one.is_measured,
            };
            sums.inject(0, &mut booked, at, injected);
            expected.series.at(at, 0).bytes_injected += one.bytes;
            let job = &mut expected.jobs[0];
            job.packets_injected += 1;
            job.bytes_injected += one.bytes;
            if one.is_measured {
                job.packets_measured += 1;
                job.queueing_sum += u128::from(one.latency.ps());
            }
        }
        sums.close(0, &mut booked);
        assert!(expected.series.bin() > bin(), "bins have doubled");
        assert_eq!(booked.jobs, expected.jobs);
        assert_eq!(booked.packet_hops, expected.packet_hops);
        assert!(booked.series.bins().eq(expected.series.bins()));
    }

    fn bin() -> Span {
        Span::from_ps(10)
    }
}
