//! The event loop, and what both router architectures do alike.

#![expect(
    clippy::cast_possible_truncation,
    reason = "indices of routers and VCs come from ids that are 32 and 8 bits wide"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_counters::NicCounts;
use odonata_endpoint::Endpoint;
use odonata_network::{Architecture, CreditReturn, MOST_CLASSES, Parameters, Users};
use odonata_routing::{Arrival, PacketRoute, PathState, Routing};
use odonata_telemetry::PacketRecord;
use odonata_topology::{Attachment, LinkKind, PortIndex, Topology};
use odonata_units::{Instant, NodeId, RouterId, Span};

use crate::event::{Agenda, Event, EventKind, EventPort, Subject};
use crate::ledger::Ledger;
use crate::packet::Packet;
use crate::router::{Router, View};
use crate::routing::{OwnRouting, Travel, is_local};
use crate::run::Run;
use crate::sender::Node;
use crate::tile::Tile;
use crate::timing::Timing;
use crate::transfer::Transfer;
use crate::window::Numbers;

/// Everything there is.
pub(crate) struct Simulation<'a, E> {
    pub(crate) topology: Arc<Topology>,
    pub(crate) routing: &'a Routing,
    /// By state of the network.
    pub(crate) own_routing: Vec<OwnRouting>,
    /// Of rerouted packets, if there can be any.
    pub(crate) rerouting: Vec<OwnRouting>,
    pub(crate) parameters: &'a Parameters,
    pub(crate) timing: Timing<'a>,
    /// `V`: VCs of one class.
    pub(crate) class_vcs: usize,
    /// `V_q`: those of them for requests.
    pub(crate) request_vcs: usize,
    pub(crate) now: Instant,
    pub(crate) agenda: Agenda,
    pub(crate) routers: Vec<Router>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) endpoints: Vec<E>,
    /// Nodes that one endpoint uses together, by any of them: all of them, the endpoint's first.
    pub(crate) together: BTreeMap<usize, Vec<usize>>,
    /// By node, if there are any: several jobs use it.
    pub(crate) by_jobs: Vec<bool>,
    /// `M(node)`: packets that travel as one at most; empty: 1 everywhere.
    pub(crate) packet_multiples: Vec<u16>,
    /// Every packet that ever left a NIC.
    pub(crate) packets: Vec<Packet>,
    /// Every message ever handed to a NIC.
    pub(crate) transfers: Vec<Transfer>,
    pub(crate) records: Vec<PacketRecord>,
    /// `[router][port]`.
    pub(crate) tiles: Vec<Vec<Tile>>,
    /// `[node]`.
    pub(crate) nics: Vec<NicCounts>,
    /// The numbers of windows, if NICs have any.
    pub(crate) window_numbers: Option<Numbers>,
    /// `I` of receiver credit.
    pub(crate) initial_credit: u64,
    /// Who delayed whom, if that is wanted.
    pub(crate) ledger: Option<Ledger>,
}

impl<'a, E: Endpoint> Simulation<'a, E> {
    pub(crate) fn new(
        topology: Arc<Topology>,
        routing: &'a Routing,
        parameters: &'a Parameters,
        users: Users<E>,
    ) -> Self {
        check(parameters);
        let timing = Timing::new(parameters);
        let router = |id| Router::new(id, &topology, parameters, routing);
        let routers = topology.routers().map(router).collect();
        let node = |id| Node::new(id, &topology, parameters);
        let nodes: Vec<Node> = topology.nodes().map(node).collect();
        let tiles = vec![Tile::default(); usize::from(topology.radix())];
        let together = users.sharing.together.iter().flat_map(|nodes| {
            let all: Vec<usize> = nodes.iter().map(|node| node.index()).collect();
            all.clone().into_iter().map(move |node| (node, all.clone()))
        });
        let together = together.collect();
        let states = routing.changes().map_or(&[][..], |it| it.states());
        let states = if states.is_empty() {
            std::slice::from_ref(routing)
        } else {
            states
        };
        let own_routing = OwnRouting::of_all(states);
        let rerouting = routing.changes().into_iter().filter_map(|changes| {
            let downs = changes.timeline().changes().iter();
            let downs = downs.filter(|one| one.share_ppm == 0).map(|one| one.router);
            let turning: Vec<RouterId> = downs.collect();
            let rerouting = changes.rerouting()?;
            Some(OwnRouting::new(rerouting, &turning))
        });
        let rerouting = rerouting.collect();
        Self {
            tiles: vec![tiles; topology.router_count() as usize],
            nics: vec![NicCounts::default(); nodes.len()],
            topology,
            routing,
            own_routing,
            rerouting,
            parameters,
            timing,
            class_vcs: usize::from(routing.virtual_channels()),
            request_vcs: usize::from(routing.request_virtual_channels()),
            now: Instant::ZERO,
            agenda: Agenda::default(),
            routers,
            nodes,
            endpoints: users.endpoints,
            together,
            by_jobs: users.sharing.by_jobs,
            packet_multiples: users.sharing.packet_multiples,
            packets: Vec::new(),
            transfers: Vec::new(),
            records: Vec::new(),
            window_numbers: None,
            initial_credit: 0,
            ledger: None,
        }
    }

