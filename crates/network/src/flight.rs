//! Flights between routers and nodes: lists of packets and events on their way, by window.

pub(crate) mod chunk_list;
pub(crate) mod in_flight;
pub(crate) mod inbox;
pub(crate) mod outbox;
pub(crate) mod wake_schedule;
