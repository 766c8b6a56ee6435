//! Programs of the two pools: one computes the cache of a prompt, the other one token after token.

use std::collections::VecDeque;
use std::sync::Arc;

use odonata_mpi::{CommId, Operation, Peer, Program, Request};
use odonata_units::Span;

use super::super::scaled::Scale;
use super::requests::Served;

/// Ranks that share every layer.
const TENSOR: CommId = CommId(1);
/// What the leader of a group tells the others in each step, and of each request that joins; and
/// what the leader of a prefill group tells when a cache is there.
const NOTE: u64 = 64;
/// Tag of the first, those of caches follow.
const STEP_TAG: u32 = 0;

/// The server as all its ranks know it.
pub(super) struct Server {
    /// Ranks of a group.
    pub(super) tensor: u32,
    /// Groups that prefill; those behind them decode.
    pub(super) prefill: u32,
    pub(super) decode: u32,
    pub(super) layers: u64,
    pub(super) cost: LayerCost,
    pub(super) scale: Scale,
    /// Requests that are decoded together at most.
    pub(super) batch: usize,
    pub(super) wait_before: Span,
    pub(super) requests: Vec<Served>,
}

/// What a layer takes at a group.
pub(super) struct LayerCost {
    /// Bytes of a token that are combined, and of its cache at all ranks together.
    pub(super) hidden: u64,
    pub(super) cache: u64,
    /// Its parameters are read, and each token is computed: ps.
    pub(super) read: f64,
    pub(super) token: f64,
}

impl LayerCost {
    /// Computation of a layer for so many tokens: what memory or arithmetic bounds.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, rounded down, and the cast saturates"
    )]
    fn compute(&self, tokens: u64) -> Span {
        Span::from_ps(self.read.max(self.token * tokens as f64) as u64)
    }
}

impl Server {
    /// The first rank of a group that decodes.
    const fn leader(&self, decode: u32) -> u32 {
        (self.prefill + decode) * self.tensor
    }

    /// A layer for so many tokens, in two halves that are combined each (Shoeybi et al. 2019).
    fn layer(&self, tokens: u64, list: &mut VecDeque<Operation>) {
        let whole = self.cost.compute(tokens);
        if self.tensor == 1 {
            return list.push_back(Operation::Compute(whole));
        }
        let half = Span::from_ps(whole.ps() / 2);
        for part in [half, Span::from_ps(whole.ps() - half.ps())] {
            list.push_back(Operation::Compute(part));
            let combined = TENSOR.allreduce(tokens * self.cost.hidden);
            list.push_back(self.scale.apply(combined));
        }
    }

    /// Requests of a group among `groups`: each takes its turn.
    fn turns(&self, group: u32, groups: u32) -> impl Iterator<Item = (u32, Served)> + '_ {
        let all = (0..).zip(self.requests.iter().copied());
        all.skip(group as usize).step_by(groups as usize)
    }
}

/// A rank that prefills.
pub(super) struct Prefill {
    server: Arc<Server>,
    group: u32,
    member: u32,
    wait_before: Span,
    /// Requests that are begun.
    begun: usize,
    list: VecDeque<Operation>,
}

impl Prefill {
    pub(super) fn new(server: &Arc<Server>, rank: u32) -> Self {
        Self {
            server: Arc::clone(server),
            group: rank / server.tensor,
            member: rank % server.tensor,
            wait_before: server.wait_before,
            begun: 0,
            list: VecDeque::new(),
        }
    }

    /// One request: the layers, whose caches go out one after the other beside what follows (Patel
    /// et al. 2024), until all of them are there.
    fn fill(&mut self) {
        let server = Arc::clone(&self.server);
        let turn = server.turns(self.group, server.prefill).nth(self.begun);
        let Some((number, request)) = turn else {
            return;
        };
        self.begun += 1;
        let leader = server.leader(number % server.decode);
        let (comm, target) = (CommId::WORLD, leader + self.member);
        let bytes = (request.prompt * server.cost.cache).div_ceil(u64::from(server.tensor));
        let list = &mut self.list;
        list.push_back(Operation::IterationFrom(request.at + self.wait_before));
        for _ in 0..server.layers {
            server.layer(request.prompt, list);
            let put = Operation::Put {
                comm,
                target,
                bytes,
            };
            list.push_back(server.scale.apply(put));
        }
        let target = Some(target);
        list.push_back(Operation::Flush { comm, target });
        if server.tensor > 1 {
            list.push_back(TENSOR.barrier());
        }
        list.push_back(Operation::IterationEnd);
        if self.member == 0 {
            list.push_back(Peer::in_job(leader, STEP_TAG + 1 + number).send(NOTE));
        }
    }
}

/// Share of the requests of a group that have begun.
#[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
fn share(begun: usize, turns: impl Iterator) -> Option<f64> {
    Some(begun as f64 / turns.count().max(1) as f64)
}

impl Program for Prefill {
    fn next(&mut self) -> Operation {
        if self.list.is_empty() {
            self.fill();
        }
        self.list.pop_front().unwrap_or(Operation::Finish)
    }

    fn share(&self) -> Option<f64> {
        let turns = self.server.turns(self.group, self.server.prefill);
        share(self.begun, turns)
    }

