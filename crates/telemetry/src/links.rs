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

/// What one job did in one class on one channel.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    bytes: u64,
    packets: u64,
    /// Time spent sending.
    busy: Span,
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
    /// `[port]`, ports of all routers in order; `busy` is summed up when it is asked for.
    totals: Vec<LinkTotals>,
    /// `[(port * jobs + job) * classes + class]`.
    carried: Vec<Carried>,
}

impl Links {
    pub(crate) fn new(share: &Share, jobs: usize, classes: usize) -> Self {
        let ports = share.routers.len() * share.radix as usize;
        Self {
            first: share.routers.start * share.radix,
            jobs,
            classes,
            totals: vec![LinkTotals::default(); ports],
            carried: vec![Carried::default(); ports * jobs * classes],
        }
    }

    #[inline(always)]
    fn place(&self, channel: Channel) -> usize {
        (channel.index - self.first) as usize
    }

    #[inline(always)]
    pub(crate) fn start(&mut self, channel: Channel, (job, class): (u8, u8), sent: (u32, Span)) {
        let place = self.place(channel);
        let party = place * self.jobs + usize::from(job);
        self.carried[party * self.classes + usize::from(class)].add(sent);
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
        self.carried.append(&mut other.carried);
    }

    pub(crate) fn totals(&self, channel: Channel) -> LinkTotals {
        let busy = self.of(channel).iter().map(|one| one.busy);
        LinkTotals {
            busy: busy.fold(Span::ZERO, |sum, busy| sum + busy),
            ..self.totals[self.place(channel)]
        }
    }

    pub(crate) fn jobs(&self, channel: Channel) -> Vec<LinkUse> {
        let jobs = self.of(channel).chunks(self.classes);
        jobs.map(|job| LinkUse::sum(job.iter())).collect()
    }

    /// Empty with one class.
    pub(crate) fn classes(&self, channel: Channel) -> Vec<LinkUse> {
        if self.classes < 2 {
            return Vec::new();
        }
        let carried = self.of(channel);
        let class = |class| LinkUse::sum(carried.iter().skip(class).step_by(self.classes));
        (0..self.classes).map(class).collect()
    }

    fn of(&self, channel: Channel) -> &[Carried] {
        let parties = self.jobs * self.classes;
        &self.carried[self.place(channel) * parties..][..parties]
    }
}

impl LinkUse {
    fn sum<'a>(all: impl Iterator<Item = &'a Carried>) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            bytes: sum.bytes + one.bytes,
            packets: sum.packets + one.packets,
        })
    }
}

impl Carried {
    #[inline(always)]
    fn add(&mut self, (bytes, busy): (u32, Span)) {
        self.bytes += u64::from(bytes);
        self.packets += 1;
        self.busy = Span::from_ps(self.busy.ps() + busy.ps());
    }
}
