//! A run: checked, prepared, and carried out by a team of processes.

pub(crate) mod check;
pub(crate) mod prepare;
pub(crate) mod team;
