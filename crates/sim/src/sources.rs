//! What open-loop jobs create, wherever their sources are simulated.

use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::RankLocation;
use odonata_network::Network;
use odonata_units::record;
use odonata_workload::{NodeEndpoint, OpenLoopSource};

use crate::exchange::gathered;
use crate::service::Served;

/// The sources of an open-loop job, which differ only in where they are and what they draw.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sources {
    /// How many there are.
    pub(crate) count: u64,
    /// Payload of a message.
    pub(crate) message_bytes: u64,
    pub(crate) mean_gap_ps: f64,
    /// See [`OpenLoopSource::batch`].
    pub(crate) batch: f64,
    pub(crate) are_periodic: bool,
}
record!(Sources {
    count,
    message_bytes,
    mean_gap_ps,
    batch,
    are_periodic,
});

impl Sources {
    fn of(source: &OpenLoopSource) -> Self {
        Self {
            count: 1,
            message_bytes: source.message_bytes(),
            mean_gap_ps: source.mean_gap_ps(),
            batch: source.batch(),
            are_periodic: source.is_periodic(),
        }
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

/// `[job]`: its open-loop sources, from all processes of `mesh` if there are others.
///
/// # Errors
/// Another process is gone.
pub(crate) fn all_sources(
    network: &Network<Served>,
    locations: &[Vec<RankLocation>],
    mesh: Option<&Mesh>,
) -> Result<Vec<Sources>, MeshError> {
    let mut all = sources(network, locations);
    if let Some(mesh) = mesh {
        for others in gathered(mesh, &all)? {
            for (sources, more) in all.iter_mut().zip(others) {
                sources.add(more);
            }
        }
    }
    Ok(all)
}

/// `[job]`: its open-loop sources at the nodes of this process.
pub(crate) fn sources(network: &Network<Served>, locations: &[Vec<RankLocation>]) -> Vec<Sources> {
    let users: Vec<_> = network.endpoints().collect();
    let first = network.own_nodes().start;
    let of_job = |locations: &Vec<RankLocation>| {
        let mut all = Sources::default();
        for location in locations {
            let index = location.address.0.checked_sub(first);
            let user = index.and_then(|index| users.get(index as usize));
            if let Some(NodeEndpoint::OpenLoop(source)) = user.map(|user| &user.endpoint) {
                all.add(Sources::of(source));
            }
        }
        all
    };
    locations.iter().map(of_job).collect()
}
