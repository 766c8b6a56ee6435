//! Inference by two pools: times of tokens, batches and bytes by formulas.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use odonata_mpi::RankReport;
use serde_json::{Value, json};

use crate::training::run_kind;

const US: u64 = 1_000_000;
const MS: u64 = 1_000 * US;

/// Two layers that take 1 ms to be read and 1 us for each token, over the ranks of a group.
fn spec(changes: &Value) -> Value {
    let mut spec = json!({"ranks": 2, "tensor": 1, "model": "llama-3-8b", "layers": 2,
                          "memory": 500_000_000_000_u64, "flops": 5e14, "arrival": "fixed",
                          "rate": 1.0, "requests": 4, "prompt": 4_000, "output": 5});
    for (key, value) in changes.as_object().unwrap() {
        spec[key] = value.clone();
    }
    spec
}

fn run(changes: &Value, bandwidth: Option<u64>) -> Vec<RankReport> {
    run_kind("inference", &spec(changes), 1, bandwidth).unwrap()
}

/// Times of the iterations of a rank, ps.
fn times(report: &RankReport) -> Vec<u64> {
    let spans = report.iterations.iter();
    spans.map(|one| (one.end - one.start).ps()).collect()
}

/// One request in a second: nobody waits for anybody.
#[test]
fn a_request_alone_takes_its_layers() {
    for tensor in [1, 2, 4] {
        let reports = run(
            &json!({"ranks": 3 * tensor, "tensor": tensor, "prefill": 1}),
            None,
        );
        let share = |time: u64| time / tensor;
        for (rank, report) in (0..).zip(&reports) {
            if rank < tensor {
                assert_eq!(
                    times(report),
                    [share(8 * MS); 4],
                    "4,000 tokens in 2 layers"
                );
                let starts = report.iterations.iter().map(|one| one.start.ps());
                assert!(starts.eq((1..5).map(|second| second * 1_000 * MS)));
            } else {
                // The first token is that of the prompt, and each group has two requests.
                assert_eq!(times(report), [share(2 * MS); 2 * 4], "read for one token");
            }
            assert!(report.finished);
        }
    }
}

/// Requests that come faster than they are computed wait: the time to the first token is theirs.
#[test]
fn the_time_to_the_first_token_begins_with_the_arrival() {
    let reports = run(&json!({"rate": 200.0}), None);
    let queued = |index: u64| 8 * MS + index * (8 - 5) * MS;
    assert_eq!(times(&reports[0]), [0, 1, 2, 3].map(queued));
    let waited: u64 = reports[0]
        .iterations
        .iter()
        .map(|one| one.comm_time.ps())
        .sum();
    assert_eq!(
        waited,
        (1 + 2 + 3) * 3 * MS,
        "computation of others counts as its own"
    );
}

/// Those whose caches are there are decoded together.
#[test]
fn requests_join_the_batch_between_two_tokens() {
    // Prefilled every 7.8 ms, decoded for 20 ms: 10 steps of 2 ms each.
    let spec = |batch: u64| json!({"rate": 1e6, "prompt": 3_900, "output": 11, "batch": batch});
    let together = run(&spec(64), None);
    // The last cache is there after 23.4 ms of decoding, in the 12th step, and takes 10 more.
    assert_eq!(times(&together[1]), [2 * MS; 12 + 10]);
    let alone = run(&spec(1), None);
    assert_eq!(times(&alone[1]), [2 * MS; 40]);
}

/// A cache that is under way for long keeps nobody waiting: its request joins when it is there.
#[test]
fn a_late_cache_stops_no_batch() {
    // A cache of 2 x 16.4 MB takes 16.4 ms at 2 GB/s.
    let bandwidth = Some(2_000_000_000);
    let reports = run(&json!({"rate": 1e6, "output": 101}), bandwidth);
    let first_token = times(&reports[0]);
    assert!(
        first_token.iter().all(|time| *time > 16 * MS),
        "{first_token:?}"
    );
    let steps = times(&reports[1]);
    assert_eq!(steps.iter().max(), Some(&(2 * MS)));
    assert!(steps.len() > 100 && steps.len() < 400, "{}", steps.len());
}

