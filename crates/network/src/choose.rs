//! Which of the waiting packets an output port starts next.

use odonata_units::{Instant, Span};

use crate::block::State;
use crate::classes::{Share, next_class};
use crate::endpoint::Endpoint;
use crate::output::Start;
use crate::packet::Packet;
use crate::parameters::{Arbitration, MOST_CLASSES};
use crate::shared::Shared;
use crate::view::View;

const NEVER: u64 = u64::MAX;

/// Why nothing could start.
#[derive(Clone, Copy)]
struct Shortage {
    of_credits: bool,
    /// First instant at which a waiting head becomes ready.
    ready_next: u64,
}

impl Default for Shortage {
    fn default() -> Self {
        Self {
            of_credits: false,
            ready_next: NEVER,
        }
    }
}

impl<E: Endpoint> State<E> {
    /// The virtual channel to serve at `at`; otherwise the first instant at which a waiting head
    /// becomes ready.
    #[inline]
    pub(crate) fn choose<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        output: usize,
        at: u64,
    ) -> Result<u8, u64> {
        if shared.classes() > 1 {
            return self.choose_class(shared, output, at);
        }
        let port = &self.outputs[output];
        let is_host = port.is_host();
        if port.waiting_vcs.is_power_of_two() && !shared.times.has_ready && !shared.reserves() {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let vc = port.waiting_vcs.trailing_zeros() as u8;
            let lane = &self.lanes[output * shared.vcs + usize::from(vc)];
            if is_host || lane.credits >= u32::from(self.slab.get(lane.head).flits) {
                return Ok(vc);
            }
        }
        let mut shortage = Shortage::default();
        let among = (port.waiting_vcs, port.last_vc);
        match self.choose_among(shared, (output, at), among, &mut shortage) {
            Some(vc) => Ok(vc),
            None => Err(self.lack(output, at, shortage)),
        }
    }

    /// The same with several traffic classes.
    fn choose_class<const RICH: bool>(
        &mut self,
        shared: View<'_, RICH>,
        output: usize,
        at: u64,
    ) -> Result<u8, u64> {
        let port = &self.outputs[output];
        let (waiting, kind) = (port.waiting_vcs, port.kind());
        let last = self.monitors.last_turn(output);
        let mut shortage = Shortage::default();
        let mut chosen = [0_u8; MOST_CLASSES];
        let mut able = 0_u32;
        let mask = (1_u32 << shared.class_vcs) - 1;
        for (class, chosen) in chosen.iter_mut().enumerate().take(shared.classes()) {
            let share = Share {
                channel: output,
                kind,
                class,
            };
            let first = class * shared.class_vcs;
            let mine = waiting & (mask << first);
            if mine == 0 {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let before = (first + shared.class_vcs - 1) as u8;
            let last_vc = self
                .monitors
                .last_vc(&shared.policy, share)
                .unwrap_or(before);
            let among = (mine, last_vc);
            let Some(vc) = self.choose_among(shared, (output, at), among, &mut shortage) else {
                continue;
            };
            if !self.monitors.is_over(&shared.policy, share, at) {
                return Ok(vc);
            }
            *chosen = vc;
            able |= 1 << class;
        }
        match next_class(able, shared.classes(), last, |_| true) {
            Some(class) => Ok(chosen[class]),
            None => Err(self.lack(output, at, shortage)),
        }
    }

    /// Nothing could start at `at`; returns when a head becomes ready.
    fn lack(&mut self, output: usize, at: u64, shortage: Shortage) -> u64 {
        if shortage.of_credits {
            let since = &mut self.outputs[output].stalled_since;
            *since = (*since).min(at);
        }
        shortage.ready_next
    }

    /// Of the waiting channels in a set, the one to serve at `at`; `last_vc` was served last.
    #[inline]
    fn choose_among<const RICH: bool>(
        &self,
        shared: View<'_, RICH>,
        (output, at): (usize, u64),
        (waiting, last_vc): (u32, u8),
        shortage: &mut Shortage,
    ) -> Option<u8> {
        let is_host = self.outputs[output].is_host();
        let mut best: Option<(Span, u8)> = None;
        // Cyclic order: first the channels above the one served last.
        let above = waiting & (u32::MAX << last_vc << 1);
        for mut vcs in [above, waiting & !above] {
            while vcs != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
                let vc = vcs.trailing_zeros() as u8;
                vcs &= vcs - 1;
                let place = output * shared.vcs + usize::from(vc);
                let lane = &self.lanes[place];
                let packet = self.slab.get(lane.head);
                if shared.times.has_ready {
                    let ready = self.slab.ready(lane.head).ps();
                    if ready > at {
                        shortage.ready_next = shortage.ready_next.min(ready);
                        continue;
                    }
                }
                let lacks = if shared.reserves() {
                    self.unreserved[place] == lane.head
                } else {
                    !is_host && lane.credits < u32::from(packet.flits)
                };
                if lacks {
                    shortage.of_credits = true;
                    continue;
                }
                let better = match shared.parameters.arbitration {
                    Arbitration::RoundRobin => return Some(vc),
                    Arbitration::HighestVc => best.is_none_or(|(_, other)| vc > other),
                    Arbitration::OldestFirst => {
                        let age = packet.age(Instant::from_ps(at));
                        best.is_none_or(|(oldest, other)| {
                            age > oldest || (age == oldest && vc < other)
                        })
                    }
                };
                if better {
                    best = Some((packet.age(Instant::from_ps(at)), vc));
                }
            }
        }
        best.map(|(_, vc)| vc)
    }

    /// Books a start to the class of its VC.
    pub(crate) fn note_class(
        &mut self,
        shared: &Shared,
        packet: &Packet,
        start: Start,
        serialization: u64,
    ) {
        let class = usize::from(start.vc) / shared.class_vcs;
        let traffic = &mut self.link_classes[start.output * shared.policy.classes + class];
        traffic.bytes += u64::from(packet.bytes);
        traffic.packets += 1;
        let share = Share {
            channel: start.output,
            kind: self.outputs[start.output].kind(),
            class,
        };
        let sent = (u32::from(packet.bytes), serialization);
        self.monitors
            .note(&shared.policy, share, (start.at, start.vc), sent);
    }
}
