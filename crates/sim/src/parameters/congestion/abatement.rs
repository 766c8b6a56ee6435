//! The rows of `[system.nic]` for ejection matching: `docs/model/congestion.md`, "Abatement".

use odonata_network::{Abate, AbateShare};
use odonata_registry::{Default, Kind, Parameter};
use odonata_units::Span;

use crate::error::SimError;
use crate::parameters::section::Section;

/// Where the numbers come from.
const SOURCE: &str = "CODES";
/// 10 ms.
const LONGEST: u64 = 10_000_000_000;

/// The numbers of ejection matching, as they are given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Given {
    on: f64,
    off: f64,
    hold: f64,
    aggressor: f64,
    share: AbateShare,
    period: u64,
    periods: u32,
    floor: f64,
}

impl Given {
    pub(super) const DEFAULT: Self = Self {
        on: 0.3,
        off: 0.05,
        hold: 2.0,
        aggressor: 0.1,
        share: AbateShare::Exact,
        period: 10_000_000,
        periods: 5,
        floor: 0.01,
    };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "factors are at most 1,000"
    )]
    pub(super) fn abate(&self) -> Result<Abate, SimError> {
        if self.off > self.on {
            let message = format!(
                "a last hop is congested from {} on, and not congested any more below more than \
                 that; give at most that",
                self.on
            );
            return Err(SimError::new("system.nic.abate_off", message));
        }
        let milli = |factor: f64| (factor * 1_000.0).round() as u32;
        Ok(Abate {
            on_milli: milli(self.on),
            off_milli: milli(self.off),
            hold_milli: milli(self.hold),
            aggressor_milli: milli(self.aggressor),
            share: self.share,
            period: Span::from_ps(self.period),
            periods: self.periods,
            floor_ppm: (self.floor * 1_000_000.0).round() as u32,
        })
    }
}

/// Reads the rows.
pub(super) fn numbers(nic: &mut Section<'_>) -> Result<Given, SimError> {
    let [on, off, hold, aggressor] = thresholds(nic)?;
    let share = nic.choice(
        Parameter::new(
            "abate_share",
            Kind::Choice(&[]),
            Default::Text("exact"),
            "how the part of a job is computed; `codes`: by a division of integers, as CODES does, \
             so that only a job that owns everything has one",
        )
        .source("ours")
        .sparse(),
        &[("exact", AbateShare::Exact), ("codes", AbateShare::Codes)],
    )?;
    let period = Parameter::new(
        "abate_period",
        Kind::Time,
        Default::Count(Given::DEFAULT.period),
        "delivered bytes are counted by periods of this length",
    );
    let periods = Parameter::new(
        "abate_periods",
        Kind::Count,
        Default::Count(Given::DEFAULT.periods.into()),
        "periods over which what was delivered is averaged",
    );
    let floor = Parameter::new(
        "abate_floor",
        Kind::Number,
        Default::Number(Given::DEFAULT.floor),
        "the least that an abated NIC may send, of its channel",
    );
    Ok(Given {
        on,
        off,
        hold,
        aggressor,
        share,
        period: nic.read(
            period
                .at_least(1_000)
                .at_most(LONGEST)
                .source(SOURCE)
                .sparse(),
        )?,
        periods: nic.read(periods.at_least(1).at_most(1_000).source(SOURCE).sparse())?,
        floor: nic.read(floor.within(0.0001, 1.0).source(SOURCE).sparse())?,
    })
}

/// Reads the rows of thresholds: on, off, hold and aggressor.
fn thresholds(nic: &mut Section<'_>) -> Result<[f64; 4], SimError> {
    let factor = |name, default, most, meaning| {
        let row = Parameter::new(name, Kind::Number, Default::Number(default), meaning);
        row.within(0.0, most).source(SOURCE).sparse()
    };
    Ok([
        nic.read(factor(
            "abate_on",
            Given::DEFAULT.on,
            1_000.0,
            "what waits for a node when its last hop becomes congested, in all buffers of a port",
        ))?,
        nic.read(factor(
            "abate_off",
            Given::DEFAULT.off,
            1_000.0,
            "the same, below which it stops being congested",
        ))?,
        nic.read(factor(
            "abate_hold",
            Given::DEFAULT.hold,
            1_000.0,
            "how long it stays congested at least, in times that the difference of the two takes",
        ))?,
        nic.read(factor(
            "abate_aggressor",
            Given::DEFAULT.aggressor,
            1.0,
            "part of what waits from which on the NICs of a job are told to abate",
        ))?,
    ])
}
