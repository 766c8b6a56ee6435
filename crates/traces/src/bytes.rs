//! Values of a file, each checked against what the file still has.

use std::io::{BufReader, Read, Seek, SeekFrom};

/// A problem with a file, and its place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{problem} (at byte {at})")]
pub(crate) struct Damage {
    pub(crate) at: u64,
    pub(crate) problem: String,
}

/// A file that is read forwards, with few jumps.
pub(crate) struct Bytes<R> {
    inner: BufReader<R>,
    at: u64,
    end: u64,
}

impl<R: Read + Seek> Bytes<R> {
    pub(crate) fn new(mut inner: R) -> Result<Self, Damage> {
        let failed = |error: std::io::Error| Damage {
            at: 0,
            problem: error.to_string(),
        };
        let end = inner.seek(SeekFrom::End(0)).map_err(failed)?;
        inner.seek(SeekFrom::Start(0)).map_err(failed)?;
        Ok(Self {
            inner: BufReader::with_capacity(1 << 16, inner),
            at: 0,
            end,
        })
    }

    /// Bytes of the whole file.
    pub(crate) const fn len(&self) -> u64 {
        self.end
    }

    /// The problem, with the offset at which the reader is.
    pub(crate) fn damage(&self, problem: impl Into<String>) -> Damage {
        Damage {
            at: self.at,
            problem: problem.into(),
        }
    }

    pub(crate) fn jump(&mut self, at: u64) -> Result<(), Damage> {
        if at > self.end {
            let end = self.end;
            return Err(self.damage(format!("it points to byte {at}, but ends at {end}")));
        }
        self.inner
            .seek(SeekFrom::Start(at))
            .map_err(|error| self.damage(error.to_string()))?;
        self.at = at;
        Ok(())
    }

    /// Refuses what `count` values of `size` bytes would need, if the file has less.
    pub(crate) fn expect(&self, count: u64, size: u64) -> Result<(), Damage> {
        let left = self.end - self.at;
        match count.checked_mul(size) {
            Some(needed) if needed <= left => Ok(()),
            _ => Err(self.damage(format!(
                "{count} values of {size} bytes should follow, but {left} bytes are left"
            ))),
        }
    }

    pub(crate) fn skip(&mut self, count: u64) -> Result<(), Damage> {
        self.expect(count, 1)?;
        let distance = i64::try_from(count).unwrap_or(i64::MAX);
        self.inner
            .seek_relative(distance)
            .map_err(|error| self.damage(error.to_string()))?;
        self.at += count;
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        self.expect(N as u64, 1)?;
        let mut bytes = [0; N];
        self.inner
            .read_exact(&mut bytes)
            .map_err(|error| self.damage(error.to_string()))?;
        self.at += N as u64;
        Ok(bytes)
    }

    // Big-endian, unless the name says little-endian.

    pub(crate) fn u8(&mut self) -> Result<u8, Damage> {
        Ok(u8::from_be_bytes(self.take()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Damage> {
        Ok(u16::from_be_bytes(self.take()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_be_bytes(self.take()?))
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Damage> {
        Ok(i32::from_be_bytes(self.take()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Damage> {
        Ok(u64::from_be_bytes(self.take()?))
    }

    pub(crate) fn u32_le(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    pub(crate) fn u64_le(&mut self) -> Result<u64, Damage> {
        Ok(u64::from_le_bytes(self.take()?))
    }
}
