//! Inputs from the caller that this room does not look up: files, and the machine.

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_workload::TraceTable;

/// Contents of the files that a configuration names, by the path under which it does; and memory.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Traces, in columns.
    pub traces: BTreeMap<String, Arc<TraceTable>>,
    /// Texts: channel lists, interconnect dumps, allocations, tables of a learning routing.
    pub texts: BTreeMap<String, String>,
    /// Memory that a run may take, bytes; `None`: nobody knows.
    pub memory_bytes: Option<u64>,
}
