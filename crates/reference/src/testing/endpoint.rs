//! Endpoints that are simple, reproducible, and remember what they saw.

use std::collections::VecDeque;

use odonata_endpoint::{Endpoint, Header, Message, Nic, Role};
use odonata_units::{Instant, NodeId, Purpose, Span, Stream};

/// A message of `bytes` to `target`; the NIC fills in the source.
#[must_use]
pub fn message(target: NodeId, bytes: u64) -> Message {
    Message {
        source: NodeId(u32::MAX),
        target,
        bytes,
        header: Header::default(),
        mode: 0,
        class: 0,
        sender: 0,
        nic: 0,
        job: 0,
        role: Role::Request,
        is_ordered: false,
    }
}

/// A message that arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// When.
    pub at: Instant,
    /// What.
    pub message: Message,
}

/// Where open-loop messages go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// To a random other node.
    Uniform,
    /// To node + shift, modulo the number of nodes; silent if that is the node itself.
    Shift(u32),
    /// To one node; that node itself sends to random others.
    HotSpot(NodeId),
}

/// When open-loop messages are created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rhythm {
    /// Exponential gaps: a Poisson process.
    Exponential,
    /// Equal gaps, the same at every node: many things happen at one instant.
    Fixed,
    /// Geometric gaps in slots of one flit time: BookSim's Bernoulli process.
    Slotted,
}

/// Payloads of messages, bytes; uniform between the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageSizes {
    /// Of the smallest message.
    pub least: u64,
    /// Of the largest message.
    pub most: u64,
}

impl MessageSizes {
    /// All messages have `bytes` bytes.
    #[must_use]
    pub const fn all(bytes: u64) -> Self {
        Self {
            least: bytes,
            most: bytes,
        }
    }

    /// Messages have `least` to `most` bytes.
    #[must_use]
    pub const fn between(least: u64, most: u64) -> Self {
        Self { least, most }
    }

    /// The size of the next message, bytes.
    pub(super) fn draw(self, draws: &mut Stream) -> u64 {
        let span = u32::try_from(self.most - self.least).unwrap_or(u32::MAX - 1);
        self.least + u64::from(draws.below(span + 1))
    }
}

/// An open-loop source.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenLoop {
    /// Nodes of the system.
    pub nodes: u32,
    /// The node of the source.
    pub node: NodeId,
    /// Targets.
    pub pattern: Pattern,
    /// Gaps.
    pub rhythm: Rhythm,
    /// Sizes.
    pub bytes: MessageSizes,
    /// Mean gap after a message, per byte of it, ps.
    pub gap_per_byte: f64,
    /// Slot of [`Rhythm::Slotted`], ps.
    pub slot: u64,
    /// No message is created from here on.
    pub last: Instant,
    /// Where the draws come from.
    pub draws: Stream,
    /// Creation of the message pulled last.
    pub clock: Instant,
    /// Nothing comes any more.
    pub finished: bool,
}

impl OpenLoop {
    /// A source at `node` of `nodes` that sends single messages of `bytes` with a mean gap of
    /// `gap` ps per byte until `last`.
    #[must_use]
    pub const fn new(
        node: NodeId,
        nodes: u32,
        pattern: Pattern,
        bytes: u64,
        gap_per_byte: f64,
        last: Instant,
    ) -> Self {
        Self {
            nodes,
            node,
            pattern,
            rhythm: Rhythm::Exponential,
            bytes: MessageSizes::all(bytes),
            gap_per_byte,
            slot: 1,
            last,
            draws: Stream::new(1, Purpose::Arrival, node.0 as u64),
            clock: Instant::ZERO,
            finished: false,
        }
    }

    fn other(&mut self) -> NodeId {
        let draw = self.draws.below(self.nodes - 1);
        NodeId(draw + u32::from(draw >= self.node.0))
    }

    fn target(&mut self) -> Option<NodeId> {
        if self.nodes < 2 {
            return None;
        }
        match self.pattern {
            Pattern::Uniform => Some(self.other()),
            Pattern::Shift(shift) => {
                let target = NodeId((self.node.0 + shift) % self.nodes);
                (target != self.node).then_some(target)
            }
            Pattern::HotSpot(hot) if hot == self.node => Some(self.other()),
            Pattern::HotSpot(hot) => Some(hot),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "gaps are positive and far below 2^53 ps, message sizes below 2^32"
    )]
    fn next(&mut self) -> Option<(Instant, Message)> {
        let target = self.target()?;
        let bytes = self.bytes.draw(&mut self.draws);
        let mean = self.gap_per_byte * bytes as f64;
        let gap = match self.rhythm {
            Rhythm::Exponential => self.draws.exponential(mean) as u64,
            Rhythm::Fixed => mean as u64,
            Rhythm::Slotted => {
                let chance = self.slot as f64 / mean;
                let mut slots = 1;
                while self.draws.unit() >= chance {
                    slots += 1;
                }
                slots * self.slot
            }
        };
        self.clock += Span::from_ps(gap.max(1));
        let created = self.clock;
        (created < self.last).then(|| (created, message(target, bytes)))
    }
}

/// Behaviour of an endpoint.
#[derive(Clone, PartialEq, Debug)]
enum Behaviour {
    /// Sends a list of messages; may answer those it gets.
    Scripted {
        /// By instant.
        script: VecDeque<(Instant, Message)>,
        /// An arrived message whose first header word is not zero is sent back after this span,
        /// with the word one less; `None`: never.
        reaction: Option<Span>,
        /// Answers, by instant.
        due: VecDeque<(Instant, Message)>,
    },
    /// Pulled.
    OpenLoop(OpenLoop),
}

