//! The nearest spelling of a mistyped name.

/// The choice nearest to `name`, ignoring case, if at most a third of its letters must change.
pub(crate) fn nearest(name: &str, choices: &[&'static str]) -> Option<&'static str> {
    let wanted = name.trim().to_lowercase();
    choices
        .iter()
        .map(|&choice| (distance(&wanted, choice), choice))
        .filter(|&(edits, choice)| 3 * edits <= choice.chars().count())
        .min()
        .map(|(_, choice)| choice)
}

/// Insertions, deletions and substitutions from `left` to `right` (Levenshtein 1966).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_by_hand() {
        for (left, right, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(left, right), edits, "{left} {right}");
        }
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let choices = ["absolute", "relative", "circulant"];
        for (name, expected) in [
            ("absolut", Some("absolute")),
            ("Relative", Some("relative")),
            (" circulent", Some("circulant")),
            ("palm-tree", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, &choices), expected, "{name}");
        }
    }
}
