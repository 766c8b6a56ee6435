//! Shape of a network as probes need it.

use std::sync::Arc;

use odonata_endpoint::Endpoint;
use odonata_telemetry::{Blamed, CounterNames, CounterShape, Parties, Watched};
use odonata_units::Span;

use crate::model::parameters::Architecture;
use crate::network::Network;

/// How counters are read, and which are kept.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Time between two readings; absent: they are read only at the end.
    pub every: Option<Span>,
    /// Readings at most; if there were more, the time between them is doubled.
    pub most_readings: u64,
    /// Which counters NICs have.
    pub names: CounterNames,
    /// `[router]`: whether the counters of its tiles are kept; absent: those of all routers are.
    pub routers: Option<Arc<[bool]>>,
    /// `[node]`: whether the counters of its NIC are kept; absent: those of all nodes are.
    pub nodes: Option<Arc<[bool]>>,
}

impl<E: Endpoint> Network<E> {
    /// Shape of the network as [`odonata_telemetry::Telemetry`] needs it, with bins of
    /// `series_bin` at least in its series.
    #[must_use]
    pub fn watched(&self, series_bin: Span) -> Watched {
        let shared = self.shared();
        Watched {
            jobs: shared.usage.jobs,
            classes: usize::from(shared.class_policy.classes),
            measure: shared.usage.measure,
            series_bin,
            full: shared.full_packet(),
        }
    }

    /// Whether congestion is controlled at end points.
    #[must_use]
    pub fn has_control(&self) -> bool {
        self.shared().parameters.control.is_some()
    }

    /// Bytes of a full packet.
    #[must_use]
    pub fn packet_bytes(&self) -> u32 {
        self.shared().parameters.packet_bytes
    }

    /// Bytes of a full packet that are no payload.
    #[must_use]
    pub fn header_bytes(&self) -> u32 {
        self.shared().parameters.header_bytes
    }

    /// Lanes of the network as [`odonata_telemetry::Recorder`] needs them. `[vc]`: twice the class
    /// of the VC, and one more for responses.
    #[must_use]
    pub fn record_lanes(&self) -> Vec<u8> {
        self.shared().record_lanes()
    }

    /// Shape of the network as [`odonata_telemetry::Blame`] needs it.
    #[must_use]
    pub fn blamed(&self) -> Blamed {
        let shared = self.shared();
        Blamed {
            parties: Parties {
                jobs: shared.usage.jobs,
                classes: usize::from(shared.class_policy.classes),
                class_vcs: shared.class_vcs,
            },
            response_mode: (shared.parameters.response_bytes > 0)
                .then(|| shared.routing.response_mode()),
            vcs: shared.vcs,
            ports: (shared.topology.router_count() * u32::from(shared.topology.radix())) as usize,
            has_crossbar: shared.parameters.architecture == Architecture::Cioq,
            nodes: shared.usage.nodes.len(),
        }
    }

    /// Shape of the network as [`odonata_telemetry::Counters`] need it.
    #[must_use]
    pub fn counter_shape(&self, counting: &Counting) -> CounterShape {
        let shared = self.shared();
        let (classes, class_vcs) = (usize::from(shared.class_policy.classes), shared.class_vcs);
        let requests = usize::from(shared.routing.request_virtual_channels());
        CounterShape {
            folds: CounterShape::folds(classes, class_vcs, requests),
            vcs: shared.vcs,
            class_vcs: u8::try_from(class_vcs).unwrap_or(u8::MAX),
            has_crossbar: shared.parameters.architecture == Architecture::Cioq,
            request_vcs: u8::try_from(requests).unwrap_or(u8::MAX),
            has_responses: shared.parameters.response_bytes > 0,
            header_bytes: shared.parameters.header_bytes,
            names: counting.names,
            every: counting.every,
            most_readings: counting.most_readings,
            routers: counting.routers.clone(),
            nodes: counting.nodes.clone(),
            // Routers run through an epoch one after the other.
            lag: shared.epoch() + shared.epoch() + shared.nic_lag,
        }
    }
}
