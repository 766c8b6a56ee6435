//! A packet in 32 bytes.

use std::io::{self, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_routing::{NO_WAYPOINT, PacketRoute, PathState};
use odonata_telemetry::{CreditChange, PacketFacts};
use odonata_topology::PortIndex;
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::model::index::SlabIndex;

/// The stamp of a packet has 40 bits: its creation in 38, and two flags. The creation is exact,
/// modulo 2^38 ps, while the packet is young, and then a number of units of 2^20 ps (1 us).
const CREATED_MASK: u64 = (1 << 38) - 1;
/// The packet counts in the statistics.
const MEASURED: u64 = 1 << 38;
/// The creation is in units.
const OLD: u64 = 1 << 39;
const UNIT_BITS: u32 = 20;
/// Packets younger than 2^36 ps (69 ms) keep their exact creation. Those held at a multiple of it
/// that are older are marked then ([`Packet::mark_if_old`]), long before 38 bits wrap.
pub(crate) const YOUNG_BITS: u32 = 36;
/// Nodes and routers are numbered in 24 bits.
pub(crate) const ID_BITS: u32 = 24;
const ID_MASK: u32 = (1 << ID_BITS) - 1;
/// Where links go down, an intermediate router has fewer bits: the state of the network that the
/// packet began with has the others.
pub(crate) const SHORT_ID_BITS: u32 = 18;
const SHORT_ID_MASK: u32 = (1 << SHORT_ID_BITS) - 1;
/// The bit of [`Packet::hops`] that says that the packet is marked.
const MARK: u8 = 1 << 7;
const PATH_STATE_BITS: u32 = 3;
const PLAN_MASK: u8 = (1 << PATH_STATE_BITS) - 1;

/// A packet on a wire or in a buffer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Packet {
    /// The offset in its window, ps, while the packet is on a wire; the next packet of its queue
    /// while it is in a slab, 0 if there is none.
    link: u32,
    created_low: u32,
    source_created: u32,
    target_job: u32,
    /// The number of the packet among those of its source, modulo 2^32.
    pub(crate) sequence: u32,
    /// Intermediate router (24 bits; under a learning routing: the time measured over the last
    /// hop, ns), path state (3) and mode (5).
    route: u32,
    /// Flits and VC are what its credits say: they lie together so that they are read at once.
    pub(crate) flits: u16,
    /// The VC on which the packet came in.
    pub(crate) vc: u8,
    /// The port by which the packet came in, see [`Packet::in_port`].
    pub(crate) in_port: u8,
    pub(crate) bytes: u16,
    /// Routers entered, including the one that the packet is on its way to; the highest bit says
    /// that the packet is marked.
    pub(crate) hops: u8,
    /// The waypoint within the group that the packet heads for, see `PacketRoute`.
    pub(crate) waypoint: u8,
}

const _: () = assert!(size_of::<Packet>() == 32);

impl BorshSerialize for Packet {
    // As one array: a list of packets is most of what processes send each other.
    #[inline]
    fn serialize<W: Write>(&self, out: &mut W) -> io::Result<()> {
        let Self {
            link,
            created_low,
            source_created,
            target_job,
            sequence,
            route,
            flits,
            vc,
            in_port,
            bytes,
            hops,
            waypoint,
        } = *self;
        let small = |wide: u16, low: u8, high: u8| {
            u32::from(wide) | u32::from(low) << 16 | u32::from(high) << 24
        };
        let words = [
            link,
            created_low,
            source_created,
            target_job,
            sequence,
            route,
            small(flits, vc, in_port),
            small(bytes, hops, waypoint),
        ];
        let mut record = [0; size_of::<Self>()];
        for (four, word) in record.chunks_exact_mut(4).zip(words) {
            four.copy_from_slice(&word.to_le_bytes());
        }
        out.write_all(&record)
    }
}

