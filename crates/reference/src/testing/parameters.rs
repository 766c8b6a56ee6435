//! Parameters of published studies.

use odonata_network::{
    Arbitration, Architecture, CreditReturn, Delivery, GetData, LinkParameters, Parameters, Qos,
    Switching,
};
use odonata_topology::{Arrangement, Shape};
use odonata_units::{Bandwidth, Span};

/// A rate of `rate` * 10^9 bytes per second; 0 counts as 1.
#[must_use]
pub fn gigabytes(rate: u64) -> Bandwidth {
    bytes(rate * 1_000_000_000)
}

fn bytes(rate: u64) -> Bandwidth {
    match Bandwidth::from_bytes_per_second(rate.max(1)) {
        Some(bandwidth) => bandwidth,
        None => unreachable!("the rate is at least 1"),
    }
}

/// The 1,056-node dragonfly that the presets below were published with: p = 4, a = 8, h = 4,
/// g = 33.
#[must_use]
pub const fn shape_of_1056() -> Shape {
    Shape {
        groups: 33,
        routers_per_group: 8,
        nodes_per_router: 4,
        global_ports_per_router: 4,
        arrangement: Arrangement::Absolute,
    }
}

/// Preset `kang2022-1056`: Kang, Wang, Lan 2022, section III, with tails delivered.
#[must_use]
pub fn kang2022() -> Parameters {
    let link = |ns| LinkParameters {
        bandwidth: gigabytes(25),
        latency: Span::from_ns(ns),
        longest: Span::from_ns(ns),
    };
    Parameters {
        host: link(10),
        local: link(30),
        row: link(30),
        column: link(30),
        global: link(300),
        groups_per_row: 1,
        architecture: Architecture::Cioq,
        router_latency: Span::from_ns(20),
        credit_delay: Span::from_ns(20),
        input_buffer_flits: [120; 5],
        output_buffer_flits: 120,
        speedup: 4,
        arbitration: Arbitration::RoundRobin,
        credit_return: CreditReturn::Departure,
        switching: Switching::CutThrough,
        packet_bytes: 512,
        largest_multiple: 1,
        flit_bytes: 128,
        header_bytes: 0,
        delivery: Delivery::Tail,
        nic_buffer_packets: 30,
        nic_queues: 1,
        response_bytes: 0,
        outstanding: 0,
        get_data: GetData::Requests,
        get_behind: 0,
        qos: Qos::NONE,
        control: None,
        seed: 1,
    }
}

/// Preset `booksim-1056`: BookSim2's `dragonflynew` with router `iq` without a routing stage, one
/// cycle = 1 ns.
#[must_use]
pub fn booksim() -> Parameters {
    let link = |ns| LinkParameters {
        bandwidth: gigabytes(8),
        latency: Span::from_ns(ns),
        longest: Span::from_ns(ns),
    };
    Parameters {
        host: link(1),
        local: link(10),
        row: link(10),
        column: link(10),
        global: link(100),
        groups_per_row: 1,
        architecture: Architecture::Voq,
        router_latency: Span::from_ns(2),
        credit_delay: Span::from_ns(3),
        input_buffer_flits: [256; 5],
        packet_bytes: 32,
        flit_bytes: 8,
        ..kang2022()
    }
}

/// Preset `codes-dally-1056`: CODES' `dragonfly-dally`, whose channels take the serialization of
/// 1,024 B twice.
#[must_use]
pub fn codes_dally() -> Parameters {
    let link = LinkParameters {
        bandwidth: bytes(25 << 29),
        latency: Span::from_ps(76_294),
        longest: Span::from_ps(76_294),
    };
    Parameters {
        host: link,
        local: link,
        row: link,
        column: link,
        global: link,
        groups_per_row: 1,
        architecture: Architecture::Voq,
        router_latency: Span::from_ns(100),
        credit_delay: Span::ZERO,
        input_buffer_flits: [16; 5],
        switching: Switching::StoreAndForward,
        packet_bytes: 1024,
        flit_bytes: 1024,
        ..kang2022()
    }
}
