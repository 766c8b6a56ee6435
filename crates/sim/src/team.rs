//! One run in several processes: each simulates some groups, and process 0 puts together what they
//! have found, to exactly what one process would return.

use odonata_engine::{Laps, Stop};
use odonata_mesh::{Mesh, MeshError};
use odonata_mpi::{MpiRank, RankReport};
use odonata_network::{Found, Team};
use odonata_telemetry::Telemetry;
use odonata_units::{Record, record};
use thiserror::Error;

use crate::config::Config;
use crate::error::SimError;
use crate::finished::{Finished, rank_reports, ranks};
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::probes::Heard;
use crate::run::{Control, Prepared, outcome, prepare};

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
    /// Of the ranks at its nodes: job, rank, report.
    ranks: Vec<(usize, usize, RankReport)>,
    laps: Vec<Laps>,
}
record!(Share {
    counted,
    network,
    ranks,
    laps,
});

/// What ran here.
struct Ran {
    stop: Stop,
    counted: Vec<Telemetry>,
    laps: Vec<Laps>,
}

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
    let mut prepared = prepare(config, inputs, control)?;
    let groups = prepared.machine.topology.group_count() as usize;
    refuse_prepared(&prepared, mesh.processes(), groups)?;
    // Not before: what this process refuses, it refuses by itself.
    let interrupt = control.interrupt();
    mesh.on_alarm(move || interrupt.raise());
    let threads = threads.clamp(1, groups / mesh.processes());
    let team = Team { mesh, threads };
    let scopes = prepared.network.scopes_of_share(team);
    prepared.tell(|node| scopes.iter().any(|scope| scope.nodes.contains(&node)));
    let watch = prepared.watch(control);
    let (until, network) = (prepared.until, &mut prepared.network);
    let (stop, counted) = prepared.probes.run_share(network, until, &watch, team)?;
    let ran = Ran {
        stop,
        counted,
        laps: watch.laps(mesh.rank()),
    };
    if mesh.rank() == 0 {
        put_together(config, prepared, ran, threads, mesh).map(Some)
    } else {
        hand_over(config, prepared, ran, mesh)?;
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
fn refuse_prepared(prepared: &Prepared, processes: usize, groups: usize) -> Result<(), SimError> {
    if processes > groups {
        let message = format!(
            "the system has {groups} groups, and every process simulates one at least; give at \
             most {groups} processes"
        );
        return Err(SimError::new("system.topology", message));
    }
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
fn hand_over(config: &Config, prepared: Prepared, ran: Ran, mesh: &Mesh) -> Result<(), MeshError> {
    let nodes = prepared.network.own_nodes();
    let finished = prepared.finished(config, ran.stop, Heard::default());
    let mut reports = Vec::new();
    for (job, locations) in finished.placed.locations.iter().enumerate() {
        for (rank, (state, location)) in
            ranks(&finished, job).into_iter().zip(locations).enumerate()
        {
            if nodes.contains(&location.home.0) {
                reports.push((job, rank, MpiRank::report(state)));
            }
        }
    }
    let share = Share {
        counted: ran.counted,
        network: finished.network.found(),
        ranks: reports,
        laps: ran.laps,
    };
    let mut bytes = Vec::new();
    share.write(&mut bytes);
    mesh.send(0, &[&bytes])?;
    mesh.receive(0, || ()).map(drop)
}

/// Makes of what all processes have found what one process would return.
fn put_together(
    config: &Config,
    prepared: Prepared,
    ran: Ran,
    threads: usize,
    mesh: &Mesh,
) -> Result<Outcome, TeamError> {
    let mut counted = ran.counted;
    let mut finished = Finished {
        threads: threads * mesh.processes(),
        laps: ran.laps,
        ..prepared.finished(config, ran.stop, Heard::default())
    };
    let mut reports = rank_reports(&finished);
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
        for (job, rank, report) in share.ranks {
            if let Some(place) = reports.get_mut(job).and_then(|job| job.get_mut(rank)) {
                *place = report;
            }
        }
    }
    for other in mesh.others() {
        // Who is gone by now has handed over everything.
        let _ = mesh.send(other, &[]);
    }
    finished.heard = Heard::of_all(counted);
    Ok(outcome(config, finished, &reports))
}
