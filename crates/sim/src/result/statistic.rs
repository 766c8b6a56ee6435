//! Whole numbers as the fractions of results.

use odonata_mpi::RankReport;
use odonata_units::Span;
use serde_json::Value;

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

/// JSON has no NaN.
pub(crate) fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// A sum over the finished repetitions of a rank as a mean, ns.
pub(crate) fn per_repetition(report: &RankReport, sum: Span) -> f64 {
    ns(sum.ps()) / f64::from(report.repetitions.max(1))
}

/// A share in percent, three digits.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share))
}

/// Three digits; those before the point are all there.
pub(crate) fn significant(value: f64) -> String {
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 9.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 9"
    )]
    let text = format!("{value:.*}", digits as usize);
    match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => text,
    }
}