impl BorshDeserialize for Packet {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "taken out of their bits")]
    fn deserialize_reader<R: Read>(bytes: &mut R) -> io::Result<Self> {
        let mut record = [0; size_of::<Self>()];
        bytes.read_exact(&mut record)?;
        let word = |at: usize| {
            let at = 4 * at;
            u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
        };
        let (credits, rest) = (word(6), word(7));
        Ok(Self {
            link: word(0),
            created_low: word(1),
            source_created: word(2),
            target_job: word(3),
            sequence: word(4),
            route: word(5),
            flits: credits as u16,
            vc: (credits >> 16) as u8,
            in_port: (credits >> 24) as u8,
            bytes: rest as u16,
            hops: (rest >> 16) as u8,
            waypoint: (rest >> 24) as u8,
        })
    }
}

/// The instant at which a packet was created, as seen `now`, and whether the packet counts in the
/// statistics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub(crate) created: Instant,
    pub(crate) now: Instant,
    pub(crate) is_measured: bool,
}

impl Birth {
    /// Age at `now` as the stamp will tell it, see [`Packet::age`].
    #[inline]
    pub(crate) const fn age(self) -> Span {
        let (now, created) = (self.now.ps(), self.created.ps());
        if (now - created) >> YOUNG_BITS == 0 {
            Span::from_ps(now - created)
        } else {
            let units = (created >> UNIT_BITS) & CREATED_MASK;
            Span::from_ps(now - (units << UNIT_BITS))
        }
    }

    #[inline]
    const fn stamp(self) -> u64 {
        let created = self.created.ps();
        let flag = if self.is_measured { MEASURED } else { 0 };
        if (self.now.ps() - created) >> YOUNG_BITS == 0 {
            flag | created & CREATED_MASK
        } else {
            flag | OLD | (created >> UNIT_BITS) & CREATED_MASK
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "fields are cut to their documented widths"
)]
impl Packet {
    #[inline]
    pub(crate) const fn new(source: NodeId, target: NodeId, birth: Birth, job: u8) -> Self {
        let stamp = birth.stamp();
        Self {
            link: 0,
            created_low: stamp as u32,
            source_created: source.0 | ((stamp >> 32) as u32) << ID_BITS,
            target_job: target.0 | (job as u32) << ID_BITS,
            sequence: 0,
            route: 0,
            flits: 0,
            vc: 0,
            in_port: 0,
            bytes: 0,
            hops: 0,
            waypoint: NO_WAYPOINT,
        }
    }

    /// The offset in its window at which the packet on a wire arrives, ps.
    #[inline]
    pub(crate) const fn offset(&self) -> u32 {
        self.link
    }

    /// Puts the packet on a wire, from which it arrives at `offset` in its window, ps.
    #[inline]
    pub(crate) const fn set_offset(&mut self, offset: u32) {
        self.link = offset;
    }

    /// The packet behind this one in its queue.
    #[inline]
    pub(crate) const fn next(&self) -> Option<SlabIndex> {
        SlabIndex::from_link(self.link)
    }

    /// Queues the packet `next` behind this one, or none.
    #[inline]
    pub(crate) const fn set_next(&mut self, next: Option<SlabIndex>) {
        self.link = match next {
            Some(index) => index.to_link(),
            None => 0,
        };
    }

    /// The port by which the packet came in.
    #[inline]
    pub(crate) const fn in_port(&self) -> PortIndex {
        PortIndex(self.in_port as u16)
    }

    #[inline]
    pub(crate) const fn source(&self) -> NodeId {
        NodeId(self.source_created & ID_MASK)
    }

    #[inline]
    pub(crate) const fn target(&self) -> NodeId {
        NodeId(self.target_job & ID_MASK)
    }

    #[inline]
    pub(crate) const fn job(&self) -> u8 {
        (self.target_job >> ID_BITS) as u8
    }

    #[inline]
    const fn stamp(&self) -> u64 {
        self.created_low as u64 | ((self.source_created >> ID_BITS) as u64) << 32
    }

    /// Age at `now`; exact below 2^36 ps, rounded up by less than 2^20 ps above.
    #[inline]
    pub(crate) const fn age(&self, now: Instant) -> Span {
        let stamp = self.stamp();
        let created = stamp & CREATED_MASK;
        if stamp & OLD != 0 {
            return Span::from_ps(now.ps() - (created << UNIT_BITS));
        }
        Span::from_ps(now.ps().wrapping_sub(created) & CREATED_MASK)
    }

