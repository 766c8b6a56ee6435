//! Systems given channel by channel, and systems with failed links.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

use std::fmt::Write as _;

use odonata_topology::{
    AriesShape, Arrangement, Attachment, Channel, ChannelList, FailedLink, Family, LinkKind,
    MegaflyShape, PortIndex, Shape, Topology,
};
use odonata_units::{GroupId, RouterId};

fn aries() -> Topology {
    Topology::aries(AriesShape {
        groups: 3,
        rows: 2,
        columns: 4,
        nodes_per_router: 2,
        column_links: 3,
        global_ports_per_router: 2,
        chassis_per_cabinet: 1,
    })
    .unwrap()
}

fn megafly() -> Topology {
    Topology::megafly(MegaflyShape {
        groups: 5,
        leaf_routers_per_group: 3,
        spine_routers_per_group: 2,
        nodes_per_leaf: 2,
        links_per_group_pair: 2,
    })
    .unwrap()
}

fn dragonfly() -> Topology {
    Topology::dragonfly(Shape {
        groups: 5,
        routers_per_group: 4,
        nodes_per_router: 2,
        global_ports_per_router: 2,
        arrangement: Arrangement::Circulant,
    })
    .unwrap()
}

/// The columns of `odonata topo --edges`.
fn edges(topology: &Topology, with_groups: bool) -> String {
    let mut text = "channel,kind,source_node,source_router,target_node,target_router".to_owned();
    text += ",bandwidth_bytes_per_s,latency_ns";
    text += if with_groups {
        ",source_group,target_group\n"
    } else {
        "\n"
    };
    let cells = |end| match end {
        Attachment::Node(node) => (format!("{}.0,", node.0), topology.group_of_node(node)),
        Attachment::Router(router, _) => (format!(",{}.0", router.0), topology.group_of(router)),
    };
    for channel in topology.channels() {
        let (source, from) = cells(channel.source);
        let (target, to) = cells(channel.target);
        let (index, kind) = (channel.index.0, channel.kind);
        write!(text, "{index},{kind},{source},{target},1000,0.5").unwrap();
        if with_groups {
            write!(text, ",{},{}", from.0, to.0).unwrap();
        }
        text.push('\n');
    }
    text
}

/// What a channel joins, without port numbers.
fn ends(channel: &Channel) -> (LinkKind, [Option<u32>; 4]) {
    let cells = |end| match end {
        Attachment::Node(node) => [Some(node.0), None],
        Attachment::Router(router, _) => [None, Some(router.0)],
    };
    let ([a, b], [c, d]) = (cells(channel.source), cells(channel.target));
    (channel.kind, [a, b, c, d])
}

#[test]
fn a_listed_system_has_the_same_channels() {
    let halves = FailedLink {
        from: RouterId(0),
        to: RouterId(1),
        port: None,
    };
    for original in [
        aries(),
        megafly(),
        dragonfly(),
        aries().without_links(&[halves]).unwrap(),
    ] {
        let list = ChannelList::parse(&edges(&original, true)).unwrap();
        let topology = Topology::graph(&list.spec).unwrap();
        assert_eq!(topology.family(), &Family::Graph);
        assert!(
            topology
                .channels()
                .map(|channel| ends(&channel))
                .eq(original.channels().map(|channel| ends(&channel)))
        );
        for group in original.groups() {
            assert!(topology.routers_of(group).eq(original.routers_of(group)));
            for other in original.groups() {
                let routers = |topology: &Topology| -> Vec<RouterId> {
                    let ends = topology.global_channels(group, other);
                    ends.iter().map(|end| end.0).collect()
                };
                assert_eq!(routers(&topology), routers(&original));
            }
        }
        for router in original.routers() {
            assert!(topology.nodes_of(router).eq(original.nodes_of(router)));
        }
        for node in original.nodes() {
            assert_eq!(topology.router_of(node), original.router_of(node));
            assert_eq!(topology.host_port(node), original.host_port(node));
        }
        let link = list.links[LinkKind::Global as usize];
        assert_eq!(link.bandwidth_bytes_per_s, Some(1_000));
        assert_eq!(link.latency_ps, Some(500));
        // Shortest paths of any form are never longer than minimal ones.
        let (listed, built) = (topology.summary(), original.summary());
        assert_eq!(listed.channels, built.channels);
        assert_eq!(listed.bisection_links, built.bisection_links);
        assert!(listed.mean_minimal_hops <= built.mean_minimal_hops);
        assert!(listed.diameter_hops <= built.diameter_hops);
    }
}

#[test]
fn without_group_columns_one_group_holds_all() {
    let one = Topology::aries(AriesShape {
        groups: 1,
        rows: 3,
        columns: 2,
        nodes_per_router: 1,
        column_links: 2,
        global_ports_per_router: 0,
        chassis_per_cabinet: 1,
    })
    .unwrap();
    let list = ChannelList::parse(&edges(&one, false)).unwrap();
    let topology = Topology::graph(&list.spec).unwrap();
    assert_eq!(topology.group_count(), 1);
    let units: Vec<_> = topology.units().iter().map(|unit| unit.name).collect();
    assert_eq!(units, ["router", "group"]);
}

