//! Messages on their way to a node: packets are booked to them until they are complete.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, NodeId};

use odonata_endpoint::{Message, Role};

/// A message whose packets are on their way to `message.target`.
#[derive(Clone, Copy, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Incoming {
    first_sequence: u32,
    packets: u64,
    left: u64,
    latest: Instant,
    pub(crate) message: Message,
}

/// A complete message, as its receiver needs to know it.
#[derive(Clone, Copy, Debug)]
struct Arrived {
    at: Instant,
    sequence: u32,
    message: Message,
}

impl Incoming {
    /// `message`, which its source cuts into `packets` packets from `first_sequence` on.
    pub(crate) const fn new(message: Message, first_sequence: u32, packets: u64) -> Self {
        Self {
            first_sequence,
            packets,
            left: packets,
            latest: Instant::ZERO,
            message,
        }
    }

    /// Whether the packet that its source counts as `sequence` belongs to this message.
    ///
    /// Sequences are known modulo 2^32 and a message may be longer: the packet is the one nearest
    /// to what is to come next, since far fewer than 2^31 packets of a source overtake each other.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sequences count modulo 2^32"
    )]
    const fn holds(&self, sequence: u32) -> bool {
        let received = self.packets - self.left;
        let next = self.first_sequence.wrapping_add(received as u32);
        let ahead = sequence.wrapping_sub(next).cast_signed() as i64;
        received.wrapping_add_signed(ahead) < self.packets
    }
}

/// A node that expects more messages than these has an index of them.
const FEW: usize = 16;

/// Arrivals that a node expects, and those it has got and not yet looked at.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// The expected messages; with an index also places of those that were here.
    incoming: Vec<Incoming>,
    /// Where those of each source are, if they are many.
    index: Option<Box<Index>>,
    /// Complete messages, in the order the endpoint is told of them.
    arrived: VecDeque<Arrived>,
}

/// Where expected messages lie: in an incast they are thousands, hundreds of one source.
#[derive(Debug, Default)]
struct Index {
    /// Of each sender the places of its messages, by the numbers of their packets.
    places: BTreeMap<Sender, VecDeque<Place>>,
    /// All places.
    count: usize,
    /// Positions of messages that are complete.
    free: Vec<u32>,
}

/// Sender that counts its packets by itself: all that it sends is of one lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Sender {
    source: NodeId,
    class: u8,
    /// A [`Role`], as a number.
    role: u8,
}

impl Sender {
    const fn of(message: &Message) -> Self {
        Self {
            source: message.source,
            class: message.class,
            role: message.role as u8,
        }
    }

    /// All senders of a source.
    const fn at(source: NodeId) -> RangeInclusive<Self> {
        let first = Self {
            source,
            class: 0,
            role: 0,
        };
        let last = Self {
            class: u8::MAX,
            role: u8::MAX,
            ..first
        };
        first..=last
    }
}

/// Where a message that is expected lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    first_sequence: u32,
    /// Its position among the messages.
    position: u32,
}

impl Place {
    /// Whether its message is one before the packet `sequence`, or has it. Sequences count modulo
    /// 2^32.
    const fn is_up_to(&self, sequence: u32) -> bool {
        sequence.wrapping_sub(self.first_sequence).cast_signed() >= 0
    }
}

/// A place in the index.
struct IndexPlace {
    sender: Sender,
    /// Which one of its sender.
    number: usize,
    position: usize,
}

impl Index {
    /// The index of messages that lie one after the other.
    fn of(incoming: &[Incoming]) -> Self {
        let mut index = Self::default();
        for (position, one) in (0..).zip(incoming) {
            index.insert(one, position);
        }
        index
    }

    fn insert(&mut self, incoming: &Incoming, position: u32) {
        let first_sequence = incoming.first_sequence;
        let places = (self.places.entry(Sender::of(&incoming.message))).or_default();
        let place = Place {
            first_sequence,
            position,
        };
        self.count += 1;
        // Messages are announced in the order of their packets, as a rule.
        if places
            .back()
            .is_none_or(|last| last.is_up_to(first_sequence))
        {
            return places.push_back(place);
        }
        let number = places.partition_point(|one| one.is_up_to(first_sequence));
        places.insert(number, place);
    }

    /// The message of `source` that has the packet `sequence`, one of those that `is_of` holds for.
    fn find(
        &self,
        incoming: &[Incoming],
        source: NodeId,
        sequence: u32,
        is_of: impl Fn(&Message) -> bool,
    ) -> Option<IndexPlace> {
        let of_lane = self.places.range(Sender::at(source)).filter(|(_, places)| {
            let first = places.front();
            first.is_some_and(|first| is_of(&incoming[first.position as usize].message))
        });
        let has_it = |place: &Place| incoming[place.position as usize].holds(sequence);
        let found = |sender: &Sender, places: &VecDeque<Place>, number: usize| IndexPlace {
            sender: *sender,
            number,
            position: places[number].position as usize,
        };
        for (sender, places) in of_lane.clone() {
            let behind = places.partition_point(|one| one.is_up_to(sequence));
            if let Some(number) = behind
                .checked_sub(1)
                .filter(|number| has_it(&places[*number]))
            {
                return Some(found(sender, places, number));
            }
        }
        // Messages of more than 2^31 packets have no order.
        for (sender, places) in of_lane {
            if let Some(number) = places.iter().position(has_it) {
                return Some(found(sender, places, number));
            }
        }
        None
    }

