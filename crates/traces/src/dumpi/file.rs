//! The frame of a DUMPI file: magic, index at the end, header, sizes of datatypes.
//!
//! Source: sst-dumpi, `dumpi/common/io.c`. The index has grown at its front over the years, so that
//! its length follows from where the magic stands.

use std::io::{Read, Seek};

use super::record::Dialect;
use crate::bytes::{Bytes, Damage};

const MAGIC: u64 = 0xffaa_dd44_554d_5049;
/// Most entries of an index, its magic included.
const INDEX: usize = 8;
/// Entries that every index has: header, body, footer, key-value pairs.
const ALWAYS: usize = 4;

/// Preamble of a file, and where its records begin.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) dialect: Dialect,
    pub(super) hostname: String,
    pub(super) body: u64,
    /// Bytes of each datatype, by its number; 0: not known.
    pub(super) sizes: Vec<u64>,
}

pub(super) fn read<R: Read + Seek>(bytes: &mut Bytes<R>) -> Result<Frame, Damage> {
    if bytes.len() < 8 * (INDEX as u64 + 1) || bytes.u64()? != MAGIC {
        return Err(bytes.damage("it does not begin as a DUMPI file does"));
    }
    let index = index(bytes)?;
    let [size_at, _, counters_at, header, body, _, _] = index;
    let mut frame = Frame {
        dialect: Dialect {
            version: [0; 3],
            counters: 0,
        },
        hostname: String::new(),
        body,
        sizes: BUILT_IN.to_vec(),
    };
    if header > 0 {
        bytes.jump(header)?;
        frame.dialect.version = [bytes.u8()?, bytes.u8()?, bytes.u8()?];
        bytes.skip(8)?;
        frame.hostname = text(bytes)?;
    }
    if counters_at > 0 {
        bytes.jump(counters_at)?;
        frame.dialect.counters = bytes.u32()?;
    }
    if size_at > 0 {
        bytes.jump(size_at)?;
        let count = u64::from(bytes.u32()?);
        bytes.expect(count, 4)?;
        for number in 0..usize::try_from(count).unwrap_or(usize::MAX) {
            let size = u64::try_from(bytes.i32()?).unwrap_or(0);
            if number >= frame.sizes.len() {
                frame.sizes.push(size);
            } else if size > 0 {
                frame.sizes[number] = size;
            }
        }
    }
    bytes.jump(frame.body)?;
    bytes.skip(8)?; // what the seconds of both clocks begin with
    Ok(frame)
}

/// Positions of sizes, addresses, counters, header, body, footer and pairs; 0: not there.
fn index<R: Read + Seek>(bytes: &mut Bytes<R>) -> Result<[u64; 7], Damage> {
    bytes.jump(bytes.len() - 8 * INDEX as u64)?;
    let mut words = [0; INDEX];
    for word in &mut words {
        *word = bytes.u64()?;
    }
    let begin = words[..=INDEX - 1 - ALWAYS]
        .iter()
        .position(|&word| word == MAGIC);
    let Some(begin) = begin else {
        return Err(bytes.damage("its index is missing at its end"));
    };
    let mut index = [0; 7];
    index[begin..].copy_from_slice(&words[begin + 1..]);
    if index[4] == 0 {
        return Err(bytes.damage("its index does not say where its records begin"));
    }
    Ok(index)
}

fn text<R: Read + Seek>(bytes: &mut Bytes<R>) -> Result<String, Damage> {
    let length = u64::from(bytes.u16()?);
    bytes.expect(length, 1)?;
    let mut letters = Vec::new();
    for _ in 0..length {
        letters.push(bytes.u8()?);
    }
    Ok(String::from_utf8_lossy(&letters).into_owned())
}

/// Bytes of the datatypes of MPI on a machine with 64 bits, for files that do not say.
const BUILT_IN: [u64; 28] = [
    0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20,
];
