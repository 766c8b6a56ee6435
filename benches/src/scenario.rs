//! The fixed scenarios and their arguments.

use odonata_sim::Config;
use serde_json::{Value, json};

/// Shapes by number of nodes: p, a, h, g.
const SHAPES: [(u32, [u32; 4]); 3] = [
    (1_056, [4, 8, 4, 33]),
    (8_320, [8, 16, 8, 65]),
    (66_048, [16, 32, 16, 129]),
];

/// Long enough for any of them, ps.
const END: u64 = 1_000_000_000_000;

/// One scenario, as its arguments say.
#[expect(clippy::struct_excessive_bools, reason = "independent arguments")]
pub(crate) struct Scenario {
    workload: String,
    nodes: u32,
    topology: String,
    classes: u32,
    routing: String,
    load: f64,
    router: String,
    time_ns: u64,
    face_bytes: u64,
    iterations: u64,
    /// Links without latency, routers of 100 ns, and credits that take this long (as in the model
    /// of Mubarak et al. 2019), ps.
    credit_ps: Option<u64>,
    /// Packets are answered: requests of 80 B and responses of 16 B, at most 1,024 of a NIC under
    /// way, as on Aries.
    answers: bool,
    /// Control of congestion at end points, by its name; `none` if there is none.
    congestion: String,
    /// Count what every run counts.
    pub(crate) telemetry: bool,
    /// Charge waits to those who cause them.
    blame: bool,
    /// Count what tiles and NICs count.
    counters: bool,
    /// Time between two readings of the counters, ns; 0: one at the end.
    interval_ns: u64,
    seed: u64,
    /// Threads of the simulator.
    pub(crate) threads: usize,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            workload: "uniform".to_owned(),
            nodes: 1_056,
            topology: "dragonfly".to_owned(),
            classes: 1,
            routing: "minimal".to_owned(),
            load: 0.5,
            router: "voq".to_owned(),
            time_ns: 20_000,
            face_bytes: 48_000,
            iterations: 3,
            credit_ps: None,
            answers: false,
            congestion: "none".to_owned(),
            telemetry: true,
            blame: false,
            counters: false,
            interval_ns: 0,
            seed: 1,
            threads: 1,
        }
    }
}

