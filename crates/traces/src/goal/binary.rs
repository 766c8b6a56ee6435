//! GOAL as `txt2bin` writes it, in the byte order of usual machines. Source: LogGOPSim,
//! `Parser.hpp`.
//!
//! Magic number, ranks, CPUs, NICs, where each rank begins and ends; of each rank its nodes, and
//! behind them the lists of nodes that wait for each. LogGOPSim2 has the same magic number but
//! longer nodes: which ones they are follows from the length of a rank.

use std::io::{Read, Seek};

use odonata_workload::Column;

use super::schedule::{Kind, Schedule, Vertex};
use super::schedules::{ANY, Schedules};
use crate::bytes::{Bytes, Damage};
use crate::recorded::Edge;

const MAGIC: u64 = 4223;
/// Where positions in the file are counted from.
const ORIGIN: u64 = 8;
/// Bytes of a node as LogGOPSim and as LogGOPSim2 write it.
const NODE_BYTES: [u64; 2] = [39, 104];
/// Fields of a node that are the same for both.
const COMMON_BYTES: u64 = 39;

/// Reads all ranks; says how many there should be.
pub(super) fn read<R: Read + Seek>(content: R, schedules: &mut Schedules) -> Result<u32, Damage> {
    let mut bytes = Bytes::new(content)?;
    if bytes.u64_le()? != MAGIC {
        return Err(bytes.damage("it does not begin as a binary schedule does"));
    }
    let ranks = bytes.u32_le()?;
    bytes.skip(2)?;
    bytes.expect(u64::from(ranks), 16)?;
    let mut extents = Vec::new();
    for _ in 0..ranks {
        extents.push((bytes.u64_le()?, bytes.u64_le()?));
    }
    let mut node_bytes = None;
    for (rank, (begin, end)) in (0..ranks).zip(extents) {
        let in_rank = |damage: Damage| Damage {
            problem: format!("in the schedule of rank {rank}: {}", damage.problem),
            ..damage
        };
        let (at, length) = (begin.saturating_add(ORIGIN), end.saturating_sub(begin));
        for size in NODE_BYTES {
            bytes.jump(at).map_err(in_rank)?;
            if node_bytes.is_none() && fits(&mut bytes, length, size).unwrap_or(false) {
                node_bytes = Some(size);
            }
        }
        bytes.jump(at).map_err(in_rank)?;
        let mut reader = RankReader {
            bytes: &mut bytes,
            ranks,
            node_bytes: node_bytes.unwrap_or(COMMON_BYTES),
            others: Vec::new(),
        };
        let schedule = reader.read(length).map_err(in_rank)?;
        for (kind, at) in reader.others {
            let name = format!("operation of kind {kind}");
            let location = || format!("operation {at} of rank {rank}");
            schedules.writer.omit(&name, location);
        }
        schedules.add(rank, schedule);
    }
    Ok(ranks)
}

/// Whether nodes of `size` bytes and the lists behind them fill a rank; false if it has no node.
fn fits<R: Read + Seek>(bytes: &mut Bytes<R>, length: u64, size: u64) -> Result<bool, Damage> {
    let nodes = u64::from(bytes.u32_le()?);
    let roots = u64::from(bytes.u32_le()?);
    bytes.skip(roots.saturating_mul(4))?;
    bytes.expect(nodes, size)?;
    let mut entries = 0;
    for _ in 0..nodes {
        entries += u64::from(bytes.u32_le()?);
        bytes.skip(size - 4)?;
    }
    Ok(nodes > 0 && length == 8 + 4 * roots + size * nodes + 4 * entries)
}

/// Edges of nodes in the graph, packed.
#[derive(Default)]
struct Links {
    waits_for: Column<u32>,
    /// Counts and beginnings of the lists of those that wait for the end and for the start.
    lists: [(Column<u32>, Column<u32>); 2],
    /// The entries of all lists.
    total: u64,
}

struct RankReader<'a, R> {
    bytes: &'a mut Bytes<R>,
    ranks: u32,
    node_bytes: u64,
    /// Kinds of operations that are left out, and where they are.
    others: Vec<(u8, u32)>,
}

impl<R: Read + Seek> RankReader<'_, R> {
    fn read(&mut self, length: u64) -> Result<Schedule, Damage> {
        let nodes = self.bytes.u32_le()?;
        let roots = u64::from(self.bytes.u32_le()?);
        self.bytes.skip(roots.saturating_mul(4))?;
        self.bytes.expect(u64::from(nodes), self.node_bytes)?;
        let mut schedule = Schedule::default();
        let mut links = Links::default();
        for at in 0..nodes {
            let vertex = self.node(at, &mut links)?;
            schedule.push(vertex);
        }
        let used = 8 + 4 * roots + self.node_bytes * u64::from(nodes);
        let entries = length.saturating_sub(used) / 4;
        self.bytes.expect(entries, 4)?;
        let mut list = Column::default();
        for _ in 0..entries {
            list.push(self.bytes.u32_le()?);
        }
        let total = links.total;
        if total > entries {
            let words = format!("{total} dependencies, but room for {entries}");
            return Err(self.bytes.damage(words));
        }
        self.edges(&mut schedule, &links, &list)?;
        Ok(schedule)
    }

    fn edges(
        &self,
        schedule: &mut Schedule,
        links: &Links,
        list: &Column<u32>,
    ) -> Result<(), Damage> {
        let mut found = vec![0_u32; links.waits_for.len()];
        schedule.edges.reserve_exact(list.len());
        for (at, earlier) in (0..found.len()).zip(0_u32..) {
            for ((counts, begins), is_start) in links.lists.iter().zip([false, true]) {
                let (count, begin) = (counts.get(at) as usize, begins.get(at) as usize);
                if count > 0 && begin + count > list.len() {
                    let words = "a list of dependencies ends behind the schedule";
                    return Err(self.bytes.damage(words));
                }
                for later in (begin..begin + count).map(|index| list.get(index)) {
                    let Some(found) = found.get_mut(later as usize) else {
                        let words = format!("there is no operation {later}");
                        return Err(self.bytes.damage(words));
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
        let mut pairs = links.waits_for.iter().zip(&found);
        match pairs.position(|(waits_for, &found)| waits_for != found) {
            None => Ok(()),
            Some(at) => Err(self.bytes.damage(format!(
                "operation {at} should wait for {} others, but {} are found",
                links.waits_for.get(at),
                found[at]
            ))),
        }
    }

    fn node(&mut self, at: u32, links: &mut Links) -> Result<Vertex, Damage> {
        let bytes = &mut *self.bytes;
        let waits_for = bytes.u32_le()?;
        let number = bytes.u8()?;
        let kind = match number {
            1 => Kind::Send,
            2 => Kind::Recv,
            3 => Kind::Calc,
            4..=32 if self.node_bytes > COMMON_BYTES => {
                self.others.push((number, at));
                Kind::Other
            }
            other => return Err(bytes.damage(format!("there is no operation of kind {other}"))),
        };
        let peer = bytes.u32_le()?;
        let may_be_any = kind == Kind::Recv && peer == ANY;
        let is_message = matches!(kind, Kind::Send | Kind::Recv);
        if is_message && peer >= self.ranks && !may_be_any {
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
        links.waits_for.push(waits_for);
        for (counts, begins) in &mut links.lists {
            let count = bytes.u32_le()?;
            links.total += u64::from(count);
            counts.push(count);
            begins.push(bytes.u32_le()?);
        }
        bytes.skip(self.node_bytes - COMMON_BYTES)?;
        Ok(vertex)
    }
}
