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

/// What makes a process run on core `core` and go before others, where that is allowed.
fn alone(core: u16) -> Option<[String; 6]> {
    let words = ["nice", "-n", "-10", "taskset", "-c", &core.to_string()].map(str::to_owned);
    let tried = Command::new(&words[0])
        .args(&words[1..])
        .arg("true")
        .output();
    tried
        .is_ok_and(|done| done.status.success())
        .then_some(words)
}

/// Microseconds per transfer of `fi_pingpong` over tcp between two processes, by size of message:
/// in a long run of all sizes, each process on a core of its own.
fn pingpong(run: &Run, port: u16) -> Vec<f64> {
    let port = port.to_string();
    let sizes = if is_long() {
        ["-S", "all", "-I", "100"]
    } else {
        ["-S", "1024", "-I", "400"]
    };
    let start = |core: u16, more: &[&str]| {
        let wrapper = if is_long() { alone(core) } else { None };
        let mut all: Vec<&str> = wrapper.iter().flatten().map(String::as_str).collect();
        all.extend(["fi_pingpong", "-p", "tcp", "-e", "rdm"]);
        let mut command = Command::new(all[0]);
        command.args(&all[1..]).args(sizes).args(more);
        // Others take their time to find that there is no hardware of theirs.
        command.env("FI_PROVIDER", "tcp,ofi_rxm");
        for (name, value) in &run.variables {
            command.env(name, value);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    };
    let mut server = start(0, &["-B", &port]);
    // The client tries until the server listens.
    let mut said = String::new();
    for _ in 0..200 {
        let client = start(1, &["-P", &port, "127.0.0.1"]);
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
    let rows = said.lines().skip_while(|line| !line.starts_with("bytes"));
    let time = |line: &str| line.split_whitespace().nth(6)?.parse().ok();
    let times: Option<Vec<f64>> = rows.skip(1).map(time).collect();
    let times = times.expect("the seventh column is the time of a transfer");
    assert!(!times.is_empty(), "{said}");
    times
}

/// Median, and the interval that contains that of the population with at least 95 %: order
/// statistics, so that nothing is assumed of the distribution.
fn median(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    // As many values at each end are left out as P(Binomial(n, 1/2) < left out) <= 2.5 % allows.
    let all = i32::try_from(count).expect("a number of runs");
    let (mut chance, mut below, mut left_out) = (0.5_f64.powi(all), 0.0, 0);
    while below + chance <= 0.025 {
        below += chance;
        left_out += 1;
        chance *= f64::from(all - left_out + 1) / f64::from(left_out);
    }
    let low = usize::try_from(left_out).map_or(0, |places| places.saturating_sub(1));
    let middle = 0.5 * (values[(count - 1) / 2] + values[count / 2]);
    (middle, values[low], values[count - 1 - low])
}

#[test]
fn the_interval_of_a_median_is_that_of_tables() {
    // That is from the 8th to the 18th of 25 values, from the 41st to the 61st of 101.
    for (count, low, high) in [(25, 8.0, 18.0), (101, 41.0, 61.0)] {
        let values = (1..=count).rev().map(f64::from).collect();
        assert_eq!(median(values), (f64::from(count + 1) / 2.0, low, high));
    }
}

/// Sizes that are compared in a long run: 1 B to 16 KiB, the second to the 24th of `fi_pingpong`.
/// The first warms up, and what is larger takes its time in the kernel.
const COMPARED: std::ops::Range<usize> = 1..24;

/// Pairs of runs one behind the other, with and without the library, the order in turns: what the
/// machine does besides comes to both. Of a pair the median over the sizes counts, since other work
/// disturbs a few of them much.
#[test]
fn pingpong_over_tcp_is_as_fast() {
    if !has_libfabric() || !has("fi_pingpong", "libfabric-bin") {
        return;
    }
    let pairs = if is_long() { 121 } else { 2 };
    let first = 20_000 + u16::try_from(std::process::id() % 20_000).unwrap_or(0);
    let compared = if is_long() { COMPARED } else { 0..1 };
    let (mut differences, mut plain_times) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        let plain = || pingpong(&Run::plain(), first + 2 * pair);
        let with = || pingpong(&loaded(), first + 2 * pair + 1);
        let (plain, with) = if pair % 2 == 0 {
            (plain(), with())
        } else {
            let with = with();
            (plain(), with)
        };
        let each = plain[compared.clone()].iter().zip(&with[compared.clone()]);
        let each = each.map(|(plain, with)| 100.0 * (with / plain - 1.0));
        differences.push(median(each.collect()).0);
        plain_times.push(median(plain[compared.clone()].to_vec()).0);
    }
    let (middle, low, high) = median(differences);
    // Nothing of the provider is replaced (above): only many pairs can say more.
    if is_long() {
        println!(
            "fi_pingpong over tcp, {} sizes, {pairs} pairs: {:.2} us, with the library \
             {middle:+.2} % ({low:+.2} to {high:+.2} with 95 %)",
            compared.len(),
            median(plain_times).0
        );
        assert!(middle <= 2.0, "{middle} ({low} to {high})");
    }
}
