//! Why a network cannot be simulated, with the numbers and a way out.

use thiserror::Error;

/// Why a network cannot be simulated.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// Nothing can be simulated ahead of anything else.
    #[error(
        "the network has no delay to work with: {what} must take at least {least} ps, it takes \
         {found} ps; raise a link latency, `router.latency` or `router.credit_delay`"
    )]
    NoLookahead {
        /// Path that is too short.
        what: &'static str,
        /// Required, ps.
        least: u64,
        /// Given, ps.
        found: u64,
    },
    /// A buffer cannot hold one packet.
    #[error(
        "`router.{which}` holds {depth} flits, but a packet of {packet} flits must fit; \
         raise it to at least {bytes} B"
    )]
    BufferTooSmall {
        /// Key of the buffer.
        which: &'static str,
        /// Flits.
        depth: u32,
        /// Flits.
        packet: u32,
        /// Remedy.
        bytes: u64,
    },
    /// A packet beyond 64 KiB.
    #[error("`packet.size` is {bytes} B; the model holds packets of 1 to 65535 B")]
    PacketSize {
        /// As given.
        bytes: u32,
    },
    /// Responses do not fit the tables of packets.
    #[error(
        "`nic.response` ({response} B) must not be larger than `packet.size` ({packet} B); lower it"
    )]
    ResponseTooLarge {
        /// Bytes.
        response: u32,
        /// Bytes.
        packet: u32,
    },
    /// Early credits in a router that has none.
    #[error(
        "`router.credit_return = \"reservation\"` is defined for `router.architecture = \"voq\"` only; \
         use \"departure\" with \"cioq\""
    )]
    ReservationInCioq,
    /// The header leaves no room.
    #[error("`packet.header` ({header} B) must be smaller than `packet.size` ({packet} B)")]
    HeaderTooLarge {
        /// Bytes.
        header: u32,
        /// Bytes.
        packet: u32,
    },
    /// Latencies too far apart for the wheel of windows.
    #[error(
        "the longest delay ({longest} ps) is more than {most} times the smallest one ({window} \
         ps); bring latencies closer together"
    )]
    DelaysTooFarApart {
        /// ps.
        longest: u64,
        /// ps.
        window: u64,
        /// Ratio.
        most: u64,
    },
    /// More than the machine holds.
    #[error(
        "this needs about {} of memory and {} are free; make the system or the job smaller, or run \
         it on a larger machine",
        megabytes(*needed), megabytes(*available)
    )]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        available: u64,
    },
    /// More than this model numbers.
    #[error("{what}: {found} is more than the {most} that can be numbered")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// Found.
        found: u64,
        /// Limit.
        most: u64,
    },
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
