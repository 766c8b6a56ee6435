//! From a configuration to a run that can begin.

use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use odonata_engine::{Laps, Stop};
use odonata_mpi::{Interrupt, News, Slowest};
use odonata_network::{Network, NetworkError, Team, Usage};
use odonata_telemetry::MeasureWindow;
use odonata_units::{Instant, Record, Span};

use crate::build::inputs::Inputs;
use crate::build::jobs::{Placed, place_jobs};
use crate::build::machine::{Machine, machine};
use crate::build::service::Served;
use crate::build::sources::all_sources;
use crate::config::Config;
use crate::error::SimError;
use crate::precision::{IterationWatch, rests_every};
use crate::report::blame::check_parties;
use crate::report::counters::{check_counters, counting};
use crate::report::finished::PlacedJobs;
use crate::report::probes::{ProbeSettings, open_sample};
use crate::result::exchange::TeamError;

/// What a run tells its caller, and asks it.
pub trait Control: Sync {
    /// Called after each epoch: simulated time, packets delivered so far (responses included),
    /// and the share of the run that is done (NaN if unknown).
    fn progress(&self, simulated: Instant, packets: u64, fraction: f64);
    /// Whether the run is to stop now and to keep what there is.
    fn interrupted(&self) -> bool;
    /// What [`Control::interrupted`] tells of, for those who work between two calls of
    /// [`Control::progress`] and may do so for ever. The default is never raised.
    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }
    /// What a clock shows, ns, if the summary is to say where the time of the run goes. The default
    /// has none.
    fn clock_ns(&self) -> Option<u64> {
        None
    }
}

/// A run whose end is known in advance, or not.
pub(crate) struct Watch<'a> {
    control: &'a dyn Control,
    end: Option<Instant>,
    slowest: Arc<Slowest>,
    /// Who looks at the iterations of its jobs, if anybody does.
    iterations: Option<Mutex<IterationWatch>>,
    epoch_windows: u64,
    /// Of every thread of this process, at the end of the run.
    laps: Mutex<Vec<Laps>>,
}

impl Watch<'_> {
    /// Who looks at the iterations of the jobs, if anybody does.
    fn iterations(&self) -> Option<MutexGuard<'_, IterationWatch>> {
        let watch = self.iterations.as_ref()?;
        Some(watch.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// As [`Watch::iterations`], when the run is over.
    pub(crate) fn into_iterations(self) -> Option<IterationWatch> {
        let watch = self.iterations?;
        Some(watch.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Where the time of the threads of process `process` has gone, if that was measured.
    pub(crate) fn laps(&self, process: usize) -> Vec<Laps> {
        let laps = self.laps.lock().unwrap_or_else(PoisonError::into_inner);
        let process = process as u64;
        let mut laps: Vec<_> = laps.iter().map(|one| Laps { process, ..*one }).collect();
        laps.sort_by_key(|one| one.thread);
        laps
    }
}

impl odonata_engine::Control for Watch<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a share for a progress bar")]
    fn after_epoch(&self, now: Instant, work: u64) -> bool {
        let share = |end: Instant| (now.ps() as f64 / end.ps().max(1) as f64).min(1.0);
        // Ranks that end the run know best how far it is.
        let done = self.slowest.share().or(self.end.map(share));
        self.control.progress(now, work, done.unwrap_or(f64::NAN));
        self.control.interrupted()
    }

    fn is_interrupted(&self) -> bool {
        self.control.interrupted()
    }

    fn clock_ns(&self) -> Option<u64> {
        self.control.clock_ns()
    }

    fn timed(&self, laps: Laps) {
        let mut all = self.laps.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(laps);
    }

    fn rests_every(&self) -> Option<NonZeroU64> {
        self.iterations.as_ref()?;
        rests_every(self.epoch_windows)
    }

    fn tells(&self) -> Vec<u8> {
        let mut told = Vec::new();
        if let Some(watch) = self.iterations() {
            watch.take_news().write(&mut told);
        }
        told
    }

    fn hears(&self, told: &[u8]) -> bool {
        let Some(watch) = self.iterations() else {
            return told.is_empty();
        };
        Vec::<News>::read(&mut &*told).is_some_and(|news| watch.hear(&news))
    }

    fn at_rest(&self, now: Instant) -> bool {
        (self.iterations()).is_some_and(|mut watch| watch.at_rest(now))
    }
}

/// A run that can begin.
pub(crate) struct Prepared {
    pub(crate) machine: Machine,
    pub(crate) jobs: PlacedJobs,
    pub(crate) network: Network<Served>,
    pub(crate) probes: ProbeSettings,
    window: Option<MeasureWindow>,
    pub(crate) until: Instant,
    /// `[node]`: the run waits for its user.
    goals: Vec<bool>,
    slowest: Arc<Slowest>,
    pub(crate) iterations: Option<IterationWatch>,
}

impl Prepared {
    /// Who looks after the run, told by the ranks of this process that end it how far they are.
    pub(crate) fn watch<'a>(&mut self, control: &'a dyn Control) -> Watch<'a> {
        let first = self.network.own_nodes().start as usize;
        let goals = self.goals.iter().skip(first);
        for (is_goal, served) in goals.zip(self.network.endpoints_mut()) {
            if *is_goal {
                for rank in served.endpoint.ranks_mut() {
                    rank.tell(&self.slowest);
                }
            }
        }
        Watch {
            control,
            end: self.window.map(|window| window.to),
            slowest: Arc::clone(&self.slowest),
            iterations: self.iterations.take().map(Mutex::new),
            epoch_windows: self.network.epoch_windows(),
            laps: Mutex::default(),
        }
    }

    /// Why the run has ended, which stopped for the reason `stop`.
    pub(crate) fn judged(&self, config: &Config, stop: Stop) -> Stop {
        // Measured packets that a saturated network never delivers are a result, not a fault.
        let limit = Instant::from_ps(config.stop.time_ps);
        if stop == Stop::TimeLimit && self.window.is_some() && self.until < limit {
            return Stop::Finished;
        }
        stop
    }
}