    /// Whether it counts in the statistics.
    #[inline]
    pub(crate) const fn is_measured(&self) -> bool {
        self.stamp() & MEASURED != 0
    }

    /// Has to be called once in every 2^36 ps, so that the age of a packet never wraps.
    pub(crate) const fn mark_if_old(&mut self, now: Instant) {
        let age = self.age(now).ps();
        if age >> YOUNG_BITS == 0 || self.stamp() & OLD != 0 {
            return;
        }
        let birth = Birth {
            created: Instant::from_ps(now.ps() - age),
            now,
            is_measured: self.is_measured(),
        };
        let stamp = birth.stamp();
        self.created_low = stamp as u32;
        self.source_created = self.source_created & ID_MASK | ((stamp >> 32) as u32) << ID_BITS;
    }

    #[inline]
    const fn path_state_code(&self) -> u8 {
        (self.route >> ID_BITS) as u8 & PLAN_MASK
    }

    #[inline]
    pub(crate) const fn path_state(&self) -> PathState {
        PathState::from_code(self.path_state_code())
    }

    /// Its intermediate router; meaningful on a detour.
    #[inline]
    pub(crate) const fn intermediate(&self) -> RouterId {
        RouterId(self.route & ID_MASK)
    }

    #[inline]
    pub(crate) const fn mode(&self) -> u8 {
        (self.route >> (ID_BITS + PATH_STATE_BITS)) as u8
    }

    #[inline]
    pub(crate) const fn set_mode(&mut self, mode: u8) {
        self.route |= (mode as u32) << (ID_BITS + PATH_STATE_BITS);
    }

    /// Whether a queue that it came through was long.
    #[inline]
    pub(crate) const fn is_marked(&self) -> bool {
        self.hops & MARK != 0
    }

    #[inline]
    pub(crate) const fn mark(&mut self) {
        self.hops |= MARK;
    }

    /// The packet as routing sees it.
    #[inline]
    pub(crate) const fn route(&self) -> PacketRoute {
        PacketRoute {
            source: self.source(),
            target: self.target(),
            intermediate: self.intermediate(),
            path_state: self.path_state(),
            mode: self.mode(),
            waypoint: self.waypoint,
        }
    }

    /// What is decided about its path, for [`Packet::route_as_decided`].
    #[inline]
    pub(crate) const fn decided(&self) -> u32 {
        self.route
    }

    /// A packet between two nodes about which this was [decided](Packet::decided), as routing sees
    /// it.
    pub(crate) fn route_as_decided(source: NodeId, target: NodeId, decided: u32) -> PacketRoute {
        let packet = Self {
            source_created: source.0,
            target_job: target.0,
            route: decided,
            ..Self::default()
        };
        packet.route()
    }

    /// The state of the network that the packet began with, where links go down.
    #[inline]
    pub(crate) const fn network_state(&self) -> u8 {
        ((self.route & ID_MASK) >> SHORT_ID_BITS) as u8
    }

    /// As [`Packet::route`], where links go down.
    #[inline]
    pub(crate) const fn route_amid_changes(&self) -> PacketRoute {
        let mut route = self.route();
        route.intermediate = RouterId(route.intermediate.0 & SHORT_ID_MASK);
        route
    }

    /// Takes over what routing decided, where links go down, for a packet that began with `state`
    /// of the network.
    #[inline]
    pub(crate) const fn set_route_amid_changes(&mut self, route: &PacketRoute, state: u8) {
        let mut route = *route;
        route.intermediate.0 =
            route.intermediate.0 & SHORT_ID_MASK | (state as u32) << SHORT_ID_BITS;
        self.set_route(&route);
    }

    /// The packet as probes see it, at `now`.
    #[inline(always)]
    pub(crate) fn facts(&self, now: Instant) -> PacketFacts {
        self.facts_of_age(now, self.age(now))
    }

    /// As [`Packet::facts`], where the age is known.
    #[inline(always)]
    pub(crate) fn facts_of_age(&self, now: Instant, age: Span) -> PacketFacts {
        PacketFacts {
            source: self.source(),
            target: self.target(),
            created: Instant::from_ps(now.ps() - age.ps()),
            job: (self.target_job >> ID_BITS) as u8,
            vc: self.vc,
            in_port: self.in_port,
            sequence: self.sequence,
            bytes: u32::from(self.bytes),
            flits: u32::from(self.flits),
            hops: u32::from(self.hops & !MARK),
            mode: self.mode(),
            is_nonminimal: self.path_state_code() >= PathState::Outward as u8,
            is_measured: self.is_measured(),
        }
    }

