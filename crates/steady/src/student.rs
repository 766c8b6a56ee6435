//! Student's distribution.

/// Half the width of the interval that holds 95 % of Student's distribution with `freedom` degrees
/// of freedom, within 0.001 from 5 on.
///
/// Abramowitz and Stegun 1964, 26.7.5: an expansion around the normal distribution.
#[must_use]
pub fn two_sided_95(freedom: u32) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    let (z, n) = (NORMAL, f64::from(freedom.max(1)));
    let power = |exponent: i32| z.powi(exponent);
    let first = (power(3) + z) / 4.0;
    let second = (5.0 * power(5) + 16.0 * power(3) + 3.0 * z) / 96.0;
    let third = (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * z) / 384.0;
    let fourth =
        (79.0 * power(9) + 776.0 * power(7) + 1_482.0 * power(5) - 1_920.0 * power(3) - 945.0 * z)
            / 92_160.0;
    z + first / n + second / n.powi(2) + third / n.powi(3) + fourth / n.powi(4)
}
