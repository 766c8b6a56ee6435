//! Everything at once, at the edge: random configurations over the whole registry with extreme
//! delays, rates, sizes, costs and counts. Each is refused with a sentence, or runs to an end that
//! is no stall, whose books balance, bit by bit the same on one, two and three threads.
//!
//! The tests of this workspace check every overflow and every debug assertion. `fuzz/attack.py`
//! does the same for whole scenarios, without end.

use crate::support::{Traces, Unattended, check_books, fingerprint, inputs, outcome, text};
use odonata_routing::registry::{ENTRIES, Entry};
use odonata_sim::{Config, check, run};
use odonata_units::{Purpose, Stream};
use serde_json::{Value, json};

struct Dice(Stream);

impl Dice {
    fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        let bound = u32::try_from(values.len()).unwrap_or(u32::MAX);
        values[self.0.below(bound) as usize].clone()
    }

    fn percent(&mut self, share: u32) -> bool {
        self.0.below(100) < share
    }

    /// From `least` to `most`, every order of magnitude as likely as any other.
    fn any(&mut self, least: u64, most: u64) -> u64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a draw"
        )]
        let drawn = {
            let (low, high) = ((least.max(1) as f64).ln(), (most as f64).ln());
            (low + (high - low) * self.0.unit()).exp() as u64
        };
        drawn.clamp(least, most)
    }

    /// Ends of the range a little more often.
    fn edge(&mut self, least: u64, most: u64) -> u64 {
        match self.0.below(10) {
            0 => least,
            1 => most,
            _ => self.any(least, most),
        }
    }

    fn topology(&mut self, families: &[&str]) -> Value {
        let small = |dice: &mut Self, most| dice.any(1, most);
        match self.pick(families) {
            "aries" => {
                let rows = small(self, 4);
                json!({
                    "kind": "aries", "groups": small(self, 5), "rows": rows,
                    "columns": self.any(2, 5), "nodes_per_router": small(self, 3),
                    "column_links": small(self, 3), "global_ports_per_router": small(self, 4),
                    "chassis_per_cabinet": 1,
                })
            }
            "megafly" => json!({
                "kind": "megafly", "groups": small(self, 6),
                "leaf_routers_per_group": small(self, 4), "spine_routers_per_group": small(self, 4),
                "nodes_per_leaf": small(self, 4), "links_per_group_pair": small(self, 4),
            }),
            _ => {
                let (routers, ports) = (small(self, 6), small(self, 3));
                json!({
                    "kind": "dragonfly", "groups": small(self, routers * ports + 1),
                    "routers_per_group": routers, "nodes_per_router": small(self, 4),
                    "global_ports_per_router": ports,
                    "arrangement": self.pick(&["absolute", "relative", "circulant"]),
                })
            }
        }
    }

    /// Delays of about `scale` ps, most of them.
    fn delay(&mut self, scale: u64) -> u64 {
        match self.0.below(12) {
            0 => 0,
            1 => self.any(1, scale * 5_000),
            _ => self.any(scale, scale * 100),
        }
    }

    fn link(&mut self, scale: u64) -> Value {
        let bandwidth = if self.percent(90) {
            self.any(1_000_000_000, 200_000_000_000)
        } else {
            self.edge(1, 2_000_000_000_000_000)
        };
        json!({"bandwidth_bytes_per_s": bandwidth, "latency_ps": self.delay(scale)})
    }

    fn mpi(&mut self) -> Value {
        let mut mpi = json!({"preset": self.pick(&["firefly-kang2022", "codes", "ideal"])});
        let costs = [
            "call_enter",
            "call_return",
            "send_setup",
            "send_copy_per_byte",
            "receive_copy",
            "receive_copy_per_byte",
            "match_each",
            "register",
            "register_per_page",
            "acknowledge",
            "host_to_nic",
            "nic_to_host",
            "nic_send",
            "nic_send_per_byte",
            "nic_match",
            "nic_get",
        ];
        for _ in 0..self.0.below(4) {
            let most = self.pick(&[1_000_000_u64, 1 << 40, i64::MAX.unsigned_abs()]);
            mpi[self.pick(&costs)] = json!(self.edge(0, most));
        }
        if self.percent(30) {
            mpi["eager_limit"] = json!(self.edge(0, 1 << 62));
            mpi["ack_header"] = json!(self.pick(&[0, 16]));
        }
        mpi
    }

    fn system(&mut self, families: &[&str], scale: u64) -> Value {
        let flit = self.pick(&[1_u64, 8, 16, 128, 128, 512]);
        let packet = (flit * self.any(1, 64)).min(65_535);
        let mut buffer = || json!(packet * self.any(1, 200) + self.any(0, flit));
        let buffers = [buffer(), buffer(), buffer(), buffer()];
        let [input, host, global, output] = buffers;
        let mut system = json!({
            "topology": self.topology(families),
            "links": {"host": self.link(scale), "local": self.link(scale),
                      "global": self.link(scale)},
            "router": {
                "architecture": self.pick(&["voq", "cioq"]), "latency_ps": self.delay(scale),
                "credit_delay_ps": self.delay(scale), "input_buffer_bytes": input,
                "host_buffer_bytes": host, "global_buffer_bytes": global,
                "output_buffer_bytes": output, "speedup": self.edge(1, 100),
                "arbitration": self.pick(
                    &["round-robin", "oldest-first", "highest-vc", "lowest-vc"]),
                "switching": self.pick(&["cut-through", "store-and-forward"]),
            },
            "packet": {
                "size_bytes": packet, "flit_bytes": flit,
                "header_bytes": if self.percent(30) { self.any(0, packet) } else { 0 },
                "delivery": self.pick(&["tail", "head"]),
            },
            "nic": {"buffer_packets": self.edge(1, 100)},
            "mpi": self.mpi(),
        });
        if system["router"]["architecture"] == "voq" && self.percent(20) {
            system["router"]["credit_return"] = json!("reservation");
        }
        if self.percent(25) {
            system["nic"]["response_bytes"] = json!(self.any(1, packet));
            system["nic"]["outstanding"] = json!(self.edge(0, 20));
        }
        if self.percent(25) {
            let count = self.any(1, 4);
            let share = 1_000_000 / count;
            let class = |index| json!({"name": format!("c{index}"), "cap_ppm": share});
            system["qos"] = json!({
                "window_ps": self.edge(1, 1_000_000_000_000),
                "monitor": self.pick(&["static", "sliding", "token-bucket"]),
                "classes": (0..count).map(class).collect::<Vec<_>>(),
            });
        }
        system
    }

    /// A routing with parameters at their edges.
    fn routing(&mut self, entry: &Entry) -> Value {
        let mut routing = json!({"algorithm": entry.name});
        for name in entry.parameters {
            if self.percent(80) {
                continue;
            }
            routing[*name] = match *name {
                "weights" => json!(self.pick(&["scale", "hops"])),
                "estimate" => json!(self.pick(&["queued", "in-use", "both"])),
                "bias" | "bias_step" => json!(self.pick(&[-1_000_000_i64, -5, 0, 7, 1_000_000])),
                "learning_rate_good"
                | "learning_rate_bad"
                | "epsilon"
                | "threshold_source"
                | "threshold_intermediate" => json!(self.pick(&[0.0, 0.01, 0.5, 1.0])),
                "source_leaf_consider_nonmin" | "int_spine_consider_min" => {
                    json!(self.percent(50))
                }
                "minimal_candidates" | "nonminimal_candidates" | "global_candidates" => {
                    json!(self.pick(&[1, 2, 3, 8]))
                }
                "scale" => json!(self.edge(1, 1_000)),
                _ => json!(self.edge(0, 10_000)),
            };
        }
        routing
    }

    fn workload(&mut self, nodes: u64, scale: u64) -> Value {
        let ranks = self.any(1, nodes.clamp(1, 24));
        let iterations = self.pick(&[1_u64, 2, 5, 1 << 40]);
        let message = self.pick(&[1_u64, 8, 5_000, 1 << 20, 1 << 42, 1 << 62]);
        let compute = self.pick(&[0, scale, scale * 1_000, 1 << 62]);
        match self.0.below(8) {
            0 => json!({"kind": "halo3d", "ranks": ranks, "iterations": iterations,
                        "face": message, "overlap": self.percent(50)}),
            1 => json!({"kind": "fft3d", "ranks": ranks, "nx": self.any(1, 64), "ny": 24, "nz": 24,
                        "iterations": iterations}),
            2 => json!({"kind": "allreduce", "ranks": ranks, "iterations": iterations,
                        "message": message, "compute": compute}),
            3 => json!({"kind": "uniform-random", "ranks": ranks, "iterations": iterations,
                        "message": message, "compute": compute}),
            4 => json!({"kind": "milc", "ranks": ranks, "iterations": iterations,
                        "compute": compute}),
            _ => json!({
                "kind": "open-loop", "ranks": ranks.max(2),
                "load": self.pick(&[1e-9, 0.01, 0.4, 1.0, 3.0, 1e6]),
                "pattern": self.pick(&[
                    "uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group",
                ]),
                "message": self.pick(&[1_u64, 100, 5_000, 1 << 40]),
                "arrival": self.pick(&["exponential", "bernoulli", "fixed"]),
                "shift": self.edge(0, u64::MAX),
            }),
        }
    }

    /// Jobs that fit on so many nodes together.
    fn jobs(&mut self, nodes: u64, scale: u64) -> Value {
        let number = self.pick(&[1_u64, 1, 2, 3]);
        let jobs = (0..number).map(|index| {
            json!({
                "name": format!("job {index}"),
                "role": self.pick(&["victim", "victim", "aggressor", "background"]),
                "placement": {"kind": self.pick(&["contiguous", "random-node"])},
                "workload": self.workload(nodes / number, scale),
                "muted": self.percent(6),
            })
        });
        Value::Array(jobs.collect())
    }

    fn config(&mut self, seed: u64) -> Config {
        let entry = self.pick(&ENTRIES.iter().collect::<Vec<_>>());
        let families: Vec<&str> = entry
            .families
            .iter()
            .copied()
            .filter(|f| *f != "file")
            .collect();
        let scale = self.pick(&[20_u64, 10_000, 10_000, 1_000_000, 1_000_000_000]);
        let system = self.system(&families, scale);
        let jobs = self.jobs(nodes(&system["topology"]), scale);
        let measure = (self.percent(60) || !ends(&jobs)).then(|| {
            json!({
                "warm_up_ps": self.edge(0, scale * 300), "window_ps": self.edge(1, scale * 500),
                "drain_ps": self.edge(0, scale * 1_000),
            })
        });
        let stop = self
            .edge(1, scale * 2_000)
            .min(window(&system) * 10_000)
            .max(1);
        let value = json!({
            "seed": seed, "system": system, "routing": self.routing(entry),
            "jobs": jobs, "measure": measure,
            "stop": {"time_ps": stop},
            "telemetry": {"packet_sample": self.pick(&[0, 1, 5]),
                          "series_bin_ps": self.edge(1, i64::MAX.unsigned_abs())},
        });
        match serde_json::from_value(value) {
            Ok(config) => config,
            Err(error) => unreachable!("the configurations of this test are complete: {error}"),
        }
    }
}

