//! Routers: arrival, route, switch, output, and what an observer asks of them.

pub(crate) mod advance;
pub(crate) mod arrival_lists;
pub(crate) mod choose;
mod control_events;
pub(crate) mod crossbar;
pub(crate) mod diagnosis;
pub(crate) mod feedback;
pub(crate) mod flows;
pub(crate) mod link_down;
pub(crate) mod moment;
pub(crate) mod order;
pub(crate) mod output;
pub(crate) mod port_set;
pub(crate) mod reserve;
pub(crate) mod route;
pub(crate) mod router_control;
pub(crate) mod slab;
pub(crate) mod state;
pub(crate) mod switch;
