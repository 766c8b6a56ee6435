//! The library's own life in a process.

use std::ffi::c_int;

use odonata_interpose::{
    Callbacks, CounterSource, INSIDE, JsonObject, LibraryNames, Life, ModeSelection, Steering,
    Variables, Verdict, Within, depth, force,
};
use odonata_policy::Units;

use super::nics;
use super::papi::Papi;
use super::values::{self, SUCCESS};
use crate::counts::{LeftAlone, SMSG_CHANGES};
use crate::settings::{PREFIX, Settings};

pub(super) static LIFE: Life = Life::new(
    LibraryNames {
        stem: "libodonata_aries",
        prefix: PREFIX,
        file: "odonata-aries",
    },
    Callbacks {
        gives_up: nics::give_back,
        reports: describe,
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

/// Who steers a call of this thread; `None` if it goes through. One inside another call that is
/// steered is counted as left alone.
pub(super) fn outermost() -> Option<&'static Steering> {
    let steering = active()?;
    if depth(&INSIDE) > 0 {
        LeftAlone::Inside.count();
        return None;
    }
    Some(steering)
}

/// Posts a message whose mode was set by its verdict, and reads counters afterwards if it was
/// taken.
pub(super) fn post(steering: &Steering, verdict: Verdict, call: impl FnOnce() -> c_int) -> c_int {
    let done = {
        let _inside = Within::new(&INSIDE);
        call()
    };
    if done == SUCCESS {
        LIFE.after(steering, verdict);
    }
    done
}

fn describe(object: &mut JsonObject) {
    LeftAlone::report(object);
    object.count("smsg_changes", &SMSG_CHANGES);
}

/// Gives all messages of the process a mode from now on: 0, 1 or 3; -1 goes back to the policy.
///
/// Harnesses that alternate modes find it with `dlsym`. It returns 0, or -1 where nothing is
/// steered or the mode is unknown.
#[unsafe(no_mangle)]
extern "C" fn odonata_aries_force(mode: c_int) -> c_int {
    force(mode, active)
}
