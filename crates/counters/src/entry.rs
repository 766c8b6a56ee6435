//! One counter, or a row of them that differ by a number.

use crate::counts::{Half, NicCounts, TileCounts, Traffic};

/// Where a counter is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Component {
    /// Each of the 40 network tiles of an Aries router.
    NetworkTile,
    /// Each of its 8 processor tiles, which lead to the NICs.
    ProcessorTile,
    /// An Aries NIC.
    AriesNic,
    /// A Cassini NIC (Slingshot).
    CassiniNic,
}

impl Component {
    /// In listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NetworkTile => "network tile (Aries)",
            Self::ProcessorTile => "processor tile (Aries)",
            Self::AriesNic => "NIC (Aries)",
            Self::CassiniNic => "NIC (Cassini)",
        }
    }
}

/// Unit of one step of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Flits.
    Flits,
    /// Packets.
    Packets,
    /// Bytes.
    Bytes,
    /// Cycles of the Aries clock of 800 MHz, 1.25 ns each.
    AriesCycles,
    /// Cycles of 1 ns.
    CassiniCycles,
    /// Microseconds.
    Microseconds,
    /// Events.
    Count,
}

impl Unit {
    /// In tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flits => "flits",
            Self::Packets => "packets",
            Self::Bytes => "bytes",
            Self::AriesCycles | Self::CassiniCycles => "cycles",
            Self::Microseconds => "us",
            Self::Count => "count",
        }
    }

    /// Sums of picoseconds, in this unit, rounded down.
    #[must_use]
    pub const fn of_ps(self, ps: u64) -> u64 {
        match self {
            Self::AriesCycles => ps / 1_250,
            Self::CassiniCycles => ps / 1_000,
            Self::Microseconds => ps / 1_000_000,
            Self::Flits | Self::Packets | Self::Bytes | Self::Count => ps,
        }
    }
}

/// Which sum a counter shows. Numbers of a row of counters choose the channel, bin or class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Always 0: the model has nothing of the kind.
    Nothing,
    /// Flits into the input queue, by virtual channel.
    TileFlits,
    /// Flits into the input queue, all channels.
    TileFlitsAll,
    /// Waits in the input queue, by virtual channel.
    TileWaiting,
    /// Packets into the input queue.
    TilePackets(Half),
    /// Waits for the row bus, all packets.
    TileRowStallAll,
    /// Waits for the row bus.
    TileRowStall(Half),
    /// Waits for credits of the channel.
    TileColumnStall(Half),
    /// Packets sent.
    SentPackets(Half),
    /// Flits sent.
    SentFlits(Half),
    /// Payload sent.
    SentPayload(Half),
    /// Packets that arrived.
    ReceivedPackets(Half),
    /// Flits that arrived.
    ReceivedFlits(Half),
    /// Payload that arrived.
    ReceivedPayload(Half),
    /// Bytes sent, all packets.
    SentBytesAll,
    /// Bytes that arrived, all packets.
    ReceivedBytesAll,
    /// Waits for credits.
    CreditStall(Half),
    /// Packets that waited for credits.
    CreditStalls,
    /// Waits for answers.
    OutstandingStall,
    /// See [`NicCounts::pacing_stall_ps`].
    PacingStall,
    /// Requests answered.
    RoundTrips,
    /// Their time.
    RoundTripTime,
    /// They, by bin.
    RoundTripBin,
    /// Latencies, by bin.
    LatencyBin,
    /// Packets sent, by class.
    SentByClass,
    /// Packets that arrived, by class, both halves.
    ReceivedByClassAll,
    /// Packets that arrived, by class.
    ReceivedByClass(Half),
    /// Waits for credits, by class.
    CreditStallByClass,
    /// Packets sent, by size.
    SentBySize,
    /// Packets that arrived, by size.
    ReceivedBySize,
}

/// One counter, or a row of counters whose names differ by a number.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name; `{}` stands for the number, everywhere it occurs.
    pub(crate) pattern: &'static str,
    /// Values for `{}` in the name of each; empty for a single counter.
    pub(crate) labels: &'static [&'static str],
    /// Where it is.
    pub component: Component,
    /// Its unit.
    pub unit: Unit,
    /// Its meaning in the model.
    pub meaning: &'static str,
    /// Events that the hardware counts, as far as is public.
    pub hardware: &'static str,
    /// Where the model differs; empty if nothing is known to.
    pub differs: &'static str,
    /// Not a counter of the machine, but made from some that are.
    pub is_derived: bool,
    /// The number is that of the NIC at its router: each NIC has one of the row.
    pub is_by_position: bool,
    /// Which sum.
    pub(crate) quantity: Quantity,
    /// `[member]`: its position among the sums; as many as labels, or empty if they count from 0.
    pub(crate) indices: &'static [usize],
}

impl Entry {
    /// A single counter that shows `quantity`.
    pub(crate) const fn new(
        pattern: &'static str,
        component: Component,
        unit: Unit,
        quantity: Quantity,
        meaning: &'static str,
    ) -> Self {
        Self {
            pattern,
            labels: &[],
            component,
            unit,
            meaning,
            hardware: "",
            differs: "",
            is_derived: false,
            is_by_position: false,
            quantity,
            indices: &[],
        }
    }

