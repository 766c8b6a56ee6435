//! From counters to what Eq. 2 needs: packet latency and stalls.

/// Counts of a NIC since some beginning, in units of its own; anyone may reset any of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Request flits sent.
    pub flits: u64,
    /// Time in which a request flit was ready and could not leave.
    pub stalled: u64,
    /// Packets whose responses have come.
    pub packets: u64,
    /// Time from request to response, summed over them.
    pub latency: u64,
}

/// Cycles in the units of a NIC's counters; finite and not negative, or the factor counts as 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    cycles_per_stall: f64,
    cycles_per_latency: f64,
}

impl Units {
    /// Aries: stalls in cycles, latency in microseconds, 800 cycles in each (De Sensi et al. 2019,
    /// section 2.3; clock: the authors' library).
    pub const ARIES: Self = Self {
        cycles_per_stall: 1.0,
        cycles_per_latency: 800.0,
    };
    /// Largest factor; keeps every time finite.
    const LARGEST: f64 = 1e12;

    /// Cycles in one unit of `stalled` and in one of `latency`.
    #[must_use]
    pub fn new(cycles_per_stall: f64, cycles_per_latency: f64) -> Self {
        Self {
            cycles_per_stall: usable(cycles_per_stall).min(Self::LARGEST),
            cycles_per_latency: usable(cycles_per_latency).min(Self::LARGEST),
        }
    }
}

/// `L` and `s`: finite and not negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Observation {
    latency: f64,
    stalls: f64,
}

impl Observation {
    /// Largest latency, in cycles, and largest stalls per flit; keeps every time finite.
    const LARGEST: f64 = 1e33;

    /// From `L` in cycles and `s` in cycles per flit; what is no number or negative counts as 0.
    #[must_use]
    pub fn new(latency: f64, stalls: f64) -> Self {
        Self {
            latency: usable(latency).min(Self::LARGEST),
            stalls: usable(stalls).min(Self::LARGEST),
        }
    }

    /// `L`: cycles of a packet pair.
    #[must_use]
    pub const fn latency(self) -> f64 {
        self.latency
    }

    /// `s`: cycles that a ready flit waits.
    #[must_use]
    pub const fn stalls(self) -> f64 {
        self.stalls
    }
}

fn usable(value: f64) -> f64 {
    // False for what is no number, too.
    if value > 0.0 { value } else { 0.0 }
}

/// Differences between two readings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Interval {
    /// Something was sent and answered.
    Seen(Observation),
    /// No flit left or no packet was answered.
    Empty,
    /// A counter fell.
    Reset,
}

impl Interval {
    pub(crate) fn between(before: &Counters, after: &Counters, units: Units) -> Self {
        let (Some(flits), Some(stalled), Some(packets), Some(latency)) = (
            after.flits.checked_sub(before.flits),
            after.stalled.checked_sub(before.stalled),
            after.packets.checked_sub(before.packets),
            after.latency.checked_sub(before.latency),
        ) else {
            return Self::Reset;
        };
        if flits == 0 || packets == 0 {
            return Self::Empty;
        }
        Self::Seen(Observation::new(
            ratio(latency, packets) * units.cycles_per_latency,
            ratio(stalled, flits) * units.cycles_per_stall,
        ))
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a share of 2^-53 does not matter here"
)]
fn ratio(sum: u64, count: u64) -> f64 {
    sum as f64 / count as f64
}
