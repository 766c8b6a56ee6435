//! A series in bounded memory.

/// Values that are kept at most.
const MOST: usize = 8_192;

/// A series in the order of its values. When it is long, neighbours are put together: it then holds
/// means of 2, 4, 8 values, and so on.
///
/// What it holds depends on the values alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Values that are in one of `values`.
    each: u64,
    values: Vec<f64>,
    /// Sum and number of the values that are not yet enough for one.
    sum: f64,
    count: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            each: 1,
            values: Vec::new(),
            sum: 0.0,
            count: 0,
        }
    }
}

impl Series {
    /// Adds a value at the end.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn push(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
        if self.count < self.each {
            return;
        }
        self.values.push(self.sum / self.count as f64);
        (self.sum, self.count) = (0.0, 0);
        if self.values.len() == MOST {
            self.values = self
                .values
                .chunks_exact(2)
                .map(|pair| f64::midpoint(pair[0], pair[1]))
                .collect();
            self.each *= 2;
        }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Means of [`Series::each`] values each, in order.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many values one of [`Series::values`] stands for: a power of 2.
    #[must_use]
    pub const fn each(&self) -> u64 {
        self.each
    }

    /// Values in all.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.values.len() as u64 * self.each + self.count
    }

    /// Whether there is no value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
