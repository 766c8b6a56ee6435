//! Numbers that describe links, routers and NICs; times derived from them.

use odonata_routing::Responses;
use odonata_topology::LinkKind;
use odonata_units::{Bandwidth, Span};

/// A link of one kind, per direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkParameters {
    /// Rate of one direction.
    pub bandwidth: Bandwidth,
    /// Propagation time from one end to the other, of the shortest link of the kind.
    pub latency: Span,
    /// That of the longest one; `latency` if all are alike.
    pub longest: Span,
}

/// Organisation of a router's buffers, see `docs/model/network.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Architecture {
    /// Packets wait per output: no head-of-line blocking, ideal crossbar.
    Voq,
    /// Input FIFOs, crossbar of finite speed-up, output FIFOs.
    Cioq,
}

/// How an output port chooses among virtual channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arbitration {
    /// The next one in cyclic order.
    RoundRobin,
    /// The packet created first.
    OldestFirst,
    /// The largest VC number: what is closest to its target goes first (CODES
    /// `dragonfly-custom`).
    HighestVc,
    /// The smallest VC number: what has just set out goes first (CODES: earlier versions of
    /// `dragonfly-dally`, and `dragonfly-plus`).
    LowestVc,
}

/// When a packet leaves its input buffer (`voq`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreditReturn {
    /// The packet leaves when it starts on its output channel.
    Departure,
    /// The packet leaves when the slot behind its output channel is reserved for it (CODES).
    Reservation,
}

/// How the bytes of a traffic class are counted against its shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monitor {
    /// Over consecutive windows.
    Static,
    /// Over the last sixteen sixteenths of a window.
    Sliding,
    /// A bucket that fills at the rate of the share and holds a window of it.
    TokenBucket,
}

/// The largest number of traffic classes of a network.
pub const MOST_CLASSES: usize = 8;

/// Share of a traffic class in a channel. Shares are millionths of the channel's bandwidth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassShare {
    /// The assured share of a host link: below it the class goes before those that have had theirs.
    pub assured_ppm: u32,
    /// The assured share of a link between routers.
    pub fabric_ppm: u32,
    /// Largest share of the class, whoever else wants the channel; 1,000,000: everything.
    pub ceiling_ppm: u32,
    /// Priority of one-way packets and requests; the largest one goes first.
    pub priority: u8,
    /// Priority of responses.
    pub response_priority: u8,
}

impl ClassShare {
    /// A share without an upper limit.
    pub const WHOLE_PPM: u32 = 1_000_000;

    /// A cap of Mubarak et al. 2019, section II: an assured share and no ceiling, and one priority
    /// for all classes, among which their order decides.
    #[must_use]
    pub const fn cap(ppm: u32) -> Self {
        Self {
            assured_ppm: ppm,
            fabric_ppm: ppm,
            ceiling_ppm: Self::WHOLE_PPM,
            priority: 0,
            response_priority: 0,
        }
    }

    /// The assured share of a channel of this kind.
    #[must_use]
    pub const fn assured_on(&self, kind: LinkKind) -> u32 {
        match kind {
            LinkKind::Host => self.assured_ppm,
            LinkKind::Local | LinkKind::Row | LinkKind::Column | LinkKind::Global => {
                self.fabric_ppm
            }
        }
    }

    /// Whether there is an upper limit.
    #[must_use]
    pub const fn has_ceiling(&self) -> bool {
        self.ceiling_ppm < Self::WHOLE_PPM
    }
}

/// Traffic classes, and how their shares are watched.
///
/// Sources: Mubarak et al. 2019, section II; the profiles of Slingshot. The instants are stated in
/// `docs/model/network.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Qos {
    /// Number of classes, 1 to [`MOST_CLASSES`]; of equal priorities the first class goes first.
    pub classes: u8,
    /// W: bytes are counted over this span.
    pub window: Span,
    /// How the bytes are counted.
    pub monitor: Monitor,
    /// The share of each class; those behind `classes` mean nothing.
    pub shares: [ClassShare; MOST_CLASSES],
}

impl Qos {
    /// One class that may take everything.
    pub const NONE: Self = Self {
        classes: 1,
        window: Span::from_ps(1_000_000_000),
        monitor: Monitor::Static,
        shares: [ClassShare::cap(ClassShare::WHOLE_PPM); MOST_CLASSES],
    };

