//! Blame on random scenarios, against a naive reading of `docs/model/blame.md`: everything that
//! happens at a port is written down, and the wait of each packet is looked up in that.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use odonata_engine::Stop;
use odonata_network::{Network, NodeUse, Sharing, Usage};
use odonata_reference::testing::{self, Guest, Scenario, System, guests, observe};
use odonata_telemetry::{
    Blame, BlameRow, Blamed, Cause, Channel, ChannelStart, CreditChange, Injection, Instrument,
    MeasureWindow, PacketFacts, Parties, Probe, Queueing, Transaction, WaitPoint, Wiring,
};
use odonata_topology::{Attachment, PortIndex, Topology};
use odonata_units::{Instant, RouterId, Span};

pub(crate) const JOBS: u8 = 3;

/// A packet in the queue of a port.
#[derive(Clone, Copy, Debug)]
struct Wait {
    party: usize,
    source: u32,
    begins: Instant,
    ends: Instant,
    vc: u8,
}

/// What happened at one port.
#[derive(Clone, Debug, Default)]
struct PortLog {
    /// Party, start, end.
    sent: Vec<(usize, Instant, Instant)>,
    /// Instant, and virtual channels that lack credits.
    blocked: Vec<(Instant, u32)>,
    /// Virtual channel, party, flits taken (negative: given back), instant.
    credits: Vec<(u8, usize, i64, Instant)>,
    waiting: BTreeMap<u8, VecDeque<Wait>>,
    waits: Vec<Wait>,
    last: Instant,
}

/// Writes everything down.
struct Log {
    parties: Parties,
    ports: BTreeMap<u32, PortLog>,
    /// Waits in NICs, and in input buffers if routers have a crossbar.
    elsewhere_ps: u128,
    has_crossbar: bool,
    /// `(router, port, vc)`: entries that are not left.
    inside: BTreeMap<(u32, u8, u8), VecDeque<Instant>>,
}

impl Log {
    fn party(&self, packet: &PacketFacts) -> usize {
        self.parties.on(packet.job, packet.vc)
    }

    fn port(&mut self, channel: Channel, at: Instant) -> &mut PortLog {
        let port = self.ports.entry(channel.index).or_default();
        assert!(at >= port.last, "events of a port come in order");
        port.last = at;
        port
    }
}

impl Probe for Log {
    fn injected(&mut self, _: &PacketFacts, _: bool, start: Injection) {
        self.elsewhere_ps += u128::from((start.at - start.exists).ps());
    }

    fn entered(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        let key = (router.0, packet.in_port, packet.vc);
        self.inside.entry(key).or_default().push_back(at);
    }

    fn left(&mut self, router: RouterId, packet: &PacketFacts, at: Instant) {
        if self.has_crossbar {
            let key = (router.0, packet.in_port, packet.vc);
            let since = self.inside.get_mut(&key).unwrap().pop_front().unwrap();
            self.elsewhere_ps += u128::from((at - since).ps());
        }
    }

    fn queued(&mut self, channel: Channel, packet: &PacketFacts, queueing: Queueing) {
        let Queueing { vc, at, ready } = queueing;
        let wait = Wait {
            party: self.party(packet),
            source: packet.source.0,
            begins: ready,
            ends: Instant::NEVER,
            vc,
        };
        let waiting = &mut self.port(channel, at).waiting;
        waiting.entry(vc).or_default().push_back(wait);
    }

    fn started(&mut self, channel: Channel, packet: &PacketFacts, start: ChannelStart) {
        let (vc, at) = (start.vc, start.at);
        let party = self.party(packet);
        let port = self.port(channel, at);
        if let Some(wait) = port.waiting.entry(vc).or_default().pop_front() {
            assert_eq!((wait.party, wait.source), (party, packet.source.0), "FIFO");
            port.waits.push(Wait { ends: at, ..wait });
        }
        port.sent.push((party, at, at + start.serialization));
    }

