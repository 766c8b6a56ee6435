//! Tests of the room.

mod coverage;
mod known;
