//! The rows of `[system.nic]` for receiver credit: `docs/model/congestion.md`, "Receiver credit".

use odonata_network::Rccc;
use odonata_registry::{Default, Kind, Parameter};
use odonata_units::Span;

use crate::error::SimError;
use crate::parameters::section::{LONGEST, Section};

/// Where the numbers come from.
const SOURCE: &str = "uet-htsim";

/// Reads the rows.
pub(super) fn rows(nic: &mut Section<'_>) -> Result<Rccc, SimError> {
    let row = |name, kind, default, meaning| {
        let row = Parameter::new(name, kind, default, meaning);
        row.source(SOURCE).sparse()
    };
    let round_trip: Option<u64> = nic.read(
        row(
            "rccc_round_trip",
            Kind::Time,
            Default::Derived,
            "round trip of the unloaded network; default: that of the largest packet over the \
             longest minimal path",
        )
        .at_least(1)
        .at_most(LONGEST),
    )?;
    Ok(Rccc {
        round_trip: round_trip.map(Span::from_ps),
        window_milli: nic.milli(
            row(
                "rccc_window",
                Kind::Number,
                Default::Number(1.5),
                "credit that a sender begins with and may hold, in products of bandwidth and delay",
            )
            .within(0.0, 1_000.0),
        )?,
        rate_milli: nic.milli(
            row(
                "rccc_rate",
                Kind::Number,
                Default::Number(0.99),
                "rate at which a NIC gives credit, of its channel",
            )
            .within(0.01, 1_000.0),
        )?,
        pull: nic.read(
            row(
                "rccc_pull",
                Kind::Count,
                Default::Count(4),
                "credit that a NIC gives at once, largest packets",
            )
            .at_least(1)
            .at_most(1_000),
        )?,
    })
}
