//! Times by link kind and packet length, as tables.

use odonata_topology::LinkKind;
use odonata_units::Span;

use crate::model::cables::Cables;
use crate::model::parameters::Parameters;

/// The times of a packet on a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HopTimes {
    /// How long the packet occupies the channel.
    pub(crate) serialization: Span,
    /// The time from the start of the packet to its entry in the next router.
    pub(crate) entry: Span,
}

/// Times by link kind and packet length, ps.
#[derive(Debug)]
pub(crate) struct Times {
    /// `[flits << KIND_BITS | kind]`; a packet towards a node enters nothing.
    hops: Vec<HopTimes>,
    /// `[flits]`: the times of a packet from a node into its router.
    injections: Vec<HopTimes>,
    /// `[from][to][flits]`.
    ready: [[Vec<Span>; KINDS]; KINDS],
    delivery: Vec<Span>,
    /// Links differ in bandwidth: some packets may not start as soon as they are there.
    pub(crate) has_ready: bool,
    credit_return: [Span; KINDS],
    wake_up: [Span; KINDS],
    cables: Cables,
    pub(crate) crossbar_cycle: Span,
}

const KINDS: usize = LinkKind::ALL.len();
const KIND_BITS: u32 = KINDS.next_power_of_two().ilog2();

impl Times {
    pub(crate) fn new(parameters: &Parameters, kinds: &[LinkKind]) -> Self {
        let flits = 0..=parameters.largest_flits();
        let table = |f: &dyn Fn(u32) -> Span| flits.clone().map(f).collect::<Vec<_>>();
        let all = LinkKind::ALL;
        let ready = all.map(|from| all.map(|to| table(&|n| parameters.ready_delay(from, to, n))));
        let waits = |from: LinkKind, to: LinkKind| {
            ready[from as usize][to as usize]
                .iter()
                .any(|span| *span > Span::ZERO)
        };
        let has_ready = kinds
            .iter()
            .any(|from| kinds.iter().any(|to| waits(*from, *to)));
        let hop = |kind, n| HopTimes {
            serialization: parameters.serialization(kind, n),
            entry: parameters.entry_delay(kind, n),
        };
        let towards = |kind, n| match kind {
            LinkKind::Host => HopTimes {
                entry: Span::ZERO,
                ..hop(kind, n)
            },
            _ => hop(kind, n),
        };
        Self {
            hops: flits
                .clone()
                .flat_map(|n| (0..1 << KIND_BITS).map(move |kind| (n, kind)))
                .map(|(n, kind)| towards(all[kind.min(KINDS - 1)], n))
                .collect(),
            injections: flits.clone().map(|n| hop(LinkKind::Host, n)).collect(),
            ready,
            delivery: table(&|n| parameters.delivery_delay(n)),
            has_ready,
            credit_return: all.map(|kind| parameters.credit_return(kind)),
            wake_up: all.map(|kind| parameters.wake_up(kind)),
            cables: parameters.cables(),
            crossbar_cycle: parameters.crossbar_cycle(),
        }
    }

    /// The times of a packet of `flits` on a link of `kind`.
    #[inline]
    pub(crate) fn hop(&self, kind: LinkKind, flits: u16) -> HopTimes {
        self.hops[(flits as usize) << KIND_BITS | kind as usize]
    }

    /// The times of a packet from a node into its router.
    #[inline]
    pub(crate) fn injection(&self, flits: u16) -> HopTimes {
        self.injections[flits as usize]
    }

    /// The time from the entry of a packet over `from` to its first possible start over `to`.
    #[inline]
    pub(crate) fn ready(&self, from: LinkKind, to: LinkKind, flits: u16) -> Span {
        self.ready[from as usize][to as usize][flits as usize]
    }

    /// The time from the start of a packet on a host link to its delivery.
    #[inline]
    pub(crate) fn delivery(&self, flits: u16) -> Span {
        self.delivery[flits as usize]
    }

    /// The time from the instant at which a packet leaves an input buffer to the instant at which
    /// its credits are usable.
    #[inline]
    pub(crate) const fn credit_return(&self, kind: LinkKind) -> Span {
        self.credit_return[kind as usize]
    }

    /// The wake-up span of an output stage.
    #[inline]
    pub(crate) const fn wake_up(&self, kind: LinkKind) -> Span {
        self.wake_up[kind as usize]
    }

    /// The longest time anything spends on a link of these kinds.
    pub(crate) fn longest(&self, kinds: &[LinkKind]) -> Span {
        let of_kind = |kind: &LinkKind| {
            let hops = self.hops.iter().skip(*kind as usize);
            let hops = hops.step_by(1 << KIND_BITS);
            let entries = hops.chain(self.injections.iter()).map(|hop| hop.entry);
            let longest = entries.fold(self.credit_return(*kind), Span::max);
            longest + self.cables.longest(*kind)
        };
        let delivery = self.delivery.iter().copied();
        kinds
            .iter()
            .map(of_kind)
            .chain(delivery)
            .max()
            .unwrap_or(Span::ZERO)
    }
}
