//! Network interfaces: queues of messages, the next packet, and what control does to them.

pub(crate) mod nic_control;
pub(crate) mod node;
pub(crate) mod send_queue;
pub(crate) mod turns;
