//! Counters through the real PAPI: the emulator shows them as software-defined events.

use std::process::Command;

use crate::programs::{preloaded, script};

/// Whether a loader finds PAPI and libsde, in `ODONATA_TEST_PAPI` or where Debian puts them.
fn found(folder: &str) -> bool {
    let at = |folder: &str, file: &str| std::path::Path::new(folder).join(file).exists();
    let file = |name| {
        at(folder, name)
            || Command::new("ldconfig")
                .arg("-p")
                .output()
                .is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).contains(name))
    };
    file("libpapi.so.7.0") && file("libsde.so.1")
}

#[test]
fn the_real_papi_reads_the_counters_of_the_emulator() {
    let folder = std::env::var("ODONATA_TEST_PAPI").unwrap_or_default();
    if !found(&folder) {
        eprintln!("skipped: PAPI is missing; on Debian: apt-get install libpapi7.0 libsde1");
        return;
    }
    let libraries = format!("{}:{folder}", crate::programs::libraries().display());
    let reports = crate::programs::scratch("real-papi");
    let run = preloaded()
        .with("LD_LIBRARY_PATH", &libraries)
        .with("ODONATA_UGNI_SDE", "1")
        .with("ODONATA_ARIES_PAPI", "libpapi.so.7.0")
        .with("ODONATA_ARIES_REPORT", &reports.display().to_string());
    let (out, code, error) = script(&run, &["put:65536:0:30"]);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("sent 1 0 0 29 "), "{out}");
    let file = std::fs::read_dir(&reports)
        .expect("the folder is made")
        .next();
    let path = file.expect("there is one").expect("it can be read").path();
    let text = std::fs::read_to_string(path).expect("it is whole");
    assert!(text.contains("\"observations\": 30,"), "{text}");
}
