//! Traces with streams and edges: graphs are replayed, and bad ones diagnosed before the run.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::trace::op;
use odonata_workload::{JobContext, NodeEndpoint, StreamColumns, SystemView, TraceTable, build};
use serde_json::json;

/// One operation: code, peer, bytes, request or ns of computation, list.
#[derive(Clone, Default)]
struct Row {
    op: u8,
    peer: i32,
    bytes: u64,
    request: u32,
    ns: u64,
    list: Vec<u64>,
    stream: u32,
    follows: bool,
    /// Positions, and whether their start is meant.
    after: Vec<(u32, bool)>,
}

fn row(op: u8) -> Row {
    Row {
        op,
        ..Row::default()
    }
}

fn message(op: u8, peer: i32, bytes: u64) -> Row {
    Row {
        peer,
        bytes,
        ..row(op)
    }
}

fn compute(ns: u64) -> Row {
    Row {
        ns,
        ..row(op::COMPUTE)
    }
}

impl Row {
    fn on(self, stream: u32) -> Self {
        Self { stream, ..self }
    }

    fn follows(self) -> Self {
        Self {
            follows: true,
            ..self
        }
    }

    fn after(mut self, position: u32) -> Self {
        self.after.push((position, false));
        self
    }

    fn after_start(mut self, position: u32) -> Self {
        self.after.push((position, true));
        self
    }

    fn named(self, request: u32) -> Self {
        Self { request, ..self }
    }
}

fn table(ranks: &[Vec<Row>], with_streams: bool) -> TraceTable {
    let mut streams = StreamColumns::default();
    let mut table = TraceTable {
        rank_offsets: vec![0],
        comm_offsets: vec![0, ranks.len() as u64],
        comm_members: (0..u32::try_from(ranks.len()).unwrap()).collect(),
        ..Default::default()
    };
    for rows in ranks {
        for row in rows {
            table.op.push(row.op);
            table.peer.push(row.peer);
            table.bytes.push(row.bytes);
            table.tag.push(0);
            table.comm.push(0);
            table.request.push(row.request);
            table.duration_ps.push(row.ns * 1_000);
            table.aux_begin.push(table.aux.len() as u64);
            table.aux_count.push(u32::try_from(row.list.len()).unwrap());
            table.aux.extend(&row.list);
            streams.stream.push(row.stream);
            streams.follows.push(u8::from(row.follows));
            streams.after_begin.push(streams.after.len() as u64);
            streams
                .after_count
                .push(u32::try_from(row.after.len()).unwrap());
            for (position, start) in &row.after {
                streams.after.push(*position);
                streams.after_start.push(u8::from(*start));
            }
        }
        table.rank_offsets.push(table.op.len() as u64);
    }
    table.streams = with_streams.then_some(streams);
    table
}

fn replay(table: TraceTable) -> Result<Vec<RankReport>, String> {
    let spec = json!({"kind": "trace", "path": "job.npz", "wait_before": 0});
    let ranks = table.rank_count();
    let traces = BTreeMap::from([("job.npz".to_owned(), Arc::new(table))]);
    let nodes: Vec<NodeId> = (0..ranks).map(NodeId).collect();
    let context = JobContext {
        seed: 1,
        job: JobId(0),
        name: "job",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: 64,
            group_starts: &[0],
            injection: Bandwidth::from_bytes_per_second(25_000_000_000).unwrap(),
            flit_bytes: 1,
            packet_bytes: 1 << 20,
        },
        mpi: &MpiParameters::preset("firefly-kang2022").unwrap(),
        traces: &traces,
    };
    let mut endpoints =
        build(spec.as_object().unwrap(), &context).map_err(|error| error.to_string())?;
    let network = IdealNetwork {
        latency: Span::from_ns(100),
        bandwidth: Bandwidth::from_bytes_per_second(25_000_000_000),
        jitter: Span::from_ns(400),
    };
    network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    Ok(endpoints
        .iter()
        .map(|endpoint| match endpoint {
            NodeEndpoint::Rank(rank) => rank.report(),
            _ => unreachable!("a rank per node"),
        })
        .collect())
}

