//! Under ThreadSanitizer: no race. It takes some minutes, so only with `ODONATA_LONG=1`.

use crate::programs::races::{canary, libraries, no_race, sanitized};
use crate::programs::{Cookie, Run, headers, is_long, libraries as built};

/// Programs that are run, each in every way.
const SEEDS: u64 = 24;

#[test]
fn thread_sanitizer_finds_nothing() {
    if !is_long() {
        return;
    }
    let Some(folder) = libraries(&["odonata-aries-preload", "odonata-ugni-emulator"]) else {
        return;
    };
    canary();
    let (headers, link) = (headers(), format!("-L{}", built().display()));
    let program = sanitized("random_program.c", &[&headers, &link, "-lugni", "-ldl"]);
    let papi = sanitized("papi.c", &["-shared", "-fPIC"]);
    let library = folder.join("libodonata_aries.so");
    let plain = Run::plain().with("LD_LIBRARY_PATH", &folder.display().to_string());
    let preloaded = plain
        .clone()
        .with("ODONATA_ARIES_PAPI", &papi.display().to_string())
        .with("LD_PRELOAD", &library.display().to_string());
    let ways = [
        preloaded.clone(),
        (preloaded.clone())
            .with("ODONATA_ARIES_EXTENSIONS", "damping,learning,exploration")
            .with("ODONATA_ARIES_THRESHOLD", "0"),
        preloaded.with("PAPI_SHIM", "slow"),
    ];
    for seed in 0..SEEDS {
        let run = |way: &Run| {
            let cookie = Cookie::new();
            no_race(way, &program, &[&seed.to_string(), &cookie.text(), "2"])
        };
        let expected = run(&plain);
        for way in &ways {
            assert_eq!(run(way), expected, "seed {seed}, {way:?}");
        }
    }
}
