//! Fuzz target of the reader of liballprof.
#![no_main]

use libfuzzer_sys::fuzz_target;
use odonata_fuzz::{files, open, watch};
use odonata_traces::allprof;

fuzz_target!(|input: &[u8]| {
    let files = files(input);
    watch(input, || allprof::read(u32::try_from(files.len()).unwrap_or(1), open(&files)));
});
