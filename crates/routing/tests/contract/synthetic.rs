//! Combinations that no entry has: a new one keeps the contract by what it is made of, so that adding it
//! changes no test.

use odonata_routing::{
    Algorithm, Candidates, Choice, Draws, Entry, Estimate, Intermediate, Ordered, Rule, Scope,
    VcScheme, Weights, check_dependencies, entry,
};
use odonata_topology::{Arrangement, Shape};
use proptest::prelude::{ProptestConfig, Strategy, any, proptest};
use proptest::sample::select;

use crate::decisions::check_decisions;
use crate::families::check_everywhere;
use crate::paths::{check_all_pairs, check_longest};
use crate::walk::{any_shape, dragonfly, routing, shape, unbiased, with_every_path};

/// `rule` as an entry: its name is that of one which works on the same families.
fn as_entry(rule: Rule) -> Entry {
    let name = match rule.intermediate {
        Intermediate::Router if !rule.progressive => "ugal-node",
        _ => "ugal-group",
    };
    Entry {
        algorithm: Algorithm::Rule(rule),
        ..*entry(name).unwrap()
    }
}

/// The example of `docs/how-to/own-routing.md`.
fn example() -> Rule {
    Rule {
        minimal_candidates: 2,
        nonminimal_candidates: 2,
        estimate: Estimate::Queued,
        ..*entry("ugal-node").unwrap().algorithm.rule().unwrap()
    }
}

/// Any rule that compares candidates drawn one by one, over any of the intermediates, asked once or
/// again, with any numbers, on the ladder that the page gives its paths.
fn any_rule() -> impl Strategy<Value = Rule> {
    let ways = (
        select(
            &[
                Intermediate::Group,
                Intermediate::Router,
                Intermediate::AnyNode,
            ][..],
        ),
        any::<bool>(),
        (1..=4_u8, 1..=4_u8),
        any::<bool>(),
        select(&[Scope::Global, Scope::Everywhere][..]),
    );
    let numbers = (
        select(&[Weights::Scale, Weights::Hops][..]),
        0..5_u32,
        (-20..60_i64, select(&[0, 0, -5, 40][..])),
        0..20_i64,
        select(&[0, 3, 8][..]),
        select(&Estimate::ALL[..]),
    );
    (ways, numbers).prop_map(|(ways, numbers)| {
        let (intermediate, progressive, candidates, same_port_by_vc, scope) = ways;
        let (weights, scale, bias, bias_step, threshold, estimate) = numbers;
        Rule {
            choice: Choice::Adaptive,
            intermediate,
            minimal_candidates: candidates.0,
            nonminimal_candidates: candidates.1,
            candidates: Candidates::Independent,
            // A group that is crossed is no detour for packets of that group.
            scope: if intermediate.is_visited() {
                scope
            } else {
                Scope::Global
            },
            estimate,
            same_port_by_vc,
            weights,
            scale,
            bias: bias.0,
            bias_packets: 0,
            bias_percent: bias.1,
            // What has been passed counts only where a packet is asked again.
            bias_step: if progressive { bias_step } else { 0 },
            threshold,
            progressive,
            draws: Draws::PerPacket,
            ordered: Ordered::None,
            flow_gap_ns: 0,
            spray: None,
            vcs: match (progressive, intermediate) {
                (true, _) => VcScheme::Progressive,
                (false, Intermediate::Group) => VcScheme::Group,
                (false, _) => VcScheme::Router,
            },
        }
    })
}

fn systems() -> [Shape; 2] {
    [
        shape(9, 4, 2, 2, Arrangement::Absolute),
        shape(4, 3, 1, 4, Arrangement::Relative),
    ]
}

/// All that tests say of an entry, of one that is not in the registry. Detours are counted over
/// all systems: with four minimal candidates and one detour, a small one has hardly any.
fn check(rule: Rule, any: &Shape, seed: u64) {
    let entry = as_entry(rule);
    let _ = check_all_pairs(&entry, any, 3, seed);
    check_longest(&with_every_path(&entry), &dragonfly(&systems()[0]));
    let (mut others, mut detours) = (0, 0);
    for shape in systems() {
        let (decisions, ..) = check_decisions(rule, &shape);
        assert!(decisions > 50, "{decisions} decisions of {rule:?}");
        let (made, taken, _) = check_decisions(unbiased(rule), &shape);
        (others, detours) = (others + made, detours + taken);
    }
    assert!(
        detours > 5 && detours + 5 < others,
        "{detours} detours of {others} decisions of {rule:?}"
    );
    let routing = routing(&dragonfly(any), &entry);
    assert_eq!(check_dependencies(&routing), Ok(()), "{rule:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_combination_keeps_the_contract(
        rule in any_rule(),
        shape in any_shape(),
        seed in 0..u64::MAX,
    ) {
        check(rule, &shape, seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn any_combination_works_on_every_family(rule in any_rule()) {
        check_everywhere(&as_entry(rule));
    }
}

/// With and without weights by hops.
#[test]
fn the_example_of_the_recipe_keeps_the_contract() {
    let recipe = include_str!("../../../../docs/how-to/own-routing.md");
    for line in [
        "minimal_candidates: 2,",
        "nonminimal_candidates: 2,",
        "estimate: Estimate::Queued,",
        "..UGAL_NODE",
    ] {
        assert!(recipe.contains(line), "the example has no line `{line}`");
    }
    for weights in [Weights::Scale, Weights::Hops] {
        let rule = Rule {
            weights,
            ..example()
        };
        for (seed, shape) in (1..).zip(systems()) {
            check(rule, &shape, seed);
        }
        check_everywhere(&as_entry(rule));
    }
}
