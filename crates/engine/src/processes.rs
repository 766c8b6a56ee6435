//! The exchange between the processes that simulate parts of one system.
//!
//! After each epoch every process sends each other one a single message: the sum of the statuses of
//! its threads, and the mail for the blocks that the other one simulates. Sums are the same in all
//! processes, so all take the same decisions. Where all threads rest ([`Control::rests_every`]),
//! controls exchange a message of their own before they decide.
//!
//! ```text
//! message = number of the epoch, status, whether it is interrupted, pieces
//! piece   = block (4 bytes), length (4 bytes), mail
//! ```

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use odonata_mesh::{Mesh, MeshError};
use odonata_units::Record;

use crate::block::{Block, Control};
use crate::laps::Exchanged;
use crate::transport::{Thread, Total, Transport};

/// What the threads of a process share to exchange mail with other processes.
pub(crate) struct Post<'a> {
    mesh: &'a Mesh,
    /// First block of this process.
    first: usize,
    /// `[block]`: the process that simulates it.
    owners: Vec<usize>,
    /// `[thread][process]`: pieces of the next message.
    outgoing: Vec<Mutex<Vec<Vec<u8>>>>,
    /// `[turn]`.
    incoming: [RwLock<Incoming>; 2],
    /// `[turn]`: over all processes.
    totals: [Mutex<Total>; 2],
    /// Messages sent so far.
    epoch: Mutex<u64>,
    exchanged: Mutex<Exchanged>,
    fault: Mutex<Option<MeshError>>,
}

/// The messages of all other processes in one turn.
struct Incoming {
    /// `[process]`.
    messages: Vec<Vec<u8>>,
    /// `[block of this process]`: where its mail is, by process and bytes of the message.
    pieces: Vec<Vec<(usize, Range<usize>)>>,
}

impl Incoming {
    fn new(processes: usize, blocks: usize) -> Self {
        Self {
            messages: vec![Vec::new(); processes],
            pieces: vec![Vec::new(); blocks],
        }
    }

    /// Takes in the message of process `from`, whose pieces begin at `at`; `None` if they are
    /// something else.
    fn take(&mut self, from: usize, message: Vec<u8>, mut at: usize, first: usize) -> Option<()> {
        while at < message.len() {
            let mut head = message.get(at..)?;
            let (block, length) = (u32::read(&mut head)?, u32::read(&mut head)?);
            let start = at + PIECE_HEAD;
            at = start + length as usize;
            message.get(start..at)?;
            let own = (block as usize).checked_sub(first)?;
            self.pieces.get_mut(own)?.push((from, start..at));
        }
        self.messages[from] = message;
        Some(())
    }
}

/// Memory for a message that is kept from one epoch to the next: what is more is better used for
/// packets meanwhile.
const LARGE: usize = 1 << 22;

