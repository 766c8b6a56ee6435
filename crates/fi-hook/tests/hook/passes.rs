//! Other providers: nothing of theirs is replaced, and `fi_pingpong` is as fast as without.

use std::process::{Command, Stdio};

use crate::programs::{Run, has, has_libfabric, is_long, library, only_report, scratch, words};

fn loaded() -> Run {
    Run::plain().with("LD_PRELOAD", &library().display().to_string())
}

#[test]
fn tables_of_other_providers_stay() {
    if !has_libfabric() {
        return;
    }
    let folder = scratch("sockets-report");
    let run = loaded()
        .with("FI_TEST_PROVIDER", "sockets")
        .with("ODONATA_FI_REPORT", &folder.display().to_string());
    let (out, code, error) = words(&run, &["tables", "send:9000", "burst:100"]);
    assert_eq!(
        (out.as_str(), code, error.as_str()),
        ("tables of the provider\nwrong 0\n", Some(0), "")
    );
    let said = only_report(&folder);
    assert!(said.contains("the first one was sockets"), "{said}");
}

#[test]
fn aliases_of_the_provider_sockets_work() {
    if !has_libfabric() {
        return;
    }
    // It knows no classes: only lanes of the endpoint's own class without an order could be, and
    // their order is refused. What is refused is not used.
    let run = loaded()
        .with("FI_TEST_PROVIDER", "sockets")
        .with("ODONATA_FI_PROVIDERS", "sockets")
        .with("ODONATA_FI", "adaptive-3");
    let (out, code, error) = words(&run, &["send:9000:3", "burst:9000", "write:64"]);
    assert_eq!((out.as_str(), code), ("wrong 0\n", Some(0)), "{error}");
}

/// Seconds per transfer of `fi_pingpong` over tcp between two processes.
fn pingpong(run: &Run, port: u16, transfers: &str) -> f64 {
    let port = port.to_string();
    let words = ["-p", "tcp", "-e", "rdm", "-S", "1024", "-I", transfers];
    let start = |more: &[&str]| {
        let mut command = Command::new("fi_pingpong");
        command.args(words).args(more);
        for (name, value) in &run.variables {
            command.env(name, value);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    };
    let mut server = start(&["-B", &port]);
    // The client tries until the server listens.
    let mut said = String::new();
    for _ in 0..200 {
        let client = start(&["-P", &port, "127.0.0.1"]);
        let done = client.wait_with_output().expect("it ends");
        if done.status.success() {
            said = String::from_utf8_lossy(&done.stdout).into_owned();
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    if said.is_empty() {
        let _ = server.kill();
    }
    let _ = server.wait();
    let last = said.lines().last().unwrap_or_default();
    let field = last
        .split_whitespace()
        .nth(6)
        .and_then(|field| field.parse().ok());
    field.expect("the seventh column is the time of a transfer")
}

#[test]
fn pingpong_over_tcp_is_as_fast() {
    if !has_libfabric() || !has("fi_pingpong", "libfabric-bin") {
        return;
    }
    let (rounds, transfers) = if is_long() { (31, "4000") } else { (2, "400") };
    let (mut plain, mut with) = (f64::INFINITY, f64::INFINITY);
    let first = 20_000 + u16::try_from(std::process::id() % 20_000).unwrap_or(0);
    for round in 0..rounds {
        plain = plain.min(pingpong(&Run::plain(), first + 2 * round, transfers));
        with = with.min(pingpong(&loaded(), first + 2 * round + 1, transfers));
    }
    println!(
        "fi_pingpong over tcp, 1,024 B: {plain} us without, {with} us with the library, {:+.1} %",
        100.0 * (with / plain - 1.0)
    );
    // Nothing of the provider is replaced (above): only a long run on a quiet machine can say more.
    if is_long() {
        assert!(with <= 1.02 * plain, "{with} {plain}");
    }
}