    /// The classes that there are.
    #[must_use]
    pub fn each(&self) -> &[ClassShare] {
        &self.shares[..usize::from(self.classes).min(MOST_CLASSES)]
    }

    /// Whether some class has a ceiling.
    #[must_use]
    pub fn has_ceilings(&self) -> bool {
        self.each().iter().any(ClassShare::has_ceiling)
    }
}

/// Pacing by the degree of the last hop: `docs/model/congestion.md`, where the symbols are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// `N_0`: the number of sources from which on they are held back.
    pub least_sources: u32,
    /// `Q`: the flits for one node from which on its sources are held back.
    pub queue_flits: u32,
    /// `p`: the first pause, in times that what waits takes.
    pub pause: u32,
    /// `v`: the time from the end of one source's pause to that of the next one's, thousandths of
    /// the time of a largest packet.
    pub spread_milli: u32,
    /// `x`: the time after which a source that is silent is released, thousandths.
    pub expiry_milli: u32,
    /// `m`: packets with less payload neither count nor wait, bytes.
    pub smallest_bytes: u32,
}

impl Pace {
    /// How much less than its part of the channel a source gets: with `N` sources each has one
    /// part of `N + 2`, so that the queue drains.
    ///
    /// Source: SST merlin, `linkControl.cc`.
    pub const SLACK: u32 = 2;

    /// The time from the end of one source's pause to that of the next one's.
    #[must_use]
    pub const fn slot(&self, packet: Span) -> Span {
        Span::from_ps(packet.ps().saturating_mul(self.spread_milli as u64) / 1_000)
    }

    /// The time after its last packet from which on one of `sources` is released.
    #[must_use]
    pub fn expiry(&self, sources: u32, packet: Span) -> Span {
        let times = u64::from(self.expiry_milli) * (u64::from(sources) + 1);
        Span::from_ps(packet.ps().saturating_mul(times) / 1_000)
    }
}

/// The sender window of Ultra Ethernet 1.0 (NSCC) on lossless credits: `docs/model/congestion.md`,
/// where the symbols are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nscc {
    /// `T`: the round trip of the unloaded network; `None`: that over the longest minimal path.
    pub round_trip: Option<Span>,
    /// The queueing delay that is aimed at, thousandths of the round trip.
    pub target_milli: u32,
    /// The delay below which a path counts as free.
    pub free_delay: Span,
    /// Bytes acknowledged after which what was gained is added to the window.
    pub adjust_bytes: u32,
    /// Acknowledgements over which the delay is averaged.
    pub average: u32,
    /// The largest window, thousandths of the bandwidth-delay product; 0: there are no windows.
    pub window_milli: u32,
    /// What is left in a queue from which on starts are marked now and then, thousandths of the
    /// bandwidth-delay product.
    pub mark_from_milli: u32,
    /// The same, from which on all are marked.
    pub mark_to_milli: u32,
    /// The silence after which a window is forgotten, thousandths of the round trip.
    pub forget_milli: u32,
}

/// Ejection matching, as CODES has it: `docs/model/congestion.md`, "Abatement".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abate {
    /// Queue for a node at which its last hop becomes congested, thousandths of what fits.
    pub on_milli: u32,
    /// Decrease of the queue at which it stops being so.
    pub off_milli: u32,
    /// How long it stays congested at least, thousandths of the time that the difference takes.
    pub hold_milli: u32,
    /// The part of what waits from which on a job is an aggressor, thousandths.
    pub aggressor_milli: u32,
    /// How the part of a job is computed.
    pub share: AbateShare,
    /// Delivered bytes are counted by periods of this length.
    pub period: Span,
    /// What a NIC may send is what was delivered in so many periods.
    pub periods: u32,
    /// The least that it may send, millionths of the host channel.
    pub floor_ppm: u32,
}

/// How the part of a job in what waits is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbateShare {
    /// Truly.
    Exact,
    /// By a division of integers: it is 1 for the owner of everything, and 0 for all others.
    Codes,
}

/// Receiver credit of Ultra Ethernet 1.0 (RCCC) on lossless links: `docs/model/congestion.md`,
/// "Receiver credit", where the symbols are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rccc {
    /// `T`: the round trip of the unloaded network; `None`: that over the longest minimal path.
    pub round_trip: Option<Span>,
    /// Window that a sender starts with and holds, thousandths of the bandwidth-delay product.
    pub window_milli: u32,
    /// `u`: the rate at which credit leaves, thousandths of that of the host channel.
    pub rate_milli: u32,
    /// `z`: the credit that leaves at once, largest packets.
    pub pull: u32,
}

