//! Input FIFOs and the state of the crossbar of a `cioq` router.
//!
//! Ticks at which nothing can be granted are skipped: every head knows the first tick at which it
//! is worth trying again, and the crossbar the least of them.

use std::hint::select_unpredictable;

use odonata_topology::PortIndex;
use odonata_units::{Instant, Span};

use crate::model::index::{InputIndex, SlabIndex};
use crate::model::parameters::Architecture;
use crate::shared::all_groups::Shared;

/// FIFO of one input port and virtual channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputQueue {
    /// The first and the last packet of the FIFO; they mean nothing while it is empty.
    pub(crate) head: SlabIndex,
    pub(crate) tail: SlabIndex,
    /// Smaller goes first, see [`WaitingHead`].
    rank: u64,
    /// Position of its head among those that wait.
    waits_at: u16,
    /// The input port that the FIFO belongs to.
    pub(crate) port: PortIndex,
    /// The output port that the head is to leave by.
    pub(crate) output: PortIndex,
    pub(crate) vc: u8,
    pub(crate) occupied: bool,
    pub(crate) flits: u16,
    /// The output FIFO had no room at the last try.
    pub(crate) needs_room: bool,
}

/// The head of an input, which waits to be granted. Those of a router lie together, for every tick
/// looks at all of them.
#[derive(Clone, Copy, Debug)]
struct WaitingHead {
    /// First tick worth trying.
    try_at: Instant,
    /// Grants so far of the crossbar when the input was last granted, and in the lowest bits the
    /// input: least recently granted goes first.
    rank: u64,
}

/// Bits of an input in a rank: it is one of radix times virtual channels.
const INPUT_BITS: u32 = 16;

/// The input of a rank.
#[inline(always)]
const fn input_of(rank: u64) -> InputIndex {
    InputIndex((rank & ((1 << INPUT_BITS) - 1)) as usize)
}

/// A head that waits for the crossbar: its index in the slab, and where it wants to go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) index: SlabIndex,
    pub(crate) output: PortIndex,
    pub(crate) vc: u8,
}

/// The crossbar of one router.
#[derive(Debug)]
pub(crate) struct Crossbar {
    /// `[port * vcs + vc]`.
    pub(crate) inputs: Vec<InputQueue>,
    pub(crate) in_free: Vec<Instant>,
    pub(crate) out_free: Vec<Instant>,
    pub(crate) next_tick: Instant,
    /// The inputs that have a head, in any order.
    waiting: Vec<WaitingHead>,
    /// Grants so far, and one for each input before the first.
    grants: u64,
    pub(crate) grid: Grid,
    /// Scratch: ranks of those that are due at a tick, at least as long as `waiting`.
    due: Vec<u64>,
}

