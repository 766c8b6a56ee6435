//! The rows of the MPI parameters: what each is, costs in every preset, and where that comes from.

use odonata_registry::{Default, Kind, Parameter, Problem, Rows, Table};
use odonata_units::Span;
use serde_json::{Map, Value, json};

use super::{MpiParameters, PRESETS};
use crate::collective::{Algorithm, CollectiveKind, Profile};

/// Index among the presets.
const CODES: usize = 1;

/// Where the numbers of each preset come from; rows add under what name.
const SOURCES: [&str; PRESETS.len()] = [
    "configuration of SST firefly by Kang et al. 2022",
    "CODES, model-net-mpi-replay",
    "by definition",
    "Cray MPICH on Aries",
    "Cray MPICH on Slingshot",
];

/// Why most costs of Cray MPICH are what they are: nobody has published them one by one.
const ASSUMED: &str = "assumed; together with a network they give the published 1.3 us (Aries) and 1.8 \
                       us (Slingshot) of 8 B between near nodes";

/// A row with its value in each preset.
struct Cost {
    parameter: Parameter,
    values: [u64; PRESETS.len()],
    sources: [&'static str; PRESETS.len()],
}

/// A cost that is 0 where nothing else is said.
const fn cost(name: &'static str, kind: Kind, meaning: &'static str) -> Cost {
    Cost {
        parameter: Parameter::required(name, kind, meaning),
        values: [0; PRESETS.len()],
        sources: [
            "",
            "costs nothing",
            "costs nothing",
            "assumed to cost nothing",
            "assumed to cost nothing",
        ],
    }
}

const fn bytes(name: &'static str, meaning: &'static str) -> Cost {
    cost(name, Kind::Bytes, meaning)
}

/// A header; sums of headers and payload stay far below 2^64 bytes.
const fn header(name: &'static str, meaning: &'static str) -> Cost {
    bytes(name, meaning).at_most(1 << 30)
}

const fn time(name: &'static str, meaning: &'static str) -> Cost {
    cost(name, Kind::Time, meaning)
}

impl Cost {
    /// `value` (bytes, picoseconds) in firefly as Kang et al. 2022 configured it, under that name.
    const fn firefly(self, value: u64, source: &'static str) -> Self {
        self.with(0, value, source)
    }

    const fn codes(self, value: u64, source: &'static str) -> Self {
        self.with(CODES, value, source)
    }

    const fn ideal(self, value: u64, source: &'static str) -> Self {
        self.with(2, value, source)
    }

    /// `aries` and `cxi` in Cray MPICH on these machines.
    const fn cray(self, aries: u64, cxi: u64, source: &'static str) -> Self {
        self.with(3, aries, source).with(4, cxi, source)
    }

    const fn with(mut self, preset: usize, value: u64, source: &'static str) -> Self {
        self.values[preset] = value;
        self.sources[preset] = source;
        self
    }

    const fn sparse(mut self) -> Self {
        self.parameter = self.parameter.sparse();
        self
    }

    const fn at_least(mut self, least: u64) -> Self {
        self.parameter = self.parameter.at_least(least);
        self
    }

    const fn at_most(mut self, most: u64) -> Self {
        self.parameter = self.parameter.at_most(most);
        self
    }
}

/// Reads costs: those given, the others as the preset has them.
struct Costs<'t, 'a> {
    table: &'t mut Table<'a>,
    preset: usize,
}

impl Costs<'_, '_> {
    fn bytes(&mut self, cost: Cost) -> Result<u64, Problem> {
        let default = Default::Count(cost.values[self.preset]);
        let value = self.table.read(cost.parameter.default(default))?;
        let by_preset = PRESETS.iter().zip(cost.values);
        let by_preset: Map<String, Value> = by_preset
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        self.table.say("presets", by_preset.into());
        let sources = SOURCES.iter().zip(cost.sources);
        let sources: Vec<String> = sources.map(|(of, says)| format!("{of}: {says}")).collect();
        self.table
            .say("source", sources[self.preset].clone().into());
        self.table.say("sources", json!(sources));
        Ok(value)
    }

    fn span(&mut self, cost: Cost) -> Result<Span, Problem> {
        Ok(Span::from_ps(self.bytes(cost)?))
    }

