//! Messages that open-loop jobs create, wherever their sources are simulated.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::RankLocation;
use odonata_network::{Network, Parameters};
use odonata_units::NodeId;
use odonata_workload::{NodeEndpoint, OpenLoopSource};

use crate::build::service::Served;
use crate::result::exchange::gathered;

/// Digits of a load behind the point.
const DIGITS: f64 = 1e12;

/// The sources of an open-loop job, which differ only in where they are and what they draw.
#[derive(Clone, Copy, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct Sources {
    /// How many there are.
    pub(crate) count: u64,
    /// Payload of a message.
    pub(crate) message_bytes: u64,
    pub(crate) mean_gap_ps: f64,
    /// See [`OpenLoopSource::batch`].
    pub(crate) batch: f64,
    pub(crate) are_periodic: bool,
    /// See [`OpenLoopSource::longest_cycle_ps`].
    pub(crate) cycle_ps: f64,
}
impl Sources {
    fn of(source: &OpenLoopSource) -> Self {
        Self {
            count: 1,
            message_bytes: source.message_bytes(),
            mean_gap_ps: source.mean_gap_ps(),
            batch: source.batch(),
            are_periodic: source.is_periodic(),
            cycle_ps: source.longest_cycle_ps(),
        }
    }

    /// Packets of a message.
    pub(crate) fn packets_per_message(&self, parameters: &Parameters) -> u64 {
        let payload = u64::from(parameters.payload_bytes());
        // A packet that is all header is refused when the network is built.
        self.message_bytes.div_ceil(payload.max(1))
    }

    /// Bytes of a message on the wire: with the headers of its packets.
    pub(crate) fn wire_bytes(&self, parameters: &Parameters) -> u64 {
        let headers = self.packets_per_message(parameters) * u64::from(parameters.header_bytes);
        self.message_bytes + headers
    }

    /// Messages that all of them create in `span_ps` on average.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(crate) fn messages_in(&self, span_ps: u64) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        self.count as f64 * (span_ps as f64 / self.mean_gap_ps)
    }

    /// Load offered by a node of them, as a share of its channel into the network.
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    pub(crate) fn load(&self, parameters: &Parameters) -> f64 {
        let rate = parameters.host.bandwidth.bytes_per_second() as f64 / 1e12;
        let load = self.wire_bytes(parameters) as f64 / (self.mean_gap_ps * rate);
        // What rounding of numbers adds is cut off.
        (load * DIGITS).round() / DIGITS
    }

    /// Adds what other processes simulate of them.
    pub(crate) fn add(&mut self, other: Self) {
        let count = self.count + other.count;
        if self.count == 0 {
            *self = other;
        }
        self.count = count;
    }
}

/// `[job]`: its open-loop sources, from all processes of `mesh`.
///
/// # Errors
/// Another process is gone.
pub(crate) fn all_sources(
    network: &Network<Served>,
    locations: &[Vec<RankLocation>],
    mesh: &Mesh,
) -> Result<Vec<Sources>, MeshError> {
    let mut all = sources(network, locations);
    for others in gathered(mesh, &all)? {
        for (sources, more) in all.iter_mut().zip(others) {
            sources.add(more);
        }
    }
    Ok(all)
}

/// `[job]`: its open-loop sources at the nodes of this process.
pub(crate) fn sources(network: &Network<Served>, locations: &[Vec<RankLocation>]) -> Vec<Sources> {
    let users: Vec<_> = network.endpoints().collect();
    let first = network.own_nodes().start;
    sources_at(locations, |node| {
        let index = node.0.checked_sub(first)?;
        users.get(index as usize).copied()
    })
}

/// `[job]`: its open-loop sources among what `served` has at its nodes.
pub(crate) fn sources_at<'a>(
    locations: &[Vec<RankLocation>],
    served: impl Fn(NodeId) -> Option<&'a Served>,
) -> Vec<Sources> {
    let of_job = |locations: &Vec<RankLocation>| {
        let mut all = Sources::default();
        for location in locations {
            let user = served(location.address);
            if let Some(NodeEndpoint::OpenLoop(source)) = user.map(|user| &user.endpoint) {
                all.add(Sources::of(source));
            }
        }
        all
    };
    locations.iter().map(of_job).collect()
}
