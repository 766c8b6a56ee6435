//! The ports that lead from a router towards a group, where routing compares them at every hop.

use odonata_topology::{PortIndex, Topology};
use odonata_units::{GroupId, RouterId};

/// Rows of a table at most: larger systems find their ports whenever they are asked.
const MOST_ROWS: usize = 1 << 20;

/// A row for each router and group.
#[derive(Debug)]
pub(crate) struct PortLists {
    groups: usize,
    /// `[router * groups + group]`: twice the place where its ports start, and 1 if they are those
    /// of [`Topology::direct_ports`]; one more at the end.
    starts: Vec<u32>,
    ports: Vec<PortIndex>,
}

impl PortLists {
    /// Lists of all routers; `None` if they are too many.
    pub(crate) fn new(topology: &Topology) -> Option<Self> {
        let groups = topology.group_count() as usize;
        let rows = topology.router_count() as usize * groups;
        let mut lists = (rows <= MOST_ROWS).then(|| Self {
            groups,
            starts: Vec::with_capacity(rows + 1),
            ports: Vec::new(),
        })?;
        for router in topology.routers() {
            for group in topology.groups() {
                let direct = topology.direct_ports(router, group);
                lists.push_start(!direct.is_empty())?;
                lists.ports.extend(direct);
                if direct.is_empty() {
                    lists.ports.extend(to_gateways(topology, router, group));
                }
            }
        }
        lists.push_start(false)?;
        Some(lists)
    }

    fn push_start(&mut self, is_direct: bool) -> Option<()> {
        let start = u32::try_from(2 * self.ports.len()).ok()?;
        self.starts.push(start | u32::from(is_direct));
        Some(())
    }

    /// The ports of `router` that lead to `group`, and whether they lead straight there; else they
    /// are those of [`to_gateways`].
    #[inline]
    pub(crate) fn towards(&self, router: RouterId, group: GroupId) -> (&[PortIndex], bool) {
        let row = router.index() * self.groups + group.index();
        let (start, end) = (self.starts[row], self.starts[row + 1]);
        let ports = &self.ports[(start / 2) as usize..(end / 2) as usize];
        (ports, start % 2 == 1)
    }
}

/// The local ports of `router` to routers of its group that have channels to `group`.
pub(crate) fn to_gateways(
    topology: &Topology,
    router: RouterId,
    group: GroupId,
) -> impl Iterator<Item = PortIndex> {
    let channels = topology.global_channels(topology.group_of(router), group);
    // Channels are sorted by router.
    let gateways = channels.chunk_by(|one, next| one.0 == next.0);
    gateways.flat_map(move |of_one| topology.local_ports(router, of_one[0].0).iter().copied())
}