    fn algorithm(&mut self, kind: CollectiveKind, profile: Profile) -> Result<Algorithm, Problem> {
        let known = kind.algorithms().iter();
        let choices: Vec<_> = known.map(|one| (one.name(), *one)).collect();
        let default = profile.algorithm(kind);
        let row = Parameter::choice(
            kind.name(),
            &[],
            default.name(),
            "algorithm of this collective",
        );
        let chosen = self.table.choice(row.source(default.source()), &choices)?;
        let meaning = format!("algorithm of {}", kind.name());
        self.table.say("doc", meaning.into());
        Ok(chosen)
    }
}

/// Whose choice of algorithms is followed where none is named.
fn profile(table: &mut Table<'_>, preset: usize) -> Result<Profile, Problem> {
    let default = match PRESETS[preset] {
        "codes" => Profile::Codes,
        "cray-mpich-aries" | "cray-mpich-cxi" => Profile::Mpich,
        _ => Profile::Firefly,
    };
    let row = Parameter::choice(
        "collectives",
        &[],
        default.name(),
        "whose choice of algorithms is followed where none is named",
    );
    let choices = Profile::ALL.map(|profile| (profile.name(), profile));
    table.choice(row.source(default.source()).sparse(), &choices)
}

/// The number of the preset that `table` starts from.
fn preset(table: &mut Table<'_>) -> Result<usize, Problem> {
    let row = Parameter::choice(
        "preset",
        &PRESETS,
        PRESETS[0],
        "where the other parameters start from",
    );
    let name: String = table.read(row)?;
    Ok(PRESETS.iter().position(|known| *known == name).unwrap_or(0))
}

impl Rows for MpiParameters {
    /// All costs and algorithms, each with its row.
    #[expect(clippy::too_many_lines, reason = "a row for each field")]
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let preset = preset(table)?;
        let mut costs = Costs { table, preset };
        Ok(Self {
            eager_limit: costs.bytes(
                bytes("eager_limit", "largest payload that is sent at once")
                    .firefly(12_000, "shortMsgLength")
                    .codes(8_191, "below eager_threshold, 8,192 B")
                    .ideal(u64::MAX, "every message is eager")
                    .with(3, 8_192, "default of MPICH_GNI_MAX_EAGER_MSG_SIZE")
                    .with(4, 16_384, "default of FI_CXI_RDZV_THRESHOLD"),
            )?,
            call_enter: costs.span(
                time("call_enter", "entering a call")
                    .firefly(30_000, "defaultEnterLatency")
                    .cray(50_000, 50_000, ASSUMED),
            )?,
            call_return: costs.span(
                time("call_return", "returning from a call")
                    .firefly(30_000, "defaultReturnLatency")
                    .cray(50_000, 50_000, ASSUMED),
            )?,
            send_setup: costs.span(
                time("send_setup", "setting a send up")
                    .firefly(13_000, "txSetup, a tenth of the stock 130 ns")
                    .cray(150_000, 150_000, ASSUMED),
            )?,
            send_envelope: costs.bytes(
                bytes("send_envelope", "envelope copied with each send")
                    .firefly(32, "size of its MPI header"),
            )?,
            send_copy_per_byte: costs.span(
                time(
                    "send_copy_per_byte",
                    "copying one byte of an eager payload out",
                )
                .firefly(344, "txMemcpy: 0.344 ns a byte")
                .cray(100, 50, "assumed: 10 and 20 GB/s, one copy by one core"),
            )?,
            receive_setup: costs.span(
                time("receive_setup", "setting a matched receive up")
                    .firefly(10_000, "rxSetup, a tenth of the stock 100 ns")
                    .cray(100_000, 100_000, ASSUMED),
            )?,
            receive_copy: costs.span(
                time(
                    "receive_copy",
                    "copying an eager payload in, whatever its size",
                )
                .firefly(
                    344,
                    "rxMemcpy: its `op: Mult` is given to tx, so the term is flat",
                ),
            )?,
            receive_copy_per_byte: costs.span(
                time(
                    "receive_copy_per_byte",
                    "copying one byte of an eager payload in",
                )
                .firefly(0, "rxMemcpy: flat, see receive_copy")
                .cray(100, 50, "assumed, as send_copy_per_byte"),
            )?,
            match_each: costs.span(
                time("match_each", "comparing one envelope with one receive")
                    .firefly(15_000, "matchDelay, a tenth of the stock 150 ns")
                    .cray(30_000, 0, "assumed; Slingshot's NIC matches"),
            )?,
            register: costs.span(
                time("register", "registering memory for a rendezvous")
                    .firefly(300_000, "regRegionBaseDelay, a tenth of the stock 3,000 ns"),
            )?,
            register_per_page: costs.span(
                time(
                    "register_per_page",
                    "registering one whole page of a payload above one page",
                )
                .firefly(10_000, "regRegionPerPageDelay, a tenth of the stock 100 ns"),
            )?,
            page: costs.bytes(
                bytes("page", "a page")
                    .at_least(1)
                    .firefly(4_096, "regRegionXoverLength")
                    .codes(4_096, "of no effect: registering costs nothing")
                    .cray(
                        4_096,
                        4_096,
                        "of no effect: registrations are assumed to be cached",
                    )
                    .ideal(4_096, "of no effect: registering costs nothing"),
            )?,
            acknowledge: costs.span(
                time("acknowledge", "sending the acknowledgement of a rendezvous")
                    .firefly(0, "no CPU time"),
            )?,
            host_to_nic: costs.span(
                time("host_to_nic", "from the host to its NIC")
                    .firefly(5_000, "the same latency as nic2host")
                    .codes(3_510_000, "10 + 2,500 + 1,000 ns for each message")
                    .cray(250_000, 300_000, ASSUMED),
            )?,
            nic_to_host: costs.span(
                time("nic_to_host", "from the NIC to its host")
                    .firefly(5_000, "nic2host_lat; stock 150 ns")
                    .cray(200_000, 300_000, ASSUMED),
            )?,
            nic_send: costs.span(
                time(
                    "nic_send",
                    "the NIC starts a message that is not a get request",
                )
                .firefly(5_000, "txDelay, a tenth of the stock 50 ns")
                .cray(50_000, 50_000, ASSUMED),
            )?,
            nic_send_per_byte: costs.span(
                time(
                    "nic_send_per_byte",
                    "delay of an eager message per byte, beside everything else",
                )
                .firefly(0, "none")
                .codes(550, "0.55 ns a byte of an eager payload"),
            )?,
            nic_match: costs.span(
                time("nic_match", "the NIC finds the buffer of a short message")
                    .firefly(10_000, "rxMatchDelay, a tenth of the stock 100 ns")
                    .cray(
                        0,
                        50_000,
                        "assumed: the NIC of Slingshot matches, that of Aries does not",
                    ),
            )?,
            nic_match_limit: costs.bytes(
                bytes("nic_match_limit", "wire size up to which nic_match shows")
                    .firefly(512, "one packet of that configuration")
                    .cray(0, 4_096, "assumed: one packet"),
            )?,
            nic_get: costs.span(
                time("nic_get", "the sender's NIC answers a get request")
                    .firefly(200_000, "stock hostReadDelay, left alone")
                    .codes(3_510_000, "each leg as host_to_nic")
                    .cray(250_000, 300_000, "assumed: reading host memory"),
            )?,
            eager_header: costs.bytes(
                header("eager_header", "header of an eager message")
                    .firefly(
                        45,
                        "1 B operation, 12 B match, 32 B MPI; residual of Table I",
                    )
                    .cray(32, 32, "assumed: an MPI envelope"),
            )?,
            rts_header: costs.bytes(
                header("rts_header", "request to send")
                    .firefly(45, "as eager_header")
                    .cray(64, 64, "assumed: an envelope and a memory handle")
                    .codes(64, "control message"),
            )?,
            get_header: costs.bytes(
                header("get_header", "get request")
                    .firefly(13, "1 B operation, 12 B remote access")
                    .codes(64, "control message")
                    .cray(32, 32, "assumed: address, handle and length"),
            )?,
            data_header: costs.bytes(
                header("data_header", "header of rendezvous data")
                    .firefly(13, "1 B operation, 12 B remote access"),
            )?,
            ack_header: costs.bytes(
                header("ack_header", "acknowledgement; 0: none")
                    .firefly(15, "what is left of the 86 B of a rendezvous in Table I")
                    .cray(16, 16, "assumed")
                    .codes(0, "none"),
            )?,
            local_latency: costs.span(
                time(
                    "local_latency",
                    "from hand-over to arrival between ranks of one node, through its memory",
                )
                .sparse()
                .firefly(
                    300_000,
                    "not in it; assumed, as between two cores of one chip",
                )
                .codes(
                    300_000,
                    "not in it; assumed, as between two cores of one chip",
                )
                .cray(
                    300_000,
                    300_000,
                    "assumed, as between two cores of one chip",
                ),
            )?,
            local_per_byte: costs.span(
                time(
                    "local_per_byte",
                    "each byte of payload between ranks of one node",
                )
                .sparse()
                .firefly(100, "not in it; assumed, 10 GB/s: one copy by one core")
                .codes(100, "not in it; assumed, 10 GB/s: one copy by one core")
                .cray(100, 50, "assumed: 10 and 20 GB/s, one copy by one core"),
            )?,
            algorithms: {
                let profile = profile(costs.table, preset)?;
                let mut chosen = CollectiveKind::ALL.map(|kind| kind.algorithms()[0]);
                for kind in CollectiveKind::ALL {
                    chosen[kind.index()] = costs.algorithm(kind, profile)?;
                }
                chosen
            },
        })
    }
}