    /// Writes down who delayed whom; `jobs` are those of the nodes.
    pub(crate) fn blaming(self, jobs: Vec<usize>) -> Self {
        let has_crossbar = self.parameters.architecture == Architecture::Cioq;
        Self {
            ledger: Some(Ledger::new(jobs, has_crossbar)),
            ..self
        }
    }

    pub(crate) fn run(mut self, until: Instant) -> Run<E> {
        self.window_numbers = self.find_window_numbers();
        self.initial_credit = self.find_initial_credit();
        for node in 0..self.nodes.len() {
            self.pull(node);
        }
        self.plan_downs();
        while let Some(event) = self.agenda.next_before(until) {
            assert!(event.at >= self.now, "time never runs backwards");
            self.now = event.at;
            self.handle(event);
        }
        self.audit();
        self.records.sort();
        self.close_counters(until);
        let (tiles, nics) = self.take_counts();
        let busy = |router: &Router| router.outputs.iter().map(|port| port.busy.ps()).collect();
        let busy_ps = self.routers.iter().map(busy).collect();
        let refused_ps = self.take_refusals(until);
        Run {
            book: self.ledger.map(Ledger::take).unwrap_or_default(),
            tiles,
            nics,
            busy_ps,
            refused_ps,
            rerouted: self
                .packets
                .iter()
                .filter(|it| it.course.is_rerouted)
                .count() as u64,
            undelivered: (self.packets.len() - self.records.len()) as u64,
            records: self.records,
            endpoints: self.endpoints,
            end: self.now,
        }
    }

    fn handle(&mut self, event: Event) {
        let EventPort { component, port } = event.port;
        let cioq = self.parameters.architecture == Architecture::Cioq;
        match (event.kind, event.subject) {
            (EventKind::LinkDown, Subject::Port) => self.take_down(component, port),
            (EventKind::RouterCredit, Subject::Credits { vc, flits, packet }) => {
                self.blame_returning(component, port, usize::from(vc), packet);
                self.add_credits(component, port, usize::from(vc), flits);
            }
            (EventKind::Feedback, Subject::Feedback(feedback)) => {
                self.learn(component, port, feedback)
            }
            (EventKind::Tick, Subject::Port) => self.tick(component),
            (EventKind::Output, Subject::Port) if cioq => self.cioq_output(component, port),
            (EventKind::Output, Subject::Port) => self.voq_output(component, port),
            (EventKind::Entry, Subject::Packet(packet)) => self.enter(component, port, packet),
            (EventKind::Delivery, Subject::Packet(packet)) => self.deliver(component, packet),
            (EventKind::Wake, Subject::Port) => self.wake(component),
            (EventKind::NicCredit, Subject::Credits { vc, flits, .. }) => {
                self.add_nic_credits(component, usize::from(vc), flits);
            }
            (EventKind::Notice, Subject::Packet(packet)) => {
                self.heed_acknowledgement(component, packet);
            }
            (EventKind::Notice, Subject::Notice(notice)) => self.heed(component, notice),
            (EventKind::Notice, Subject::Signal { begins }) => self.heed_signal(component, begins),
            (EventKind::Word, Subject::Word(word)) => self.hear(component, word),
            (EventKind::Pull, Subject::Port) => self.pull_credit(component),
            (EventKind::Injection, Subject::Port) => self.inject(component),
            (kind, subject) => unreachable!("every event is made whole: {kind:?} {subject:?}"),
        }
    }

