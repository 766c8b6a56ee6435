//! `check_dependencies` accepts what cannot deadlock, on the system itself, and refuses the rest.

use std::collections::{BTreeMap, BTreeSet};

use odonata_routing::{
    Algorithm, CyclicDependency, Draws, Entry, Estimate, Routing, Rule, check_dependencies, entry,
};
use odonata_topology::{Arrangement, LinkKind, PortIndex, Shape};
use odonata_units::{Purpose, RouterId, Stream};
use proptest::prelude::{ProptestConfig, proptest};
use proptest::sample::select;

use crate::walk::{
    any_flits, any_shape, dragonfly, entries, routing, shape, shapes, unbiased, walk,
    with_every_path,
};

/// A channel with its VC.
pub(crate) type Buffer = (RouterId, PortIndex, u8);

/// Which buffer a packet may hold while it waits for which, from random packets on the system
/// itself.
pub(crate) fn waits(routing: &Routing, rounds: u32) -> BTreeMap<Buffer, BTreeSet<Buffer>> {
    let topology = routing.geometry().topology();
    let mut draw = Stream::new(3, Purpose::Routing, 0);
    let mut flits = Stream::new(3, Purpose::Routing, 1);
    let mut waits: BTreeMap<Buffer, BTreeSet<Buffer>> = BTreeMap::new();
    for source in topology.nodes().map(|node| topology.router_of(node)) {
        for target in topology.nodes() {
            for _ in 0..rounds {
                let path = walk(
                    routing,
                    source,
                    target,
                    |_| any_flits(&mut flits),
                    &mut draw,
                );
                let between = path.iter().filter(|step| step.kind != LinkKind::Host);
                let buffers: Vec<_> = between
                    .map(|step| (step.here, step.hop.port, step.hop.vc))
                    .collect();
                for pair in buffers.windows(2) {
                    waits.entry(pair[0]).or_default().insert(pair[1]);
                }
            }
        }
    }
    waits
}

/// Whether some buffers wait for each other: what is left when those that nobody waits for are
/// taken away again and again.
pub(crate) fn has_cycle(waits: &BTreeMap<Buffer, BTreeSet<Buffer>>) -> bool {
    let mut waited_for: BTreeMap<Buffer, usize> = BTreeMap::new();
    for (buffer, next) in waits {
        waited_for.entry(*buffer).or_default();
        for one in next {
            *waited_for.entry(*one).or_default() += 1;
        }
    }
    let mut left = waited_for.len();
    let mut free: Vec<Buffer> = waited_for
        .iter()
        .filter_map(|(buffer, count)| (*count == 0).then_some(*buffer))
        .collect();
    while let Some(buffer) = free.pop() {
        left -= 1;
        for next in waits.get(&buffer).into_iter().flatten() {
            let count = waited_for.get_mut(next).unwrap();
            *count -= 1;
            if *count == 0 {
                free.push(*next);
            }
        }
    }
    left > 0
}

#[test]
fn every_entry_is_accepted_on_every_system() {
    for entry in entries() {
        for shape in shapes() {
            let routing = routing(&dragonfly(&shape), entry);
            assert_eq!(routing.virtual_channels(), virtual_channels(entry));
            assert_eq!(
                check_dependencies(&routing),
                Ok(()),
                "{} {shape:?}",
                entry.name
            );
        }
    }
}

/// Virtual channels on a one-dimensional dragonfly, as the registry says.
fn virtual_channels(entry: &Entry) -> u8 {
    let described = odonata_routing::registry::describe();
    let mut entries = described.as_array().unwrap().iter();
    let text = entries.find(|text| text["name"] == entry.name).unwrap();
    u8::try_from(text["virtual_channels"]["dragonfly"].as_u64().unwrap()).unwrap()
}

/// What of a rule makes its paths: the same rule with one candidate of each kind and plain numbers.
fn paths_of(rule: &Rule) -> Rule {
    Rule {
        minimal_candidates: 1,
        nonminimal_candidates: 1,
        estimate: Estimate::Both,
        same_port_by_vc: true,
        ..unbiased(*rule)
    }
}

