//! Under ThreadSanitizer: no race. It takes some minutes, so only with `ODONATA_LONG=1`.

use crate::programs::races::{canary, libraries, no_race, sanitized};
use crate::programs::{Run, file, has_libfabric, is_long, plain, preloaded, scratch};

/// Programs that are run, each in every way.
const SEEDS: u64 = 24;

#[test]
fn thread_sanitizer_finds_nothing() {
    if !is_long() || !has_libfabric() {
        return;
    }
    let Some(folder) = libraries(&["odonata-fi-hook"]) else {
        return;
    };
    canary();
    let program = sanitized("random_messages.c", &["-lfabric", "-ldl"]);
    let fake = sanitized("fakecxi.c", &["-shared", "-fPIC", "-lfabric"]);
    let providers = scratch("providers-for-races");
    std::fs::create_dir_all(&providers).expect("the folder of tests can be written");
    std::fs::copy(fake, providers.join("libfakecxi-fi.so")).expect("it can be copied");
    let model = file(
        "model-for-races",
        "0 200 9 2\n0 201 3 0\n15 201 12 60\n15 200 3 0\n",
    );
    let library = folder.join("libodonata_fi.so").display().to_string();
    let fakes = |run: Run| {
        run.with("FI_PROVIDER_PATH", &providers.display().to_string())
            .with("FAKECXI_MODEL", &model)
    };
    let plain = fakes(plain());
    let preloaded = fakes(preloaded())
        .with("LD_PRELOAD", &library)
        .with("FAKECXI_REORDER", "1");
    let explores = (preloaded.clone())
        .with("ODONATA_FI_EXTENSIONS", "damping,learning,exploration")
        .with("ODONATA_FI_THRESHOLD", "0");
    let ways = [
        preloaded,
        explores.clone(),
        explores.with("FAKECXI_FAIL", "again"),
    ];
    for seed in 0..SEEDS {
        let run = |way: &Run| no_race(way, &program, &[&seed.to_string(), "2"]);
        let expected = run(&plain);
        for way in &ways {
            assert_eq!(run(way), expected, "seed {seed}, {way:?}");
        }
    }
}
