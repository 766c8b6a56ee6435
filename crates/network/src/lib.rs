//! Router, link and NIC: the hot loop.

pub mod endpoint;
pub mod parameters;

pub use endpoint::{Endpoint, Header, Message, Nic};
pub use parameters::{
    Architecture, Arbitration, Delivery, LinkParameters, PacketRecord, Parameters, Switching,
};
