//! What every channel that leaves a router carried, and how long it could not.

use odonata_units::Span;

use crate::probe::{Channel, Share};

/// Traffic of one job or class over one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkUse {
    /// Bytes that started on the channel.
    pub bytes: u64,
    /// Packets.
    pub packets: u64,
}

/// Times of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LinkTotals {
    /// Time spent sending.
    pub busy: Span,
    /// Time in which a packet was ready, the channel free, and credits were lacking.
    pub stall: Span,
    /// Time in which a virtual channel downstream could not take a full packet, summed over
    /// virtual channels.
    pub saturated: Span,
}

/// All channels that leave the routers of a share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// Index of the first channel.
    first: u32,
    jobs: usize,
    classes: usize,
    /// `[port]`, ports of all routers in order.
    totals: Vec<LinkTotals>,
    /// `[port * jobs + job]`.
    by_job: Vec<LinkUse>,
    /// `[port * classes + class]`; empty with one class.
    by_class: Vec<LinkUse>,
}

impl Links {
    pub(crate) fn new(share: &Share, jobs: usize, classes: usize) -> Self {
        let ports = share.routers.len() * share.radix as usize;
        Self {
            first: share.routers.start * share.radix,
            jobs,
            classes,
            totals: vec![LinkTotals::default(); ports],
            by_job: vec![LinkUse::default(); ports * jobs],
            by_class: vec![LinkUse::default(); if classes > 1 { ports * classes } else { 0 }],
        }
    }

    #[inline(always)]
    fn place(&self, channel: Channel) -> usize {
        (channel.index - self.first) as usize
    }

    #[inline(always)]
    pub(crate) fn start(&mut self, channel: Channel, (job, class): (u8, u8), sent: (u32, Span)) {
        let place = self.place(channel);
        let (bytes, busy) = sent;
        self.totals[place].busy += busy;
        let used = &mut self.by_job[place * self.jobs + usize::from(job)];
        used.bytes += u64::from(bytes);
        used.packets += 1;
        if self.classes > 1 {
            let used = &mut self.by_class[place * self.classes + usize::from(class)];
            used.bytes += u64::from(bytes);
            used.packets += 1;
        }
    }

    pub(crate) fn stall(&mut self, channel: Channel, span: Span) {
        let place = self.place(channel);
        self.totals[place].stall += span;
    }

    pub(crate) fn saturate(&mut self, channel: Channel, span: Span) {
        let place = self.place(channel);
        self.totals[place].saturated += span;
    }

    /// Adds the channels of the routers behind these.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.totals.append(&mut other.totals);
        self.by_job.append(&mut other.by_job);
        self.by_class.append(&mut other.by_class);
    }

    pub(crate) fn totals(&self, channel: Channel) -> LinkTotals {
        self.totals[self.place(channel)]
    }

    pub(crate) fn jobs(&self, channel: Channel) -> &[LinkUse] {
        let place = self.place(channel) * self.jobs;
        &self.by_job[place..place + self.jobs]
    }

    /// Empty with one class.
    pub(crate) fn classes(&self, channel: Channel) -> &[LinkUse] {
        if self.classes < 2 {
            return &[];
        }
        let place = self.place(channel) * self.classes;
        &self.by_class[place..place + self.classes]
    }
}
