//! Costs of the MPI library and its choice of collective algorithms.

use odonata_units::Span;
use odonata_units::spelling::hint;
use serde_json::{Map, Value, json};

use crate::collective::{Algorithm, CollectiveKind};

mod presets;

/// What is wrong with the MPI parameters of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MpiError {
    /// A preset that does not exist.
    #[error("mpi preset `{name}` does not exist{hint}; choose one of {choices}")]
    UnknownPreset {
        /// As given.
        name: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// A parameter that does not exist.
    #[error("`{name}` is not a parameter of mpi{hint}; choose among {choices}")]
    UnknownParameter {
        /// As given.
        name: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Known names.
        choices: String,
    },
    /// A value of the wrong kind.
    #[error("mpi parameter `{name}` is {value}, but it must be {expected}")]
    WrongValue {
        /// Parameter.
        name: String,
        /// As given.
        value: String,
        /// What would be right.
        expected: String,
    },
}

/// Costs and choices of the MPI library; `docs/model/mpi.md` says when each cost falls due.
///
/// Spans are picoseconds, sizes are bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MpiParameters {
    /// Largest payload that is sent at once, bytes.
    pub eager_limit: u64,
    /// Entering a call.
    pub call_enter: Span,
    /// Returning from a call.
    pub call_return: Span,
    /// Setting a send up.
    pub send_setup: Span,
    /// Bytes of the envelope copied with each send, at `send_copy_per_byte`.
    pub send_envelope: u64,
    /// Copying one byte of an eager payload out.
    pub send_copy_per_byte: Span,
    /// Setting a matched receive up.
    pub receive_setup: Span,
    /// Copying an eager payload in, whatever its size.
    pub receive_copy: Span,
    /// Copying one byte of an eager payload in.
    pub receive_copy_per_byte: Span,
    /// Comparing one envelope with one receive.
    pub match_each: Span,
    /// Registering memory for a rendezvous.
    pub register: Span,
    /// Registering one whole page of a payload larger than a page.
    pub register_per_page: Span,
    /// A page, bytes.
    pub page: u64,
    /// Sending the acknowledgement of a rendezvous.
    pub acknowledge: Span,
    /// From the host to its NIC.
    pub host_to_nic: Span,
    /// From the NIC to its host.
    pub nic_to_host: Span,
    /// The NIC starts a message that is not a get request.
    pub nic_send: Span,
    /// Each byte of an eager payload delays its message this long on the way to the network, beside
    /// everything else: neither the CPU nor other messages wait for it.
    pub nic_send_per_byte: Span,
    /// The NIC finds the buffer of a message that fits in `nic_match_limit`.
    pub nic_match: Span,
    /// Wire size up to which `nic_match` shows; longer messages hide it behind their later
    /// packets, bytes.
    pub nic_match_limit: u64,
    /// The NIC of the sender answers a get request.
    pub nic_get: Span,
    /// Header of an eager message, bytes.
    pub eager_header: u64,
    /// Request to send, bytes.
    pub rts_header: u64,
    /// Get request, bytes.
    pub get_header: u64,
    /// Header of rendezvous data, bytes.
    pub data_header: u64,
    /// Acknowledgement, bytes; 0: none, a send is complete when its data are handed over.
    pub ack_header: u64,
    /// Algorithm of each collective, indexed by [`CollectiveKind::index`].
    algorithms: [Algorithm; CollectiveKind::COUNT],
}

const PRESETS: [&str; 3] = ["firefly-kang2022", "codes", "ideal"];

struct Field {
    name: &'static str,
    kind: &'static str,
    doc: &'static str,
    slot: fn(&mut MpiParameters) -> Slot<'_>,
}

