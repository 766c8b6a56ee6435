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
//! instant in `docs/model/network.md`; the slow twin (`odonata-reference`) is written from that
//! page and agrees bit by bit.
//!
//! This room does not know MPI, jobs' programs or scenarios: nodes are used by [`Endpoint`]s.
//! It does not compute paths: it asks [`odonata_routing`].

mod arrive;
mod block;
mod choose;
mod cioq;
mod classes;
mod diagnosis;
pub mod endpoint;
mod error;
mod lane;
mod learn;
mod memory;
mod network;
mod nic;
mod output;
mod packet;
pub mod parameters;
mod record;
mod reserve;
mod shared;
pub mod stats;
mod view;

pub use diagnosis::Wait;
pub use endpoint::{Endpoint, Header, Message, Nic};
pub use error::NetworkError;
pub use network::{ChannelReport, LinkTraffic, Network, NodeReport, simulate_recorded};
pub use odonata_engine::{Control, Stop};
pub use parameters::{
    Arbitration, Architecture, CreditReturn, Delivery, LinkParameters, MOST_CLASSES, Monitor,
    PacketRecord, Parameters, Qos, Switching,
};
pub use shared::{MOST_GROUPS, MOST_NODES, MeasureWindow, NodeUse, Observe};
pub use stats::{Bin, Histogram, JobStats, Series, Stats};
