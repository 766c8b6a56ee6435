//! Router, link and NIC: the hot loop.
//!
//! ```text
//!  endpoint -- NIC --host--> router --local/global--> router --host--> NIC -- endpoint
//!                             |  ^
//!                             |  +-- arrive: route   (crate odonata-routing)
//!                             +----- cioq: input FIFOs, crossbar
//!                             +----- output: queues, credits, link; classes: who goes next
//! ```
//!
//! One router, one NIC and one link serve every topology. What happens when is stated to the
//! instant in `docs/model/network.md`; the reference model (`odonata-reference`) is written from
//! that page and agrees bit by bit.
//!
//! This room does not know MPI, jobs' programs or scenarios: nodes are used by
//! [`odonata_endpoint::Endpoint`]s.
//! It does not compute paths: it asks [`odonata_routing`].
#![forbid(unsafe_code)]

mod flight;
mod group;
mod model;
mod network;
mod nic;
mod probe_shapes;
mod router;
mod rules;
mod shared;

pub use model::cables::Cables;
pub use model::division::{Division, Team};
pub use model::error::NetworkError;
pub use model::limits::{MOST_GROUPS, MOST_NODES};
pub use model::parameters::{
    self, Abate, AbateShare, Arbitration, Architecture, ClassShare, Control, CreditReturn,
    Delivery, GetData, LinkParameters, MOST_CLASSES, Monitor, Nscc, Pace, Parameters, Qos, Rccc,
    Switching,
};
pub use model::usage::{NodeUse, Sharing, Usage, Users};
pub use network::{Found, Network};
pub use probe_shapes::Counting;
pub use router::diagnosis::Wait;