    fn rewind(&mut self) {
        (self.begun, self.wait_before) = (0, Span::ZERO);
    }
}

/// What a rank that decodes does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// A step ends, or the program begins.
    Begin,
    /// The leader looks whether the cache of the next request is there.
    Look,
    /// Its answer is known.
    Looked,
    /// Who joins is known to the leader.
    Tell,
    /// It is known to all.
    Step,
}

/// A rank that decodes.
pub(super) struct Decode {
    server: Arc<Server>,
    group: u32,
    member: u32,
    /// Tokens that the requests of the batch still want.
    left: Vec<u64>,
    /// Requests that have joined, and those of them that join this step.
    joined: usize,
    joining: usize,
    /// Whether the receive of the next note is posted; the last message.
    is_posted: bool,
    heard: Option<u64>,
    turn: Turn,
    list: VecDeque<Operation>,
}

/// The receive of a note on the next cache.
const NEXT: Request = Request(0);

impl Decode {
    pub(super) fn new(server: &Arc<Server>, rank: u32) -> Self {
        Self {
            server: Arc::clone(server),
            group: rank / server.tensor - server.prefill,
            member: rank % server.tensor,
            left: Vec::new(),
            joined: 0,
            joining: 0,
            is_posted: false,
            heard: None,
            turn: Turn::Begin,
            list: VecDeque::new(),
        }
    }

    /// The request that joins next.
    fn next_request(&self) -> Option<(u32, Served)> {
        let turns = &mut self.server.turns(self.group, self.server.decode);
        turns.nth(self.joined + self.joining)
    }

    /// One turn of the state; false when all is decoded.
    fn advance(&mut self) -> bool {
        let is_idle = self.left.is_empty() && self.joining == 0;
        match self.turn {
            Turn::Begin => {
                if !self.left.is_empty() {
                    self.list.push_back(Operation::IterationBegin);
                } else if self.next_request().is_none() {
                    return false;
                }
                self.turn = if self.member == 0 {
                    Turn::Look
                } else {
                    Turn::Step
                };
                if self.member > 0 {
                    let leader = self.server.leader(self.group);
                    let note = Peer::in_job(leader, STEP_TAG).recv(u64::MAX);
                    self.list.push_back(note);
                }
            }
            Turn::Look => self.look(is_idle),
            Turn::Looked => {
                let is_there = self.heard.take().is_some();
                self.is_posted = !is_there;
                self.joining += usize::from(is_there);
                self.turn = if is_there { Turn::Look } else { Turn::Tell };
            }
            Turn::Tell => self.tell(),
            Turn::Step => self.step(),
        }
        true
    }

    /// Asks for the next cache, and waits for it if there is nothing else to do.
    fn look(&mut self, is_idle: bool) {
        let has_room = self.left.len() + self.joining < self.server.batch;
        let Some((number, _)) = self.next_request().filter(|_| has_room) else {
            self.turn = Turn::Tell;
            return;
        };
        if !self.is_posted {
            let source = number % self.server.prefill * self.server.tensor;
            let note = Peer::in_job(source, STEP_TAG + 1 + number).irecv(NOTE, NEXT);
            self.list.push_back(note);
        }
        if is_idle {
            self.list.push_back(Operation::Wait(NEXT));
        } else {
            // A test answers first, and then looks at what has arrived.
            self.list
                .extend([Operation::Test(NEXT), Operation::Test(NEXT)]);
        }
        self.heard = None;
        self.turn = Turn::Looked;
    }

    /// The leader tells the others how many join: the length of the note says so.
    fn tell(&mut self) {
        let notes = 1 + u64::try_from(self.joining).unwrap_or(u64::MAX);
        let leader = self.server.leader(self.group);
        for member in 1..self.server.tensor {
            let note = Peer::in_job(leader + member, STEP_TAG).send(notes * NOTE);
            self.list.push_back(note);
        }
        self.heard = Some(notes * NOTE);
        self.turn = Turn::Step;
    }

    /// One token for each request of the batch.
    fn step(&mut self) {
        let notes = self.heard.take().unwrap_or(NOTE) / NOTE;
        if self.left.is_empty() {
            self.list.push_back(Operation::IterationBegin);
        }
        self.joining = 0;
        for _ in 1..notes {
            if let Some((_, request)) = self.next_request() {
                self.left.push(request.output - 1);
            }
            self.joined += 1;
        }
        let tokens = u64::try_from(self.left.len()).unwrap_or(u64::MAX);
        for _ in 0..self.server.layers {
            self.server.layer(tokens, &mut self.list);
        }
        self.list.push_back(Operation::IterationEnd);
        for left in &mut self.left {
            *left -= 1;
        }
        self.left.retain(|left| *left > 0);
        self.turn = Turn::Begin;
    }
}

impl Program for Decode {
    fn next(&mut self) -> Operation {
        loop {
            if let Some(operation) = self.list.pop_front() {
                return operation;
            }
            if !self.advance() {
                return Operation::Finish;
            }
        }
    }

    fn received(&mut self, bytes: u64) {
        self.heard = Some(bytes);
    }

    fn share(&self) -> Option<f64> {
        let turns = self.server.turns(self.group, self.server.decode);
        share(self.joined, turns)
    }

    fn rewind(&mut self) {
        (self.joined, self.turn) = (0, Turn::Begin);
    }
}
