//! Every span of the page "Link", "Credits" and "Router `cioq`", computed from the raw numbers.

use odonata_network::{Architecture, Delivery, Parameters, Switching};
use odonata_topology::LinkKind;
use odonata_units::{Instant, Span};

/// Spans derived from the parameters of a run.
#[derive(Clone, Copy)]
pub(crate) struct Timing<'a> {
    parameters: &'a Parameters,
}

impl<'a> Timing<'a> {
    pub(crate) const fn new(parameters: &'a Parameters) -> Self {
        Self { parameters }
    }

    /// Flits that `bytes` occupy: whole ones.
    pub(crate) const fn flits(self, bytes: u32) -> u32 {
        bytes.div_ceil(self.parameters.flit_bytes)
    }

    /// Depth per VC of an input buffer behind a channel of this kind.
    pub(crate) const fn depth(self, kind: LinkKind) -> u32 {
        self.parameters.input_buffer_flits[kind as usize]
    }

    /// `serialization(f)`.
    pub(crate) fn serialization(self, kind: LinkKind, flits: u32) -> Span {
        let bytes = u64::from(flits) * u64::from(self.parameters.flit_bytes);
        self.parameters.link(kind).bandwidth.serialization(bytes)
    }

    /// `serialization(f)` of a channel with that share of its bandwidth, millionths.
    pub(crate) fn serialization_at(self, kind: LinkKind, flits: u32, share: u32) -> Span {
        let bytes = u128::from(flits) * u128::from(self.parameters.flit_bytes);
        let whole = u128::from(self.parameters.link(kind).bandwidth.bytes_per_second());
        let left = (whole * u128::from(share) / 1_000_000).max(1);
        let ps = (bytes * 1_000_000_000_000).div_ceil(left);
        Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }

    /// From the start on a channel to the entry in a router.
    pub(crate) fn entry(self, kind: LinkKind, flits: u32) -> Span {
        self.entry_over(kind, self.serialization(kind, flits))
    }

    /// The same, where the packet occupies the channel for `wire`.
    pub(crate) fn entry_over(self, kind: LinkKind, wire: Span) -> Span {
        let head = self.parameters.link(kind).latency + self.parameters.router_latency;
        match self.parameters.switching {
            Switching::CutThrough => head,
            Switching::StoreAndForward => head + wire,
        }
    }

    /// From the entry over `from` to `ready` for an output channel `to`.
    #[cfg(test)]
    pub(crate) fn ready(self, from: LinkKind, to: LinkKind, flits: u32) -> Span {
        match self.parameters.switching {
            Switching::CutThrough => self
                .serialization(from, flits)
                .saturating_sub(self.serialization(to, flits)),
            Switching::StoreAndForward => Span::ZERO,
        }
    }

    /// From the start on the last channel to the delivery.
    pub(crate) fn delivery(self, flits: u32) -> Span {
        let latency = self.parameters.host.latency;
        match self.parameters.delivery {
            Delivery::Tail => latency + self.serialization(LinkKind::Host, flits),
            Delivery::Head => latency,
        }
    }

    /// From the departure out of an input buffer to the use of its credits at the other end of
    /// the channel the packet came over.
    pub(crate) fn credit(self, kind: LinkKind) -> Span {
        self.parameters.link(kind).latency + self.parameters.credit_delay
    }

    /// `D`: flits of the round trip of the longest channel of this kind.
    pub(crate) fn round_trip_flits(self, kind: LinkKind) -> u32 {
        let link = self.parameters.link(kind);
        let (shortest, longest) = (link.latency, link.longest.max(link.latency));
        let packet = self.flits(self.parameters.packet_bytes);
        let there = self.entry(kind, packet).ps() - shortest.ps() + longest.ps();
        let back = self.credit(kind).ps() - shortest.ps() + longest.ps();
        let flits = (there + back).div_ceil(self.serialization(kind, 1).ps().max(1));
        u32::try_from(flits).unwrap_or(u32::MAX)
    }

    /// `U`, the wake-up span of an output stage.
    pub(crate) fn wake_up(self, kind: LinkKind) -> Span {
        match self.parameters.architecture {
            Architecture::Voq => Span::ZERO,
            Architecture::Cioq => self.serialization(kind, 1),
        }
    }

    /// `X`, the crossbar cycle.
    pub(crate) fn crossbar_cycle(self) -> Span {
        let rates = LinkKind::ALL.map(|kind| self.parameters.link(kind).bandwidth);
        let fastest = rates
            .iter()
            .map(|rate| u128::from(rate.bytes_per_second()))
            .max();
        let rate = fastest.unwrap_or(1) * u128::from(self.parameters.speedup);
        let work = u128::from(self.parameters.flit_bytes) * 1_000_000_000_000;
        Span::from_ps(u64::try_from(work.div_ceil(rate)).unwrap_or(u64::MAX))
    }

    /// The first crossbar tick after `now`.
    pub(crate) fn tick_after(self, now: Instant) -> Instant {
        let cycle = self.crossbar_cycle().ps();
        Instant::from_ps((now.ps() / cycle + 1) * cycle)
    }
}

#[cfg(test)]
mod tests {
    use odonata_network::{Delivery, Parameters, Switching};
    use odonata_topology::LinkKind;
    use odonata_units::{Bandwidth, Instant, Span};

    use super::Timing;
    use crate::testing::kang2022;

    #[test]
    fn spans_of_the_paper() {
        let parameters = kang2022();
        let timing = Timing::new(&parameters);
        let ps = Span::from_ps;
        assert_eq!(timing.flits(1), 1);
        assert_eq!(timing.flits(129), 2);
        assert_eq!(timing.serialization(LinkKind::Local, 4), ps(20_480));
        assert_eq!(timing.entry(LinkKind::Global, 4), ps(320_000));
        assert_eq!(timing.delivery(4), ps(30_480));
        assert_eq!(timing.crossbar_cycle(), ps(1_280));
        assert_eq!(timing.wake_up(LinkKind::Host), ps(5_120));
        assert_eq!(
            timing.tick_after(Instant::from_ps(1_280)),
            Instant::from_ps(2_560)
        );
        assert_eq!(
            timing.tick_after(Instant::from_ps(1_279)),
            Instant::from_ps(1_280)
        );
        let other = Parameters {
            switching: Switching::StoreAndForward,
            delivery: Delivery::Head,
            ..parameters
        };
        assert_eq!(Timing::new(&other).entry(LinkKind::Global, 4), ps(340_480));
        assert_eq!(Timing::new(&other).delivery(4), ps(10_000));
    }

    #[test]
    fn a_fast_output_waits_for_the_tail() {
        let mut parameters = kang2022();
        parameters.local.bandwidth = Bandwidth::from_bytes_per_second(50_000_000_000).unwrap();
        let timing = Timing::new(&parameters);
        let ready = timing.ready(LinkKind::Host, LinkKind::Local, 4);
        assert_eq!(ready, Span::from_ps(10_240));
        assert_eq!(timing.ready(LinkKind::Local, LinkKind::Host, 4), Span::ZERO);
        assert_eq!(
            timing.crossbar_cycle(),
            Span::from_ps(640),
            "of the fastest link"
        );
    }
}
