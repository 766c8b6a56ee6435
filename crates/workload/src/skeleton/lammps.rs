//! LAMMPS: molecular dynamics with long-range forces on a mesh.

use odonata_mpi::{CommId, Operation, Peer, Request};

use super::WAIT_BEFORE;
use super::phase::{Alike, Cursor, Phase, PhaseSequence, RankIteration};
use super::phased::{compute_row, iterations_row, phased, ranks_row};
use super::scaled::SIZE_SCALE;
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

mod boxes;
mod model;
mod transpose;

use boxes::Layout;
use model::{Hop, Hops, Model};
use transpose::Transpose;

const INPUT: &str = "SWM-workloads, lammps/lammps_workload.json";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "lammps",
    summary: "molecular dynamics: exchange of ghost atoms in six directions, long-range forces by \
              FFT on a mesh, allreduces of 48 B, blocking",
    source: "Mubarak et al. 2019, section IV-B; SWM-workloads, lammps (public sources)",
    parameters: &[
        ranks_row(2_048).source("Mubarak et al. 2019"),
        Parameter::derived(
            "replicas",
            Kind::Counts,
            "copies along x, y, z of a box of 55 x 77 x 72.7 with 32,000 atoms; 3, 3, 3 if absent",
        )
        .within(1.0, 1_000.0)
        .source(INPUT),
        iterations_row(30).at_most(100_000).source(INPUT),
        compute_row(0, "computation at the beginning of each step")
            .source("switched off there: processors of 10^6 times the speed"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| spec.small("ranks"),
    build,
};

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let replicas = spec.counts("replicas").unwrap_or_else(|| vec![3; 3]);
    let Ok(replicas) = <[u64; 3]>::try_from(replicas) else {
        return Err(spec.wrong("replicas", "three numbers of copies, along x, y and z"));
    };
    let ranks = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let model = Model::new(replicas, ranks);
    let compute = Operation::Compute(spec.time("compute"));
    let iterations = spec.count("iterations");
    let plan = Lammps::new(&model, iterations, &compute);
    Ok(phased(spec, context, plan, iterations))
}

/// Whether a step looks for atoms that have moved far, and finds any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Check {
    None,
    Done,
    Found,
}

/// The first five steps after a re-neighbouring do not look; each look finds a share.
fn checks(steps: u64) -> Vec<Check> {
    const DELAY: u64 = 5;
    // 11 of 56 looks of a measured run led to a re-neighbouring.
    const SHARE: f64 = 0.196_428_571_429;
    let (mut since, mut found) = (0, 0.0);
    let check = |_| {
        if since < DELAY {
            since += 1;
            return Check::None;
        }
        found += SHARE;
        since += 1;
        if found <= 1.0 {
            return Check::Done;
        }
        found -= 1.0;
        since = 0;
        Check::Found
    };
    (0..steps).map(check).collect()
}

/// The steps of the job: one of three lists each.
struct Lammps {
    checks: Vec<Check>,
    lists: [Vec<Box<dyn Phase>>; 3],
}

impl Lammps {
    fn new(model: &Model, steps: u64, compute: &Operation) -> Self {
        Self {
            checks: checks(steps),
            lists: [Check::None, Check::Done, Check::Found]
                .map(|check| step(model, check, compute.clone())),
        }
    }
}

impl PhaseSequence for Lammps {
    fn phase(&self, iteration: u64, number: usize) -> Option<&dyn Phase> {
        let check = self.checks.get(usize::try_from(iteration).ok()?)?;
        self.lists[*check as usize].get(number).map(AsRef::as_ref)
    }
}

fn sums<const N: usize>(sizes: [u64; N]) -> Box<dyn Phase> {
    let sum = |bytes| CommId::WORLD.allreduce(bytes);
    Box::new(Alike(sizes.map(sum).to_vec()))
}

/// One time step.
fn step(model: &Model, check: Check, compute: Operation) -> Vec<Box<dyn Phase>> {
    let hops = |hops| -> Box<dyn Phase> {
        Box::new(SequentialHops {
            model: model.clone(),
            hops,
        })
    };
    let mut all = vec![Box::new(Alike(vec![compute])) as Box<dyn Phase>];
    all.push(sums([48, 48]));
    if check != Check::None {
        all.push(sums([4]));
    }
    if check == Check::Found {
        all.extend([hops(Hops::Moved), hops(Hops::Borders), sums([4; 5])]);
    } else {
        all.push(hops(Hops::Ghosts));
    }
    all.push(hops(Hops::ToMesh));
    all.extend(transposes(model));
    all.extend([hops(Hops::FromMesh), sums([48])]);
    all.extend([hops(Hops::Reverse), hops(Hops::Ghosts), sums([8, 48])]);
    all
}

