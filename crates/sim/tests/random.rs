//! Configurations drawn at random, odd ones included: each is refused with a sentence, or runs to
//! an end whose books balance, bit by bit the same on one and on three threads.

use crate::support::{Traces, US, Unattended, check_books, fingerprint, text};
use odonata_sim::{Config, check, run};
use odonata_units::{Purpose, Stream};
use serde_json::{Value, json};

/// Draws from a few values, so that coincidences happen.
struct Dice(Stream);

impl Dice {
    fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        let bound = u32::try_from(values.len()).unwrap_or(u32::MAX);
        values[self.0.below(bound) as usize].clone()
    }

    fn link(&mut self) -> Value {
        let mut bandwidth =
            self.pick(&[25_000_000_000_u64, 12_345_678_901, 100_000_000_000, 1 << 33]);
        let mut latency = self.pick(&[10_000_u64, 10_000, 30_000, 77_777, 300_000]);
        // Once in a while: nothing gets through in time, no look-ahead, a long wheel.
        match self.0.below(100) {
            0 => bandwidth = 7,
            1 => latency = 0,
            2 => latency = 1,
            3 => latency = 5_000_000,
            _ => {}
        }
        json!({"bandwidth_bytes_per_s": bandwidth, "latency_ps": latency})
    }

    /// g, a, p, h; the last one has too few global ports.
    fn topology(&mut self) -> Value {
        let (g, a, p, h) = self.pick(&[
            (1, 1, 20, 0),
            (1, 6, 3, 0),
            (2, 1, 9, 1),
            (2, 3, 2, 2),
            (3, 4, 3, 3),
            (5, 2, 3, 4),
            (6, 3, 2, 2),
            (9, 4, 2, 2),
            (9, 4, 1, 5),
            (9, 2, 2, 2),
        ]);
        json!({
            "kind": "dragonfly", "groups": g, "routers_per_group": a, "nodes_per_router": p,
            "global_ports_per_router": h,
            "arrangement": self.pick(&["absolute", "relative", "circulant"]),
        })
    }

    fn system(&mut self) -> Value {
        let packet = self.pick(&[20_u32, 64, 512, 512, 1_500, 4_096]);
        let flit = self.pick(&[1_u32, 16, 128, 128, 600]);
        let buffers = [2_048_u64, 8_192, 15_360, 65_536];
        json!({
            "topology": self.topology(),
            "links": {"host": self.link(), "local": self.link(), "global": self.link()},
            "router": {
                "architecture": self.pick(&["voq", "cioq"]),
                "latency_ps": self.pick(&[0_u64, 1, 20_000, 20_000, 20_000, 100_000]),
                "credit_delay_ps": self.pick(&[0_u64, 20_000, 33_333]),
                "input_buffer_bytes": self.pick(&buffers),
                "output_buffer_bytes": self.pick(&buffers),
                "speedup": self.pick(&[1, 2, 4]),
                "arbitration": self.pick(&["round-robin", "oldest-first"]),
                "switching": self.pick(&["cut-through", "store-and-forward"]),
            },
            "packet": {
                "size_bytes": packet, "flit_bytes": flit,
                "header_bytes": self.pick(&[0_u32, 0, 16]),
                "delivery": self.pick(&["tail", "head"]),
            },
            "nic": {"buffer_packets": self.pick(&[0, 1, 2, 30])},
            "mpi": {"preset": self.pick(&["firefly-kang2022", "ideal"])},
        })
    }

    fn routing(&mut self) -> Value {
        let algorithm = self.pick(&[
            "minimal",
            "valiant-group",
            "valiant-node",
            "ugal-g",
            "ugal-n",
            "par",
            "booksim-ugal",
        ]);
        let mut routing = json!({"algorithm": algorithm});
        if matches!(algorithm, "ugal-g" | "ugal-n" | "par" | "booksim-ugal") && self.0.below(3) == 0
        {
            routing["estimate"] = json!(self.pick(&["queued", "in-use", "both"]));
            routing["minimal_candidates"] = json!(self.pick(&[1, 2]));
            routing["nonminimal_candidates"] = json!(self.pick(&[1, 3]));
            routing["bias"] = json!(self.pick(&[-5, 0, 7]));
        }
        routing
    }

    fn workload(&mut self) -> Value {
        let ranks = self.pick(&[2_u32, 3, 4, 6, 8]);
        let iterations = self.pick(&[1, 2]);
        let bytes = self.pick(&[1_u64, 100, 5_000, 13_000]);
        match self.0.below(6) {
            0 => json!({"kind": "halo3d", "ranks": ranks, "iterations": iterations, "face": bytes}),
            1 => json!({"kind": "fft3d", "ranks": ranks, "nx": 24, "ny": 24, "nz": 24,
                        "iterations": iterations}),
            2 => json!({"kind": "allreduce", "ranks": ranks, "iterations": iterations,
                        "message": bytes, "compute": 100_000}),
            3 => json!({"kind": "uniform-random", "ranks": ranks, "iterations": iterations,
                        "message": bytes}),
            _ => json!({
                "kind": "open-loop", "ranks": ranks, "load": self.pick(&[0.01, 0.4, 1.0, 3.0]),
                "pattern": self.pick(&[
                    "uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group",
                ]),
                "message": bytes, "arrival": self.pick(&["exponential", "bernoulli", "fixed"]),
                "shift": self.pick(&[1, 2, 100]),
            }),
        }
    }

    fn jobs(&mut self) -> Value {
        let number = self.pick(&[1_usize, 1, 2, 3]);
        let jobs = (0..number).map(|index| {
            json!({
                "name": format!("job {index}"),
                "role": self.pick(&["victim", "aggressor", "background"]),
                "placement": {"kind": self.pick(&["contiguous", "random-node"])},
                "workload": self.workload(),
                "muted": self.0.below(8) == 0,
            })
        });
        Value::Array(jobs.collect())
    }

    fn config(&mut self, seed: u64) -> Config {
        let jobs = self.jobs();
        let measure = (self.0.below(8) > 0).then(|| {
            json!({
                "warm_up_ps": self.pick(&[0_u64, 1, US]),
                "window_ps": self.pick(&[1_u64, US, 3 * US]),
                "drain_ps": self.pick(&[0_u64, 10 * US]),
            })
        });
        let value = json!({
            "seed": seed,
            "system": self.system(),
            "routing": self.routing(),
            "jobs": jobs,
            "measure": measure,
            "stop": {"time_ps": self.pick(&[1_u64, 5 * US, 40 * US])},
            "telemetry": {"packet_sample": self.pick(&[0, 1, 5]), "series_bin_ps": 10_000,
                          "link_series": self.pick(&[false, true])},
        });
        match serde_json::from_value(value) {
            Ok(config) => config,
            Err(error) => unreachable!("the configurations of this test are complete: {error}"),
        }
    }
}