const HEADER: &str =
    "kind,source_node,source_router,target_node,target_router,source_group,target_group";

/// Two routers of one group with a node each, less or more `lines`.
fn refusal(lines: &[&str], skipped: &[usize]) -> String {
    let whole = [
        "host,0,,,0,0,0",
        "host,,0,0,,0,0",
        "host,1,,,1,0,0",
        "host,,1,1,,0,0",
        "local,,0,,1,0,0",
        "local,,1,,0,0,0",
    ];
    let kept = (0..).zip(whole).filter(|(at, _)| !skipped.contains(at));
    let mut text = HEADER.to_owned();
    for line in kept.map(|(_, line)| line).chain(lines.iter().copied()) {
        text = text + "\n" + line;
    }
    match ChannelList::parse(&text) {
        Err(error) => error.to_string(),
        Ok(list) => Topology::graph(&list.spec).unwrap_err().to_string(),
    }
}

#[track_caller]
fn check(lines: &[&str], skipped: &[usize], expected: &str) {
    assert_eq!(refusal(lines, skipped), expected);
}

#[test]
fn lists_that_contradict_themselves_are_refused() {
    check(
        &["locl,,0,,1,0,0"],
        &[],
        "line 8: there is no kind `locl` (did you mean `local`?); use one of host, local, row, \
         column, global",
    );
    check(
        &["host,1,,,0,0,0"],
        &[],
        "line 8: node 1 has this channel in line 4 already; a node has one router and one link to \
         it",
    );
    check(
        &["host,,0,1,,0,0"],
        &[3],
        "line 7: node 1 is on router 0 here, but on router 1 in line 4; a node has one router",
    );
    check(
        &[],
        &[1],
        "there is no channel from router 0 to node 0; a link needs one in each direction",
    );
    check(
        &[],
        &[0, 1],
        "there is a node 1 but no node 0; number the nodes from 0 without gaps",
    );
    check(
        &["local,,1,,3,0,0"],
        &[],
        "there is a router 3 but no router 2; number the routers from 0 without gaps",
    );
    check(
        &["local,,1,,0,1,0"],
        &[],
        "line 8: the group of router 1 is 1 here, but 0 in line 4; make them the same",
    );
    check(
        &["host,,1,,0,0,0"],
        &[],
        "line 8: a channel between routers is not of kind host; use local, row, column or global",
    );
    check(
        &["local,,1,0,0,0,0"],
        &[],
        "line 8: `target_node` and `target_router` are both given; a channel ends at one of them",
    );
    check(
        &["local,,x,,0,0,0"],
        &[],
        "line 8: `source_router` is `x`; write a whole number or nothing",
    );
    let error = ChannelList::parse("kind,sourc_node\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("(did you mean `source_node`?)"), "{error}");
    let error = ChannelList::parse("kind\n").unwrap_err().to_string();
    assert!(
        error.starts_with("the column `source_node` is missing"),
        "{error}"
    );
}

#[test]
fn systems_that_do_not_fit_together_are_refused() {
    check(
        &[],
        &[5],
        "1 local channels lead from router 0 to router 1, but 0 lead back; a link needs a channel \
         in each direction: add the missing ones from router 1 to router 0",
    );
    check(
        &["global,,0,,1,0,0", "global,,1,,0,0,0"],
        &[],
        "the global channel from router 0 to router 1 stays inside group 0; make it local, row or \
         column",
    );
    check(
        &[],
        &[4, 5],
        "node 1 on router 1 has no path to node 0 on router 0; keep or add a link between the two \
         parts of the network",
    );
    check(
        &[
            "local,,1,,2,0,0",
            "local,,2,,1,0,0",
            "host,2,,,2,0,0",
            "host,,2,2,,0,0",
        ],
        &[2, 3],
        "there is a node 2 but no node 1; number the nodes from 0 without gaps",
    );
    check(
        &[
            "local,,1,,2,0,0",
            "local,,2,,1,0,0",
            "host,1,,,2,0,0",
            "host,,2,1,,0,0",
        ],
        &[2, 3],
        "router 2 has nodes, but router 1 of the same group 0 has none; number the routers with \
         nodes first in each group",
    );
    check(
        &["local,,0,,0,0,0"],
        &[],
        "the local channel from router 0 to router 0 leads back to where it starts; remove it",
    );
    check(
        &["local,,1,,0,0,0"],
        &[2, 3],
        "1 local channels lead from router 0 to router 1, but 2 lead back; a link needs a channel in each direction: add the missing ones from router 0 to router 1",
    );
    assert!(refusal(&[], &[0, 1, 2, 3, 4, 5]).contains("no node"));
}

#[test]
fn failed_links_are_gone_in_both_directions() {
    let whole = aries();
    // One of the three parallel links of a column, and a whole row link.
    let column = whole.local_ports(RouterId(0), RouterId(4));
    assert_eq!(column.len(), 3);
    let failed = [
        FailedLink {
            from: RouterId(0),
            to: RouterId(4),
            port: Some(column[1]),
        },
        FailedLink {
            from: RouterId(1),
            to: RouterId(0),
            port: None,
        },
    ];
    let damaged = whole.without_links(&failed).unwrap();
    assert!(damaged.is_damaged() && !whole.is_damaged());
    assert_eq!(damaged.family(), whole.family());
    assert_eq!(damaged.channel_count(), whole.channel_count() - 4);
    assert_eq!(
        damaged.local_ports(RouterId(0), RouterId(4)),
        [column[0], column[2]]
    );
    assert_eq!(damaged.local_ports(RouterId(4), RouterId(0)).len(), 2);
    assert!(damaged.local_ports(RouterId(0), RouterId(1)).is_empty());
    assert_eq!(damaged.neighbour(RouterId(0), column[1]), None);
    assert_eq!(damaged.output_channel(RouterId(0), column[1]), None);
    assert_eq!(damaged.minimal_hops(RouterId(0), RouterId(1)), 2);
    let indices = damaged.channels().map(|channel| channel.index.0);
    assert!(indices.eq(0..damaged.channel_count()));
    for channel in damaged.channels() {
        assert_eq!(damaged.opposite(channel.target), Some(channel.source));
    }
}

#[test]
fn failures_that_make_no_sense_are_refused() {
    let whole = dragonfly();
    let refuse = |from, to, port: Option<u16>| {
        let link = FailedLink {
            from: RouterId(from),
            to: RouterId(to),
            port: port.map(PortIndex),
        };
        whole.without_links(&[link]).unwrap_err().to_string()
    };
    assert_eq!(
        refuse(0, 99, None),
        "there is no link between router 0 and router 99: the routers are 0 to 19"
    );
    let error = refuse(0, 6, None);
    assert!(error.contains("router 0 is joined to 1, 2, 3"), "{error}");
    let error = refuse(0, 1, Some(3));
    assert!(
        error.ends_with("port 3 of router 0 does not lead there; 2 does"),
        "{error}"
    );
    let alone: Vec<FailedLink> = whole
        .channels()
        .filter_map(|channel| match (channel.source, channel.target) {
            (Attachment::Router(from, _), Attachment::Router(to, _)) if from.0 == 7 => {
                Some(FailedLink {
                    from,
                    to,
                    port: None,
                })
            }
            _ => None,
        })
        .collect();
    let error = whole.without_links(&alone).unwrap_err().to_string();
    assert!(
        error.starts_with("node 14 on router 7 has no path to node 0"),
        "{error}"
    );
    let error = whole.draw_failures(100, &[LinkKind::Host], 1).unwrap_err();
    assert!(error.to_string().starts_with("host links cannot fail"));
    assert!(
        whole
            .draw_failures(1_000_001, &[LinkKind::Global], 1)
            .is_err()
    );
}

#[test]
fn random_failures_are_a_share_of_the_links_and_grow() {
    let whole = dragonfly();
    let global = |share| whole.draw_failures(share, &[LinkKind::Global], 3).unwrap();
    // 5 groups, 2 links per pair: 20 links.
    assert_eq!(global(0), []);
    assert_eq!(global(1_000_000).len(), 20);
    let (few, many) = (global(100_000), global(250_000));
    assert_eq!((few.len(), many.len()), (2, 5));
    assert_eq!(few, many[..2]);
    assert_ne!(
        many,
        whole
            .draw_failures(250_000, &[LinkKind::Global], 4)
            .unwrap()
    );
    let damaged = whole.without_links(&many).unwrap();
    assert_eq!(damaged.channel_count(), whole.channel_count() - 10);
    let left: usize = damaged
        .groups()
        .flat_map(|from| damaged.groups().map(move |to| (from, to)))
        .map(|(from, to)| damaged.global_channels(from, to).len())
        .sum();
    assert_eq!(left, 30);
    let local = whole.draw_failures(500_000, &[LinkKind::Local], 3).unwrap();
    assert_eq!(local.len(), 15);
    assert!(
        local
            .iter()
            .all(|link| whole.group_of(link.from) == whole.group_of(link.to))
    );
}

#[test]
fn systems_have_units() {
    let names = aries();
    let units: Vec<_> = names
        .units()
        .iter()
        .map(|unit| (unit.name, unit.starts.len()))
        .collect();
    assert_eq!(
        units,
        [("router", 24), ("chassis", 6), ("cabinet", 6), ("group", 3)]
    );
    assert_eq!(megafly().units()[0].starts.len(), 15);
    assert_eq!(names.nodes_in(GroupId(1)).len(), 16);
}