/// Builds what this process of `team` simulates of the network, and its users.
pub(crate) fn prepare(
    config: &Config,
    inputs: &Inputs,
    control: &dyn Control,
    team: Team<'_>,
) -> Result<Prepared, TeamError> {
    check_parties(config)?;
    check_counters(config)?;
    let mesh = team.mesh;
    let mut machine = machine(config, inputs, mesh.processes())?;
    go_on(control)?;
    fit(mesh.processes(), &machine)?;
    let mut placed = place_jobs(config, &machine, inputs, team)?;
    if mesh.has_others() {
        let routers = placed.division.routers(&machine.topology);
        machine.routing = machine.routing.at_routers(routers);
    }
    let (window, until) = bounds(config, &placed)?;
    instruct(&mut placed, control);
    let goals = placed.uses.iter().map(|node| node.is_goal).collect();
    let iterations = IterationWatch::new(config, &mut placed, &machine.parameters, mesh)?;
    go_on(control)?;
    let jobs = PlacedJobs {
        locations: placed.locations,
        losses: placed.losses,
        by_jobs: placed.sharing.by_jobs.clone(),
        open_loop: placed.open_loop,
    };
    let usage = Usage {
        nodes: placed.uses,
        jobs: config.jobs.len(),
        measure: window,
        sharing: placed.sharing,
    };
    let topology = Arc::clone(&machine.topology);
    let (routing, parameters) = (&machine.routing, &machine.parameters);
    let (endpoints, division) = (placed.endpoints, placed.division);
    let network = Network::new(topology, routing, parameters, endpoints, usage, division);
    let network = network.map_err(|error| SimError::new(path_of(&error), error))?;
    let counting = counting(config, &machine, &jobs.locations);
    let open_messages = if config.has_messages() {
        let sources = all_sources(&network, &jobs.locations, mesh)?;
        open_sample(config, &network, &sources, &jobs.locations)
    } else {
        None
    };
    Ok(Prepared {
        probes: ProbeSettings::new(config, &network, counting.as_ref(), open_messages),
        machine,
        jobs,
        network,
        window,
        until,
        goals,
        slowest: Arc::default(),
        iterations,
    })
}

/// What is known only when the system is there: every process simulates one group at least.
fn fit(processes: usize, machine: &Machine) -> Result<(), SimError> {
    let groups = machine.topology.group_count() as usize;
    if processes > groups {
        let message = format!(
            "the system has {groups} groups, and every process simulates one at least; give at \
             most {groups} processes"
        );
        return Err(SimError::new("system.topology", message));
    }
    Ok(())
}

/// Nothing is kept of a run that has not begun.
fn go_on(control: &dyn Control) -> Result<(), SimError> {
    if control.interrupted() {
        return Err(SimError::new("", "interrupted before the run began"));
    }
    Ok(())
}

/// Tells ranks when to stop.
fn instruct(placed: &mut Placed, control: &dyn Control) {
    let interrupt = control.interrupt();
    for served in &mut placed.endpoints {
        for rank in served.endpoint.ranks_mut() {
            rank.stop_on(interrupt.clone());
        }
    }
}

/// Longest simulated time, ps (3 days): sums of it over all that a port has stay below 64 bits.
const LONGEST_PS: u64 = 3 * 24 * 3_600 * 1_000_000_000_000;

/// Part of the configuration that an error of the network speaks of.
pub(crate) fn path_of(error: &NetworkError) -> &'static str {
    match error {
        NetworkError::NoLookahead { .. } | NetworkError::DelaysTooFarApart { .. } => "system.links",
        NetworkError::BufferTooSmall { .. }
        | NetworkError::ReservationInCioq
        | NetworkError::ReservationOnLinksThatFail => "system.router",
        NetworkError::ResponseTooLarge { .. } => "system.nic",
        NetworkError::PacketSize { .. } | NetworkError::HeaderTooLarge { .. } => "system.packet",
        _ => "system.topology",
    }
}

/// The measured window, and the instant at which the run ends in any case.
pub(crate) fn bounds(
    config: &Config,
    placed: &Placed,
) -> Result<(Option<MeasureWindow>, Instant), SimError> {
    let limit = Instant::from_ps(config.stop.time_ps);
    if config.stop.time_ps == 0 {
        return Err(SimError::new(
            "stop.time",
            "a run takes some time; give more than 0",
        ));
    }
    if config.stop.time_ps > LONGEST_PS {
        let message = "at most 3 days can be simulated; give at most \"259200 s\"";
        return Err(SimError::new("stop.time", message));
    }
    let has_goal = placed.uses.iter().any(|node| node.is_goal);
    let Some(measure) = &config.measure else {
        if !has_goal {
            let message = "no job ends this run: add a job with role `victim`, `repeat = false` to \
                           an aggressor, or [measure] with `warm_up` and `window`";
            return Err(SimError::new("measure", message));
        }
        return Ok((None, limit));
    };
    if measure.window_ps == 0 {
        return Err(SimError::new(
            "measure.window",
            "a measured window is longer than 0",
        ));
    }
    let from = Instant::from_ps(measure.warm_up_ps);
    let to = from + Span::from_ps(measure.window_ps);
    let last = if has_goal {
        limit
    } else {
        to + Span::from_ps(measure.drain_ps)
    };
    Ok((Some(MeasureWindow { from, to }), limit.min(last)))
}
