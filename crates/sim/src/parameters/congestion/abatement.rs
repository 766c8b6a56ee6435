//! The rows of `[system.nic]` for ejection matching: `docs/model/congestion.md`, "Abatement".

use odonata_network::{Abate, AbateShare};
use odonata_registry::{Default, Kind, Parameter};

use crate::error::SimError;
use crate::parameters::section::{LONGEST, Section};

/// Where the numbers come from.
const SOURCE: &str = "CODES";

/// Reads the rows.
#[expect(clippy::too_many_lines, reason = "a row for each field")]
pub(super) fn rows(nic: &mut Section<'_>) -> Result<Abate, SimError> {
    let factor = |name, default, most, meaning| {
        let row = Parameter::number(name, default, meaning);
        row.within(0.0, most).source(SOURCE).sparse()
    };
    let count = |name, kind, default, meaning| {
        let row = Parameter::new(name, kind, Default::Count(default), meaning);
        row.source(SOURCE).sparse()
    };
    Ok(Abate {
        on_milli: nic.milli(factor(
            "abate_on",
            0.3,
            1_000.0,
            "what waits for a node when its last hop becomes congested, in all buffers of a port",
        ))?,
        off_milli: nic.milli(factor(
            "abate_off",
            0.05,
            1_000.0,
            "the same, below which it stops being congested",
        ))?,
        hold_milli: nic.milli(factor(
            "abate_hold",
            2.0,
            1_000.0,
            "how long it stays congested at least, in times that the difference of the two takes",
        ))?,
        aggressor_milli: nic.milli(factor(
            "abate_aggressor",
            0.1,
            1.0,
            "part of what waits from which on the NICs of a job are told to abate",
        ))?,
        share: nic.choice(
            Parameter::choice(
                "abate_share",
                &[],
                "exact",
                "how the part of a job is computed; `codes`: by a division of integers, as CODES \
                 does, so that only a job that owns everything has one",
            )
            .source("ours")
            .sparse(),
            &[("exact", AbateShare::Exact), ("codes", AbateShare::Codes)],
        )?,
        period: nic.span(
            count(
                "abate_period",
                Kind::Time,
                10_000_000,
                "delivered bytes are counted by periods of this length",
            )
            .at_least(1_000)
            .at_most(LONGEST),
        )?,
        periods: nic.read(
            count(
                "abate_periods",
                Kind::Count,
                5,
                "periods over which what was delivered is averaged",
            )
            .at_least(1)
            .at_most(1_000),
        )?,
        floor_ppm: nic.ppm(
            factor(
                "abate_floor",
                0.01,
                1.0,
                "the least that an abated NIC may send, of its channel",
            )
            .within(0.0001, 1.0),
        )?,
    })
}

/// Refuses a last hop that is not congested any more where it becomes congested.
pub(super) fn check(abate: &Abate) -> Result<(), SimError> {
    if abate.off_milli <= abate.on_milli {
        return Ok(());
    }
    let message = format!(
        "a last hop is congested from {} on, and not congested any more below more than that; give \
         at most that",
        f64::from(abate.on_milli) / 1_000.0
    );
    Err(SimError::new("system.nic.abate_off", message))
}
