//! From configuration to topology, parameters and routing.

use std::sync::Arc;

use odonata_network::{Arbitration, Architecture, Delivery, LinkParameters, Parameters, Switching};
use odonata_routing::geometry::Geometry;
use odonata_routing::{Routing, build_rule, check_dependencies};
use odonata_topology::{Arrangement, LinkKind, Shape, Topology};
use odonata_units::spelling::hint;
use odonata_units::{Bandwidth, Span};

use crate::config::{Config, Link, TopologyChoice};
use crate::error::{At, SimError};

/// A network without users.
pub(crate) struct Machine {
    pub(crate) topology: Arc<Topology>,
    pub(crate) parameters: Parameters,
    pub(crate) routing: Routing,
}

/// The shape of `config`.
pub(crate) fn topology(config: &Config) -> Result<Arc<Topology>, SimError> {
    let TopologyChoice::Dragonfly {
        groups,
        routers_per_group,
        nodes_per_router,
        global_ports_per_router,
        ref arrangement,
    } = config.system.topology;
    let path = "system.topology";
    let arrangement: Arrangement = arrangement.parse().at(format!("{path}.arrangement"))?;
    let shape = Shape {
        groups,
        routers_per_group,
        nodes_per_router,
        global_ports_per_router,
        arrangement,
    };
    Ok(Arc::new(Topology::dragonfly(shape).at(path)?))
}

/// The network of `config`, checked for deadlock.
pub(crate) fn machine(config: &Config) -> Result<Machine, SimError> {
    let topology = topology(config)?;
    let parameters = parameters(config)?;
    let rule = build_rule(&config.routing.algorithm, &config.routing.parameters)
        .map_err(|error| SimError::new("routing", error))?;
    let routing = Routing::new(Geometry::new(Arc::clone(&topology)), rule);
    let needed = routing.virtual_channels();
    let available = config.system.router.virtual_channels.unwrap_or(needed);
    if available < needed {
        let message = format!(
            "routing `{}` needs {needed} virtual channels and the routers have {available}: with \
             fewer it can deadlock; raise `system.router.virtual_channels` to {needed}, leave it \
             out, or choose a routing that needs fewer (`odonata list routings`)",
            config.routing.algorithm
        );
        return Err(SimError::new("system.router.virtual_channels", message));
    }
    check_dependencies(&routing).at("routing.algorithm")?;
    Ok(Machine {
        topology,
        parameters,
        routing,
    })
}

fn choice<T: Copy>(path: &str, name: &str, choices: &[(&str, T)]) -> Result<T, SimError> {
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(known, _)| *known).collect();
        let hint = hint(name, names.iter().copied());
        let message = format!("`{name}` is not one of {}{hint}", names.join(", "));
        SimError::new(path, message)
    })
}

fn link(path: &str, link: &Link) -> Result<LinkParameters, SimError> {
    let rate = Bandwidth::from_bytes_per_second(link.bandwidth_bytes_per_s);
    let bandwidth = rate.ok_or_else(|| {
        SimError::new(
            format!("{path}.bandwidth"),
            "a link needs a bandwidth above zero",
        )
    })?;
    Ok(LinkParameters {
        bandwidth,
        latency: Span::from_ps(link.latency_ps),
    })
}

fn flits(path: &str, bytes: u64, flit: u32) -> Result<u32, SimError> {
    if flit == 0 {
        return Err(SimError::new(
            "system.packet.flit",
            "a flit has at least 1 B",
        ));
    }
    let flits = bytes / u64::from(flit);
    u32::try_from(flits)
        .ok()
        .filter(|flits| *flits < 1 << 30)
        .ok_or_else(|| {
            SimError::new(
                path,
                format!("a buffer of {bytes} B has more than 2^30 flits; make it smaller"),
            )
        })
}

fn parameters(config: &Config) -> Result<Parameters, SimError> {
    let system = &config.system;
    let router = &system.router;
    let packet = &system.packet;
    if router.speedup == 0 {
        return Err(SimError::new(
            "system.router.speedup",
            "a crossbar has a speed-up of at least 1",
        ));
    }
    let architectures = [("voq", Architecture::Voq), ("cioq", Architecture::Cioq)];
    let arbitrations = [
        ("round-robin", Arbitration::RoundRobin),
        ("oldest-first", Arbitration::OldestFirst),
    ];
    let switchings = [
        ("cut-through", Switching::CutThrough),
        ("store-and-forward", Switching::StoreAndForward),
    ];
    let deliveries = [("tail", Delivery::Tail), ("head", Delivery::Head)];
    let (input, output) = ("system.router.input_buffer", "system.router.output_buffer");
    Ok(Parameters {
        host: link("system.links.host", &system.links.host)?,
        local: link("system.links.local", &system.links.local)?,
        row: link("system.links.row", system.links.of(LinkKind::Row))?,
        column: link("system.links.column", system.links.of(LinkKind::Column))?,
        global: link("system.links.global", &system.links.global)?,
        architecture: choice(
            "system.router.architecture",
            &router.architecture,
            &architectures,
        )?,
        router_latency: Span::from_ps(router.latency_ps),
        credit_delay: Span::from_ps(router.credit_delay_ps),
        input_buffer_flits: flits(input, router.input_buffer_bytes, packet.flit_bytes)?,
        output_buffer_flits: flits(output, router.output_buffer_bytes, packet.flit_bytes)?,
        speedup: router.speedup,
        arbitration: choice(
            "system.router.arbitration",
            &router.arbitration,
            &arbitrations,
        )?,
        switching: choice("system.router.switching", &router.switching, &switchings)?,
        packet_bytes: packet.size_bytes,
        flit_bytes: packet.flit_bytes,
        header_bytes: packet.header_bytes,
        delivery: choice("system.packet.delivery", &packet.delivery, &deliveries)?,
        nic_buffer_packets: system.nic.buffer_packets,
        seed: config.seed,
    })
}
