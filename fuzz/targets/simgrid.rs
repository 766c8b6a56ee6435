//! Fuzz target of the reader of SimGrid.
#![no_main]

use libfuzzer_sys::fuzz_target;
use odonata_fuzz::{files, open, watch};
use odonata_traces::simgrid;

fuzz_target!(|input: &[u8]| {
    let files = files(input);
    watch(input, || simgrid::read(u32::try_from(files.len()).unwrap_or(1), open(&files)));
});
