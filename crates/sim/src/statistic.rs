//! Whole numbers as the fractions of results.

/// Picoseconds as nanoseconds.
#[expect(clippy::cast_precision_loss, reason = "statistics")]
pub(crate) fn ns(ps: u64) -> f64 {
    ps as f64 / 1e3
}

#[expect(clippy::cast_precision_loss, reason = "statistics")]
pub(crate) fn ratio(part: impl Into<u128>, whole: u64) -> f64 {
    if whole == 0 {
        f64::NAN
    } else {
        part.into() as f64 / whole as f64
    }
}
