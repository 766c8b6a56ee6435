//! The rows of `[system.nic]` that control congestion at end points: `docs/model/congestion.md`.

use odonata_network::{Control, Pace, Parameters};
use odonata_registry::{Default, Kind, Parameter};

use super::section::Section;
use crate::error::SimError;

mod abatement;
mod credit;
mod windows;

/// Where the numbers of pacing come from.
const MERLIN: &str = "SST merlin";

/// The most that a factor can be.
const LARGEST_FACTOR: f64 = 1_000_000.0;

/// The controllers that a scenario can name.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    None,
    Pace,
    Nscc,
    Abate,
    Rccc,
    NsccRccc,
}

/// What NICs and routers do against congestion, if they do anything.
pub(super) fn control(
    nic: &mut Section<'_>,
    parameters: &Parameters,
) -> Result<Option<Control>, SimError> {
    let named = nic.choice(
        Parameter::new(
            "congestion",
            Kind::Choice(&[]),
            Default::Text("none"),
            "control of congestion at end points: with `pace`, the sources of a node that has many \
             pace themselves by their number; with `nscc`, a NIC has a window for each target (Ultra \
             Ethernet 1.0); with `abate`, NICs that congest a node send what of it is delivered \
             (CODES); with `rccc`, a NIC sends what its targets give credit for (Ultra Ethernet \
             1.0), with `nscc-rccc` beside windows",
        )
        .source("docs/model/congestion.md")
        .sparse(),
        &[
            ("none", Named::None),
            ("pace", Named::Pace),
            ("nscc", Named::Nscc),
            ("abate", Named::Abate),
            ("rccc", Named::Rccc),
            ("nscc-rccc", Named::NsccRccc),
        ],
    )?;
    let given = numbers(nic)?;
    let windows = windows::numbers(nic)?;
    let abatement = abatement::numbers(nic)?;
    let credit = credit::numbers(nic)?;
    if named != Named::None && parameters.get_behind > 0 {
        let message = "get requests that pass other messages are not held back; leave `get_behind` \
                       or `congestion` out";
        return Err(SimError::new("system.nic.congestion", message));
    }
    let unused = [
        (
            &[Named::Pace][..],
            given != Given::DEFAULT,
            "pacing",
            "pace",
        ),
        (
            &[Named::Nscc, Named::NsccRccc],
            windows != windows::Given::DEFAULT,
            "windows",
            "nscc",
        ),
        (
            &[Named::Abate],
            abatement != abatement::Given::DEFAULT,
            "abatement",
            "abate",
        ),
        (
            &[Named::Rccc, Named::NsccRccc],
            credit != credit::Given::DEFAULT,
            "credit",
            "rccc",
        ),
    ];
    refuse_unused(named, &unused)?;
    Ok(match named {
        Named::None => None,
        Named::Pace => Some(Control::Pace(given.pace(parameters))),
        Named::Nscc => Some(Control::Nscc(windows.nscc()?)),
        Named::Abate => Some(Control::Abate(abatement.abate()?)),
        Named::Rccc => Some(Control::Rccc(credit.rccc())),
        Named::NsccRccc => Some(Control::NsccRccc(windows.nscc()?, credit.rccc())),
    })
}

/// Numbers of some controllers: whose, whether any was given, what they are of, and a controller.
type Numbers<'a> = (&'a [Named], bool, &'a str, &'a str);

/// Refuses numbers of controllers that are not there.
fn refuse_unused(named: Named, all: &[Numbers<'_>]) -> Result<(), SimError> {
    for (owners, is_given, what, name) in all {
        if *is_given && !owners.contains(&named) {
            let message = format!(
                "the numbers of {what} mean nothing without `congestion = \"{name}\"`; give it, or \
                 leave them out"
            );
            return Err(SimError::new("system.nic.congestion", message));
        }
    }
    Ok(())
}

/// The numbers of pacing, as they are given.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Given {
    sources: u32,
    queue: f64,
    pause: u32,
    spread: f64,
    expiry: f64,
    expiry_on: f64,
    smallest: u32,
}

impl Given {
    const DEFAULT: Self = Self {
        sources: 6,
        queue: 2.0,
        pause: 4,
        spread: 1.0,
        expiry: 1.5,
        expiry_on: 5.0,
        smallest: 128,
    };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "factors are at most 10^6; casts of floats saturate"
    )]
    fn pace(&self, parameters: &Parameters) -> Pace {
        let milli = |factor: f64| (factor * 1_000.0).round() as u32;
        let queue = f64::from(parameters.output_buffer_flits) * self.queue;
        Pace {
            least_sources: self.sources,
            queue_flits: (queue.ceil() as u32).max(1),
            pause: self.pause,
            spread_milli: milli(self.spread),
            expiry_off_milli: milli(self.expiry),
            expiry_on_milli: milli(self.expiry_on),
            smallest_bytes: self.smallest,
        }
    }
}

/// Reads the rows of pacing.
fn numbers(nic: &mut Section<'_>) -> Result<Given, SimError> {
    let factor = |name, default, meaning| {
        let row = Parameter::new(name, Kind::Number, Default::Number(default), meaning);
        row.within(0.0, LARGEST_FACTOR).source(MERLIN).sparse()
    };
    let count = |name, default: u32, meaning| {
        let row = Parameter::new(name, Kind::Count, Default::Count(default.into()), meaning);
        row.at_most(1_000_000).source(MERLIN).sparse()
    };
    let smallest = Parameter::new(
        "pace_smallest",
        Kind::Bytes,
        Default::Count(Given::DEFAULT.smallest.into()),
        "packets with less payload neither count nor wait",
    );
    Ok(Given {
        sources: nic.read(
            count(
                "pace_sources",
                Given::DEFAULT.sources,
                "sources of a node from which on its last hop may be congested",
            )
            .at_least(1),
        )?,
        queue: nic.read(factor(
            "pace_queue",
            Given::DEFAULT.queue,
            "what waits for a node when its last hop may be congested, in output buffers",
        ))?,
        pause: nic.read(count(
            "pace_pause",
            Given::DEFAULT.pause,
            "pause of a source that hears of more sources, in times that what waits takes",
        ))?,
        spread: nic.read(
            factor(
                "pace_spread",
                Given::DEFAULT.spread,
                "time from the end of one source's pause to that of the next one's, in largest \
                 packets; 0: all end at once, as in SST merlin",
            )
            .source("ours"),
        )?,
        expiry: nic.read(factor(
            "pace_expiry",
            Given::DEFAULT.expiry,
            "silence after which a source counts no more, in rounds of largest packets",
        ))?,
        expiry_on: nic.read(factor(
            "pace_expiry_on",
            Given::DEFAULT.expiry_on,
            "the same at a congested last hop",
        ))?,
        smallest: nic.read(smallest.at_most(u32::MAX.into()).source(MERLIN).sparse())?,
    })
}
