//! The geometry of dragonflies and their relatives: who is connected to whom.
//!
//! ```text
//!        group 0                     group 1
//!  +------------------+        +------------------+
//!  |  R0 --- R1       |        |  R4 --- R5       |      R  router; a per group, all-to-all
//!  |   | \ / |        |        |   | \ / |        |         inside their group (local links)
//!  |   | / \ |  global link    |   | / \ |        |      p  nodes on each router (host links)
//!  |  R2 --- R3 --------------- R6 --- R7 ... to group 2 h  global ports on each router
//!  +---|--------------+        +------------------+      g  groups, each two joined by k links
//!     nodes
//! ```
//!
//! This room knows no time, no packet and no load: latency and bandwidth belong to the network
//! room, the choice between paths to the routing room. Arithmetic on ids happens here and nowhere
//! else. The seam is [`Topology`], one type for every [`Family`]: built once, then immutable; every
//! lookup is a table look-up or a few multiplications.
//!
//! A shape that cannot be built is refused with the numbers that do not fit and a way out, see
//! [`TopologyError`]. The pages `docs/model/dragonfly.md` and `docs/model/topologies.md` state the numbering and
//! the wiring of every family.
//!
//! ```
//! use odonata_topology::{Arrangement, Attachment, PortIndex, Shape, Topology};
//! use odonata_units::{GroupId, NodeId, RouterId};
//!
//! // The 1,056-node system of Kang et al. 2022.
//! let dragonfly = Topology::dragonfly(Shape {
//!     groups: 33,
//!     routers_per_group: 8,
//!     nodes_per_router: 4,
//!     global_ports_per_router: 4,
//!     arrangement: Arrangement::Absolute,
//! })?;
//! assert_eq!((dragonfly.node_count(), dragonfly.router_count()), (1_056, 264));
//! assert_eq!(dragonfly.radix(), 15);
//! assert_eq!(dragonfly.router_of(NodeId(1_055)), RouterId(263));
//! // Channel 0 of group 5 (router 40, port 11) leads to group 0, whose channel 4 leads back.
//! assert_eq!(
//!     dragonfly.neighbour(RouterId(40), PortIndex(11)),
//!     Some(Attachment::Router(RouterId(1), PortIndex(11)))
//! );
//! assert_eq!(
//!     dragonfly.global_channels(GroupId(5), GroupId(0)),
//!     [(RouterId(40), PortIndex(11))]
//! );
//! assert_eq!(dragonfly.summary().diameter_hops, 3);
//! # Ok::<(), odonata_topology::TopologyError>(())
//! ```
#![forbid(unsafe_code)]

mod aries;
pub mod arrangement;
mod census;
pub mod channel;
pub mod channel_list;
mod channel_row;
mod channels;
mod divider;
mod dragonfly;
mod dump;
mod ends;
pub mod error;
mod failures;
pub mod family;
pub mod graph;
mod grid;
mod group_kinds;
mod hops;
pub mod interconnect;
mod kind_summary;
pub mod kinds_shape;
mod layout;
mod local;
mod megafly;
mod numbering;
mod rebuilt;
pub mod shape;
mod size;
pub mod summary;
mod tile_names;
mod tiles;
pub mod topology;
mod unit;
mod units;
mod wiring;

pub use arrangement::Arrangement;
pub use channel::{Attachment, Channel, ChannelIndex, LinkKind, PortIndex};
pub use channel_list::{ChannelList, ListedLink};
pub use channel_row::ChannelListError;
pub use divider::Divider;
pub use dump::{InterconnectError, InterconnectReport};
pub use ends::{NicWiring, NodeEnds, NodeType, NodesOfType};
pub use error::{GraphError, TopologyError};
pub use failures::FailedLink;
pub use family::{AriesShape, Family, MegaflyShape};
pub use graph::{GraphChannel, GraphSpec};
pub use interconnect::Interconnect;
pub use kind_summary::{KindSummary, LinksBetween};
pub use kinds_shape::{GroupKind, KindsShape};
pub use shape::{RADIX_LIMIT, Shape};
pub use size::Size;
pub use summary::{Spread, Summary};
pub use topology::Topology;
pub use unit::Unit;

/// Runs the example of the page of the other families.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/model/topologies.md")]
struct FamiliesPage;

/// Runs the example of the model page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/model/dragonfly.md")]
struct ModelPage;