    fn blocked(&mut self, channel: Channel, lacking: u32, at: Instant) {
        self.port(channel, at).blocked.push((at, lacking));
    }

    fn credits_taken(&mut self, channel: Channel, credits: CreditChange, at: Instant) {
        let CreditChange { vc, job, flits } = credits;
        let party = self.parties.on(job, vc);
        let port = self.ports.entry(channel.index).or_default();
        port.credits.push((vc, party, i64::from(flits), at));
    }

    fn credits_returned(&mut self, channel: Channel, credits: CreditChange, at: Instant) {
        let CreditChange { vc, job, flits } = credits;
        let party = self.parties.on(job, vc);
        // It may be announced ahead of its instant.
        let port = self.ports.entry(channel.index).or_default();
        port.credits.push((vc, party, -i64::from(flits), at));
    }
}

/// Parts of a wait at a port, ps: by party that occupied it, by party that held credits, and of
/// nobody.
#[derive(Default)]
struct Split {
    port: BTreeMap<usize, f64>,
    credits: BTreeMap<usize, f64>,
    stage: f64,
}

impl PortLog {
    /// Looks a wait up.
    fn split(&self, wait: &Wait) -> Split {
        let mut split = Split::default();
        let mut free = wait.begins;
        for (party, from, to) in &self.sent {
            if *to <= wait.begins || *from > wait.ends {
                continue;
            }
            if *from > free {
                self.split_free(wait, free, *from, &mut split);
            }
            let part = precise((*to).min(wait.ends) - (*from).max(wait.begins));
            if *from < wait.ends {
                *split.port.entry(*party).or_default() += part;
            }
            free = free.max(*to);
        }
        if free < wait.ends {
            self.split_free(wait, free, wait.ends, &mut split);
        }
        split
    }