/// Control of congestion at end points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Pacing by the degree of the last hop.
    Pace(Pace),
    /// A window for each target.
    Nscc(Nscc),
    /// NICs that congest a last hop send what is delivered.
    Abate(Abate),
    /// Targets give credit.
    Rccc(Rccc),
    /// Both: a window for each target, and credit that targets give.
    NsccRccc(Nscc, Rccc),
}

impl Control {
    /// Packets with less payload are left alone, bytes.
    #[must_use]
    pub const fn smallest_bytes(&self) -> u32 {
        match self {
            Self::Pace(pace) => pace.smallest_bytes,
            Self::Nscc(_) | Self::Abate(_) | Self::Rccc(_) | Self::NsccRccc(..) => 0,
        }
    }
}

/// When a packet may move on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switching {
    /// The packet may move on as soon as its head is there (virtual cut-through).
    CutThrough,
    /// The packet may move on when all of it is there (store-and-forward).
    StoreAndForward,
}

/// Which end of a packet must reach the target NIC for it to count as delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// The last flit.
    Tail,
    /// The first flit (SST merlin hands packets over whole).
    Head,
}

/// The network, less its shape and routing. See `docs/model/network.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Node to router.
    pub host: LinkParameters,
    /// Inside a group.
    pub local: LinkParameters,
    /// Inside a row of a group.
    pub row: LinkParameters,
    /// Inside a column of a group.
    pub column: LinkParameters,
    /// Between groups.
    pub global: LinkParameters,
    /// Groups that stand in a row of the machine room: how far apart two are decides on the latency
    /// of the links between them.
    pub groups_per_row: u32,
    /// Buffer organisation.
    pub architecture: Architecture,
    /// R: the time that a packet spends in the pipeline of a router, on its way in.
    pub router_latency: Span,
    /// C: the time that is added to the latency of a link for every credit.
    pub credit_delay: Span,
    /// Depth of an input buffer per VC, flits, by [`LinkKind`] of the channel that leads into it
    /// (host, local, row, column, global; host: from NICs).
    pub input_buffer_flits: [u32; 5],
    /// Depth of an output buffer per VC, flits (`cioq`).
    pub output_buffer_flits: u32,
    /// Crossbar bandwidth over that of the fastest link (`cioq`).
    pub speedup: u32,
    /// How an output port chooses among VCs.
    pub arbitration: Arbitration,
    /// When the slot of an input buffer is free again (`voq`).
    pub credit_return: CreditReturn,
    /// Cut-through or store-and-forward.
    pub switching: Switching,
    /// Largest packet, header included, bytes.
    pub packet_bytes: u32,
    /// So many of the largest packets travel as one at most, at nodes of
    /// [`Sharing::packet_multiples`](crate::Sharing::packet_multiples); at least 1.
    pub largest_multiple: u16,
    /// Flit, bytes.
    pub flit_bytes: u32,
    /// Header of each packet, bytes.
    pub header_bytes: u32,
    /// The end of a packet that must arrive for it to count as delivered.
    pub delivery: Delivery,
    /// Output buffer of a NIC, packets.
    pub nic_buffer_packets: u32,
    /// Send queues of a NIC for each traffic class, at least 1: messages of different ranks, and of
    /// one rank to different targets, take turns packet by packet.
    pub nic_queues: u16,
    /// Response to every packet, header included, bytes; 0: packets are not answered.
    pub response_bytes: u32,
    /// Requests of a NIC started and not answered at most; 0: any number.
    pub outstanding: u32,
    /// Where the data of gets go; only where packets are answered.
    pub get_data: GetData,
    /// Packets of other messages that a get request waits for in its NIC at most; 0: all messages
    /// handed over before it.
    pub get_behind: u32,
    /// Traffic classes.
    pub qos: Qos,
    /// Control of congestion, if there is any.
    pub control: Option<Control>,
    /// The root of the random streams of routing.
    pub seed: u64,
}

/// The virtual network of the data of gets, those of a rendezvous included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GetData {
    /// That of requests: to the network, data are messages like any other.
    Requests,
    /// That of responses.
    Responses,
}

impl Parameters {
    /// The numbers of pacing, if the NICs are paced.
    #[must_use]
    pub const fn pace(&self) -> Option<Pace> {
        match self.control {
            Some(Control::Pace(pace)) => Some(pace),
            _ => None,
        }
    }

