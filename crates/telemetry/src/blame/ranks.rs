//! Blame by who sent the packets, direct and passed on; see `docs/model/blame.md`, "Ranks".

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use odonata_units::NodeId;

use super::charges::Delayed;
use super::party::Transaction;
use super::through::{MOST_STEPS, Parts, Passing, Target, Wiring, precise, whole};
use super::{Blame, BlameRow, Cause, WaitPoint};

/// Parts that change by less from one step to the next change no more.
const SETTLED: f64 = 1e-10;

/// How long the packets that a node sent waited because of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankRow {
    /// Job of the sender.
    pub job: usize,
    /// Its position in the list of senders of the job.
    pub sender: usize,
    /// Job that made the packets wait.
    pub delaying: usize,
    /// What the packets are.
    pub transaction: Transaction,
    /// Direct blame, ps.
    pub direct_ps: u64,
    /// Through blame, ps.
    pub through_ps: u64,
}

/// By job: parts of a charge, or ps.
type ByJob = Vec<f64>;

impl Blame {
    /// Blame of each sender of each job, by job, sender, delaying job and kind of packet, from
    /// `rows` of the same blame. Through blame of all senders of a job sums to that of `rows`.
    #[must_use]
    pub fn ranks(
        &self,
        wiring: &Wiring,
        rows: &[BlameRow],
        senders: &[Vec<NodeId>],
    ) -> Vec<RankRow> {
        let parties = self.blamed.parties;
        let passed = Destinations::new(self, wiring).by_sender(senders);
        let mut all = Vec::new();
        for (job, nodes) in senders.iter().enumerate() {
            for &transaction in self.blamed.waiters().kinds() {
                let delayed = Delayed { job, transaction };
                let direct: Vec<_> = nodes
                    .iter()
                    .map(|node| self.by_job(*node, transaction))
                    .collect();
                let is_whole = is_whole(rows, delayed, &direct);
                for delaying in 0..parties.jobs {
                    let parts = nodes
                        .iter()
                        .map(|node| passed[&(*node, transaction)][delaying]);
                    let parts: BTreeMap<_, _> =
                        parts.enumerate().filter(|(_, ps)| *ps > 0.0).collect();
                    let total = if is_whole {
                        through(rows, delayed, delaying)
                    } else {
                        rounded(parts.values().sum())
                    };
                    let passed: BTreeMap<_, _> = whole(parts, total).into_iter().collect();
                    for (sender, direct) in direct.iter().enumerate() {
                        let direct_ps = direct[delaying];
                        let through_ps = passed.get(&sender).copied().unwrap_or(0);
                        if direct_ps + through_ps > 0 {
                            all.push(RankRow {
                                job,
                                sender,
                                delaying,
                                transaction,
                                direct_ps,
                                through_ps,
                            });
                        }
                    }
                }
            }
        }
        all.sort_by_key(|row| (row.job, row.sender, row.delaying, row.transaction));
        all
    }

    /// Direct blame of what a node sent, by delaying job, ps.
    fn by_job(&self, node: NodeId, transaction: Transaction) -> Vec<u64> {
        let parties = self.blamed.parties;
        let mut sums = vec![0; parties.jobs];
        for (party, ps) in self.of_sender(node, transaction).iter().enumerate() {
            sums[parties.job(party)] += ps;
        }
        sums
    }
}

/// Whether the senders listed sent all that waited.
fn is_whole(rows: &[BlameRow], delayed: Delayed, direct: &[Vec<u64>]) -> bool {
    let listed: u128 = direct.iter().flatten().map(|ps| u128::from(*ps)).sum();
    let all = of(rows, delayed).map(|row| u128::from(row.direct_ps));
    listed == all.sum::<u128>()
}

fn of(rows: &[BlameRow], delayed: Delayed) -> impl Iterator<Item = &BlameRow> {
    rows.iter()
        .filter(move |row| (row.delayed, row.transaction) == (delayed.job, delayed.transaction))
}

/// Through blame of a job, ps.
fn through(rows: &[BlameRow], delayed: Delayed, delaying: usize) -> u64 {
    let mine = of(rows, delayed).filter(|row| row.delaying == delaying);
    mine.map(|row| row.through_ps).sum()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a sum of waits"
)]
fn rounded(ps: f64) -> u64 {
    ps.round() as u64
}

/// At which jobs charges end that are passed on.
struct Destinations<'a> {
    blame: &'a Blame,
    passing: Passing<'a>,
    /// Of charges to a buffer, as far as a party holds it.
    buffers: BTreeMap<(u32, usize), ByJob>,
}

impl<'a> Destinations<'a> {
    fn new(blame: &'a Blame, wiring: &'a Wiring) -> Self {
        let mut all = Self {
            blame,
            passing: Passing::new(blame, wiring),
            buffers: BTreeMap::new(),
        };
        all.solve();
        all
    }

    /// Finds where charges to every buffer end: after as many steps as the page says, or as many as
    /// change anything.
    fn solve(&mut self) {
        let mut onward: BTreeMap<(u32, usize), Parts> = BTreeMap::new();
        let mut open = Vec::new();
        for (point, charge, _) in self.blame.charged() {
            open.extend(buffers(&self.passing.first(
                point,
                charge.delaying,
                charge.cause,
            )));
        }
        while let Some((port, party)) = open.pop() {
            if let Entry::Vacant(unknown) = onward.entry((port, party)) {
                let parts = unknown.insert(self.passing.onward(port, party));
                open.extend(buffers(parts));
            }
        }
        let here = |(port, party): &(u32, usize)| self.ends(self.passing.here(*port, *party).1);
        self.buffers = onward.keys().map(|key| (*key, here(key))).collect();
        for _ in 0..MOST_STEPS {
            let next = onward.iter().map(|(key, parts)| (*key, self.sum(parts)));
            let next: BTreeMap<_, _> = next.collect();
            let pairs = next.values().flatten().zip(self.buffers.values().flatten());
            let change = pairs.map(|(one, other)| (one - other).abs());
            let is_settled = change.fold(0.0, f64::max) < SETTLED;
            self.buffers = next;
            if is_settled {
                break;
            }
        }
    }

