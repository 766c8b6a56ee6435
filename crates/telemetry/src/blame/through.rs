//! Through blame: charges to those who hold a buffer are passed on to where they wait themselves;
//! see `docs/model/blame.md`.

use std::collections::BTreeMap;

use super::charges::{BufferKind, Charge, Delayed};
use super::{Blame, BlameRow, Cause, WaitPoint};

/// Steps after which a charge that goes round ends where it is.
pub(super) const MOST_STEPS: usize = 1_000;

/// How the ports of a network are joined, by their numbers among the ports of all routers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wiring {
    /// `[port]`: what is at the other end.
    pub peers: Vec<Option<WaitPoint>>,
    /// `[node]`: port of its router.
    pub hosts: Vec<u32>,
}

/// Where a charge goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Target {
    /// It ends at a point, at the charge of a party, for a cause.
    End(WaitPoint, usize, Cause),
    /// To the buffer behind an input port, as far as a party holds it.
    Buffer(u32, usize),
}

/// Parts of a charge; they sum to 1.
pub(super) type Parts = Vec<(Target, f64)>;

impl Blame {
    /// Every line of blame, by delayed job and kind of packet, delaying job and class, point,
    /// cause.
    #[must_use]
    pub fn rows(&self, wiring: &Wiring) -> Vec<BlameRow> {
        let mut all = BTreeMap::new();
        for (point, charge, packets) in self.charged() {
            let row = row_of(
                &mut all,
                charge.packets(),
                charge.delaying,
                point,
                charge.cause,
            );
            row.0 += charge.ps;
            row.2 = packets;
        }
        let mut passing = Passing::new(self, wiring);
        let parties = self.blamed.parties;
        for job in 0..parties.jobs {
            for &transaction in self.blamed.waiters().kinds() {
                let packets = Delayed { job, transaction };
                for ((point, party, cause), ps) in passing.on(packets) {
                    row_of(&mut all, packets, party, point, cause).1 += ps;
                }
            }
        }
        all.into_iter()
            .filter(|(_, (direct, through, _))| direct + through > 0)
            .map(
                |((delayed, party, point, cause), (direct_ps, through_ps, packets))| BlameRow {
                    delayed: delayed.job,
                    transaction: delayed.transaction,
                    delaying: parties.job(party),
                    class: parties.class(party),
                    point,
                    cause,
                    direct_ps,
                    through_ps,
                    packets,
                },
            )
            .collect()
    }

    /// All direct charges, with the packets of the delayed job that waited there.
    pub(super) fn charged(&self) -> impl Iterator<Item = (WaitPoint, Charge, u64)> + '_ {
        let number = |point: usize| u32::try_from(point).unwrap_or(u32::MAX);
        let ports = self.books.charges.iter().enumerate();
        let ports = ports.map(move |(port, charges)| (WaitPoint::Port(number(port)), charges));
        let nics = self.nics.all.iter().enumerate();
        let nics = nics.map(move |(node, nic)| (WaitPoint::Nic(number(node)), &nic.charges));
        let others = ports.chain(nics).flat_map(|(point, charges)| {
            charges.iter().map(move |charge| {
                let packets = charges.packets(charge.packets(), charge.cause);
                (point, charge, packets)
            })
        });
        let outputs = (0..self.books.rows.ports()).flat_map(move |port| {
            let charges = self.books.rows.charges(port).into_iter();
            charges.map(move |charge| {
                let packets = self.packets(port, &charge);
                (WaitPoint::Port(number(port)), charge, packets)
            })
        });
        outputs.chain(others)
    }

    /// Packets of the same kind that waited in the same stage of an output port.
    fn packets(&self, port: usize, charge: &Charge) -> u64 {
        match charge.cause.buffer() {
            BufferKind::Output => self.books.rows.packets(port, charge.packets()),
            BufferKind::Input | BufferKind::Nic => {
                self.books.charges[port].packets(charge.packets(), charge.cause)
            }
        }
    }
}

/// Delayed packets, delaying party, point, cause.
type WaitKey = (Delayed, usize, WaitPoint, Cause);

