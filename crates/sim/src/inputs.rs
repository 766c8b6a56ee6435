//! What a configuration names and the caller has read: this room opens no file.

use std::collections::BTreeMap;

use odonata_workload::TraceTable;

/// Contents of the files that a configuration names, by the path under which it does.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Traces.
    pub traces: BTreeMap<String, TraceTable>,
    /// Texts: channel lists, interconnect dumps, allocations, tables of a learning routing.
    pub texts: BTreeMap<String, String>,
}