    /// The part of a wait in which the port sends nothing.
    fn split_free(&self, wait: &Wait, from: Instant, to: Instant, split: &mut Split) {
        let last_start = self
            .sent
            .iter()
            .map(|one| one.1)
            .filter(|at| *at < to)
            .max();
        let last_start = last_start.unwrap_or(Instant::ZERO);
        let lacks = |one: &&(Instant, u32)| one.1 & (1 << wait.vc) != 0;
        let blocked = self.blocked.iter().filter(lacks).map(|one| one.0);
        let mut blocked = blocked.filter(|at| *at >= last_start && *at < to);
        let blocked = blocked.next().map_or(to, |at| at.max(from));
        split.stage += precise(blocked - from);
        let mut cuts = vec![blocked, to];
        let changes = self.credits.iter().filter(|one| one.0 == wait.vc);
        cuts.extend(
            changes
                .map(|one| one.3)
                .filter(|at| *at > blocked && *at < to),
        );
        cuts.sort_unstable();
        for span in cuts.windows(2) {
            let mut held = BTreeMap::new();
            for (vc, party, flits, at) in &self.credits {
                if *vc == wait.vc && *at <= span[0] {
                    *held.entry(*party).or_insert(0_i64) += flits;
                }
            }
            let all: i64 = held.values().sum();
            let time = precise(span[1] - span[0]);
            if all == 0 {
                split.stage += time;
            }
            for (party, flits) in held.into_iter().filter(|one| one.1 > 0) {
                #[expect(clippy::cast_precision_loss, reason = "flits of a buffer")]
                let part = time * flits as f64 / all as f64;
                *split.credits.entry(party).or_default() += part;
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "short runs")]
fn precise(span: Span) -> f64 {
    span.ps() as f64
}

/// How the ports of a topology are joined.
pub(crate) fn wiring(topology: &Topology) -> Wiring {
    let radix = u32::from(topology.radix());
    let number = |router: RouterId, port: u16| router.0 * radix + u32::from(port);
    let mut hosts = vec![0; topology.node_count() as usize];
    let mut peers = Vec::new();
    for router in topology.routers() {
        for port in 0..topology.radix() {
            peers.push(
                topology
                    .neighbour(router, PortIndex(port))
                    .map(|far| match far {
                        Attachment::Node(node) => {
                            hosts[node.index()] = number(router, port);
                            WaitPoint::Nic(node.0)
                        }
                        Attachment::Router(other, back) => WaitPoint::Port(number(other, back.0)),
                    }),
            );
        }
    }
    Wiring { peers, hosts }
}

/// A network in which node `n` belongs to job `n` modulo [`JOBS`].
fn network<'a>(
    scenario: &Scenario,
    system: &'a mut System,
    threads: usize,
) -> (Network<Guest<'a>>, Wiring) {
    let System {
        topology,
        routing,
        endpoints,
    } = system;
    let wiring = wiring(topology);
    let used = |node: usize| NodeUse {
        job: u8::try_from(node % usize::from(JOBS)).unwrap(),
        is_goal: true,
    };
    let usage = Usage {
        nodes: (0..endpoints.len()).map(used).collect(),
        jobs: JOBS.into(),
        measure: Some(MeasureWindow::ALWAYS),
        sharing: Sharing::default(),
    };
    let parameters = &scenario.parameters;
    let network = testing::network(
        Arc::clone(topology),
        routing,
        parameters,
        guests(endpoints),
        usage,
        threads,
    )
    .unwrap();
    (network, wiring)
}

/// Runs a scenario with a probe for blame, on some threads, and one that `more` makes.
pub(crate) fn run<P: Probe>(
    scenario: &Scenario,
    threads: usize,
    more: impl Fn(&Network<Guest<'_>>) -> P,
) -> (Blame, Vec<P>, Wiring) {
    run_as(scenario, threads, |blamed| blamed, more)
}

/// The same, with what blame knows of the network changed.
fn run_as<P: Probe>(
    scenario: &Scenario,
    threads: usize,
    change: impl Fn(Blamed) -> Blamed,
    more: impl Fn(&Network<Guest<'_>>) -> P,
) -> (Blame, Vec<P>, Wiring) {
    let mut system = scenario.build().unwrap();
    let (mut network, wiring) = network(scenario, &mut system, threads);
    let blamed = change(network.blamed());
    let scopes = network.scopes();
    let probes = scopes
        .iter()
        .map(|scope| (Blame::new(scope, &blamed), more(&network)));
    let mut probes: Vec<_> = probes.collect();
    let stop = observe(&mut network, scenario.until, &mut probes);
    assert_ne!(stop, Stop::Finished, "it is watched for ever");
    let end = network.end();
    let (mut blames, more): (Vec<_>, Vec<_>) = probes.into_iter().unzip();
    blames.iter_mut().for_each(|blame| blame.close(end));
    (Blame::merge(blames, end).unwrap(), more, wiring)
}

/// Blame of a port, looked up wait by wait: job, party, port, cause.
type Naive = BTreeMap<(usize, usize, u32, Cause), f64>;

/// What the log of a port says, and how far rounding may be off there.
fn look_up(parties: Parties, port: u32, log: &PortLog, naive: &mut Naive) -> f64 {
    for wait in &log.waits {
        let split = log.split(wait);
        let mut add = |party, cause, ps| {
            let key = (parties.job(wait.party), party, port, cause);
            *naive.entry(key).or_default() += ps;
        };
        for (party, ps) in &split.port {
            add(*party, Cause::Port, *ps);
        }
        for (party, ps) in &split.credits {
            add(*party, Cause::Credits, *ps);
        }
        add(wait.party, Cause::Stage, split.stage);
    }
    // A part is rounded once between two instants.
    let cuts = u32::try_from(log.waits.len() * (4 + 2 * log.credits.len()));
    f64::from(cuts.unwrap_or(u32::MAX))
}

/// Every wait is charged, once, and passed on whole.
fn assert_sums(rows: &[BlameRow], blame: &Blame) {
    for job in 0..usize::from(JOBS) {
        for kind in Transaction::ALL {
            let mine = rows
                .iter()
                .filter(|row| (row.delayed, row.transaction) == (job, kind));
            let (direct, through) = mine.fold((0, 0), |(direct, through), row| {
                (direct + row.direct_ps, through + row.through_ps)
            });
            assert_eq!(direct, through, "job {job}, {kind:?}");
        }
    }
    let all: u128 = rows.iter().map(|row| u128::from(row.direct_ps)).sum();
    assert_eq!(all, blame.waited_ps());
}

/// Whether blame says of output ports what the log says.
fn assert_agrees(rows: &[BlameRow], parties: Parties, log: &Log) {
    let mut naive = Naive::new();
    let mut slack = BTreeMap::new();
    for (port, one) in &log.ports {
        slack.insert(*port, look_up(parties, *port, one, &mut naive));
    }
    let mut both = BTreeMap::new();
    for row in rows {
        let key = (row.delayed, row.delaying, row.class, row.point, row.cause);
        let sum = both.entry(key).or_insert(BlameRow {
            direct_ps: 0,
            ..*row
        });
        sum.direct_ps += row.direct_ps;
    }
    for row in both.values() {
        let WaitPoint::Port(port) = row.point else {
            continue;
        };
        // Under `cioq` the stage is also the crossbar, which the log does not split.
        let is_known = match row.cause {
            Cause::Port | Cause::Credits => true,
            Cause::Stage => !log.has_crossbar,
            _ => false,
        };
        if is_known {
            let party = row.delaying * parties.classes + row.class;
            let key = (row.delayed, party, port, row.cause);
            let expected = naive.remove(&key).unwrap_or(0.0);
            let found = precise(Span::from_ps(row.direct_ps));
            let is_split = row.cause == Cause::Credits;
            let slack = if is_split { slack[&port] } else { 0.0 };
            assert!(
                (found - expected).abs() <= slack,
                "{row:?}, naively {expected}"
            );
        }
    }
}

#[test]
fn blame_is_what_the_page_says() {
    let (mut waits, mut stalls) = (0, 0);
    for number in 0..24 {
        let scenario = Scenario::random(number);
        let (blame, logs, wiring) = run(&scenario, 1, |network| Log {
            parties: network.blamed().parties,
            ports: BTreeMap::new(),
            elsewhere_ps: 0,
            has_crossbar: network.blamed().has_crossbar,
            inside: BTreeMap::new(),
        });
        let log = &logs[0];
        let rows = blame.rows(&wiring);
        assert_sums(&rows, &blame);
        let mut open = log.ports.values().flat_map(|log| log.waiting.values());
        let mut inside = log.inside.values();
        let is_open = open.any(|one| !one.is_empty())
            || log.has_crossbar && inside.any(|one| !one.is_empty());
        if is_open {
            // What waits at the end is charged up to then; the log knows only waits that ended.
            continue;
        }
        let ended = log.ports.values().flat_map(|log| &log.waits);
        let ended = ended.map(|wait| u128::from(wait.ends.saturating_since(wait.begins).ps()));
        assert_eq!(log.elsewhere_ps + ended.sum::<u128>(), blame.waited_ps());
        assert_agrees(&rows, blame.parties(), log);
        waits += log.ports.values().map(|log| log.waits.len()).sum::<usize>();
        stalls += rows
            .iter()
            .filter(|row| row.cause == Cause::Credits)
            .count();
    }
    assert!(
        waits > 5_000 && stalls > 50,
        "{waits} waits, {stalls} stalls"
    );
}

#[test]
fn threads_do_not_show() {
    for number in [2, 7, 21, 33, 54] {
        let scenario = Scenario::random(number);
        let (one, _, wiring) = run(&scenario, 1, |_| ());
        let rows = one.rows(&wiring);
        for threads in [2, 3] {
            let (other, _, _) = run(&scenario, threads, |_| ());
            assert_eq!(rows, other.rows(&wiring), "scenario {number}");
        }
    }
}

/// How long what `node` sent waited, by party, requests and then responses.
fn sent_waits(blame: &Blame, node: odonata_units::NodeId) -> Vec<u64> {
    let kinds = &Transaction::ALL[..blame.blamed().waiters().transactions()];
    let waits = kinds.iter().flat_map(|kind| blame.of_sender(node, *kind));
    waits.copied().collect()
}

#[test]
fn senders_have_the_same_sums() {
    for number in [4, 11, 28] {
        let scenario = Scenario::random(number);
        let (blame, _, _) = run(&scenario, 1, |_| ());
        let nodes = u32::try_from(scenario.build().unwrap().endpoints.len()).unwrap();
        let nodes = (0..nodes).map(odonata_units::NodeId);
        let all = nodes.flat_map(|node| sent_waits(&blame, node));
        assert_eq!(all.map(u128::from).sum::<u128>(), blame.waited_ps());
    }
}

/// Requests of every rank, by job and sender: direct and through blame by delaying job, ps.
fn requests_of_ranks(blame: &Blame, wiring: &Wiring, nodes: u32) -> BTreeMap<(usize, usize), Sums> {
    let of_job = |job| (0..nodes).filter(move |node| node % u32::from(JOBS) == job);
    let senders = (0..u32::from(JOBS)).map(|job| of_job(job).map(odonata_units::NodeId).collect());
    let rows = blame.rows(wiring);
    let ranks = blame.ranks(wiring, &rows, &senders.collect::<Vec<_>>());
    let mut found = BTreeMap::new();
    let requests = |kind| kind == Transaction::Request;
    for row in ranks.iter().filter(|row| requests(row.transaction)) {
        let sums: &mut Sums = found.entry((row.job, row.sender)).or_default();
        sums.0.push(row.direct_ps);
        sums.1.push(row.through_ps);
    }
    for job in 0..usize::from(JOBS) {
        let mine = rows.iter().filter(|row| row.delayed == job);
        let through = mine.filter(|row| requests(row.transaction));
        let of_rows: u64 = through.map(|row| row.through_ps).sum();
        let ranks = found.iter().filter(|((one, _), _)| *one == job);
        let of_ranks: u64 = ranks.flat_map(|(_, sums)| &sums.1).sum();
        assert_eq!(of_rows, of_ranks, "job {job}");
    }
    found
}

type Sums = (Vec<u64>, Vec<u64>);

#[test]
fn ranks_pass_on_what_they_waited_also_where_ports_are_too_many() {
    let mut differ = 0;
    for number in [4, 7, 11, 21, 28, 33, 35, 42, 49, 56, 63, 70] {
        let scenario = Scenario::random(number);
        let nodes = u32::try_from(scenario.build().unwrap().endpoints.len()).unwrap();
        let ranks_of = |change: &dyn Fn(Blamed) -> Blamed| {
            let (blame, _, wiring) = run_as(&scenario, 2, change, |_| ());
            requests_of_ranks(&blame, &wiring, nodes)
        };
        let exact = ranks_of(&|blamed| blamed);
        let many = 1 << 40;
        let on_average = ranks_of(&|blamed| Blamed {
            ports: many,
            ..blamed
        });
        for ranks in [&exact, &on_average] {
            for (rank, (direct, through)) in ranks {
                let (direct, through) = (direct.iter().sum::<u64>(), through.iter().sum::<u64>());
                // Each part is rounded, and the rest of a job goes to its largest ranks.
                assert!(direct.abs_diff(through) <= 500, "{number}, {rank:?}");
            }
        }
        assert!(exact.keys().eq(on_average.keys()), "scenario {number}");
        differ += usize::from(exact != on_average);
    }
    assert!(differ > 0, "ports are told apart or not");
}
