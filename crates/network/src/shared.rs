//! State that all groups read: parameters with their tables, and changes of links.

pub(crate) mod link_changes;
pub(crate) mod network_wide;
pub(crate) mod view;
