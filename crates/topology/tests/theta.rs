//! Theta, rebuilt from the dump of its tiles, is the parametric Aries system.
//!
//! The dump belongs to the shared data, which is not part of this repository: without it, the tests
//! that need it say so and check nothing.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that fails says where, and one that is skipped says why"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use odonata_topology::{AriesShape, Attachment, Interconnect, LinkKind, PortIndex, Topology};
use odonata_units::RouterId;

const DUMP: &str = "data/topology/aries/theta.interconnect.xz";

/// The shared data: `ODONATA_SHARED`, or `shared` beside the repository.
fn shared() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("ODONATA_SHARED").map_or(beside, PathBuf::from)
}

fn dump() -> Option<String> {
    let path = shared().join(DUMP);
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("skipped: {} is absent", path.display());
        return None;
    };
    let mut text = Vec::new();
    lzma_rs::xz_decompress(&mut std::io::BufReader::new(file), &mut text).unwrap();
    Some(String::from_utf8(text).unwrap())
}

fn theta() -> AriesShape {
    AriesShape {
        groups: 9,
        rows: 6,
        columns: 16,
        nodes_per_router: 4,
        column_links: 3,
        global_ports_per_router: 4,
        chassis_per_cabinet: 3,
    }
}

#[test]
fn theta_has_the_published_sizes() {
    let topology = Topology::aries(theta()).unwrap();
    let summary = topology.summary();
    assert_eq!(
        (summary.routers, summary.nodes, summary.groups),
        (864, 3_456, 9)
    );
    assert_eq!(topology.links_per_group_pair(), 48);
    assert_eq!(summary.channels_of(LinkKind::Row), 864 * 15);
    assert_eq!(summary.channels_of(LinkKind::Column), 864 * 15);
    assert_eq!(summary.channels_of(LinkKind::Global), 864 * 4);
    // A gateway in the own row, and one in the row of the target's gateway: 1 + 1 + 2.
    assert_eq!(summary.diameter_hops, 4);
    assert_eq!(summary.unconnected_global_ports, 0);
    // 24 gateways, each with two cables, for each pair of groups.
    for from in topology.groups() {
        for to in topology.groups().filter(|&to| to != from) {
            let mut gateways: Vec<_> = topology
                .global_channels(from, to)
                .iter()
                .map(|end| end.0)
                .collect();
            assert!(gateways.chunks(2).all(|two| two[0] == two[1]));
            gateways.dedup();
            assert_eq!(gateways.len(), 24);
        }
    }
    let units: Vec<_> = topology
        .units()
        .iter()
        .map(|unit| (unit.name, unit.starts.len()))
        .collect();
    assert_eq!(
        units,
        [
            ("router", 864),
            ("chassis", 54),
            ("cabinet", 18),
            ("group", 9)
        ]
    );
}

#[test]
fn the_dump_of_theta_is_the_parametric_system() {
    let Some(text) = dump() else { return };
    let interconnect = Interconnect::parse(&text).unwrap();
    assert_eq!(interconnect.shape(), &theta());
    let report = interconnect.report();
    assert_eq!(
        (report.tiles, report.routers, report.nodes),
        (41_472, 864, 3_456)
    );
    assert_eq!(report.row_links, 864 * 15 / 2);
    assert_eq!(report.column_links, 864 * 15 / 2);
    assert_eq!(report.global_links, 864 * 4 / 2);
    // Six of the ten blue tiles of each router.
    assert_eq!(report.unused_global_tiles, 864 * 6);
    assert_eq!(report.notes, Vec::<String>::new());
    // Channel by channel and port by port.
    let rebuilt = Topology::aries_from_interconnect(&interconnect).unwrap();
    let parametric = Topology::aries(theta()).unwrap();
    assert!(rebuilt.channels().eq(parametric.channels()));
    assert_eq!(rebuilt.with_tiles_by_rule(), parametric);
}

