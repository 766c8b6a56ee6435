//! Router, link and NIC: the hot loop.

pub mod endpoint;

pub use endpoint::{Endpoint, Header, Message, Nic};
