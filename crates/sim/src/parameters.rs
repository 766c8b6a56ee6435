//! From configuration to the numbers of links, routers and NICs.

use odonata_network::{
    Arbitration, Architecture, CreditReturn, Delivery, LinkParameters, MOST_CLASSES, Monitor,
    Parameters, Qos, Switching,
};
use odonata_topology::LinkKind;
use odonata_units::spelling::hint;
use odonata_units::{Bandwidth, Span};

use crate::config::{Config, Link, Links, RouterParameters};
use crate::error::SimError;

/// 1 PB/s.
const MOST_BYTES_PER_SECOND: u64 = 1_000_000_000_000_000;

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

/// Buffers by the kind of link that leads into them.
fn input_buffers(
    router: &RouterParameters,
    flit: u32,
) -> Result<[u32; LinkKind::ALL.len()], SimError> {
    let path = |key: &str| format!("system.router.{key}");
    let of = |key: &str, bytes: Option<u64>| {
        let bytes = bytes.unwrap_or(router.input_buffer_bytes);
        flits(&path(key), bytes, flit)
    };
    let local = of("input_buffer", None)?;
    let host = of("host_buffer", router.host_buffer_bytes)?;
    let global = of("global_buffer", router.global_buffer_bytes)?;
    Ok(LinkKind::ALL.map(|kind| match kind {
        LinkKind::Host => host,
        LinkKind::Global => global,
        LinkKind::Local | LinkKind::Row | LinkKind::Column => local,
    }))
}

fn qos(config: &Config) -> Result<Qos, SimError> {
    let path = |key: &str| format!("system.qos.{key}");
    let Some(qos) = &config.system.qos else {
        return Ok(Qos::NONE);
    };
    if qos.window_ps == 0 || qos.window_ps > 1_000_000_000_000 {
        let message = "a window is longer than 0 and at most 1 s, such as \"5 ms\"";
        return Err(SimError::new(path("window"), message));
    }
    let count = qos.classes.len();
    if !(1..=MOST_CLASSES).contains(&count) {
        let message = format!("1 to {MOST_CLASSES} traffic classes can be told apart, not {count}");
        return Err(SimError::new(path("classes"), message));
    }
    let mut caps_ppm = [1_000_000; MOST_CLASSES];
    let mut sum = 0_u64;
    for (index, class) in qos.classes.iter().enumerate() {
        if !(1..=1_000_000).contains(&class.cap_ppm) {
            let message = "a cap is above 0 % and at most 100 % of a link's bandwidth";
            return Err(SimError::new(
                path(&format!("classes[{index}].cap")),
                message,
            ));
        }
        if qos.classes[..index]
            .iter()
            .any(|other| other.name == class.name)
        {
            let message = format!("there are two traffic classes `{}`; rename one", class.name);
            return Err(SimError::new(
                path(&format!("classes[{index}].name")),
                message,
            ));
        }
        caps_ppm[index] = class.cap_ppm;
        sum += u64::from(class.cap_ppm);
    }
    if sum > 1_000_000 {
        let percent = sum / 10_000;
        let message = format!(
            "the caps add up to {percent} %, more than a link has; lower them to 100 % in all"
        );
        return Err(SimError::new(path("classes"), message));
    }
    let monitors = [
        ("static", Monitor::Static),
        ("sliding", Monitor::Sliding),
        ("token-bucket", Monitor::TokenBucket),
    ];
    Ok(Qos {
        classes: u8::try_from(count).unwrap_or(u8::MAX),
        window: Span::from_ps(qos.window_ps),
        monitor: choice(&path("monitor"), &qos.monitor, &monitors)?,
        caps_ppm,
    })
}

/// The numbers of `config`, with the links that its network has.
pub(crate) fn parameters(config: &Config, links: &Links) -> Result<Parameters, SimError> {
    let system = &config.system;
    let router = &system.router;
    let packet = &system.packet;
    if router.speedup == 0 {
        return Err(SimError::new(
            "system.router.speedup",
            "a crossbar has a speed-up of at least 1",
        ));
    }
    if system.nic.outstanding > 0 && system.nic.response_bytes == 0 {
        let message = "requests that nobody answers stay outstanding for ever; give `nic.response`, \
                       such as \"16 B\", or leave `outstanding` out";
        return Err(SimError::new("system.nic.outstanding", message));
    }
    let architectures = [("voq", Architecture::Voq), ("cioq", Architecture::Cioq)];
    let arbitrations = [
        ("round-robin", Arbitration::RoundRobin),
        ("oldest-first", Arbitration::OldestFirst),
        ("highest-vc", Arbitration::HighestVc),
        ("lowest-vc", Arbitration::LowestVc),
    ];
    let returns = [
        ("departure", CreditReturn::Departure),
        ("reservation", CreditReturn::Reservation),
    ];
    let switchings = [
        ("cut-through", Switching::CutThrough),
        ("store-and-forward", Switching::StoreAndForward),
    ];
    let deliveries = [("tail", Delivery::Tail), ("head", Delivery::Head)];
    let key = |key: &str| format!("system.router.{key}");
    let parameters = Parameters {
        host: link("system.links.host", &links.host)?,
        local: link("system.links.local", &links.local)?,
        row: link("system.links.row", links.of(LinkKind::Row))?,
        column: link("system.links.column", links.of(LinkKind::Column))?,
        global: link("system.links.global", &links.global)?,
        architecture: choice(&key("architecture"), &router.architecture, &architectures)?,
        router_latency: Span::from_ps(router.latency_ps),
        credit_delay: Span::from_ps(router.credit_delay_ps),
        input_buffer_flits: input_buffers(router, packet.flit_bytes)?,
        output_buffer_flits: flits(
            &key("output_buffer"),
            router.output_buffer_bytes,
            packet.flit_bytes,
        )?,
        speedup: router.speedup,
        arbitration: choice(&key("arbitration"), &router.arbitration, &arbitrations)?,
        credit_return: choice(&key("credit_return"), &router.credit_return, &returns)?,
        switching: choice(&key("switching"), &router.switching, &switchings)?,
        packet_bytes: packet.size_bytes,
        flit_bytes: packet.flit_bytes,
        header_bytes: packet.header_bytes,
        delivery: choice("system.packet.delivery", &packet.delivery, &deliveries)?,
        nic_buffer_packets: system.nic.buffer_packets,
        response_bytes: system.nic.response_bytes,
        outstanding: system.nic.outstanding,
        qos: qos(config)?,
        seed: config.seed,
    };
    check_rates(&parameters)?;
    Ok(parameters)
}

/// Refuses rates that picoseconds cannot tell: the time of the largest packet is rounded up.
fn check_rates(parameters: &Parameters) -> Result<(), SimError> {
    let packet = u128::from(parameters.packet_flits()) * u128::from(parameters.flit_bytes);
    // Bytes of a second, times picoseconds.
    let exact = packet * 1_000_000_000_000;
    for kind in LinkKind::ALL {
        let rate = parameters.link(kind).bandwidth.bytes_per_second();
        let time = exact.div_ceil(u128::from(rate));
        let is_coarse = (time * u128::from(rate) - exact) * 100 > exact;
        if rate > MOST_BYTES_PER_SECOND || is_coarse {
            let message = format!(
                "{rate} B/s are too fast for a clock of 1 ps: a packet of {packet} B takes {time} \
                 ps, rounded up; at most 1 PB/s and 1 % of rounding are simulated; lower the \
                 bandwidth or raise `packet.size`"
            );
            return Err(SimError::new(
                format!("system.links.{}.bandwidth", kind.name()),
                message,
            ));
        }
    }
    Ok(())
}
