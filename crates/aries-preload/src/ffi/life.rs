//! The library's own life in a process.

use std::ffi::c_int;

use odonata_interpose::{
    Callbacks, CounterSource, JsonObject, LibraryNames, Life, ModeSelection, Steering, Variables,
    Verdict,
};
use odonata_policy::{Mode, Operation, Units};

use super::nics;
use super::papi::Papi;
use super::values;
use crate::left::{COUNTS, Left};
use crate::settings::{PREFIX, Settings};

static LIFE: Life = Life::new(
    LibraryNames {
        stem: "libodonata_aries",
        prefix: PREFIX,
        file: "odonata-aries",
    },
    Callbacks {
        gives_up: nics::give_back,
        reports: describe,
        at_exit,
        after_fork,
    },
);

/// Who steers; `None` if every call goes through.
pub(super) fn active() -> Option<&'static Steering> {
    LIFE.active(make)
}

fn make(variables: &Variables) -> Result<Option<Steering>, String> {
    let settings = Settings::read(variables)?;
    let source: Option<Box<dyn CounterSource>> = match settings.common.selection {
        ModeSelection::Off => return Ok(None),
        ModeSelection::Fixed(_) => None,
        ModeSelection::ApplicationAware => Some(Box::new(Papi::open(&settings)?)),
    };
    values::set_dmapp(settings.dmapp);
    Ok(Some(Steering::new(settings.common, Units::ARIES, source)))
}

/// Decides on a message; `None` if it is to be left alone.
pub(super) fn before(steering: &Steering, bytes: u64, operation: Operation) -> Option<Verdict> {
    LIFE.before(steering, bytes, operation)
}

/// A steered message has been posted.
pub(super) fn after(steering: &Steering, verdict: Verdict) {
    LIFE.after(steering, verdict);
}

fn describe(object: &mut JsonObject) {
    let left = Left::ALL.map(|(_, name)| name);
    object.counts("left_alone", left.into_iter().zip(&COUNTS.left));
    object.count("smsg_changes", &COUNTS.smsg_changes);
}

extern "C" fn after_fork() {
    LIFE.forked();
}

extern "C" fn at_exit() {
    LIFE.end();
}

/// Gives all messages of the process a mode from now on: 0, 1 or 3; -1 goes back to the policy.
///
/// For harnesses that alternate modes; they find it with `dlsym`. Returns 0, or -1 where nothing is
/// steered or the mode is unknown.
#[unsafe(no_mangle)]
extern "C" fn odonata_aries_force(mode: c_int) -> c_int {
    let mode = match mode {
        -1 => None,
        0 => Some(Mode::Adaptive0),
        1 => Some(Mode::Adaptive1),
        3 => Some(Mode::Adaptive3),
        _ => return -1,
    };
    let Some(steering) = active() else { return -1 };
    steering.force(mode);
    0
}