enum Slot<'a> {
    Bytes(&'a mut u64),
    Time(&'a mut Span),
}

macro_rules! field {
    ($name:ident, bytes, $doc:literal) => {
        Field {
            name: stringify!($name),
            kind: "bytes",
            doc: $doc,
            slot: |p| Slot::Bytes(&mut p.$name),
        }
    };
    ($name:ident, time, $doc:literal) => {
        Field {
            name: stringify!($name),
            kind: "time_ps",
            doc: $doc,
            slot: |p| Slot::Time(&mut p.$name),
        }
    };
}

const FIELDS: [Field; 26] = [
    field!(eager_limit, bytes, "largest payload that is sent at once"),
    field!(call_enter, time, "entering a call"),
    field!(call_return, time, "returning from a call"),
    field!(send_setup, time, "setting a send up"),
    field!(send_envelope, bytes, "envelope copied with each send"),
    field!(
        send_copy_per_byte,
        time,
        "copying one byte of an eager payload out"
    ),
    field!(receive_setup, time, "setting a matched receive up"),
    field!(
        receive_copy,
        time,
        "copying an eager payload in, whatever its size"
    ),
    field!(
        receive_copy_per_byte,
        time,
        "copying one byte of an eager payload in"
    ),
    field!(match_each, time, "comparing one envelope with one receive"),
    field!(register, time, "registering memory for a rendezvous"),
    field!(
        register_per_page,
        time,
        "registering one whole page of a payload above one page"
    ),
    field!(page, bytes, "a page"),
    field!(
        acknowledge,
        time,
        "sending the acknowledgement of a rendezvous"
    ),
    field!(host_to_nic, time, "from the host to its NIC"),
    field!(nic_to_host, time, "from the NIC to its host"),
    field!(
        nic_send,
        time,
        "the NIC starts a message that is not a get request"
    ),
    field!(
        nic_send_per_byte,
        time,
        "delay of an eager message per byte, beside everything else"
    ),
    field!(
        nic_match,
        time,
        "the NIC finds the buffer of a short message"
    ),
    field!(
        nic_match_limit,
        bytes,
        "wire size up to which nic_match shows"
    ),
    field!(nic_get, time, "the sender's NIC answers a get request"),
    field!(eager_header, bytes, "header of an eager message"),
    field!(rts_header, bytes, "request to send"),
    field!(get_header, bytes, "get request"),
    field!(data_header, bytes, "header of rendezvous data"),
    field!(ack_header, bytes, "acknowledgement; 0: none"),
];

impl MpiParameters {
    /// The named preset: `firefly-kang2022` (SST firefly as configured by Kang et al. 2022, most
    /// costs a tenth of firefly's own), `codes` (the replay of CODES: pure delays, none of them CPU
    /// time) or `ideal` (no cost, no headers, every message eager).
    ///
    /// # Errors
    /// If there is no such preset.
    pub fn preset(name: &str) -> Result<Self, MpiError> {
        match name {
            "firefly-kang2022" => Ok(Self::firefly_kang2022()),
            "codes" => Ok(Self::codes()),
            "ideal" => Ok(Self::ideal()),
            _ => Err(MpiError::UnknownPreset {
                name: name.to_owned(),
                hint: hint(name, PRESETS),
                choices: PRESETS.join(", "),
            }),
        }
    }

    /// Names of the presets, the default first.
    #[must_use]
    pub const fn presets() -> &'static [&'static str] {
        &PRESETS
    }

    /// Reads a resolved table: `preset` (default `firefly-kang2022`), then overrides by name;
    /// times are integers in picoseconds, sizes integers in bytes, algorithms names.
    ///
    /// # Errors
    /// If a name does not exist or a value is of the wrong kind.
    pub fn from_json(table: &Map<String, Value>) -> Result<Self, MpiError> {
        let mut parameters = match table.get("preset") {
            None => Self::firefly_kang2022(),
            Some(Value::String(name)) => Self::preset(name)?,
            Some(other) => return Err(wrong("preset", other, "the name of a preset")),
        };
        for (name, value) in table {
            if name != "preset" {
                parameters.set(name, value)?;
            }
        }
        Ok(parameters)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), MpiError> {
        if let Some(field) = FIELDS.iter().find(|field| field.name == name) {
            let number = value.as_u64().ok_or_else(|| {
                let unit = if field.kind == "bytes" {
                    "bytes"
                } else {
                    "picoseconds"
                };
                wrong(
                    name,
                    value,
                    &format!("a whole number of {unit}, at least 0"),
                )
            })?;
            if name == "page" && number == 0 {
                return Err(wrong(name, value, "at least 1 byte"));
            }
            match (field.slot)(self) {
                Slot::Bytes(bytes) => *bytes = number,
                Slot::Time(span) => *span = Span::from_ps(number),
            }
            return Ok(());
        }
        let Some(kind) = CollectiveKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
        else {
            let fields = FIELDS.iter().map(|field| field.name);
            let names = fields.chain(CollectiveKind::ALL.into_iter().map(CollectiveKind::name));
            let choices: Vec<&str> = names.chain(["preset"]).collect();
            return Err(MpiError::UnknownParameter {
                name: name.to_owned(),
                hint: hint(name, choices.iter().copied()),
                choices: choices.join(", "),
            });
        };
        let found = value.as_str().and_then(|text| {
            kind.algorithms()
                .iter()
                .find(|algorithm| algorithm.name() == text)
        });
        let Some(&algorithm) = found else {
            let names = kind.algorithms().iter().map(|algorithm| algorithm.name());
            let choices: Vec<&str> = names.collect();
            let hint = value
                .as_str()
                .map_or_else(String::new, |text| hint(text, choices.iter().copied()));
            return Err(wrong(
                name,
                value,
                &format!("one of {}{hint}", choices.join(", ")),
            ));
        };
        self.algorithms[kind.index()] = algorithm;
        Ok(())
    }

    /// The algorithm of a collective.
    #[must_use]
    pub const fn algorithm(&self, kind: CollectiveKind) -> Algorithm {
        self.algorithms[kind.index()]
    }

    /// These parameters with another algorithm for `kind`; unchanged if that collective has no
    /// such algorithm.
    #[must_use]
    pub fn with_algorithm(mut self, kind: CollectiveKind, algorithm: Algorithm) -> Self {
        if kind.algorithms().contains(&algorithm) {
            self.algorithms[kind.index()] = algorithm;
        }
        self
    }

    /// Whether a payload of `bytes` goes at once.
    #[must_use]
    pub const fn is_eager(&self, bytes: u64) -> bool {
        bytes <= self.eager_limit
    }

    /// Time to register (or to release) a buffer of `bytes` for a rendezvous.
    #[must_use]
    pub fn registration(&self, bytes: u64) -> Span {
        let pages = if bytes > self.page {
            bytes / self.page
        } else {
            0
        };
        if bytes == 0 {
            Span::ZERO
        } else {
            self.register + self.register_per_page * pages
        }
    }

    /// CPU time from the start of a send to the hand-over of its first message.
    #[must_use]
    pub fn send_cost(&self, bytes: u64) -> Span {
        if self.is_eager(bytes) {
            self.send_envelope_cost() + self.send_copy_per_byte * bytes
        } else {
            self.rendezvous_send_cost(bytes)
        }
    }

    /// CPU time to set up a send of `bytes` by rendezvous, as synchronous ones are at any size.
    #[must_use]
    pub fn rendezvous_send_cost(&self, bytes: u64) -> Span {
        self.send_envelope_cost() + self.registration(bytes)
    }

    fn send_envelope_cost(&self) -> Span {
        self.send_setup + self.send_copy_per_byte * self.send_envelope
    }

    /// CPU time to take a matched eager message of `bytes` in, after matching.
    #[must_use]
    pub fn receive_cost(&self, bytes: u64) -> Span {
        self.receive_setup + self.receive_copy + self.receive_copy_per_byte * bytes
    }

    /// CPU time to start a local copy of `bytes`: a message to oneself.
    #[must_use]
    pub fn local_send_cost(&self, bytes: u64) -> Span {
        self.send_setup + self.send_copy_per_byte * bytes
    }

    /// Bytes that one message of `bytes` payload puts on the wire, protocol messages included.
    #[must_use]
    pub const fn wire_bytes(&self, bytes: u64) -> u64 {
        if self.is_eager(bytes) {
            let wire = self.eager_header + bytes;
            if wire == 0 { 1 } else { wire }
        } else {
            bytes + self.rts_header + self.get_header + self.data_header + self.ack_header
        }
    }

    /// The parameters as registry entries: name, type, default of each preset, meaning.
    #[must_use]
    pub fn registry() -> Value {
        let mut presets = [Self::firefly_kang2022(), Self::codes(), Self::ideal()];
        let mut entries = vec![json!({
            "name": "preset", "type": "choice", "unit": null, "default": PRESETS[0],
            "choices": PRESETS, "doc": "where the other parameters start from",
        })];
        for field in &FIELDS {
            let values = presets.each_mut().map(|preset| match (field.slot)(preset) {
                Slot::Bytes(bytes) => *bytes,
                Slot::Time(span) => span.ps(),
            });
            let by_preset: Map<String, Value> = PRESETS
                .iter()
                .zip(values)
                .map(|(name, value)| ((*name).to_owned(), json!(value)))
                .collect();
            entries.push(json!({
                "name": field.name, "type": field.kind,
                "unit": if field.kind == "bytes" { "B" } else { "ps" },
                "default": values[0], "presets": by_preset, "choices": null, "doc": field.doc,
            }));
        }
        for kind in CollectiveKind::ALL {
            let names: Vec<&str> = kind.algorithms().iter().map(|one| one.name()).collect();
            entries.push(json!({
                "name": kind.name(), "type": "choice", "unit": null, "default": names[0],
                "choices": names, "doc": format!("algorithm of {}", kind.name()),
            }));
        }
        Value::Array(entries)
    }
}

