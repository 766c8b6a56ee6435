//! A program does the same with the library, without it, and with it doing nothing.

use crate::programs::{Cookie, Run, build, by_default, each_seed, is_long, preloaded, told};

#[test]
fn random_programs_print_the_same() {
    let program = build("random_program.c", &[]);
    let ways = [
        by_default(),
        preloaded().with("ODONATA_ARIES", "off"),
        preloaded()
            .with("PAPI_SHIM", "no-init")
            .with("ODONATA_ARIES_QUIET", "1"),
        preloaded().with("ODONATA_ARIES", "adaptive-3"),
        preloaded().with("ODONATA_ARIES_EXTENSIONS", "damping,learning,exploration"),
        preloaded().with("PAPI_SHIM", "garbage"),
    ];
    each_seed(if is_long() { 1_000 } else { 8 }, |seed| {
        let ranks = if seed % 5 == 4 { "4" } else { "2" };
        let run = |way: &Run| {
            let cookie = Cookie::new();
            let words = [&seed.to_string(), &cookie.text(), ranks];
            told(&way.output(&program, &words))
        };
        let plain = run(&Run::plain());
        if !plain.0.contains("memory") {
            return Err(format!("without the library: {plain:?}"));
        }
        for way in &ways {
            let found = run(way);
            if found != plain {
                return Err(format!("{found:?}, without the library {plain:?}, {way:?}"));
            }
        }
        Ok(())
    });
}