/// Nodes of a topology.
fn nodes(topology: &Value) -> u64 {
    let keys: &[&str] = match topology["kind"].as_str() {
        Some("aries") => &["groups", "rows", "columns", "nodes_per_router"],
        Some("megafly") => &["groups", "leaf_routers_per_group", "nodes_per_leaf"],
        _ => &["groups", "routers_per_group", "nodes_per_router"],
    };
    keys.iter()
        .filter_map(|key| topology[*key].as_u64())
        .product()
}

/// Whether a job ends the run by itself.
fn ends(jobs: &Value) -> bool {
    jobs.as_array()
        .into_iter()
        .flatten()
        .any(|job| job["role"] == "victim" && job["workload"]["kind"] != "open-loop")
}

/// About the safe window of a system, ps: a run of so many windows is short.
fn window(system: &Value) -> u64 {
    let ps = |pointer: &str| system.pointer(pointer).and_then(Value::as_u64).unwrap_or(0);
    let links = ["host", "local", "global"].map(|kind| ps(&format!("/links/{kind}/latency_ps")));
    let behind = ps("/router/latency_ps").min(ps("/router/credit_delay_ps"));
    links.into_iter().min().unwrap_or(0) + behind
}

/// What became of a configuration.
fn try_one(seed: u64) -> String {
    let config = Dice(Stream::new(seed, Purpose::Program, 1)).config(seed);
    let traces = Traces::new();
    let checked = check(&config, &inputs(&traces)).map(|_| ());
    let one = match run(&config, &inputs(&traces), 1, &Unattended) {
        Ok(one) => one,
        Err(error) => {
            assert!(
                !error.message.is_empty() && !error.path.is_empty(),
                "seed {seed}"
            );
            assert_eq!(checked, Err(error), "seed {seed}");
            return "refused".to_owned();
        }
    };
    assert_eq!(
        checked,
        Ok(()),
        "seed {seed}: `run` accepts what `check` refuses"
    );
    check_books(&one, seed);
    for threads in [2, 3] {
        let other = outcome(&config, &traces, threads);
        assert!(
            fingerprint(&one) == fingerprint(&other),
            "seed {seed}: {threads} threads show"
        );
    }
    text(&one, "/stop").to_owned()
}

#[test]
fn configurations_at_the_edge_run_or_are_refused() {
    let ends: Vec<_> = (0..300)
        .map(|seed| {
            let end = try_one(seed);
            assert_ne!(end, "stalled", "seed {seed}");
            end
        })
        .collect();
    let number = |wanted: &str| ends.iter().filter(|end| *end == wanted).count();
    let numbers = ["finished", "time-limit", "refused"].map(number);
    assert!(
        numbers.iter().all(|number| *number > 20),
        "finished, time-limit, refused: {numbers:?}"
    );
}
