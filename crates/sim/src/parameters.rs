//! From configuration to the numbers of links, routers and NICs.

use odonata_counters::Names;
use odonata_network::{
    Arbitration, Architecture, CreditReturn, Delivery, GetData, LinkParameters, Parameters, Qos,
    Switching,
};
use odonata_registry::{Keys, Kind, Parameter, Table};
use odonata_topology::LinkKind;
use odonata_units::{Bandwidth, Span};
use serde_json::Value;

use crate::config::{Config, Job, Link, Links};
use crate::error::SimError;

mod classes;
mod congestion;
mod section;

use section::Section;

/// Send queues that a NIC can have for a class.
const MOST_QUEUES: u64 = 4_096;

/// Most packets that a get request may wait for, and their starts be kept for.
const MOST_BEHIND: u64 = 4_096;
/// Bytes that a packet can have as a number.
const LARGEST_BYTES: u64 = u32::MAX as u64;

fn link(path: &str, link: &Link) -> Result<LinkParameters, SimError> {
    let rate = Bandwidth::from_bytes_per_second(link.bandwidth_bytes_per_s);
    let bandwidth = rate.ok_or_else(|| {
        SimError::new(
            format!("{path}.bandwidth"),
            "a link needs a bandwidth above zero",
        )
    })?;
    let longest = link.longest_latency_ps.unwrap_or(link.latency_ps);
    if longest < link.latency_ps {
        let message = format!(
            "the longest link has a latency of {longest} ps and the shortest one of {} ps; give at \
             least as much, or leave `longest_latency` out",
            link.latency_ps
        );
        return Err(SimError::new(format!("{path}.longest_latency"), message));
    }
    Ok(LinkParameters {
        bandwidth,
        latency: Span::from_ps(link.latency_ps),
        longest: Span::from_ps(longest),
    })
}

fn flits(path: &str, bytes: u64, flit: u32) -> Result<u32, SimError> {
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
    router: &mut Section<'_>,
    flit: u32,
) -> Result<[u32; LinkKind::ALL.len()], SimError> {
    let row = Parameter::required(
        "input_buffer",
        Kind::Bytes,
        "input buffer of each virtual channel",
    );
    let bytes: u64 = router.read(row.at_least(1))?;
    let mut of = |name, meaning| -> Result<u32, SimError> {
        let row = Parameter::derived(name, Kind::Bytes, meaning);
        let own: Option<u64> = router.read(row.at_least(1))?;
        flits(&format!("system.router.{name}"), own.unwrap_or(bytes), flit)
    };
    let host = of(
        "host_buffer",
        "the same behind links from nodes; default: `input_buffer`",
    )?;
    let global = of(
        "global_buffer",
        "the same behind global links; default: `input_buffer`",
    )?;
    let local = flits("system.router.input_buffer", bytes, flit)?;
    Ok(LinkKind::ALL.map(|kind| match kind {
        LinkKind::Host => host,
        LinkKind::Global => global,
        LinkKind::Local | LinkKind::Row | LinkKind::Column => local,
    }))
}

/// The tables of routers, packets and NICs.
struct Tables<'a> {
    router: Section<'a>,
    packet: Section<'a>,
    nic: Section<'a>,
}

impl<'a> Tables<'a> {
    fn new(table: impl Fn(&str) -> Table<'a>) -> Self {
        let section = |path: &'static str, name| Section {
            path,
            table: table(name),
        };
        Self {
            router: section("system.router", "router"),
            packet: section("system.packet", "packet"),
            nic: section("system.nic", "nic"),
        }
    }

    /// Their rows; a key that none has is an error.
    fn finish(self) -> Result<[Vec<Value>; 3], SimError> {
        Ok([
            self.router.finish()?,
            self.packet.finish()?,
            self.nic.finish()?,
        ])
    }
}

/// Values of the tables that are no parameters of the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    /// Virtual channels of the routers, if they are given.
    pub(crate) virtual_channels: Option<u8>,
    /// Whose names the counters of NICs have.
    pub(crate) nic_counters: Names,
}

