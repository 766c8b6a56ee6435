//! Traces: replay of a hand-written table, and the diagnosis of damaged ones.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::collections::BTreeMap;
use std::sync::Arc;

use odonata_mpi::ideal::IdealNetwork;
use odonata_mpi::{MpiParameters, RankReport};
use odonata_units::{Bandwidth, Instant, JobId, NodeId, Span};
use odonata_workload::trace::op;
use odonata_workload::{JobContext, NodeEndpoint, SystemView, TraceTable, build, rank_count};
use serde_json::{Value, json};

/// One operation, for writing tables by hand.
#[derive(Clone, Default)]
struct Row {
    op: u8,
    peer: i32,
    bytes: u64,
    tag: i32,
    comm: u32,
    request: u32,
    duration_ps: u64,
    list: Vec<u64>,
}

fn row(op: u8) -> Row {
    Row {
        op,
        ..Row::default()
    }
}

fn message(op: u8, peer: i32, tag: i32, bytes: u64) -> Row {
    Row {
        op,
        peer,
        bytes,
        tag,
        ..Row::default()
    }
}

fn request(op: u8, peer: i32, bytes: u64, request: u32) -> Row {
    Row {
        op,
        peer,
        bytes,
        request,
        ..Row::default()
    }
}

fn collective(op: u8, comm: u32, root: i32, bytes: u64) -> Row {
    Row {
        op,
        peer: root,
        bytes,
        comm,
        ..Row::default()
    }
}

fn compute(duration_ps: u64) -> Row {
    Row {
        duration_ps,
        ..row(op::COMPUTE)
    }
}

fn waitall(list: &[u64]) -> Row {
    Row {
        list: list.to_vec(),
        ..row(op::WAITALL)
    }
}

fn table(ranks: &[Vec<Row>], communicators: &[&[u32]]) -> TraceTable {
    let mut table = TraceTable {
        rank_offsets: vec![0],
        comm_offsets: vec![0],
        ..Default::default()
    };
    for rows in ranks {
        for row in rows {
            table.op.push(row.op);
            table.peer.push(row.peer);
            table.bytes.push(row.bytes);
            table.tag.push(row.tag);
            table.comm.push(row.comm);
            table.request.push(row.request);
            table.duration_ps.push(row.duration_ps);
            table.aux_begin.push(table.aux.len() as u64);
            table.aux_count.push(u32::try_from(row.list.len()).unwrap());
            table.aux.extend(&row.list);
        }
        table.rank_offsets.push(table.op.len() as u64);
    }
    for members in communicators {
        table.comm_members.extend(*members);
        table.comm_offsets.push(table.comm_members.len() as u64);
    }
    table
}

fn replay(table: TraceTable, mut spec: Value) -> Result<Vec<RankReport>, String> {
    spec["kind"] = json!("trace");
    spec["path"] = json!("job.npz");
    let spec = spec.as_object().unwrap();
    let traces = BTreeMap::from([("job.npz".to_owned(), Arc::new(table))]);
    let ranks = rank_count(spec, 99, &traces).map_err(|error| error.to_string())?;
    let nodes: Vec<NodeId> = (0..ranks).map(|rank| NodeId(2 * rank)).collect();
    let context = JobContext {
        seed: 1,
        job: JobId(0),
        name: "job",
        nodes: &nodes,
        rank_map: None,
        here: None,
        system: SystemView {
            node_count: 256,
            group_starts: &[0],
            injection: Bandwidth::from_bytes_per_second(1).unwrap(),
            flit_bytes: 128,
            packet_bytes: 512,
        },
        mpi: &MpiParameters::preset("ideal").unwrap(),
        traces: &traces,
    };
    let mut endpoints = build(spec, &context).map_err(|error| error.to_string())?;
    let network = IdealNetwork {
        latency: Span::from_ns(1),
        bandwidth: None,
        jitter: Span::ZERO,
    };
    network.run(&mut endpoints, &nodes, Instant::from_ps(u64::MAX - 1));
    let reports = endpoints.iter().map(|endpoint| match endpoint {
        NodeEndpoint::Rank(rank) => rank.report(),
        _ => unreachable!("a trace has ranks only"),
    });
    Ok(reports.collect())
}

