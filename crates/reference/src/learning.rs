//! What routers tell each other about ways: page "Learning".

use odonata_endpoint::Endpoint;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{RouterId, Span};

use crate::packet::Feedback;
use crate::simulation::Simulation;

/// Largest span that is told, ns.
const LONGEST: u64 = (1 << 24) - 1;

impl<E: Endpoint> Simulation<'_, E> {
    /// What `router`, where `packet` is being routed, has to say to the router before.
    pub(crate) fn feedback(&self, router: usize, packet: usize) -> Option<Feedback> {
        let here = &self.routers[router];
        let table = here.table.as_ref()?;
        let packet = &self.packets[packet];
        if !self.routing.mode_learns(packet.route.mode) {
            return None;
        }
        // A NIC learns nothing.
        let entered_before = packet.entered_before?;
        let from = here.inputs[packet.input.0].kind;
        let is_local = match from {
            LinkKind::Local | LinkKind::Row | LinkKind::Column => true,
            LinkKind::Host | LinkKind::Global => false,
        };
        let group = self
            .topology
            .group_of(RouterId(u32::try_from(router).ok()?));
        let is_there = group == self.topology.group_of_node(packet.target);
        if is_local && is_there {
            return None;
        }
        let row = self.routing.row(packet.route.source, packet.route.target);
        let estimate = if is_there { 0 } else { table.least(row) };
        let measured = (packet.entered - entered_before).ps() / Span::from_ns(1).ps();
        Some(Feedback {
            row,
            measured: u32::try_from(measured.min(LONGEST)).ok()?,
            estimate,
        })
    }

    /// A router learns about the way over `port`.
    pub(crate) fn learn(&mut self, router: usize, port: usize, feedback: Feedback) {
        let Some(table) = self.routers[router].table.as_mut() else {
            unreachable!("feedback goes to routers that learn");
        };
        let Feedback {
            row,
            measured,
            estimate,
        } = feedback;
        let Ok(port) = u16::try_from(port) else {
            unreachable!("ports are numbered in 16 bits");
        };
        table.update(PortIndex(port), row, measured, estimate);
    }
}
