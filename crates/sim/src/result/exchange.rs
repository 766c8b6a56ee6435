//! Exchange of the processes of a run beside that of epochs.

use odonata_mesh::{Mesh, MeshError};
use odonata_units::Record;
use thiserror::Error;

use crate::error::SimError;

/// Why there is no outcome.
#[derive(Debug, Error)]
pub enum TeamError {
    /// The configuration cannot be run, or not in so many processes.
    #[error(transparent)]
    Refused(#[from] SimError),
    /// Another process is gone, or cannot go on.
    #[error(transparent)]
    Lost(#[from] MeshError),
}

impl TeamError {
    /// As the error of a run in one process.
    pub(crate) fn alone(self) -> SimError {
        match self {
            Self::Refused(error) => error,
            Self::Lost(error) => SimError::new("", error.to_string()),
        }
    }
}

/// What all other processes say of what each says of itself, in their order.
pub(crate) fn gathered<T: Record>(mesh: &Mesh, mine: &T) -> Result<Vec<T>, MeshError> {
    let mut bytes = Vec::new();
    mine.write(&mut bytes);
    for other in mesh.others() {
        mesh.send(other, &[&bytes])?;
    }
    mesh.others().map(|other| received(mesh, other)).collect()
}

/// Record of process `other`.
pub(crate) fn received<T: Record>(mesh: &Mesh, other: usize) -> Result<T, MeshError> {
    let bytes = mesh.receive(other, || ())?;
    T::read(&mut &*bytes).ok_or_else(|| unreadable(other))
}

/// What it says cannot be read.
pub(crate) fn unreadable(other: usize) -> MeshError {
    MeshError::new(format!(
        "what process {other} has found cannot be read: this is a fault of the simulator"
    ))
}
