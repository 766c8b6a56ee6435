//! The one-dimensional dragonfly (Kim et al. 2008, section 3.1).
//!
//! Node = router * p + t, router = group * a + r. Ports of a router: host ports `[0, p)`, local
//! ports `[p, p + a - 1)` to the other routers of the group in id order, global ports
//! `[p + a - 1, p + a - 1 + h)`.

use odonata_units::{GroupId, RouterId};

use crate::channel::{LinkKind, PortIndex};
use crate::error::TopologyError;
use crate::family::Family;
use crate::layout::Layout;
use crate::local::LocalPattern;
use crate::numbering::Numbering;
use crate::shape::{RADIX_LIMIT, Shape};
use crate::topology::{Parts, Topology};
use crate::wiring::{End, Ends};

impl Topology {
    /// Builds the one-dimensional dragonfly of `shape`.
    ///
    /// # Errors
    /// If a size is zero, a router would have more than [`RADIX_LIMIT`] ports, or the global ports
    /// do not suffice for a link between each two groups.
    pub fn dragonfly(shape: Shape) -> Result<Self, TopologyError> {
        let (layout, lanes) = shape.layout()?;
        let numbering = shape.numbering();
        let mut ends = Ends::new(numbering.routers, &layout);
        for group in (0..shape.groups).map(GroupId) {
            join_clique(&mut ends, &numbering, &layout, group);
            join_lanes(&mut ends, &shape, &layout, group.0, lanes);
        }
        Ok(Self::assemble(Parts {
            family: Family::Dragonfly(shape),
            numbering,
            layout,
            pattern: LocalPattern::Clique,
            ends,
        }))
    }
}

/// One link between each two routers of `group`, ports in the order of the far routers.
pub(crate) fn join_clique(ends: &mut Ends, numbering: &Numbering, layout: &Layout, group: GroupId) {
    let first = layout.first(LinkKind::Local);
    let routers = numbering.routers_of(group);
    for (low, near) in (0_u16..).zip(routers.clone()) {
        for (high, far) in (0_u16..).zip(routers.clone()).skip(usize::from(low) + 1) {
            // The lower one has skipped itself.
            let there = End::new(RouterId(near), PortIndex(first + high - 1));
            ends.join(there, End::new(RouterId(far), PortIndex(first + low)));
        }
    }
}

/// The global channels from group `from` to higher ones.
fn join_lanes(ends: &mut Ends, shape: &Shape, layout: &Layout, from: u32, lanes: u32) {
    let slots = shape.groups - 1;
    for slot in 0..slots {
        let to = shape.arrangement.target(from, slot, shape.groups);
        if to < from {
            continue;
        }
        let back = shape.arrangement.slot(to, from, shape.groups);
        for lane in 0..lanes {
            let near = global_end(shape, layout, from, lane * slots + slot);
            ends.join(near, global_end(shape, layout, to, lane * slots + back));
        }
    }
}

/// The router and port of global channel `channel` of group `group`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "port counts are at most RADIX_LIMIT, which fits 16 bits"
)]
const fn global_end(shape: &Shape, layout: &Layout, group: u32, channel: u32) -> End {
    let ports = shape.global_ports_per_router;
    let router = group * shape.routers_per_group + channel / ports;
    let port = layout.first(LinkKind::Global) + (channel % ports) as u16;
    End::new(RouterId(router), PortIndex(port))
}

const _: () = assert!(RADIX_LIMIT <= u16::MAX as u32, "ports fit 16 bits");
