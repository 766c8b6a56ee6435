//! GOAL as `txt2bin` writes it, in the byte order of usual machines. Source: LogGOPSim, `Parser.hpp`.
//!
//! Magic number, ranks, CPUs, NICs, where each rank begins and ends; of each rank its nodes, and
//! behind them the lists of nodes that wait for each.

use std::io::{Read, Seek};

use super::{Kind, Schedule, Schedules, Vertex};
use crate::bytes::{Bytes, Damage};
use crate::recorded::Edge;

const MAGIC: u64 = 4223;
/// Where positions in the file are counted from.
const ORIGIN: u64 = 8;
const NODE_BYTES: u64 = 39;

/// Reads all ranks; says how many there should be.
pub(super) fn read<R: Read + Seek>(content: R, schedules: &mut Schedules) -> Result<u32, Damage> {
    let mut bytes = Bytes::new(content)?;
    if bytes.u64_le()? != MAGIC {
        return Err(bytes.damage("it does not begin as a binary schedule does"));
    }
    let ranks = bytes.u32_le()?;
    bytes.skip(2)?;
    bytes.expect(u64::from(ranks), 16)?;
    let mut places = Vec::new();
    for _ in 0..ranks {
        places.push((bytes.u64_le()?, bytes.u64_le()?));
    }
    for (rank, (begin, end)) in (0..ranks).zip(places) {
        let at = begin.saturating_add(ORIGIN);
        bytes.jump(at)?;
        let schedule =
            rank_schedule(&mut bytes, ranks, end.saturating_sub(begin)).map_err(|damage| {
                Damage {
                    problem: format!("in the schedule of rank {rank}: {}", damage.problem),
                    ..damage
                }
            })?;
        schedules.add(rank, schedule);
    }
    Ok(ranks)
}

/// What a node says of its place in the graph.
struct Links {
    waits_for: u32,
    /// Count and beginning of the lists of those that wait for its end and for its start.
    lists: [(u32, u32); 2],
}

fn rank_schedule<R: Read + Seek>(
    bytes: &mut Bytes<R>,
    ranks: u32,
    length: u64,
) -> Result<Schedule, Damage> {
    let nodes = bytes.u32_le()?;
    let roots = u64::from(bytes.u32_le()?);
    bytes.skip(roots.saturating_mul(4))?;
    bytes.expect(u64::from(nodes), NODE_BYTES)?;
    let mut schedule = Schedule::default();
    let mut links = Vec::new();
    for _ in 0..nodes {
        let (vertex, link) = node(bytes, ranks)?;
        schedule.vertices.push(vertex);
        links.push(link);
    }
    let used = 8 + 4 * roots + NODE_BYTES * u64::from(nodes);
    let entries = length.saturating_sub(used) / 4;
    bytes.expect(entries, 4)?;
    let mut list = Vec::new();
    for _ in 0..entries {
        list.push(bytes.u32_le()?);
    }
    let total: u64 = links
        .iter()
        .flat_map(|link| link.lists)
        .map(|(count, _)| u64::from(count))
        .sum();
    if total > entries {
        return Err(bytes.damage(format!("{total} dependencies, but room for {entries}")));
    }
    let mut found = vec![0_u32; links.len()];
    for (earlier, link) in (0_u32..).zip(&links) {
        for ((count, begin), is_start) in link.lists.into_iter().zip([false, true]) {
            let range = begin as usize..begin as usize + count as usize;
            let Some(targets) = list.get(range).or((count == 0).then_some(&[])) else {
                return Err(bytes.damage("a list of dependencies ends behind the schedule"));
            };
            for &later in targets {
                let Some(found) = found.get_mut(later as usize) else {
                    return Err(bytes.damage(format!("there is no operation {later}")));
                };
                *found += 1;
                schedule.edges.push(Edge {
                    later,
                    earlier,
                    is_start,
                });
            }
        }
    }
    let differs = links
        .iter()
        .zip(&found)
        .position(|(link, &found)| link.waits_for != found);
    if let Some(at) = differs {
        return Err(bytes.damage(format!(
            "operation {at} should wait for {} others, but {} are found",
            links[at].waits_for, found[at]
        )));
    }
    Ok(schedule)
}

fn node<R: Read + Seek>(bytes: &mut Bytes<R>, ranks: u32) -> Result<(Vertex, Links), Damage> {
    let waits_for = bytes.u32_le()?;
    let kind = match bytes.u8()? {
        1 => Kind::Send,
        2 => Kind::Recv,
        3 => Kind::Calc,
        other => return Err(bytes.damage(format!("there is no operation of kind {other}"))),
    };
    let peer = bytes.u32_le()?;
    let may_be_any = kind == Kind::Recv && peer == super::ANY;
    if kind != Kind::Calc && peer >= ranks && !may_be_any {
        return Err(bytes.damage(format!("there is no rank {peer}")));
    }
    let vertex = Vertex {
        kind,
        peer,
        size: bytes.u64_le()?,
        tag: bytes.u32_le()?,
        cpu: bytes.u8()?,
        nic: bytes.u8()?,
    };
    let ends = (bytes.u32_le()?, bytes.u32_le()?);
    let starts = (bytes.u32_le()?, bytes.u32_le()?);
    let links = Links {
        waits_for,
        lists: [ends, starts],
    };
    Ok((vertex, links))
}
