//! The rows of `[system.nic]` for windows by target: `docs/model/congestion.md`, "Windows".

use odonata_network::Nscc;
use odonata_registry::{Default, Kind, Parameter};
use odonata_units::Span;

use crate::error::SimError;
use crate::parameters::section::Section;

/// Where most of the numbers come from.
const SOURCE: &str = "uet-htsim";
/// 10 ms.
const LONGEST: u64 = 10_000_000_000;
/// The most that a count can be.
const MOST: u64 = 1_000_000_000;

/// The numbers of windows, as they are given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Given {
    round_trip: Option<u64>,
    target: f64,
    free_delay: u64,
    adjust: u32,
    average: u32,
    window: f64,
    mark_from: f64,
    mark_to: f64,
    forget: f64,
}

impl Given {
    pub(super) const DEFAULT: Self = Self {
        round_trip: None,
        target: 1.0,
        free_delay: 1_000_000,
        adjust: 33_280,
        average: 80,
        window: 1.5,
        mark_from: 0.2,
        mark_to: 0.8,
        forget: 16.0,
    };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "factors are at most 1,000"
    )]
    pub(super) fn nscc(&self) -> Result<Nscc, SimError> {
        if self.mark_from > self.mark_to {
            let message = format!(
                "marks begin above where all are marked, {}; give at most that",
                self.mark_to
            );
            return Err(SimError::new("system.nic.nscc_mark_from", message));
        }
        let milli = |factor: f64| (factor * 1_000.0).round() as u32;
        Ok(Nscc {
            round_trip: self.round_trip.map(Span::from_ps),
            target_milli: milli(self.target),
            free_delay: Span::from_ps(self.free_delay),
            adjust_bytes: self.adjust,
            average: self.average,
            window_milli: milli(self.window),
            mark_from_milli: milli(self.mark_from),
            mark_to_milli: milli(self.mark_to),
            forget_milli: milli(self.forget),
        })
    }
}

/// Reads the rows.
pub(super) fn numbers(nic: &mut Section<'_>) -> Result<Given, SimError> {
    let factor = |name, default, meaning| {
        let row = Parameter::new(name, Kind::Number, Default::Number(default), meaning);
        row.within(0.0, 1_000.0).source(SOURCE).sparse()
    };
    let time = |name, default, meaning| {
        let row = Parameter::new(name, Kind::Time, default, meaning);
        row.at_most(LONGEST).source(SOURCE).sparse()
    };
    let round_trip = "round trip of the unloaded network; default: that of the largest packet over \
                      the longest minimal path";
    let count = |name, kind, default: u32, meaning| {
        let row = Parameter::new(name, kind, Default::Count(default.into()), meaning);
        row.at_least(1).at_most(MOST).source(SOURCE).sparse()
    };
    Ok(Given {
        round_trip: nic.read(time("nscc_round_trip", Default::Derived, round_trip).at_least(1))?,
        target: nic.read(factor(
            "nscc_target",
            Given::DEFAULT.target,
            "queueing delay that is aimed at, in round trips",
        ))?,
        free_delay: nic.read(time(
            "nscc_free_delay",
            Default::Count(Given::DEFAULT.free_delay),
            "delay below which a path counts as free",
        ))?,
        adjust: nic.read(count(
            "nscc_adjust",
            Kind::Bytes,
            Given::DEFAULT.adjust,
            "bytes acknowledged after which what was gained is added to the window",
        ))?,
        average: nic.read(count(
            "nscc_average",
            Kind::Count,
            Given::DEFAULT.average,
            "acknowledgements over which the delay is averaged",
        ))?,
        window: nic.read(factor(
            "nscc_window",
            Given::DEFAULT.window,
            "largest window, in products of bandwidth and delay",
        ))?,
        mark_from: nic.read(factor(
            "nscc_mark_from",
            Given::DEFAULT.mark_from,
            "what a start leaves in the queue from which on some are marked, in products of \
             bandwidth and delay",
        ))?,
        mark_to: nic.read(factor(
            "nscc_mark_to",
            Given::DEFAULT.mark_to,
            "the same, from which on all are marked",
        ))?,
        forget: nic.read(
            factor(
                "nscc_forget",
                Given::DEFAULT.forget,
                "silence after which a window is forgotten, in round trips",
            )
            .source("ours"),
        )?,
    })
}
