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

mod advance;
mod cables;
mod choose;
mod chunk_list;
mod classes;
mod congestion;
mod crossbar;
mod diagnosis;
mod division;
mod error;
mod features;
mod feedback;
mod flows;
mod group;
mod in_flight;
mod inbox;
mod index;
mod last_hop;
mod limits;
mod link_changes;
mod link_down;
mod lookahead;
mod marks;
mod moment;
mod network;
mod nic_control;
mod node;
mod notice_times;
mod observed;
mod order;
mod outbox;
mod output;
mod packet;
pub mod parameters;
mod partition;
mod port_set;
mod reaching;
mod recorded;
mod reserve;
mod route;
mod router;
mod send_queue;
mod shared;
mod slab;
mod switch;
mod times;
mod turns;
mod usage;
mod view;
mod wake_schedule;
mod watched;
mod window;

pub use cables::Cables;
pub use diagnosis::Wait;
pub use division::{Division, Team};
pub use error::NetworkError;
pub use limits::{MOST_GROUPS, MOST_NODES};
pub use network::{Found, Network};
pub use observed::Counting;
pub use parameters::{
    Abate, AbateShare, Arbitration, Architecture, ClassShare, Control, CreditReturn, Delivery,
    GetData, LinkParameters, MOST_CLASSES, Monitor, Nscc, Pace, Parameters, Qos, Rccc, Switching,
};
pub use recorded::{Users, simulate_recorded};
pub use usage::{NodeUse, Sharing, Usage};