/// The network of `config` with the links that it has, and what else the tables say.
pub(crate) fn parameters(config: &Config, links: &Links) -> Result<(Parameters, Beside), SimError> {
    let system = &config.system;
    let given = |name: &str| match name {
        "router" => &system.router,
        "packet" => &system.packet,
        _ => &system.nic,
    };
    let mut tables = Tables::new(|name| Table::reading(given(name), Keys::WithUnits));
    let (mut parameters, beside) = walk(&mut tables, links)?;
    parameters.control = congestion::control(&mut tables.nic, &parameters)?;
    tables.finish()?;
    if parameters.outstanding > 0 && parameters.response_bytes == 0 {
        let message = "requests that nobody answers stay outstanding for ever; give `nic.response`, \
                       such as \"16 B\", or leave `outstanding` out";
        return Err(SimError::new("system.nic.outstanding", message));
    }
    if parameters.get_data == GetData::Responses && parameters.response_bytes == 0 {
        let message = "there are no virtual channels of responses; give `nic.response`, such as \
                       \"16 B\", or leave `get_data` out";
        return Err(SimError::new("system.nic.get_data", message));
    }
    let multiples = (config.jobs.iter().filter(|job| !job.muted)).map(Job::packet_multiple);
    parameters.largest_multiple = multiples.max().unwrap_or(1).max(1);
    parameters.qos = classes::qos(config)?;
    classes::check_ceilings(&parameters)?;
    parameters.seed = config.seed;
    check_rates(&parameters)?;
    Ok((parameters, beside))
}

/// 1 PB/s.
const MOST_BYTES_PER_SECOND: u64 = 1_000_000_000_000_000;

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
            let path = format!("system.links.{}.bandwidth", kind.name());
            return Err(SimError::new(path, message));
        }
    }
    Ok(())
}

/// The rows of `[system.router]`, `[system.packet]` and `[system.nic]`.
#[expect(clippy::expect_used, reason = "a test walks through the rows")]
pub(crate) fn rows() -> [Vec<Value>; 3] {
    let mut tables = Tables::new(|_| Table::listing());
    let any = Link {
        bandwidth_bytes_per_s: 1,
        latency_ps: 0,
        longest_latency_ps: None,
        groups_per_row: None,
    };
    let links = Links {
        host: any.clone(),
        local: any.clone(),
        row: None,
        column: None,
        global: any,
    };
    let (parameters, _) = walk(&mut tables, &links).expect("rows accept their own defaults");
    congestion::control(&mut tables.nic, &parameters).expect("and so do these");
    tables.finish().expect("nothing is given")
}