#[test]
fn a_small_trace_is_replayed_to_the_instant() {
    let table = table(
        &[
            vec![
                row(op::ITERATION_BEGIN),
                compute(5_000),
                message(op::SEND, 1, 7, 100),
                request(op::IRECV, 1, 60, 4),
                row(op::NOTHING),
                request(op::WAIT, 0, 0, 4),
                row(op::ITERATION_END),
            ],
            vec![
                compute(2_000),
                message(op::RECV, 0, 7, 100),
                compute(10_000),
                request(op::ISEND, 0, 50, 9),
                waitall(&[9]),
            ],
        ],
        &[&[0, 1]],
    );
    let reports = replay(table.clone(), json!({})).unwrap();
    assert_eq!(reports[1].end.ps(), 5_000 + 1_000 + 10_000);
    assert_eq!(reports[0].end.ps(), 17_000);
    assert_eq!(reports[0].iterations[0].comm_time.ps(), 12_000);
    assert!(reports.iter().all(|report| report.finished));
    let dropped = replay(table.clone(), json!({ "compute_scale": 0 })).unwrap();
    assert_eq!(dropped[0].end.ps(), 2_000);
    let doubled = replay(table, json!({ "compute_scale": 2, "wait_before": 100 })).unwrap();
    assert_eq!(doubled[0].end.ps(), 100 + 10_000 + 1_000 + 20_000 + 1_000);
}

/// What rank `from` sends to position `to` in the alltoallv below.
fn pair_bytes(from: u32, to: usize) -> u64 {
    (10 * u64::from(from) + 3) * to as u64
}

/// Every collective on one communicator, as rank `rank` of the job recorded it.
fn all_collectives(rank: u32, comm: u32, members: &[u32]) -> Vec<Row> {
    let mut rows = Vec::new();
    let Some(position) = members.iter().position(|&member| member == rank) else {
        return rows;
    };
    for code in (op::BARRIER..=op::SCAN).filter(|&code| op::is_collective(code)) {
        let own = matches!(code, op::ALLGATHERV | op::GATHERV | op::SCATTERV);
        let root = if op::is_rooted(code) { 2 } else { 0 };
        let mut call = collective(
            code,
            comm,
            root,
            if own { 10 * u64::from(rank) } else { 64 },
        );
        if code == op::ALLTOALLV {
            rows.push(call.clone());
            call.list = (0..members.len()).map(|to| pair_bytes(rank, to)).collect();
            rows.push(call.clone());
            call.list
                .extend(members.iter().map(|&from| pair_bytes(from, position)));
        }
        if code == op::REDUCE_SCATTER {
            rows.push(call.clone());
            call.list = (0..members.len() as u64).collect();
        }
        rows.push(call);
    }
    rows
}

#[test]
fn every_operation_of_the_table_is_replayed() {
    let communicators: [&[u32]; 2] = [&[0, 1, 2, 3], &[3, 0, 2]];
    let rank = |rank: u32| {
        let mut rows = all_collectives(rank, 0, communicators[0]);
        rows.extend(all_collectives(rank, 1, communicators[1]));
        let other = i32::try_from(rank ^ 1).unwrap();
        rows.extend([
            Row {
                tag: -1,
                ..request(op::IRECV, -1, 8, 0)
            },
            request(op::ISEND, other, 8, 1),
            waitall(&[0, 1]),
            compute(1),
        ]);
        rows
    };
    let ranks: Vec<Vec<Row>> = (0..4).map(rank).collect();
    let reports = replay(table(&ranks, &communicators), json!({})).unwrap();
    for report in &reports {
        assert_eq!((report.finished, &report.blocked_on), (true, &None));
    }
    assert_eq!(
        reports,
        replay(table(&ranks, &communicators), json!({})).unwrap()
    );
}

fn check(table: TraceTable, parts: &[&str]) {
    let error = replay(table, json!({})).unwrap_err();
    for part in ["the trace `job.npz` cannot be replayed"]
        .iter()
        .chain(parts)
    {
        assert!(error.contains(part), "{part:?} in {error:?}");
    }
}

