//! DUMPI: one binary file per rank, as `libdumpi` of the SST project writes them.
//!
//! A file is read forwards once, record by record: memory is that of the operations it becomes.

use std::io::{Read, Seek};

use crate::bytes::{Bytes, Damage};
use crate::calls::RankCalls;
use crate::fault::ReadError;
use crate::recorded::{Recorded, Writer};

mod file;
mod layout;
mod rank;
mod record;
mod types;
mod windows;

/// Reads a DUMPI trace: the file of each rank, by name, in the order of the ranks.
///
/// # Errors
/// If a file is not one of DUMPI, is cut short or damaged.
pub fn read<R: Read + Seek, E: std::fmt::Display>(
    count: u32,
    mut open: impl FnMut(u32) -> Result<(String, R), E>,
) -> Result<Recorded, ReadError> {
    let mut writer = Writer::new("dumpi");
    for rank in 0..count {
        let (name, content) = open(rank).map_err(|error| {
            ReadError::new(format!("the file of rank {rank}"), error.to_string())
        })?;
        let damaged = |damage: Damage| {
            let words = format!(
                "{damage}; the file is truncated or damaged, or not a DUMPI file: copy it again, \
                 or record it again"
            );
            ReadError::new(name.clone(), words)
        };
        read_rank(&mut writer, rank, count, content).map_err(damaged)?;
    }
    Ok(writer.finish())
}

fn read_rank<R: Read + Seek>(
    writer: &mut Writer,
    rank: u32,
    size: u32,
    content: R,
) -> Result<(), Damage> {
    let mut bytes = Bytes::new(content)?;
    let frame = file::read(&mut bytes)?;
    if rank == 0 {
        let [major, minor, patch] = frame.dialect.version;
        let origin = &mut writer.recorded.origin;
        origin.insert(
            "dumpi_version".to_owned(),
            format!("{major}.{minor}.{patch}"),
        );
        origin.insert("hostname".to_owned(), frame.hostname);
    }
    let mut program = rank::Rank::new(RankCalls::new(writer), rank, size, frame.sizes);
    let mut record = record::Record::default();
    while record::read(&mut bytes, frame.dialect, &mut record)? {
        program.take(&record);
    }
    program.finish();
    Ok(())
}
