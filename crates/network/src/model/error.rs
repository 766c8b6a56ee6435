//! Why a network cannot be simulated, with the numbers and a way out.

use thiserror::Error;

/// Why a network cannot be simulated.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// A delay is so short that nothing can be simulated ahead of anything else.
    #[error(
        "the network has no delay to work with: {what} must take at least {least} ps, it takes \
         {found} ps; raise a link latency, `router.latency` or `router.credit_delay`"
    )]
    NoLookahead {
        /// The path that takes too little time, in words.
        what: &'static str,
        /// The least time that the path may take, ps.
        least: u64,
        /// The time that the path takes, ps.
        found: u64,
    },
    /// A buffer cannot hold one packet.
    #[error(
        "`router.{which}` holds {depth} flits, but a packet of {packet} flits must fit; \
         raise it to at least {bytes} B"
    )]
    BufferTooSmall {
        /// The key of the buffer in the table `router` of a scenario.
        which: &'static str,
        /// The depth of the buffer, flits.
        depth: u32,
        /// The length of the largest packet, flits.
        packet: u32,
        /// The least depth that is possible, bytes.
        bytes: u64,
    },
    /// A packet has no bytes, or more than 65,535.
    #[error("`packet.size` is {bytes} B; the model holds packets of 1 to 65535 B")]
    PacketSize {
        /// The size of the largest packet as given, bytes.
        bytes: u32,
    },
    /// Responses are larger than the largest packet.
    #[error(
        "`nic.response` ({response} B) must not be larger than `packet.size` ({packet} B); lower it"
    )]
    ResponseTooLarge {
        /// The size of a response as given, bytes.
        response: u32,
        /// The size of the largest packet, bytes.
        packet: u32,
    },
    /// Early credits are asked for in a `cioq` router, which has none.
    #[error(
        "`router.credit_return = \"reservation\"` is defined for `router.architecture = \"voq\"` only; \
         use \"departure\" with \"cioq\""
    )]
    ReservationInCioq,
    /// Controllers count packets of the system.
    #[error(
        "packets that stand for several are not known to congestion controllers; leave \
         `packet_multiple` of jobs out, or use `nic.congestion = \"none\"`"
    )]
    LargePacketsUnderControl,
    /// A slot that is reserved behind a link that goes down.
    #[error(
        "links cannot go down during the run with `credit_return = \"reservation\"`, since slots \
         behind them are taken before packets start; let them lose lanes only, or use \
         `credit_return = \"departure\"`"
    )]
    ReservationOnLinksThatFail,
    /// The header leaves no room for a payload.
    #[error("`packet.header` ({header} B) must be smaller than `packet.size` ({packet} B)")]
    HeaderTooLarge {
        /// The size of the header as given, bytes.
        header: u32,
        /// The size of the largest packet, bytes.
        packet: u32,
    },
    /// Latencies are too far apart for the wheel of windows.
    #[error(
        "the longest delay ({longest} ps) is more than {most} times the smallest one ({window} \
         ps); bring latencies closer together"
    )]
    DelaysTooFarApart {
        /// The longest delay, ps.
        longest: u64,
        /// The smallest delay, which bounds a safe window, ps.
        window: u64,
        /// The largest ratio of the two that is possible.
        most: u64,
    },
    /// The network needs more memory than the machine has free.
    #[error(
        "this needs about {} of memory and {} are free; make the system or the job smaller, or run \
         it on a larger machine",
        megabytes(*needed), megabytes(*available)
    )]
    Memory {
        /// The memory that is needed, bytes.
        needed: u64,
        /// The memory that is free, bytes.
        available: u64,
    },
    /// There are more things of a kind than the model numbers.
    #[error("{what}: {found} is more than the {most} that can be numbered")]
    TooMany {
        /// The thing that there is too much of, in words.
        what: &'static str,
        /// The number of these.
        found: u64,
        /// The largest number that is possible.
        most: u64,
    },
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
