//! What is observed of a run: probes put together as the configuration asks, and what they heard.
//!
//! Every run has [`Telemetry`]. The network is compiled for each type of probe; what is often
//! wanted beside it alone has a type of its own, but for builds with assertions, and everything else
//! is in [`Extras`].

use std::ops::Range;

use odonata_engine::{Control, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::RankLocation;
use odonata_network::{Counting, Network};
use odonata_telemetry::{
    Blame, Blamed, Channel, CounterShape, Counters, Flow, Flows, LinkSeries, LinkTotals, LinkUse,
    NodeTotals, OpenMessage, OpenMessages, OpenSample, PacketRecord, Probe, ProbeScope, Readings,
    Recorder, SampledSource, Stats, Telemetry, Watched, forward_events,
};
use odonata_units::{Instant, Span, record};

use crate::build::service::Served;
use crate::build::sources::Sources;
use crate::config::Config;

/// What a configuration asks to be observed, and what its probes need to know of the network.
pub(crate) struct ProbeSettings {
    watched: Watched,
    /// Every n-th packet of each node is recorded; 0: none is.
    packet_sample: u32,
    record_lanes: Vec<u8>,
    blame: Option<Blamed>,
    counters: Option<CounterShape>,
    link_series: bool,
    flows: bool,
    open_messages: Option<OpenSample>,
}

impl ProbeSettings {
    /// The settings of `config` for `network`; `counting` says how counters are read, if they are,
    /// and `open_messages` which messages of open-loop sources are kept.
    pub(crate) fn new(
        config: &Config,
        network: &Network<Served>,
        counting: Option<&Counting>,
        open_messages: Option<OpenSample>,
    ) -> Self {
        let telemetry = &config.telemetry;
        Self {
            watched: network.watched(Span::from_ps(telemetry.series_bin_ps)),
            packet_sample: telemetry.packet_sample,
            record_lanes: network.record_lanes(),
            blame: telemetry.blame.then(|| network.blamed()),
            counters: counting.map(|counting| network.counter_shape(counting)),
            link_series: telemetry.link_series,
            flows: telemetry.flows && network.has_control(),
            open_messages,
        }
    }

    fn telemetry(&self, scope: &ProbeScope) -> Telemetry {
        Telemetry::new(scope, &self.watched)
    }

    fn extras(&self, scope: &ProbeScope) -> Extras {
        let sample = self.packet_sample;
        let (jobs, bin) = (self.watched.jobs, self.watched.series_bin);
        Extras {
            recorder: (sample > 0).then(|| Recorder::new(sample, self.record_lanes.clone())),
            blame: self.blame.as_ref().map(|blamed| Blame::new(scope, blamed)),
            link_series: (self.link_series).then(|| LinkSeries::new(scope, jobs, bin)),
            flows: self.flows.then(Flows::default),
            counters: (self.counters.as_ref()).map(|shape| Counters::new(scope, shape)),
            open_messages: self.open_messages.clone().map(OpenMessages::new),
        }
    }
}

/// Which messages of open-loop sources are kept; `None` without any. They are known by their
/// sources, `[job]`, which differ in nothing but where they are (`locations`).
pub(crate) fn open_sample(
    config: &Config,
    network: &Network<Served>,
    sources: &[Sources],
    locations: &[Vec<RankLocation>],
) -> Option<OpenSample> {
    let mut of_nodes = vec![None; network.node_count()];
    for ((job, sources), locations) in config.jobs.iter().zip(sources).zip(locations) {
        let every = config.message_sample(job);
        let every = every.filter(|_| sources.message_bytes > 0);
        for location in locations.iter().filter(|_| sources.count > 0) {
            of_nodes[location.address.index()] = every.map(|every| SampledSource {
                every,
                bytes: sources.message_bytes,
            });
        }
    }
    let is_any = of_nodes.iter().any(Option::is_some);
    is_any.then(|| OpenSample {
        packet_bytes: network.packet_bytes(),
        header_bytes: network.header_bytes(),
        sources: of_nodes,
    })
}

/// Probes that are there only if they are asked for.
#[derive(Default)]
struct Extras {
    recorder: Option<Recorder>,
    blame: Option<Blame>,
    link_series: Option<LinkSeries>,
    flows: Option<Flows>,
    counters: Option<Counters>,
    open_messages: Option<OpenMessages>,
}

impl Probe for Extras {
    forward_events!(self => [
        self.recorder,
        self.blame,
        self.link_series,
        self.flows,
        self.counters,
        self.open_messages
    ]);
}

/// What the probes of a run have heard.
#[derive(Default)]
pub(crate) struct Heard {
    telemetry: Option<Telemetry>,
    /// Records of the sampled packets that were delivered, by source, lane and sequence.
    pub(crate) records: Vec<PacketRecord>,
    /// Who delayed whom; `None` unless it was asked for.
    pub(crate) blame: Option<Blame>,
    /// What tiles and NICs have counted; `None` unless it was asked for.
    pub(crate) counters: Option<Readings>,
    /// Channels that leave routers, over time, by scope; empty unless it was asked for.
    pub(crate) link_series: Vec<LinkSeries>,
    /// What a controller did to each flow; `None` unless it was asked for and there is one.
    pub(crate) flows: Option<Vec<Flow>>,
    /// Sampled messages of open-loop sources that arrived, by source and creation.
    pub(crate) open_messages: Vec<OpenMessage>,
}

impl Heard {
    /// Statistics of the jobs.
    pub(crate) fn stats(&self) -> Option<&Stats> {
        self.telemetry.as_ref().map(Telemetry::stats)
    }

    /// Totals of the nodes, in order.
    pub(crate) fn nodes(&self) -> &[NodeTotals] {
        self.telemetry.as_ref().map_or(&[], Telemetry::nodes)
    }

    /// Packets and responses that were injected and not delivered.
    pub(crate) fn packets_in_flight(&self) -> u64 {
        self.stats().map_or(0, Stats::packets_in_flight)
    }
}

/// What happened on the channel that leaves a router port.
pub(crate) struct ChannelReport {
    pub(crate) totals: LinkTotals,
    /// Per job; empty if no packet went over it.
    pub(crate) jobs: Vec<LinkUse>,
    /// Per traffic class; empty if there is only one, or no packet went over it.
    pub(crate) classes: Vec<LinkUse>,
}

/// What the probes of one scope have recorded.
pub(crate) struct ScopeReport {
    telemetry: Telemetry,
    recorder: Option<Recorder>,
    blame: Option<Blame>,
    link_series: Option<LinkSeries>,
    flows: Option<Vec<Flow>>,
    counters: Option<Counters>,
    open_messages: Vec<OpenMessage>,
}
record!(ScopeReport {
    telemetry,
    recorder,
    blame,
    link_series,
    flows,
    counters,
    open_messages,
});

impl ScopeReport {
    /// The channels of the scope, among those of all routers.
    pub(crate) const fn channels(&self) -> Range<u32> {
        self.telemetry.channels()
    }

    /// Forgets what happened on channels.
    pub(crate) fn forget_channels(&mut self) {
        self.telemetry.forget_channels();
    }

    /// What happened on `channel`, which is of this scope.
    pub(crate) fn channel(&self, channel: Channel) -> ChannelReport {
        let totals = self.telemetry.link(channel);
        // A packet keeps its channel busy for 1 ps at least: who sent on an idle one is not asked.
        let (jobs, classes) = if totals.busy == Span::ZERO {
            (Vec::new(), Vec::new())
        } else {
            self.telemetry.traffic(channel)
        };
        ChannelReport {
            totals,
            jobs,
            classes,
        }
    }

    /// What probes have heard in a run that ended at `end`.
    fn new(telemetry: Telemetry, extras: Extras, end: Instant) -> Self {
        let mut blame = extras.blame;
        if let Some(blame) = &mut blame {
            // Waits that have not ended are charged up to there.
            blame.close(end);
        }
        let open_messages = extras.open_messages.map(OpenMessages::into_arrived);
        Self {
            telemetry,
            recorder: extras.recorder,
            blame,
            link_series: extras.link_series,
            flows: extras.flows.map(Flows::into_flows),
            counters: extras.counters,
            open_messages: open_messages.unwrap_or_default(),
        }
    }
}

/// The probes of one scope.
trait Listener: Probe + Sized {
    /// What they are.
    fn parts(self) -> (Telemetry, Extras);
}

impl Listener for Telemetry {
    fn parts(self) -> (Telemetry, Extras) {
        (self, Extras::default())
    }
}

impl Listener for (Telemetry, Counters) {
    fn parts(self) -> (Telemetry, Extras) {
        let counters = Some(self.1);
        (
            self.0,
            Extras {
                counters,
                ..Extras::default()
            },
        )
    }
}

impl Listener for (Telemetry, Blame) {
    fn parts(self) -> (Telemetry, Extras) {
        let blame = Some(self.1);
        (
            self.0,
            Extras {
                blame,
                ..Extras::default()
            },
        )
    }
}

impl Listener for (Telemetry, Extras) {
    fn parts(self) -> (Telemetry, Extras) {
        self
    }
}

impl Heard {
    /// What all probes have heard, from all scopes in order, in a run that ended at `end`.
    pub(crate) fn of_all(scopes: Vec<ScopeReport>, end: Instant) -> Self {
        let mut telemetry = Vec::new();
        let (mut recorders, mut blames) = (Vec::new(), Vec::new());
        let (mut link_series, mut counters) = (Vec::new(), Vec::new());
        let (mut flows, mut open_messages) = (Vec::new(), Vec::new());
        for scope in scopes {
            telemetry.push(scope.telemetry);
            recorders.extend(scope.recorder);
            blames.extend(scope.blame);
            link_series.extend(scope.link_series);
            flows.extend(scope.flows);
            counters.extend(scope.counters);
            open_messages.extend(scope.open_messages);
        }
        open_messages.sort_unstable();
        Self {
            telemetry: Telemetry::merge(telemetry),
            records: Recorder::join(recorders),
            blame: Blame::merge(blames),
            counters: Readings::new(counters, end),
            link_series: LinkSeries::join(link_series),
            flows: (!flows.is_empty()).then(|| Flow::join(flows)),
            open_messages,
        }
    }
}

/// A run that is about to begin.
pub(crate) struct ObservedRun<'a, C> {
    pub(crate) network: &'a mut Network<Served>,
    /// Instant at which it ends in any case.
    pub(crate) until: Instant,
    /// Threads of this process, unless `mesh` has said how many there are.
    pub(crate) threads: usize,
    pub(crate) control: &'a C,
    /// Other processes that simulate the rest.
    pub(crate) mesh: Option<&'a Mesh>,
}

