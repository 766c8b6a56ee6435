//! What is observed of a run: probes put together as the configuration asks, and what they heard.
//!
//! Every run has [`Telemetry`], and the instruments that are asked for. The network is compiled for
//! each type of probe: what is often wanted alone beside [`Telemetry`] has a type of its own, but
//! for builds with assertions, and everything else is in [`Extras`].

use std::ops::Range;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_engine::{Control, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::RankLocation;
use odonata_network::{Counting, Network};
use odonata_telemetry::{
    Blame, Channel, Counters, Flows, Instrument, LinkSeries, LinkTotals, LinkUse, NodeTotals,
    OpenMessages, OpenSample, PacketSample, Probe, ProbeScope, Recorder, SampledSource, Stats,
    Telemetry, Watched, forward_events,
};
use odonata_units::{Instant, Span};

use crate::build::service::Served;
use crate::build::sources::Sources;
use crate::config::Config;

/// Declares the instruments that a run may have. Each needs a setting in [`ProbeSettings::new`]
/// besides; it is there if it has one.
macro_rules! instruments {
    ($($(#[$doc:meta])* $name:ident: $instrument:ty,)+) => {
        /// What a configuration asks to be observed, and what its probes need to know.
        pub(crate) struct ProbeSettings {
            watched: Watched,
            $($name: Option<<$instrument as Instrument>::Setting>,)+
        }

        impl ProbeSettings {
            /// Instruments that are asked for.
            #[cfg(not(debug_assertions))]
            fn count(&self) -> usize {
                [$(self.$name.is_some()),+].map(usize::from).iter().sum()
            }

            fn extras(&self, scope: &ProbeScope) -> Extras {
                let Self { watched: _, $($name),+ } = self;
                Extras {
                    $($name: ($name.as_ref()).map(|setting| <$instrument>::new(scope, setting)),)+
                }
            }
        }

        /// The instruments of one scope.
        #[derive(Default, BorshSerialize, BorshDeserialize)]
        struct Extras {
            $($name: Option<$instrument>,)+
        }

        impl Probe for Extras {
            forward_events!(self => [$(self.$name),+]);
        }

        impl Extras {
            /// The run has ended at `end`.
            fn close(&mut self, end: Instant) {
                $(if let Some(one) = &mut self.$name {
                    one.close(end);
                })+
            }
        }

        $(impl From<$instrument> for Extras {
            fn from(only: $instrument) -> Self {
                Self { $name: Some(only), ..Self::default() }
            }
        })+

        /// What the probes of a run have heard; absent: nothing, or it was not asked for.
        #[derive(Default)]
        pub(crate) struct Heard {
            telemetry: Option<Telemetry>,
            $($(#[$doc])* pub(crate) $name: Option<<$instrument as Instrument>::Whole>,)+
        }

        impl Heard {
            /// What all probes have heard, from all scopes in order, in a run that ended at `end`.
            pub(crate) fn of_all(scopes: Vec<ScopeReport>, end: Instant) -> Self {
                let mut telemetry = Vec::new();
                $(let mut $name = Vec::new();)+
                for scope in scopes {
                    telemetry.push(scope.telemetry);
                    $($name.extend(scope.extras.$name);)+
                }
                Self {
                    telemetry: Telemetry::merge(telemetry),
                    $($name: <$instrument>::merge($name, end),)+
                }
            }
        }
    };
}

instruments! {
    /// Sampled packets that were delivered, by source, lane and sequence.
    packets: Recorder,
    /// Who delayed whom.
    blame: Blame,
    /// Channels that leave routers, over time, by scope.
    link_series: LinkSeries,
    /// What a controller did to each flow.
    flows: Flows,
    /// What tiles and NICs have counted.
    counters: Counters,
    /// Sampled messages of open-loop sources that arrived, by source and creation.
    open_messages: OpenMessages,
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
        let watched = network.watched(Span::from_ps(telemetry.series_bin_ps));
        Self {
            packets: (telemetry.packet_sample > 0).then(|| PacketSample {
                every: telemetry.packet_sample,
                lanes: network.record_lanes(),
            }),
            blame: telemetry.blame.then(|| network.blamed()),
            link_series: telemetry.link_series.then(|| watched.clone()),
            flows: (telemetry.flows && network.has_control()).then_some(()),
            counters: counting.map(|counting| network.counter_shape(counting)),
            open_messages,
            watched,
        }
    }
}

#[cfg(not(debug_assertions))]
impl From<()> for Extras {
    fn from((): ()) -> Self {
        Self::default()
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
#[derive(BorshSerialize, BorshDeserialize)]
pub(crate) struct ScopeReport {
    telemetry: Telemetry,
    extras: Extras,
}

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
}

/// A run that is about to begin.
pub(crate) struct ObservedRun<'a, C> {
    pub(crate) network: &'a mut Network<Served>,
    /// Instant at which it ends in any case.
    pub(crate) until: Instant,
    pub(crate) control: &'a C,
    /// The processes that simulate together.
    pub(crate) mesh: &'a Mesh,
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
        match (settings.count(), &settings.counters, &settings.blame) {
            (0, ..) => return self.run_with(settings, |_| ()),
            (1, Some(shape), _) => {
                return self.run_with(settings, |scope| Counters::new(scope, shape));
            }
            (1, _, Some(blamed)) => {
                return self.run_with(settings, |scope| Blame::new(scope, blamed));
            }
            _ => {}
        }
        self.run_with(settings, |scope| settings.extras(scope))
    }

    fn run_with<P: Probe + Into<Extras>>(
        self,
        settings: &ProbeSettings,
        instruments: impl Fn(&ProbeScope) -> P,
    ) -> Result<(Stop, Vec<ScopeReport>), MeshError> {
        let Self {
            network,
            until,
            control,
            mesh,
        } = self;
        let scopes = network.scopes();
        let probe = |scope| (Telemetry::new(scope, &settings.watched), instruments(scope));
        let mut probes: Vec<(Telemetry, P)> = scopes.iter().map(probe).collect();
        let stop = network.run(until, &mut probes, control, mesh)?;
        let end = network.end();
        let report = |(telemetry, instruments): (_, P)| {
            let mut extras: Extras = instruments.into();
            extras.close(end);
            ScopeReport { telemetry, extras }
        };
        Ok((stop, probes.into_iter().map(report).collect()))
    }
}