fn two(first: Vec<Row>, second: Vec<Row>) -> TraceTable {
    table(&[first, second], &[&[0, 1]])
}

#[test]
fn messages_without_partner_are_named() {
    check(
        two(
            vec![message(op::SEND, 1, 7, 8), message(op::SEND, 1, 7, 8)],
            vec![message(op::RECV, 0, 7, 8)],
        ),
        &["1 sends of rank 0 to rank 1 with tag 7", "truncated"],
    );
    check(
        two(vec![message(op::RECV, -1, -1, 8)], vec![]),
        &["1 receives of rank 0 from rank any with tag any"],
    );
    check(
        two(
            vec![message(op::RECV, 1, 3, 8)],
            vec![message(op::SEND, 0, 4, 8)],
        ),
        &["1 sends of rank 1 to rank 0 with tag 4"],
    );
}

#[test]
fn impossible_operations_are_named() {
    check(
        two(vec![row(op::BARRIER)], vec![]),
        &["collective 0 of communicator 0 is barrier on rank 0, but missing on rank 1"],
    );
    check(
        two(
            vec![collective(op::BCAST, 0, 0, 8)],
            vec![collective(op::BCAST, 0, 1, 8)],
        ),
        &["bcast of 8 B, root 0 on rank 0, but bcast of 8 B, root 1 on rank 1"],
    );
    check(
        two(
            vec![collective(op::ALLREDUCE, 0, 0, 80)],
            vec![collective(op::ALLREDUCE, 0, 0, 40)],
        ),
        &["allreduce of 80 B on rank 0, but allreduce of 40 B on rank 1"],
    );
    let blocks = |list: &[u64]| {
        let mut call = collective(op::REDUCE_SCATTER, 0, 0, 9);
        call.list = list.to_vec();
        vec![call]
    };
    check(
        two(blocks(&[4, 5]), blocks(&[5, 5])),
        &["reduce_scatter of 9 B in all on rank 0, but reduce_scatter of 10 B in all on rank 1"],
    );
    check(
        two(vec![message(op::SEND, 2, 0, 8)], vec![]),
        &["operation 0 of rank 0 (send)", "partner 2"],
    );
    check(
        two(vec![message(op::SEND, -1, 0, 8)], vec![]),
        &["partner -1"],
    );
    check(two(vec![message(op::SEND, 1, -1, 8)], vec![]), &["tag -1"]);
    check(
        two(vec![collective(op::REDUCE, 0, -1, 8)], vec![]),
        &["(reduce)", "root -1"],
    );
    check(
        two(vec![collective(op::SCAN, 3, 0, 8)], vec![]),
        &["communicator 3, but there are 1"],
    );
    check(
        two(vec![], vec![row(99)]),
        &["operation 0 of rank 1 (unknown) has code 99"],
    );
    let mut sizes = collective(op::ALLTOALLV, 0, 0, 8);
    sizes.list = vec![1];
    check(two(vec![sizes], vec![]), &["1 sizes among 2 ranks"]);
}

#[test]
fn columns_that_do_not_fit_are_named() {
    let mut short = two(vec![row(op::NOTHING)], vec![]);
    short.tag.truncate(0);
    check(short, &["columns do not match", "`tag` has 0"]);
    let mut far = two(vec![waitall(&[1])], vec![]);
    far.aux_begin.set(0, u64::MAX);
    check(far, &["ends behind `aux`"]);
    let both = [vec![], vec![]];
    check(
        table(&both, &[&[0, 1], &[0, 2]]),
        &["member 2, but there are 2 ranks"],
    );
    check(table(&both, &[&[0, 1], &[1, 1]]), &["member 1 twice"]);
    check(
        table(&both, &[&[1, 0]]),
        &["communicator 0 must have all 2 ranks, in order"],
    );
    let mut falling = two(vec![row(op::NOTHING)], vec![]);
    falling.rank_offsets = vec![0, 2, 1];
    check(falling, &["`rank_offsets` does not increase"]);
    assert!(
        replay(TraceTable::default(), json!({}))
            .unwrap_err()
            .contains("no ranks")
    );
}

