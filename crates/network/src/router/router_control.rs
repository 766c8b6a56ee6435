//! The congestion control of a router, the mirror of [`NicControl`](crate::nic::nic_control::NicControl).
//!
//! Its notices go to the NICs of sources; its three events are in `control_events.rs`. The
//! model is `docs/model/congestion.md`.

use odonata_topology::PortIndex;
use odonata_units::{NodeId, RouterId};

use crate::model::packet::Packet;
use crate::model::parameters::{Control, CreditReturn, Pace};
use crate::rules::congestion::abate::{AbateRules, Ejection};
use crate::rules::congestion::pace::LastHop;
use crate::rules::congestion::port_marks::{MarkedPorts, PortMarks};
use crate::rules::notice_times::NoticeDelays;
use crate::shared::all_groups::Shared;

/// The congestion control of a router.
#[derive(Debug)]
pub(crate) enum RouterControl {
    /// Last hops count their sources, and let them pause.
    Pace(PacedHops),
    /// Ports mark packets that leave long queues behind, and acknowledge what is delivered.
    Marks(PortMarks, NoticeDelays),
    /// Last hops abate the sources that congest them, and acknowledge what is delivered. `[host]`.
    Abate(AbateRules, Box<[Ejection]>, NoticeDelays),
}

/// Packets that a router's congestion control looks at, by one compare: those to its nodes, or all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    first_node: u32,
    count: u32,
}

impl Watched {
    /// What `control` of a router with these nodes looks at before packets start.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    pub(crate) fn new(
        control: Option<&RouterControl>,
        mut nodes: impl ExactSizeIterator<Item = NodeId>,
    ) -> Self {
        let here = nodes.len() as u32;
        let first = nodes.next().map_or(0, |node| node.0);
        let (first_node, count) = match control {
            None => (0, 0),
            Some(RouterControl::Marks(marks, _)) if marks.are_counted() => (0, u32::MAX),
            Some(RouterControl::Marks(..)) => (0, 0),
            Some(RouterControl::Pace(_) | RouterControl::Abate(..)) => (first, here),
        };
        Self { first_node, count }
    }

    /// What `control` looks at where packets start; these are what it looks at before.
    pub(crate) const fn at_start(self, control: Option<&RouterControl>) -> Self {
        match control {
            Some(RouterControl::Marks(..)) => Self {
                first_node: 0,
                count: u32::MAX,
            },
            _ => self,
        }
    }

    /// Whether `packet` is one of them.
    #[inline(always)]
    pub(super) const fn has(self, packet: &Packet) -> bool {
        packet.target().0.wrapping_sub(self.first_node) < self.count
    }

    /// The port of the last hop of `packet`, to a node of the router: its first ports are theirs.
    #[expect(clippy::cast_possible_truncation, reason = "a radix is at most 255")]
    #[inline(always)]
    pub(super) const fn last_hop(self, packet: &Packet) -> PortIndex {
        PortIndex((packet.target().0 - self.first_node) as u16)
    }
}

/// The last hops of a router that count their sources.
#[derive(Debug)]
pub(crate) struct PacedHops {
    pub(super) rules: Pace,
    /// Smaller packets do not count.
    least_bytes: u32,
    /// `[host]`.
    pub(super) hops: Box<[LastHop]>,
}

impl PacedHops {
    /// Whether `packet` is not a small one.
    #[inline(always)]
    pub(super) fn counts(&self, packet: &Packet) -> bool {
        u32::from(packet.bytes) >= self.least_bytes
    }
}

impl RouterControl {
    /// That of `router` with so many nodes, if its network has one.
    pub(crate) fn new(shared: &Shared, router: RouterId, hosts: usize) -> Option<Box<Self>> {
        let control = match shared.parameters.control? {
            Control::Pace(rules) => {
                let header_bytes = shared.parameters.header_bytes;
                Self::Pace(PacedHops {
                    rules,
                    least_bytes: header_bytes.saturating_add(rules.smallest_bytes),
                    hops: (0..hosts).map(|_| LastHop::default()).collect(),
                })
            }
            Control::Nscc(_) | Control::NsccRccc(..) => {
                let radix = u64::from(shared.topology.radix());
                let reserves = shared.parameters.credit_return == CreditReturn::Reservation;
                let ports = MarkedPorts {
                    first: u64::from(router.0) * radix,
                    count: radix,
                    are_counted: shared.equipment.has_crossbar || reserves,
                };
                let (rules, parameters) = (shared.window_rules?, &shared.parameters);
                let marks = PortMarks::new(rules, parameters.flit_bytes, parameters.seed, ports);
                Self::Marks(marks, NoticeDelays::default())
            }
            Control::Abate(_) => {
                let hops = (0..hosts).map(|_| Ejection::default());
                Self::Abate(shared.abate_rules?, hops.collect(), NoticeDelays::default())
            }
            Control::Rccc(_) => return None,
        };
        Some(Box::new(control))
    }

    /// Whether it counts what waits at `port`.
    #[inline(always)]
    pub(super) const fn counts_waiting_at(&self, port: PortIndex) -> bool {
        match self {
            Self::Pace(_) => false,
            Self::Marks(marks, _) => marks.are_counted(),
            Self::Abate(_, hops, _) => port.index() < hops.len(),
        }
    }

    /// A packet of `flits` that was routed to `port` is routed anew.
    pub(crate) fn turned(&mut self, port: PortIndex, flits: u16) {
        if let Self::Marks(marks, _) = self {
            marks.leave(port, flits);
        }
    }
}