    /// Forgets a place.
    fn remove(&mut self, found: &IndexPlace) {
        if let Some(places) = self.places.get_mut(&found.sender)
            && let Some(place) = places.remove(found.number)
        {
            self.free.push(place.position);
            self.count -= 1;
        }
    }
}

impl Inbox {
    pub(crate) fn expect(&mut self, incoming: Incoming) {
        let Some(index) = &mut self.index else {
            self.incoming.push(incoming);
            if self.incoming.len() > FEW {
                self.index = Some(Box::new(Index::of(&self.incoming)));
            }
            return;
        };
        let position = if let Some(position) = index.free.pop() {
            self.incoming[position as usize] = incoming;
            position
        } else {
            self.incoming.push(incoming);
            u32::try_from(self.incoming.len() - 1).unwrap_or(u32::MAX)
        };
        index.insert(&incoming, position);
    }

    #[inline]
    pub(crate) const fn expects_nothing(&self) -> bool {
        // An index goes with the last message.
        self.index.is_none() && self.incoming.is_empty()
    }

    /// Books the packet that `source` counts as `sequence` and that arrives at `at` to its message,
    /// one of those that `is_of` holds for. Returns what the message is, and the instant of its
    /// last packet if it is complete; `None` if the packet is of none of these messages.
    pub(crate) fn assemble(
        &mut self,
        source: NodeId,
        sequence: u32,
        at: Instant,
        is_of: impl Fn(&Message) -> bool,
    ) -> Option<(Role, Option<Instant>)> {
        let mut place = None;
        let position = if let Some(index) = &self.index {
            let found = index.find(&self.incoming, source, sequence, is_of)?;
            place.insert(found).position
        } else {
            self.incoming.iter().position(|one| {
                one.message.source == source && is_of(&one.message) && one.holds(sequence)
            })?
        };
        let one = &mut self.incoming[position];
        one.left -= 1;
        one.latest = one.latest.max(at);
        let role = one.message.role;
        if one.left > 0 {
            return Some((role, None));
        }
        let done = *one;
        match (&mut self.index, place) {
            (Some(index), Some(place)) => {
                index.remove(&place);
                if index.count == 0 {
                    self.index = None;
                    self.incoming.clear();
                }
            }
            _ => {
                self.incoming.swap_remove(position);
            }
        }
        let arrived = Arrived {
            at: done.latest,
            sequence: done.first_sequence,
            message: done.message,
        };
        let key = |one: &Arrived| (one.at, one.message.source, one.sequence);
        let is_before = |other: &Arrived| key(other) <= key(&arrived);
        if self.arrived.back().is_none_or(is_before) {
            self.arrived.push_back(arrived);
        } else {
            let position = self.arrived.partition_point(is_before);
            self.arrived.insert(position, arrived);
        }
        Some((role, Some(done.latest)))
    }

    /// Instant at which the next message is complete; never if none is.
    pub(crate) fn next(&self) -> Instant {
        self.arrived.front().map_or(Instant::NEVER, |one| one.at)
    }

    /// Takes the next complete message.
    pub(crate) fn take(&mut self) -> Message {
        let Some(arrived) = self.arrived.pop_front() else {
            unreachable!("a message that is complete is there");
        };
        arrived.message
    }
}

#[cfg(test)]
mod tests {
    use odonata_endpoint::{Header, Message, Role};
    use odonata_units::{Instant, NodeId, Purpose, Stream};

    use super::{Inbox, Incoming};

    const fn message(source: u32, bytes: u64) -> Message {
        Message {
            source: NodeId(source),
            target: NodeId(0),
            bytes,
            header: Header([0; 4]),
            mode: 0,
            class: 0,
            sender: 0,
            nic: 0,
            job: 0,
            role: Role::Request,
            is_ordered: false,
        }
    }

    /// Two messages of each of so many sources, of three packets each, in any order: from 9 sources
    /// on with an index.
    fn incast(sources: u32, draw: &mut Stream) {
        let mut inbox = Inbox::default();
        let mut packets = Vec::new();
        for number in 0..2 * sources {
            let source = number / 2 + 1;
            let first = (u32::MAX - 1).wrapping_add(3 * (number % 2));
            inbox.expect(Incoming::new(message(source, number.into()), first, 3));
            packets.extend((0..3).map(|packet| (source, first.wrapping_add(packet), number)));
        }
        let mut left = vec![3; packets.len() / 3];
        let mut at = 0;
        while !packets.is_empty() {
            let drawn = draw.below(u32::try_from(packets.len()).unwrap());
            let (source, sequence, number) = packets.swap_remove(drawn as usize);
            at += 1;
            let now = Instant::from_ps(at);
            let booked = inbox.assemble(NodeId(source), sequence, now, |_| true);
            left[number as usize] -= 1;
            let complete = (left[number as usize] == 0).then_some(now);
            assert_eq!(booked, Some((Role::Request, complete)));
            if complete.is_some() {
                assert_eq!(inbox.take().bytes, u64::from(number));
            }
            assert_eq!(inbox.expects_nothing(), packets.is_empty());
            let stranger = inbox.assemble(NodeId(sources + 1), sequence, now, |_| true);
            assert_eq!(stranger, None);
        }
    }

    #[test]
    fn every_packet_finds_its_message() {
        let mut draw = Stream::new(5, Purpose::Target, 0);
        for sources in [1, 3, 8, 9, 40] {
            incast(sources, &mut draw);
        }
    }
}
