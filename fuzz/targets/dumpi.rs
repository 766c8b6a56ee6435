//! Fuzz target of the reader of DUMPI.
#![no_main]

use libfuzzer_sys::fuzz_target;
use odonata_fuzz::{files, open, watch};
use odonata_traces::dumpi;

fuzz_target!(|input: &[u8]| {
    let files = files(input);
    watch(input, || dumpi::read(u32::try_from(files.len()).unwrap_or(1), open(&files)));
});