    /// A counter of something that the model does not have.
    pub(crate) const fn absent(
        pattern: &'static str,
        component: Component,
        unit: Unit,
        meaning: &'static str,
    ) -> Self {
        Self::new(pattern, component, unit, Quantity::Nothing, meaning)
    }

    /// A row of counters, with what stands for `{}` in their names.
    pub(crate) const fn row(mut self, labels: &'static [&'static str]) -> Self {
        self.labels = labels;
        self
    }

    /// Their positions among the sums, where they do not count from 0.
    pub(crate) const fn at(mut self, indices: &'static [usize]) -> Self {
        self.indices = indices;
        self
    }

    /// Events that the hardware counts.
    pub(crate) const fn hardware(mut self, words: &'static str) -> Self {
        self.hardware = words;
        self
    }

    /// Where the model differs.
    pub(crate) const fn differs(mut self, words: &'static str) -> Self {
        self.differs = words;
        self
    }

    /// It is made from counters of the machine.
    pub(crate) const fn derived(mut self) -> Self {
        self.is_derived = true;
        self
    }

    /// Each NIC of a router has one of the row.
    pub(crate) const fn by_position(mut self) -> Self {
        self.is_by_position = true;
        self
    }

    /// The name with `{}` for the number.
    #[must_use]
    pub const fn pattern(&self) -> &'static str {
        self.pattern
    }

    /// Counters in the row.
    #[must_use]
    pub const fn len(&self) -> usize {
        if self.labels.is_empty() {
            1
        } else {
            self.labels.len()
        }
    }

    /// A row has at least one.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Name of counter `member` of the row.
    #[must_use]
    pub fn name(&self, member: usize) -> String {
        match self.labels.get(member) {
            Some(label) => self.pattern.replace("{}", label),
            None => self.pattern.to_owned(),
        }
    }

    /// Whether it counts at all.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.quantity != Quantity::Nothing
    }

    fn index(&self, member: usize) -> usize {
        self.indices.get(member).copied().unwrap_or(member)
    }

    /// Value of counter `member` at a tile.
    #[must_use]
    pub fn of_tile(&self, tile: &TileCounts, member: usize) -> u64 {
        let index = self.index(member);
        match self.quantity {
            Quantity::TileFlits => tile.flits[index],
            Quantity::TileFlitsAll => tile.flits.iter().sum(),
            Quantity::TileWaiting => self.unit.of_ps(tile.waiting_ps[index]),
            Quantity::TilePackets(half) => tile.packets[half as usize],
            Quantity::TileRowStallAll => self.unit.of_ps(tile.row_stall_ps.iter().sum()),
            Quantity::TileRowStall(half) => self.unit.of_ps(tile.row_stall_ps[half as usize]),
            Quantity::TileColumnStall(half) => self.unit.of_ps(tile.column_stall_ps[half as usize]),
            _ => 0,
        }
    }

    /// Value of counter `member` of a NIC.
    #[must_use]
    pub fn of_nic(&self, nic: &NicCounts, member: usize) -> u64 {
        let index = self.index(member);
        let all = |both: &[Traffic; 2]| both.iter().map(|one| one.bytes).sum();
        match self.quantity {
            Quantity::SentPackets(half) => nic.sent[half as usize].packets,
            Quantity::SentFlits(half) => nic.sent[half as usize].flits,
            Quantity::SentPayload(half) => nic.sent[half as usize].payload,
            Quantity::ReceivedPackets(half) => nic.received[half as usize].packets,
            Quantity::ReceivedFlits(half) => nic.received[half as usize].flits,
            Quantity::ReceivedPayload(half) => nic.received[half as usize].payload,
            Quantity::SentBytesAll => all(&nic.sent),
            Quantity::ReceivedBytesAll => all(&nic.received),
            Quantity::CreditStall(half) => self.unit.of_ps(nic.credit_stall_ps[half as usize]),
            Quantity::CreditStalls => nic.credit_stalls,
            Quantity::OutstandingStall => self.unit.of_ps(nic.outstanding_stall_ps),
            Quantity::PacingStall => self.unit.of_ps(nic.pacing_stall_ps),
            Quantity::RoundTrips => nic.round_trips,
            Quantity::RoundTripTime => self.unit.of_ps(nic.round_trip_ps),
            Quantity::RoundTripBin => nic.round_trip_bins[index],
            Quantity::LatencyBin => nic.latency_bins[index],
            Quantity::SentByClass => nic.sent_by_class[index],
            Quantity::ReceivedByClassAll => {
                nic.received_by_class.iter().map(|half| half[index]).sum()
            }
            Quantity::ReceivedByClass(half) => nic.received_by_class[half as usize][index],
            Quantity::CreditStallByClass => self.unit.of_ps(nic.credit_stall_by_class_ps[index]),
            Quantity::SentBySize => nic.sent_by_size[index],
            Quantity::ReceivedBySize => nic.received_by_size[index],
            _ => 0,
        }
    }
}
