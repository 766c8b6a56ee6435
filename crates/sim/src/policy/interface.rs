//! What a policy is: what it is asked, what it is shown, and what it may say.
//!
//! A policy sees what is about to be posted and what its own NIC has counted, and names one of the
//! send modes it offers.

use odonata_endpoint::NicCounters;
use odonata_network::Parameters;
use odonata_policy::{Counters, Factors, Message, Observation, PolicyCounts, Units};
use odonata_registry::{Parameter, Problem, Table};
use odonata_units::Span;

use crate::config::RoutingChoice;

/// A policy as listings have it.
pub(crate) struct PolicyEntry {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) source: &'static str,
    /// How it decides, in words.
    pub(crate) rule: &'static str,
    /// [`DECIDE`], and the names of the send modes that it chooses among, in their order.
    pub(crate) always: &'static [&'static str],
    /// Asks for every parameter but `always`.
    pub(crate) plan: fn(&mut Table<'_>) -> Result<Box<dyn RoutingPolicy>, Problem>,
}

/// Value of `always` with which nothing is always so.
pub(crate) const DECIDE: &str = "decide";

/// How a message can be sent: by which routing, in which class.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SendMode {
    /// One of the names of the entry.
    pub(crate) name: &'static str,
    /// Routing of its packets; `None`: that of the job.
    pub(crate) routing: Option<RoutingChoice>,
    /// Its traffic class.
    pub(crate) class: Option<Class>,
}

/// A traffic class of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// The one of low latency by name, otherwise the first one.
    Urgent,
    /// The one of bulk data by name, otherwise the last one.
    Bulk,
    /// By name; the parameter that gave it, for messages.
    Named(String, &'static str),
}

/// A policy of a job, with its parameters.
pub(crate) trait RoutingPolicy: Send + Sync {
    /// Send modes it chooses among.
    fn send_modes(&self) -> Vec<SendMode>;

    /// Decider at one NIC; `seed` is that of its draws, `meter` shows it counters.
    fn at_nic(&self, seed: u64, meter: Meter) -> Box<dyn Decider>;

    /// Time in which the node can neither send nor receive because it reads counters.
    fn counter_read(&self) -> Span;

    /// Length of the cycles in which it thinks.
    fn cycle(&self) -> Span;
}

/// Decides for the messages of one NIC.
pub(crate) trait Decider: Send {
    /// The send mode of a message that is about to be posted.
    fn decide(&mut self, posting: &Posting) -> Decision;

    /// What the NIC has counted, after a message whose decision asked for it.
    fn observe(&mut self, counters: &NicCounters);

    /// What the NIC has counted after messages that went without a decision: nothing follows from
    /// it.
    fn rebase(&mut self, counters: &NicCounters);

    /// Counts of its decisions.
    fn counts(&self) -> PolicyCounts;

    /// The last observation.
    fn seen(&self) -> Option<Observation>;

    /// The factors between its two modes.
    fn factors(&self) -> Factors;
}

/// A message that is about to be posted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    /// The message that is posted.
    pub(crate) message: Message,
    /// Whether it may arrive before messages posted earlier: it is not matched with receives.
    pub(crate) may_overtake: bool,
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decision {
    /// Index of the send mode.
    pub(crate) send_mode: usize,
    /// Whether counters are read after the message; so it is after a decision of the algorithm.
    pub(crate) reads_counters: bool,
}

/// Shows the counters of a simulated NIC as those of Aries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter {
    units: Units,
}

impl Meter {
    /// For NICs of `parameters` and cycles of `cycle`.
    ///
    /// A message has 5 flits for each 64 B of payload (De Sensi et al. 2019, section 2.1): stalls
    /// are told per such flit, whatever the flits of the system are.
    #[expect(clippy::cast_precision_loss, reason = "picoseconds of a cycle, flits")]
    pub(crate) fn new(parameters: &Parameters, cycle: Span) -> Self {
        let aries_flits = f64::from(parameters.payload_bytes()) / 64.0 * 5.0;
        let own_flits = f64::from(parameters.packet_flits());
        let per_ps = 1.0 / cycle.ps().max(1) as f64;
        Self {
            units: Units::new(per_ps * own_flits / aries_flits, per_ps),
        }
    }

    /// Its units.
    pub(crate) const fn units(self) -> Units {
        self.units
    }
}

/// The four numbers that a policy knows: of requests only, and of stalls those for lack of credits.
/// Waiting for one of the outstanding requests is in Eq. 2 by itself.
pub(crate) const fn shown(counters: &NicCounters) -> Counters {
    Counters {
        flits: counters.request_flits,
        stalled: counters.request_credit_stall.ps(),
        packets: counters.round_trips,
        latency: counters.round_trip_time.ps(),
    }
}

/// Parameters of every policy that reads counters: the time of a reading, and its cycle.
pub(crate) fn reading(table: &mut Table<'_>) -> Result<(Span, Span), Problem> {
    let cost = table.read(
        Parameter::time(
            "counter_read",
            1_000_000,
            "time in which a node that reads counters neither sends nor receives",
        )
        .at_most(1_000_000_000_000)
        .source(
            "assumed: De Sensi et al. 2019, section 5.1, report an overhead and no value; reading \
             five events through PAPI takes 0.14 us where they are in memory",
        ),
    )?;
    let cycle = table.read(
        Parameter::time(
            "cycle",
            1_250,
            "cycle of the NIC, in which latency and stalls are told",
        )
        .at_least(1)
        .at_most(1_000_000_000)
        .source("the authors' public library: 800 MHz"),
    )?;
    Ok((Span::from_ps(cost), Span::from_ps(cycle)))
}

#[cfg(test)]
mod tests {
    use super::{Meter, Span};

    /// The NIC of Piz Daint is that of the paper; one with packets of 512 B counts other flits.
    #[test]
    fn flits_are_those_of_the_paper() {
        let network = odonata_reference::testing::kang2022();
        let own = f64::from(network.packet_flits()) / f64::from(network.payload_bytes());
        let meter = Meter::new(&network, Span::from_ps(1_250));
        let factor = own * 64.0 / 5.0 / 1_250.0;
        assert_eq!(
            meter.units(),
            odonata_policy::Units::new(factor, 1.0 / 1_250.0)
        );
    }
}