    fn add_credits(&mut self, router: usize, port: usize, vc: usize, flits: u32) {
        self.end_refusal(router, port, vc);
        let output = &mut self.routers[router].outputs[port];
        let Some(credits) = output.credits.as_mut() else {
            unreachable!("NICs return no credits");
        };
        let head = output.fifos[vc].front();
        let lacked = head.is_some_and(|&head| self.packets[head].flits > credits[vc]);
        credits[vc] += flits;
        assert!(
            credits[vc] <= self.timing.depth(output.kind),
            "no credit is made"
        );
        if self.parameters.credit_return == CreditReturn::Reservation {
            self.reserve(router, port, vc);
        }
        match self.parameters.architecture {
            Architecture::Voq => self.schedule_output(router, port, self.now),
            Architecture::Cioq if lacked => self.rouse(router, port),
            Architecture::Cioq => {}
        }
    }

    pub(crate) fn schedule_output(&mut self, router: usize, port: usize, at: Instant) {
        self.agenda.add(
            at,
            EventKind::Output,
            EventPort {
                component: router,
                port,
            },
            Subject::Port,
        );
    }

    fn enter(&mut self, router: usize, port: usize, packet: usize) {
        let state = &mut self.packets[packet];
        state.entered_before = (!state.path.is_empty()).then_some(state.entered);
        state.entered = self.now;
        state.input = (port, state.vc);
        state.path.push(RouterId(router as u32));
        let (flits, vc) = (state.flits, state.vc);
        let input = &mut self.routers[router].inputs[port];
        input.occupied[vc] += flits;
        assert!(
            input.occupied[vc] <= self.timing.depth(input.kind),
            "credits guard the buffer"
        );
        self.count_entry(router, packet);
        self.watch_entry(router, packet);
        match self.parameters.architecture {
            Architecture::Voq => self.voq_enter(router, packet),
            Architecture::Cioq => self.cioq_enter(router, packet),
        }
    }

    /// What routing knows of a packet that has not been routed.
    pub(crate) const fn fresh_route(source: NodeId, target: NodeId, mode: u8) -> PacketRoute {
        PacketRoute {
            source,
            target,
            intermediate: RouterId(0),
            path_state: PathState::Fresh,
            mode,
            waypoint: u8::MAX,
        }
    }

    /// Asks the routing where `packet` leaves `router`, at the present instant.
    pub(crate) fn route(&mut self, router: usize, index: usize) {
        let feedback = self.feedback(router, index);
        self.packets[index].headed = self.now;
        self.packets[index].feedback = feedback;
        let came_by = self.packets[index].input.0;
        let from = self.routers[router].inputs[came_by].kind;
        if let Some(changes) = self.routing.changes()
            && from == LinkKind::Host
        {
            self.packets[index].course.state = changes.state_at(self.now).into();
        }
        self.ask(router, index, from);
        let port = self.packets[index].output.0;
        if self.share(router, port, self.now) == 0 {
            self.reroute(router, index);
        }
        self.finish_routing(router, index);
    }

    /// Routes a packet anew, over links that never go down.
    pub(crate) fn reroute(&mut self, router: usize, index: usize) {
        let packet = &mut self.packets[index];
        packet.course.is_rerouted = true;
        let mode = packet.route.mode;
        packet.route = Self::fresh_route(packet.source, packet.target, mode);
        packet.travel = Travel::new(packet.source, packet.target);
        self.ask(router, index, LinkKind::Host);
    }

    /// What follows from the output of a packet that is routed.
    pub(crate) fn finish_routing(&mut self, router: usize, index: usize) {
        let port = self.packets[index].output.0;
        let wait = self.ready_wait(router, index, port);
        let packet = &mut self.packets[index];
        packet.ready = packet.entered + wait;
        self.note_routed(router, port, index);
        self.note_ejection(router, port, index);
        self.watch_route(router, index);
    }

