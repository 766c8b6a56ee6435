//! What NICs count. Definitions: `docs/model/counters.md`.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_counters::{
    CLASSES, HALVES, LATENCY_BINS, NicCounts, ROUND_TRIP_EDGES_US, SIZES, Traffic, latency_bin,
    size_bin,
};
use odonata_units::{Instant, NodeId, Span};

use super::CounterShape;
use super::samples::Samples;
use crate::probe::{Injection, NicStall, PacketFacts, ProbeScope};

/// What is sent or received, each by half: packets, flits, bytes, and bytes that packets have less
/// than a header. Cells that are added to at once do not lie side by side: the compiler would add
/// them in one wide register, and put them together there first.
const TRAFFIC: usize = 4 * HALVES;
const PACKETS: usize = 0;
const FLITS: usize = HALVES;
const BYTES: usize = 2 * HALVES;
const SHORT: usize = 3 * HALVES;
const SENT: usize = 0;
const RECEIVED: usize = SENT + TRAFFIC;
const CREDIT: usize = RECEIVED + TRAFFIC;
const CREDITS: usize = CREDIT + HALVES;
const OUTSTANDING: usize = CREDITS + 1;
const PACING: usize = OUTSTANDING + 1;
const TRIPS: usize = PACING + 1;
const TRIP_TIME: usize = TRIPS + 1;
/// The part that both kinds of NICs have ends here.
const COMMON: usize = TRIP_TIME + 1;

/// Of an Aries NIC only.
const TRIP_BINS: usize = COMMON;

/// Of a Cassini NIC only, from here on.
const LATENCIES: usize = COMMON;
const SENT_BY_CLASS: usize = LATENCIES + LATENCY_BINS;
const RECEIVED_BY_CLASS: usize = SENT_BY_CLASS + CLASSES;
const CREDIT_BY_CLASS: usize = RECEIVED_BY_CLASS + HALVES * CLASSES;
const SENT_BY_SIZE: usize = CREDIT_BY_CLASS + CLASSES;
const RECEIVED_BY_SIZE: usize = SENT_BY_SIZE + SIZES.len();
/// Cells of a NIC, of either kind.
pub(crate) const CELLS: usize = RECEIVED_BY_SIZE + SIZES.len();

const _: () = assert!(TRIP_BINS + ROUND_TRIP_EDGES_US.len() < CELLS);

/// All NICs of a scope.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct NicCounters {
    samples: Samples<CELLS>,
    first: u32,
    count: u32,
    is_cassini: bool,
    has_responses: bool,
    header_bytes: u32,
    /// `[vc]`: traffic class, and 0 for requests or 1 for responses.
    lanes: [(u8, u8); 32],
    /// The packet that starts next was held up; none is after a run.
    #[borsh(skip)]
    held: Option<(NicStall, Span)>,
}

impl NicCounters {
    pub(crate) fn new(scope: &ProbeScope, shape: &CounterShape) -> Self {
        let is_cassini = shape.names == odonata_counters::Names::Cassini;
        Self {
            samples: shape.samples(scope.nodes.clone(), 1, shape.nodes.as_ref()),
            first: scope.nodes.start,
            count: scope.nodes.end - scope.nodes.start,
            is_cassini,
            has_responses: shape.has_responses,
            header_bytes: shape.header_bytes,
            lanes: std::array::from_fn(|vc| lane(shape, u8::try_from(vc).unwrap_or(0))),
            held: None,
        }
    }

    #[inline(always)]
    fn of(&mut self, node: NodeId, at: Instant) -> &mut [u64; CELLS] {
        self.samples.at((node.0 - self.first) as usize, at)
    }

    /// Traffic class, and 0 if it goes with the requests, 1 if with the responses.
    #[inline(always)]
    fn lane(&self, packet: &PacketFacts) -> (usize, usize) {
        let (class, half) = self.lanes[usize::from(packet.vc) & 31];
        // Known to the compiler to be few.
        (usize::from(class) & (CLASSES - 1), usize::from(half) & 1)
    }

    #[inline(always)]
    fn note(cells: &mut [u64; CELLS], first: usize, packet: &PacketFacts, header_bytes: u32) {
        cells[first + PACKETS] += 1;
        cells[first + FLITS] += u64::from(packet.flits);
        cells[first + BYTES] += u64::from(packet.bytes);
        if packet.bytes < header_bytes {
            cells[first + SHORT] += u64::from(header_bytes - packet.bytes);
        }
    }

    pub(crate) fn stall(&mut self, cause: NicStall, span: Span) {
        self.held = Some((cause, span));
    }

