//! Which names the library takes, and what is behind them.

use std::process::Command;

use crate::programs::{Run, build, libraries, papi, preloaded, told};

#[test]
fn only_names_of_interfaces_are_taken() {
    let library = libraries().join("libodonata_aries.so");
    let Ok(done) = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(library)
        .output()
    else {
        eprintln!("skipped: nm is missing; on Debian: apt-get install binutils");
        return;
    };
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    let is_ours = |name: &&str| {
        name.starts_with("GNI_")
            || name.starts_with("dmapp_")
            || name.to_lowercase().starts_with("mpi_alltoall")
            || name.to_lowercase().starts_with("mpi_ialltoall")
            || *name == "odonata_aries_force"
    };
    let others: Vec<&&str> = names.iter().filter(|name| !is_ours(name)).collect();
    assert!(others.is_empty(), "{others:?}");
    assert_eq!(names.len(), 8 + 18 + 30 + 1, "{names:?}");
}

#[test]
fn what_is_missing_behind_the_library_is_an_error_of_the_call() {
    // Without a libugni at all, a program that looks for functions finds ours.
    let program = build("missing.c", &["-ldl"]);
    let library = libraries().join("libodonata_aries.so");
    let done = Command::new(&program)
        .env("LD_LIBRARY_PATH", libraries())
        .env("LD_PRELOAD", library)
        .env("ODONATA_ARIES_PAPI", papi())
        .output()
        .expect("the program starts");
    let (out, code, error) = told(&done);
    assert_eq!((out.as_str(), code), ("12 12 1 15\n", Some(0)), "{error}");
}

#[test]
fn what_only_a_plugin_sees_is_found() {
    let fakes = build("fakes.c", &["-shared", "-fPIC"]);
    let fakes = fakes.to_str().expect("a path");
    let plugin = build("plugin.c", &["-shared", "-fPIC", fakes]);
    let program = build("host.c", &["-ldl"]);
    let words = [plugin.to_str().expect("a path")];
    let plain = told(&Run::plain().output(&program, &words));
    assert_eq!(
        (plain.0.as_str(), plain.1),
        ("42 0\n", Some(0)),
        "{}",
        plain.2
    );
    assert_eq!(told(&preloaded().output(&program, &words)), plain);
}