    /// Asks the routing for the output of a packet that came over a channel of kind `from`.
    fn ask(&mut self, router: usize, index: usize, from: LinkKind) {
        let here = &mut self.routers[router];
        let packet = &mut self.packets[index];
        let first_vc = packet.lane.class * self.class_vcs;
        let (routing, own, behind) = match self.routing.changes() {
            Some(changes) if packet.course.is_rerouted => {
                let routing = changes.rerouting().unwrap_or(self.routing);
                let behind = usize::from(self.routing.regular_virtual_channels());
                (routing, &self.rerouting[0], behind)
            }
            Some(changes) if !changes.states().is_empty() => (
                &changes.states()[packet.course.state],
                &self.own_routing[packet.course.state],
                0,
            ),
            _ => (self.routing, &self.own_routing[0], 0),
        };
        let arrival = Arrival {
            kind: from,
            vc: if from == LinkKind::Host {
                0
            } else {
                (packet.vc - first_vc - behind) as u8
            },
        };
        let mut view = View {
            outputs: &here.outputs,
            table: here.table.as_ref(),
            class: packet.lane.class,
        };
        let id = RouterId(router as u32);
        let mode = if packet.course.is_rerouted {
            packet.lane.is_response.into()
        } else {
            packet.route.mode
        };
        let is_source = from == LinkKind::Host;
        let is_asked = is_source
            || packet.is_tentative() && is_local(from) && !own.is_near_to(id, packet.target);
        let gap = own.gap(mode).filter(|_| is_asked);
        let flow = packet.flow(mode);
        if let Some(gap) = gap
            && let Some(last) = here.flows.get_mut(&flow)
            && last.holds(packet, is_source, self.now, gap)
        {
            let (port, vc) = last.apply(packet, self.now);
            packet.output = (port.index(), first_vc + usize::from(vc));
            return;
        }
        let over = packet.over();
        let context = own.context(mode, id, from, packet.route.target);
        let decided = context
            .map(|context| own.route(context, &mut packet.travel, &mut view, &mut here.draws));
        let (port, vc) = decided.unwrap_or_else(|| {
            let draws = &mut here.draws;
            let location = routing.location(id);
            let hop = routing.route(&location, arrival, &mut packet.route, &mut view, draws);
            (hop.port, hop.vc)
        });
        let vc = behind + usize::from(vc);
        assert!(
            packet.lane.is_response == self.routing.is_for_responses(vc as u8)
                && vc < self.class_vcs,
            "a virtual network keeps to its VCs"
        );
        packet.output = (port.index(), first_vc + vc);
        if gap.is_some() {
            let decision = packet.decision(self.now, over, port, vc as u8);
            here.flows.insert(flow, decision);
        }
    }

    /// Takes `packet` out of its input buffer and sends its credits upstream.
    pub(crate) fn leave_input(&mut self, router: usize, packet: usize) {
        self.count_grant(router, packet);
        if self.parameters.architecture == Architecture::Cioq {
            self.blame_grant(router, packet);
        }
        let state = &self.packets[packet];
        let (port, vc) = state.input;
        let flits = state.flits;
        let input = &mut self.routers[router].inputs[port];
        assert!(input.occupied[vc] >= flits, "what leaves was there");
        input.occupied[vc] -= flits;
        let feedback = state.feedback;
        let extra = self.extra(RouterId(router as u32), PortIndex(port as u16));
        let input = &self.routers[router].inputs[port];
        let at = self.now + self.timing.credit(input.kind) + extra;
        let subject = Subject::Credits {
            vc: vc as u8,
            flits,
            packet,
        };
        match input.upstream {
            Some(Attachment::Router(upstream, port)) => {
                let port = EventPort {
                    component: upstream.index(),
                    port: port.index(),
                };
                self.agenda.add(at, EventKind::RouterCredit, port, subject);
                if let Some(feedback) = feedback {
                    let subject = Subject::Feedback(feedback);
                    self.agenda.add(at, EventKind::Feedback, port, subject);
                }
            }
            Some(Attachment::Node(node)) => {
                let port = EventPort {
                    component: node.index(),
                    port: 0,
                };
                self.agenda.add(at, EventKind::NicCredit, port, subject);
            }
            None => unreachable!("packets come over connected ports"),
        }
    }