    #[inline(always)]
    pub(crate) fn send(&mut self, packet: &PacketFacts, start: Injection) {
        let (class, half) = self.lane(packet);
        let (header_bytes, is_cassini) = (self.header_bytes, self.is_cassini);
        let held = if self.held.is_some() {
            self.held.take()
        } else {
            None
        };
        let cells = self.of(packet.source, start.at);
        Self::note(cells, SENT + half, packet, header_bytes);
        if is_cassini {
            cells[SENT_BY_CLASS + class] += 1;
            cells[SENT_BY_SIZE + size_bin(packet.bytes)] += 1;
        }
        match held {
            None => {}
            Some((NicStall::Outstanding, span)) => cells[OUTSTANDING] += span.ps(),
            Some((NicStall::Pacing, span)) => cells[PACING] += span.ps(),
            Some((NicStall::Credits, span)) => {
                cells[CREDIT + half] += span.ps();
                cells[CREDITS] += 1;
                if is_cassini {
                    cells[CREDIT_BY_CLASS + class] += span.ps();
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn receive(&mut self, packet: &PacketFacts, is_answer: bool, at: Instant) {
        let (class, half) = self.lane(packet);
        let (header_bytes, is_cassini) = (self.header_bytes, self.is_cassini);
        let is_timed = is_answer || !self.has_responses;
        let cells = self.of(packet.target, at);
        Self::note(cells, RECEIVED + half, packet, header_bytes);
        let age = packet.age(at).ps();
        if is_answer {
            cells[TRIPS] += 1;
            cells[TRIP_TIME] += age;
        }
        if is_cassini {
            cells[RECEIVED_BY_CLASS + half * CLASSES + class] += 1;
            cells[RECEIVED_BY_SIZE + size_bin(packet.bytes)] += 1;
            if is_timed {
                cells[LATENCIES + latency_bin(age)] += 1;
            }
        } else if is_answer {
            let bin = ROUND_TRIP_EDGES_US.partition_point(|edge| edge * 1_000_000 <= age);
            cells[TRIP_BINS + bin] += 1;
        }
    }

    pub(crate) const fn samples(&self) -> &Samples<CELLS> {
        &self.samples
    }

    pub(crate) const fn samples_mut(&mut self) -> &mut Samples<CELLS> {
        &mut self.samples
    }

    /// Its nodes.
    pub(crate) const fn numbers(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }

    /// What the NIC of a node has counted, by the sums of all NICs.
    pub(crate) fn read(&self, sums: &[[u64; CELLS]], node: u32) -> NicCounts {
        let cells = &sums[(node - self.first) as usize];
        let header_bytes = u64::from(self.header_bytes);
        let traffic = |first: usize| Traffic {
            packets: cells[first + PACKETS],
            flits: cells[first + FLITS],
            bytes: cells[first + BYTES],
            payload: cells[first + BYTES] + cells[first + SHORT]
                - cells[first + PACKETS] * header_bytes,
        };
        let mut counts = NicCounts {
            sent: std::array::from_fn(|half| traffic(SENT + half)),
            received: std::array::from_fn(|half| traffic(RECEIVED + half)),
            credit_stall_ps: std::array::from_fn(|half| cells[CREDIT + half]),
            credit_stalls: cells[CREDITS],
            outstanding_stall_ps: cells[OUTSTANDING],
            pacing_stall_ps: cells[PACING],
            round_trips: cells[TRIPS],
            round_trip_ps: cells[TRIP_TIME],
            ..NicCounts::default()
        };
        if self.is_cassini {
            let by_class = |half: usize| {
                std::array::from_fn(|class| cells[RECEIVED_BY_CLASS + half * CLASSES + class])
            };
            counts.latency_bins = std::array::from_fn(|bin| cells[LATENCIES + bin]);
            counts.sent_by_class = std::array::from_fn(|class| cells[SENT_BY_CLASS + class]);
            counts.received_by_class = std::array::from_fn(by_class);
            counts.credit_stall_by_class_ps =
                std::array::from_fn(|class| cells[CREDIT_BY_CLASS + class]);
            counts.sent_by_size = std::array::from_fn(|size| cells[SENT_BY_SIZE + size]);
            counts.received_by_size = std::array::from_fn(|size| cells[RECEIVED_BY_SIZE + size]);
        } else {
            counts.round_trip_bins = std::array::from_fn(|bin| cells[TRIP_BINS + bin]);
        }
        counts
    }
}

/// Traffic class of a virtual channel, and 0 if it is for requests, 1 if for responses.
fn lane(shape: &CounterShape, vc: u8) -> (u8, u8) {
    let in_class = shape.class_vcs.max(1);
    let most = u8::try_from(CLASSES - 1).unwrap_or(u8::MAX);
    let is_response = vc % in_class >= shape.request_vcs;
    ((vc / in_class).min(most), u8::from(is_response))
}
