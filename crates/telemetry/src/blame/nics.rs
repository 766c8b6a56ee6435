//! Waits in NICs.

use odonata_units::{Instant, Span};

use super::charges::{BySender, Cause, Charges, Stage};
use super::party::Parties;
use crate::probe::{Injection, NicStall, PacketFacts};

/// One NIC.
#[derive(Clone, Debug, Default)]
pub(crate) struct OneNic {
    pub(crate) charges: Charges,
    /// Party of the packet that started last.
    ahead: Option<usize>,
    /// End of that packet.
    free_at: Instant,
    /// What the next packet could not start for.
    stalled: Option<(Cause, Span)>,
    /// In which it was free and lacked credits, ps.
    pub(crate) stall_ps: u64,
    /// In which it was sending, ps.
    pub(crate) busy_ps: u64,
}

/// All NICs of a share.
#[derive(Clone, Debug)]
pub(crate) struct Nics {
    parties: Parties,
    first: u32,
    pub(crate) all: Vec<OneNic>,
}

impl Nics {
    pub(crate) fn new(nodes: std::ops::Range<u32>, parties: Parties) -> Self {
        Self {
            parties,
            first: nodes.start,
            all: vec![OneNic::default(); nodes.len()],
        }
    }

    /// See `Probe::nic_stalled`.
    pub(crate) fn stall(&mut self, node: u32, cause: NicStall, span: Span) {
        let nic = &mut self.all[(node - self.first) as usize];
        let cause = match cause {
            NicStall::Credits => {
                nic.stall_ps += span.ps();
                Cause::NicCredits
            }
            NicStall::Outstanding => Cause::NicOutstanding,
        };
        nic.stalled = Some((cause, span));
    }

    /// See `Probe::injected`.
    pub(crate) fn start(&mut self, packet: &PacketFacts, start: Injection, senders: &mut BySender) {
        let party = self.parties.on(packet.job, packet.vc);
        let nic = &mut self.all[(packet.source.0 - self.first) as usize];
        let ahead = nic.ahead.replace(party).unwrap_or(party);
        let stalled = nic.stalled.take();
        nic.busy_ps += start.serialization.ps();
        let free_at = std::mem::replace(&mut nic.free_at, start.at + start.serialization);
        let wait = start.at.saturating_since(start.exists).ps();
        if wait == 0 {
            return;
        }
        let job = self.parties.job(party);
        let stall = stalled.map_or(0, |(_, span)| span.ps());
        if let Some((cause, _)) = stalled {
            nic.charges.add(job, ahead, cause, stall);
        }
        let behind = free_at
            .saturating_since(start.exists)
            .ps()
            .min(wait - stall);
        nic.charges.add(job, ahead, Cause::NicQueue, behind);
        let own = wait - stall - behind;
        nic.charges.add(job, party, Cause::NicStage, own);
        nic.charges.count(job, Stage::Nic);
        senders.add(packet.source.0, ahead, wait - own);
        senders.add(packet.source.0, party, own);
    }

    /// Adds the nodes behind these.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.all.append(&mut other.all);
    }
}