    /// The numbers of windows, if the NICs have them.
    #[must_use]
    pub const fn nscc(&self) -> Option<Nscc> {
        match self.control {
            Some(Control::Nscc(nscc) | Control::NsccRccc(nscc, _)) => Some(nscc),
            _ => None,
        }
    }

    /// The numbers of receiver credit, if targets give any.
    #[must_use]
    pub const fn rccc(&self) -> Option<Rccc> {
        match self.control {
            Some(Control::Rccc(rccc) | Control::NsccRccc(_, rccc)) => Some(rccc),
            _ => None,
        }
    }

    /// Capacity of the host channel in `span`, bytes.
    pub(crate) fn host_bytes_in(&self, span: Span) -> u128 {
        let rate = u128::from(self.host.bandwidth.bytes_per_second());
        rate * u128::from(span.ps()) / 1_000_000_000_000
    }

    /// The numbers of ejection matching, if NICs are abated.
    #[must_use]
    pub const fn abate(&self) -> Option<Abate> {
        match self.control {
            Some(Control::Abate(abate)) => Some(abate),
            _ => None,
        }
    }

    /// Packets on the virtual channels of responses.
    #[must_use]
    pub const fn responses(&self) -> Responses {
        match self.get_data {
            _ if self.response_bytes == 0 => Responses::Absent,
            GetData::Requests => Responses::Answers,
            GetData::Responses => Responses::Data,
        }
    }

    /// The link of this kind.
    #[must_use]
    pub const fn link(&self, kind: LinkKind) -> LinkParameters {
        match kind {
            LinkKind::Host => self.host,
            LinkKind::Local => self.local,
            LinkKind::Row => self.row,
            LinkKind::Column => self.column,
            LinkKind::Global => self.global,
        }
    }

    /// Flits of a full packet.
    #[must_use]
    pub const fn packet_flits(&self) -> u32 {
        self.packet_bytes.div_ceil(self.flit_bytes)
    }

    /// Flits of as many full packets as travel as one.
    #[must_use]
    pub const fn largest_flits(&self) -> u32 {
        self.flits(
            self.packet_bytes
                .saturating_mul(self.largest_multiple as u32),
        )
    }

    /// Full packets that a packet of `bytes` stands for, headers included; the last of them may be
    /// shorter.
    #[must_use]
    pub const fn packets_in(&self, bytes: u32) -> u32 {
        if bytes <= self.packet_bytes {
            1
        } else {
            bytes.div_ceil(self.packet_bytes)
        }
    }

    /// Bytes of the response to a packet of `bytes`: as many as those to the packets that it stands
    /// for have together.
    #[must_use]
    pub const fn response_bytes_to(&self, bytes: u32) -> u32 {
        self.response_bytes * self.packets_in(bytes)
    }

    /// Bytes of the next packet of a message with `left` bytes of payload, of a node whose packets
    /// stand for at most `multiple` full ones, with as many headers.
    #[cold]
    #[must_use]
    pub fn next_packet_bytes(&self, left: u64, multiple: u16) -> u32 {
        let full = self.payload_bytes();
        let most = full.saturating_mul(multiple.into());
        let payload = u32::try_from(left).unwrap_or(u32::MAX).min(most);
        if payload <= full {
            payload + self.header_bytes
        } else {
            payload + payload.div_ceil(full) * self.header_bytes
        }
    }

    /// Payload of a packet of `bytes`.
    #[must_use]
    pub const fn payload_in(&self, bytes: u32) -> u32 {
        bytes - self.packets_in(bytes) * self.header_bytes
    }

