//! The host of a rank: when its CPU is away, what its calls cost beyond the preset, and how much
//! slower it is because others share the node. `docs/model/hosts.md` has the rules.

use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Purpose, Span, Stream};

mod cpu;
mod detours;
mod law;
mod recording;

use cpu::Cpu;
pub use detours::Detours;
pub use law::{Distribution, Law};
pub use recording::Recording;

/// Cost of a call beyond the steps of the library.
#[derive(Clone, Copy, Debug)]
pub enum CallCost {
    /// Time that entering takes more, ps.
    Added(Distribution),
    /// Factor of every step of the call.
    Factor(Distribution),
}

/// Hosts of a system.
#[derive(Clone, Debug, Default)]
pub struct HostModel {
    /// Sources of detours; a CPU is away while any of them has one.
    pub detours: Vec<Detours>,
    /// Costs that are drawn for every call.
    pub calls: Vec<CallCost>,
    /// Cores of a node; `None`: one for each rank.
    pub cores: Option<u32>,
    /// Bandwidth of the memory of a node, bytes per second; `None`: it is never in the way.
    pub memory_bytes_per_s: Option<u64>,
    /// Part of it that the computation of one rank takes, bytes per second.
    pub traffic_bytes_per_s: u64,
}

/// Where the time of a rank went that its host took, sums.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, BorshSerialize, BorshDeserialize)]
pub struct HostTime {
    /// Detours while the rank computed.
    pub in_computation: Span,
    /// Detours while it was in a call and could have gone on.
    pub in_calls: Span,
    /// Time of calls beyond that of the library.
    pub calls: Span,
    /// Delay of steps by ranks that share cores, and of computation by ranks that share memory.
    pub sharing: Span,
    /// Waits of messages inside of the node for its memory.
    pub memory: Span,
}

/// A fraction by which time grows.
#[derive(Clone, Copy, Debug)]
struct Slower {
    by: u64,
    of: u64,
}

impl Slower {
    const NOT: Self = Self { by: 1, of: 1 };

    /// `by / of` if that is above 1.
    const fn than(by: u64, of: u64) -> Self {
        if by > of { Self { by, of } } else { Self::NOT }
    }

    const fn is_above(self, other: Self) -> bool {
        self.by as u128 * other.of as u128 > other.by as u128 * self.of as u128
    }

    fn times(self, work: Span) -> Span {
        if self.by == self.of {
            return work;
        }
        let longer = u128::from(work.ps()) * u128::from(self.by) / u128::from(self.of);
        Span::from_ps(u64::try_from(longer).unwrap_or(u64::MAX))
    }
}

/// Millionths that are the costs of the library.
pub(crate) const USUAL: u64 = 1_000_000;

/// The host of one rank.
#[derive(Debug)]
pub(crate) struct Host {
    model: Arc<HostModel>,
    seed: u64,
    /// Node and rank on it.
    place: u64,
    /// By stream of the rank: one CPU each.
    cpus: Vec<Cpu>,
    draws: Stream,
    in_calls: Slower,
    in_computation: Slower,
    spent: HostTime,
}

impl Host {
    /// The host of the rank `local_rank` of `node`, which `ranks` share.
    pub(crate) fn new(model: Arc<HostModel>, seed: u64, place: Place) -> Self {
        let Place {
            node,
            local_rank,
            ranks,
        } = place;
        let place = (u64::from(node) << 8) | u64::from(local_rank);
        let cores = model.cores.unwrap_or(ranks);
        let by_cores = Slower::than(ranks.into(), cores.into());
        let traffic = u64::from(ranks).saturating_mul(model.traffic_bytes_per_s);
        let by_memory = (model.memory_bytes_per_s)
            .map_or(Slower::NOT, |carried| Slower::than(traffic, carried));
        Self {
            draws: Stream::new(seed, Purpose::Host, key(place, 0)),
            in_calls: by_cores,
            in_computation: if by_memory.is_above(by_cores) {
                by_memory
            } else {
                by_cores
            },
            model,
            seed,
            place,
            cpus: Vec::new(),
            spent: HostTime::default(),
        }
    }

    /// Time that the host has taken so far.
    pub(crate) const fn spent(&self) -> HostTime {
        self.spent
    }

    /// A message inside of the node has waited for its memory.
    pub(crate) fn note_memory(&mut self, waited: Span) {
        self.spent.memory += waited;
    }

    fn cpu(&mut self, stream: u32) -> &mut Cpu {
        let index = stream as usize;
        while self.cpus.len() <= index {
            let entity = key(self.place, self.cpus.len() as u64 + 1);
            let root = Stream::new(self.seed, Purpose::Host, entity);
            self.cpus.push(Cpu::new(&self.model.detours, root));
        }
        &mut self.cpus[index]
    }

    /// When a call that could go on at `now` does so: then, or behind a detour.
    pub(crate) fn back_at(&mut self, stream: u32, now: Instant) -> Instant {
        if self.model.detours.is_empty() {
            return now;
        }
        let back = self.cpu(stream).end_of_work(now, Span::ZERO);
        self.spent.in_calls += back - now;
        back
    }

    /// When a computation of `work` ends that begins at `now`.
    pub(crate) fn computed(&mut self, stream: u32, now: Instant, work: Span) -> Instant {
        let shared = self.in_computation.times(work);
        self.spent.sharing += shared.saturating_sub(work);
        let end = self.end_of(stream, now, shared);
        self.spent.in_computation += (end - now).saturating_sub(shared);
        end
    }

    /// When a step of a call ends that begins at `now`, takes `work` by the library, and is in a
    /// call of which everything costs `millionths` of that.
    pub(crate) fn called(
        &mut self,
        stream: u32,
        now: Instant,
        work: Span,
        millionths: u64,
    ) -> Instant {
        let by = Slower {
            by: millionths,
            of: USUAL,
        };
        let priced = by.times(work);
        let shared = self.in_calls.times(priced);
        self.spent.calls += priced.saturating_sub(work);
        self.spent.sharing += shared.saturating_sub(priced);
        let end = self.end_of(stream, now, shared);
        self.spent.in_calls += (end - now).saturating_sub(shared);
        end
    }

    fn end_of(&mut self, stream: u32, now: Instant, work: Span) -> Instant {
        if self.model.detours.is_empty() {
            return now + work;
        }
        self.cpu(stream).end_of_work(now, work)
    }

    /// Extra time to enter the next call, and the price of its steps in millionths.
    pub(crate) fn call(&mut self) -> (Span, u64) {
        let (mut added, mut millionths) = (0_u64, USUAL);
        for cost in &self.model.calls {
            match cost {
                CallCost::Added(law) => {
                    added = added.saturating_add(law::whole(law.draw(&mut self.draws)));
                }
                CallCost::Factor(law) => {
                    let factor = law.draw(&mut self.draws);
                    #[expect(clippy::cast_precision_loss, reason = "factors are small")]
                    let product = millionths as f64 * factor;
                    millionths = law::whole(product);
                }
            }
        }
        let added = Span::from_ps(added);
        self.spent.calls += added;
        (added, millionths)
    }
}

/// Where a rank sits.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Node.
    pub node: u32,
    /// Its number on the node.
    pub local_rank: u8,
    /// Ranks of the node, of all jobs.
    pub ranks: u32,
}

/// The entity of a stream of random numbers: nodes have 24 bits, ranks on them 8.
const fn key(place: u64, number: u64) -> u64 {
    (place << 24) | number
}