#[test]
fn a_diagnosis_numbers_communicators_as_the_table_does() {
    let receive = |comm| Row {
        comm,
        ..message(op::RECV, 1, 0, 8)
    };
    let send = |comm| Row {
        comm,
        ..message(op::SEND, 0, 0, 8)
    };
    for comm in [0, 1] {
        // Both receive first, on the same communicator.
        let first = vec![
            receive(comm),
            Row {
                peer: 1,
                ..send(comm)
            },
        ];
        let second = vec![
            Row {
                peer: 0,
                ..receive(comm)
            },
            send(comm),
        ];
        let table = table(&[first, second], &[&[0, 1], &[0, 1]]);
        for report in replay(table, json!({})).unwrap() {
            let said = report.blocked_on.unwrap();
            assert!(said.contains(&format!("communicator {comm},")), "{said}");
        }
    }
}

#[test]
fn synchronous_sends_head_to_head_stand_still() {
    let rank = |other, send| vec![message(send, other, 0, 8), message(op::RECV, other, 0, 8)];
    let finished = |send| {
        let reports = replay(two(rank(1, send), rank(0, send)), json!({})).unwrap();
        reports.iter().all(|report| report.finished)
    };
    assert!(finished(op::SEND));
    assert!(!finished(op::SSEND));
    let rank = |other| {
        vec![
            request(op::ISSEND, other, 8, 0),
            message(op::RECV, other, 0, 8),
            request(op::WAIT, 0, 0, 0),
        ]
    };
    let reports = replay(two(rank(1), rank(0)), json!({})).unwrap();
    assert!(reports.iter().all(|report| report.finished));
}

#[test]
fn wildcards_pair_with_what_exact_receives_leave() {
    let good = table(
        &[
            vec![
                Row {
                    tag: -1,
                    ..message(op::RECV, -1, 0, 8)
                },
                message(op::RECV, 1, 5, 8),
                Row {
                    tag: -1,
                    ..message(op::RECV, 1, 0, 8)
                },
            ],
            vec![message(op::SEND, 0, 6, 8), message(op::SEND, 0, 5, 8)],
            vec![compute(100_000), message(op::SEND, 0, 5, 8)],
        ],
        &[&[0, 1, 2]],
    );
    assert_eq!(good.check(), Ok(()));
}

#[test]
fn blocks_that_add_up_to_more_than_a_number_are_told() {
    let call = |list: Vec<u64>| Row {
        list,
        ..collective(op::REDUCE_SCATTER, 0, 0, 9)
    };
    let (one, other) = (call(vec![u64::MAX, 9]), call(vec![u64::MAX, 8]));
    check(
        two(vec![one], vec![other]),
        &["reduce_scatter of 18446744073709551615 B in all"],
    );
}

/// As `docs/traces.md` has it.
const BYTES_PER_OPERATION: usize = 12;

#[test]
fn an_operation_takes_few_bytes() {
    let mut state = 1_u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let row = |op, bytes: u32, tag: i32, request, duration: u32| Row {
        op,
        peer: 1,
        bytes: u64::from(bytes),
        tag,
        request,
        duration_ps: u64::from(duration) * 1_000,
        ..Row::default()
    };
    let mut rows = Vec::new();
    for step in 0..10_000 {
        let (bytes, tag) = (draw(100_000), i32::try_from(step % 50).unwrap());
        rows.push(row(op::COMPUTE, 0, 0, 0, draw(9_000_000)));
        rows.push(row(op::IRECV, bytes, tag, 2 * step, 0));
        rows.push(row(op::ISEND, bytes, tag, 2 * step + 1, 0));
        let list = vec![u64::from(2 * step), u64::from(2 * step + 1)];
        rows.push(Row {
            list,
            ..row(op::WAITALL, 0, 0, 0, 0)
        });
    }
    let mut table = table(&[rows, Vec::new()], &[&[0, 1]]);
    table.close();
    let held = table.heap_bytes() / table.op.len();
    assert!(held < BYTES_PER_OPERATION, "{held} bytes per operation");
}