impl<C: Control> ObservedRun<'_, C> {
    /// Simulates with the probes that `settings` ask for. What they have heard, by scope.
    ///
    /// # Errors
    /// Another process is gone.
    pub(crate) fn run(
        self,
        settings: &ProbeSettings,
    ) -> Result<(Stop, Vec<ScopeReport>), MeshError> {
        // Whoever builds with assertions compiles the hot loop once, and not for each type of probe:
        // that is most of the time that tests take to build.
        #[cfg(not(debug_assertions))]
        {
            let has_others = settings.packet_sample > 0
                || settings.link_series
                || settings.flows
                || settings.open_messages.is_some();
            match (has_others, &settings.blame, &settings.counters) {
                (false, None, None) => return self.run_with(|scope| settings.telemetry(scope)),
                (false, None, Some(shape)) => {
                    let counters = |scope: &_| Counters::new(scope, shape);
                    return self.run_with(|scope| (settings.telemetry(scope), counters(scope)));
                }
                (false, Some(blamed), None) => {
                    let blame = |scope: &_| Blame::new(scope, blamed);
                    return self.run_with(|scope| (settings.telemetry(scope), blame(scope)));
                }
                _ => {}
            }
        }
        self.run_with(|scope| (settings.telemetry(scope), settings.extras(scope)))
    }

    fn run_with<P: Listener>(
        self,
        probe: impl Fn(&ProbeScope) -> P,
    ) -> Result<(Stop, Vec<ScopeReport>), MeshError> {
        let Self {
            network,
            until,
            control,
            ..
        } = self;
        let scopes = match self.mesh {
            None => network.scopes(self.threads),
            Some(_) => network.scopes_of_share(),
        };
        let mut probes: Vec<P> = scopes.iter().map(probe).collect();
        let stop = match self.mesh {
            None => network.run(until, &mut probes, control),
            Some(mesh) => network.run_share(until, &mut probes, control, mesh)?,
        };
        let end = network.end();
        let report = |probes: P| {
            let (telemetry, extras) = probes.parts();
            ScopeReport::new(telemetry, extras, end)
        };
        Ok((stop, probes.into_iter().map(report).collect()))
    }
}
