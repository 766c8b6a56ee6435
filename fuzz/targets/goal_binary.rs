//! Fuzz target of the reader of GOAL, as binary.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use odonata_fuzz::watch;
use odonata_traces::goal;

fuzz_target!(|input: &[u8]| {
    watch(input, || goal::read_binary("file", Cursor::new(input)));
});
