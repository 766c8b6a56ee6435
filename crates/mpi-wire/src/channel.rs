//! A way to reach the other processes, beside other ones over the same MPI.
//!
//! A message ends with a byte: 1 if it goes on in the next one, for none of MPI is longer than 1 GiB,
//! and otherwise 0. Tags tell channels apart, and messages from alarms.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use odonata_mesh::{Alarm, MeshError, Wire};

use crate::state::{Inner, Pause, State};

/// Longest content of a message of MPI, bytes.
const CHUNK: usize = 1 << 30;
/// The last byte of a message, and of a part that another one follows.
const LAST: u8 = 0;
const GOES_ON: u8 = 1;
/// How often it is looked for alarms while this process works.
const LOOK: Duration = Duration::from_millis(40);
/// Tags are below 32,768 in every MPI.
const CHANNELS: u64 = 8_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// State that a channel and its thread share.
pub(crate) struct Shared {
    mpi: Arc<Inner>,
    /// Of messages; that of alarms is the next one.
    tag: i32,
    alarm: Mutex<Option<Alarm>>,
    is_interrupted: AtomicBool,
    /// Why the run cannot go on.
    fault: Mutex<Option<String>>,
}

impl Shared {
    pub(crate) fn new(mpi: Arc<Inner>, number: u64) -> Self {
        Self {
            mpi,
            tag: i32::try_from(2 * (number % CHANNELS)).unwrap_or(0),
            alarm: Mutex::default(),
            is_interrupted: AtomicBool::new(false),
            fault: Mutex::default(),
        }
    }

    /// Looks for alarms: interrupts are empty, others are the sentence of a fault.
    fn look(&self, state: &mut State) -> Result<(), MeshError> {
        while let Some(there) = state.calls()?.there(None, self.tag + 1)? {
            let mut bytes = Vec::new();
            state.calls()?.receive(there, self.tag + 1, &mut bytes)?;
            if !bytes.is_empty() {
                let sentence = String::from_utf8_lossy(&bytes).into_owned();
                lock(&self.fault).get_or_insert(sentence);
            }
            self.is_interrupted.store(true, Ordering::Relaxed);
            if let Some(alarm) = &*lock(&self.alarm) {
                alarm();
            }
        }
        Ok(())
    }

    fn tell_all(&self, content: &[u8]) {
        let mut state = self.mpi.state();
        for other in (0..self.mpi.size).filter(|other| *other != self.mpi.rank) {
            // Who is gone needs not be told.
            let _ = state.send(content.to_vec(), other, self.tag + 1);
        }
    }

    /// Receives what is there of process `other`, behind what `bytes` holds; whether the message is
    /// whole now.
    fn take(&self, other: usize, bytes: &mut Vec<u8>) -> Result<bool, MeshError> {
        let mut state = self.mpi.state();
        state.advance()?;
        self.look(&mut state)?;
        let Some(there) = state.calls()?.there(Some(other), self.tag)? else {
            return Ok(false);
        };
        if bytes.capacity() == 0 {
            *bytes = state.empty();
        }
        state.calls()?.receive(there, self.tag, bytes)?;
        Ok(bytes.pop() == Some(LAST))
    }
}

/// A way to reach the other processes.
pub struct Channel {
    shared: Arc<Shared>,
    /// When it is dropped, nobody looks for alarms any more.
    _watch: Sender<()>,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Channel {{ tag: {} }}", self.shared.tag)
    }
}

impl Channel {
    pub(crate) fn new(shared: Shared) -> Self {
        let shared = Arc::new(shared);
        let (watch, stops) = mpsc::channel();
        let seen = Arc::clone(&shared);
        thread::spawn(move || {
            while stops.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let mut state = seen.mpi.state();
                // What goes wrong is met by who sends or receives.
                let _ = state.advance().and_then(|_| seen.look(&mut state));
            }
        });
        Self {
            shared,
            _watch: watch,
        }
    }
}

impl Wire for Channel {
    fn rank(&self) -> usize {
        self.shared.mpi.rank
    }

    fn processes(&self) -> usize {
        self.shared.mpi.size
    }

    fn send(&self, other: usize, parts: &[&[u8]]) -> Result<(), MeshError> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let mut state = self.shared.mpi.state();
        let mut bytes = state.empty();
        bytes.reserve(length + 1);
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        while bytes.len() > CHUNK {
            let rest = bytes.split_off(CHUNK);
            bytes.push(GOES_ON);
            let front = std::mem::replace(&mut bytes, rest);
            state.send(front, other, self.shared.tag)?;
        }
        bytes.push(LAST);
        state.send(bytes, other, self.shared.tag)
    }

    fn receive(
        &self,
        other: usize,
        gives_up: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<u8>, MeshError> {
        let mut pause = Pause::default();
        let mut bytes = Vec::new();
        loop {
            if self.shared.take(other, &mut bytes)? {
                return Ok(bytes);
            }
            if let Some(sentence) = lock(&self.shared.fault).clone() {
                return Err(MeshError::new(sentence));
            }
            if pause.take() && gives_up() {
                return Err(MeshError::new("interrupted"));
            }
        }
    }

    fn flush(&self) -> Result<(), MeshError> {
        self.shared.mpi.flush()
    }

    fn give_back(&self, _: usize, message: Vec<u8>) {
        self.shared.mpi.state().give_back(message);
    }

    fn interrupt(&self) {
        self.shared.tell_all(&[]);
    }

    fn fail(&self, sentence: &str) {
        self.shared.tell_all(sentence.as_bytes());
    }

    fn on_alarm(&self, alarm: Alarm) {
        if self.is_interrupted() {
            alarm();
        }
        *lock(&self.shared.alarm) = Some(alarm);
    }

    fn is_interrupted(&self) -> bool {
        self.shared.is_interrupted.load(Ordering::Relaxed)
    }
}
