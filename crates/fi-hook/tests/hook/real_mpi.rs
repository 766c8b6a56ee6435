//! Programs of MPI: Open MPI over libfabric, and MPICH, whose package here has no libfabric.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{Run, has, has_libfabric, library, number, preloaded, scratch, told};

/// Compiles a program of MPI; `None` where the compiler is missing.
fn compiled(compiler: &str, package: &str) -> Option<PathBuf> {
    if !has(compiler, package) {
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/mpi_messages.c");
    let target = scratch(&format!("{compiler}-program"));
    let done = Command::new(compiler)
        .arg(source)
        .arg("-o")
        .arg(&target)
        .output();
    let done = done.expect("the compiler starts");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    Some(target)
}

/// Lines of all ranks, in order; the library is loaded into the ranks only.
fn ranks(launcher: &[&str], run: &Run, program: &Path) -> Vec<String> {
    let (first, rest) = launcher.split_first().expect("a launcher");
    let mut words: Vec<String> = rest.iter().map(|&word| word.to_owned()).collect();
    words.push("env".to_owned());
    for (name, value) in &run.variables {
        words.push(format!("{name}={value}"));
    }
    words.push(program.display().to_string());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (out, code, error) = told(&Run::plain().output(Path::new(first), &words));
    assert_eq!(code, Some(0), "{out}{error}");
    let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn openmpi(provider: &str) -> Vec<String> {
    let mut words = vec![
        "mpirun.openmpi",
        "-np",
        "2",
        "--oversubscribe",
        "--allow-run-as-root",
    ];
    words.extend([
        "--mca",
        "mpi_yield_when_idle",
        "1",
        "--mca",
        "pml",
        "cm",
        "--mca",
        "mtl",
        "ofi",
    ]);
    words.extend(["--mca", "mtl_ofi_provider_include", provider]);
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn open_mpi_over_libfabric_is_steered_and_prints_the_same() {
    if !has_libfabric() {
        return;
    }
    let Some(program) = compiled("mpicc.openmpi", "libopenmpi-dev openmpi-bin") else {
        return;
    };
    let launcher = openmpi("fakecxi");
    let launcher: Vec<&str> = launcher.iter().map(String::as_str).collect();
    let plain = ranks(&launcher, &crate::programs::plain(), &program);
    assert_eq!(plain.len(), 2, "{plain:?}");
    let folder = scratch("openmpi-reports");
    let run = preloaded()
        .with("FAKECXI_REORDER", "3")
        .with("ODONATA_FI_EXTENSIONS", "exploration")
        .with("ODONATA_FI_REPORT", &folder.display().to_string());
    assert_eq!(ranks(&launcher, &run, &program), plain);
    let mut reports = 0;
    for file in std::fs::read_dir(&folder).expect("it is made") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("it is whole");
        assert!(number(&text, "decisions") > 20, "{text}");
        assert!(number(&text, "sent_by_way.adaptive-3") > 0, "{text}");
        reports += 1;
    }
    assert_eq!(reports, 2);
}

#[test]
fn open_mpi_over_other_providers_passes_through() {
    if !has_libfabric() {
        return;
    }
    let Some(program) = compiled("mpicc.openmpi", "libopenmpi-dev openmpi-bin") else {
        return;
    };
    let launcher = openmpi("sockets");
    let launcher: Vec<&str> = launcher.iter().map(String::as_str).collect();
    let plain = ranks(&launcher, &Run::plain(), &program);
    let with = Run::plain().with("LD_PRELOAD", &library().display().to_string());
    assert_eq!(ranks(&launcher, &with, &program), plain);
}

#[test]
fn mpich_does_not_notice_the_library() {
    let Some(program) = compiled("mpicc.mpich", "mpich libmpich-dev") else {
        return;
    };
    let launcher = ["mpirun.mpich", "-np", "2"];
    let plain = ranks(&launcher, &Run::plain(), &program);
    assert_eq!(plain.len(), 2);
    let with = Run::plain().with("LD_PRELOAD", &library().display().to_string());
    assert_eq!(ranks(&launcher, &with, &program), plain);
}