/// What became of a configuration.
fn try_one(seed: u64) -> String {
    let config = Dice(Stream::new(seed, Purpose::Program, 0)).config(seed);
    let traces = Traces::new();
    let checked = check(&config, &crate::support::inputs(&traces));
    let one = match run(&config, &crate::support::inputs(&traces), 1, &Unattended) {
        Ok(one) => one,
        Err(error) => {
            assert!(
                !error.message.is_empty() && !error.path.is_empty(),
                "seed {seed}"
            );
            assert!(
                checked.is_err(),
                "seed {seed}: `check` accepts what `run` refuses: {error}"
            );
            return "refused".to_owned();
        }
    };
    assert!(
        checked.is_ok(),
        "seed {seed}: `run` accepts what `check` refuses: {checked:?}"
    );
    check_books(&one, seed);
    let three = crate::support::outcome(&config, &traces, 3);
    assert!(
        fingerprint(&one) == fingerprint(&three),
        "seed {seed}: threads show"
    );
    text(&one, "/stop").to_owned()
}

#[test]
fn random_configurations_run_or_are_refused() {
    let ends: Vec<_> = (0..400).map(try_one).collect();
    let number = |wanted: &str| ends.iter().filter(|end| *end == wanted).count();
    let numbers = ["finished", "time-limit", "refused", "stalled"].map(number);
    assert!(
        numbers[0] > 40 && numbers[1] > 40,
        "finished, time-limit, refused, stalled: {numbers:?}"
    );
    assert_eq!(numbers[3], 0, "nothing may stall: {numbers:?}");
    assert_eq!(numbers.iter().sum::<usize>(), ends.len());
}
