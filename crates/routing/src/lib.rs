//! Which way a packet goes: geometry, the packet and an observation of its router, nothing else.
//!
//! ```text
//!            +-----------+  candidates   +-----------+  port, vc
//!  packet -> | geometry  | ------------> | algorithm | ----------> router
//!            +-----------+               +-----------+
//!                                              ^ Observation: queues, credits, what was learned
//! ```
//!
//! A network has one or more [`Mode`]s; every packet names its own. Almost every published variant is
//! one [`Rule`] with other parameters; CODES on ports and Q-adaptive are algorithms of
//! their own. The names live in [`registry`]. Virtual channels are computed from modes and geometry, and
//! [`dependency`] proves that their channel dependencies are free of cycles before a run.
//!
//! This room does not know routers, buffers or time: a router asks it once per packet.
#![forbid(unsafe_code)]

mod across_graph;
mod by_ports;
mod by_rule;
mod changes;
mod changing;
mod compiled;
mod context;
pub mod decide;
mod decision;
pub mod dependency;
mod error;
mod first_decision;
pub mod geometry;
mod in_order;
mod ladder;
mod mode;
mod observation;
mod packet;
mod port_rule;
mod precomputed;
mod q_adaptive;
mod q_table;
pub mod registry;
pub mod rule;
mod sprayer;
mod timeline;
mod weights;

pub use changes::LinkChanges;
pub use decide::Routing;
pub use dependency::{CyclicDependency, check_dependencies};
pub use error::RoutingError;
pub use geometry::{Geometry, NO_WAYPOINT, RouterLocation};
pub use ladder::VcScheme;
pub use mode::{Algorithm, MODE_LIMIT, Mode, Responses};
pub use observation::{Estimate, Observation};
pub use packet::{Arrival, Hop, PacketRoute, PathState};
pub use port_rule::PortRule;
pub use precomputed::{HopStatus, PrecomputedHop};
pub use q_adaptive::QAdaptive;
pub use q_table::{LearningRates, QTable};
pub use registry::{ENTRIES, Entry, build_mode, entry};
pub use rule::{
    Candidates, Choice, Congestion, Draws, Intermediate, Ordered, Rule, Scope, Spray, Weights,
};
pub use sprayer::Sprayer;
pub use timeline::{
    LinkChange, LinkTimeline, NetworkChanges, NetworkState, PortChange, PortDown, RouterOutage,
    WHOLE_PPM,
};
