//! Probe.
#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]
use odonata_network::*;
use odonata_routing::*;
use odonata_topology::*;
use odonata_units::*;
use std::sync::Arc;

struct Src { gaps: Stream, target: Stream, me: u32, n: u32, at: u64, mean: f64, bytes: u64, fixed: bool, k: u64 }
impl Endpoint for Src {
    fn next_wake(&self) -> Instant { Instant::NEVER }
    fn wake(&mut self, _: Instant, _: &mut impl Nic) {}
    fn deliver(&mut self, _: Instant, _: &Message) {}
    #[inline]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        if self.fixed { self.at = (self.k as f64 * self.mean) as u64; self.k += 1; }
        else { self.at += self.gaps.exponential(self.mean) as u64; }
        let mut t = self.target.below(self.n - 1);
        if t >= self.me { t += 1; }
        Some((Instant::from_ps(self.at), Message { source: NodeId(self.me), target: NodeId(t), bytes: self.bytes, header: Header::default() }))
    }
    fn is_finished(&self) -> bool { false }
}
struct No;
impl Control for No { fn after_epoch(&self, _: Instant, _: u64) -> bool { false } }

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let size = a[1].as_str(); let routing = a[2].as_str(); let load: f64 = a[3].parse().unwrap();
    let us: u64 = a[4].parse().unwrap(); let threads: usize = a[5].parse().unwrap(); let arch = a[6].as_str();
    let fixed = a.get(7).is_some_and(|x| x == "fixed");
    let preset = a.get(8).map(|s| s.as_str()).unwrap_or("kang");
    let (g, r, p, h) = match size { "1k" => (33, 8, 4, 4), "8k" => (65, 16, 8, 8), "66k" => (129, 32, 16, 16), _ => (19, 6, 3, 3) };
    let topology = Arc::new(Dragonfly::new(Shape { groups: g, routers_per_group: r, nodes_per_router: p, global_ports_per_router: h, arrangement: Arrangement::Absolute }).unwrap());
    let rule = build_rule(routing, &serde_json::Map::new()).unwrap();
    let routing = Routing::new(geometry::Geometry::new(topology.clone()), rule);
    check_dependencies(&routing).unwrap();
    let gb = |n: u64| Bandwidth::from_bytes_per_second(n).unwrap();
    let link = |bw, ps| LinkParameters { bandwidth: gb(bw), latency: Span::from_ps(ps) };
    let mut parameters = Parameters {
        host: link(25_000_000_000, 10_000), local: link(25_000_000_000, 30_000), global: link(25_000_000_000, 300_000),
        architecture: if arch == "cioq" { Architecture::Cioq } else { Architecture::Voq },
        router_latency: Span::from_ns(20), credit_delay: Span::from_ns(20), input_buffer_flits: 120, output_buffer_flits: 120, speedup: 4,
        arbitration: Arbitration::RoundRobin, switching: Switching::CutThrough, packet_bytes: 512, flit_bytes: 128, header_bytes: 0,
        delivery: if arch == "cioq" { Delivery::Head } else { Delivery::Tail }, nic_buffer_packets: 30, seed: 1 };
    if preset == "booksim" {
        parameters.host = link(8_000_000_000, 1_000); parameters.local = link(8_000_000_000, 10_000); parameters.global = link(8_000_000_000, 100_000);
        parameters.router_latency = Span::from_ns(2); parameters.credit_delay = Span::from_ns(3); parameters.input_buffer_flits = 256;
        parameters.packet_bytes = 32; parameters.flit_bytes = 8;
    }
    if preset == "codes" {
        let l = link(13_421_772_800, 76_294); parameters.host = l; parameters.local = l; parameters.global = l;
        parameters.router_latency = Span::from_ns(100); parameters.credit_delay = Span::from_ns(0); parameters.input_buffer_flits = 16;
        parameters.packet_bytes = 1024; parameters.flit_bytes = 1024; parameters.switching = Switching::StoreAndForward;
    }
    let n = topology.node_count();
    let ser = parameters.host.bandwidth.serialization(u64::from(parameters.packet_bytes)).ps() as f64;
    let sources = (0..n).map(|i| Src { gaps: Stream::new(1, Purpose::Arrival, i as u64), target: Stream::new(1, Purpose::Target, i as u64), me: i, n, at: 0, mean: ser / load, bytes: u64::from(parameters.packet_bytes), fixed, k: 0 }).collect();
    let from = Instant::from_ps(us * 1_000_000 / 4); let to = Instant::from_ps(us * 1_000_000);
    let observe = Observe { nodes: vec![NodeUse { job: 0, is_goal: false }; n as usize], jobs: 1, measure: Some(MeasureWindow { from, to }), packet_sample: 0, series_bin: Span::from_ns(1000) };
    let mut network = Network::new(topology, &routing, &parameters, sources, observe).unwrap();
    let t = std::time::Instant::now();
    let stop = network.run(to + Span::from_ps(us * 2_000_000), threads, &No);
    let wall = t.elapsed().as_secs_f64();
    let s = network.stats().unwrap(); let j = &s.jobs[0];
    let window = (to - from).ps() as f64;
    println!("{stop:?} end {:?} hops {} {:.2} Mhop/s {:.1} ns/hop ev/hop {:.2} mean {:.1} ns p99 {:.0} max {:.0} accepted {:.4} routers {:.4} nonmin {:.3}",
        network.end(), s.packet_hops, s.packet_hops as f64 / wall / 1e6, wall * 1e9 / s.packet_hops as f64, s.events as f64 / s.packet_hops as f64,
        j.latency_sum as f64 / j.packets as f64 / 1e3, j.latency.quantile(0.99).unwrap_or(0) as f64 / 1e3, j.latency_max as f64 / 1e3,
        j.window_bytes_delivered as f64 / window * ser / f64::from(parameters.packet_bytes) / f64::from(n), j.hops as f64 / j.packets as f64, j.nonminimal as f64 / j.packets as f64);
    let stall: u64 = network.channels().map(|c| c.stall.ps()).sum(); println!("stall {} us", stall / 1_000_000);
}
