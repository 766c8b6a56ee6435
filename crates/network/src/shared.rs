//! State that all groups read: parameters with their tables, and changes of links.

pub(crate) mod all_groups;
pub(crate) mod link_changes;
pub(crate) mod view;
