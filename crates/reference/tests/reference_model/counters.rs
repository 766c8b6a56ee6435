//! Engine and reference model count the same at every NIC, at every instant an endpoint looks.

use odonata_endpoint::{Endpoint, Message, Nic, NicCounters};
use odonata_reference::simulate;
use odonata_reference::testing::{Scenario, System, TestEndpoint, simulate_recorded};
use odonata_units::Instant;

/// Looks at the counters of its NIC whenever it is woken.
#[derive(Clone)]
struct Watching {
    inner: TestEndpoint,
    seen: Vec<(Instant, NicCounters)>,
}

impl Endpoint for Watching {
    fn next_wake(&self) -> Instant {
        self.inner.next_wake()
    }

    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        self.seen.push((now, nic.counters(0)));
        self.inner.wake(now, nic);
    }

    fn deliver(&mut self, now: Instant, message: &Message) {
        self.inner.deliver(now, message);
    }

    fn pull(&mut self) -> Option<(Instant, Message)> {
        self.inner.pull()
    }

    fn is_finished(&self) -> bool {
        self.inner.is_finished()
    }
}

fn watching(endpoints: Vec<TestEndpoint>) -> Vec<Watching> {
    let watch = |inner| Watching {
        inner,
        seen: Vec::new(),
    };
    endpoints.into_iter().map(watch).collect()
}

#[test]
fn counters_agree() {
    let mut looks = 0;
    let mut sum = NicCounters::default();
    for number in 0..150 {
        let scenario = Scenario::random(number);
        let until = scenario.until;
        let build = || scenario.build().unwrap();
        let System {
            topology,
            routing,
            endpoints,
        } = build();
        let reference = simulate(
            topology,
            &routing,
            &scenario.parameters,
            watching(endpoints),
            until,
        );
        let System {
            topology,
            routing,
            endpoints,
        } = build();
        let (_, seen) = simulate_recorded(
            topology,
            &routing,
            &scenario.parameters,
            watching(endpoints),
            until,
            1,
        )
        .unwrap();
        for (node, (reference, engine)) in reference.endpoints.iter().zip(&seen).enumerate() {
            let before = |all: &[(Instant, NicCounters)]| -> Vec<(Instant, NicCounters)> {
                let all = all.iter().filter(|(at, _)| *at < until);
                all.copied().collect()
            };
            let (reference, engine) = (before(&reference.seen), before(&engine.seen));
            assert_eq!(reference, engine, "node {node}, scenario {number}");
            looks += reference.len();
            if let Some((_, last)) = reference.last() {
                sum.requests += last.requests;
                sum.credit_stall += last.credit_stall;
                sum.flits += last.flits;
                sum.request_flits += last.request_flits;
                sum.request_credit_stall += last.request_credit_stall;
                sum.outstanding_stall += last.outstanding_stall;
                sum.round_trips += last.round_trips;
            }
        }
    }
    assert!(looks > 10_000, "endpoints looked {looks} times");
    assert!(
        sum.requests > 0
            && sum.request_flits > 0
            && sum.request_flits < sum.flits
            && sum.request_credit_stall.ps() > 0
            && sum.request_credit_stall < sum.credit_stall
            && sum.outstanding_stall.ps() > 0
            && sum.round_trips > 0,
        "every counter moved: {sum:?}"
    );
}
