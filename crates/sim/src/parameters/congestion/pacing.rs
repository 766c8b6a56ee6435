//! The rows of `[system.nic]` for pacing: `docs/model/congestion.md`, "At the last hop".

use odonata_network::{Pace, Parameters};
use odonata_registry::Parameter;

use crate::error::SimError;
use crate::parameters::section::Section;

const SOURCE: &str = "SST merlin";

/// Reads the rows; the queue is counted in output buffers.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts of floats saturate"
)]
pub(super) fn rows(nic: &mut Section<'_>, parameters: &Parameters) -> Result<Pace, SimError> {
    let factor = |name, default, meaning| {
        let row = Parameter::number(name, default, meaning);
        row.within(0.0, 1_000_000.0).source(SOURCE).sparse()
    };
    let count = |name, default, meaning| {
        let row = Parameter::count(name, default, meaning);
        row.at_most(1_000_000).source(SOURCE).sparse()
    };
    let least_sources = nic.read(
        count(
            "pace_sources",
            6,
            "sources of a node from which on they are held back",
        )
        .at_least(2),
    )?;
    // In the fingerprint of every run: what ran without them had another rule.
    let stated = |row| Parameter {
        sparse: false,
        ..row
    };
    let queue: f64 = nic.read(stated(
        factor(
            "pace_queue",
            4.0,
            "what waits for a node when those who add to it are held back, in output buffers",
        )
        .source("ours"),
    ))?;
    Ok(Pace {
        least_sources,
        queue_flits: ((queue * f64::from(parameters.output_buffer_flits)).ceil() as u32).max(1),
        pause: nic.read(stated(count(
            "pace_pause",
            4,
            "pause of a source that hears of more sources, in times that what waits takes",
        )))?,
        spread_milli: nic.milli(
            factor(
                "pace_spread",
                1.0,
                "time from the end of one source's pause to that of the next one's, in largest \
                 packets; 0: all end at once, as in SST merlin",
            )
            .source("ours"),
        )?,
        expiry_milli: nic.milli(factor(
            "pace_expiry",
            5.0,
            "silence after which a source is released, in rounds of largest packets",
        ))?,
        smallest_bytes: nic.read(
            Parameter::bytes(
                "pace_smallest",
                128,
                "packets with less payload neither count nor wait",
            )
            .at_most(u32::MAX.into())
            .source(SOURCE)
            .sparse(),
        )?,
    })
}
