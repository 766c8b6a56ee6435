//! Miri over what it can run of the crates with `unsafe`: tables and objects of libfabric, descriptors
//! of uGNI, the emulator as a program in Rust sees it. It has no loader, no signals and no assembly:
//! `docs/decisions/2026-11-23-unsafe-that-remains.md` says which test sees the rest. It takes some
//! minutes, so only with `ODONATA_LONG=1`.
#![expect(
    clippy::disallowed_methods,
    reason = "a test starts cargo and reads the environment"
)]

use std::process::Command;

/// Crates, with the tests that Miri can run.
const TESTS: [(&str, &str); 4] = [
    ("odonata-interpose", ""),
    ("odonata-aries-preload", "ffi"),
    ("odonata-fi-hook", "ffi"),
    ("odonata-ugni-emulator", "ffi"),
];

fn miri() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["+nightly", "miri"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

#[test]
fn miri_finds_nothing() {
    if !std::env::var("ODONATA_LONG").is_ok_and(|value| value == "1") {
        return;
    }
    let version = miri().arg("--version").output();
    assert!(
        version.is_ok_and(|done| done.status.success()),
        "no nightly Rust with Miri; rustup toolchain install nightly --component miri \
         --component rust-src"
    );
    for (package, filter) in TESTS {
        let done = miri()
            .args(["test", "--quiet", "-p", package, "--lib", "--", filter])
            // Files are those of the machine; addresses go through C as numbers.
            .env(
                "MIRIFLAGS",
                "-Zmiri-disable-isolation -Zmiri-permissive-provenance",
            )
            .env(
                "CARGO_TARGET_DIR",
                std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("miri"),
            )
            .status()
            .expect("cargo runs the tests");
        assert!(done.success(), "{package} under Miri");
    }
}
