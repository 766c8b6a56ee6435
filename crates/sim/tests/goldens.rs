//! One table of results: a change of any number shows as a changed row.
//!
//! A golden says that nothing has changed, not that it is right; `peers.rs`, `theory.rs` and the
//! reference model say that.

use std::fmt::Write;

use odonata_routing::{Candidates, Draws, ENTRIES, Rule};
use odonata_sim::{GOLDEN_TABLES, MODEL};

use crate::support::{
    Letters, Traces, US, config, dragonfly, golden, number, open_loop, outcome, text,
};

const SYSTEMS: [Letters; 2] = [(2, 4, 2, 9), (3, 6, 3, 19)];
const LOADS: [f64; 4] = [0.1, 0.3, 0.6, 0.9];
const GOLDEN: &str = include_str!("goldens/sweep.txt");

/// Every rule whose candidates are drawn one by one, once, but for those that need marks; the others
/// have rows in `golden_tables.rs`.
fn routings() -> Vec<&'static str> {
    let mut rules: Vec<&Rule> = Vec::new();
    let mut names = Vec::new();
    for entry in ENTRIES
        .iter()
        .filter(|entry| entry.families.contains(&"dragonfly"))
    {
        let is_drawn = |rule: &&Rule| {
            rule.candidates == Candidates::Independent
                && rule.draws == Draws::PerPacket
                && rule.spray.is_none()
        };
        let Some(rule) = entry.algorithm.rule().filter(is_drawn) else {
            continue;
        };
        if !rules.contains(&rule) {
            rules.push(rule);
            names.push(entry.name);
        }
    }
    names
}

/// The rows of one system.
fn rows(letters: Letters) -> String {
    let mut rows = String::new();
    for routing in routings() {
        for architecture in ["voq", "cioq"] {
            for load in LOADS {
                let traffic = open_loop("uniform", load, 512, "exponential");
                let measure = Some((2 * US, 3 * US, 3 * US));
                let system = dragonfly(letters, architecture);
                let outcome = outcome(
                    &config(&system, routing, &[traffic], measure),
                    &Traces::new(),
                    1,
                );
                let of = |key: &str| number(&outcome, &format!("/network/{key}"));
                let name = format!(
                    "({}, {}, {}, {})",
                    letters.0, letters.1, letters.2, letters.3
                );
                let _ = writeln!(
                    rows,
                    "{name:14} {routing:13} {architecture:4} {load:4} {:10.3} {:10.3} {:8.5} {:7.4} {:9.5} {}",
                    of("packet_latency_ns/mean"),
                    of("packet_latency_ns/p99"),
                    of("accepted_load"),
                    of("hops_mean"),
                    of("nonminimal_fraction"),
                    text(&outcome, "/stop"),
                );
            }
        }
    }
    rows
}

fn sweep() -> String {
    let mut table = "# dragonfly(p, a, h, g), uniform, 512 B, exponential; latencies in ns\n\
                     # system       routing       arch load       mean        p99 accepted    hops \
                     nonminimal stop\n"
        .to_owned();
    for letters in SYSTEMS {
        table.push_str(&rows(letters));
    }
    table
}

#[test]
fn sweep_is_as_it_was() {
    let found = sweep();
    golden::compare("sweep.txt", GOLDEN, &found, &found);
}

/// The hash of Fowler, Noll and Vo, 64 bits, variant 1a, of the golden tables.
fn fingerprint() -> u64 {
    let tables = [
        include_str!("goldens/features.txt"),
        include_str!("goldens/jobs.txt"),
        include_str!("goldens/observed.txt"),
        include_str!("goldens/routings.txt"),
        GOLDEN,
    ];
    let bytes = tables.iter().flat_map(|table| table.bytes());
    bytes
        .filter(|byte| *byte != b'\r')
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// Results are known by `MODEL`: whoever changes a golden says whether a number has moved.
#[test]
fn changed_goldens_are_a_decision_about_the_model() {
    let found = fingerprint();
    assert_eq!(
        found, GOLDEN_TABLES,
        "a golden table has changed: in crates/sim/src/model.rs set GOLDEN_TABLES to {found:#018x}, and raise MODEL \
         (now {MODEL}) unless rows were only added"
    );
}