fn wrong(name: &str, value: &Value, expected: &str) -> MpiError {
    MpiError::WrongValue {
        name: name.to_owned(),
        value: value.to_string(),
        expected: expected.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{CollectiveKind, MpiParameters};
    use crate::collective::Algorithm;

    fn read(value: &Value) -> Result<MpiParameters, String> {
        MpiParameters::from_json(value.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn overrides_replace_single_values() {
        let given = read(&json!({
            "preset": "ideal", "eager_limit": 100, "nic_get": 7, "allreduce": "ring",
        }));
        let parameters = given.unwrap();
        assert_eq!((parameters.eager_limit, parameters.nic_get.ps()), (100, 7));
        assert_eq!(
            parameters.algorithm(CollectiveKind::Allreduce),
            Algorithm::Ring
        );
        assert_eq!(
            parameters.algorithm(CollectiveKind::Barrier),
            Algorithm::BinaryTree
        );
        assert_eq!(
            read(&json!({})).unwrap(),
            MpiParameters::preset("firefly-kang2022").unwrap()
        );
    }

    #[test]
    fn errors_name_what_would_be_right() {
        let error = read(&json!({"eager_limt": 1})).unwrap_err();
        assert!(error.contains("did you mean `eager_limit`?"), "{error}");
        let error = read(&json!({"preset": "firefly"})).unwrap_err();
        assert!(error.contains("firefly-kang2022, codes, ideal"), "{error}");
        let error = read(&json!({"eager_limit": "12 kB"})).unwrap_err();
        assert!(error.contains("whole number of bytes"), "{error}");
        let error = read(&json!({"allreduce": "rign"})).unwrap_err();
        assert!(error.contains("did you mean `ring`?"), "{error}");
        assert!(
            read(&json!({"page": 0}))
                .unwrap_err()
                .contains("at least 1")
        );
    }

    #[test]
    fn wire_bytes_follow_the_headers_of_the_study() {
        let firefly = MpiParameters::preset("firefly-kang2022").unwrap();
        assert_eq!(firefly.wire_bytes(12_000), 12_045);
        assert_eq!(firefly.wire_bytes(12_001), 12_087);
        assert_eq!(MpiParameters::preset("ideal").unwrap().wire_bytes(0), 1);
        // 192,000 B are 46 whole pages.
        assert_eq!(firefly.registration(192_000).ps(), 760_000);
        assert_eq!(firefly.send_cost(3_072).ps(), 13_000 + 3_104 * 344);
    }

    #[test]
    fn the_costs_of_codes_are_delays() {
        let codes = MpiParameters::preset("codes").unwrap();
        assert!(codes.is_eager(8_191) && !codes.is_eager(8_192));
        assert_eq!(codes.send_cost(8_000).ps(), 0);
        assert_eq!(codes.receive_cost(8_000).ps(), 0);
        assert_eq!(codes.wire_bytes(8_000), 8_000);
        assert_eq!(codes.wire_bytes(10_000), 10_128);
        assert_eq!(codes.algorithm(CollectiveKind::Allreduce), Algorithm::Mpich);
    }

    #[test]
    fn the_registry_lists_every_parameter_once() {
        let registry = MpiParameters::registry();
        let names: Vec<&str> = registry
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["name"].as_str().unwrap())
            .collect();
        let unique: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len());
        for entry in registry.as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            assert!(read(&json!({ name: entry["default"] })).is_ok(), "{name}");
        }
    }
}
