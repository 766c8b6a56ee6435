//! Detours that a benchmark found on a machine.

/// A recording: detours in the order of their beginnings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// Beginning and end of each, ps from the beginning of the recording; none overlap.
    detours: Vec<(u64, u64)>,
    /// After so long it begins again.
    length: u64,
}

impl Recording {
    /// A recording by its lines: when a detour began and how long it took, whole ps, with a space
    /// in between; the last line has how long the recording is, alone.
    ///
    /// # Errors
    /// If the text is anything else, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut detours: Vec<(u64, u64)> = Vec::new();
        let mut length = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let wrong = || format!("line {number} is no detour: two whole numbers, in ps");
            let mut words = line.split_whitespace().map(str::parse::<u64>);
            let first = words.next().and_then(Result::ok).ok_or_else(wrong)?;
            match words.next() {
                Some(taken) => {
                    let end = first.checked_add(taken.map_err(|_| wrong())?);
                    let end = end.filter(|end| *end <= MOST).ok_or_else(wrong)?;
                    if detours.last().is_some_and(|(_, before)| first < *before) {
                        return Err(format!(
                            "line {number} begins before the last one has ended"
                        ));
                    }
                    detours.push((first, end));
                }
                None => length = Some(first),
            }
        }
        let last = detours.last().map_or(0, |(_, end)| *end);
        match length {
            Some(length) if length > last && length <= MOST && !detours.is_empty() => {
                Ok(Self { detours, length })
            }
            _ => Err("it has no detours, or does not say how long it is".to_owned()),
        }
    }

    /// How long it is, ps.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The number of the first detour that ends behind `offset`, and those before it.
    pub(super) fn first_behind(&self, offset: u64) -> usize {
        self.detours.partition_point(|(_, end)| *end <= offset)
    }

    /// Beginning and end of detour `number`, counted through repetitions of the recording, ps from
    /// its first beginning.
    pub(super) fn detour(&self, number: usize) -> (u64, u64) {
        let round = (number / self.detours.len()) as u64;
        let (begin, end) = self.detours[number % self.detours.len()];
        let shift = round.saturating_mul(self.length);
        (begin.saturating_add(shift), end.saturating_add(shift))
    }
}

/// The longest recording, ps: 10,000 s.
const MOST: u64 = 10_000_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_goes_round() {
        let found = Recording::parse("0 5\n10 2\n100\n").unwrap();
        assert_eq!(found.detour(0), (0, 5));
        assert_eq!(found.detour(3), (110, 112));
        assert_eq!(
            [5, 11, 12, 50].map(|at| found.first_behind(at)),
            [1, 1, 2, 2]
        );
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        for (text, part) in [
            ("", "no detours"),
            ("0 5\n", "how long"),
            ("0 5\n5\n", "how long"),
            ("0 5\n3 1\n9\n", "line 2 begins before"),
            ("0 5\nx\n9\n", "line 2 is no detour"),
            ("0 99999999999999999\n", "line 1"),
        ] {
            let error = Recording::parse(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