    /// All of a charge ends at the job of a party.
    fn ends(&self, party: usize) -> ByJob {
        let parties = self.blame.blamed.parties;
        let mut all = vec![0.0; parties.jobs];
        all[parties.job(party)] = 1.0;
        all
    }

    /// Where parts of a charge end.
    fn sum(&self, parts: &Parts) -> ByJob {
        let parties = self.blame.blamed.parties;
        let mut all = vec![0.0; parties.jobs];
        for (target, share) in parts {
            match target {
                Target::End(_, party, _) => all[parties.job(*party)] += share,
                Target::Buffer(port, party) => {
                    for (sum, part) in all.iter_mut().zip(&self.buffers[&(*port, *party)]) {
                        *sum += share * part;
                    }
                }
            }
        }
        all
    }

    /// Where a charge ends.
    fn of(&self, point: WaitPoint, party: usize, cause: Cause) -> ByJob {
        self.sum(&self.passing.first(point, party, cause))
    }

    /// Through blame of what the senders sent, by delaying job, ps.
    fn by_sender(&self, senders: &[Vec<NodeId>]) -> BTreeMap<(NodeId, Transaction), ByJob> {
        let mut jobs = BTreeMap::new();
        let mut all = BTreeMap::new();
        for (job, nodes) in senders.iter().enumerate() {
            for (&node, &transaction) in nodes.iter().flat_map(|node| {
                self.blame
                    .blamed
                    .waiters()
                    .kinds()
                    .iter()
                    .map(move |kind| (node, kind))
            }) {
                let direct = self.blame.by_job(node, transaction);
                all.insert(
                    (node, transaction),
                    direct.into_iter().map(precise).collect(),
                );
                jobs.insert(node, job);
            }
        }
        self.pass_on_in_nics(&mut all);
        self.pass_on_in_routers(&jobs, &mut all);
        all
    }

    /// Takes `ps` from the job that was charged and gives it to those where the charge ends.
    fn move_on(&self, sums: &mut ByJob, party: usize, ps: u64, ends: &[f64]) {
        sums[self.blame.blamed.parties.job(party)] -= precise(ps);
        for (sum, part) in sums.iter_mut().zip(ends) {
            *sum += precise(ps) * part;
        }
    }

    fn pass_on_in_nics(&self, all: &mut BTreeMap<(NodeId, Transaction), ByJob>) {
        for ((node, transaction), sums) in all {
            let nic = &self.blame.nics.all[node.index()];
            for charge in nic
                .charges
                .iter()
                .filter(|one| one.transaction == *transaction)
            {
                let ends = self.of(WaitPoint::Nic(node.0), charge.delaying, charge.cause);
                self.move_on(sums, charge.delaying, charge.ps, &ends);
            }
        }
    }

    fn pass_on_in_routers(
        &self,
        jobs: &BTreeMap<NodeId, usize>,
        all: &mut BTreeMap<(NodeId, Transaction), ByJob>,
    ) {
        let mut known = BTreeMap::new();
        let on_average = self.on_average();
        let nowhere = vec![0.0; self.blame.blamed.parties.jobs];
        for (held, ps) in self.blame.books.senders.held() {
            let node = NodeId(held.sender);
            let Some(sums) = all.get_mut(&(node, held.transaction)) else {
                continue;
            };
            let charged = (held.delaying, held.cause);
            let ends = match held.port {
                Some(port) => known
                    .entry((port, charged))
                    .or_insert_with(|| self.of(WaitPoint::Port(port), held.delaying, held.cause)),
                None => {
                    let (job, transaction) = (jobs[&node], held.transaction);
                    let packets = Delayed { job, transaction };
                    let found = on_average.get(&(packets, charged));
                    &mut found.unwrap_or(&nowhere).clone()
                }
            };
            self.move_on(sums, held.delaying, ps, ends);
        }
    }

    /// Where charges of packets to a party for a cause end, over all points.
    fn on_average(&self) -> BTreeMap<(Delayed, (usize, Cause)), ByJob> {
        if self.blame.books.senders.knows_ports() {
            return BTreeMap::new();
        }
        let jobs = self.blame.blamed.parties.jobs;
        let mut sums: BTreeMap<_, (f64, ByJob)> = BTreeMap::new();
        for (point, charge, _) in self.blame.charged() {
            let charged = (charge.delaying, charge.cause);
            let (all, ends) = sums
                .entry((charge.packets(), charged))
                .or_insert_with(|| (0.0, vec![0.0; jobs]));
            let ps = precise(charge.ps);
            *all += ps;
            for (sum, part) in ends
                .iter_mut()
                .zip(self.of(point, charge.delaying, charge.cause))
            {
                *sum += ps * part;
            }
        }
        let parts = |(key, (all, ends)): (_, (f64, ByJob))| {
            (key, ends.into_iter().map(|sum| sum / all).collect())
        };
        sums.into_iter().map(parts).collect()
    }
}

/// The buffers among the targets of a charge.
fn buffers(parts: &Parts) -> Vec<(u32, usize)> {
    let buffer = |(target, _): &(Target, f64)| match target {
        Target::Buffer(port, party) => Some((*port, *party)),
        Target::End(..) => None,
    };
    parts.iter().filter_map(buffer).collect()
}