/// Direct and through blame, ps, and packets of one line.
fn row_of(
    all: &mut BTreeMap<WaitKey, (u64, u64, u64)>,
    packets: Delayed,
    party: usize,
    point: WaitPoint,
    cause: Cause,
) -> &mut (u64, u64, u64) {
    all.entry((packets, party, point, cause)).or_default()
}

/// Passes charges on.
pub(super) struct Passing<'a> {
    blame: &'a Blame,
    wiring: &'a Wiring,
    /// Where charges to a buffer go.
    onward: BTreeMap<(u32, usize), Parts>,
}

impl<'a> Passing<'a> {
    pub(super) const fn new(blame: &'a Blame, wiring: &'a Wiring) -> Self {
        Self {
            blame,
            wiring,
            onward: BTreeMap::new(),
        }
    }

    /// Where the charges of `delayed` end, in whole ps.
    fn on(&mut self, delayed: Delayed) -> Vec<((WaitPoint, usize, Cause), u64)> {
        let mut ended = BTreeMap::new();
        let mut moving = BTreeMap::new();
        let mut total = 0;
        for (point, charge, _) in self.blame.charged() {
            if charge.packets() == delayed {
                total += charge.ps;
                let parts = self.first(point, charge.delaying, charge.cause);
                spread(&parts, precise(charge.ps), &mut ended, &mut moving);
            }
        }
        for _ in 0..MOST_STEPS {
            if moving.values().sum::<f64>() < 0.5 {
                break;
            }
            for ((port, party), ps) in std::mem::take(&mut moving) {
                let parts = self.onward(port, party);
                spread(&parts, ps, &mut ended, &mut moving);
            }
        }
        for ((port, party), ps) in moving {
            *ended.entry(self.here(port, party)).or_insert(0.0) += ps;
        }
        whole(ended, total)
    }

    /// Where a direct charge goes first.
    pub(super) fn first(&self, point: WaitPoint, party: usize, cause: Cause) -> Parts {
        let end = vec![(Target::End(point, party, cause), 1.0)];
        match (point, cause) {
            (WaitPoint::Port(port), Cause::Credits) => match self.behind(port) {
                Some(input) => vec![(Target::Buffer(input, party), 1.0)],
                None => end,
            },
            (WaitPoint::Port(port), Cause::Crossbar) => self.at_output(port, party),
            (WaitPoint::Port(port), Cause::InputQueue) => vec![(Target::Buffer(port, party), 1.0)],
            (WaitPoint::Nic(node), Cause::NicCredits) => {
                vec![(Target::Buffer(self.wiring.hosts[node as usize], party), 1.0)]
            }
            (WaitPoint::Nic(node), Cause::NicQueue) => {
                let nic = &self.blame.nics.all[node as usize];
                let all = precise(nic.busy_ps + nic.stall_ps);
                let stalled = if all > 0.0 {
                    precise(nic.stall_ps) / all
                } else {
                    0.0
                };
                let host = self.wiring.hosts[node as usize];
                vec![
                    (end[0].0, 1.0 - stalled),
                    (Target::Buffer(host, party), stalled),
                ]
            }
            _ => end,
        }
    }

    /// Where charges to the buffer behind input port `port` go, as far as `party` holds it.
    pub(super) fn onward(&mut self, port: u32, party: usize) -> Parts {
        if let Some(parts) = self.onward.get(&(port, party)) {
            return parts.clone();
        }
        let radix = self.blame.radix;
        let (router, from) = (port / radix, (port % radix) as usize);
        let holder = (!self.blame.inputs.are_used()).then_some(party);
        let waits = self.blame.books.rows.from(router as usize, from, holder);
        let all: f64 = waits.iter().map(|(_, _, ps)| precise(*ps)).sum();
        let mut parts = BTreeMap::new();
        for (output, waiting, ps) in waits {
            let output = router * radix + u32::try_from(output).unwrap_or(0);
            for (target, share) in self.at_output(output, waiting) {
                *parts.entry(target).or_insert(0.0) += share * precise(ps) / all;
            }
        }
        let mut parts: Parts = parts.into_iter().collect();
        if parts.is_empty() {
            let (point, party, cause) = self.here(port, party);
            parts.push((Target::End(point, party, cause), 1.0));
        }
        self.onward.insert((port, party), parts.clone());
        parts
    }

