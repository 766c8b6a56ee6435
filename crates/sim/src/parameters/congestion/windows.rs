//! The rows of `[system.nic]` for windows by target: `docs/model/congestion.md`, "Windows".

use odonata_network::Nscc;
use odonata_registry::{Default, Kind, Parameter};
use odonata_units::Span;

use crate::error::SimError;
use crate::parameters::section::{LONGEST, Section};

/// Where most of the numbers come from.
const SOURCE: &str = "uet-htsim";
/// The most that a count can be.
const MOST: u64 = 1_000_000_000;
const WINDOW: &str = "largest window, in products of bandwidth and delay; 0: no windows, only marks \
                      and acknowledgements";

/// Reads the rows.
pub(super) fn rows(nic: &mut Section<'_>) -> Result<Nscc, SimError> {
    let factor = |name, default, meaning| {
        let row = Parameter::number(name, default, meaning);
        row.within(0.0, 1_000.0).source(SOURCE).sparse()
    };
    let time = |name, default, meaning| {
        let row = Parameter::new(name, Kind::Time, default, meaning);
        row.at_most(LONGEST).source(SOURCE).sparse()
    };
    let count = |name, kind, default, meaning| {
        let row = Parameter::new(name, kind, Default::Count(default), meaning);
        row.at_least(1).at_most(MOST).source(SOURCE).sparse()
    };
    let round_trip: Option<u64> = nic.read(
        time(
            "nscc_round_trip",
            Default::Derived,
            "round trip of the unloaded network; default: that of the largest packet over the \
             longest minimal path",
        )
        .at_least(1),
    )?;
    Ok(Nscc {
        round_trip: round_trip.map(Span::from_ps),
        target_milli: nic.milli(factor(
            "nscc_target",
            1.0,
            "queueing delay that is aimed at, in round trips",
        ))?,
        free_delay: nic.span(time(
            "nscc_free_delay",
            Default::Count(1_000_000),
            "delay below which a path counts as free",
        ))?,
        adjust_bytes: nic.read(count(
            "nscc_adjust",
            Kind::Bytes,
            33_280,
            "bytes acknowledged after which what was gained is added to the window",
        ))?,
        average: nic.read(count(
            "nscc_average",
            Kind::Count,
            80,
            "acknowledgements over which the delay is averaged",
        ))?,
        window_milli: nic.milli(factor("nscc_window", 1.5, WINDOW))?,
        mark_from_milli: nic.milli(factor(
            "nscc_mark_from",
            0.2,
            "what a start leaves in the queue from which on some are marked, in products of \
             bandwidth and delay",
        ))?,
        mark_to_milli: nic.milli(factor(
            "nscc_mark_to",
            0.8,
            "the same, from which on all are marked",
        ))?,
        forget_milli: nic.milli(
            factor(
                "nscc_forget",
                16.0,
                "silence after which a window is forgotten, in round trips",
            )
            .source("ours"),
        )?,
    })
}

/// Refuses marks that begin above where all are marked.
pub(super) fn check(nscc: &Nscc) -> Result<(), SimError> {
    if nscc.mark_from_milli <= nscc.mark_to_milli {
        return Ok(());
    }
    let message = format!(
        "marks begin above where all are marked, {}; give at most that",
        f64::from(nscc.mark_to_milli) / 1_000.0
    );
    Err(SimError::new("system.nic.nscc_mark_from", message))
}
