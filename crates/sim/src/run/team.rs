//! One run, by a team of processes, from configuration to outcome: each simulates some groups, and
//! process 0 puts together what they have found. One process is a team of one.

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_engine::{Laps, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::{News, RankReport};
use odonata_network::{Found, Team};
use odonata_telemetry::{Probe, ProbeScope};
use odonata_units::Record;

use crate::build::inputs::Inputs;
use crate::build::learned::LearnedRow;
use crate::build::sources::{Sources, sources};
use crate::config::Config;
use crate::error::SimError;
use crate::precision::IterationWatch;
use crate::report::finished::{Finished, RankResult, Reported, rank_results};
use crate::report::probes::{Heard, ObservedRun, ScopeReport};
use crate::report::tables::add_links;
use crate::report::warnings::warnings;
use crate::report::{decided, stall, summary, tables};
use crate::result::exchange::{TeamError, received, unreadable};
use crate::result::outcome::Outcome;
use crate::run::prepare::{Control, prepare};

/// What a process has found of its share, besides what probes have heard.
#[derive(BorshSerialize, BorshDeserialize)]
struct ProcessReport {
    network: Vec<Found>,
    /// `[job]`: the open-loop sources at its nodes.
    sources: Vec<Sources>,
    ranks: Vec<RankResult>,
    laps: Vec<Laps>,
    /// `[job]`: what its ranks have ended since all processes last rested.
    news: Vec<News>,
    learned: Vec<LearnedRow>,
}
/// Simulates the share of this process of `team` of `config`.
///
/// Process 0 returns the outcome, the others return `None`. The outcome is the same for any number
/// of processes and threads; there are at most as many threads as groups. A run that `control`
/// interrupts in any process, or that stalls, has an outcome, too.
///
/// # Errors
/// [`TeamError`]: the configuration does not fit together or cannot be simulated, it does not fit
/// into the memory of `inputs`, `control` interrupts before the run has begun, there are more
/// processes than groups, or another process is gone. The other processes are told.
pub fn run(
    config: &Config,
    inputs: &Inputs,
    control: &dyn Control,
    team: Team<'_>,
) -> Result<Option<Outcome>, TeamError> {
    let found = simulate(config, inputs, control, team);
    match &found {
        // All processes find the same wrong with the same configuration; but one of them may have
        // less memory than the others.
        Err(TeamError::Refused(error)) => {
            let rank = team.mesh.rank();
            team.mesh
                .fail(&format!("process {rank}: {}", error.message));
        }
        Err(TeamError::Lost(error)) => team.mesh.fail(&error.to_string()),
        Ok(_) => {}
    }
    found
}

/// Simulates `config` as [`run`] does, in one process.
///
/// # Errors
/// As [`run`].
pub fn run_alone(
    config: &Config,
    inputs: &Inputs,
    threads: usize,
    control: &dyn Control,
) -> Result<Outcome, SimError> {
    let found = run(config, inputs, control, Team::alone(threads)).map_err(TeamError::alone)?;
    Ok(found.unwrap_or_else(|| unreachable!("process 0 returns the outcome")))
}

/// Runs `config` as [`run_alone`] does, with probes in place of everything that is counted otherwise:
/// one for each thread, made by `probe`. Returns them. For benchmarks: what does a probe cost?
///
/// # Errors
/// As [`run_alone`].
pub fn run_with_probes<P: Probe>(
    config: &Config,
    inputs: &Inputs,
    threads: usize,
    control: &dyn Control,
    probe: impl Fn(&ProbeScope) -> P,
) -> Result<Vec<P>, SimError> {
    let team = Team::alone(threads);
    let mut prepared = prepare(config, inputs, control, team).map_err(TeamError::alone)?;
    let scopes = prepared.network.scopes();
    let mut probes: Vec<P> = scopes.iter().map(probe).collect();
    prepared.iterations = None;
    let watch = prepared.watch(control);
    let run = (prepared.network).run(prepared.until, &mut probes, &watch, team.mesh);
    run.map_err(|error| TeamError::from(error).alone())?;
    Ok(probes)
}

fn simulate(
    config: &Config,
    inputs: &Inputs,
    control: &dyn Control,
    team: Team<'_>,
) -> Result<Option<Outcome>, TeamError> {
    let mesh = team.mesh;
    if mesh.has_others() {
        odonata_heap::keep_nothing_large();
    }
    let mut prepared = prepare(config, inputs, control, team)?;
    // What only building needed.
    give_back(mesh);
    // Not before: what this process refuses, it refuses by itself.
    let interrupt = control.interrupt();
    mesh.on_alarm(move || interrupt.raise());
    let watch = prepared.watch(control);
    let run = ObservedRun {
        network: &mut prepared.network,
        until: prepared.until,
        control: &watch,
        mesh,
    };
    let (stop, counted) = run.run(&prepared.probes)?;
    let mut finished = Finished {
        stop: prepared.judged(config, stop),
        machine: prepared.machine,
        sources: sources(&prepared.network, &prepared.jobs.locations),
        placed: prepared.jobs,
        network: prepared.network,
        heard: Heard::default(),
        links: Vec::new(),
        decided: Vec::new(),
        learned: Vec::new(),
        logs: Vec::new(),
        threads: counted.len() * mesh.processes(),
        laps: watch.laps(mesh.rank()),
        iterations: watch.into_iterations(),
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

/// Gives memory back that holds nothing any more: processes may share a machine.
fn give_back(mesh: &Mesh) {
    if mesh.has_others() {
        odonata_heap::give_back();
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
        network: finished.network.take_found(),
        sources: std::mem::take(&mut finished.sources),
        ranks: rank_results(&mut finished),
        laps: std::mem::take(&mut finished.laps),
        news: (finished.iterations.as_ref()).map_or_else(Vec::new, IterationWatch::take_news),
        learned: std::mem::take(&mut finished.learned),
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

/// Makes of what all processes have found what is returned.
fn put_together(
    config: &Config,
    mut finished: Finished,
    mut counted: Vec<ScopeReport>,
    mesh: &Mesh,
) -> Result<Outcome, TeamError> {
    let mut ranks = rank_results(&mut finished);
    let scopes = counted.len();
    // The tables need room, and the part of the network that was simulated here is done.
    finished.network.let_go();
    give_back(mesh);
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
    let jobs = finished.placed.locations.len();
    let mut reports = vec![Vec::new(); jobs];
    finished.logs.resize_with(jobs, Vec::new);
    for one in ranks {
        reports[one.job].push(one.report);
        let log = one.messages.map(|log| (one.rank, log));
        finished.logs[one.job].extend(log);
    }
    Ok(outcome(config, finished, &reports))
}

/// What is returned of a run that is over.
fn outcome(config: &Config, mut finished: Finished, reports: &[Vec<RankReport>]) -> Outcome {
    let tables = tables::tables(config, &mut finished, reports);
    let reported = Reported {
        config,
        finished: &finished,
        reports,
    };
    let stall = (finished.stop == Stop::Stalled).then(|| stall::diagnose(reported));
    let mut summary = summary::summary(reported);
    let warnings = warnings(reported, &tables);
    if !warnings.is_empty() {
        summary["warnings"] = warnings.into();
    }
    let mut outcome = Outcome {
        summary,
        tables,
        stall,
    };
    for note in summary::notes(reported) {
        outcome.add_note(note);
    }
    outcome
}
