//! What is observed of a run: probes put together as the configuration asks, and what they heard.
//!
//! Every run has [`Telemetry`]. The network is compiled for each type of probe; what is often
//! wanted beside it alone has a type of its own, and everything else is in [`Extras`].

use std::num::NonZeroU32;

use odonata_engine::{Control, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_network::{Counting, Network};
use odonata_telemetry::{
    Blame, Blamed, Channel, CounterShape, Counters, LinkSeries, LinkTotals, LinkUse, NodeTotals,
    OpenMessage, OpenMessages, OpenSample, PacketRecord, Probe, ProbeScope, Readings, Recorder,
    Stats, Telemetry, Watched, forward_events,
};
use odonata_units::{Instant, Span};

use crate::config::Config;
use crate::service::Served;

/// What a configuration asks to be observed, and what its probes need to know of the network.
pub(crate) struct ProbeSettings {
    watched: Watched,
    /// Every n-th packet of each node is recorded; 0: none is.
    packet_sample: u32,
    record_lanes: Vec<u8>,
    blame: Option<Blamed>,
    counters: Option<CounterShape>,
    link_series: bool,
    open_messages: Option<OpenSample>,
}

impl ProbeSettings {
    /// The settings of `config` for `network`; `counting` says how counters are read, if they are.
    pub(crate) fn new(
        config: &Config,
        network: &Network<Served>,
        counting: Option<&Counting>,
    ) -> Self {
        let telemetry = &config.telemetry;
        Self {
            watched: network.watched(Span::from_ps(telemetry.series_bin_ps)),
            packet_sample: telemetry.packet_sample,
            record_lanes: network.record_lanes(),
            blame: telemetry.blame.then(|| network.blamed()),
            counters: counting.map(|counting| network.counter_shape(counting)),
            link_series: telemetry.link_series,
            open_messages: open_sample(config, network),
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
            counters: (self.counters.as_ref()).map(|shape| Counters::new(scope, shape)),
            open_messages: self.open_messages.clone().map(OpenMessages::new),
        }
    }
}

/// Which messages of open-loop sources are kept; `None` without any.
fn open_sample(config: &Config, network: &Network<Served>) -> Option<OpenSample> {
    let every = NonZeroU32::new(config.telemetry.message_sample)?;
    let bytes = |served: &Served| served.endpoint.message_bytes().unwrap_or(0);
    let bytes: Vec<_> = network.endpoints().map(bytes).collect();
    let is_any = bytes.iter().any(|bytes| *bytes > 0);
    is_any.then_some(OpenSample {
        every,
        header_bytes: network.header_bytes(),
        bytes,
    })
}

/// Probes that are there only if they are asked for.
struct Extras {
    recorder: Option<Recorder>,
    blame: Option<Blame>,
    link_series: Option<LinkSeries>,
    counters: Option<Counters>,
    open_messages: Option<OpenMessages>,
}

impl Probe for Extras {
    forward_events!(self => [
        self.recorder, self.blame, self.link_series, self.counters, self.open_messages
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

    /// What happened on `channel`.
    pub(crate) fn channel(&self, channel: Channel) -> Option<ChannelReport> {
        let telemetry = self.telemetry.as_ref()?;
        let totals = telemetry.link(channel);
        // A packet keeps its channel busy for 1 ps at least: who sent on an idle one is not asked.
        let (jobs, classes) = if totals.busy == Span::ZERO {
            (Vec::new(), Vec::new())
        } else {
            telemetry.traffic(channel)
        };
        Some(ChannelReport {
            totals,
            jobs,
            classes,
        })
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

/// A probe for each scope of a network, which are put together when the run has ended.
trait Gather: Probe + Sized {
    /// Adds what `parts`, in the order of their scopes, have heard up to `end` to `heard`.
    fn gather(parts: Vec<Self>, end: Instant, heard: &mut Heard);
}

impl Gather for Telemetry {
    fn gather(parts: Vec<Self>, _end: Instant, heard: &mut Heard) {
        heard.telemetry = Self::merge(parts);
    }
}

impl Gather for Recorder {
    fn gather(parts: Vec<Self>, _end: Instant, heard: &mut Heard) {
        heard.records = Self::join(parts);
    }
}

impl Gather for Blame {
    /// Waits that have not ended are charged up to `end`.
    fn gather(mut parts: Vec<Self>, end: Instant, heard: &mut Heard) {
        for blame in &mut parts {
            blame.close(end);
        }
        heard.blame = Self::merge(parts);
    }
}

impl Gather for LinkSeries {
    fn gather(parts: Vec<Self>, _end: Instant, heard: &mut Heard) {
        heard.link_series = Self::join(parts);
    }
}

impl Gather for OpenMessages {
    fn gather(parts: Vec<Self>, _end: Instant, heard: &mut Heard) {
        heard.open_messages = Self::join(parts);
    }
}

impl Gather for Counters {
    fn gather(parts: Vec<Self>, end: Instant, heard: &mut Heard) {
        heard.counters = Readings::new(parts, end);
    }
}

impl<A: Gather, B: Gather> Gather for (A, B) {
    fn gather(parts: Vec<Self>, end: Instant, heard: &mut Heard) {
        let (first, second) = parts.into_iter().unzip();
        A::gather(first, end, heard);
        B::gather(second, end, heard);
    }
}

impl Gather for Extras {
    fn gather(parts: Vec<Self>, end: Instant, heard: &mut Heard) {
        let (mut recorders, mut blames) = (Vec::new(), Vec::new());
        let (mut link_series, mut counters) = (Vec::new(), Vec::new());
        let mut open_messages = Vec::new();
        for part in parts {
            recorders.extend(part.recorder);
            blames.extend(part.blame);
            link_series.extend(part.link_series);
            counters.extend(part.counters);
            open_messages.extend(part.open_messages);
        }
        Gather::gather(recorders, end, heard);
        Gather::gather(blames, end, heard);
        Gather::gather(link_series, end, heard);
        Gather::gather(counters, end, heard);
        Gather::gather(open_messages, end, heard);
    }
}

/// A run that is about to begin.
pub(crate) struct ObservedRun<'a, C> {
    pub(crate) network: &'a mut Network<Served>,
    /// Instant at which it ends in any case.
    pub(crate) until: Instant,
    pub(crate) threads: usize,
    pub(crate) control: &'a C,
}

impl ProbeSettings {
    /// What every run counts of the share of one process, when it has run; by scope.
    pub(crate) fn run_share<C: Control>(
        &self,
        network: &mut Network<Served>,
        until: Instant,
        control: &C,
        mesh: &Mesh,
    ) -> Result<(Stop, Vec<Telemetry>), MeshError> {
        let scopes = network.scopes_of_share();
        let mut probes = scopes.iter().map(|scope| self.telemetry(scope)).collect();
        let stop = network.run_share(until, &mut probes, control, mesh)?;
        Ok((stop, probes))
    }
}

impl Heard {
    /// What every run counts, from all scopes in order.
    pub(crate) fn of_all(parts: Vec<Telemetry>) -> Self {
        let telemetry = Telemetry::merge(parts);
        Self {
            telemetry,
            ..Self::default()
        }
    }
}

impl<C: Control> ObservedRun<'_, C> {
    /// Simulates with the probes that `settings` ask for.
    pub(crate) fn run(self, settings: &ProbeSettings) -> (Stop, Heard) {
        let has_others =
            settings.packet_sample > 0 || settings.link_series || settings.open_messages.is_some();
        match (has_others, &settings.blame, &settings.counters) {
            (false, None, None) => self.run_with(|scope| settings.telemetry(scope)),
            (false, None, Some(shape)) => {
                self.run_with(|scope| (settings.telemetry(scope), Counters::new(scope, shape)))
            }
            (false, Some(blamed), None) => {
                self.run_with(|scope| (settings.telemetry(scope), Blame::new(scope, blamed)))
            }
            _ => self.run_with(|scope| (settings.telemetry(scope), settings.extras(scope))),
        }
    }

    fn run_with<P: Gather>(self, probe: impl Fn(&ProbeScope) -> P) -> (Stop, Heard) {
        let scopes = self.network.scopes(self.threads);
        let mut probes: Vec<P> = scopes.iter().map(probe).collect();
        let stop = self.network.run(self.until, &mut probes, self.control);
        let mut heard = Heard::default();
        P::gather(probes, self.network.end(), &mut heard);
        (stop, heard)
    }
}
