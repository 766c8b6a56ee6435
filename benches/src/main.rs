//! How many packet-hops a second: one scenario, run and timed.
//!
//! ```text
//! packet-hops [workload=uniform|halo3d|allreduce] [nodes=1056|8320|66048] [routing=minimal] [load=0.5]
//!             [router=voq|cioq] [ns=20000] [face=48000] [iterations=3] [credit=ps]
//!             [answers=false] [congestion=none] [telemetry=true] [blame=false]
//!             [counters=false] [interval=ns] [threads=1] [seed=1]
//! ```
//!
//! `uniform` is open-loop traffic with exponential arrivals on all nodes for `ns` simulated
//! nanoseconds (`routing`, `load`); `halo3d` is an MPI job of 528 ranks on random nodes of 1,056
//! (`face` bytes to each neighbour, `iterations`); `allreduce` is one of 2,197 ranks on random nodes of
//! 8,320, with 8 B by recursive doubling under the costs of `codes` (`iterations`). With `credit`
//! links have no latency and credits take that long; `congestion` is a control at end points, such as
//! `pace` or `nscc`; with `blame` every wait is charged to those who cause it, with `counters` tiles and
//! NICs count as machines do, read every `interval`; without `telemetry` nothing is counted but
//! packet-hops. Prints one `name value` per line. Failure modes: a wrong argument ends with 2 and a sentence.

mod scenario;

use std::process::ExitCode;

use odonata_sim::{Control, Inputs, Outcome, run_alone, run_with_probes};
use odonata_telemetry::{PacketFacts, Probe};
use odonata_units::Instant;
use serde_json::Value;

use scenario::Scenario;

struct Unattended;

impl Control for Unattended {
    fn progress(&self, _: Instant, _: u64, _: f64) {}

    fn interrupted(&self) -> bool {
        false
    }
}

#[expect(clippy::print_stderr, reason = "a program says what is wrong")]
fn main() -> ExitCode {
    match Scenario::parse(std::env::args().skip(1)).and_then(|scenario| measure(&scenario)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("packet-hops: {message}");
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
fn measure(scenario: &Scenario) -> Result<(), String> {
    let config = scenario.config()?;
    let begin = std::time::Instant::now();
    if !scenario.telemetry {
        let inputs = Inputs::default();
        let made = run_with_probes(&config, &inputs, scenario.threads, &Unattended, |_| Hops(0));
        print_hops(&made.map_err(|error| error.to_string())?);
        return Ok(());
    }
    let outcome = run_alone(&config, &Inputs::default(), scenario.threads, &Unattended)
        .map_err(|error| error.to_string())?;
    print(&outcome, begin.elapsed().as_secs_f64());
    Ok(())
}

/// Counts packet-hops, and nothing else.
struct Hops(u64);

impl Probe for Hops {
    #[inline(always)]
    fn delivered(&mut self, packet: &PacketFacts, _: Instant) {
        self.0 += u64::from(packet.hops);
    }

    #[inline(always)]
    fn acknowledged(&mut self, response: &PacketFacts, _: Instant) {
        self.0 += u64::from(response.hops);
    }
}

#[expect(clippy::print_stdout, reason = "results go to standard output")]
fn print_hops(shares: &[Hops]) {
    println!(
        "packet_hops {}",
        shares.iter().map(|share| share.0).sum::<u64>()
    );
}

#[expect(clippy::print_stdout, reason = "results go to standard output")]
#[expect(clippy::cast_precision_loss, reason = "rates")]
fn print(outcome: &Outcome, wall_s: f64) {
    let engine = |key: &str| outcome.summary["engine"][key].as_u64().unwrap_or(0);
    let hops = engine("packet_hops");
    let wall_ns = wall_s * 1e9;
    println!(
        "stop {}",
        outcome.summary["stop"].as_str().unwrap_or_default()
    );
    println!("simulated_ns {}", outcome.summary["simulated_ns"]);
    println!("packets {}", engine("packets"));
    println!("packet_hops {hops}");
    println!("events {}", engine("events"));
    println!(
        "events_per_hop {:.4}",
        engine("events") as f64 / hops as f64
    );
    println!("wall_s {wall_s:.4}");
    println!("mhop_per_s {:.3}", hops as f64 / wall_s / 1e6);
    let messages = messages(outcome);
    println!("messages {messages}");
    println!("mmessage_per_s {:.3}", messages as f64 / wall_s / 1e6);
    println!("ns_per_hop {:.2}", wall_ns / hops as f64);
    let latency = outcome.summary.pointer("/network/packet_latency_ns/mean");
    println!("latency_ns_mean {}", latency.unwrap_or(&Value::Null));
    match peak_memory() {
        Some(bytes) => println!("rss_bytes_max {bytes}"),
        None => println!("rss_bytes_max null"),
    }
}

/// Messages that ranks have sent; 0 where nodes send by themselves.
fn messages(outcome: &Outcome) -> u64 {
    let jobs = outcome.summary["jobs"].as_array();
    let sent = |job: &Value| job["messages_sent"].as_u64().unwrap_or(0);
    jobs.map_or(0, |jobs| jobs.iter().map(sent).sum())
}

/// Largest resident set of this process, bytes; `None` where the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1_024)
}