/// Bytes of the head of a piece.
const PIECE_HEAD: usize = 8;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Post<'a> {
    /// For the threads of this process; `ranges` are those of all threads of all processes, as
    /// many in each.
    pub(crate) fn new(mesh: &'a Mesh, ranges: &[Range<usize>]) -> Self {
        let processes = mesh.processes();
        let threads = ranges.len() / processes;
        let owners = (ranges.iter().enumerate())
            .flat_map(|(thread, range)| range.clone().map(move |_| thread / threads))
            .collect();
        let own = &ranges[mesh.rank() * threads..][..threads];
        let blocks = own.iter().map(ExactSizeIterator::len).sum();
        Self {
            mesh,
            first: own.first().map_or(0, |range| range.start),
            owners,
            outgoing: (0..threads)
                .map(|_| Mutex::new(vec![Vec::new(); processes]))
                .collect(),
            incoming: [0, 1].map(|_| RwLock::new(Incoming::new(processes, blocks))),
            totals: [0, 1].map(|_| Mutex::new(Total::IDLE)),
            epoch: Mutex::new(0),
            exchanged: Mutex::default(),
            fault: Mutex::new(None),
        }
    }

    /// `outcome`, unless another process was gone or could not go on.
    pub(crate) fn unless_lost<T>(self, outcome: T) -> Result<T, MeshError> {
        let fault = self.fault.into_inner();
        let fault = fault.unwrap_or_else(PoisonError::into_inner);
        fault.map_or(Ok(outcome), Err)
    }

    /// Adds mail for `block` to the next message of thread `number` to its process.
    fn pack<B: Block>(
        &self,
        number: usize,
        block: usize,
        mail: &mut B::Mail,
        local: &mut B::Local,
    ) {
        let mut outgoing = lock(&self.outgoing[number]);
        let out = &mut outgoing[self.owners[block]];
        let head = out.len();
        u32::try_from(block).unwrap_or(u32::MAX).write(out);
        0_u32.write(out);
        B::pack(mail, local, out);
        let length = out.len() - head - PIECE_HEAD;
        // More than 4 GB of mail in one epoch, of one thread for one block, cannot be: what does
        // not fit is refused by who receives it.
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        out[head + 4..head + PIECE_HEAD].copy_from_slice(&length.to_le_bytes());
    }

    /// Sends `mine` and the mail of all threads to all other processes, and takes in theirs.
    fn exchange<M>(
        &self,
        turn: usize,
        mine: Total,
        member: &Member<'_, M>,
    ) -> Result<Total, MeshError> {
        let start = (member.clock)();
        let mut waited = 0;
        let epoch = {
            let mut epoch = lock(&self.epoch);
            *epoch += 1;
            *epoch
        };
        // Every block has taken the mail of the turn before: new messages can have its memory.
        {
            let mut read =
                (self.incoming[1 - turn].write()).unwrap_or_else(PoisonError::into_inner);
            for other in self.mesh.others() {
                self.mesh
                    .give_back(other, std::mem::take(&mut read.messages[other]));
            }
        }
        self.send(epoch, mine)?;
        let mut incoming = self.incoming[turn]
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        incoming.pieces.iter_mut().for_each(Vec::clear);
        let mut all = mine;
        let mut has_told = false;
        for other in self.mesh.others() {
            let before = (member.clock)();
            let message = self.mesh.receive(other, || {
                if !has_told && (member.looks)() {
                    has_told = true;
                    self.mesh.interrupt();
                }
            })?;
            waited += since(before, (member.clock)());
            let mut rest = &*message;
            let head = (
                u64::read(&mut rest),
                Record::read(&mut rest),
                bool::read(&mut rest),
            );
            let (Some(number), Some(status), Some(is_interrupted)) = head else {
                return Err(unreadable(other));
            };
            if number != epoch {
                return Err(unreadable(other));
            }
            all = all.and(Total {
                status,
                is_interrupted,
            });
            let at = message.len() - rest.len();
            incoming
                .take(other, message, at, self.first)
                .ok_or_else(|| unreadable(other))?;
        }
        self.mesh.flush()?;
        *lock(&self.totals[turn]) = all;
        lock(&self.exchanged).ns += since(start, (member.clock)()).saturating_sub(waited);
        Ok(all)
    }

    fn send(&self, epoch: u64, mine: Total) -> Result<(), MeshError> {
        let mut head = Vec::new();
        epoch.write(&mut head);
        mine.status.write(&mut head);
        mine.is_interrupted.write(&mut head);
        let mut outgoing: Vec<_> = self.outgoing.iter().map(lock).collect();
        for other in self.mesh.others() {
            let mut parts = vec![&*head];
            parts.extend(outgoing.iter().map(|thread| &*thread[other]));
            let bytes: usize = parts.iter().map(|part| part.len()).sum();
            lock(&self.exchanged).sent_bytes += bytes as u64;
            self.mesh.send(other, &parts)?;
        }
        for out in outgoing.iter_mut().flat_map(|thread| thread.iter_mut()) {
            out.clear();
            out.shrink_to(LARGE);
        }
        Ok(())
    }

    /// Exchanges what controls tell each other.
    fn tell<C: Control>(&self, control: &C) -> Result<(), MeshError> {
        let told = control.tells();
        for other in self.mesh.others() {
            self.mesh.send(other, &[&told])?;
        }
        for other in self.mesh.others() {
            let message = self.mesh.receive(other, || ())?;
            if !control.hears(&message) {
                return Err(unreadable(other));
            }
        }
        Ok(())
    }

    /// Whether one of all processes says so.
    fn agree(&self, mine: bool) -> Result<bool, MeshError> {
        for other in self.mesh.others() {
            self.mesh.send(other, &[&[u8::from(mine)]])?;
        }
        let mut all = mine;
        for other in self.mesh.others() {
            let message = self.mesh.receive(other, || ())?;
            all |= bool::read(&mut &*message).ok_or_else(|| unreadable(other))?;
        }
        Ok(all)
    }

    fn note<T>(&self, found: Result<T, MeshError>) -> Option<T> {
        found.map_err(|fault| *lock(&self.fault) = Some(fault)).ok()
    }
}

