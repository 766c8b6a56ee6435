//! Who delayed whom, from `docs/model/blame.md` alone: what happens in the network, and what is
//! written into the ledger then.

#![expect(
    clippy::cast_possible_truncation,
    reason = "ports and nodes are counted in 32 bits"
)]

use std::collections::BTreeSet;

use odonata_endpoint::Endpoint;
use odonata_telemetry::{Cause, NicStall, Transaction, WaitPoint};
use odonata_units::{Instant, Span};

use crate::ledger::{Charge, Crossing, Delayed, Party, Port, Wait};
use crate::sender::{Load, Stall};
use crate::simulation::Simulation;

/// How long a packet had to wait at its NIC.
pub(crate) struct NicWait {
    pub(crate) load: Load,
    pub(crate) exists: Instant,
    pub(crate) stall: Stall,
    pub(crate) wire: Span,
}

impl<E: Endpoint> Simulation<'_, E> {
    fn point(&self, router: usize, port: usize) -> WaitPoint {
        WaitPoint::Port((router * usize::from(self.topology.radix()) + port) as u32)
    }

    /// Whose `packet` is.
    fn delayed(&self, packet: usize) -> Option<Delayed> {
        let ledger = self.ledger.as_ref()?;
        // A packet without a message acknowledges one with.
        let transaction = match self.packets[packet].transfer {
            Some(_) => Transaction::Request,
            None => Transaction::Response,
        };
        Some(Delayed {
            job: ledger.of_packet[packet],
            transaction,
            sender: self.packets[packet].source,
        })
    }

    /// `packet`, the newest, starts at its NIC.
    pub(crate) fn blame_injection(&mut self, node: usize, packet: usize, wait: &NicWait) {
        let (now, class) = (self.now, self.packets[packet].lane.class);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = match wait.load {
            Load::Message(_) => ledger.jobs[node],
            Load::Response { request, .. } => ledger.of_packet[request],
        };
        ledger.of_packet.push(job);
        let Some(delayed) = self.delayed(packet) else {
            return;
        };
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let own = Party { job, class };
        let before = ledger.nics.insert(node, (own, now + wait.wire));
        let (ahead, free) = before.unwrap_or((own, Instant::ZERO));
        let all = (now - wait.exists).ps();
        let stall = wait.stall.span.ps();
        let behind = free.saturating_since(wait.exists).ps().min(all - stall);
        let cause = match wait.stall.cause {
            NicStall::Credits => Cause::NicCredits,
            NicStall::Outstanding => Cause::NicOutstanding,
            NicStall::Pacing => Cause::NicPacing,
        };
        let point = WaitPoint::Nic(node as u32);
        for (party, cause, ps) in [
            (ahead, cause, stall),
            (ahead, Cause::NicQueue, behind),
            (own, Cause::NicStage, all - stall - behind),
        ] {
            let charge = Charge {
                delayed,
                party,
                point,
                cause,
            };
            ledger.charge(charge, ps);
        }
        let (sending, lacking) = ledger.book.nics.entry(node as u32).or_default();
        *sending += wait.wire.ps();
        *lacking += if cause == Cause::NicCredits { stall } else { 0 };
    }

    /// How a packet crosses `router`.
    fn crossing(&self, router: usize, packet: usize) -> Crossing {
        let packet = &self.packets[packet];
        Crossing {
            router,
            input: packet.input.0,
            output: packet.output.0,
        }
    }

    /// Lets the lists of a port run up to now, and shows it with the job of every packet.
    fn caught_up(&mut self, router: usize, port: usize) -> Option<(&mut Port, &[usize])> {
        let (now, packets) = (self.now, &self.packets);
        let ledger = self.ledger.as_mut()?;
        let (ports, of_packet) = (&mut ledger.ports, &ledger.of_packet);
        let port = ports.entry((router, port)).or_default();
        port.advance(now, |packet| {
            let (job, class) = (of_packet[packet], packets[packet].lane.class);
            Party { job, class }
        });
        Some((port, of_packet))
    }

    /// `packet` joins the queue of its output port.
    pub(crate) fn blame_join(&mut self, router: usize, packet: usize) {
        let (port, vc) = self.packets[packet].output;
        let ready = self.packets[packet].ready.max(self.now);
        if let Some((port, _)) = self.caught_up(router, port) {
            let charged = Vec::new();
            let wait = Wait {
                packet,
                vc,
                ready,
                charged,
            };
            port.waits.push(wait);
        }
    }

    /// `packet` starts on `port` and occupies it for `wire`.
    pub(crate) fn blame_start(&mut self, router: usize, port: usize, packet: usize, wire: Span) {
        let (now, class) = (self.now, self.packets[packet].lane.class);
        let (point, crossing) = (self.point(router, port), self.crossing(router, packet));
        let Some(delayed) = self.delayed(packet) else {
            return;
        };
        let Some((port, of_packet)) = self.caught_up(router, port) else {
            return;
        };
        let job = of_packet[packet];
        let own = Party { job, class };
        port.sends = Some((own, now + wire));
        port.lacking.clear();
        let Some(turn) = port.waits.iter().position(|wait| wait.packet == packet) else {
            unreachable!("what starts has joined");
        };
        let wait = port.waits.remove(turn);
        if let Some(ledger) = self.ledger.as_mut() {
            for (party, cause, ps) in wait.charged {
                let charge = Charge {
                    delayed,
                    party,
                    point,
                    cause,
                };
                ledger.charge(charge, ps);
                ledger.wait(crossing, own, ps);
            }
        }
    }

    /// Nothing can start on the free channel behind `port`: virtual channels `lacking` lack
    /// credits.
    pub(crate) fn blame_shortage(&mut self, router: usize, port: usize, lacking: BTreeSet<usize>) {
        let known = self
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.ports.get(&(router, port)));
        // To decide the same again changes nothing.
        let is_new = known.is_some_and(|known| known.lacking != lacking) && !lacking.is_empty();
        if is_new && let Some((port, _)) = self.caught_up(router, port) {
            port.lacking = lacking;
        }
    }

    /// `packet` takes credits of (`port`, `vc`).
    pub(crate) fn blame_taking(&mut self, router: usize, port: usize, vc: usize, packet: usize) {
        let (flits, class) = (self.packets[packet].flits, vc / self.class_vcs);
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let held = &mut ledger.ports.entry((router, port)).or_default().held;
        let of_vc = held.entry(vc).or_default();
        *of_vc.entry(Party { job, class }).or_default() += u64::from(flits);
    }

    /// The credits of (`port`, `vc`) that `packet` took are usable again.
    pub(crate) fn blame_returning(&mut self, router: usize, port: usize, vc: usize, packet: usize) {
        let (flits, class) = (self.packets[packet].flits, vc / self.class_vcs);
        let known = self
            .ledger
            .as_ref()
            .and_then(|ledger| ledger.ports.get(&(router, port)));
        if known.is_some_and(|known| known.lacking.contains(&vc)) {
            let _ = self.caught_up(router, port);
        }
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let held = &mut ledger.ports.entry((router, port)).or_default().held;
        let sum = held
            .entry(vc)
            .or_default()
            .entry(Party { job, class })
            .or_default();
        assert!(
            *sum >= u64::from(flits),
            "credits are returned that were taken"
        );
        *sum -= u64::from(flits);
    }

    /// `cioq`: `packet` became head of its input buffer.
    pub(crate) fn blame_head(&mut self, router: usize, packet: usize) {
        let state = &self.packets[packet];
        let (wait, class) = ((self.now - state.entered).ps(), state.lane.class);
        let (port, vc) = state.input;
        let point = self.point(router, port);
        let Some(delayed) = self.delayed(packet) else {
            return;
        };
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let own = Party { job, class };
        let ahead = *ledger.left.get(&(router, port, vc)).unwrap_or(&own);
        let charge = Charge {
            delayed,
            party: ahead,
            point,
            cause: Cause::InputQueue,
        };
        ledger.charge(charge, wait);
    }

    /// `cioq`: `packet`, a head, is granted its output port.
    pub(crate) fn blame_grant(&mut self, router: usize, packet: usize) {
        let (now, state) = (self.now, &self.packets[packet]);
        let (headed, class, output) = (state.headed, state.lane.class, state.output.0);
        let (port, vc) = state.input;
        let (point, crossing) = (self.point(router, output), self.crossing(router, packet));
        let Some(delayed) = self.delayed(packet) else {
            return;
        };
        let Some(ledger) = self.ledger.as_mut() else {
            return;
        };
        let job = ledger.of_packet[packet];
        let own = Party { job, class };
        ledger.left.insert((router, port, vc), own);
        let granted = &mut ledger.ports.entry((router, output)).or_default().granted;
        let others = granted
            .replace((own, now))
            .filter(|(_, when)| *when >= headed);
        let (party, cause) =
            others.map_or((own, Cause::Stage), |(party, _)| (party, Cause::Crossbar));
        let charge = Charge {
            delayed,
            party,
            point,
            cause,
        };
        ledger.charge(charge, (now - headed).ps());
        ledger.wait(crossing, own, (now - headed).ps());
    }
}
