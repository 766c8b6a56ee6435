//! Means of batches.

/// Batches that a sample is cut into, about: fewer hide their dependence, more are short.
pub const BATCHES: usize = 30;

/// A sample in batches of one size; what is too little for a batch is left out at its beginning.
#[derive(Clone, PartialEq, Debug)]
pub struct Batches {
    means: Vec<f64>,
    size: usize,
}

impl Batches {
    /// `values` in [`BATCHES`] batches or, of fewer than twice as many values, in up to twice as
    /// many. A longer sample has longer batches.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn new(values: &[f64]) -> Self {
        let size = (values.len() / BATCHES).max(1);
        let left_out = values.len() % size;
        let mean = |chunk: &[f64]| chunk.iter().sum::<f64>() / size as f64;
        Self {
            means: values[left_out..].chunks_exact(size).map(mean).collect(),
            size,
        }
    }

    /// The means, in order.
    #[must_use]
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// Values of a batch.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Correlation of neighbours.
    #[must_use]
    pub fn correlation(&self) -> f64 {
        correlation(&self.means)
    }
}

/// Mean, and variance with the divisor n - 1.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0).max(1.0))
}

/// Autocorrelation at lag 1: 0 where nothing varies. The bias by the mean that is taken off, 1/n,
/// is put right.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(crate) fn correlation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let (mean, variance) = mean_and_variance(values);
    if variance <= 0.0 {
        return 0.0;
    }
    let products: f64 = values
        .windows(2)
        .map(|pair| (pair[0] - mean) * (pair[1] - mean))
        .sum();
    products / (variance * (count - 1.0)) + 1.0 / count
}