/// Every collective in its nonblocking form, and every wait.
fn collectives(size: u64) -> Vec<Row> {
    let each = vec![100_u64; usize::try_from(size).unwrap()];
    let mut rows = Vec::new();
    for (request, code) in (0..).zip((op::BARRIER..=op::ALLTOALLV).chain(op::ALLGATHER..=op::SCAN))
    {
        let list = match code {
            op::ALLTOALLV | op::REDUCE_SCATTER => each.clone(),
            _ => Vec::new(),
        };
        let row = Row {
            list,
            ..message(op::NONBLOCKING + code, 1, 700)
        };
        rows.push(row.named(request));
    }
    let count = rows.len() as u64;
    rows.push(row(op::TEST).named(3));
    for (code, list) in [
        (op::WAITANY, vec![0, 1]),
        (op::WAITSOME, vec![2, 3, 4]),
        (op::WAITALL, (0..count).collect()),
    ] {
        rows.push(Row { list, ..row(code) });
    }
    rows
}

#[test]
fn a_chain_is_replayed_as_the_sequence_it_is() {
    let size = 5;
    let ranks: Vec<Vec<Row>> = (0..size)
        .map(|rank: i32| {
            let mut rows = vec![
                row(op::ITERATION_BEGIN),
                compute(70),
                message(op::IRECV, (rank + 4) % size, 30_000).named(90),
                message(op::SEND, (rank + 1) % size, 30_000),
                row(op::WAIT).named(90),
                row(op::ITERATION_END),
                row(op::NOTHING),
            ];
            rows.extend(collectives(5));
            rows
        })
        .collect();
    let expected = replay(table(&ranks, false)).unwrap();
    assert!(expected.iter().all(|rank| rank.finished), "{expected:?}");
    // Columns that say the same, and edges that say it once more.
    let chained = |stream: u32, twice: bool| {
        let rank = |rows: &Vec<Row>| {
            let row = |(at, row): (u32, &Row)| match (twice, at) {
                (true, 1..) => row.clone().on(stream).follows().after(at - 1),
                _ => row.clone().on(stream).follows(),
            };
            (0..).zip(rows).map(row).collect()
        };
        table(&ranks.iter().map(rank).collect::<Vec<_>>(), true)
    };
    assert_eq!(replay(chained(0, false)).unwrap(), expected);
    assert_eq!(replay(chained(0, true)).unwrap(), expected);
}

#[test]
fn edges_and_streams_let_work_overlap() {
    let size = 3;
    let ranks = |ordered: bool| -> Vec<Vec<Row>> {
        (0..size)
            .map(|rank: i32| {
                let receive = message(op::RECV, (rank + 2) % size, 400_000).on(7);
                let send = message(op::SEND, (rank + 1) % size, 400_000).on(7);
                let last = message(op::ALLREDUCE, 0, 8).after(1).after(2);
                vec![
                    compute(10_000),
                    if ordered { receive.after(0) } else { receive },
                    send.after_start(1),
                    last.follows(),
                ]
            })
            .collect()
    };
    let end = |ordered| {
        let reports = replay(table(&ranks(ordered), true)).unwrap();
        assert!(reports.iter().all(|rank| rank.finished), "{reports:?}");
        reports.iter().map(|rank| rank.end.ps()).max().unwrap() / 1_000
    };
    let (overlapped, ordered) = (end(false), end(true));
    // 400,000 B take 16 us on the channel.
    assert!((16_000..25_000).contains(&overlapped), "{overlapped}");
    assert!((26_000..35_000).contains(&ordered), "{ordered}");
}