    /// Takes over what routing decided.
    #[inline]
    pub(crate) const fn set_route(&mut self, route: &PacketRoute) {
        let state_and_mode = route.path_state as u32 | (route.mode as u32) << PATH_STATE_BITS;
        self.route = route.intermediate.0 | state_and_mode << ID_BITS;
        self.waypoint = route.waypoint;
    }

    /// Takes over what routing decided on a copy.
    #[inline]
    pub(crate) const fn take_route(&mut self, copy: &Self) {
        self.route = copy.route;
        self.waypoint = copy.waypoint;
    }

    /// Time the last hop took, ns; under a learning routing only.
    #[inline]
    pub(crate) const fn measured_ns(&self) -> u32 {
        self.route & ID_MASK
    }

    #[inline]
    pub(crate) fn set_measured(&mut self, span: Span) {
        let ns = span.ps() / 1_000;
        self.route = self.route & !ID_MASK | ns.min(u64::from(ID_MASK)) as u32;
    }
}

/// Credits on their way back, in 8 bytes that are copied from a packet as they lie there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, BorshSerialize, BorshDeserialize)]
#[repr(C)]
pub(crate) struct Credit {
    flits: u16,
    vc: u8,
    /// The output port that the credits are for.
    port: u8,
    /// The offset in the window, ps, above the job whose packet had taken the credits.
    offset_job: u32,
}

const JOB_BITS: u32 = 8;
/// Bits of an offset in a window: windows are not longer than 16 us.
pub(crate) const OFFSET_BITS: u32 = 32 - JOB_BITS;

impl Credit {
    /// The credits that `packet` had taken for `port`, at an offset in a window, ps.
    #[inline]
    pub(crate) const fn of(packet: &Packet, port: u8, offset: u32) -> Self {
        debug_assert!(offset < 1 << OFFSET_BITS);
        Self {
            flits: packet.flits,
            vc: packet.vc,
            port,
            offset_job: offset << JOB_BITS | packet.job() as u32,
        }
    }

    /// The key by which credits are sorted: instant, then port and VC.
    #[inline]
    pub(crate) fn rank(&self) -> (u64, u8, u8, u8, u16) {
        (self.offset(), self.port, self.vc, self.job(), self.flits)
    }

    #[inline]
    pub(crate) const fn offset(self) -> u64 {
        (self.offset_job >> JOB_BITS) as u64
    }

    /// The output port that the credits are for.
    #[inline]
    pub(crate) const fn port(self) -> PortIndex {
        PortIndex(self.port as u16)
    }

    #[inline]
    pub(crate) const fn vc(self) -> u8 {
        self.vc
    }

    /// The change as probes see it.
    #[inline(always)]
    pub(crate) const fn change(self) -> CreditChange {
        CreditChange {
            vc: self.vc(),
            job: self.job(),
            flits: self.flits(),
        }
    }

    /// The job whose packet had taken the credits.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "cut to its width")]
    pub(crate) const fn job(self) -> u8 {
        self.offset_job as u8
    }

    /// The flits if the credits are usable only after `offset`, else 0; without a branch.
    #[inline]
    pub(crate) fn flits_after(self, offset: u64) -> u32 {
        u32::from(self.offset() > offset) * self.flits()
    }

    #[inline]
    pub(crate) const fn flits(self) -> u32 {
        self.flits as u32
    }
}

/// State of a packet at a router until the packet leaves and feedback is sent, under a learning
/// routing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingFeedback {
    /// Entry into this router.
    pub(crate) entered: Instant,
    /// The rest of the path as this router's table estimated it when the packet was routed, ns.
    pub(crate) estimate_ns: u32,
    /// The row of every table that the packet belongs to; `None` if the previous router learns
    /// nothing of it.
    pub(crate) row: Option<u32>,
}

impl Default for PendingFeedback {
    fn default() -> Self {
        Self {
            entered: Instant::ZERO,
            estimate_ns: 0,
            row: None,
        }
    }
}

