//! Waits in NICs.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

use super::charges::{BufferKind, Cause, Charges, Delayed};
use super::party::Waiters;
use super::senders::BySender;
use crate::probe::{Injection, NicStall, PacketFacts};

/// One NIC. After a run no packet starts next, and only the sums are left.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct OneNic {
    pub(crate) charges: Charges,
    /// Party of the packet that started last.
    #[borsh(skip)]
    ahead: Option<u8>,
    /// Why the next packet could not start.
    #[borsh(skip)]
    stalled_by: Option<NicStall>,
    /// End of the packet that started last.
    #[borsh(skip)]
    free_at: Instant,
    /// How long the next packet could not start.
    #[borsh(skip)]
    stalled: Span,
    /// In which it was free and lacked credits, ps.
    pub(crate) stall_ps: u64,
    /// In which it was sending, ps.
    pub(crate) busy_ps: u64,
}

/// All NICs of a scope.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Nics {
    waiters: Waiters,
    first: u32,
    pub(crate) all: Vec<OneNic>,
}

impl Nics {
    pub(crate) fn new(nodes: std::ops::Range<u32>, waiters: Waiters) -> Self {
        Self {
            waiters,
            first: nodes.start,
            all: vec![OneNic::default(); nodes.len()],
        }
    }

    /// See `Probe::nic_stalled`.
    pub(crate) fn stall(&mut self, node: u32, cause: NicStall, span: Span) {
        let nic = &mut self.all[(node - self.first) as usize];
        nic.stalled_by = Some(cause);
        if cause == NicStall::Credits {
            nic.stall_ps += span.ps();
        }
        nic.stalled = span;
    }

    /// See `Probe::injected`.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 parties")]
    pub(crate) fn start(&mut self, packet: &PacketFacts, start: Injection, senders: &mut BySender) {
        let waiter = self.waiters.of(packet);
        let party = self.waiters.party(waiter);
        let nic = &mut self.all[(packet.source.0 - self.first) as usize];
        nic.busy_ps += start.serialization.ps();
        let free_at = std::mem::replace(&mut nic.free_at, start.at.plus(start.serialization));
        let ahead = nic.ahead.replace(party as u8);
        let wait = start.at - start.exists;
        if wait > Span::ZERO {
            let ahead = ahead.map_or(party, usize::from);
            let behind = free_at.saturating_since(start.exists);
            let ended = NicWait {
                source: packet.source.0,
                waiter,
                ahead,
                ps: wait.ps(),
                behind_ps: behind.ps(),
            };
            nic.end_wait(&self.waiters, &ended, senders);
        }
    }

    /// Adds the nodes behind these.
    pub(crate) fn append(&mut self, other: Self) {
        self.all.extend(other.all);
    }
}

/// The wait of a packet in its NIC.
struct NicWait {
    /// Node that sends it.
    source: u32,
    /// Who waited.
    waiter: usize,
    /// Party of the packet ahead.
    ahead: usize,
    ps: u64,
    /// Part of it before the packet ahead ended, ps.
    behind_ps: u64,
}

impl OneNic {
    /// Charges a wait that has ended.
    #[inline(never)]
    fn end_wait(&mut self, waiters: &Waiters, ended: &NicWait, senders: &mut BySender) {
        let (waiter, ahead, wait) = (ended.waiter, ended.ahead, ended.ps);
        let packets = Delayed::of(waiters, waiter);
        let stall = std::mem::take(&mut self.stalled).ps();
        let cause = match self.stalled_by {
            Some(NicStall::Outstanding) => Cause::NicOutstanding,
            Some(NicStall::Pacing) => Cause::NicPacing,
            Some(NicStall::Credits) | None => Cause::NicCredits,
        };
        self.charges.add(packets, ahead, cause, stall);
        let behind = ended.behind_ps.min(wait - stall);
        self.charges.add(packets, ahead, Cause::NicQueue, behind);
        let own = wait - stall - behind;
        let party = waiters.party(waiter);
        self.charges.add(packets, party, Cause::NicStage, own);
        self.charges.count(packets, BufferKind::Nic);
        let (source, kind) = (ended.source, packets.transaction);
        senders.add(source, kind, ahead, wait - own);
        senders.add(source, kind, party, own);
    }
}
