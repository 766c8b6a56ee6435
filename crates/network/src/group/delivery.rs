//! What nodes get of a router at the end of its window: its own nodes packets and credits, and others
//! notices.

use odonata_endpoint::Endpoint;
use odonata_telemetry::Probe;
use odonata_units::{Instant, Span};

use super::{Group, Walk};
use crate::flight::outbox::Outbox;
use crate::model::features::Features;
use crate::model::window::Window;
use crate::nic::node::GroupNodes;
use crate::router::state::Router;
use crate::rules::congestion::Notice;
use crate::shared::all_groups::Shared;

impl<E: Endpoint> Group<E> {
    /// Announces a notice to its NIC.
    pub(super) fn expect_notice(&mut self, shared: &Shared, notice: Notice) {
        let mut nodes = GroupNodes {
            nodes: &mut self.nodes,
            due: &mut self.due,
        };
        let local = (notice.node.0 - self.first_node) as usize;
        let router = nodes.expect_notice(local, notice);
        let nodes_due = &mut self.routers[router.index()].nodes_due;
        *nodes_due = notice.at.min(*nodes_due);
        let due = *nodes_due;
        self.node_wakes.schedule(shared, router, due, Window::NONE);
    }
}

impl<F: Features, E: Endpoint, P: Probe> Walk<'_, F, E, P> {
    /// Sends the notices of the router that was simulated to the NICs that they are for.
    #[inline(never)]
    pub(super) fn send_notices(&mut self, window: Window) {
        let mut notices = std::mem::take(&mut self.out.notices);
        for notice in notices.drain(..) {
            if !self.out.own.contains(&notice.node.0) {
                self.out.post_notice(notice);
                continue;
            }
            let local = self.out.local_node(notice.node).index();
            let router = self.nodes.expect_notice(local, notice);
            let nodes_due = &mut self.routers[router.index()].nodes_due;
            *nodes_due = notice.at.min(*nodes_due);
            self.out.schedule_nodes(router, *nodes_due, window);
        }
        self.out.notices = notices;
    }

    /// Gives the nodes of `router` the packets and credits that it sent them in the window that starts
    /// at `start`.
    #[inline(never)]
    pub(super) fn deliver_to_nodes(
        router: &mut Router,
        nodes: &mut GroupNodes<'_, E>,
        out: &mut Outbox<'_, F, P>,
        start: Instant,
    ) {
        let shared = out.shared;
        let due = &mut nodes.due[router.hosts()];
        let nodes = &mut nodes.nodes[router.hosts()];
        if !out.for_nodes().credits.is_empty() {
            let mut credits = std::mem::take(&mut out.for_nodes().credits);
            credits.read(|returning| {
                let credit = returning.credit;
                let host = credit.port().index();
                let node = &mut nodes[host];
                if node.takes_at_once(shared, credit) {
                    return;
                }
                let window = shared.clock.instant(start, returning.slot);
                let usable = window.plus(Span::from_ps(credit.offset()));
                node.expect_credit(shared, usable, credit);
                let due = &mut due[host];
                *due = usable.min(*due);
                router.nodes_due = usable.min(router.nodes_due);
            });
            out.pools.credits.clear(&mut credits);
            out.for_nodes().credits.put_back(credits);
        }
        if !out.for_nodes().packets.is_empty() {
            let mut packets = std::mem::take(&mut out.for_nodes().packets);
            packets.read(|flight| {
                let packet = &flight.packet;
                let start = start.plus(Span::from_ps(u64::from(packet.offset())));
                let delay = shared.times.delivery(packet.flits);
                let host = packet.in_port().index();
                let wake = nodes[host].receive(out, packet, start, delay);
                if wake < Instant::NEVER {
                    let due = &mut due[host];
                    *due = wake.min(*due);
                    router.nodes_due = wake.min(router.nodes_due);
                }
            });
            out.pools.packets.clear(&mut packets);
            out.for_nodes().packets.put_back(packets);
        }
    }
}
