//! Messages between the processes of one run: a TCP connection between any two of them, or another
//! [`Wire`].
//!
//! Process 0 listens, the others join it ([`Mesh::lead`], [`Mesh::join`]) and are introduced to
//! each other. Processes of different builds, or of different scenarios, are refused there. From
//! then on every process sends each other one messages of bytes, which arrive in order. What the
//! bytes mean is not known here. One process is a team of one ([`Mesh::alone`]).
//!
//! Failure modes: a process that dies closes its connections, which every other one notices at
//! once; [`MeshError`] says in a sentence which one it was. Processes on different machines tell
//! each other every 5 s that they are there: a machine that loses its power is noticed after a
//! minute.
#![forbid(unsafe_code)]

mod connection;
mod error;
mod hello;
mod mesh;
mod tcp;
mod wire;

pub use error::MeshError;
pub use hello::{Hello, Listener};
pub use mesh::Mesh;
pub use wire::{Alarm, Wire};
