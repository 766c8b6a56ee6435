//! A program does the same with the library, without it, and with it doing nothing.

use crate::programs::{Run, build, file, has_libfabric, hooked, is_long, plain, preloaded, told};

/// Low latency is better, then worse, then better again.
fn model(name: &str) -> String {
    file(
        name,
        "0 200 9 2\n0 201 3 0\n0 203 5 1\n15 201 12 60\n15 200 3 0\n40 201 2 0\n40 200 12 30\n",
    )
}

fn run(way: &Run, seed: u64) -> (String, Option<i32>) {
    let ranks = if seed % 5 == 4 { "4" } else { "2" };
    let (out, code, _) =
        told(&way.output(&build("random_messages.c"), &[&seed.to_string(), ranks]));
    (out, code)
}

#[test]
fn random_programs_print_the_same() {
    if !has_libfabric() {
        return;
    }
    let seeds: u64 = if is_long() { 1_000 } else { 3 };
    let check = |seed: u64| {
        let plain_run = run(&plain(), seed);
        assert!(plain_run.0.contains("rank 1"), "seed {seed}: {plain_run:?}");
        // Aliases overtake each other, so that a lost order shows.
        let reorder = |run: Run| {
            run.with("FAKECXI_REORDER", &seed.to_string())
                .with("FAKECXI_MODEL", &model(&format!("model-{seed}")))
        };
        let seed_text = seed.to_string();
        let explores = |run: Run| {
            run.with("ODONATA_FI_EXTENSIONS", "exploration")
                .with("ODONATA_FI_SEED", &seed_text)
                .with("ODONATA_FI_THRESHOLD", "0")
        };
        let ways = [
            reorder(preloaded()),
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
        let in_turn = |way: usize| seed == 0 || (is_long() && seed % 6 == way as u64);
        let rarer = (0..).zip(rarer).filter(|(way, _)| in_turn(*way));
        for way in ways.into_iter().chain(rarer.map(|(_, way)| way)) {
            assert_eq!(run(&way, seed), plain_run, "seed {seed}, {way:?}");
        }
        if is_long() && seed % 50 < 2 {
            println!("seed {seed} of {seeds}");
        }
    };
    std::thread::scope(|scope| {
        let check = &check;
        for half in 0..2 {
            scope.spawn(move || (half..seeds).step_by(2).for_each(check));
        }
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
    assert_ne!(run(&overtakes, 4).0, run(&plain(), 4).0);
}
