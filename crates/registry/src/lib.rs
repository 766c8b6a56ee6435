//! The registry: what a scenario can say, as data.
//!
//! A [`Parameter`] is one row: name, kind, unit, default, range, meaning and source. Everything that
//! speaks of a parameter has it from its row: reading a configuration, messages, and, through
//! [`Parameter::describe`], the validation, schema, listings and pages that Python makes.
//!
//! ```text
//!             Parameter          one row
//!            /         \
//!   Entry, Spec       Table      members of families: rows first, values by name
//!                                tables of a scenario: each row stands where its value is used
//! ```
//!
//! This room deliberately does not know what any parameter is for. Values are in base units: bytes,
//! picoseconds, bytes per second, millionths.
#![forbid(unsafe_code)]

mod entry;
mod kind;
mod member;
mod parameter;
mod problem;
mod spec;
pub mod spelling;
mod table;

pub use entry::{Entry, describe};
pub use kind::Kind;
pub use member::{MemberError, member};
pub use parameter::{Default, Parameter};
pub use problem::Problem;
pub use spec::Spec;
pub use table::{Keys, Rows, Table, defaults, list, read};
