//! Which of the waiting packets an output port starts next.

use odonata_units::{Instant, Span};

use crate::classes::{ClassChannel, next_class};
use crate::features::Features;
use crate::parameters::{Arbitration, MOST_CLASSES};
use crate::router::Router;
use crate::shared::Shared;

/// Why nothing could start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// Virtual channels whose ready heads lacked credits.
    pub(crate) lacking: u32,
    /// First instant at which a waiting head becomes ready.
    pub(crate) ready_next: Instant,
}

/// Waiting channels of a port, and the one of them that was served last.
#[derive(Clone, Copy)]
struct Among {
    waiting: u32,
    last_vc: u8,
}

impl Router {
    /// The virtual channel that `port` serves at `at`, or why it serves none.
    #[inline(always)]
    pub(crate) fn choose<F: Features>(
        &mut self,
        shared: &Shared,
        port: usize,
        at: Instant,
    ) -> Result<u8, Shortage> {
        if shared.equipment.classes::<F>() > 1 {
            return self.choose_class::<F>(shared, port, at);
        }
        let state = &self.ports[port];
        let is_single = state.waiting_vcs.is_power_of_two();
        if is_single && !shared.times.has_ready && !shared.equipment.reserves::<F>() {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let vc = state.waiting_vcs.trailing_zeros() as u8;
            let queue = &self.queues[shared.queue(port, vc)];
            if queue.credits >= u32::from(self.slab.get(queue.head).flits) {
                return Ok(vc);
            }
        }
        let among = Among {
            waiting: state.waiting_vcs,
            last_vc: state.last_vc,
        };
        let mut shortage = Shortage::default();
        self.choose_among::<F>(shared, (port, at), among, &mut shortage)
            .ok_or(shortage)
    }

    /// The same with several traffic classes.
    fn choose_class<F: Features>(
        &mut self,
        shared: &Shared,
        port: usize,
        at: Instant,
    ) -> Result<u8, Shortage> {
        let state = &self.ports[port];
        let (waiting, kind) = (state.waiting_vcs, state.far_end.kind);
        let last = self.monitors.last_turn(port);
        let mut shortage = Shortage::default();
        let mut chosen = [0_u8; MOST_CLASSES];
        let mut able = 0_u32;
        let mask = (1_u32 << shared.class_vcs) - 1;
        let classes = shared.equipment.classes::<F>();
        for (class, chosen) in chosen.iter_mut().enumerate().take(classes) {
            let channel = ClassChannel { port, kind, class };
            let first = class * shared.class_vcs;
            let mine = waiting & (mask << first);
            if mine == 0 {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let before = (first + shared.class_vcs - 1) as u8;
            let served = self.monitors.last_vc(&shared.class_policy, channel);
            let among = Among {
                waiting: mine,
                last_vc: served.unwrap_or(before),
            };
            let Some(vc) = self.choose_among::<F>(shared, (port, at), among, &mut shortage) else {
                continue;
            };
            if !self.monitors.is_over(&shared.class_policy, channel, at) {
                return Ok(vc);
            }
            *chosen = vc;
            able |= 1 << class;
        }
        next_class(able, classes, last, |_| true)
            .map(|class| chosen[class])
            .ok_or(shortage)
    }

    /// Of the waiting channels in a set, the one to serve at `at`.
    #[inline(always)]
    fn choose_among<F: Features>(
        &self,
        shared: &Shared,
        (port, at): (usize, Instant),
        Among { waiting, last_vc }: Among,
        shortage: &mut Shortage,
    ) -> Option<u8> {
        let mut best: Option<(Span, u8)> = None;
        // Cyclic order: first the channels above the one served last.
        let above = waiting & (u32::MAX << last_vc << 1);
        for mut vcs in [above, waiting & !above] {
            while vcs != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
                let vc = vcs.trailing_zeros() as u8;
                vcs &= vcs - 1;
                let index = shared.queue(port, vc);
                let queue = &self.queues[index];
                let packet = self.slab.get(queue.head);
                if shared.times.has_ready {
                    let ready = self.slab.ready(queue.head);
                    if ready > at {
                        shortage.ready_next = shortage.ready_next.min(ready);
                        continue;
                    }
                }
                let lacks = if shared.equipment.reserves::<F>() {
                    self.unreserved[index] == queue.head
                } else {
                    queue.credits < u32::from(packet.flits)
                };
                if lacks {
                    shortage.lacking |= 1 << vc;
                    continue;
                }
                let better = match shared.parameters.arbitration {
                    Arbitration::RoundRobin => return Some(vc),
                    Arbitration::HighestVc => best.is_none_or(|(_, other)| vc > other),
                    Arbitration::LowestVc => best.is_none_or(|(_, other)| vc < other),
                    Arbitration::OldestFirst => {
                        let age = packet.age(at);
                        best.is_none_or(|(oldest, other)| {
                            age > oldest || (age == oldest && vc < other)
                        })
                    }
                };
                if better {
                    best = Some((packet.age(at), vc));
                }
            }
        }
        best.map(|(_, vc)| vc)
    }
}

impl Default for Shortage {
    fn default() -> Self {
        Self {
            lacking: 0,
            ready_next: Instant::NEVER,
        }
    }
}
