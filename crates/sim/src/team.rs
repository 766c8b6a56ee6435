//! One run in several processes: each simulates some groups, and process 0 puts together what they
//! have found, to exactly what one process would return.

use odonata_engine::Laps;
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::RankReport;
use odonata_network::{Found, Team};
use odonata_telemetry::Telemetry;
use odonata_units::{Record, record};
use thiserror::Error;

use crate::config::Config;
use crate::error::SimError;
use crate::finished::{Finished, ranks};
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::probes::Heard;
use crate::run::{Control, Prepared, outcome, prepare};
use crate::sources::Sources;

/// Why there is no outcome.
#[derive(Debug, Error)]
pub enum TeamError {
    /// The configuration cannot be run, or not in several processes.
    #[error(transparent)]
    Refused(#[from] SimError),
    /// Another process is gone, or cannot go on.
    #[error(transparent)]
    Lost(#[from] MeshError),
}

/// What a process has found of its share.
struct Share {
    /// By scope.
    counted: Vec<Telemetry>,
    network: Found,
    /// `[job]`: the open-loop sources at its nodes.
    sources: Vec<Sources>,
    ranks: Vec<Report>,
    laps: Vec<Laps>,
}
record!(Share {
    counted,
    network,
    sources,
    ranks,
    laps,
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
/// Process 0 returns the outcome, which is that of [`run`](crate::run()); the others return `None`.
/// A run that `control` interrupts in any process has an outcome, too.
///
/// # Errors
/// [`TeamError`]: what [`run`](crate::run()) refuses, what cannot be run in several processes yet, or
/// the end of another process. The other processes are told.
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
    refuse(config)?;
    let team = Team { mesh, threads };
    let mut prepared = prepare(config, inputs, control, Some(team))?;
    refuse_prepared(&prepared)?;
    // Not before: what this process refuses, it refuses by itself.
    let interrupt = control.interrupt();
    mesh.on_alarm(move || interrupt.raise());
    prepared.tell();
    let watch = prepared.watch(control);
    let (until, network) = (prepared.until, &mut prepared.network);
    let (stop, counted) = prepared.probes.run_share(network, until, &watch, mesh)?;
    let threads = counted.len() * mesh.processes();
    let laps = watch.laps(mesh.rank());
    let finished = Finished {
        threads,
        laps,
        ..prepared.finished(config, stop, Heard::default())
    };
    if mesh.rank() == 0 {
        put_together(config, finished, counted, mesh).map(Some)
    } else {
        hand_over(finished, counted, mesh)?;
        Ok(None)
    }
}

/// What is not collected from several processes.
fn refuse(config: &Config) -> Result<(), SimError> {
    let telemetry = &config.telemetry;
    let records = [
        ("packet_sample", telemetry.packet_sample > 0),
        ("message_sample", telemetry.message_sample > 0),
        ("q_table", telemetry.q_table),
        ("blame", telemetry.blame),
        ("counters", telemetry.counters),
        ("link_series", telemetry.link_series),
    ];
    let asked = records.iter().find(|(_, is_asked)| *is_asked);
    if let Some((key, _)) = asked {
        let message = format!(
            "`{key}` is not collected from several processes yet; switch it off, or run in one \
             process with more threads"
        );
        return Err(SimError::new(format!("telemetry.{key}"), message));
    }
    let stop = &config.stop;
    let stops = [
        ("precision", !stop.precision.is_empty()),
        ("skip", stop.skip_ppm.is_some()),
    ];
    if let Some((key, _)) = stops.iter().find(|(_, is_asked)| *is_asked) {
        let message = format!(
            "`{key}` needs the iterations of all ranks, which several processes do not exchange \
             yet; leave it out, or run in one process with more threads"
        );
        return Err(SimError::new(format!("stop.{key}"), message));
    }
    Ok(())
}

/// What is known only when the system is there.
fn refuse_prepared(prepared: &Prepared) -> Result<(), SimError> {
    let mut jobs = prepared.machine.job_routings.iter();
    if let Some(job) = jobs.position(|routing| routing.policy.is_some()) {
        let message = "what policies and routings that take turns decide is not collected from \
                       several processes yet; leave them out, or run in one process with more \
                       threads";
        return Err(SimError::new(format!("jobs[{job}]"), message));
    }
    Ok(())
}

/// Sends process 0 what this one has found, and waits until it has it.
fn hand_over(finished: Finished, counted: Vec<Telemetry>, mesh: &Mesh) -> Result<(), MeshError> {
    let mut bytes = Vec::new();
    Share {
        counted,
        network: finished.network.found(),
        sources: finished.sources.clone(),
        ranks: reports(&finished),
        laps: finished.laps.clone(),
    }
    .write(&mut bytes);
    drop(finished);
    mesh.send(0, &[&bytes])?;
    drop(bytes);
    mesh.receive(0, || ()).map(drop)
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
    mut counted: Vec<Telemetry>,
    mesh: &Mesh,
) -> Result<Outcome, TeamError> {
    let mut ranks = reports(&finished);
    // The tables need room, and the part of the network that was simulated here is done.
    finished.network.let_go();
    odonata_heap::give_back();
    for other in mesh.others() {
        let bytes = mesh.receive(other, || ())?;
        let share = Share::read(&mut &*bytes).ok_or_else(|| {
            MeshError::new(format!(
                "what process {other} has found cannot be read: this is a fault of the simulator"
            ))
        })?;
        counted.extend(share.counted);
        finished.laps.extend(share.laps);
        finished.network.take_in(share.network);
        ranks.extend(share.ranks);
        for (sources, more) in finished.sources.iter_mut().zip(share.sources) {
            sources.add(more);
        }
    }
    for other in mesh.others() {
        // Who is gone by now has handed over everything.
        let _ = mesh.send(other, &[]);
    }
    finished.heard = Heard::of_all(counted);
    ranks.sort_unstable_by_key(|one| (one.job, one.rank));
    let mut reports = vec![Vec::new(); finished.placed.locations.len()];
    for one in ranks {
        reports[one.job].push(one.report);
    }
    Ok(outcome(config, finished, &reports))
}
