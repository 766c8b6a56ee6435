//! Several send queues of a lane: which one a message goes to, and which one sends next.
//!
//! `docs/model/network.md`, several send queues. The queue whose turn it is lies in the lane
//! itself, where the hot loop finds it; the others rest here. With one queue there is nothing of
//! this.

use std::collections::BTreeMap;

use odonata_units::NodeId;

use crate::model::index::LaneQueue;

use odonata_endpoint::Message;

/// Load of a queue, whoever's turn it is.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    messages: u32,
    /// Payload not yet in packets, bytes.
    unsent: u64,
}

/// The queues of a lane, each of which rests as an `R`. There are as many as were ever used.
#[derive(Debug, Default)]
pub(crate) struct Turns<R> {
    /// The one at `front` is empty: it lies in the lane.
    resting: Vec<R>,
    loads: Vec<Load>,
    front: LaneQueue,
    /// The queue whose turn it is: the one at the front, unless that one sends before it.
    turn: LaneQueue,
    /// By sender and target of a flow: queue and number of its messages that are not through.
    flows: BTreeMap<(u16, NodeId), (LaneQueue, u32)>,
    /// Numbers of packets drawn.
    drawn: u32,
}

impl<R: Default> Turns<R> {
    /// The queue of up to `queues` that `message` goes to; it is counted there.
    pub(crate) fn assign(&mut self, queues: u16, message: &Message) -> LaneQueue {
        let known = self.loads.len();
        // Queues never used are behind the others, and empty.
        let fresh = (known < usize::from(queues)).then_some((0, known));
        let used = self.loads.iter().enumerate();
        let used = used.map(|(queue, load)| (load.unsent, queue));
        let least = used.chain(fresh).min().map_or(0, |(_, queue)| queue);
        let flow = self.flows.entry((message.sender, message.target));
        let (queue, messages) = flow.or_insert((LaneQueue::new(least), 0));
        *messages += 1;
        let queue = *queue;
        if queue.index() == known {
            self.loads.push(Load::default());
            self.resting.push(R::default());
        }
        let load = &mut self.loads[queue.index()];
        load.messages += 1;
        load.unsent = load.unsent.saturating_add(message.bytes);
        queue
    }

    /// It is the turn of `queue`.
    pub(crate) const fn give_turn(&mut self, queue: LaneQueue) {
        self.turn = queue;
    }

    /// The queue whose turn it is, if it is not at the front.
    pub(crate) fn passed_over(&self) -> Option<LaneQueue> {
        (self.turn != self.front).then_some(self.turn)
    }