    /// Where the waits of a party at output port `port` go.
    fn at_output(&self, port: u32, party: usize) -> Parts {
        let job = self.blame.blamed.parties.job(party);
        let charges = self.blame.books.rows.charges(port as usize).into_iter();
        let mine: Vec<_> = charges
            .filter(|one| one.delayed == job && one.cause.buffer() == BufferKind::Output)
            .collect();
        let all: f64 = mine.iter().map(|one| precise(one.ps)).sum();
        if mine.is_empty() {
            return vec![(
                Target::End(WaitPoint::Port(port), party, Cause::Crossbar),
                1.0,
            )];
        }
        mine.into_iter()
            .map(|one| {
                let other = one.delaying;
                let target = match (one.cause, self.behind(port)) {
                    (Cause::Credits, Some(input)) => Target::Buffer(input, other),
                    (cause, _) => Target::End(WaitPoint::Port(port), other, cause),
                };
                (target, precise(one.ps) / all)
            })
            .collect()
    }

    /// Input port behind output port `port`.
    fn behind(&self, port: u32) -> Option<u32> {
        match self.wiring.peers[port as usize] {
            Some(WaitPoint::Port(other)) => Some(other),
            Some(WaitPoint::Nic(_)) | None => None,
        }
    }

    /// A charge to the buffer behind input port `port` that ends there.
    pub(super) fn here(&self, port: u32, party: usize) -> (WaitPoint, usize, Cause) {
        match self.wiring.peers[port as usize] {
            Some(WaitPoint::Nic(node)) => (WaitPoint::Nic(node), party, Cause::NicCredits),
            Some(sender) => (sender, party, Cause::Credits),
            None => (WaitPoint::Port(port), party, Cause::Credits),
        }
    }
}

/// Adds the parts of a charge to what has ended and what goes on.
fn spread(
    parts: &Parts,
    ps: f64,
    ended: &mut BTreeMap<(WaitPoint, usize, Cause), f64>,
    moving: &mut BTreeMap<(u32, usize), f64>,
) {
    for (target, share) in parts {
        let sum = match *target {
            Target::End(point, party, cause) => ended.entry((point, party, cause)).or_insert(0.0),
            Target::Buffer(port, party) => moving.entry((port, party)).or_insert(0.0),
        };
        *sum += ps * share;
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "shares of a charge; sums are made whole again"
)]
pub(super) const fn precise(ps: u64) -> f64 {
    ps as f64
}

/// Whole numbers in place of `parts` that sum to `total`: what is lost by rounding down goes to the
/// largest parts.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "parts of a total below 2^63"
)]
pub(super) fn whole<K: Copy + Ord>(parts: BTreeMap<K, f64>, total: u64) -> Vec<(K, u64)> {
    let mut all: Vec<_> = parts
        .into_iter()
        .map(|(key, part)| (key, part as u64))
        .collect();
    all.sort_by_key(|(key, part)| (std::cmp::Reverse(*part), *key));
    let sum: u64 = all.iter().map(|(_, part)| part).sum();
    let count = all.len() as u64;
    if count == 0 {
        return all;
    }
    if sum <= total {
        let left = total - sum;
        for (point, (_, part)) in (0_u64..).zip(all.iter_mut()) {
            *part += left / count + u64::from(point < left % count);
        }
    } else {
        // Sums of large numbers may be rounded up.
        let mut over = sum - total;
        for (_, part) in &mut all {
            let less = over.min(*part);
            *part -= less;
            over -= less;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::whole;
    use std::collections::BTreeMap;

    #[test]
    fn rounded_parts_sum_to_the_total() {
        for (parts, total) in [
            (vec![1.5, 2.5, 3.0], 7),
            (vec![0.4, 0.4, 0.2], 1),
            (vec![1e15, 2e15 + 1.0, 0.5], 3_000_000_000_000_001),
            (vec![5.0], 4),
        ] {
            let parts: BTreeMap<_, _> = parts.into_iter().enumerate().collect();
            let sum: u64 = whole(parts, total).iter().map(|(_, part)| part).sum();
            assert_eq!(sum, total);
        }
    }
}
