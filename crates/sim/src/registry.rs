//! Every family of the simulator, for listings, validation, schema and documentation.

use odonata_mpi::MpiParameters;
use odonata_registry::list;
use serde_json::{Value, json};

use crate::config::{
    CallRow, DetourRow, Event, Failures, Host, Link, Measure, MoreGroups, MoreLevels, Node,
    NodeTypeChoice, Precision, Qos, SmallClass, Stop, Telemetry, TrafficClass, profiles,
    topologies,
};
use crate::parameters;
use crate::policy::policies;

/// All families as JSON: `{family: [entry, ...]}`; `mpi` is a list of rows, `tables` has one by name,
/// `counters` a list of what is no parameter, `class_profiles` one of sets of traffic classes.
#[must_use]
pub fn registry() -> Value {
    let mut all = odonata_workload::registry();
    if let Some(families) = all.as_object_mut() {
        families.insert("routings".to_owned(), odonata_routing::registry::describe());
        families.insert("topologies".to_owned(), topologies());
        families.insert("placements".to_owned(), odonata_placement::registry());
        families.insert("mpi".to_owned(), MpiParameters::registry());
        families.insert("policies".to_owned(), policies::registry());
        families.insert("tables".to_owned(), tables());
        families.insert("counters".to_owned(), odonata_counters::describe());
        families.insert("class_profiles".to_owned(), profiles());
    }
    all
}

/// The tables that every system has, by name: their rows.
fn tables() -> Value {
    let [router, packet, nic] = parameters::rows();
    json!({
        "link": list::<Link>(), "router": router, "packet": packet, "nic": nic,
        "node": list::<Node>(), "more_groups": list::<MoreGroups>(),
        "more_levels": list::<MoreLevels>(), "node_type": list::<NodeTypeChoice>(),
        "failures": list::<Failures>(), "event": list::<Event>(),
        "qos": list::<Qos>(), "class": list::<TrafficClass>(),
        "host": list::<Host>(), "detour": list::<DetourRow>(), "call": list::<CallRow>(),
        "small_class": list::<SmallClass>(), "measure": list::<Measure>(),
        "stop": list::<Stop>(), "precision": list::<Precision>(), "telemetry": list::<Telemetry>(),
    })
}
