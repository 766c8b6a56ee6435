//! Costs of the MPI library and its choice of collective algorithms.

use std::fmt;

use odonata_registry::{Keys, Problem};
use odonata_units::Span;
use serde_json::{Map, Value};

use crate::collective::{Algorithm, CollectiveKind};

mod rows;

/// Presets, the default first.
const PRESETS: [&str; 5] = [
    "firefly-kang2022",
    "codes",
    "ideal",
    "cray-mpich-aries",
    "cray-mpich-cxi",
];

/// A problem with the MPI parameters of a scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct MpiError(Problem);

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Unknown { key, hint, choices } => write!(
                f,
                "`{key}` is not a parameter of mpi{hint}; choose among {choices}"
            ),
            Problem::Wrong {
                key,
                value,
                expected,
            } => write!(
                f,
                "mpi parameter `{key}` is {value}, but it must be {expected}"
            ),
            Problem::Missing { key, meaning } => {
                write!(
                    f,
                    "mpi parameter `{key}` is missing, but it must be {meaning}"
                )
            }
        }
    }
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
    /// A message to another rank of the node is there this long after its hand-over, and...
    pub local_latency: Span,
    /// ... this much later for each byte of payload.
    pub local_per_byte: Span,
    /// Algorithm of each collective, indexed by [`CollectiveKind::index`].
    algorithms: [Algorithm; CollectiveKind::COUNT],
}

impl MpiParameters {
    /// The named preset: `firefly-kang2022` (SST firefly as configured by Kang et al. 2022, most
    /// costs a tenth of firefly's own), `codes` (the replay of CODES: pure delays, none of them CPU
    /// time), `ideal` (no cost, no headers, every message eager), or Cray MPICH on Aries and on
    /// Slingshot (`cray-mpich-aries`, `cray-mpich-cxi`: the limits documented, most costs assumed).
    ///
    /// # Errors
    /// If there is no such preset.
    pub fn preset(name: &str) -> Result<Self, MpiError> {
        let table = Map::from_iter([("preset".to_owned(), name.into())]);
        Self::from_json(&table)
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
        odonata_registry::read(table, Keys::Plain).map_err(MpiError)
    }

    /// The algorithm of a collective.
    #[must_use]
    pub const fn algorithm(&self, kind: CollectiveKind) -> Algorithm {
        self.algorithms[kind.index()]
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

    /// The rows: as [`odonata_registry::Parameter::describe`], with `presets` (value by preset)
    /// and `sources` (of these values).
    #[must_use]
    pub fn registry() -> Value {
        Value::Array(odonata_registry::list::<Self>())
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
