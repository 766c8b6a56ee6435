//! One record of a DUMPI stream: who calls, when, and the fields of the call.

use std::io::{Read, Seek};

use super::layout;
use crate::bytes::{Bytes, Damage};

const CPU_TIME: u8 = 1 << 2;
const WALL_TIME: u8 = 1 << 3;
const STATUSES: u8 = 3;
const THREAD: u8 = 1 << 6;
const COUNTERS: u8 = 1 << 7;

/// Message that a receive got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Status {
    pub(super) source: i32,
    /// -1: unknown.
    pub(super) tag: i32,
}

/// Begin and end of a call, ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) begin: u64,
    pub(super) end: u64,
}

/// A record; its buffers are used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Without `MPI_`.
    pub(super) name: &'static str,
    pub(super) thread: u16,
    pub(super) cpu: Option<Interval>,
    pub(super) wall: Option<Interval>,
    /// Plain fields in their order.
    pub(super) values: Vec<i64>,
    /// Arrays in their order; the first `array_count` are of this record.
    arrays: Vec<Vec<i32>>,
    array_count: usize,
    pub(super) statuses: Vec<Status>,
}

impl Record {
    /// Plain field number `at`.
    pub(super) fn value(&self, at: usize) -> i64 {
        self.values.get(at).copied().unwrap_or(0)
    }

    /// Array number `at`.
    pub(super) fn array(&self, at: usize) -> &[i32] {
        if at < self.array_count {
            &self.arrays[at]
        } else {
            &[]
        }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.statuses.clear();
        self.array_count = 0;
        (self.cpu, self.wall, self.thread) = (None, None, 0);
    }

    fn new_array(&mut self) -> &mut Vec<i32> {
        if self.array_count == self.arrays.len() {
            self.arrays.push(Vec::new());
        }
        self.array_count += 1;
        let array = &mut self.arrays[self.array_count - 1];
        array.clear();
        array
    }
}

/// How the records of a file are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    pub(super) version: [u8; 3],
    /// Hardware counters of each record.
    pub(super) counters: u32,
}

impl Dialect {
    /// The fields of a call, given those that it has today.
    fn fields(&self, name: &str, today: &'static str) -> &'static str {
        let old = layout::OLD.iter().find(|(old, _, _)| *old == name);
        match old {
            Some((_, since, fields)) if self.version < *since => fields,
            _ => today,
        }
    }
}

/// Reads the next record into `record`; false at the end of the stream.
pub(super) fn read<R: Read + Seek>(
    bytes: &mut Bytes<R>,
    dialect: Dialect,
    record: &mut Record,
) -> Result<bool, Damage> {
    let number = bytes.u16()?;
    if number == layout::END_OF_STREAM {
        return Ok(false);
    }
    let Some((name, fields)) = layout::call(number) else {
        return Err(bytes.damage(format!("there is no call with number {number}")));
    };
    record.clear();
    record.name = name;
    let mask = bytes.u8()?;
    if mask & THREAD != 0 {
        record.thread = bytes.u16()?;
    }
    if mask & CPU_TIME != 0 {
        record.cpu = Some(interval(bytes)?);
    }
    if mask & WALL_TIME != 0 {
        record.wall = Some(interval(bytes)?);
    }
    if mask & COUNTERS != 0 {
        let count = u64::from(bytes.u8()?).max(u64::from(dialect.counters));
        bytes.expect(count, 16)?;
        bytes.skip(count * 16)?;
    }
    let has_statuses = mask & STATUSES != 0;
    let fields = dialect.fields(name, fields);
    Fields {
        bytes,
        record,
        status_bytes: has_statuses.then_some(if dialect.version < [0, 6, 3] { 10 } else { 14 }),
    }
    .read(fields)
    .map_err(|damage| Damage {
        problem: format!("in a record of {name}: {}", damage.problem),
        ..damage
    })?;
    Ok(true)
}

fn interval<R: Read + Seek>(bytes: &mut Bytes<R>) -> Result<Interval, Damage> {
    Ok(Interval {
        begin: clock(bytes)?,
        end: clock(bytes)?,
    })
}

/// Seconds in 16 bits and nanoseconds in 32.
fn clock<R: Read + Seek>(bytes: &mut Bytes<R>) -> Result<u64, Damage> {
    let seconds = u64::from(bytes.u16()?);
    let nanoseconds = u64::from(bytes.u32()?);
    if nanoseconds > 1_000_000_000 {
        return Err(bytes.damage(format!("a clock shows {nanoseconds} ns within a second")));
    }
    Ok(seconds * 1_000_000_000 + nanoseconds)
}

/// Reads the fields of one record.
struct Fields<'a, R> {
    bytes: &'a mut Bytes<R>,
    record: &'a mut Record,
    /// Size of a status; `None`: none are written.
    status_bytes: Option<u64>,
}

