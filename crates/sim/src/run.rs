//! A run: checked, alone, and as the part of one process.

pub(crate) mod alone;
pub(crate) mod check;
pub(crate) mod team;