    /// Starts the head of FIFO (`port`, `vc`) on its channel; returns the packet.
    pub(crate) fn start(&mut self, router: usize, port: usize, vc: usize) -> usize {
        let head = self.routers[router].outputs[port].fifos[vc].front();
        let flits = head.map_or(0, |&head| self.packets[head].flits);
        let wire = self.wire(router, port, flits, self.now);
        let output = &mut self.routers[router].outputs[port];
        let Some(packet) = output.fifos[vc].pop_front() else {
            unreachable!("a chosen FIFO holds a packet");
        };
        let state = &mut self.packets[packet];
        let is_paid = output.credits.is_some();
        match self.parameters.credit_return {
            CreditReturn::Departure => {
                assert!(output.queued[vc] >= flits, "what starts was queued");
                output.queued[vc] -= flits;
                if let Some(credits) = output.credits.as_mut() {
                    assert!(credits[vc] >= flits, "no packet starts without credits");
                    credits[vc] -= flits;
                }
            }
            CreditReturn::Reservation => {
                assert!(output.reserved[vc] > 0, "what starts was reserved");
                output.reserved[vc] -= 1;
            }
        }
        output.serve(vc, state.bytes, wire, self.now);
        state.vc = vc;
        let (kind, target) = (output.kind, output.target);
        self.mark(router, port, packet);
        self.count_start(router, port, packet);
        if !is_paid {
            self.watch_start(router, port, packet);
            self.note_ejected(router, port, packet);
        }
        self.blame_start(router, port, packet, wire);
        if is_paid && self.parameters.credit_return == CreditReturn::Departure {
            self.blame_taking(router, port, vc, packet);
        }
        match target {
            Some(target) => self.send_over(packet, kind, wire, target),
            None => unreachable!("routing uses connected ports"),
        }
        packet
    }

    /// Puts a packet that starts now on the channel to `target`, which it occupies for `wire`.
    pub(crate) fn send_over(
        &mut self,
        packet: usize,
        kind: LinkKind,
        wire: Span,
        target: Attachment,
    ) {
        let flits = self.packets[packet].flits;
        let subject = Subject::Packet(packet);
        match target {
            Attachment::Router(router, port) => {
                let at = self.now + self.timing.entry_over(kind, wire) + self.extra(router, port);
                let port = EventPort {
                    component: router.index(),
                    port: port.index(),
                };
                self.agenda.add(at, EventKind::Entry, port, subject);
            }
            Attachment::Node(NodeId(node)) => {
                let at = self.now + self.timing.delivery(flits);
                let port = EventPort {
                    component: node as usize,
                    port: 0,
                };
                self.agenda.add(at, EventKind::Delivery, port, subject);
            }
        }
    }
}

/// Asserts that the parameters make sense to the reference model.
fn check(parameters: &Parameters) {
    let largest = parameters.packet_bytes * u32::from(parameters.largest_multiple);
    let largest = largest.max(parameters.response_bytes);
    let largest = largest.div_ceil(parameters.flit_bytes);
    for depth in parameters.input_buffer_flits {
        assert!(depth >= largest, "an input buffer takes a packet");
    }
    assert!(
        parameters.nic_buffer_packets > 0,
        "a NIC buffer takes a packet"
    );
    if parameters.architecture == Architecture::Cioq {
        assert!(
            parameters.output_buffer_flits >= largest,
            "an output buffer takes a packet"
        );
        assert!(parameters.speedup > 0, "a crossbar has a bandwidth");
        assert!(
            parameters.credit_return == CreditReturn::Departure,
            "early credits are for `voq`"
        );
    }
    let qos = &parameters.qos;
    let classes = usize::from(qos.classes);
    assert!(
        (1..=MOST_CLASSES).contains(&classes),
        "1 to {MOST_CLASSES} classes"
    );
    assert!(
        qos.each().iter().all(|share| {
            share.assured_ppm > 0 && share.fabric_ppm > 0 && share.ceiling_ppm > 0
        }) && qos.window > Span::ZERO,
        "shares and windows are above zero"
    );
}