/// Traffic classes and routing modes that messages are spread over, evenly and at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mix {
    /// Classes 0 to this, exclusive.
    pub classes: u8,
    /// Modes 0 to this, exclusive.
    pub modes: u8,
    /// Some messages that will be answered are gets, and their answers the data.
    pub gets: bool,
    /// Half of the messages ask for order.
    pub ordered: bool,
    /// Jobs 0 to this, exclusive, for nodes that several jobs use.
    pub jobs: u8,
}

impl Mix {
    /// Everything in class 0 and mode 0.
    pub const NONE: Self = Self {
        classes: 1,
        modes: 1,
        gets: false,
        ordered: false,
        jobs: 1,
    };
}

/// `message` with a class and a mode drawn from `mix`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a draw is below a number of 8 bits"
)]
fn mixed(mix: &mut Option<(Mix, Stream)>, message: Message) -> Message {
    let Some((mix, draws)) = mix else {
        return message;
    };
    let mixed = Message {
        class: draws.below(mix.classes.into()) as u8,
        mode: draws.below(mix.modes.into()) as u8,
        job: match mix.jobs {
            1 => 0,
            jobs => draws.below(jobs.into()) as u8,
        },
        is_ordered: mix.ordered && draws.below(2) == 0,
        ..message
    };
    if !mix.gets || message.role == Role::Data {
        return mixed;
    }
    // Nobody answers a message whose first word is zero.
    let role = match draws.below(4) {
        0 => Role::Request,
        1 => Role::Part,
        _ if message.header.0[0] > 0 => Role::Get,
        _ => Role::Request,
    };
    Message { role, ..mixed }
}

/// An endpoint for tests.
#[derive(Clone, PartialEq, Debug)]
pub struct TestEndpoint {
    /// Every message that arrived, in order.
    pub arrivals: Vec<Arrival>,
    behaviour: Behaviour,
    /// Draws class and mode of every message sent.
    mix: Option<(Mix, Stream)>,
}

impl TestEndpoint {
    /// Receives and never sends.
    #[must_use]
    pub const fn silent() -> Self {
        Self::scripted_with(VecDeque::new(), None)
    }

    /// Sends each message at its instant, those of one instant in the order given.
    #[must_use]
    pub fn scripted(mut script: Vec<(Instant, Message)>) -> Self {
        script.sort_by_key(|&(at, _)| at);
        Self::scripted_with(script.into(), None)
    }

    /// As [`TestEndpoint::scripted`], and answers each message whose first header word is not zero
    /// with one of the same size to its sender after `reaction`, the word reduced by one.
    #[must_use]
    pub fn answering(mut script: Vec<(Instant, Message)>, reaction: Span) -> Self {
        script.sort_by_key(|&(at, _)| at);
        Self::scripted_with(script.into(), Some(reaction))
    }

    const fn scripted_with(script: VecDeque<(Instant, Message)>, reaction: Option<Span>) -> Self {
        let behaviour = Behaviour::Scripted {
            script,
            reaction,
            due: VecDeque::new(),
        };
        Self {
            arrivals: Vec::new(),
            behaviour,
            mix: None,
        }
    }

    /// The same endpoint, but the class and the mode of every message it sends are drawn, from the
    /// stream (`seed`, `Program`, `number`).
    #[must_use]
    pub const fn mixing(mut self, mix: Mix, seed: u64, number: u64) -> Self {
        self.mix = Some((mix, Stream::new(seed, Purpose::Program, number)));
        self
    }

    /// Is pulled from `source`.
    #[must_use]
    pub const fn open_loop(source: OpenLoop) -> Self {
        Self {
            arrivals: Vec::new(),
            behaviour: Behaviour::OpenLoop(source),
            mix: None,
        }
    }
}

impl Endpoint for TestEndpoint {
    fn next_wake(&self) -> Instant {
        match &self.behaviour {
            Behaviour::Scripted { script, due, .. } => {
                let first = |list: &VecDeque<(Instant, Message)>| {
                    list.front().map_or(Instant::NEVER, |entry| entry.0)
                };
                first(script).min(first(due))
            }
            Behaviour::OpenLoop(_) => Instant::NEVER,
        }
    }

    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        let Behaviour::Scripted { script, due, .. } = &mut self.behaviour else {
            return;
        };
        for list in [script, due] {
            if list.front().is_some_and(|entry| entry.0 <= now) {
                if let Some((_, message)) = list.pop_front() {
                    nic.send(mixed(&mut self.mix, message));
                }
                return;
            }
        }
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        self.arrivals.push(Arrival {
            at: now,
            message: *message,
        });
        let Behaviour::Scripted {
            reaction: Some(reaction),
            due,
            ..
        } = &mut self.behaviour
        else {
            return;
        };
        if let Some(left) = message.header.0[0].checked_sub(1) {
            let mut header = message.header;
            header.0[0] = left;
            let answer = Message {
                source: message.target,
                target: message.source,
                header,
                role: match message.role {
                    Role::Get => Role::Data,
                    _ => Role::Request,
                },
                ..*message
            };
            due.push_back((now + *reaction, answer));
        }
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        let Behaviour::OpenLoop(source) = &mut self.behaviour else {
            return None;
        };
        let next = source.next();
        source.finished = next.is_none();
        let request = |message| Message {
            role: Role::Request,
            ..message
        };
        next.map(|(created, message)| (created, request(mixed(&mut self.mix, message))))
    }

    fn is_finished(&self) -> bool {
        match &self.behaviour {
            Behaviour::Scripted { script, .. } => script.is_empty(),
            Behaviour::OpenLoop(source) => source.finished,
        }
    }
}
