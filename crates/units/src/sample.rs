//! Samples that do not depend on who takes them.

use std::num::NonZeroU32;

/// Whether what `words` say is among about one in `every`: by the words alone, so that all who see
/// it agree without a word to each other, on any number of threads.
///
/// ```
/// use std::num::NonZeroU32;
///
/// let every = NonZeroU32::new(8).unwrap_or(NonZeroU32::MIN);
/// let taken = (0..8_000).filter(|word| odonata_units::is_sampled(&[*word, 1], every));
/// assert!((900..1_100).contains(&taken.count()));
/// ```
#[must_use]
pub fn is_sampled(words: &[u64], every: NonZeroU32) -> bool {
    let mix = |sum: u64, word: &u64| {
        let mixed = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    };
    (words.iter().fold(0, mix)).is_multiple_of(u64::from(every.get()))
}
