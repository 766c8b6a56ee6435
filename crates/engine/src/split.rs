//! The ranges of blocks that threads simulate.

use std::ops::Range;

/// Ranges of blocks for `parts` threads, none of them empty, of about the same weight each.
///
/// `weights[b]` says how much work block `b` is beside the others. A range ends where the sum up to
/// it is nearest to its part of the whole.
///
/// ```
/// use odonata_engine::split;
///
/// assert_eq!(split(&[1; 5], 2), [0..3, 3..5]);
/// assert_eq!(split(&[9, 9, 1, 1, 1, 1], 2), [0..1, 1..6]);
/// ```
///
/// # Panics
/// If there are fewer blocks than parts.
#[must_use]
pub fn split(weights: &[u64], parts: usize) -> Vec<Range<usize>> {
    let count = weights.len();
    assert!(parts <= count, "a block for each thread");
    let whole: u64 = weights.iter().sum();
    let (mut begin, mut before) = (0, 0);
    let mut ranges = Vec::with_capacity(parts);
    for part in 1..=parts {
        let most = count - (parts - part);
        // Twice, so that halves stay whole.
        let aim = 2 * whole * part as u64 / parts as u64;
        let mut end = begin;
        while end < most {
            let with = before + weights[end];
            if part < parts && end > begin && before + with > aim {
                break;
            }
            before = with;
            end += 1;
        }
        ranges.push(begin..end);
        begin = end;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn ranges_are_whole_and_even() {
        for (weights, parts, heaviest) in [
            (vec![1; 33], 2, 17),
            (vec![1; 33], 4, 9),
            (vec![0; 3], 3, 0),
            (vec![5, 1, 1, 1], 4, 5),
            (vec![1, 1, 1, 7], 2, 7),
            (vec![512, 512, 512, 512, 32, 32, 32, 32], 2, 1_152),
        ] {
            let ranges = split(&weights, parts);
            assert_eq!(ranges.len(), parts);
            assert_eq!(ranges[0].start, 0);
            assert_eq!(ranges[parts - 1].end, weights.len());
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
            assert!(ranges.iter().all(|range| !range.is_empty()));
            let weight = |range: &std::ops::Range<usize>| weights[range.clone()].iter().sum();
            let found: u64 = ranges.iter().map(weight).max().unwrap_or(0);
            assert_eq!(found, heaviest, "{weights:?} in {parts}");
        }
    }
}
