//! A program does the same with the library, without it, and with it doing nothing.

use crate::programs::{
    Run, build, by_default, each_seed, file, has_libfabric, hooked, is_long, plain, preloaded, told,
};

/// Low latency is better, then worse, then better again.
fn model(name: &str) -> String {
    file(
        name,
        "0 200 9 2\n0 201 3 0\n0 203 5 1\n15 201 12 60\n15 200 3 0\n40 201 2 0\n40 200 12 30\n",
    )
}

/// What a random program does in one way: what it printed and how it ended, and what it said on
/// standard error.
fn run(way: &Run, seed: u64) -> ((String, Option<i32>), String) {
    let ranks = if seed % 5 == 4 { "4" } else { "2" };
    let (out, code, error) =
        told(&way.output(&build("random_messages.c"), &[&seed.to_string(), ranks]));
    ((out, code), error)
}

/// The ways in which the program of a seed goes, besides that without the library.
fn ways(seed: u64) -> Vec<Run> {
    let seed_text = seed.to_string();
    // Aliases overtake each other, so that a lost order shows.
    let reorder = |run: Run| {
        run.with("FAKECXI_REORDER", &seed_text)
            .with("FAKECXI_MODEL", &model(&format!("model-{seed}")))
    };
    let explores = |run: Run| {
        run.with("ODONATA_FI_EXTENSIONS", "exploration")
            .with("ODONATA_FI_SEED", &seed_text)
            .with("ODONATA_FI_THRESHOLD", "0")
    };
    let always = [
        reorder(by_default()),
        explores(reorder(hooked())),
        explores(reorder(preloaded())).with("FAKECXI_FAIL", "again"),
    ];
    let rarer = [
        preloaded().with("ODONATA_FI", "off"),
        reorder(preloaded()).with("ODONATA_FI", "adaptive-3"),
        preloaded().with("FAKECXI_FAIL", "no-alias"),
        explores(reorder(preloaded())).with("FAKECXI_FAIL", "no-cntr"),
        explores(reorder(preloaded())).with("FAKECXI_FAIL", "read-after-60"),
        explores(reorder(preloaded())).with("FI_TEST_ORDER", "0x1ff"),
    ];
    // The first program goes every way; in a long run each other one takes one of the rarer ways.
    let in_turn = |way: u64| seed == 0 || (is_long() && seed % 6 == way);
    let rarer = (0..).zip(rarer).filter(|(way, _)| in_turn(*way));
    always
        .into_iter()
        .chain(rarer.map(|(_, way)| way))
        .collect()
}

#[test]
fn random_programs_print_the_same() {
    if !has_libfabric() {
        return;
    }
    each_seed(if is_long() { 1_000 } else { 3 }, |seed| {
        let (plain_run, plain_error) = run(&plain(), seed);
        if !plain_run.0.contains("rank 1") {
            return Err(format!("without the library: {plain_run:?} {plain_error}"));
        }
        for way in ways(seed) {
            let (found, error) = run(&way, seed);
            if found != plain_run {
                return Err(format!(
                    "{found:?}, said {error:?}; without the library {plain_run:?}, said \
                     {plain_error:?}; {way:?}"
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn a_lost_order_would_show() {
    if !has_libfabric() {
        return;
    }
    // The program sends over an alias of its own in turns, and so overtakes itself.
    let overtakes = plain()
        .with("FI_TEST_OVERTAKES", "1")
        .with("FAKECXI_REORDER", "1");
    assert_ne!(run(&overtakes, 4).0.0, run(&plain(), 4).0.0);
}