impl Scenario {
    /// Reads arguments `key=value`; the error is a sentence.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut scenario = Self::default();
        for argument in arguments {
            let Some((key, value)) = argument.split_once('=') else {
                return Err(format!(
                    "`{argument}` is not of the form key=value, such as load=0.5"
                ));
            };
            scenario.set(key, value)?;
        }
        if !["uniform", "halo3d", "allreduce"].contains(&scenario.workload.as_str()) {
            return Err(format!(
                "workload is uniform, halo3d or allreduce, not `{}`",
                scenario.workload
            ));
        }
        Ok(scenario)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "workload" => value.clone_into(&mut self.workload),
            "routing" => value.clone_into(&mut self.routing),
            "router" => value.clone_into(&mut self.router),
            "topology" => value.clone_into(&mut self.topology),
            "classes" => self.classes = number(key, value)?,
            "nodes" => self.nodes = number(key, value)?,
            "load" => self.load = number(key, value)?,
            "ns" => self.time_ns = number(key, value)?,
            "face" => self.face_bytes = number(key, value)?,
            "answers" => self.answers = number(key, value)?,
            "congestion" => value.clone_into(&mut self.congestion),
            "telemetry" => self.telemetry = number(key, value)?,
            "blame" => self.blame = number(key, value)?,
            "counters" => self.counters = number(key, value)?,
            "interval" => self.interval_ns = number(key, value)?,
            "credit" => self.credit_ps = Some(number(key, value)?),
            "iterations" => self.iterations = number(key, value)?,
            "threads" => self.threads = number(key, value)?,
            "seed" => self.seed = number(key, value)?,
            _ => {
                return Err(format!(
                    "there is no `{key}`; known: workload, nodes, topology, classes, routing, \
                     load, router, ns, face, iterations, credit, answers, congestion, telemetry, \
                     blame, counters, interval, threads, seed"
                ));
            }
        }
        Ok(())
    }

    /// The configuration of the run.
    pub(crate) fn config(&self) -> Result<Config, String> {
        let is_uniform = self.workload == "uniform";
        let measure = is_uniform.then(|| {
            json!({"warm_up_ps": 0, "window_ps": self.time_ns.saturating_mul(1_000), "drain_ps": 0})
        });
        let (face, iterations) = (self.face_bytes, self.iterations);
        let (placement, workload) = match self.workload.as_str() {
            "uniform" => (
                "contiguous",
                json!({"kind": "open-loop", "load": self.load, "message": 512}),
            ),
            "halo3d" => (
                "random-node",
                json!({"kind": "halo3d", "ranks": 528, "face": face, "overlap": false,
                       "compute": 0, "iterations": iterations}),
            ),
            _ => (
                "random-node",
                json!({"kind": "allreduce", "ranks": 2_197, "message": 8,
                       "iterations": iterations}),
            ),
        };
        let mut jobs = vec![json!({
            "name": self.workload, "role": "victim", "placement": {"kind": placement},
            "workload": workload,
        })];
        if self.classes == 2 {
            // Every other node in each class.
            for (index, class) in ["high", "low"].into_iter().enumerate() {
                let nodes: Vec<_> = (0..self.nodes).skip(index).step_by(2).collect();
                let mut job = jobs[0].clone();
                job["name"] = json!(class);
                job["class"] = json!(class);
                job["workload"]["ranks"] = json!(nodes.len());
                job["placement"] = json!({"kind": "list", "nodes": nodes});
                jobs.push(job);
            }
            jobs.remove(0);
        }
        let value = json!({
            "seed": self.seed,
            "system": self.system()?,
            "routing": {"algorithm": self.routing},
            "jobs": jobs,
            "measure": measure,
            "stop": {"time_ps": END},
            "telemetry": self.telemetry(),
        });
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    /// What is recorded.
    fn telemetry(&self) -> Value {
        let mut telemetry = json!({"blame": self.blame, "counters": self.counters});
        if self.interval_ns > 0 {
            telemetry["counter_interval_ps"] = json!(self.interval_ns.saturating_mul(1_000));
        }
        telemetry
    }

    /// Links, routers and packets of the presets `dragonfly` and `kang2022-1056`.
    fn system(&self) -> Result<Value, String> {
        let shape = SHAPES.iter().find(|(nodes, _)| *nodes == self.nodes);
        let Some((_, [p, a, h, g])) = shape else {
            return Err(format!("nodes is 1056, 8320 or 66048, not {}", self.nodes));
        };
        let link = |latency: u64| json!({"bandwidth_bytes_per_s": 25_000_000_000_u64, "latency_ps": latency});
        let delivery = if self.router == "cioq" {
            "head"
        } else {
            "tail"
        };
        let topology = match (self.topology.as_str(), self.nodes) {
            ("dragonfly", _) => json!({
                "kind": "dragonfly", "groups": g, "routers_per_group": a, "nodes_per_router": p,
                "global_ports_per_router": h, "arrangement": "absolute",
            }),
            ("aries", 1_056) => json!({
                "kind": "aries", "groups": 11, "rows": 3, "columns": 8, "nodes_per_router": 4,
                "column_links": 3, "global_ports_per_router": 5, "chassis_per_cabinet": 3,
            }),
            ("megafly", 1_056) => json!({
                "kind": "megafly", "groups": 33, "leaf_routers_per_group": 4,
                "spine_routers_per_group": 4, "nodes_per_leaf": 8, "links_per_group_pair": 1,
            }),
            (other, _) => {
                return Err(format!(
                    "topology is dragonfly, or aries or megafly with 1056 nodes, not `{other}`"
                ));
            }
        };
        let latency = |ps: u64| if self.credit_ps.is_some() { 0 } else { ps };
        let router_latency = self.credit_ps.map_or(20_000, |_| 100_000);
        let classes = json!({
            "window_ps": 1_000_000, "monitor": "static",
            "classes": [{"name": "high", "cap_ppm": 500_000}, {"name": "low", "cap_ppm": 500_000}],
        });
        let (packet, mut nic) = if self.answers {
            (
                json!({"size_bytes": 80, "flit_bytes": 16, "header_bytes": 16,
                       "delivery": delivery}),
                json!({"buffer_packets": 30, "outstanding": 1_024, "response_bytes": 16}),
            )
        } else {
            (
                json!({"size_bytes": 512, "flit_bytes": 128, "header_bytes": 0, "delivery": delivery}),
                json!({"buffer_packets": 30}),
            )
        };
        if self.congestion != "none" {
            nic["congestion"] = json!(self.congestion);
        }
        Ok(json!({
            "topology": topology,
            "qos": if self.classes == 2 { classes } else { Value::Null },
            "links": {
                "host": link(latency(10_000)), "local": link(latency(30_000)),
                "global": link(latency(300_000)),
            },
            "router": {
                "architecture": self.router, "latency_ps": router_latency,
                "credit_delay_ps": self.credit_ps.unwrap_or(20_000),
                "input_buffer_bytes": 15_360, "output_buffer_bytes": 15_360, "speedup": 4,
                "arbitration": "round-robin", "switching": "cut-through",
            },
            "packet": packet,
            "nic": nic,
            "mpi": {"preset": if self.workload == "allreduce" { "codes" } else { "firefly-kang2022" }},
        }))
    }
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{value}` is not a number that `{key}` can be"))
}

#[cfg(test)]
mod tests {
    use super::Scenario;

    fn parse(arguments: &[&str]) -> Result<Scenario, String> {
        Scenario::parse(arguments.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn every_scenario_is_complete() {
        for feature in [
            "topology=aries",
            "topology=megafly",
            "classes=2",
            "answers=true",
            "congestion=pace",
            "congestion=nscc",
            "routing=q-adaptive",
            "workload=allreduce",
        ] {
            let nodes = if feature == "workload=allreduce" {
                8_320
            } else {
                1_056
            };
            let config = parse(&[feature, &format!("nodes={nodes}")])
                .unwrap()
                .config()
                .unwrap();
            odonata_sim::check(&config, &odonata_sim::Inputs::default()).unwrap();
        }
        for nodes in ["1056", "8320", "66048"] {
            for workload in ["uniform", "halo3d"] {
                let arguments = [format!("nodes={nodes}"), format!("workload={workload}")];
                let scenario = parse(&[&arguments[0], &arguments[1]]).unwrap();
                let config = scenario.config().unwrap();
                odonata_sim::check(&config, &odonata_sim::Inputs::default()).unwrap();
            }
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (arguments, wanted) in [
            (["load"], "key=value"),
            (["lod=0.5"], "known: workload"),
            (["load=much"], "`much`"),
            (["workload=fft3d"], "uniform, halo3d or allreduce"),
        ] {
            let Err(message) = parse(&arguments) else {
                panic!("{arguments:?} is wrong")
            };
            assert!(message.contains(wanted), "{message}");
        }
        let message = parse(&["nodes=72"]).unwrap().config().unwrap_err();
        assert!(message.contains("1056, 8320 or 66048"), "{message}");
    }
}
