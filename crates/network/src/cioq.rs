//! Input FIFOs and crossbar of a `cioq` router.
//!
//! Ticks at which nothing can be granted are skipped: every head knows the first tick at which it
//! is worth trying again, and the crossbar the least of them.

use odonata_routing::Hop;
use odonata_topology::PortIndex;
use odonata_units::Instant;

use crate::block::{Context, State};
use crate::endpoint::Endpoint;
use crate::output::Start;
use crate::packet::{Lesson, Packet};
use crate::shared::Shared;

const NEVER: u64 = u64::MAX;

/// FIFO of one input port and virtual channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    head: u32,
    tail: u32,
    /// Grants so far of the crossbar when this input was last granted: smaller goes first.
    stamp: u64,
    /// First tick worth trying.
    try_at: u64,
    /// Input port it belongs to.
    port: u16,
    /// Where the head wants to go.
    output: u16,
    vc: u8,
    occupied: bool,
    flits: u16,
    /// The output FIFO had no room at the last try.
    needs_room: bool,
}

/// The crossbar of one router.
#[derive(Debug)]
pub(crate) struct Crossbar {
    /// `[port * vcs + vc]`.
    inputs: Vec<Input>,
    in_free: Vec<u64>,
    out_free: Vec<u64>,
    /// Inputs that have a head.
    active: Vec<u16>,
    next_tick: u64,
    stamp: u64,
    grid: Grid,
    /// Scratch: candidates by stamp; inputs granted at this tick.
    order: Vec<(u64, u16)>,
    granted: Vec<u16>,
}

impl Crossbar {
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn new(shared: &Shared) -> Self {
        let inputs = (0..shared.radix * shared.vcs).map(|place| Input {
            head: 0,
            tail: 0,
            stamp: place as u64,
            try_at: NEVER,
            port: (place / shared.vcs) as u16,
            output: 0,
            vc: 0,
            occupied: false,
            flits: 0,
            needs_room: false,
        });
        Self {
            inputs: inputs.collect(),
            in_free: vec![0; shared.radix],
            out_free: vec![0; shared.radix],
            active: Vec::new(),
            next_tick: NEVER,
            stamp: (shared.radix * shared.vcs) as u64,
            grid: Grid::new(shared.times.crossbar_cycle),
            order: Vec::new(),
            granted: Vec::new(),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.active.is_empty()
    }

    fn plan(&mut self, input: usize, try_at: u64) {
        self.inputs[input].try_at = try_at;
        self.next_tick = self.next_tick.min(try_at);
    }

    /// Heads: place in the slab, output port and VC they ask for.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (u32, u16, u8)> + '_ {
        let heads = self
            .active
            .iter()
            .map(|input| &self.inputs[usize::from(*input)]);
        heads.map(|input| (input.head, input.output, input.vc))
    }
}

/// The grid of crossbar ticks: multiples of a cycle, found without dividing.
#[derive(Clone, Copy, Debug)]
struct Grid {
    cycle: u64,
    /// `ceil(2^64 / cycle)`.
    reciprocal: u64,
}

impl Grid {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "not used for a cycle of 1 ps"
    )]
    fn new(cycle: u64) -> Self {
        Self {
            cycle,
            reciprocal: (1_u128 << 64).div_ceil(u128::from(cycle)) as u64,
        }
    }

    /// First tick after `ps`. The product is exact while `ps * cycle < 2^64`: for hours of
    /// simulated time.
    #[inline]
    const fn after(self, ps: u64) -> u64 {
        if self.cycle == 1 {
            return ps + 1;
        }
        let ticks = ((ps as u128 * self.reciprocal as u128) >> 64) as u64;
        (ticks + 1) * self.cycle
    }
}

