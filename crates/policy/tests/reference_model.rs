//! A second, naive Algorithm 1: the paper's pseudocode with Eq. 4, and nothing shared.

#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "naive, small numbers"
)]

use odonata_policy::{Counters, Message, Mode, Operation, Parameters, Policy, Units};
use proptest::prelude::*;

/// Algorithm 1 as the paper prints it; names are the paper's.
struct Naive {
    current_is_bias: bool,
    cumulative: u64,
    /// (L, s, decisions in the other mode until they were seen), per mode: ADAPTIVE, HIGH BIAS.
    last: [Option<(f64, f64, u64)>; 2],
    /// Decisions taken while ADAPTIVE, and HIGH BIAS, was in force.
    decisions: [u64; 2],
    lambda: f64,
    sigma: f64,
    counters: Counters,
    /// How close the last decision was, relative to the larger time.
    closeness: f64,
}

impl Naive {
    fn select_routing(&mut self, message: Message) -> Option<bool> {
        self.cumulative += message.bytes;
        if self.cumulative <= 4_096 {
            return None;
        }
        self.cumulative = 0;
        self.closeness = 1.0;
        let mine = usize::from(self.current_is_bias);
        self.decisions[mine] += 1;
        let Some((l, s, _)) = self.last[mine] else {
            return Some(self.current_is_bias);
        };
        // This one is the first decision in this mode after the other was seen, or a later one.
        let other = match self.last[1 - mine] {
            Some((l, s, seen)) if self.decisions[mine] - seen <= 5 => (l, s),
            _ if self.current_is_bias => (l / self.lambda, s / self.sigma),
            _ => (l * self.lambda, s * self.sigma),
        };
        let p = message.bytes.div_ceil(64).max(1) as f64;
        let f = p * if message.operation == Operation::Put {
            5.0
        } else {
            1.0
        };
        let ((l_ad, s_ad), (l_bs, s_bs)) = if self.current_is_bias {
            (other, (l, s))
        } else {
            ((l, s), other)
        };
        let t_ad = (p + 512.0) / 1_024.0 * l_ad + f * (s_ad + 1.0);
        let t_bs = (p + 512.0) / 1_024.0 * l_bs + f * (s_bs + 1.0);
        self.closeness = (t_ad - t_bs).abs() / t_ad.max(t_bs);
        let limit = (l_ad - l_bs) / (s_bs - s_ad) * ((p + 512.0) / 1_024.0);
        let bias_is_better = if s_bs > s_ad {
            f < limit
        } else if s_bs < s_ad {
            f > limit
        } else {
            l_bs < l_ad
        };
        if t_ad != t_bs {
            self.current_is_bias = bias_is_better;
        }
        Some(self.current_is_bias)
    }

    fn after(&mut self, now: Counters) {
        let before = self.counters;
        self.counters = now;
        let (packets, flits) = (now.packets - before.packets, now.flits - before.flits);
        if packets > 0 && flits > 0 {
            let l = (now.latency - before.latency) as f64 / packets as f64 * 800.0;
            let s = (now.stalled - before.stalled) as f64 / flits as f64;
            let mine = usize::from(self.current_is_bias);
            self.last[mine] = Some((l, s, self.decisions[1 - mine]));
        }
    }
}

fn step() -> impl Strategy<Value = (u64, bool, bool, [u64; 4])> {
    let bytes = prop_oneof![Just(0), 1_u64..4_096, 1_u64..65_536, 1_u64..1 << 24];
    let counts = (0_u64..2_000, 0_u64..20_000, 0_u64..400, 0_u64..4_000);
    (bytes, any::<bool>(), any::<bool>(), counts)
        .prop_map(|(bytes, put, alltoall, (f, s, p, l))| (bytes, put, alltoall, [f, s, p, l]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_decision_is_that_of_the_pseudocode(
        steps in prop::collection::vec(step(), 1..200),
        factors in prop::array::uniform2(prop_oneof![Just(1.0), 0.2_f64..6.0]),
    ) {
        let [lambda, sigma] = factors;
        let mut policy = Policy::new(Parameters {
            latency_factor: lambda,
            stall_factor: sigma,
            ..Parameters::PAPER
        });
        let mut naive = Naive {
            current_is_bias: false, cumulative: 0, last: [None; 2], decisions: [0; 2], lambda, sigma,
            counters: Counters::default(), closeness: 1.0,
        };
        let mut counters = Counters::default();
        policy.observe(&counters, Units::ARIES);
        for (bytes, is_put, alltoall, [flits, stalled, packets, latency]) in steps {
            let operation = if is_put { Operation::Put } else { Operation::Get };
            let message = Message { bytes, operation, alltoall };
            let decision = policy.decide(message);
            let expected = naive.select_routing(message);
            prop_assert_eq!(decision.reads_counters, expected.is_some());
            let is_bias = decision.mode == Mode::Adaptive3;
            match expected {
                None => prop_assert!(is_bias),
                Some(expected) if expected != is_bias => {
                    // Only where the two forms of the comparison round to different sides.
                    prop_assert!(naive.closeness < 1e-12);
                    naive.current_is_bias = is_bias;
                }
                Some(_) if !is_bias => {
                    let mode = if alltoall { Mode::Adaptive1 } else { Mode::Adaptive0 };
                    prop_assert_eq!(decision.mode, mode);
                }
                Some(_) => {}
            }
            if decision.reads_counters {
                counters.flits += flits;
                counters.stalled += stalled;
                counters.packets += packets;
                counters.latency += latency;
                policy.observe(&counters, Units::ARIES);
                naive.after(counters);
            }
        }
    }
}