/// Those whose paths random walks find (Q-adaptive takes some of its own very rarely, a pair of nodes has
/// but one path where it is hashed), each kind of path once.
fn walked() -> impl Iterator<Item = Entry> {
    let mut seen: Vec<Rule> = Vec::new();
    let fits = |entry: &&Entry| match &entry.algorithm {
        Algorithm::Rule(rule) => rule.draws == Draws::PerPacket,
        Algorithm::Ports(_) => true,
        Algorithm::QAdaptive(_) => false,
    };
    let is_new = move |entry: &Entry| {
        let Some(paths) = entry.algorithm.rule().map(paths_of) else {
            return true;
        };
        let is_new = !seen.contains(&paths);
        seen.push(paths);
        is_new
    };
    entries().filter(fits).map(with_every_path).filter(is_new)
}

/// Compares the verdict on `entry` with only `count` virtual channels with the buffers of the
/// system itself; returns whether it is refused. The walks are random, their seed is fixed.
fn compare(entry: &Entry, shape: &Shape, count: u8) -> bool {
    let routing = routing(&dragonfly(shape), entry).with_virtual_channels(count);
    assert_eq!(routing.virtual_channels(), count);
    let is_refused = check_dependencies(&routing).is_err();
    let has_cycle = has_cycle(&waits(&routing, 100));
    assert_eq!(
        is_refused, has_cycle,
        "{} with {count} VCs on {shape:?}",
        entry.name
    );
    is_refused
}

/// What is accepted has no cycle on the system itself, and what is refused has one.
#[test]
fn the_check_says_what_the_system_itself_does() {
    let (mut accepted, mut refused) = (0, 0);
    for entry in walked() {
        for shape in shapes() {
            for count in 1..=virtual_channels(&entry) {
                let is_refused = compare(&entry, &shape, count);
                accepted += u32::from(!is_refused);
                refused += u32::from(is_refused);
            }
        }
    }
    assert!(accepted > 7 * 36 && refused > 300, "{accepted} {refused}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_check_says_what_any_system_does(shape in any_shape(), entry in select(walked().collect::<Vec<_>>())) {
        for count in 1..=virtual_channels(&entry) {
            compare(&entry, &shape, count);
        }
    }
}

fn with_one_too_few(entry: &Entry, shape: &Shape) -> Result<(), CyclicDependency> {
    let routing = routing(&dragonfly(shape), entry);
    let count = routing.virtual_channels() - 1;
    check_dependencies(&routing.with_virtual_channels(count))
}

/// One too few is refused wherever there are local links and detours.
#[test]
fn one_virtual_channel_too_few_is_refused_with_its_cycle() {
    let has_all_paths = |shape: &Shape| shape.groups > 2 && shape.routers_per_group > 1;
    // Which local links a rule on ports takes depends on the wiring; some systems do with fewer.
    let is_by_paths = |entry: &Entry| entry.algorithm.rule().is_some();
    for entry in walked().filter(is_by_paths) {
        for shape in shapes().filter(has_all_paths) {
            let error = with_one_too_few(&entry, &shape).unwrap_err();
            let last = virtual_channels(&entry) - 2;
            let has = |kind| {
                error
                    .cycle
                    .iter()
                    .any(|one| (one.kind, one.vc) == (kind, last))
            };
            assert!(has(LinkKind::Local), "{error}");
            assert!(has(LinkKind::Global), "{error}");
            let classes: BTreeSet<_> = error.cycle.iter().collect();
            assert_eq!(classes.len(), error.cycle.len(), "each class once: {error}");
            let message = error.to_string();
            let first = error.cycle[0];
            assert!(message.starts_with("channels can wait for each other in a cycle: "));
            assert!(message.ends_with(&format!("-> {first}")), "{message}");
        }
    }
}

/// The example of `docs/model/routing.md`.
#[test]
fn the_cycle_of_par_is_the_documented_one() {
    let shape = shape(9, 4, 2, 2, Arrangement::Absolute);
    let error = with_one_too_few(entry("par").unwrap(), &shape).unwrap_err();
    assert_eq!(
        error.to_string(),
        "channels can wait for each other in a cycle: local VC 3 -> global VC 3 -> local VC 3"
    );
}
