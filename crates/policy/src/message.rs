//! Cost of a message in the network: packets, flits, and its time by Eq. 1 to 4.

use crate::counters::Observation;

/// Payload of a packet (De Sensi et al. 2019, section 2.1).
const PACKET_BYTES: u64 = 64;
/// A NIC waits for the responses of at most so many packets at once (section 2.4).
const OUTSTANDING_PACKETS: f64 = 1_024.0;
/// Request flits of a packet of a PUT: a header and four of payload (section 2.1).
const PUT_FLITS: u64 = 5;

/// Operation that a message asks the NIC for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// The payload travels in the requests.
    Put,
    /// The payload travels in the responses.
    Get,
}

/// A message that is about to be posted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Payload, in bytes.
    pub bytes: u64,
    /// Which way the payload goes.
    pub operation: Operation,
    /// Whether it belongs to an alltoall.
    pub alltoall: bool,
}

impl Message {
    /// `p`: packets; at least one.
    #[must_use]
    pub const fn packets(self) -> u64 {
        let packets = self.bytes.div_ceil(PACKET_BYTES);
        if packets == 0 { 1 } else { packets }
    }

    /// `f`: request flits.
    #[must_use]
    pub const fn flits(self) -> u64 {
        match self.operation {
            // At most 2^58 packets: the product fits.
            Operation::Put => self.packets() * PUT_FLITS,
            Operation::Get => self.packets(),
        }
    }
}

/// The formula for how often a message waits for the latency of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PTerm {
    /// `(p + 512) / 1024` (Eq. 2).
    #[default]
    Paper,
    /// `ceil((p - 1 + 512) / 1024)`, as in the authors' public library.
    Authors,
}

impl PTerm {
    /// Latencies that a message of so many packets waits for.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a share of 2^-53 does not matter here"
    )]
    pub fn latencies(self, packets: u64) -> f64 {
        match self {
            Self::Paper => (packets as f64 + OUTSTANDING_PACKETS / 2.0) / OUTSTANDING_PACKETS,
            Self::Authors => {
                let shifted = packets.saturating_sub(1).saturating_add(512);
                shifted.div_ceil(1_024) as f64
            }
        }
    }
}

/// Eq. 1: cycles of a message whose packets are all outstanding at once.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a share of 2^-53 does not matter here"
)]
pub fn single_burst_time(message: Message, seen: Observation) -> f64 {
    seen.latency() / 2.0 + message.flits() as f64 * (seen.stalls() + 1.0)
}

/// Eq. 2: cycles of a message.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a share of 2^-53 does not matter here"
)]
pub fn message_time(message: Message, seen: Observation, p_term: PTerm) -> f64 {
    let latencies = p_term.latencies(message.packets());
    latencies * seen.latency() + message.flits() as f64 * (seen.stalls() + 1.0)
}

/// The share of latency in [`message_time`]: 0 to 1.
#[must_use]
pub fn latency_share(message: Message, seen: Observation, p_term: PTerm) -> f64 {
    let latency = p_term.latencies(message.packets()) * seen.latency();
    // A message has a flit, so that its time is at least 1.
    latency / message_time(message, seen, p_term)
}

/// Eq. 4: for which numbers of flits, at a given `p`, the high bias is faster.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Switch {
    /// The high bias is faster for fewer flits than these: it has the smaller latency and the
    /// larger stalls.
    Below(f64),
    /// The high bias is faster for more flits than these: it has the larger latency and the smaller
    /// stalls.
    Above(f64),
    /// The high bias is faster for any number of flits.
    Always,
    /// The high bias is faster for no number of flits.
    Never,
}

impl Switch {
    /// The answer of Eq. 4 for the observations of both modes and `latencies` by [`PTerm`].
    #[must_use]
    pub fn new(adaptive: Observation, biased: Observation, latencies: f64) -> Self {
        let latency = (adaptive.latency() - biased.latency()) * latencies;
        let stalls = biased.stalls() - adaptive.stalls();
        if stalls > 0.0 && latency > 0.0 {
            Self::Below(latency / stalls)
        } else if stalls < 0.0 && latency < 0.0 {
            Self::Above(latency / stalls)
        } else if latency >= 0.0 && stalls <= 0.0 && (latency > 0.0 || stalls < 0.0) {
            Self::Always
        } else {
            Self::Never
        }
    }

    /// Whether the high bias is faster for so many flits.
    #[must_use]
    pub fn takes(self, flits: f64) -> bool {
        match self {
            Self::Below(limit) => flits < limit,
            Self::Above(limit) => flits > limit,
            Self::Always => true,
            Self::Never => false,
        }
    }
}