/// Caches, sums of halves of layers, and notes.
#[test]
fn bytes_are_those_of_tokens() {
    let (tensor, requests, layers, prompt, output) = (4_u64, 7, 3, 1_000, 9);
    let spec = json!({"ranks": 5 * tensor, "tensor": tensor, "prefill": 2, "layers": layers,
                      "requests": requests, "prompt": prompt, "output": output, "rate": 300.0,
                      "arrival": "exponential"});
    let reports = run(&spec, Some(25_000_000_000));
    let steps: u64 = (2..5)
        .map(|group| {
            reports[usize::try_from(group * tensor).unwrap()]
                .iterations
                .len() as u64
        })
        .sum();
    let caches = requests * prompt * layers * 2 * 8 * 128 * 2;
    // Two rings for each layer, of 4,096 numbers for each token.
    let sums = requests * (prompt + output - 1) * layers * 2 * (2 * (tensor - 1)) * 8_192;
    let notes = 64 * (requests + (tensor - 1) * (steps + requests));
    let sent: u64 = reports.iter().map(|one| one.payload_bytes_sent).sum();
    assert_eq!(sent, caches + sums + notes);
    assert_eq!(run(&spec, Some(25_000_000_000)), reports, "the same again");
    let mut scaled = spec;
    scaled["size_scale"] = json!(0.5);
    let sent = run(&scaled, None)
        .iter()
        .map(|one| one.payload_bytes_sent)
        .sum::<u64>();
    assert!(sent < (caches + sums) / 2 + 1_000_000 && sent > (caches + sums) / 2);
}

/// Poisson arrivals and drawn lengths have their means; seeds differ.
#[test]
#[expect(clippy::cast_precision_loss, reason = "picoseconds are far below 2^53")]
fn requests_are_drawn_from_the_seed() {
    let spec = spec(
        &json!({"requests": 4_000, "rate": 10.0, "arrival": "exponential",
                            "lengths": "exponential", "layers": 1, "prompt": 50, "output": 20}),
    );
    let drawn = |seed| run_kind("inference", &spec, seed, None).unwrap();
    let reports = drawn(1);
    // The mean of 4,000 exponential draws is off by more than 6.4 % once in 20,000 seeds.
    let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 0.064, "{found}");
    let arrived = reports[0].iterations.iter().map(|one| one.start.ps());
    near(arrived.max().unwrap() as f64 / 4e15, 0.1);
    // Rounded down, and 2 at least.
    let tokens: u64 = drawn(1)[1].iterations.len() as u64;
    assert!((40_000..4_000 * 20).contains(&tokens), "{tokens}");
    let starts = |reports: &[RankReport]| reports[0].iterations.clone();
    assert_ne!(starts(&drawn(2)), starts(&reports));
    assert_eq!(starts(&drawn(1)), starts(&reports));
}

#[test]
fn pools_that_do_not_fit_are_refused_with_a_remedy() {
    let refused = |changes: Value, parts: &[&str]| {
        let error = run_kind("inference", &spec(&changes), 1, None).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{part:?} in {error:?}");
        }
    };
    refused(
        json!({"ranks": 4, "tensor": 4}),
        &["4 ranks", "`ranks = 8`"],
    );
    refused(
        json!({"ranks": 13, "tensor": 4}),
        &["13 ranks", "`ranks = 12`"],
    );
    refused(
        json!({"prefill": 2}),
        &["none is left to decode", "to 1 at most"],
    );
    refused(
        json!({"model": "lama-3-8b"}),
        &["did you mean `llama-3-8b`?"],
    );
    refused(json!({"output": 1}), &["`output`", "at least 2"]);
}
