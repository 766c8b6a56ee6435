//! Basis of the network: parameters, times, packets, and how groups are divided.

pub(crate) mod cables;
pub(crate) mod division;
pub(crate) mod error;
pub(crate) mod features;
pub(crate) mod index;
pub(crate) mod limits;
pub(crate) mod lookahead;
pub(crate) mod packet;
pub mod parameters;
pub(crate) mod partition;
pub(crate) mod times;
pub(crate) mod usage;
pub(crate) mod window;
