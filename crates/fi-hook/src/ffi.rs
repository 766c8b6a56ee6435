//! C ends here: objects of libfabric whose tables of functions are replaced by patched copies.
//!
//! ```text
//! entry --> fabric --> domain --> control --> post --> endpoint --> life --> source
//!              |          |          |         |          |          |        |
//!              +----------+----------+---------+----------+-> patched, object_map, table, abi
//! ```
//!
//! Nothing leaves this module as a panic: what goes wrong makes the library do nothing from then
//! on. What others unwind (a thread that is cancelled inside a call) goes through it: `C-unwind`.

mod abi;
mod control;
mod domain;
mod endpoint;
mod entry;
mod fabric;
mod life;
mod object_map;
mod patched;
mod post;
mod source;
mod table;

pub use abi::LAYOUT;

odonata_interpose::wrap_alltoalls!();
