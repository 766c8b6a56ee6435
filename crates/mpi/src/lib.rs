//! MPI on a node: a rank runs a program of operations and turns it into messages for its NIC.
//!
//! ```text
//! Program --Operation--> MpiRank --Message--> Nic
//!                          |  matching, eager/rendezvous, collectives, CPU costs
//!                        report
//! ```
//!
//! This room deliberately does not know packets, routers, links or other jobs: it sees a NIC that
//! takes messages and an instant at which each one has arrived. What every call costs, and when,
//! is stated in `docs/model/mpi.md`.
//!
//! The seam below is [`odonata_endpoint::Endpoint`]; the seam above is [`Program`].
//!
//! ```
//! use odonata_mpi::MpiParameters;
//! let firefly = MpiParameters::preset("firefly-kang2022").unwrap();
//! assert_eq!(firefly.eager_limit, 12_000);
//! ```
#![forbid(unsafe_code)]

pub mod collective;
pub mod communicator;
pub mod graph;
pub mod header;
pub mod host;
pub mod ideal;
mod iteration_log;
mod job_iterations;
pub mod matching;
pub mod operation;
pub mod parameters;
mod peer_counts;
pub mod program;
pub mod rank;
pub mod rank_map;
pub mod report;
pub mod slowest;

pub use collective::{Algorithm, BlockRange, Collective, CollectiveKind, Groups, Primitive};
pub use communicator::Communicator;
pub use graph::{Counts, Edge, Graph, GraphError, GraphProgram, Moment, Operations};
pub use host::{CallCost, Detours, Distribution, HostModel, HostTime, Law, Place, Recording};
pub use job_iterations::{EndedIteration, JobIterations, Marks, News};
pub use operation::{CollectiveCall, CommId, Operation, Peer, Program, Request, SendMode};
pub use parameters::{MpiError, MpiParameters};
pub use program::RankProgram;
pub use rank::{ArrivedMessage, MessageLog, MpiRank, RankSetup, SentMessage};
pub use rank_map::{MOST_RANKS_PER_NODE, RankLocation, RankMap};
pub use report::{Interrupt, IterationReport, RankReport};
pub use slowest::Slowest;
