//! Input FIFOs and the state of the crossbar of a `cioq` router.
//!
//! Ticks at which nothing can be granted are skipped: every head knows the first tick at which it
//! is worth trying again, and the crossbar the least of them.

use odonata_units::dense::{Dense, at};
use odonata_units::{Instant, Span};

use crate::parameters::Architecture;
use crate::shared::Shared;

/// FIFO of one input port and virtual channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputQueue {
    pub(crate) head: u32,
    pub(crate) tail: u32,
    /// Grants so far of the crossbar when this input was last granted: smaller goes first.
    pub(crate) stamp: u64,
    /// First tick worth trying.
    pub(crate) try_at: Instant,
    /// Input port it belongs to.
    pub(crate) port: u16,
    /// Where the head wants to go.
    pub(crate) output: u16,
    pub(crate) vc: u8,
    pub(crate) occupied: bool,
    pub(crate) flits: u16,
    /// The output FIFO had no room at the last try.
    pub(crate) needs_room: bool,
}

/// A head that waits for the crossbar: its place in the slab, and where it wants to go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) place: u32,
    pub(crate) output: u16,
    pub(crate) vc: u8,
}

/// The crossbar of one router.
#[derive(Debug)]
pub(crate) struct Crossbar {
    /// `[port * vcs + vc]`.
    pub(crate) inputs: Dense<InputQueue>,
    pub(crate) in_free: Dense<Instant>,
    pub(crate) out_free: Dense<Instant>,
    /// Inputs that have a head.
    pub(crate) active: Vec<u16>,
    pub(crate) next_tick: Instant,
    pub(crate) stamp: u64,
    pub(crate) grid: Grid,
    /// Scratch: candidates by stamp; inputs granted at this tick.
    pub(crate) order: Vec<(u64, u16)>,
    pub(crate) granted: Vec<u16>,
}

impl Crossbar {
    /// Without inputs in a `voq` router.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn new(shared: &Shared) -> Self {
        let has_inputs = shared.parameters.architecture == Architecture::Cioq;
        let radix = if has_inputs { shared.radix } else { 0 };
        let inputs = (0..radix * shared.vcs).map(|place| InputQueue {
            head: 0,
            tail: 0,
            stamp: place as u64,
            try_at: Instant::NEVER,
            port: (place / shared.vcs) as u16,
            output: 0,
            vc: 0,
            occupied: false,
            flits: 0,
            needs_room: false,
        });
        Self {
            inputs: inputs.collect(),
            in_free: (0..radix).map(|_| Instant::ZERO).collect(),
            out_free: (0..radix).map(|_| Instant::ZERO).collect(),
            active: Vec::new(),
            next_tick: Instant::NEVER,
            stamp: (radix * shared.vcs) as u64,
            grid: Grid::new(shared.times.crossbar_cycle),
            order: Vec::new(),
            granted: Vec::new(),
        }
    }

    pub(crate) fn plan(&mut self, input: usize, try_at: Instant) {
        self.inputs[input].try_at = try_at;
        self.next_tick = self.next_tick.min(try_at);
    }

    /// `input` was granted: it goes last from now on.
    pub(crate) fn note_grant(&mut self, input: u16) {
        self.inputs[usize::from(input)].stamp = self.stamp;
        self.stamp += 1;
    }

    /// The heads.
    pub(crate) fn heads(&self) -> impl Iterator<Item = Head> + '_ {
        let heads = self
            .active
            .iter()
            .map(|input| &self.inputs[usize::from(*input)]);
        heads.map(|input| Head {
            place: input.head,
            output: input.output,
            vc: input.vc,
        })
    }

    /// The next decision of output `port` may have moved to `decision`: heads that wait for room
    /// there try again right behind it.
    pub(crate) fn retry_blocked(&mut self, port: usize, decision: Instant) {
        if decision == Instant::NEVER {
            return;
        }
        let tick = self.grid.after(decision);
        for place in 0..self.active.len() {
            let input = usize::from(*at(&self.active, place));
            let head = &mut self.inputs[input];
            if head.needs_room && usize::from(head.output) == port && tick < head.try_at {
                self.plan(input, tick);
            }
        }
    }
}

/// The grid of crossbar ticks: multiples of a cycle, found without dividing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) cycle: Span,
    /// `ceil(2^64 / cycle)`.
    reciprocal: u64,
}

impl Grid {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "not used for a cycle of 1 ps"
    )]
    fn new(cycle: Span) -> Self {
        Self {
            cycle,
            reciprocal: (1_u128 << 64).div_ceil(u128::from(cycle.ps())) as u64,
        }
    }

    /// First tick after `at`. The product is exact while `ps * cycle < 2^64`: for hours of
    /// simulated time.
    #[inline]
    pub(crate) const fn after(self, at: Instant) -> Instant {
        if self.cycle.ps() == 1 {
            return Instant::from_ps(at.ps() + 1);
        }
        let ticks = ((at.ps() as u128 * self.reciprocal as u128) >> 64) as u64;
        Instant::from_ps((ticks + 1) * self.cycle.ps())
    }
}
