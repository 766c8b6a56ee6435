//! The rows of `[system.nic]` for receiver credit: `docs/model/congestion.md`, "Receiver credit".

use odonata_network::Rccc;
use odonata_registry::{Default, Kind, Parameter};
use odonata_units::Span;

use crate::error::SimError;
use crate::parameters::section::Section;

/// Where most of the numbers come from.
const SOURCE: &str = "uet-htsim";
/// 10 ms.
const LONGEST: u64 = 10_000_000_000;

/// The numbers of receiver credit, as they are given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Given {
    round_trip: Option<u64>,
    window: f64,
    rate: f64,
    pull: u32,
}

impl Given {
    pub(super) const DEFAULT: Self = Self {
        round_trip: None,
        window: 1.5,
        rate: 0.99,
        pull: 4,
    };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "factors are at most 1,000"
    )]
    pub(super) fn rccc(&self) -> Rccc {
        let milli = |factor: f64| (factor * 1_000.0).round() as u32;
        Rccc {
            round_trip: self.round_trip.map(Span::from_ps),
            window_milli: milli(self.window),
            rate_milli: milli(self.rate),
            pull: self.pull,
        }
    }
}

/// Reads the rows.
pub(super) fn numbers(nic: &mut Section<'_>) -> Result<Given, SimError> {
    let round_trip = Parameter::new(
        "rccc_round_trip",
        Kind::Time,
        Default::Derived,
        "round trip of the unloaded network; default: that of the largest packet over the longest \
         minimal path",
    );
    let factor = |name, default, meaning| {
        let row = Parameter::new(name, Kind::Number, Default::Number(default), meaning);
        row.source(SOURCE).sparse()
    };
    let window = factor(
        "rccc_window",
        Given::DEFAULT.window,
        "credit that a sender begins with and may hold, in products of bandwidth and delay",
    );
    let rate = factor(
        "rccc_rate",
        Given::DEFAULT.rate,
        "rate at which a NIC gives credit, of its channel",
    );
    let pull = Parameter::new(
        "rccc_pull",
        Kind::Count,
        Default::Count(Given::DEFAULT.pull.into()),
        "credit that a NIC gives at once, largest packets",
    );
    Ok(Given {
        round_trip: nic.read(
            round_trip
                .at_least(1)
                .at_most(LONGEST)
                .source(SOURCE)
                .sparse(),
        )?,
        window: nic.read(window.within(0.0, 1_000.0))?,
        rate: nic.read(rate.within(0.01, 1_000.0))?,
        pull: nic.read(pull.at_least(1).at_most(1_000).source(SOURCE).sparse())?,
    })
}