#[test]
fn ports_are_the_tiles_of_the_dump() {
    let Some(text) = dump() else { return };
    let theta_by_rule = Topology::aries(theta()).unwrap();
    let rebuilt = Topology::aries_from_interconnect(&Interconnect::parse(&text).unwrap()).unwrap();
    // Its first line: c0-0c0s0a0l00(0:0:0) green -> c0-0c0s6a0l10(0:0:6).
    let (first, seventh) = (RouterId(0), RouterId(6));
    let tile_towards = |from, to| {
        let mut ports = (0..rebuilt.radix()).map(PortIndex);
        let leads = |port: &PortIndex| {
            let far = rebuilt.neighbour(from, *port);
            matches!(far, Some(Attachment::Router(router, _)) if router == to)
        };
        rebuilt.tile(from, ports.find(leads).unwrap())
    };
    assert_eq!(tile_towards(first, seventh), Some(0));
    assert_eq!(tile_towards(seventh, first), Some(10));
    // By the rule, ports of a kind are the same tiles in another order; of the blue ones, the dump
    // uses others.
    for router in rebuilt.routers() {
        let of_kind = |topology: &Topology, kind| {
            let ports = (0..topology.radix()).map(PortIndex);
            let ports = ports.filter(|port| topology.port_kind(*port) == kind);
            let tiles: BTreeSet<_> = ports.map(|port| topology.tile(router, port)).collect();
            tiles
        };
        for kind in [LinkKind::Host, LinkKind::Row, LinkKind::Column] {
            assert_eq!(of_kind(&rebuilt, kind), of_kind(&theta_by_rule, kind));
        }
        assert_eq!(of_kind(&rebuilt, LinkKind::Global).len(), 4);
    }
}

#[test]
fn damage_to_the_dump_is_found() {
    let Some(text) = dump() else { return };
    // Line 1 is green tile 00 of the first router; line 2 its blue tile 01.
    let lines: Vec<&str> = text.lines().collect();
    let check = |edit: &dyn Fn(&mut Vec<String>), expected: &str| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        edit(&mut lines);
        let error = Interconnect::parse(&lines.join("\n"))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{expected:?} in {error:?}");
    };
    check(
        &|lines| lines[0] = lines[0].replace("green", "black"),
        "line 1: c0-0c0s0a0l00(0:0:0) is black, but its other end",
    );
    check(
        &|lines| lines[0] = "c0-0c0s0a0l00(0:0:0) green -> unused".to_owned(),
        "does not lead back",
    );
    check(
        &|lines| lines[1] = lines[0].clone(),
        "line 2: tile c0-0c0s0a0l00(0:0:0) has a record in line 1 already",
    );
    check(
        &|lines| {
            lines.remove(0);
        },
        "which has no record",
    );
    check(
        &|lines| lines[0] = lines[0].replace("c0-0c0s0a0l00(0:0:0)", "c0-0c0s0a0l60(0:0:1)"),
        "is at (0:0:",
    );
    check(
        &|lines| lines[3] = "rubbish".to_owned(),
        "line 4: expected `TILE COLOUR -> TILE`",
    );
    check(
        &|lines| lines.retain(|line| !line.contains("(0:0:1)")),
        "no tile of a router at (0:0:1)",
    );
    check(
        &|lines| lines[40] = "c0-0c0s0a0l50(0:0:0) ptile -> unused".to_owned(),
        "processor tiles in use",
    );
    check(&|lines| lines.clear(), "no tile");

    // A link gone at both ends is no contradiction: it is reported, and the system damaged.
    let gone = text
        .replace(
            "c0-0c0s0a0l00(0:0:0) green -> c0-0c0s6a0l10(0:0:6)",
            "c0-0c0s0a0l00(0:0:0) green -> unused",
        )
        .replace(
            "c0-0c0s6a0l10(0:0:6) green -> c0-0c0s0a0l00(0:0:0)",
            "c0-0c0s6a0l10(0:0:6) green -> unused",
        );
    let interconnect = Interconnect::parse(&gone).unwrap();
    assert_eq!(interconnect.report().unused_row_tiles, 2);
    assert_eq!(
        interconnect.report().notes,
        ["1 pair of a row without a green link"]
    );
    let damaged = Topology::aries_from_interconnect(&interconnect).unwrap();
    assert!(damaged.is_damaged());
    assert_eq!(
        damaged.channel_count() + 2,
        Topology::aries(theta()).unwrap().channel_count()
    );
}
