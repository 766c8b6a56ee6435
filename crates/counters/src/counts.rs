//! Counts before they have names: plain sums.

/// Virtual channels that a tile tells apart: four for requests, four for responses.
pub const TILE_VCS: usize = 8;
/// Requests and responses.
pub const HALVES: usize = 2;
/// Traffic classes that a NIC tells apart.
pub const CLASSES: usize = 8;
/// Bins of latencies of a Cassini NIC.
pub const LATENCY_BINS: usize = 32;

/// Upper edges of the bins of round trips of an Aries NIC, us; the last bin has none.
///
/// Source: the edges that LDMS programs (`aries_lbw`).
pub const ROUND_TRIP_EDGES_US: [u64; 7] = [1, 5, 10, 50, 100, 500, 1_000];

/// Names of the bins of packet sizes of a Cassini NIC, and the largest packet of each, bytes.
pub const SIZES: [(&str, u32); 12] = [
    ("27", 27),
    ("35", 35),
    ("36_to_63", 63),
    ("64", 64),
    ("65_to_127", 127),
    ("128_to_255", 255),
    ("256_to_511", 511),
    ("512_to_1023", 1_023),
    ("1024_to_2047", 2_047),
    ("2048_to_4095", 4_095),
    ("4096_to_8191", 8_191),
    ("8192_to_max", u32::MAX),
];

/// Requests (and one-way packets) or responses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Virtual channels 0 to 3.
    Requests = 0,
    /// Virtual channels 4 to 7.
    Responses = 1,
}

/// Counts of one tile: at its input queue, and at its column buffers, which feed the
/// channel that leaves by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileCounts {
    /// `[vc]`: flits that came into the input queue.
    pub flits: [u64; TILE_VCS],
    /// `[vc]`: time that packets waited in the input queue, summed over packets, ps.
    pub waiting_ps: [u64; TILE_VCS],
    /// `[half]`: packets that came in.
    pub packets: [u64; HALVES],
    /// `[half]`: time for which packets of this input queue were held up on the row bus, ps.
    pub row_stall_ps: [u64; HALVES],
    /// `[half]`: time for which something was to be sent on the free channel and credits lacked,
    /// ps.
    pub column_stall_ps: [u64; HALVES],
}

/// Packets in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Packets.
    pub packets: u64,
    /// Flits.
    pub flits: u64,
    /// Bytes, headers included.
    pub bytes: u64,
    /// Bytes without headers.
    pub payload: u64,
}

/// Counts of one NIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NicCounts {
    /// `[half]`: what it started.
    pub sent: [Traffic; HALVES],
    /// `[half]`: what arrived.
    pub received: [Traffic; HALVES],
    /// `[half]`: time for which a packet could have started but for credits, ps; counted when it
    /// starts.
    pub credit_stall_ps: [u64; HALVES],
    /// Packets that were held up by credits.
    pub credit_stalls: u64,
    /// Time for which a request could have started but for answers that lacked, ps.
    pub outstanding_stall_ps: u64,
    /// Time for which a packet existed and the channel was free, but its NIC paced itself, ps.
    pub pacing_stall_ps: u64,
    /// Requests answered.
    pub round_trips: u64,
    /// From the creation of these to the delivery of their answers, summed, ps.
    pub round_trip_ps: u64,
    /// Number of round trips by [`ROUND_TRIP_EDGES_US`].
    pub round_trip_bins: [u64; ROUND_TRIP_EDGES_US.len() + 1],
    /// Round trips, or latencies where nothing is answered, by [`latency_bin`].
    pub latency_bins: [u64; LATENCY_BINS],
    /// `[class]`: packets sent.
    pub sent_by_class: [u64; CLASSES],
    /// `[half][class]`: packets that arrived.
    pub received_by_class: [[u64; CLASSES]; HALVES],
    /// `[class]`: the time of `credit_stall_ps`.
    pub credit_stall_by_class_ps: [u64; CLASSES],
    /// Packets sent, by [`size_bin`].
    pub sent_by_size: [u64; SIZES.len()],
    /// Packets that arrived, by [`size_bin`].
    pub received_by_size: [u64; SIZES.len()],
}

impl Default for NicCounts {
    fn default() -> Self {
        Self {
            sent: [Traffic::default(); HALVES],
            received: [Traffic::default(); HALVES],
            credit_stall_ps: [0; HALVES],
            credit_stalls: 0,
            outstanding_stall_ps: 0,
            pacing_stall_ps: 0,
            round_trips: 0,
            round_trip_ps: 0,
            round_trip_bins: [0; ROUND_TRIP_EDGES_US.len() + 1],
            latency_bins: [0; LATENCY_BINS],
            sent_by_class: [0; CLASSES],
            received_by_class: [[0; CLASSES]; HALVES],
            credit_stall_by_class_ps: [0; CLASSES],
            sent_by_size: [0; SIZES.len()],
            received_by_size: [0; SIZES.len()],
        }
    }
}

/// Bin of a latency: bin `k` holds `2^k` ns up to `2^(k+1)` ns, bin 0 all that is shorter, the last
/// one all that is longer.
#[must_use]
pub const fn latency_bin(ps: u64) -> usize {
    let ns = ps / 1_000;
    if ns == 0 {
        return 0;
    }
    let bin = ns.ilog2() as usize;
    if bin < LATENCY_BINS {
        bin
    } else {
        LATENCY_BINS - 1
    }
}

/// Bin of a packet of `bytes` in [`SIZES`].
#[must_use]
pub fn size_bin(bytes: u32) -> usize {
    SIZES.partition_point(|(_, largest)| *largest < bytes)
}

#[cfg(test)]
mod tests {
    use super::{LATENCY_BINS, SIZES, latency_bin, size_bin};

    #[test]
    fn bins_by_hand() {
        let bins = [0, 999, 1_999, 2_000, 3_999, 1 << 20, u64::MAX].map(latency_bin);
        assert_eq!(bins, [0, 0, 0, 1, 1, 10, LATENCY_BINS - 1]);
        let names = [1, 27, 28, 63, 64, 65, 80, 4_160, 9_000].map(|bytes| SIZES[size_bin(bytes)].0);
        let expected = [
            "27",
            "27",
            "35",
            "36_to_63",
            "64",
            "65_to_127",
            "65_to_127",
            "4096_to_8191",
            "8192_to_max",
        ];
        assert_eq!(names, expected);
    }
}