impl<R: Read + Seek> Fields<'_, R> {
    fn read(&mut self, fields: &'static str) -> Result<(), Damage> {
        let mut rest = fields;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[1..];
            if letter == '?' {
                let (condition, behind) = rest.split_once('(').unwrap_or((rest, ""));
                let (inner, behind) = behind.split_once(')').unwrap_or((behind, ""));
                rest = behind;
                if self.holds(condition) {
                    self.read(inner)?;
                }
            } else {
                self.field(letter)?;
            }
        }
        Ok(())
    }

    /// Whether the two fields whose numbers the condition has are equal.
    fn holds(&self, condition: &str) -> bool {
        let mut numbers = condition
            .bytes()
            .map(|digit| usize::from(digit.saturating_sub(b'0')));
        let mut value = || numbers.next().map(|at| self.record.value(at));
        value() == value()
    }

    fn field(&mut self, letter: char) -> Result<(), Damage> {
        let value = match letter {
            'i' => i64::from(self.bytes.i32()?),
            'h' => i64::from(self.bytes.u16()?),
            'b' => i64::from(self.bytes.u8()?),
            'l' => self.bytes.u64()?.cast_signed(),
            'I' => return self.array(4),
            'H' => return self.array(2),
            'B' => return self.array(1),
            'A' => return self.nested(Self::array_of_words),
            's' => return self.text(),
            'S' => return self.nested(Self::text),
            'T' => return self.nested(|fields| fields.nested(Self::text)),
            _ => return self.statuses(),
        };
        self.record.values.push(value);
        Ok(())
    }

    fn array_of_words(&mut self) -> Result<(), Damage> {
        self.array(4)
    }

    fn array(&mut self, size: u64) -> Result<(), Damage> {
        let count = u64::from(self.bytes.u32()?);
        self.bytes.expect(count, size)?;
        let array = self.record.new_array();
        for _ in 0..count {
            array.push(match size {
                4 => self.bytes.i32()?,
                2 => i32::from(self.bytes.u16()?),
                _ => i32::from(self.bytes.u8()?),
            });
        }
        Ok(())
    }

    fn text(&mut self) -> Result<(), Damage> {
        let length = u64::from(self.bytes.u32()?);
        self.bytes.skip(length)
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Result<(), Damage>) -> Result<(), Damage> {
        let count = u64::from(self.bytes.u32()?);
        self.bytes.expect(count, 4)?;
        for _ in 0..count {
            read(self)?;
        }
        Ok(())
    }

    fn statuses(&mut self) -> Result<(), Damage> {
        let Some(size) = self.status_bytes else {
            return Ok(());
        };
        let count = u64::from(self.bytes.u32()?);
        self.bytes.expect(count, size)?;
        for _ in 0..count {
            self.bytes.skip(4)?;
            let source = self.bytes.i32()?;
            self.bytes.skip(2)?;
            let tag = if size == 14 { self.bytes.i32()? } else { -1 };
            self.record.statuses.push(Status { source, tag });
        }
        Ok(())
    }
}