    /// The queues that hold a message, from the one on whose turn it is.
    pub(crate) fn in_turn(&self) -> impl Iterator<Item = LaneQueue> + '_ {
        let count = self.loads.len();
        let queues = (0..count).map(move |ahead| (self.turn.index() + ahead) % count);
        let holding = queues.filter(|&queue| self.loads[queue].messages > 0);
        holding.map(LaneQueue::new)
    }

    /// State at rest of a queue other than the one at the front.
    pub(crate) fn at_rest(&self, queue: LaneQueue) -> Option<&R> {
        (queue != self.front).then(|| &self.resting[queue.index()])
    }

    /// A queue other than the one at the front.
    pub(crate) fn resting(&mut self, queue: LaneQueue) -> Option<&mut R> {
        (queue != self.front).then(|| &mut self.resting[queue.index()])
    }

    /// Brings a queue to the front; `swap` exchanges what lies there with a resting one.
    pub(crate) fn turn_to(&mut self, queue: LaneQueue, mut swap: impl FnMut(&mut R)) {
        if queue != self.front {
            swap(&mut self.resting[self.front.index()]);
            swap(&mut self.resting[queue.index()]);
            self.front = queue;
        }
    }

    /// A packet of the front with `payload` bytes has started, and was the last one of `done`.
    pub(crate) fn count(&mut self, payload: u64, done: Option<&Message>) {
        let load = &mut self.loads[self.front.index()];
        load.unsent = load.unsent.saturating_sub(payload);
        let Some(done) = done else {
            return;
        };
        load.messages -= 1;
        let flow = (done.sender, done.target);
        if let Some((_, messages)) = self.flows.get_mut(&flow) {
            *messages -= 1;
            if *messages == 0 {
                self.flows.remove(&flow);
            }
        }
    }

    /// The next queue in turn that holds a message, if one does.
    pub(crate) fn next(&self) -> Option<LaneQueue> {
        let count = self.loads.len();
        let ahead = 1..=count;
        let queues = ahead.map(|ahead| (self.front.index() + ahead) % count);
        let mut holding = queues.filter(|&queue| self.loads[queue].messages > 0);
        holding.next().map(LaneQueue::new)
    }

    /// The first of so many numbers for the packets of a message.
    #[expect(clippy::cast_possible_truncation, reason = "numbers count modulo 2^32")]
    pub(crate) const fn draw_numbers(&mut self, packets: u64) -> u32 {
        let first = self.drawn;
        self.drawn = first.wrapping_add(packets as u32);
        first
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::NodeId;

    use super::{LaneQueue, Turns};
    use odonata_endpoint::{Header, Message, Role};

    fn message(sender: u16, target: u32, bytes: u64) -> Message {
        Message {
            source: NodeId(0),
            target: NodeId(target),
            bytes,
            header: Header::default(),
            mode: 0,
            class: 0,
            sender,
            nic: 0,
            job: 0,
            role: Role::Request,
            is_ordered: false,
        }
    }

    #[test]
    fn a_message_follows_its_flow_or_goes_where_least_waits() {
        let mut turns = Turns::<()>::default();
        let mut to = |sender, target, bytes| {
            let queue = turns.assign(3, &message(sender, target, bytes));
            queue.index()
        };
        assert_eq!(to(0, 5, 100), 0);
        assert_eq!(to(0, 6, 50), 1, "an empty queue");
        assert_eq!(to(1, 5, 70), 2, "another sender is another flow");
        assert_eq!(to(0, 5, 1), 0, "the flow is there");
        assert_eq!(to(2, 7, 1), 1, "50 B are least");
        assert_eq!(to(2, 8, 1), 1, "51 B are");
        assert_eq!(to(2, 9, 30), 1, "52 B are");
        assert_eq!(to(2, 10, 1), 2, "70 B against 82 B");
    }

    #[test]
    fn turns_go_round_among_those_that_hold_a_message() {
        let mut turns = Turns::<()>::default();
        for target in 0..3 {
            turns.assign(8, &message(0, target, 10));
        }
        assert_eq!(turns.next(), Some(LaneQueue::new(1)));
        turns.turn_to(LaneQueue::new(1), |_| {});
        turns.count(10, Some(&message(0, 1, 10)));
        assert_eq!(turns.next(), Some(LaneQueue::new(2)));
        turns.turn_to(LaneQueue::new(2), |_| {});
        assert_eq!(turns.next(), Some(LaneQueue::new(0)));
        turns.turn_to(LaneQueue::new(0), |_| {});
        turns.count(10, Some(&message(0, 0, 10)));
        turns.turn_to(LaneQueue::new(2), |_| {});
        assert_eq!(
            turns.next(),
            Some(LaneQueue::new(2)),
            "the only one goes on"
        );
        turns.count(10, Some(&message(0, 2, 10)));
        assert_eq!(turns.next(), None);
        assert!(turns.flows.is_empty());
    }

    #[test]
    fn numbers_wrap() {
        let mut turns = Turns::<()>::default();
        assert_eq!(turns.draw_numbers(u64::from(u32::MAX)), 0);
        assert_eq!(turns.draw_numbers(2), u32::MAX);
        assert_eq!(turns.draw_numbers(1), 1);
    }
}
