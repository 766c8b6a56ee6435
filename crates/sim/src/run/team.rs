//! One run in several processes: each simulates some groups, and process 0 puts together what they
//! have found, to exactly what one process would return.

use odonata_engine::{Laps, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::{News, RankReport};
use odonata_network::{Found, Team};
use odonata_units::{Record, record};

use crate::build::inputs::Inputs;
use crate::build::learned::LearnedRow;
use crate::build::sources::Sources;
use crate::config::Config;
use crate::precision::IterationWatch;
use crate::report::decided;
use crate::report::finished::{Finished, RankLog, ranks};
use crate::report::messages::own_logs;
use crate::report::probes::{Heard, ObservedRun, ScopeReport};
use crate::report::tables::add_links;
use crate::result::exchange::{TeamError, received, unreadable};
use crate::result::outcome::Outcome;
use crate::run::alone::{Control, outcome, prepare};

/// What a process has found of its share, besides what probes have heard.
struct ProcessReport {
    network: Found,
    /// `[job]`: the open-loop sources at its nodes.
    sources: Vec<Sources>,
    ranks: Vec<Report>,
    laps: Vec<Laps>,
    /// `[job]`: what its ranks have ended since all processes last rested.
    news: Vec<News>,
    learned: Vec<LearnedRow>,
    logs: Vec<RankLog>,
}
record!(ProcessReport {
    network,
    sources,
    ranks,
    laps,
    news,
    learned,
    logs,
});

/// What a rank says.
struct Report {
    job: usize,
    rank: usize,
    report: RankReport,
}
record!(Report { job, rank, report });

/// Simulates the share of this process of `config`, on `threads` threads in each process of `mesh`.
///
/// Process 0 returns the outcome, which is that of [`run`](crate::run::alone::run()); the others return `None`.
/// A run that `control` interrupts in any process has an outcome, too.
///
/// # Errors
/// [`TeamError`]: what [`run`](crate::run::alone::run()) refuses, more processes than groups, or the end of
/// another process. The other processes are told.
pub fn run_share(
    config: &Config,
    inputs: &Inputs,
    threads: usize,
    control: &dyn Control,
    mesh: &Mesh,
) -> Result<Option<Outcome>, TeamError> {
    let found = simulate(config, inputs, threads, control, mesh);
    match &found {
        // All processes find the same wrong with the same configuration; but one of them may have
        // less memory than the others.
        Err(TeamError::Refused(error)) => {
            mesh.fail(&format!("process {}: {}", mesh.rank(), error.message));
        }
        Err(TeamError::Lost(error)) => mesh.fail(&error.to_string()),
        Ok(_) => {}
    }
    found
}

fn simulate(
    config: &Config,
    inputs: &Inputs,
    threads: usize,
    control: &dyn Control,
    mesh: &Mesh,
) -> Result<Option<Outcome>, TeamError> {
    odonata_heap::keep_nothing_large();
    let team = Team { mesh, threads };
    let mut prepared = prepare(config, inputs, control, Some(team))?;
    // What only building needed.
    odonata_heap::give_back();
    // Not before: what this process refuses, it refuses by itself.
    let interrupt = control.interrupt();
    mesh.on_alarm(move || interrupt.raise());
    prepared.tell();
    let watch = prepared.watch(control);
    let run = ObservedRun {
        network: &mut prepared.network,
        until: prepared.until,
        threads,
        control: &watch,
        mesh: Some(mesh),
    };
    let (stop, counted) = run.run(&prepared.probes)?;
    let threads = counted.len() * mesh.processes();
    let laps = watch.laps(mesh.rank());
    let mut finished = Finished {
        threads,
        laps,
        iterations: watch.into_iterations(),
        ..prepared.finished(config, stop)
    };
    add_decided(&mut finished, mesh)?;
    finished.add_learned(config);
    if mesh.rank() == 0 {
        put_together(config, finished, counted, mesh).map(Some)
    } else {
        hand_over(finished, counted, mesh)?;
        Ok(None)
    }
}

/// Lets one process after the other, in the order of their nodes, add what policies have done there
/// to what the process before has sent it; process 0 has all of it then.
fn add_decided(finished: &mut Finished, mesh: &Mesh) -> Result<(), MeshError> {
    let mut routings = finished.machine.job_routings.iter();
    if !routings.any(|routing| routing.policy.is_some()) {
        return Ok(());
    }
    let (rank, last) = (mesh.rank(), mesh.processes() - 1);
    if rank > 0 {
        finished.decided = received(mesh, rank - 1)?;
    }
    decided::add(finished);
    if last == 0 {
        return Ok(());
    }
    let mut bytes = Vec::new();
    finished.decided.write(&mut bytes);
    mesh.send(if rank == last { 0 } else { rank + 1 }, &[&bytes])?;
    if rank == 0 {
        finished.decided = received(mesh, last)?;
    }
    Ok(())
}

/// Sends process 0 what this one has found, and waits until it has it. What probes have heard goes
/// scope by scope, and is freed when it is sent. Process 0 asks for each message: those of all
/// processes at once would take more memory than it has for its own share.
fn hand_over(
    mut finished: Finished,
    counted: Vec<ScopeReport>,
    mesh: &Mesh,
) -> Result<(), MeshError> {
    let mut bytes = Vec::new();
    ProcessReport {
        network: finished.network.found(),
        sources: std::mem::take(&mut finished.sources),
        ranks: reports(&finished),
        laps: std::mem::take(&mut finished.laps),
        news: (finished.iterations.as_ref()).map_or_else(Vec::new, IterationWatch::take_news),
        learned: std::mem::take(&mut finished.learned),
        logs: own_logs(&finished),
    }
    .write(&mut bytes);
    drop(finished);
    give(bytes, mesh)?;
    for scope in counted {
        let mut bytes = Vec::new();
        scope.write(&mut bytes);
        drop(scope);
        give(bytes, mesh)?;
    }
    mesh.receive(0, || ()).map(drop)
}

/// Sends process 0 a message when it asks for one.
fn give(bytes: Vec<u8>, mesh: &Mesh) -> Result<(), MeshError> {
    mesh.receive(0, || ())?;
    mesh.send(0, &[&bytes])
}

/// The next message of process `other`, which is asked for it.
fn asked<T: Record>(mesh: &Mesh, other: usize) -> Result<T, MeshError> {
    mesh.send(other, &[])?;
    received(mesh, other)
}

/// What the ranks at the nodes of this process say.
fn reports(finished: &Finished) -> Vec<Report> {
    let jobs = 0..finished.placed.locations.len();
    let of_job = |job| {
        let ranks = ranks(finished, job).into_iter();
        ranks.map(move |one| Report {
            job,
            rank: one.number,
            report: one.rank.report(),
        })
    };
    jobs.flat_map(of_job).collect()
}

/// Makes of what all processes have found what one process would return.
fn put_together(
    config: &Config,
    mut finished: Finished,
    mut counted: Vec<ScopeReport>,
    mesh: &Mesh,
) -> Result<Outcome, TeamError> {
    let mut ranks = reports(&finished);
    finished.logs = own_logs(&finished);
    let scopes = counted.len();
    // The tables need room, and the part of the network that was simulated here is done.
    finished.network.let_go();
    odonata_heap::give_back();
    for scope in &mut counted {
        add_links(config, &mut finished, scope);
    }
    for other in mesh.others() {
        let process: ProcessReport = asked(mesh, other)?;
        for _ in 0..scopes {
            let mut scope = asked(mesh, other)?;
            add_links(config, &mut finished, &mut scope);
            counted.push(scope);
        }
        finished.laps.extend(process.laps);
        finished.network.take_in(process.network);
        ranks.extend(process.ranks);
        finished.learned.extend(process.learned);
        finished.logs.extend(process.logs);
        if let Some(watch) = &finished.iterations
            && !watch.hear(&process.news)
        {
            return Err(unreadable(other).into());
        }
        for (sources, more) in finished.sources.iter_mut().zip(process.sources) {
            sources.add(more);
        }
    }
    for other in mesh.others() {
        // Who is gone by now has handed over everything.
        let _ = mesh.send(other, &[]);
    }
    if let Some(watch) = &mut finished.iterations {
        watch.close(finished.network.end(), finished.stop == Stop::Interrupted);
    }
    finished.heard = Heard::of_all(counted, finished.network.end());
    ranks.sort_unstable_by_key(|one| (one.job, one.rank));
    let mut reports = vec![Vec::new(); finished.placed.locations.len()];
    for one in ranks {
        reports[one.job].push(one.report);
    }
    Ok(outcome(config, finished, &reports))
}
