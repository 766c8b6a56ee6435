//! A process among those of a run, by whichever way it reaches the others.

use std::sync::LazyLock;

use crate::error::MeshError;
use crate::hello::{Hello, Listener};
use crate::tcp::Tcp;
use crate::wire::Wire;

/// A process among those of a run. When it is dropped its connections end.
pub struct Mesh {
    wire: Box<dyn Wire>,
}

impl std::fmt::Debug for Mesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rank, processes) = (self.rank(), self.processes());
        write!(f, "Mesh {{ rank: {rank}, processes: {processes} }}")
    }
}

impl Mesh {
    /// The only process of a run.
    #[must_use]
    pub fn alone() -> &'static Self {
        static ALONE: LazyLock<Mesh> = LazyLock::new(|| Mesh::over(Tcp::alone()));
        &ALONE
    }

    /// Process 0: waits until all others have joined. `gives_up` is asked meanwhile.
    ///
    /// # Errors
    /// One of them has another build or another task, or does not come.
    pub fn lead(
        listener: &Listener,
        hello: &Hello,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Self, MeshError> {
        Tcp::lead(listener, hello, gives_up).map(Self::over)
    }

    /// Process `rank`, above 0: joins process 0, which listens at `address`. It listens itself at
    /// `port`, or at a free one if that is 0.
    ///
    /// # Errors
    /// Nobody is there, or this process is refused.
    pub fn join(
        address: &str,
        rank: usize,
        port: u16,
        hello: &Hello,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Self, MeshError> {
        Tcp::join(address, rank, port, hello, gives_up).map(Self::over)
    }

    /// Processes that have found each other by another way.
    #[must_use]
    pub fn over(wire: impl Wire + 'static) -> Self {
        Self {
            wire: Box::new(wire),
        }
    }

    /// Number of this process.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.wire.rank()
    }

    /// Number of processes.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.wire.processes()
    }

    /// Whether there are other processes.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.processes() > 1
    }

    /// The numbers of the other processes.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let rank = self.rank();
        (0..self.processes()).filter(move |other| *other != rank)
    }

    /// Lets `alarm` be called when another process interrupts the run, or is gone; at once, on
    /// another thread.
    pub fn on_alarm(&self, alarm: impl Fn() + Send + 'static) {
        self.wire.on_alarm(Box::new(alarm));
    }

    /// Whether another process has interrupted the run, or is gone.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.wire.is_interrupted()
    }

    /// Sends process `other` a message: `parts`, one behind the other.
    ///
    /// # Errors
    /// The other process is gone.
    pub fn send(&self, other: usize, parts: &[&[u8]]) -> Result<(), MeshError> {
        self.wire.send(other, parts)
    }

    /// The next message of process `other`. While it is awaited `looks` is called now and then.
    ///
    /// # Errors
    /// The other process is gone, or says why it cannot go on.
    pub fn receive(&self, other: usize, mut looks: impl FnMut()) -> Result<Vec<u8>, MeshError> {
        self.receive_unless(other, || {
            looks();
            false
        })
    }

    /// As [`Mesh::receive`], but gives up when `gives_up` says so, which is asked now and then.
    ///
    /// # Errors
    /// As [`Mesh::receive`]; or it was given up.
    pub fn receive_unless(
        &self,
        other: usize,
        mut gives_up: impl FnMut() -> bool,
    ) -> Result<Vec<u8>, MeshError> {
        self.wire.receive(other, &mut gives_up)
    }

    /// Waits until what was sent needs this process no more: it may work for long then.
    ///
    /// # Errors
    /// Another process is gone.
    pub fn flush(&self) -> Result<(), MeshError> {
        self.wire.flush()
    }

    /// Takes the memory of a message from process `other`, to be used again.
    pub fn give_back(&self, other: usize, message: Vec<u8>) {
        self.wire.give_back(other, message);
    }

    /// Asks all others to stop with what there is so far.
    pub fn interrupt(&self) {
        self.wire.interrupt();
    }

    /// Tells all others why the run cannot go on.
    pub fn fail(&self, sentence: &str) {
        self.wire.fail(sentence);
    }
}