/// To the layout of the transform; forward; and three times backward, to the mesh of each force.
fn transposes(model: &Model) -> Vec<Box<dyn Phase>> {
    let [mesh, lines, first, second] = [
        Layout::bricks(model),
        Layout::lines(model),
        Layout::planes(model, 1),
        Layout::planes(model, 2),
    ];
    let transpose = |from: &Layout, to: &Layout, point_bytes| -> Box<dyn Phase> {
        Box::new(Transpose {
            from: from.clone(),
            to: to.clone(),
            point_bytes,
            size: model.ranks(),
        })
    };
    let mut all = vec![
        transpose(&mesh, &lines, 8),
        transpose(&lines, &first, 16),
        transpose(&first, &second, 16),
        transpose(&second, &lines, 16),
    ];
    for _ in 0..3 {
        all.push(transpose(&lines, &first, 16));
        all.push(transpose(&first, &second, 16));
        all.push(transpose(&second, &mesh, 16));
    }
    all
}

/// Hops one after the other: receive, blocking send, wait.
struct SequentialHops {
    model: Model,
    hops: Hops,
}

impl Phase for SequentialHops {
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let request = Request(0);
        let hop: Hop = self.model.hop(self.hops, current.rank, cursor.at)?;
        let act = cursor.act;
        (cursor.act, cursor.at) = if act == 2 {
            (0, cursor.at + 1)
        } else {
            (act + 1, cursor.at)
        };
        Some(match act {
            0 => {
                // What the other one sends in the same hop.
                let bytes = self.model.hop(self.hops, hop.from, cursor.at)?.bytes;
                Peer::in_job(hop.from, 0).irecv(bytes, request)
            }
            1 => Peer::in_job(hop.to, 0).send(hop.bytes),
            _ => Operation::Wait(request),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use odonata_mpi::Operation;
    use odonata_mpi::collective::Sizes;
    use odonata_units::Span;

    use super::super::phase::Walk;
    use super::model::Model;
    use super::{Check, Lammps, checks};

    #[test]
    fn two_of_thirty_steps_find_new_neighbours() {
        let checks = checks(30);
        let found =
            |wanted| -> Vec<usize> { (0..30).filter(|&step| checks[step] == wanted).collect() };
        assert_eq!(found(Check::Found), [10, 20]);
        assert_eq!(
            found(Check::Done),
            [5, 6, 7, 8, 9, 16, 17, 18, 19, 26, 27, 28, 29]
        );
    }

    /// Payloads that `rank` sends by itself in 30 steps, and how often.
    fn messages(plan: &Arc<Lammps>, rank: u32) -> BTreeMap<u64, u64> {
        let mut sent = BTreeMap::new();
        for (step, times) in [(0, 15), (5, 13), (10, 2)] {
            let mut walk = Walk::new(plan.clone(), rank);
            while let Some(operation) = walk.next(step) {
                if let Operation::Send { bytes, .. } = operation {
                    *sent.entry(bytes).or_default() += times;
                }
            }
        }
        sent
    }

    /// What driving the original with counting stubs gave: means over every 32nd rank.
    #[test]
    fn messages_of_the_study_are_those_of_the_original() {
        let model = Model::new([3; 3], 2_048);
        let plan = Arc::new(Lammps::new(&model, 30, &Operation::Compute(Span::ZERO)));
        let all: Vec<_> = (0..2_048)
            .step_by(32)
            .map(|rank| messages(&plan, rank))
            .collect();
        let mean = |bytes: u64| {
            let sum: u64 = all.iter().filter_map(|sent| sent.get(&bytes)).sum();
            (sum + 32) / 64
        };
        let published = [
            (64, 4_743),
            (32, 2_812),
            (128, 1_924),
            (51_219, 176),
            (18_170, 176),
            (5_878, 176),
            (136_581, 4),
            (48_453, 4),
            (15_673, 4),
        ];
        for (bytes, count) in published {
            assert_eq!(mean(bytes), count, "messages of {bytes} B");
        }
        let volume = |sent: &BTreeMap<u64, u64>| -> u64 {
            sent.iter().map(|(bytes, count)| bytes * count).sum()
        };
        let volumes = || all.iter().map(volume);
        assert_eq!(volumes().min(), Some(16_471_896), "16.5 MB");
        assert_eq!(volumes().max(), Some(17_599_656), "17.6 MB");
        let counts = all.iter().map(|sent| sent.values().sum::<u64>());
        assert!(counts.into_iter().all(|count| count.abs_diff(15_800) < 150));
    }

    #[test]
    fn sums_of_the_study_are_those_of_the_original() {
        let model = Model::new([3; 3], 2_048);
        let plan = Arc::new(Lammps::new(&model, 30, &Operation::Compute(Span::ZERO)));
        let mut sums: BTreeMap<u64, u64> = BTreeMap::new();
        for step in 0..30 {
            let mut walk = Walk::new(plan.clone(), 9);
            while let Some(operation) = walk.next(step) {
                if let Operation::Collective { call, .. } = operation
                    && let Sizes::Cut(bytes) = call.sizes
                {
                    *sums.entry(bytes).or_default() += 1;
                }
            }
        }
        assert_eq!(sums, BTreeMap::from([(48, 120), (8, 30), (4, 25)]));
    }
}