/// A parameter of a router, packet or NIC is a row here, the field of [`Parameters`] that it
/// fills, and what the network does with it.
#[expect(clippy::too_many_lines, reason = "a row for each field")]
fn walk(tables: &mut Tables<'_>, links: &Links) -> Result<(Parameters, Beside), SimError> {
    let Tables {
        router,
        packet,
        nic,
    } = tables;
    let packet_bytes = packet.read(
        Parameter::required("size", Kind::Bytes, "largest packet, headers included")
            .at_least(1)
            .at_most(LARGEST_BYTES),
    )?;
    let flit_bytes = packet.read(
        Parameter::required("flit", Kind::Bytes, "unit of buffers and credits")
            .at_least(1)
            .at_most(LARGEST_BYTES),
    )?;
    let buffers;
    let parameters = Parameters {
        host: link("system.links.host", &links.host)?,
        local: link("system.links.local", &links.local)?,
        row: link("system.links.row", links.of(LinkKind::Row))?,
        column: link("system.links.column", links.of(LinkKind::Column))?,
        global: link("system.links.global", &links.global)?,
        groups_per_row: links.global.groups_per_row.unwrap_or(1),
        architecture: router.choice(
            Parameter::required(
                "architecture",
                Kind::Choice(&[]),
                "buffer organisation: per output without head-of-line blocking, or input \
                     queues, crossbar and output queues",
            ),
            &[("voq", Architecture::Voq), ("cioq", Architecture::Cioq)],
        )?,
        router_latency: router.span(Parameter::required(
            "latency",
            Kind::Time,
            "pipeline latency, passed on the way in",
        ))?,
        credit_delay: router.span(Parameter::time(
            "credit_delay",
            0,
            "from leaving a buffer to sending the credit",
        ))?,
        input_buffer_flits: {
            buffers = input_buffers(router, flit_bytes)?;
            buffers
        },
        output_buffer_flits: {
            let row = Parameter::derived(
                "output_buffer",
                Kind::Bytes,
                "output buffer of each virtual channel (cioq only); default: `input_buffer`",
            );
            let bytes: Option<u64> = router.read(row.at_least(1))?;
            match bytes {
                Some(bytes) => flits("system.router.output_buffer", bytes, flit_bytes)?,
                None => buffers[LinkKind::Local as usize],
            }
        },
        speedup: router.read(
            Parameter::count(
                "speedup",
                1,
                "crossbar bandwidth over the fastest link (cioq only)",
            )
            .at_least(1),
        )?,
        arbitration: router.choice(
            Parameter::choice(
                "arbitration",
                &[],
                "round-robin",
                "who goes first at an output port",
            )
            .source("SST merlin, BookSim2"),
            &[
                ("round-robin", Arbitration::RoundRobin),
                ("oldest-first", Arbitration::OldestFirst),
                ("highest-vc", Arbitration::HighestVc),
                ("lowest-vc", Arbitration::LowestVc),
            ],
        )?,
        credit_return: router.choice(
            Parameter::choice(
                "credit_return",
                &[],
                "departure",
                "when a packet gives its place back: as it starts on its way out, or as soon \
                     as its next place is reserved (voq only)",
            )
            .source("SST merlin, BookSim2; reservation: CODES")
            .sparse(),
            &[
                ("departure", CreditReturn::Departure),
                ("reservation", CreditReturn::Reservation),
            ],
        )?,
        switching: router.choice(
            Parameter::choice(
                "switching",
                &[],
                "cut-through",
                "whether a packet leaves before its tail has come in",
            )
            .source("SST merlin, BookSim2; store-and-forward: CODES"),
            &[
                ("cut-through", Switching::CutThrough),
                ("store-and-forward", Switching::StoreAndForward),
            ],
        )?,
        packet_bytes,
        largest_multiple: 1,
        flit_bytes,
        header_bytes: packet
            .read(Parameter::bytes("header", 0, "header of each packet").at_most(LARGEST_BYTES))?,
        delivery: packet.choice(
            Parameter::choice(
                "delivery",
                &[],
                "tail",
                "which end of a packet must arrive for it to count as delivered",
            )
            .source("BookSim2, CODES; head: SST merlin"),
            &[("tail", Delivery::Tail), ("head", Delivery::Head)],
        )?,
        nic_buffer_packets: nic.read(
            Parameter::count("buffer_packets", 30, "output buffer in largest packets")
                .at_least(1)
                .source("Kang et al. 2022: 15,360 B of 512 B packets, as in the routers"),
        )?,
        nic_queues: nic.read(
            Parameter::count(
                "queues",
                1,
                "send queues for each traffic class: messages of different ranks, and of one rank \
                 to different nodes, take turns packet by packet",
            )
            .at_least(1)
            .at_most(MOST_QUEUES)
            .source("SST firefly, CODES: one message after the other")
            .sparse(),
        )?,
        response_bytes: nic.read(
            Parameter::bytes(
                "response",
                0,
                "packet that answers each packet of a message; 0: one-way packets",
            )
            .at_most(LARGEST_BYTES)
            .sparse(),
        )?,
        outstanding: nic.read(
            Parameter::count(
                "outstanding",
                0,
                "packets that may wait for their answer; 0: any number",
            )
            .sparse(),
        )?,
        get_data: nic.choice(
            Parameter::choice(
                "get_data",
                &[],
                "requests",
                "virtual channels of the data of gets, those of a rendezvous included: with \
                 `responses` they are the answer",
            )
            .source("docs/model/network.md: data of gets")
            .sparse(),
            &[
                ("requests", GetData::Requests),
                ("responses", GetData::Responses),
            ],
        )?,
        get_behind: nic.read(
            Parameter::count(
                "get_behind",
                0,
                "packets of other messages that a get request waits for at most; 0: all messages \
                 handed over before it",
            )
            .at_most(MOST_BEHIND)
            .source("CODES: in the order of hand-over; SST firefly: those in its queues")
            .sparse(),
        )?,
        qos: Qos::NONE,
        control: None,
        seed: 0,
    };
    let virtual_channels = router.read(
        Parameter::derived(
            "virtual_channels",
            Kind::Count,
            "virtual channels per port; absent: what the routing needs",
        )
        .at_least(1)
        .at_most(255),
    )?;
    let nic_counters = nic.choice(
        Parameter::choice(
            "counters",
            &[],
            "aries",
            "whose names the counters of NICs have (`telemetry.counters`)",
        )
        .sparse()
        .source("docs/model/counters.md"),
        &[("aries", Names::Aries), ("cassini", Names::Cassini)],
    )?;
    let beside = Beside {
        virtual_channels,
        nic_counters,
    };
    Ok((parameters, beside))
}
