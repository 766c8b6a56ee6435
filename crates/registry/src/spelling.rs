//! The nearest spelling of a mistyped name: one for all rooms.

/// The choice nearest to `name`, ignoring case, if few of its letters must change.
///
/// ```
/// use odonata_registry::spelling::nearest;
/// assert_eq!(nearest("Relativ", ["absolute", "relative"]), Some("relative"));
/// assert_eq!(nearest("palm-tree", ["absolute", "relative"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.trim().to_lowercase();
    choices
        .into_iter()
        .map(|choice| {
            let edits = strsim::damerau_levenshtein(&wanted, &choice.to_lowercase());
            (edits, choice)
        })
        .min()
        .filter(|&(edits, choice)| 3 * edits <= choice.chars().count() + 2)
        .map(|(_, choice)| choice)
}

/// A hint at the nearest of `choices`, ready to be put behind a wrong `name`; empty if none is
/// near.
///
/// ```
/// use odonata_registry::spelling::hint;
/// assert_eq!(hint("pra", ["par", "minimal"]), " (did you mean `par`?)");
/// ```
#[must_use]
pub fn hint<'a>(name: &str, choices: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, choices).map_or_else(String::new, |choice| format!(" (did you mean `{choice}`?)"))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let choices = ["absolute", "relative", "circulant"];
        for (name, expected) in [
            ("absolut", Some("absolute")),
            (" circulent", Some("circulant")),
            ("aboslute", Some("absolute")),
            ("ABSOLUTE", Some("absolute")),
            ("palm-tree", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, choices), expected, "{name}");
        }
    }
}
