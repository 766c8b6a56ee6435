//! What every entry of the registry promises, on every kind of system.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop on what cannot be"
)]

mod deadlock;
mod decisions;
mod draws;
mod families;
mod learning;
mod modes;
mod page;
mod parameters;
mod paths;
mod synthetic;
mod walk;
