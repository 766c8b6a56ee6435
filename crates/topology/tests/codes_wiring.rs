//! The wiring file of a published CODES run (MFNetSim, 1,056 nodes) is our relative arrangement.
//!
//! The file belongs to the shared data, which is not part of this repository: without it, the test
//! says so and checks nothing.
#![expect(
    clippy::print_stderr,
    reason = "a test reports that its data is absent"
)]

use std::path::{Path, PathBuf};

use odonata_topology::{Arrangement, Attachment, LinkKind, Shape, Topology};
use odonata_units::RouterId;

const WIRING: &str = "data/reference/mfnetsim/conf/network/dally-1056-inter";

/// The shared data: `ODONATA_SHARED`, or `shared` beside the repository.
fn shared() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("ODONATA_SHARED").map_or(beside, PathBuf::from)
}

/// The directed router pairs of all global channels, ascending.
fn global_pairs(dragonfly: &Topology) -> Vec<(RouterId, RouterId)> {
    let mut pairs = Vec::new();
    for channel in dragonfly
        .channels()
        .filter(|channel| channel.kind == LinkKind::Global)
    {
        if let (Attachment::Router(source, _), Attachment::Router(target, _)) =
            (channel.source, channel.target)
        {
            pairs.push((source, target));
        }
    }
    pairs.sort_unstable();
    pairs
}

#[test]
fn codes_1056_is_the_relative_arrangement() {
    let path = shared().join(WIRING);
    if !path.exists() {
        eprintln!(
            "skipped: no {}; set ODONATA_SHARED to the shared data",
            path.display()
        );
        return;
    }
    // Records of two little-endian 32-bit router numbers: source, target.
    let bytes = std::fs::read(&path).unwrap();
    let numbers = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    let routers: Vec<RouterId> = numbers.map(RouterId).collect();
    let mut wired: Vec<_> = routers
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    wired.sort_unstable();
    assert_eq!(wired.len(), 1_056);
    for arrangement in Arrangement::ALL {
        let dragonfly = Topology::dragonfly(Shape {
            groups: 33,
            routers_per_group: 8,
            nodes_per_router: 4,
            global_ports_per_router: 4,
            arrangement,
        })
        .unwrap();
        let same = global_pairs(&dragonfly) == wired;
        assert_eq!(same, arrangement == Arrangement::Relative, "{arrangement}");
    }
}
