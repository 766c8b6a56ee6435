//! Which routing mode a message gets: application-aware routing (De Sensi et al. 2019).
//!
//! ```text
//! message --> decide --> mode; after the post: counters --> observe
//! ```
//!
//! [`Policy`] is pure: it neither allocates nor reads anything, and the same sequence of messages
//! and counters gives the same decisions in the simulator and in a preload library. The model is on
//! `docs/model/policy.md`.
//!
//! This crate deliberately does not know what sends a message, whose counters it is shown, or what
//! a mode does in a network.
//!
//! ```
//! use odonata_policy::{Counters, Message, Mode, Operation, Parameters, Policy, Units};
//!
//! let mut policy = Policy::new(Parameters::default());
//! policy.observe(&Counters::default(), Units::ARIES); // what the job finds when it starts
//! let message = Message { bytes: 65_536, operation: Operation::Put, alltoall: false };
//!
//! let first = policy.decide(message);
//! assert_eq!((first.mode, first.reads_counters), (Mode::Adaptive0, true));
//! // Packets took 3 us and flits never waited: the bias costs nothing.
//! let counters = Counters { flits: 5_120, stalled: 0, packets: 1_024, latency: 3_072 };
//! policy.observe(&counters, Units::ARIES);
//! assert_eq!(policy.decide(message).mode, Mode::Adaptive3);
//! ```
#![forbid(unsafe_code)]
#![no_std]

mod algorithm;
mod classes;
mod counters;
mod exploration;
mod learning;
mod message;
mod mode;
mod parameters;
mod policy;
mod rows;
mod settling;
mod slingshot;

pub use classes::{
    BEST_EFFORT, BULK_DATA, DEDICATED_ACCESS, ETHERNET, LOW_LATENCY, PROFILES, Profile,
    ProfileClass, TRAFFIC_CLASSES, TrafficClassName,
};
pub use counters::{Counters, Observation, Units};
pub use exploration::{Exploration, regret_bound};
pub use learning::Factors;
pub use message::{
    Message, Operation, PTerm, Switch, latency_share, message_time, single_burst_time,
};
pub use mode::{Mode, Routing};
pub use parameters::{Damping, Explore, Parameters};
pub use policy::{Decision, Policy, PolicyCounts};
pub use rows::{EXTENSIONS, P_TERMS, ROWS, Refusal, Row};
pub use slingshot::{Order, Service, Slingshot, Urgency};
