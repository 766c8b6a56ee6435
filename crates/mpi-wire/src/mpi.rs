//! MPI as this process has it.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use odonata_mesh::MeshError;

use crate::channel::{Channel, Shared};
use crate::library::Library;
use crate::state::{Inner, State};

/// The MPI of this process.
#[derive(Clone)]
pub struct Mpi {
    pub(crate) inner: Arc<Inner>,
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

    /// Name of this MPI.
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
