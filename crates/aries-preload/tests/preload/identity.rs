//! A program does the same with the library, without it, and with it doing nothing.

use crate::programs::{Cookie, Run, build, is_long, preloaded, told};

#[test]
fn random_programs_print_the_same() {
    let program = build("random_program.c", &[]);
    let ways = [
        preloaded(),
        preloaded().with("ODONATA_ARIES", "off"),
        preloaded()
            .with("PAPI_SHIM", "no-init")
            .with("ODONATA_ARIES_QUIET", "1"),
        preloaded().with("ODONATA_ARIES", "adaptive-3"),
        preloaded().with("ODONATA_ARIES_EXTENSIONS", "damping,learning,exploration"),
        preloaded().with("PAPI_SHIM", "garbage"),
    ];
    let seeds: u64 = if is_long() { 1_000 } else { 8 };
    let check = |seed: u64| {
        let ranks = if seed % 5 == 4 { "4" } else { "2" };
        let run = |way: &Run| {
            let cookie = Cookie::new();
            let words = [&seed.to_string(), &cookie.text(), ranks];
            told(&way.output(&program, &words))
        };
        let plain = run(&Run::plain());
        assert!(plain.0.contains("memory"), "seed {seed}: {plain:?}");
        for way in &ways {
            assert_eq!(run(way), plain, "seed {seed}, {way:?}");
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