fn refused(rows: Vec<Row>, change: fn(&mut StreamColumns), parts: &[&str]) {
    let mut damaged = table(&[rows], true);
    change(damaged.streams.as_mut().unwrap());
    let error = damaged.check().unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{error}");
    }
    assert!(replay(damaged).unwrap_err().contains(&error));
}

fn far_edges(columns: &mut StreamColumns) {
    columns.after_begin.set(0, u64::MAX);
    columns.after_count.set(0, 2);
}

#[test]
fn bad_edges_are_named_before_the_run() {
    let two = || vec![compute(1), compute(2).on(3)];
    let good = |_: &mut StreamColumns| {};
    refused(
        vec![compute(1), compute(2).on(3).after(2)],
        good,
        &["operation 1 of rank 0 (compute) waits for operation 2, but the rank has 2"],
    );
    refused(
        vec![compute(1).after_start(0)],
        good,
        &["of rank 0 wait for each other: compute 0 (stream 0) after the start of compute 0"],
    );
    refused(
        vec![
            compute(1).after(2),
            compute(2).on(3),
            compute(1).on(3).follows().after(0),
        ],
        good,
        &["compute 0 (stream 0) after the end of compute 2 (stream 3) after the end of compute 0"],
    );
    refused(
        vec![compute(1), row(op::ITERATION_END).on(2)],
        good,
        &["operation 1 of rank 0 (iteration end) is on stream 2"],
    );
    refused(
        vec![row(op::WAIT).named(4).on(1), row(op::WAIT).named(4)],
        good,
        &["waits for request 4, which another operation waits for"],
    );
    refused(
        two(),
        |columns| columns.stream.set(1, 1 << 16),
        &["a stream 65536"],
    );
    refused(
        two(),
        |columns| columns.follows.set(1, 2),
        &["`follows` is 2"],
    );
    refused(
        two(),
        |columns| columns.after_count.set(0, 1),
        &["end behind `after`"],
    );
    refused(two(), far_edges, &["end behind `after`"]);
    refused(
        two(),
        |columns| columns.after_begin.push(0),
        &["column `after_begin` has 3 entries, not 2"],
    );
    refused(
        two(),
        |columns| columns.after_start.push(0),
        &["column `after_start` has 1 entries, not 0"],
    );
    let mut unknown = table(&[two()], true);
    unknown.op.set(0, op::NONBLOCKING + op::SEND);
    let error = unknown.check().unwrap_err().to_string();
    assert!(
        error.contains("has code 65, but codes go from 0 to 32"),
        "{error}"
    );
}

#[test]
fn collectives_of_a_graph_are_paired_in_the_order_of_their_edges() {
    let rows = |first: u64, second: u64| {
        vec![
            message(op::ALLREDUCE, 0, first).after(1),
            message(op::ALLREDUCE, 0, second),
        ]
    };
    let plain = vec![
        message(op::ALLREDUCE, 0, 16),
        message(op::ALLREDUCE, 0, 8).follows(),
    ];
    let reports = replay(table(&[rows(8, 16), plain.clone()], true)).unwrap();
    assert!(reports.iter().all(|rank| rank.finished), "{reports:?}");
    let error = replay(table(&[rows(8, 17), plain], true)).unwrap_err();
    assert!(error.contains("collective 0 of communicator 0"), "{error}");
    // The sizes of an allgatherv are those of its partners, not those beside it in the table.
    let gathers = |first: u64, second: u64| {
        vec![
            message(op::ALLGATHERV, 0, first).after(1),
            message(op::ALLGATHERV, 0, second),
        ]
    };
    let chain = vec![
        message(op::ALLGATHERV, 0, 5),
        message(op::ALLGATHERV, 0, 900_000).follows(),
    ];
    let end = |ranks: &[Vec<Row>]| {
        let reports = replay(table(ranks, true)).unwrap();
        assert!(reports.iter().all(|rank| rank.finished), "{reports:?}");
        reports[0].end
    };
    let reversed = end(&[gathers(7, 3), chain.clone()]);
    let straight = vec![
        message(op::ALLGATHERV, 0, 3),
        message(op::ALLGATHERV, 0, 7).follows(),
    ];
    assert_eq!(reversed, end(&[straight, chain]));
}

