//! What the ports of routers count. Definitions: `docs/model/counters.md`.
//!
//! A wait from `a` to `b` is two contributions, `-a` at the instant `a` and `+b` at `b`, and the
//! number of waits that go on: at any instant `t` in between, the sum so far plus that number times
//! `t` is the time waited up to `t`. So nothing has to be cut at the instants of readings.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_counters::{HALVES, TILE_VCS, TileCounts};
use odonata_units::{Instant, Span};

use super::CounterShape;
use super::samples::Samples;
use crate::probe::{Channel, PacketFacts, ProbeScope, Queueing};

/// Cells of a port: flits by channel; waits by channel, and how many go on; then by half packets,
/// stalls of the row bus, stalls of the column buffers, and how many go on.
pub(crate) const CELLS: usize = 32;
const WAITING: usize = TILE_VCS;
const WAITERS: usize = 2 * TILE_VCS;
const PACKETS: usize = 3 * TILE_VCS;
const ROW: usize = PACKETS + HALVES;
const COLUMN: usize = ROW + HALVES;
const COLUMNS: usize = COLUMN + HALVES;

/// A port of a router: as the input of what comes, as the output of what leaves.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
struct TilePort {
    /// Packets that wait for it as an output (`voq`).
    queued: u32,
    /// Bit `h`: a stall of its column buffers goes on, for half `h`.
    stalled: u8,
}

/// A stall of a channel that ended with a start that is not announced yet.
#[derive(Clone, Copy, Debug, BorshSerialize, BorshDeserialize)]
struct StartedStall {
    channel: u32,
    span: Span,
}

/// All ports of a scope.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Tiles {
    samples: Samples<CELLS>,
    first: u32,
    radix: u32,
    vcs: usize,
    has_crossbar: bool,
    /// `[vc]`: virtual channel of the tile.
    folds: [u8; 32],
    /// `[half]`: virtual channels of the network, a bit set.
    halves: [u32; HALVES],
    ports: Vec<TilePort>,
    /// `[port]`: the last packet that came in by it, and waits only later: since when, on which
    /// channel.
    last: Vec<(Instant, u8)>,
    /// `[port * vcs + vc]`: since when its head is the head (`cioq`).
    heads: Vec<Instant>,
    held: StartedStall,
}

/// Ports have smaller numbers.
const NO_CHANNEL: u32 = u32::MAX;

const fn start(ps: u64) -> u64 {
    0_u64.wrapping_sub(ps)
}

impl Tiles {
    pub(crate) fn new(scope: &ProbeScope, shape: &CounterShape) -> Self {
        let ports = scope.routers.len() * scope.radix as usize;
        let of_half = |half: u8| {
            let vcs = (0..32_u32).filter(|vc| shape.folds[*vc as usize] >> 2 == half);
            vcs.fold(0, |set, vc| set | 1 << vc)
        };
        let lanes = if shape.has_crossbar { shape.vcs } else { 0 };
        Self {
            samples: shape.samples(
                scope.routers.clone(),
                scope.radix as usize,
                shape.routers.as_ref(),
            ),
            first: scope.routers.start * scope.radix,
            radix: scope.radix,
            vcs: shape.vcs,
            has_crossbar: shape.has_crossbar,
            folds: shape.folds,
            halves: [of_half(0), of_half(1)],
            ports: vec![TilePort::default(); ports],
            last: vec![(Instant::ZERO, 0); ports],
            heads: vec![Instant::ZERO; ports * lanes],
            held: StartedStall {
                channel: NO_CHANNEL,
                span: Span::ZERO,
            },
        }
    }

    /// The port that a packet came in by, of the router that `channel` leaves, and its fold.
    #[inline(always)]
    fn beside(&self, channel: Channel, packet: &PacketFacts) -> (usize, usize) {
        let first = channel.index - u32::from(channel.port);
        self.lane(first + u32::from(packet.in_port), packet)
    }

    /// The input port and folded virtual channel of a packet at `router`.
    #[inline(always)]
    fn input(&self, router: u32, packet: &PacketFacts) -> (usize, usize) {
        self.lane(router * self.radix + u32::from(packet.in_port), packet)
    }

    #[inline(always)]
    fn lane(&self, number: u32, packet: &PacketFacts) -> (usize, usize) {
        let port = number - self.first;
        let fold = self.folds[usize::from(packet.vc) & 31];
        (port as usize, usize::from(fold))
    }

    #[inline(always)]
    fn output(&self, channel: Channel) -> usize {
        (channel.index - self.first) as usize
    }

    /// The sums of `port` at `at`.
    #[inline(always)]
    fn cells(&mut self, port: usize, at: Instant) -> &mut [u64; CELLS] {
        self.samples.at(port, at)
    }

    #[inline(always)]
    fn begin_wait(&mut self, port: usize, fold: usize, at: Instant) {
        let cells = self.cells(port, at);
        let waiting = &mut cells[WAITING + fold];
        *waiting = waiting.wrapping_add(start(at.ps()));
        let waiters = &mut cells[WAITERS + fold];
        *waiters = waiters.wrapping_add(1);
    }

