//! MPI as this process has it: one lock, and what is on its way out.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use odonata_mesh::MeshError;

use crate::channel::{Channel, Shared};
use crate::library::{ANY_TAG, Library, Sending};

/// The MPI of this process.
#[derive(Clone)]
pub struct Mpi {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    state: Mutex<State>,
}

/// What one thread at a time may use.
pub(crate) struct State {
    /// `None`: MPI has ended, and must not be called any more.
    calls: Option<Library>,
    /// Messages that are not sent yet.
    outgoing: Vec<Sending>,
    /// Emptied messages, whose memory is used again.
    spare: Vec<Vec<u8>>,
}

impl fmt::Debug for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { rank, size, .. } = &*self.inner;
        write!(f, "Mpi {{ rank: {rank}, size: {size} }}")
    }
}

impl Mpi {
    /// Loads the shim of [`SOURCE`](crate::SOURCE) and begins MPI, if nobody has.
    ///
    /// # Errors
    /// It cannot be loaded, or MPI fails.
    pub fn open(shim: &Path) -> Result<Self, MeshError> {
        let library = Library::open(shim)?;
        library.start()?;
        let (rank, size) = (library.rank()?, library.size()?);
        let state = State {
            calls: Some(library),
            outgoing: Vec::new(),
            spare: Vec::new(),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                rank,
                size,
                state: Mutex::new(state),
            }),
        })
    }

    /// Number of this process.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.inner.rank
    }

    /// Number of processes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.inner.size
    }

    /// What this MPI calls itself.
    #[must_use]
    pub fn name(&self) -> String {
        let state = self.inner.state();
        state.calls().map(Library::name).unwrap_or_default()
    }

    /// A way to reach the other processes, beside those of other numbers. All of them use the same
    /// number for the same channel, and none twice within 1,000.
    #[must_use]
    pub fn channel(&self, number: u64) -> Channel {
        Channel::new(Shared::new(Arc::clone(&self.inner), number))
    }

    /// Ends all processes of the launcher at once, this one too.
    pub fn abort(&self, code: u8) {
        if let Ok(calls) = self.inner.state().calls() {
            calls.abort(code.into());
        }
    }

    /// Ends MPI, if it was begun here: all processes do so, when they have nothing more to say.
    /// Whoever still waits for a message, as after a fault, is told so.
    ///
    /// # Errors
    /// MPI fails.
    pub fn finish(&self) -> Result<(), MeshError> {
        self.inner.flush()?;
        let mut state = self.inner.state();
        state.drain()?;
        state.calls.take().map_or(Ok(()), |calls| calls.finish())
    }
}

impl Inner {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything is sent.
    pub(crate) fn flush(&self) -> Result<(), MeshError> {
        let mut pause = Pause::default();
        while !self.state().advance()? {
            pause.take();
        }
        Ok(())
    }
}

impl State {
    /// The functions of MPI.
    pub(crate) fn calls(&self) -> Result<&Library, MeshError> {
        let calls = self.calls.as_ref();
        calls.ok_or_else(|| MeshError::new("MPI has ended: nothing more can be said"))
    }

    /// Receives what nobody has waited for, as after a fault that several processes have told of:
    /// some libraries complain of it at their end.
    fn drain(&mut self) -> Result<(), MeshError> {
        let mut bytes = self.empty();
        while let Some(there) = self.calls()?.there(None, ANY_TAG)? {
            bytes.clear();
            self.calls()?.receive(there, ANY_TAG, &mut bytes)?;
        }
        Ok(())
    }

    /// A vector without content.
    pub(crate) fn empty(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&mut self, mut message: Vec<u8>) {
        message.clear();
        if self.spare.len() < 16 {
            self.spare.push(message);
        }
    }

    pub(crate) fn send(&mut self, bytes: Vec<u8>, other: usize, tag: i32) -> Result<(), MeshError> {
        let sending = self.calls()?.send(bytes, other, tag)?;
        self.outgoing.push(sending);
        Ok(())
    }

    /// Lets MPI go on with what is under way; whether everything is sent.
    pub(crate) fn advance(&mut self) -> Result<bool, MeshError> {
        for sending in std::mem::take(&mut self.outgoing) {
            match self.calls()?.is_sent(sending)? {
                Ok(bytes) => self.give_back(bytes),
                Err(sending) => self.outgoing.push(sending),
            }
        }
        Ok(self.outgoing.is_empty())
    }
}

/// Waits between two looks, each of which lets MPI work for about a microsecond: for a moment not at
/// all, and then it sleeps, so that others have its core. As in the barrier of threads, it does not
/// yield.
#[derive(Default)]
pub(crate) struct Pause {
    looks: u32,
}

impl Pause {
    /// As long as that of threads.
    const SPINS: u32 = 300;
    const SLEEP: std::time::Duration = std::time::Duration::from_micros(50);
    /// Looks from one question to the next whether to give up: some 40 ms.
    const ASKS: u32 = 400;

    /// Waits; whether it is time to ask whether to give up.
    pub(crate) fn take(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        if self.looks < Self::SPINS {
            std::hint::spin_loop();
            return false;
        }
        std::thread::sleep(Self::SLEEP);
        self.looks.is_multiple_of(Self::ASKS)
    }
}

#[cfg(test)]
mod tests {
    use super::Pause;

    /// How often this thread has slept; `None` where the system does not tell.
    fn sleeps() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/status").ok()?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line?.trim().parse().ok()
    }

    #[test]
    fn whoever_waits_sleeps_soon() {
        let Some(before) = sleeps() else { return };
        let mut pause = Pause::default();
        for _ in 0..400 {
            pause.take();
        }
        let slept = sleeps().map_or(0, |now| now - before);
        assert!(slept >= 90, "{slept}");
    }
}