/// Feedback on its way back to the previous router; sorts in the order in which it is learnt.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, BorshSerialize, BorshDeserialize,
)]
pub(crate) struct Feedback {
    /// Offset in its window, ps.
    pub(crate) offset: u32,
    /// Port the packet had left by.
    pub(crate) port: u8,
    /// Row of the table.
    pub(crate) row: u32,
    pub(crate) measured_ns: u32,
    pub(crate) estimate_ns: u32,
    /// The job that the feedback is booked to.
    pub(crate) job: u8,
}

#[cfg(test)]
mod tests {
    use super::{Birth, Packet};
    use odonata_routing::{PacketRoute, PathState};
    use odonata_units::{Instant, NodeId, RouterId, Span};

    #[test]
    fn a_packet_is_the_same_in_another_process() {
        use odonata_units::Record;

        let packet = Packet {
            link: 0x0102_0304,
            created_low: 0x0506_0708,
            source_created: 0x090A_0B0C,
            target_job: 0x0D0E_0F10,
            sequence: 0x1112_1314,
            route: 0x1516_1718,
            flits: 0x191A,
            vc: 0x1B,
            in_port: 0x1C,
            bytes: 0x1D1E,
            hops: 0x1F,
            waypoint: 0x20,
        };
        let mut bytes = Vec::new();
        packet.write(&mut bytes);
        let read = Packet::read(&mut &*bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{packet:?}"));
        let mut sorted = bytes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 32, "every field is written once");
        assert!(Packet::read(&mut &bytes[1..]).is_none());
    }

    #[test]
    fn fields_do_not_overlap() {
        let ends = (NodeId((1 << 24) - 1), NodeId(0x00AB_CDEF));
        let created = Instant::from_ps(0x12_FFFF_FFFF + (1 << 42));
        let birth = Birth {
            created,
            now: created,
            is_measured: true,
        };
        let mut packet = Packet::new(ends.0, ends.1, birth, 255);
        packet.set_mode(31);
        let route = PacketRoute {
            intermediate: RouterId((1 << 24) - 2),
            path_state: PathState::Onward,
            waypoint: 95,
            ..packet.route()
        };
        packet.set_route(&route);
        assert_eq!(
            (packet.source(), packet.target(), packet.job()),
            (ends.0, ends.1, 255)
        );
        assert_eq!(packet.age(created + Span::from_ns(7)), Span::from_ns(7));
        assert!(packet.is_measured());
        assert_eq!(packet.route(), route);
        assert_eq!(
            (packet.path_state(), packet.mode()),
            (PathState::Onward, 31)
        );
        packet.set_measured(Span::from_ns(1 << 30));
        assert_eq!(packet.measured_ns(), (1 << 24) - 1);
        assert_eq!(
            (packet.path_state(), packet.mode()),
            (PathState::Onward, 31)
        );
    }

    #[test]
    fn no_age_wraps() {
        let created = Instant::from_ps((1 << 57) + 987_654_321);
        let ends = (NodeId(3), NodeId(4));
        for is_measured in [false, true] {
            let at_birth = |now| Birth {
                created,
                now,
                is_measured,
            };
            // Injected late: rounded up by less than a unit.
            for waited in [1_u64 << 36, 1 << 38, 1 << 40, (1 << 57) - 1] {
                let now = created + Span::from_ps(waited);
                let age = Packet::new(ends.0, ends.1, at_birth(now), 0).age(now).ps();
                assert_eq!(age, at_birth(now).age().ps());
                assert!(
                    (waited..waited + (1 << 20)).contains(&age),
                    "{waited}: {age}"
                );
            }
            // Held for long.
            let mut packet = Packet::new(ends.0, ends.1, at_birth(created), 0);
            for held in 1..40_u64 {
                let now = created + Span::from_ps(held << 36);
                packet.mark_if_old(now);
                let age = packet.age(now).ps();
                let exact = held << 36;
                assert!((exact..exact + (1 << 20)).contains(&age), "{held}: {age}");
            }
            assert_eq!(packet.is_measured(), is_measured);
            assert_eq!((packet.source(), packet.target()), ends);
        }
    }
}