impl<E: Endpoint> State<E> {
    /// Grants everything that is due at ticks up to `limit`.
    #[inline]
    pub(crate) fn run_crossbar<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        limit: u64,
    ) {
        if !context.shared.is_cioq {
            return;
        }
        while self.crossbars[router].next_tick <= limit {
            let tick = self.crossbars[router].next_tick;
            self.arbitrate(context, router, tick);
        }
    }

    /// A packet enters `router`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an input is one of radix times vcs"
    )]
    pub(crate) fn enter_input<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        packet: Packet,
        now: u64,
    ) {
        let shared = context.shared;
        let input = usize::from(packet.in_port) * shared.vcs + usize::from(packet.vc);
        let place = self.slab.insert(packet);
        if shared.times.has_ready {
            self.slab.set_ready(place, Instant::from_ps(now));
        }
        if shared.learns() {
            let entered = now;
            let estimate_ns = 0;
            self.slab.set_lesson(
                place,
                Lesson {
                    entered,
                    estimate_ns,
                },
            );
        }
        let crossbar = &mut self.crossbars[router];
        let fifo = &mut crossbar.inputs[input];
        if fifo.occupied {
            self.slab.get_mut(fifo.tail).link = place;
            fifo.tail = place;
            return;
        }
        (fifo.head, fifo.tail, fifo.occupied) = (place, place, true);
        crossbar.active.push(input as u16);
        self.make_head(context, router, input, (now, now));
    }

    /// Routes the head of `input`, which became so at `now`; output decisions up to `limit` show.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    fn make_head<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        input: usize,
        (now, limit): (u64, u64),
    ) {
        let place = self.crossbars[router].inputs[input].head;
        if context.shared.learns() {
            let packet = *self.slab.get(place);
            let entered = self.slab.lesson(place).entered;
            let lesson = self.note_lesson(context.shared, router, &packet, entered);
            self.slab.set_lesson(place, lesson);
        }
        let (hop, flits) = self.route_waiting(context, router, place, (now, limit));
        let crossbar = &mut self.crossbars[router];
        let head = &mut crossbar.inputs[input];
        (head.output, head.vc, head.flits) = (hop.port.index() as u16, hop.vc, flits);
        head.needs_room = false;
        let try_at = crossbar
            .grid
            .after(now)
            .max(crossbar.in_free[usize::from(crossbar.inputs[input].port)])
            .max(crossbar.out_free[hop.port.index()]);
        crossbar.plan(input, try_at);
    }

    /// One tick: least recently granted first, then move what was granted.
    fn arbitrate<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        tick: u64,
    ) {
        context.stats.events += 1;
        let crossbar = &mut self.crossbars[router];
        let (mut due, mut only, mut next) = (0_u32, 0, NEVER);
        for input in &crossbar.active {
            let try_at = crossbar.inputs[usize::from(*input)].try_at;
            if try_at <= tick {
                due += 1;
                only = *input;
            } else {
                next = next.min(try_at);
            }
        }
        // Whoever is due plans its next try itself.
        crossbar.next_tick = next;
        if due > 1 {
            self.arbitrate_among(context, router, tick);
        } else if due == 1 && self.grant(context, router, usize::from(only), tick) {
            let crossbar = &mut self.crossbars[router];
            crossbar.inputs[usize::from(only)].stamp = crossbar.stamp;
            crossbar.stamp += 1;
            self.transfer(context, router, usize::from(only), tick);
        }
    }

    /// The same for several inputs that are due.
    fn arbitrate_among<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        tick: u64,
    ) {
        let crossbar = &mut self.crossbars[router];
        let mut order = std::mem::take(&mut crossbar.order);
        let mut granted = std::mem::take(&mut crossbar.granted);
        order.clear();
        granted.clear();
        for input in &crossbar.active {
            let head = &crossbar.inputs[usize::from(*input)];
            if head.try_at <= tick {
                order.push((head.stamp, *input));
            }
        }
        order.sort_unstable();
        for (_, input) in &order {
            if self.grant(context, router, usize::from(*input), tick) {
                granted.push(*input);
            }
        }
        // In reverse: the first granted becomes the most recent.
        let crossbar = &mut self.crossbars[router];
        for input in granted.iter().rev() {
            crossbar.inputs[usize::from(*input)].stamp = crossbar.stamp;
            crossbar.stamp += 1;
        }
        granted.sort_unstable();
        for input in &granted {
            self.transfer(context, router, usize::from(*input), tick);
        }
        let crossbar = &mut self.crossbars[router];
        crossbar.order = order;
        crossbar.granted = granted;
    }

    /// Grants the head of `input` at `tick`, or plans its next try.
    fn grant<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        input: usize,
        tick: u64,
    ) -> bool {
        let shared = context.shared;
        let crossbar = &mut self.crossbars[router];
        let head = crossbar.inputs[input];
        let port = usize::from(head.port);
        let to = usize::from(head.output);
        let free = crossbar.in_free[port].max(crossbar.out_free[to]);
        if free > tick {
            crossbar.plan(input, free);
            return false;
        }
        let output = router * shared.radix + to;
        let lane = output * shared.vcs + usize::from(head.vc);
        if self.lanes[lane].room < u32::from(head.flits) {
            self.run_output(context, output, tick - 1);
        }
        let has_room = self.lanes[lane].room >= u32::from(head.flits);
        let crossbar = &mut self.crossbars[router];
        if has_room {
            let busy_until = tick + u64::from(head.flits) * crossbar.grid.cycle;
            crossbar.in_free[port] = busy_until;
            crossbar.out_free[to] = busy_until;
            crossbar.inputs[input].needs_room = false;
            return true;
        }
        let decision = self.outputs[output].next_decision();
        let try_at = if decision == NEVER {
            NEVER
        } else {
            crossbar.grid.after(decision)
        };
        crossbar.inputs[input].needs_room = true;
        crossbar.plan(input, try_at);
        false
    }

    /// Moves the head of `input` to its output FIFO.
    fn transfer<const RICH: bool>(
        &mut self,
        context: &mut Context<'_, RICH>,
        router: usize,
        input: usize,
        tick: u64,
    ) {
        let shared = context.shared;
        let fifo = &mut self.crossbars[router].inputs[input];
        let place = fifo.head;
        let hop = Hop {
            port: PortIndex(fifo.output),
            vc: fifo.vc,
        };
        let is_last = place == fifo.tail;
        let entered = if shared.times.has_ready {
            self.slab.ready(place).ps()
        } else {
            tick
        };
        let packet = *self.slab.get(place);
        fifo.head = packet.link;
        fifo.occupied = !is_last;
        if shared.learns() {
            self.lesson = self.slab.lesson(place);
        }
        self.return_credits(context, router, &packet, tick);
        if is_last {
            let crossbar = &mut self.crossbars[router];
            crossbar.inputs[input].try_at = NEVER;
            if let Some(place) = crossbar
                .active
                .iter()
                .position(|one| usize::from(*one) == input)
            {
                crossbar.active.swap_remove(place);
            }
        } else {
            self.make_head(context, router, input, (tick, tick - 1));
        }
        let output = router * shared.radix + hop.port.index();
        self.run_output(context, output, tick - 1);
        if shared.times.has_ready {
            let from = shared.kinds[usize::from(packet.in_port)];
            let wait = shared
                .times
                .ready(from, self.outputs[output].kind(), packet.flits);
            self.slab.set_ready(place, Instant::from_ps(entered + wait));
        }
        let start = Start {
            output,
            vc: hop.vc,
            at: tick,
        };
        self.push(shared, (place, packet.flits), start);
        if shared.times.has_ready {
            // The port may have waited for a head to become ready; now it decides earlier.
            self.retry_blocked(&shared, router, output);
        }
    }

    /// The next decision of `output` may have moved: heads that wait for room there try again right
    /// behind it.
    pub(crate) fn retry_blocked(&mut self, shared: &Shared, router: usize, output: usize) {
        let decision = self.outputs[output].next_decision();
        if decision == NEVER {
            return;
        }
        let port = output - router * shared.radix;
        let crossbar = &mut self.crossbars[router];
        for place in 0..crossbar.active.len() {
            let input = usize::from(crossbar.active[place]);
            let tick = crossbar.grid.after(decision);
            let head = &mut crossbar.inputs[input];
            if head.needs_room && usize::from(head.output) == port && tick < head.try_at {
                crossbar.plan(input, tick);
            }
        }
    }
}
