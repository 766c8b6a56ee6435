//! Lines of a text, with their numbers, and the numbers in them.

use std::io::{BufRead, Read};

/// Longest line, bytes: what one line may need of memory.
const LONGEST: u64 = 1 << 24;

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub(crate) struct BadLine {
    pub(crate) line: u64,
    pub(crate) problem: String,
}

/// Reads one line after the other.
pub(crate) struct Lines<R> {
    inner: R,
    number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(inner: R) -> Self {
        Self {
            inner,
            number: 0,
            buffer: Vec::new(),
        }
    }

    /// Number of the line that was read last, from 1.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// The problem, with the number of the line.
    pub(crate) fn bad(&self, problem: impl Into<String>) -> BadLine {
        BadLine {
            line: self.number,
            problem: problem.into(),
        }
    }

    /// The next line without its end; `None` behind the last one.
    pub(crate) fn next(&mut self) -> Result<Option<&str>, BadLine> {
        self.buffer.clear();
        self.number += 1;
        let read = self
            .inner
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut self.buffer);
        match read {
            Ok(0) => return Ok(None),
            Ok(count) if count as u64 == LONGEST => {
                return Err(self.bad(format!("it is longer than {LONGEST} bytes")));
            }
            Ok(_) => {}
            Err(error) => return Err(self.bad(error.to_string())),
        }
        while matches!(self.buffer.last(), Some(b'\n' | b'\r')) {
            self.buffer.pop();
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(BadLine {
                line: self.number,
                problem: "it is not text (UTF-8)".to_owned(),
            }),
        }
    }
}

/// A word in an error: cut where it is long, without letters that a terminal would obey.
pub(crate) fn shown(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    let dots = if short.len() < word.len() { "..." } else { "" };
    format!("`{}{dots}`", short.escape_default())
}

/// A whole number that may be written as a floating-point one (`1e6`), not negative.
pub(crate) fn count(word: &str) -> Option<u64> {
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let number: f64 = word.parse().ok()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked; sizes above 2^53 have no fraction"
    )]
    (number.is_finite() && (0.0..1e19).contains(&number)).then(|| number.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::{Lines, count, shown};

    #[test]
    fn lines_are_numbered_and_lose_their_ends() {
        let mut lines = Lines::new("a\r\n\nb".as_bytes());
        assert_eq!(lines.next(), Ok(Some("a")));
        assert_eq!(lines.next(), Ok(Some("")));
        assert_eq!(lines.next(), Ok(Some("b")));
        assert_eq!(lines.number(), 3);
        assert_eq!(lines.next(), Ok(None));
        assert!(Lines::new(&[0xff_u8, b'\n'][..]).next().is_err());
    }

    #[test]
    fn numbers_may_have_an_exponent() {
        assert_eq!(count("18446744073709551615"), Some(u64::MAX));
        assert_eq!(count("1e6"), Some(1_000_000));
        assert_eq!(count("2.5e0"), Some(3));
        assert_eq!(
            (count("-1"), count("1e30"), count("nan")),
            (None, None, None)
        );
    }

    #[test]
    fn what_is_shown_is_short_and_harmless() {
        assert_eq!(shown("a\u{1b}[1m"), "`a\\u{1b}[1m`");
        assert!(shown(&"x".repeat(100)).len() < 50);
    }
}