/// Whether a rank of these operations may be replayed: with itself, so that nothing else is wrong.
fn is_ordered(rows: &[Row]) -> Result<(), String> {
    let both = [rows.to_vec(), rows.to_vec()];
    table(&both, true)
        .check()
        .map_err(|error| error.to_string())
}

#[test]
fn messages_are_paired_in_the_order_of_their_edges() {
    // The second send and the second receive of the table are the first ones.
    let rows = |peer: i32| {
        vec![
            message(op::SEND, peer, 900).on(1).after(1),
            message(op::SEND, peer, 8).on(1),
            message(op::RECV, peer, 900).on(2).after(3),
            message(op::RECV, peer, 8).on(2),
        ]
    };
    let both = table(&[rows(1), rows(0)], true);
    assert_eq!(both.problems(), [""; 0]);
    let reports = replay(both).unwrap();
    assert!(reports.iter().all(|rank| rank.finished), "{reports:?}");
    let mut small = table(&[rows(1), rows(0)], true);
    small.bytes.set(7, 7);
    let problems = small.problems();
    assert!(
        problems[0].contains("first: 8 bytes from rank 0 to rank 1"),
        "{problems:?}"
    );
}

#[test]
fn what_is_paired_by_number_has_one_order() {
    let reduce = |bytes| message(op::ALLREDUCE, 0, bytes).on(1);
    // Ready at once, or after the same, or one after the other: the table decides.
    for good in [
        vec![reduce(8), reduce(16)],
        vec![compute(5), reduce(8).after(0), reduce(16).after(0)],
        vec![
            compute(5),
            compute(5).after(0),
            reduce(8).after(0),
            reduce(16).after(1),
        ],
        vec![reduce(8), compute(5), reduce(16).after(1)],
        vec![reduce(8).after(2), compute(5), reduce(16).after(1)],
        // Their computations take turns on one CPU, which no edge says.
        vec![
            compute(5),
            compute(9),
            reduce(8).after(0),
            reduce(16).after(1),
        ],
        vec![reduce(8), reduce(16).on(2).after(0)],
        // All of what the first one waits for, by several ways.
        vec![
            compute(5).on(3),
            compute(5).on(4),
            reduce(8).after(0).after(1),
            compute(5).on(5).after(0),
            reduce(16).after(1).after(3),
        ],
    ] {
        is_ordered(&good).unwrap();
    }
    let open = "of rank 0, both on communicator 0, may start in either order";
    for bad in [
        vec![compute(5), reduce(8).after(0), reduce(16)],
        vec![compute(5), reduce(8), reduce(16).on(2)],
        vec![reduce(8), reduce(16).on(2).after_start(0)],
        vec![
            compute(5),
            compute(9).on(2),
            reduce(8).after(0),
            reduce(16).after(1),
        ],
        vec![
            compute(5).on(3),
            compute(5).on(4),
            reduce(8).after(0).after(1),
            reduce(16).after(1),
        ],
    ] {
        let error = is_ordered(&bad).unwrap_err();
        assert!(error.contains(open), "{error}");
    }
    // Another communicator, another pair or another tag has an order of its own.
    let error = is_ordered(&[
        compute(5),
        message(op::SEND, 1, 8).on(1).after(0),
        message(op::SEND, 0, 8).on(1),
        message(op::SEND, 1, 16).on(1),
        message(op::RECV, 1, 16).on(2),
    ]);
    let error = error.unwrap_err();
    let words = "operations 1 (send of 8 B) and 3 (send of 16 B) of rank 0, both to rank 1 with";
    assert!(error.contains(words), "{error}");
}
