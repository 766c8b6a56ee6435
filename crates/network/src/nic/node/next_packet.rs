//! The packet that a NIC starts next: the first of its lanes, by class and turn.

use odonata_endpoint::{Endpoint, Role};
use odonata_telemetry::NicStall;
use odonata_topology::{LinkKind, PortIndex};
use odonata_units::{Instant, Span};

use super::Node;
use super::due::Due;
use crate::model::features::Features;
use crate::model::index::LaneIndex;
use crate::rules::classes::{ClassChannel, Transmission};
use crate::shared::all_groups::Shared;
use crate::shared::view::View;

/// The one channel of a NIC, in its monitors.
const HOST_PORT: PortIndex = PortIndex(0);

impl<E: Endpoint> Node<E> {
    /// The instant at which the next packet starts, as far as known; begins messages.
    #[inline(always)]
    pub(super) fn next_start<F: Features>(&mut self, shared: View<'_, F>) -> Instant {
        if self.is_stale {
            self.is_stale = false;
            let due = if shared.lanes() == 1 {
                self.due_on(shared, LaneIndex::default())
            } else {
                self.first_due(shared)
            };
            self.due = due.unwrap_or(Due::NEVER);
        }
        self.due.start
    }

    /// The packet that starts next from one queue.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 16 send queues, a packet is at most 65,535 bytes"
    )]
    fn due_on<F: Features>(&mut self, shared: View<'_, F>, lane: LaneIndex) -> Option<Due> {
        let (exists, bytes);
        let mut allowed_at = Instant::ZERO;
        let mut is_response = false;
        if shared.is_for_responses(lane) {
            let response =
                self.extension().responses[usize::from(shared.class_of_lane(lane))].front();
            let response = response.map(|waiting| (waiting.exists, waiting.bytes));
            let data = self.next_data(shared, lane);
            // Whatever exists first; a response before data of the same instant.
            is_response = match (response, data) {
                (Some(response), Some(data)) => {
                    response.0 <= data.0.max(self.held_until(shared, lane, data.1))
                }
                (response, _) => response.is_some(),
            };
            (exists, bytes) = if is_response { response? } else { data? };
        } else {
            self.take_turn(shared, lane);
            let multiple = self.multiple;
            let current = self.queues[lane].begin(&shared, multiple)?;
            let left = current.left;
            (exists, bytes) = (current.exists, packet_bytes(&shared, left, multiple));
            let is_limited = !shared.has_data()
                || current.role != Role::Get
                || left <= u64::from(shared.payload_bytes) * u64::from(multiple);
            if let Some(most) = shared.outstanding_limit()
                && is_limited
            {
                let most = slots(most.get(), multiple);
                allowed_at = self.extension().outstanding.allowed_at(most)?;
            }
        }
        let wake = shared.host_wake_up;
        let begin = if exists < self.free_at {
            self.free_at
        } else {
            exists.plus(wake)
        };
        let flits = shared.flits(bytes);
        let credits_at = self.queues[lane].credits_at(flits)?;
        let mut suffices = allowed_at.max(credits_at);
        let mut cause = if allowed_at > credits_at {
            NicStall::Outstanding
        } else {
            NicStall::Credits
        };
        if F::NOTICES || F::CLASSES {
            let held_until = self.held_back_until(shared, lane, bytes, is_response);
            if held_until == Instant::NEVER {
                return None;
            }
            if held_until > suffices {
                (suffices, cause) = (held_until, NicStall::Pacing);
            }
        }
        let start = if suffices <= begin {
            begin
        } else {
            suffices.plus(wake)
        };
        Some(Due {
            start,
            exists,
            begin,
            bytes: bytes as u16,
            flits: flits as u16,
            lane,
            is_response,
            cause,
        })
    }

    /// The instant until which the NIC holds the next packet of a lane back because it paces itself,
    /// or because the class is at its ceiling.
    #[inline(always)]
    fn held_back_until<F: Features>(
        &mut self,
        shared: View<'_, F>,
        lane: LaneIndex,
        bytes: u32,
        is_response: bool,
    ) -> Instant {
        let mut until = Instant::ZERO;
        if F::NOTICES {
            until = self.paced_until(shared, lane, bytes, is_response);
        }
        if shared.has_ceilings() {
            let channel = host_channel_of(shared.class_of_lane(lane));
            let monitors = &self.extension().monitors;
            until = until.max(monitors.held_until(&shared.class_policy, channel));
        }
        until
    }

    /// The instant from which the next packet of data exists in a lane of responses, and its bytes.
    fn next_data<F: Features>(
        &mut self,
        shared: View<'_, F>,
        lane: LaneIndex,
    ) -> Option<(Instant, u32)> {
        if !shared.has_data() {
            return None;
        }
        if F::NOTICES {
            self.take_turn(shared, lane);
        }
        let multiple = self.multiple;
        let current = self.queues[lane].begin(&shared, multiple)?;
        let bytes = packet_bytes(&shared, current.left, multiple);
        Some((current.exists, bytes))
    }

    /// The packet that starts next from any queue: the earliest, then by class and turn.
    fn first_due<F: Features>(&mut self, shared: View<'_, F>) -> Option<Due> {
        let mut first = Due::NEVER;
        let mut tied = 0_u32;
        for lane in (0..usize::from(shared.lanes())).map(LaneIndex::new) {
            let Some(due) = self.due_on(shared, lane) else {
                continue;
            };
            if due.start < first.start {
                (first, tied) = (due, 0);
            }
            if due.start == first.start {
                tied |= 1 << lane.index();
            }
        }
        if tied & tied.wrapping_sub(1) == 0 {
            return Some(first);
        }
        let lane = self.choose_lane(shared, tied, first.start);
        self.due_on(shared, lane)
    }

    /// The lane of `tied`, a bit set of lanes that could all start at `at`, that does start.
    fn choose_lane<F: Features>(
        &mut self,
        shared: View<'_, F>,
        tied: u32,
        at: Instant,
    ) -> LaneIndex {
        let networks = shared.networks();
        let policy = &shared.class_policy;
        let lanes = (0..usize::from(shared.lanes())).filter(|lane| tied & 1 << lane != 0);
        let contender_of = |lane: usize| policy.contender_of(shared.lane_vc(LaneIndex::new(lane)));
        let chosen = if shared.classes() > 1 {
            let able = lanes
                .clone()
                .fold(0_u32, |able, lane| able | 1 << contender_of(lane));
            // It may still turn out that something starts before.
            let monitors = &self.extension().monitors;
            let mut first = policy.contenders().iter().enumerate();
            let below = first.find(|(index, contender)| {
                let channel = host_channel_of(contender.class);
                able & 1 << index != 0 && !monitors.will_be_over(policy, channel, at)
            });
            below.map_or_else(
                || policy.next_in_turn(able, monitors, HOST_PORT),
                |(index, _)| index,
            )
        } else {
            0
        };
        let class = usize::from(policy.contenders()[chosen].class);
        let networks_of = lanes
            .filter(|lane| contender_of(*lane) == chosen)
            .fold(0_u8, |set, lane| {
                set | 1 << (lane - class * usize::from(networks))
            });
        let responded = self.last_responses & (1 << class) != 0;
        let network = match networks_of {
            0b11 => usize::from(!responded),
            0b10 => 1,
            _ => 0,
        };
        LaneIndex::new(class * usize::from(networks) + network)
    }

    /// Books a start to its class and virtual network.
    pub(super) fn note_turn<F: Features>(
        &mut self,
        shared: View<'_, F>,
        due: Due,
        serialization: Span,
    ) {
        let lane = due.lane;
        let class = shared.class_of_lane(lane);
        let bit = 1 << class;
        self.last_responses = if shared.is_for_responses(lane) {
            self.last_responses | bit
        } else {
            self.last_responses & !bit
        };
        if shared.has_classes() {
            let transmission = Transmission {
                at: due.start,
                vc: shared.lane_vc(lane),
                bytes: due.bytes,
                serialization,
            };
            let channel = host_channel_of(class);
            self.extension()
                .monitors
                .note(&shared.class_policy, channel, transmission);
        }
    }
}

/// Requests that a NIC may have outstanding whose packets stand for at most `multiple` full ones.
#[inline]
const fn slots(most: u32, multiple: u16) -> u32 {
    if multiple > 1 {
        most.div_ceil(multiple as u32)
    } else {
        most
    }
}

/// A class on the channel of a NIC.
const fn host_channel_of(class: u8) -> ClassChannel {
    ClassChannel {
        port: HOST_PORT,
        kind: LinkKind::Host,
        class,
    }
}

/// Bytes of the next packet of a message with `left` bytes of payload, of a node whose packets
/// stand for at most `multiple` full ones.
#[inline]
pub(super) fn packet_bytes(shared: &Shared, left: u64, multiple: u16) -> u32 {
    if multiple > 1 {
        return shared.parameters.next_packet_bytes(left, multiple);
    }
    let full = shared.payload_bytes;
    let payload = u32::try_from(left).unwrap_or(u32::MAX).min(full);
    payload + shared.parameters.header_bytes
}