    #[inline(always)]
    fn end_wait(&mut self, port: usize, fold: usize, at: Instant) {
        let cells = self.cells(port, at);
        let waiting = &mut cells[WAITING + fold];
        *waiting = waiting.wrapping_add(at.ps());
        let waiters = &mut cells[WAITERS + fold];
        *waiters = waiters.wrapping_sub(1);
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, router: u32, packet: &PacketFacts, at: Instant) {
        let (port, fold) = self.input(router, packet);
        let cells = self.cells(port, at);
        cells[fold] += u64::from(packet.flits);
        cells[PACKETS + (fold >> 2)] += 1;
        if self.has_crossbar {
            self.begin_wait(port, fold, at);
        }
    }

    /// `cioq`: a packet becomes head of its input FIFO.
    #[inline(always)]
    pub(crate) fn become_head(&mut self, router: u32, packet: &PacketFacts, at: Instant) {
        let (port, _) = self.input(router, packet);
        self.heads[port * self.vcs + usize::from(packet.vc)] = at;
    }

    /// `cioq`: a head is granted.
    #[inline(always)]
    pub(crate) fn leave(&mut self, router: u32, packet: &PacketFacts, at: Instant) {
        if self.has_crossbar {
            let (port, fold) = self.input(router, packet);
            let since = self.heads[port * self.vcs + usize::from(packet.vc)];
            self.end_wait(port, fold, at);
            self.cells(port, at)[ROW + (fold >> 2)] += at.saturating_since(since).ps();
        }
    }

    /// `voq`: a packet joins the queue of `channel` and may start from `ready` on.
    #[inline(always)]
    pub(crate) fn queue(&mut self, channel: Channel, packet: &PacketFacts, queueing: Queueing) {
        let Queueing { at, ready, .. } = queueing;
        if !self.has_crossbar {
            let (port, fold) = self.beside(channel, packet);
            self.begin_wait(port, fold, ready);
            if ready > at {
                #[expect(clippy::cast_possible_truncation, reason = "one of eight")]
                let last = (ready, fold as u8);
                self.last[port] = last;
            }
            let output = self.output(channel);
            self.ports[output].queued += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn start(&mut self, channel: Channel, packet: &PacketFacts, at: Instant) {
        let output = self.output(channel);
        // What starts while others wait has waited itself (`voq`; else nothing waits here).
        if self.ports[output].queued > 0 {
            self.ports[output].queued -= 1;
            let (port, fold) = self.beside(channel, packet);
            self.end_wait(port, fold, at);
            if self.held.channel == channel.index {
                self.held.channel = NO_CHANNEL;
                let span = self.held.span.ps();
                self.cells(port, at)[ROW + (fold >> 2)] += span;
            }
        }
    }

    /// `channel` is free at `at`, but the virtual channels `lacking` lack credits.
    pub(crate) fn block(&mut self, channel: Channel, lacking: u32, at: Instant) {
        let output = self.output(channel);
        for half in 0..HALVES {
            let is_new = self.ports[output].stalled >> half & 1 == 0;
            if is_new && lacking & self.halves[half] != 0 {
                self.ports[output].stalled |= 1 << half;
                let cells = self.cells(output, at);
                cells[COLUMN + half] = cells[COLUMN + half].wrapping_add(start(at.ps()));
                cells[COLUMNS + half] = cells[COLUMNS + half].wrapping_add(1);
            }
        }
    }

    /// The stall of `channel` ends at `until`: with a start, if the run goes on.
    pub(crate) fn unblock(&mut self, channel: Channel, since: Instant, until: Instant) {
        let output = self.output(channel);
        for half in 0..HALVES {
            if self.ports[output].stalled >> half & 1 == 1 {
                let cells = self.cells(output, until);
                cells[COLUMN + half] = cells[COLUMN + half].wrapping_add(until.ps());
                cells[COLUMNS + half] = cells[COLUMNS + half].wrapping_sub(1);
            }
        }
        self.ports[output].stalled = 0;
        self.held = StartedStall {
            channel: channel.index,
            span: until.saturating_since(since),
        };
    }

    /// Takes back waits that begin after `end`: of each port at most one packet, since the next
    /// one enters only when the tail of this one is in.
    pub(crate) fn close(&mut self, end: Instant) {
        for port in 0..self.ports.len() {
            let (since, fold) = self.last[port];
            if since > end {
                self.end_wait(port, usize::from(fold), since);
            }
        }
        self.samples.close();
    }

    pub(crate) const fn samples(&self) -> &Samples<CELLS> {
        &self.samples
    }

    pub(crate) const fn samples_mut(&mut self) -> &mut Samples<CELLS> {
        &mut self.samples
    }

    /// Numbers of its ports among those of all routers.
    #[expect(clippy::cast_possible_truncation, reason = "ports have 32 bits")]
    pub(crate) fn numbers(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.ports.len() as u32
    }

    /// What a port has counted at `at`, by the sums of all ports.
    pub(crate) fn read(&self, sums: &[[u64; CELLS]], number: u32, at: Instant) -> TileCounts {
        let cells = &sums[(number - self.first) as usize];
        let waited =
            |sum: usize, count: usize| cells[sum].wrapping_add(cells[count].wrapping_mul(at.ps()));
        TileCounts {
            flits: std::array::from_fn(|vc| cells[vc]),
            waiting_ps: std::array::from_fn(|vc| waited(WAITING + vc, WAITERS + vc)),
            packets: std::array::from_fn(|half| cells[PACKETS + half]),
            row_stall_ps: std::array::from_fn(|half| cells[ROW + half]),
            column_stall_ps: std::array::from_fn(|half| waited(COLUMN + half, COLUMNS + half)),
        }
    }
}
