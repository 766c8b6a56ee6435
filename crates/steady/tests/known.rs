//! Against numbers that are known.

#![expect(clippy::cast_precision_loss, reason = "small numbers")]

use odonata_steady::{
    Batches, Series, Unsteady, estimate, halves_differ, mser5, trend, two_sided_95,
};

/// Abramowitz and Stegun 1964, table 26.10.
#[test]
fn quantiles_of_student_are_those_of_the_table() {
    let table = [
        (5, 2.571),
        (10, 2.228),
        (20, 2.086),
        (29, 2.045),
        (120, 1.980),
    ];
    for (freedom, expected) in table {
        let found = two_sided_95(freedom);
        assert!((found - expected).abs() < 0.001, "{freedom}: {found}");
    }
    assert!((two_sided_95(u32::MAX) - 1.959_964).abs() < 1e-5);
}

/// Mann-Kendall by hand: 1 2 3 5 4 has 9 ascents and 1 descent, S = 8; var = 5 * 4 * 15 / 18.
#[test]
fn a_trend_is_counted_as_by_hand() {
    let expected = libm::erfc(7.0 / (5.0 * 4.0 * 15.0 / 18.0_f64).sqrt() / 2.0_f64.sqrt());
    assert!((trend(&[1.0, 2.0, 3.0, 5.0, 4.0]) - expected).abs() < 1e-12);
    assert!(
        (trend(&[3.0; 40]) - 1.0).abs() < 1e-12,
        "equal values have none"
    );
    let rising: Vec<f64> = (0..30).map(f64::from).collect();
    assert!(trend(&rising) < 1e-6);
}

/// Both halves of 20 values apart: a distance of 1, sqrt(5) + 0.12 + 0.11 / sqrt(5) of it.
#[test]
fn halves_that_lie_apart_differ() {
    let apart: Vec<f64> = (0..20).map(f64::from).collect();
    let lambda = 5.0_f64.sqrt() + 0.12 + 0.11 / 5.0_f64.sqrt();
    let expected = 2.0 * ((-2.0 * lambda.powi(2)).exp() - (-8.0 * lambda.powi(2)).exp());
    assert!((halves_differ(&apart) - expected).abs() < 1e-9);
    assert!((halves_differ(&[1.0; 20]) - 1.0).abs() < 1e-12);
    assert!((halves_differ(&[]) - 1.0).abs() < 1e-12);
}

#[test]
fn a_warm_up_ends_where_it_ends() {
    let value = |number: i32| {
        if number < 20 {
            5.0
        } else {
            1.0 + f64::from(number % 2)
        }
    };
    let series: Vec<f64> = (0..200).map(value).collect();
    assert_eq!(mser5(&series), Some(20));
    assert_eq!(mser5(&[1.0; 200]), Some(0), "of equal ones the earliest");
    let rising: Vec<f64> = (0..200).map(f64::from).collect();
    assert_eq!(mser5(&rising), None, "it has not ended in the first half");
    assert_eq!(mser5(&[]), None);
}

#[test]
fn batches_are_thirty_and_grow() {
    for (values, count, size) in [(59, 59, 1), (60, 30, 2), (1_000, 30, 33), (5, 5, 1)] {
        let series: Vec<f64> = (0..values).map(f64::from).collect();
        let batches = Batches::new(&series);
        assert_eq!((batches.means().len(), batches.size()), (count, size));
        let last = f64::from(values - 1) - (size as f64 - 1.0) / 2.0;
        assert!((batches.means()[count - 1] - last).abs() < 1e-9, "{values}");
    }
    let alternating: Vec<f64> = (0..30).map(|number| f64::from(number % 2)).collect();
    assert!(Batches::new(&alternating).correlation() < -0.8);
}

#[test]
fn what_is_not_steady_has_no_estimate() {
    let series =
        |value: &dyn Fn(i32) -> f64, length| -> Vec<f64> { (0..length).map(value).collect() };
    let flat = |number: i32| 10.0 + f64::from(number % 3);
    assert_eq!(estimate(&series(&flat, 99)), Err(Unsteady::TooFew));
    let rising = |number: i32| flat(number) + f64::from(number);
    assert_eq!(estimate(&series(&rising, 400)), Err(Unsteady::WarmUp));
    let slow = |number: i32| flat(number) + 5.0 * (f64::from(number) / 60.0).sin();
    assert!(estimate(&series(&slow, 400)).is_err());
    let found = estimate(&series(&flat, 300)).unwrap();
    assert!((found.mean - 11.0).abs() < 1e-9);
    assert_eq!((found.warm_up, found.used, found.batches), (0, 300, 30));
    assert!(found.half_width > 0.0 && found.half_width < 0.2);
    let constant = estimate(&[7.0; 150]).unwrap();
    assert!((constant.mean - 7.0).abs() < 1e-12 && constant.half_width.abs() < 1e-12);
}

/// Of an interval for the sum of what follows, one part is that of the mean, the other the noise.
#[test]
fn a_short_sum_is_as_noisy_as_its_values() {
    let flat: Vec<f64> = (0..300).map(|number| f64::from(number % 3)).collect();
    let found = estimate(&flat).unwrap();
    assert!(found.half_width_of_sum(0.0).abs() < 1e-12);
    let one = found.half_width_of_sum(300.0);
    assert!((one - 300.0 * found.half_width * 2.0_f64.sqrt()).abs() < 1e-9);
}

#[test]
fn a_long_series_is_put_together_in_pairs() {
    let mut series = Series::default();
    for number in 0..100_000_u32 {
        series.push(f64::from(number));
        assert!(series.values().len() < 8_192);
        assert_eq!(series.len(), u64::from(number) + 1);
    }
    let each = series.each() as f64;
    assert!(each > 8.0);
    for (number, value) in series.values().iter().enumerate() {
        let middle = number as f64 * each + (each - 1.0) / 2.0;
        assert!((value - middle).abs() < 1e-6, "{number}");
    }
    series.clear();
    assert!(series.is_empty());
}
