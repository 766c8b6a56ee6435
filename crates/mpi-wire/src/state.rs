//! State of MPI that the threads of this process share: one lock, and messages on their way out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use odonata_mesh::MeshError;

use crate::library::{ANY_TAG, Library, Sending};

pub(crate) struct Inner {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) state: Mutex<State>,
}

/// State that one thread at a time may use.
pub(crate) struct State {
    /// `None`: MPI has ended, and must not be called any more.
    pub(crate) calls: Option<Library>,
    /// Messages that are not sent yet.
    pub(crate) outgoing: Vec<Sending>,
    /// Emptied messages, whose memory is used again.
    pub(crate) spare: Vec<Vec<u8>>,
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
    pub(crate) fn drain(&mut self) -> Result<(), MeshError> {
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