impl Crossbar {
    /// The crossbar of a router; without inputs under `voq`.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn new(shared: &Shared) -> Self {
        let has_inputs = shared.parameters.architecture == Architecture::Cioq;
        let radix = if has_inputs { shared.radix } else { 0 };
        let inputs = (0..radix * shared.vcs).map(|input| InputQueue {
            head: SlabIndex::FIRST,
            tail: SlabIndex::FIRST,
            rank: rank(input as u64, InputIndex(input)),
            waits_at: 0,
            port: PortIndex((input / shared.vcs) as u16),
            output: PortIndex(0),
            vc: 0,
            occupied: false,
            flits: 0,
            needs_room: false,
        });
        Self {
            inputs: inputs.collect(),
            in_free: (0..radix).map(|_| Instant::ZERO).collect(),
            out_free: (0..radix).map(|_| Instant::ZERO).collect(),
            next_tick: Instant::NEVER,
            waiting: Vec::new(),
            grants: (radix * shared.vcs) as u64,
            grid: Grid::new(shared.times.crossbar_cycle),
            due: Vec::new(),
        }
    }

    /// Whether no packet waits in an input.
    pub(crate) const fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Gives `input`, which was empty, a head.
    #[expect(clippy::cast_possible_truncation, reason = "an input has 16 bits")]
    pub(crate) fn begin(&mut self, input: InputIndex) {
        let queue = &mut self.inputs[input.index()];
        queue.waits_at = self.waiting.len() as u16;
        self.waiting.push(WaitingHead {
            try_at: Instant::NEVER,
            rank: queue.rank,
        });
        if self.due.len() < self.waiting.len() {
            self.due.push(0);
        }
    }

    /// Notes that `input` has no head any more.
    #[inline(always)]
    pub(crate) fn end(&mut self, input: InputIndex) {
        let position = self.inputs[input.index()].waits_at;
        self.waiting.swap_remove(usize::from(position));
        if let Some(moved) = self.waiting.get(usize::from(position)) {
            self.inputs[input_of(moved.rank).index()].waits_at = position;
        }
    }

    /// Lets the head of `input` try at `try_at` and not before.
    #[inline(always)]
    pub(crate) fn plan(&mut self, input: InputIndex, try_at: Instant) {
        let position = usize::from(self.inputs[input.index()].waits_at);
        self.waiting[position].try_at = try_at;
        self.next_tick = self.next_tick.min(try_at);
    }

    /// Notes that `input` was granted: it goes last from now on.
    #[inline(always)]
    pub(crate) fn note_grant(&mut self, input: InputIndex) {
        let queue = &mut self.inputs[input.index()];
        queue.rank = rank(self.grants, input);
        self.waiting[usize::from(queue.waits_at)].rank = queue.rank;
        self.grants += 1;
    }

    /// Finds those that are due at `tick`, and the next tick of the others: whoever is due plans
    /// its next try itself. Returns how many; see [`Crossbar::due`].
    ///
    /// It does so without branches: which inputs are due is as good as random.
    #[inline(always)]
    pub(crate) fn find_due(&mut self, tick: Instant) -> usize {
        let (mut count, mut next) = (0, Instant::NEVER);
        for one in &self.waiting {
            self.due[count] = one.rank;
            let is_due = one.try_at <= tick;
            count += usize::from(is_due);
            let later = select_unpredictable(is_due, Instant::NEVER, one.try_at);
            next = next.min(later);
        }
        self.next_tick = next;
        count
    }

    /// Puts the `count` that were found to be due in order: least recently granted first.
    #[inline(always)]
    pub(crate) fn sort_due(&mut self, count: usize) {
        self.due[..count].sort_unstable();
    }

    /// The input that is number `number` of those that are due.
    #[inline(always)]
    pub(crate) fn due(&self, number: usize) -> InputIndex {
        input_of(self.due[number])
    }

    /// Makes what was due as number `from` number `to` of those that are granted.
    #[inline(always)]
    pub(crate) fn keep_due(&mut self, from: usize, to: usize) {
        self.due[to] = self.due[from];
    }

    /// Puts the first `count` in the order of inputs.
    #[inline(always)]
    pub(crate) fn sort_by_input(&mut self, count: usize) {
        let ranks = &mut self.due[..count];
        ranks.sort_unstable_by_key(|rank| input_of(*rank));
    }

    /// The heads that wait.
    pub(crate) fn heads(&self) -> impl Iterator<Item = Head> + '_ {
        let heads = self
            .waiting
            .iter()
            .map(|waiting| &self.inputs[input_of(waiting.rank).index()]);
        heads.map(|input| Head {
            index: input.head,
            output: input.output,
            vc: input.vc,
        })
    }

    /// Lets heads that wait for room at output `port` try again right behind `decision`, to which
    /// the next decision of the port may have moved.
    pub(crate) fn retry_blocked(&mut self, port: PortIndex, decision: Instant) {
        if decision == Instant::NEVER {
            return;
        }
        let tick = self.grid.after(decision);
        for waiting in &mut self.waiting {
            let head = &self.inputs[input_of(waiting.rank).index()];
            if head.needs_room && head.output == port && tick < waiting.try_at {
                waiting.try_at = tick;
                self.next_tick = self.next_tick.min(tick);
            }
        }
    }
}

/// The rank of an input that was last granted when the crossbar had given `grants`.
const fn rank(grants: u64, input: InputIndex) -> u64 {
    grants << INPUT_BITS | input.index() as u64
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
