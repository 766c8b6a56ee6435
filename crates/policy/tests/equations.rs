//! Eq. 1 to 4 on worked numbers, and against each other.

use odonata_policy::{
    Message, Observation, Operation, PTerm, Switch, message_time, single_burst_time,
};
use proptest::prelude::*;

fn put(bytes: u64) -> Message {
    Message {
        bytes,
        operation: Operation::Put,
        alltoall: false,
    }
}

fn get(bytes: u64) -> Message {
    Message {
        operation: Operation::Get,
        ..put(bytes)
    }
}

fn is(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{found} != {expected}"
    );
}

#[test]
fn packets_and_flits_by_hand() {
    for (bytes, packets) in [(0, 1), (1, 1), (64, 1), (65, 2), (128, 2), (4_096, 64)] {
        assert_eq!(
            (put(bytes).packets(), put(bytes).flits()),
            (packets, 5 * packets),
            "{bytes}"
        );
        assert_eq!(
            (get(bytes).packets(), get(bytes).flits()),
            (packets, packets),
            "{bytes}"
        );
    }
    // 16 MiB, the largest size of the paper's check of its model (section 2.4).
    assert_eq!(
        (put(16 << 20).packets(), put(16 << 20).flits()),
        (262_144, 1_310_720)
    );
    assert_eq!(put(u64::MAX).packets(), 1 << 58);
}

#[test]
fn times_by_hand() {
    let seen = Observation::new(2_400.0, 0.5);
    // One packet: half a latency and five flits at one and a half cycles each.
    is(single_burst_time(put(64), seen), 1_207.5);
    is(
        message_time(put(64), seen, PTerm::Paper),
        513.0 / 1_024.0 * 2_400.0 + 7.5,
    );
    // The example of the page.
    is(message_time(put(4_096), seen, PTerm::Paper), 1_830.0);
    is(
        message_time(put(4_096), Observation::new(2_000.0, 2.5), PTerm::Paper),
        2_245.0,
    );
    // 1,024 packets wait once for a latency (section 2.4), and half a one is the way of the last.
    is(
        message_time(put(65_536), seen, PTerm::Paper),
        1.5 * 2_400.0 + 5_120.0 * 1.5,
    );
    is(
        message_time(get(65_536), seen, PTerm::Paper),
        1.5 * 2_400.0 + 1_024.0 * 1.5,
    );
}

#[test]
fn the_authors_count_whole_latencies() {
    for (packets, latencies) in [
        (1, 1.0),
        (512, 1.0),
        (513, 1.0),
        (514, 2.0),
        (1_537, 2.0),
        (1_538, 3.0),
    ] {
        is(PTerm::Authors.latencies(packets), latencies);
    }
    is(PTerm::Paper.latencies(1), 513.0 / 1_024.0);
    is(PTerm::Paper.latencies(512), 1.0);
    is(PTerm::Paper.latencies(513), 1_025.0 / 1_024.0);
}

#[test]
fn equation_four_by_hand() {
    let latencies = PTerm::Paper.latencies(64);
    let adaptive = Observation::new(2_400.0, 0.5);
    let biased = Observation::new(2_000.0, 2.5);
    assert_eq!(
        Switch::new(adaptive, biased, latencies),
        Switch::Below(112.5)
    );
    assert_eq!(
        Switch::new(biased, adaptive, latencies),
        Switch::Above(112.5)
    );
    let calm = Observation::new(2_000.0, 0.5);
    assert_eq!(Switch::new(adaptive, calm, latencies), Switch::Always);
    assert_eq!(Switch::new(calm, adaptive, latencies), Switch::Never);
    assert_eq!(Switch::new(calm, calm, latencies), Switch::Never);
}

proptest! {
    #[test]
    fn equation_four_is_equation_three(
        bytes in 0_u64..1 << 26,
        is_put: bool,
        numbers in prop::array::uniform4(0.0_f64..1e5),
        equal in 0_u8..8,
        authors: bool,
    ) {
        let [latency, other, stalls, more] = numbers;
        let adaptive = Observation::new(latency, stalls / 1e3);
        let biased = Observation::new(
            if equal & 1 == 1 { latency } else { other },
            if equal & 2 == 2 { stalls / 1e3 } else { more / 1e3 },
        );
        let message = if is_put { put(bytes) } else { get(bytes) };
        let p_term = if authors { PTerm::Authors } else { PTerm::Paper };
        let times = [adaptive, biased].map(|seen| message_time(message, seen, p_term));
        // What rounding could turn round is no case.
        prop_assume!(
            (times[0] - times[1]).abs() > 1e-9 * times[0] || adaptive == biased
        );
        let switch = Switch::new(adaptive, biased, p_term.latencies(message.packets()));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let flits = message.flits() as f64;
        prop_assert_eq!(switch.takes(flits), times[1] < times[0]);
    }

    #[test]
    fn time_grows_with_size_latency_and_stalls(
        bytes in 0_u64..1 << 40, more in 0_u64..1 << 40,
        latency in 0.0_f64..1e9, stalls in 0.0_f64..1e6, factor in 1.0_f64..1e3,
    ) {
        let seen = Observation::new(latency, stalls);
        for p_term in [PTerm::Paper, PTerm::Authors] {
            let time = message_time(put(bytes), seen, p_term);
            prop_assert!(time >= 5.0);
            prop_assert!(message_time(put(bytes + more), seen, p_term) >= time);
            prop_assert!(message_time(get(bytes), seen, p_term) <= time);
            let worse = Observation::new(latency * factor, stalls * factor);
            prop_assert!(message_time(put(bytes), worse, p_term) >= time);
        }
        prop_assert!(
            single_burst_time(put(bytes), seen) <= message_time(put(bytes), seen, PTerm::Paper)
        );
    }
}
