//! The rows of `[system.nic]` that control congestion at end points: `docs/model/congestion.md`.

use odonata_network::{Control, Parameters};
use odonata_registry::{Keys, Parameter, Table};
use serde_json::Map;

use super::section::Section;
use crate::error::SimError;

mod abatement;
mod credit;
mod pacing;
mod windows;

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

/// Control of congestion, if there is any.
pub(super) fn control(
    nic: &mut Section<'_>,
    parameters: &Parameters,
) -> Result<Option<Control>, SimError> {
    let named = nic.choice(
        Parameter::choice(
            "congestion",
            &[],
            "none",
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
    let pace = Numbers::read(nic, |nic| pacing::rows(nic, parameters))?;
    let nscc = Numbers::read(nic, windows::rows)?;
    let abate = Numbers::read(nic, abatement::rows)?;
    let rccc = Numbers::read(nic, credit::rows)?;
    if named != Named::None && parameters.get_behind > 0 {
        let message = "get requests that pass other messages are not held back; leave `get_behind` \
                       or `congestion` out";
        return Err(SimError::new("system.nic.congestion", message));
    }
    let has_windows = matches!(named, Named::Nscc | Named::NsccRccc);
    let has_credit = matches!(named, Named::Rccc | Named::NsccRccc);
    pace.refuse_unless(named == Named::Pace, "pacing", "pace")?;
    nscc.refuse_unless(has_windows, "windows", "nscc")?;
    abate.refuse_unless(named == Named::Abate, "abatement", "abate")?;
    rccc.refuse_unless(has_credit, "credit", "rccc")?;
    if has_windows {
        windows::check(&nscc.values)?;
    }
    if named == Named::Abate {
        abatement::check(&abate.values)?;
    }
    Ok(match named {
        Named::None => None,
        Named::Pace => Some(Control::Pace(pace.values)),
        Named::Nscc => Some(Control::Nscc(nscc.values)),
        Named::Abate => Some(Control::Abate(abate.values)),
        Named::Rccc => Some(Control::Rccc(rccc.values)),
        Named::NsccRccc => Some(Control::NsccRccc(nscc.values, rccc.values)),
    })
}

/// The numbers of a controller.
struct Numbers<T> {
    values: T,
    /// Some differ from their defaults.
    are_given: bool,
}

impl<T: PartialEq> Numbers<T> {
    fn read(
        nic: &mut Section<'_>,
        rows: impl Fn(&mut Section<'_>) -> Result<T, SimError>,
    ) -> Result<Self, SimError> {
        let nothing = Map::new();
        let mut defaults = Section {
            path: nic.path,
            table: Table::reading(&nothing, Keys::WithUnits),
        };
        let values = rows(nic)?;
        Ok(Self {
            are_given: values != rows(&mut defaults)?,
            values,
        })
    }

    /// Refuses numbers of `what` if the controller is not there, whose name is `name`.
    fn refuse_unless(&self, is_there: bool, what: &str, name: &str) -> Result<(), SimError> {
        if is_there || !self.are_given {
            return Ok(());
        }
        let message = format!(
            "the numbers of {what} mean nothing without `congestion = \"{name}\"`; give it, or \
             leave them out"
        );
        Err(SimError::new("system.nic.congestion", message))
    }
}
