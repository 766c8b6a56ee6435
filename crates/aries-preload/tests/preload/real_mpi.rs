//! The wrappers of MPI in front of the MPI that is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{libraries, scratch, told};

fn has(tool: &str) -> bool {
    Command::new(tool)
        .arg("--version")
        .output()
        .is_ok_and(|done| done.status.success())
}

/// Compiles with a compiler of MPI; `None` where it is missing.
fn compiled(compiler: &str, source: &str) -> Option<PathBuf> {
    // Open MPI's wrapper calls `gfortran`; Debian may have it with its version only.
    let fortran = ["gfortran", "gfortran-12", "gfortran-14"]
        .into_iter()
        .find(|tool| has(tool));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let target = scratch(&format!("{}-mpi", compiler));
    if !has("mpirun") || !has("mpicc") || compiler == "mpifort" && fortran.is_none() {
        eprintln!(
            "skipped: {compiler} is missing; on Debian: apt-get install libopenmpi-dev \
                   openmpi-bin gfortran"
        );
        return None;
    }
    let mut command = Command::new(compiler);
    if let Some(fortran) = fortran {
        let folder = scratch(&format!("{compiler}-bin"));
        std::fs::create_dir_all(&folder).expect("the folder of tests can be written");
        let found = Command::new("sh")
            .args(["-c", &format!("command -v {fortran}")])
            .output();
        let file = String::from_utf8(found.expect("sh starts").stdout).expect("a path");
        std::os::unix::fs::symlink(file.trim(), folder.join("gfortran")).expect("a link is made");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", folder.display()));
    }
    let done = command.arg(source).arg("-o").arg(&target).output();
    let done = done.expect("the compiler starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(target)
}

/// Runs on three ranks; the library is loaded into the ranks only.
fn ranks(program: &Path, preload: bool) -> (String, Option<i32>, String) {
    let mut command = Command::new("mpirun");
    command.args(["-np", "3"]);
    let version = Command::new("mpirun")
        .arg("--version")
        .output()
        .expect("mpirun starts");
    if String::from_utf8_lossy(&version.stdout).contains("Open MPI") {
        command.args(["--oversubscribe", "--allow-run-as-root"]);
        command.args([
            "--mca",
            "mpi_yield_when_idle",
            "1",
            "--mca",
            "btl",
            "self,vader",
        ]);
    }
    if preload {
        let library = libraries().join("libodonata_aries.so");
        command
            .arg("env")
            .arg(format!("LD_PRELOAD={}", library.display()));
    }
    told(&command.arg(program).output().expect("mpirun starts"))
}

fn same(program: &Path, lines: usize) {
    // What ranks print one after the other may arrive in another order.
    let sorted = |(out, code, error): (String, Option<i32>, String)| {
        let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
        lines.sort();
        (lines, code, error)
    };
    let plain = sorted(ranks(program, false));
    assert_eq!((plain.0.len(), plain.1), (lines, Some(0)), "{plain:?}");
    let loaded = sorted(ranks(program, true));
    assert_eq!((loaded.0, loaded.1), (plain.0, plain.1), "{}", loaded.2);
}

#[test]
fn alltoalls_of_c_pass_through() {
    if let Some(program) = compiled("mpicc", "mpi.c") {
        same(&program, 7 * 3 + 1);
    }
}

#[test]
fn alltoalls_of_fortran_pass_through() {
    if let Some(program) = compiled("mpifort", "mpi.f90") {
        same(&program, 3 * 3);
    }
}