    /// Flits of a packet of `bytes`.
    #[must_use]
    pub const fn flits(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.flit_bytes)
    }

    /// Payload of a full packet, bytes.
    #[must_use]
    pub const fn payload_bytes(&self) -> u32 {
        self.packet_bytes - self.header_bytes
    }

    /// Time for `flits` on a link of this kind.
    #[must_use]
    pub const fn serialization(&self, kind: LinkKind, flits: u32) -> Span {
        self.link(kind)
            .bandwidth
            .serialization(flits as u64 * self.flit_bytes as u64)
    }

    /// Time for `flits` on a link of this kind that `share_ppm` millionths of its bandwidth are left
    /// of.
    #[must_use]
    pub fn serialization_at(&self, kind: LinkKind, flits: u32, share_ppm: u32) -> Span {
        let whole = self.link(kind).bandwidth;
        let left = u128::from(whole.bytes_per_second()) * u128::from(share_ppm) / 1_000_000;
        let left = u64::try_from(left).unwrap_or(u64::MAX).max(1);
        let left = Bandwidth::from_bytes_per_second(left).unwrap_or(whole);
        left.serialization(u64::from(flits) * u64::from(self.flit_bytes))
    }

    /// As [`Parameters::entry_delay`], on a link that `share_ppm` millionths of its bandwidth are
    /// left of.
    #[must_use]
    pub fn entry_delay_at(&self, kind: LinkKind, flits: u32, share_ppm: u32) -> Span {
        let head = self.link(kind).latency + self.router_latency;
        match self.switching {
            Switching::CutThrough => head,
            Switching::StoreAndForward => head + self.serialization_at(kind, flits, share_ppm),
        }
    }

    /// Crossbar cycle X of `cioq`: one flit at `speedup` times the fastest link.
    #[must_use]
    pub fn crossbar_cycle(&self) -> Span {
        let rates = LinkKind::ALL.map(|kind| self.link(kind).bandwidth);
        let fastest = rates.into_iter().max().unwrap_or(self.host.bandwidth);
        let rate = fastest
            .bytes_per_second()
            .saturating_mul(u64::from(self.speedup.max(1)));
        let rate = Bandwidth::from_bytes_per_second(rate).unwrap_or(fastest);
        rate.serialization(u64::from(self.flit_bytes))
    }

    /// Wake-up span U of an output stage on a link of this kind.
    #[must_use]
    pub const fn wake_up(&self, kind: LinkKind) -> Span {
        match self.architecture {
            Architecture::Voq => Span::ZERO,
            Architecture::Cioq => self.serialization(kind, 1),
        }
    }

    /// The time from the start of a packet of `flits` on a link of this kind to its entry in a
    /// router.
    #[must_use]
    pub fn entry_delay(&self, kind: LinkKind, flits: u32) -> Span {
        let head = self.link(kind).latency + self.router_latency;
        match self.switching {
            Switching::CutThrough => head,
            Switching::StoreAndForward => head + self.serialization(kind, flits),
        }
    }

    /// The time from the entry of a packet that came over `from` to its first possible start over
    /// `to`.
    #[must_use]
    pub fn ready_delay(&self, from: LinkKind, to: LinkKind, flits: u32) -> Span {
        match self.switching {
            Switching::CutThrough => self
                .serialization(from, flits)
                .saturating_sub(self.serialization(to, flits)),
            Switching::StoreAndForward => Span::ZERO,
        }
    }

    /// Flits that may wait in an output FIFO; `None` in a `voq` router, whose queues are as long as
    /// all of its input buffers.
    #[must_use]
    pub fn output_fifo_flits(&self) -> Option<u32> {
        (self.architecture == Architecture::Cioq).then_some(self.output_buffer_flits)
    }

    /// The time from the start of a packet of `flits` on a host link to its delivery at the NIC.
    #[must_use]
    pub fn delivery_delay(&self, flits: u32) -> Span {
        match self.delivery {
            Delivery::Tail => self.host.latency + self.serialization(LinkKind::Host, flits),
            Delivery::Head => self.host.latency,
        }
    }

    /// The time from the instant at which a packet leaves an input buffer to the instant at which
    /// its credits are usable at the other end of the link of this kind that it came over.
    #[must_use]
    pub fn credit_return(&self, kind: LinkKind) -> Span {
        self.link(kind).latency + self.credit_delay
    }

    /// How long the credits of a full packet that does not wait behind the longest link of this kind
    /// are in use: the link's round trip, with the next router's latency.
    #[must_use]
    pub fn round_trip(&self, kind: LinkKind) -> Span {
        let extra = self.cables().longest(kind);
        let there = self.entry_delay(kind, self.packet_flits());
        there + extra + self.credit_return(kind) + extra
    }

    /// Flits that pass over the longest link of this kind during its [round
    /// trip](Self::round_trip).
    #[must_use]
    pub fn round_trip_flits(&self, kind: LinkKind) -> u32 {
        let whole = self.round_trip(kind);
        let flits = whole.ps().div_ceil(self.serialization(kind, 1).ps().max(1));
        u32::try_from(flits).unwrap_or(u32::MAX)
    }
}
