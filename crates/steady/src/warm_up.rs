//! Where a warm-up ends.

/// Values that are put together before the truncation point is looked for.
pub const TRUNCATION_BATCH: usize = 5;

/// Values at the beginning that are to be left out; `None`: the end of the warm-up is not in the
/// first half, so that more values are needed.
///
/// MSER-5: of the means of 5 values each, so many are left out that the squared standard error of
/// the mean of the others is the least (White, Cobb and Spratt 2000).
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub fn mser5(values: &[f64]) -> Option<usize> {
    let means: Vec<f64> = values
        .chunks_exact(TRUNCATION_BATCH)
        .map(|chunk| chunk.iter().sum::<f64>() / TRUNCATION_BATCH as f64)
        .collect();
    let most = means.len() / 2;
    // From the end on, by Welford's recurrence: the mean and the squares around it.
    let (mut mean, mut squares) = (0.0, 0.0);
    let mut least: Option<(f64, usize)> = None;
    for (number, value) in means.iter().enumerate().rev() {
        let count = (means.len() - number) as f64;
        let step = value - mean;
        mean += step / count;
        squares += step * (value - mean);
        let error = squares / (count * count);
        // Of equal ones the earliest, which leaves out least.
        if number <= most && least.is_none_or(|(found, _)| error <= found) {
            least = Some((error, number));
        }
    }
    let (_, number) = least?;
    (number < most).then_some(number * TRUNCATION_BATCH)
}
