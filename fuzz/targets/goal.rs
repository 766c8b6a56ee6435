//! Fuzz target of the reader of GOAL, as text.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use odonata_fuzz::watch;
use odonata_traces::goal;

fuzz_target!(|input: &[u8]| {
    watch(input, || goal::read_text("file", Cursor::new(input)));
});
