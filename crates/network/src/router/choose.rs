//! The choice of the waiting packet that an output port starts next.

use odonata_topology::PortIndex;
use odonata_units::{Instant, Span};

use crate::model::features::Features;
use crate::model::index::QueueIndex;
use crate::model::parameters::Arbitration;
use crate::router::output::Start;
use crate::router::state::Router;
use crate::rules::classes::{ClassChannel, MOST_CONTENDERS, Standing};
use crate::shared::view::View;

/// Why nothing could start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// The virtual channels whose ready heads lacked credits, as a bit set.
    pub(crate) lacking: u32,
    /// The first instant at which a waiting head becomes ready, or a class that has something to
    /// start is below its ceiling again.
    pub(crate) ready_next: Instant,
}

/// The virtual channels of a port that wait and may be served.
#[derive(Clone, Copy)]
struct Candidates {
    port: PortIndex,
    /// The channels, as a bit set.
    vcs: u32,
    /// The one of them that was served last.
    last_vc: u8,
}

impl Router {
    /// The virtual channel that `port` serves at `at`, or why it serves none.
    #[inline(always)]
    pub(crate) fn choose<F: Features>(
        &mut self,
        shared: View<'_, F>,
        port: PortIndex,
        at: Instant,
    ) -> Result<u8, Shortage> {
        if shared.has_classes() {
            return self.choose_class(shared, port, at);
        }
        let state = &self.ports[port.index()];
        let is_single = state.waiting_vcs.is_power_of_two();
        if is_single && !shared.has_ready() {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let vc = state.waiting_vcs.trailing_zeros() as u8;
            if !self.lacks_credits(shared, shared.queue(port, vc)) {
                return Ok(vc);
            }
        }
        let candidates = Candidates {
            port,
            vcs: state.waiting_vcs,
            last_vc: state.last_vc,
        };
        let mut shortage = Shortage::default();
        self.choose_among(shared, candidates, at, &mut shortage)
            .ok_or(shortage)
    }

    /// As [`Router::choose`], with several traffic classes.
    fn choose_class<F: Features>(
        &mut self,
        shared: View<'_, F>,
        port: PortIndex,
        at: Instant,
    ) -> Result<u8, Shortage> {
        let state = &self.ports[port.index()];
        let (waiting, kind) = (state.waiting_vcs, shared.kinds[port.index()]);
        let policy = &shared.class_policy;
        let mut shortage = Shortage::default();
        let mut chosen = [0_u8; MOST_CONTENDERS];
        let mut able = 0_u32;
        let mut held_until = Instant::NEVER;
        for (index, contender) in policy.contenders().iter().enumerate() {
            let vcs = waiting & contender.vcs;
            if vcs == 0 {
                continue;
            }
            let served = self.monitors.last_vc(policy, port, index);
            let candidates = Candidates {
                port,
                vcs,
                last_vc: served.unwrap_or(contender.largest_vc()),
            };
            let Some(vc) = self.choose_among(shared, candidates, at, &mut shortage) else {
                continue;
            };
            let class = contender.class;
            let channel = ClassChannel { port, kind, class };
            match self.monitors.standing(policy, channel, at) {
                Standing::BelowAssured => return Ok(vc),
                Standing::BelowCeiling => {
                    chosen[index] = vc;
                    able |= 1 << index;
                }
                Standing::AtCeiling(until) => held_until = held_until.min(until),
            }
        }
        if able != 0 {
            return Ok(chosen[policy.next_in_turn(able, &self.monitors, port)]);
        }
        if held_until < Instant::NEVER {
            shortage = self.shortage_of_all(shared, port, at);
            shortage.ready_next = shortage.ready_next.min(held_until);
        }
        Err(shortage)
    }

    /// Whether the class of `start` is at its ceiling then.
    pub(crate) fn is_held<F: Features>(&self, shared: View<'_, F>, start: Start) -> bool {
        let Start { port, vc, at, .. } = start;
        let (kind, class) = (shared.kinds[port.index()], shared.class_of(vc));
        let channel = ClassChannel { port, kind, class };
        let policy = &shared.class_policy;
        self.monitors.held_until(policy, channel) > at
    }

    /// What the heads at a port lack, each by itself. The choice stops at the first one of a class
    /// that lacks nothing, and that class may be at its ceiling.
    #[cold]
    fn shortage_of_all<F: Features>(
        &self,
        shared: View<'_, F>,
        port: PortIndex,
        at: Instant,
    ) -> Shortage {
        let mut shortage = Shortage::default();
        let mut waiting = self.ports[port.index()].waiting_vcs;
        while waiting != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
            let last_vc = waiting.trailing_zeros() as u8;
            let vcs = waiting & waiting.wrapping_neg();
            waiting &= !vcs;
            let candidates = Candidates { port, vcs, last_vc };
            let _ = self.choose_among(shared, candidates, at, &mut shortage);
        }
        shortage
    }

    /// Whether the head of a queue that is not empty cannot start for want of credits.
    #[inline(always)]
    pub(crate) fn lacks_credits<F: Features>(
        &self,
        shared: View<'_, F>,
        queue: QueueIndex,
    ) -> bool {
        let queue_state = &self.queues[queue.index()];
        if queue_state.credits >= shared.largest_flits {
            return false;
        }
        if shared.reserves() {
            self.unreserved[queue.index()] == Some(queue_state.head)
        } else {
            queue_state.credits < u32::from(self.slab.get(queue_state.head).flits)
        }
    }

    /// The candidate to serve at `at`; `shortage` learns why others cannot be served.
    #[inline(always)]
    fn choose_among<F: Features>(
        &self,
        shared: View<'_, F>,
        candidates: Candidates,
        at: Instant,
        shortage: &mut Shortage,
    ) -> Option<u8> {
        let mut best: Option<(Span, u8)> = None;
        // Cyclic order: first the channels above the one served last.
        let above = candidates.vcs & (u32::MAX << candidates.last_vc << 1);
        for mut vcs in [above, candidates.vcs & !above] {
            while vcs != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "at most 32 channels")]
                let vc = vcs.trailing_zeros() as u8;
                vcs &= vcs - 1;
                let index = shared.queue(candidates.port, vc);
                let queue = &self.queues[index.index()];
                if shared.has_ready() {
                    let ready = self.slab.ready(queue.head);
                    if ready > at {
                        shortage.ready_next = shortage.ready_next.min(ready);
                        continue;
                    }
                }
                if self.lacks_credits(shared, index) {
                    shortage.lacking |= 1 << vc;
                    continue;
                }
                let better = match shared.parameters.arbitration {
                    Arbitration::RoundRobin => return Some(vc),
                    Arbitration::HighestVc => best.is_none_or(|(_, other)| vc > other),
                    Arbitration::LowestVc => best.is_none_or(|(_, other)| vc < other),
                    Arbitration::OldestFirst => {
                        let age = self.slab.get(queue.head).age(at);
                        best.is_none_or(|(oldest, other)| {
                            age > oldest || (age == oldest && vc < other)
                        })
                    }
                };
                if better {
                    let age = match shared.parameters.arbitration {
                        Arbitration::OldestFirst => self.slab.get(queue.head).age(at),
                        _ => Span::ZERO,
                    };
                    best = Some((age, vc));
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