/// ns between two looks at a clock; 0 without one.
fn since(before: Option<u64>, now: Option<u64>) -> u64 {
    now.unwrap_or(0).saturating_sub(before.unwrap_or(0))
}

fn unreadable(other: usize) -> MeshError {
    MeshError::new(format!(
        "the messages of process {other} cannot be read: this is a fault of the simulator"
    ))
}

/// A thread of a process that takes part in the exchange.
pub(crate) struct Member<'a, M> {
    pub(crate) thread: Thread<'a, M>,
    pub(crate) post: &'a Post<'a>,
    /// Whether the run is to stop, asked while others are waited for.
    pub(crate) looks: &'a (dyn Fn() -> bool + Sync),
    /// See [`Control::clock_ns`].
    pub(crate) clock: &'a (dyn Fn() -> Option<u64> + Sync),
}

impl<M> Member<'_, M> {
    /// Lets one thread do `what`, which all wait for.
    fn once<T>(&self, what: impl FnOnce() -> Result<T, MeshError>) -> Option<()> {
        if self.thread.number == 0 && self.post.note(what()).is_none() {
            self.thread.exchange.break_up();
        }
        self.thread.exchange.wait().then_some(())
    }
}

impl<B: Block> Transport<B> for Member<'_, B::Mail> {
    fn send(&self, turn: usize, block: usize, mail: &mut B::Mail, local: &mut B::Local) {
        let post = self.post;
        if post.owners[block] == post.mesh.rank() {
            Transport::<B>::send(&self.thread, turn, block, mail, local);
        } else {
            post.pack::<B>(self.thread.number, block, mail, local);
        }
    }

    fn receive(&self, turn: usize, number: usize, block: &mut B, local: &mut B::Local) {
        self.thread.receive(turn, number, block, local);
        let post = self.post;
        let incoming = post.incoming[turn].read();
        let incoming = incoming.unwrap_or_else(PoisonError::into_inner);
        for (from, bytes) in &incoming.pieces[number - post.first] {
            let mail = &incoming.messages[*from][bytes.clone()];
            if block.unpack(mail, local).is_none() {
                // All threads end at the next meeting.
                let _: Option<()> = post.note(Err(unreadable(*from)));
            }
        }
    }

    fn work(&self, turn: usize) -> u64 {
        lock(&self.post.totals[turn]).status.work
    }

    fn meet(&self, turn: usize, mine: Total) -> Option<Total> {
        let here = self.thread.exchange.meet(turn, self.thread.number, mine)?;
        self.once(|| {
            let fault = lock(&self.post.fault).clone();
            fault.map_or(Ok(()), Err)?;
            self.post.exchange(turn, here, self)
        })?;
        Some(*lock(&self.post.totals[turn]))
    }

    fn tell<C: Control>(&self, control: &C) -> Option<()> {
        let told = self.post.note(self.post.tell(control));
        if told.is_none() {
            self.thread.exchange.break_up();
        }
        told
    }

    fn agree(&self, mine: bool) -> Option<bool> {
        let here = self.thread.exchange.agree(mine)?;
        self.once(|| {
            let all = self.post.agree(here)?;
            if all {
                self.thread.exchange.note_agreed();
            }
            Ok(())
        })?;
        Some(self.thread.exchange.is_agreed())
    }

    fn exchanged(&self) -> Exchanged {
        if self.thread.number == 0 {
            *lock(&self.post.exchanged)
        } else {
            Exchanged::default()
        }
    }
}
