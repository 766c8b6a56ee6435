//! Which way a packet goes: geometry, the packet and an observation of its router, nothing else.
//!
//! ```text
//!            +-----------+  candidates   +-----------+  port, vc
//!  packet -> | geometry  | ------------> |   rule    | ----------> router
//!            +-----------+               +-----------+
//!                                              ^ Observation: queues and credits
//! ```
//!
//! Every published variant is one [`Rule`] with other parameters (DESIGN section 3); the names
//! live in [`registry`]. Virtual channels are computed from the rule, and [`dependency`] proves
//! that their channel dependencies are free of cycles before a run.
//!
//! This room does not know routers, buffers or time: a router asks it once per packet.

pub mod decide;
pub mod dependency;
pub mod geometry;
pub mod registry;
pub mod rule;

pub use decide::{Hop, Observation, PacketRoute, Plan, Routing};
pub use dependency::{CyclicDependency, check_dependencies};
pub use registry::{ENTRIES, Entry, RoutingError, build_rule, entry};
pub use rule::{Choice, Estimate, Intermediate, Rule, VcScheme};
