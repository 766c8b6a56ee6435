//! The arguments of an action of SimGrid.

use crate::text::{count, shown};

/// Bytes of the datatypes by their numbers: double, int, char, short, long, float, byte, long long,
/// signed and unsigned char, unsigned short, unsigned, unsigned long (twice), long double, wchar,
/// bool, the integers of 8 to 64 bits with and without sign.
const TYPES: [u64; 25] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8,
];

/// Numbers that SMPI gives to anybody, to any tag and to nobody (`smpi.h`).
const ANY_SOURCE: i64 = -555;
const ANY_TAG: i64 = -444;
const NOBODY: i64 = -666;

/// Who a message is for, or from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    Rank(i64),
    Anybody,
    Nobody,
}

/// The arguments of an action.
pub(super) struct Arguments<'a> {
    pub(super) words: Vec<&'a str>,
    /// Bytes of an element where the action does not say.
    pub(super) element: u64,
    /// Whether the trace is one of the first versions: without tags, with displacements.
    pub(super) is_old: bool,
    /// Whether roots have the size of a datatype in front of their counts, and the others no counts.
    pub(super) is_written: bool,
}

impl Arguments<'_> {
    fn word(&self, at: usize) -> Result<&str, String> {
        let word = self.words.get(at).copied();
        word.ok_or_else(|| format!("argument {} is missing", at + 1))
    }

    pub(super) fn count(&self, at: usize) -> Result<u64, String> {
        let word = self.word(at)?;
        count(word).ok_or_else(|| format!("argument {} is {}, no number", at + 1, shown(word)))
    }

    /// A whole number that may be negative.
    pub(super) fn integer(&self, at: usize) -> Result<i64, String> {
        if let Ok(number) = self.word(at)?.parse() {
            return Ok(number);
        }
        let count = self.count(at)?;
        Ok(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A rank as new (`3`) and old (`p3`) traces write it, or what stands for anybody or nobody.
    pub(super) fn partner(&self, at: usize) -> Result<Partner, String> {
        let word = self.word(at)?;
        let number = match word.strip_prefix('p') {
            Some(digits) => digits
                .parse()
                .map_err(|_| format!("argument {} is {}, no rank", at + 1, shown(word)))?,
            None => self.integer(at)?,
        };
        Ok(match number {
            ANY_SOURCE | -1 => Partner::Anybody,
            NOBODY => Partner::Nobody,
            rank => Partner::Rank(rank),
        })
    }

    /// A tag; -1 is any.
    pub(super) fn tag(&self, at: usize) -> Result<i64, String> {
        let tag = self.integer(at)?;
        Ok(if tag == ANY_TAG { -1 } else { tag })
    }

    /// Argument `at` as the size of a datatype; the default if it is not there. A type that SMPI has
    /// no number for is -1, and its sizes are bytes.
    pub(super) fn element(&self, at: usize) -> Result<u64, String> {
        if at >= self.words.len() {
            return Ok(self.element);
        }
        let number = self.integer(at)?;
        if number == -1 {
            return Ok(1);
        }
        let known = usize::try_from(number).ok().and_then(|at| TYPES.get(at));
        known
            .copied()
            .ok_or_else(|| format!("argument {} is {number}, no number of a datatype", at + 1))
    }

    pub(super) fn bytes(&self, at: usize, element: u64) -> Result<u64, String> {
        Ok(self.count(at)?.saturating_mul(element))
    }

    pub(super) fn list(&self, at: usize, size: usize, element: u64) -> Result<Vec<u64>, String> {
        (at..at + size).map(|at| self.bytes(at, element)).collect()
    }

    pub(super) fn root(&self, at: usize) -> Result<i32, String> {
        if at >= self.words.len() {
            return Ok(0);
        }
        Ok(i32::try_from(self.count(at)?).unwrap_or(i32::MAX))
    }
}
