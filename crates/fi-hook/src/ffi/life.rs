//! The library's own life in a process.

use std::ffi::c_int;
use std::sync::OnceLock;

use odonata_interpose::{
    Callbacks, CounterSource, JsonObject, LibraryNames, Life, ModeSelection, Next, Steering,
    Variables, force, install, quoted,
};
use odonata_policy::{Mode, Units};

use super::abi::Object;
use super::source::{self, Nic};
use crate::classes::ClassEffect;
use crate::counting::Counting;
use crate::counts::{COUNTS, LeftAlone};
use crate::lane::Lane;

use crate::settings::{PREFIX, Settings, is_among, providers};

pub(super) static LIFE: Life = Life::new(
    LibraryNames {
        stem: "libodonata-fi",
        prefix: PREFIX,
        file: "odonata-fi",
    },
    Callbacks {
        gives_up: || {},
        reports: describe,
    },
);

/// Settings that are needed after the start.
struct Started {
    lanes: [Lane; 3],
    reads_counters: bool,
}

static STARTED: OnceLock<Started> = OnceLock::new();

/// Smallest version of libfabric whose tables are those of the public headers from then on.
const OLDEST: (u32, u32) = (1, 5);

/// Whether endpoints of a provider are steered, before anything else is read.
pub(super) fn is_chosen(provider: &str) -> bool {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let text = std::env::var_os(format!("{PREFIX}_PROVIDERS"));
        text.map_or_else(
            || Settings::default().providers,
            |text| providers(&text.to_string_lossy()),
        )
    });
    is_among(names, provider)
}

/// A provider that is not steered was opened: the report says so, unless one that is follows.
pub(super) fn passed_over(provider: &str) {
    LIFE.idle(format!(
        "no fabric of a provider that is steered was opened; the first one was {provider}"
    ));
}

/// A domain of a provider that is steered was opened; says whether its endpoints are to be steered.
///
/// # Safety
///
/// `domain` is a live domain of libfabric.
pub(super) unsafe fn opened(domain: Object) -> bool {
    // SAFETY: as the caller promises.
    let make = |variables: &Variables| unsafe { make(variables, domain) };
    if LIFE.active(make).is_none() {
        return false;
    }
    let reads_counters = STARTED.get().is_some_and(|started| started.reads_counters);
    // SAFETY: as the caller promises.
    !reads_counters || unsafe { source::take(domain) }
}

/// # Safety
///
/// `domain` is a live domain of libfabric.
unsafe fn make(variables: &Variables, domain: Object) -> Result<Option<Steering>, String> {
    let settings = Settings::read(variables)?;
    let reads_counters = match settings.common.selection {
        ModeSelection::Off => return Ok(None),
        ModeSelection::Fixed(_) => false,
        ModeSelection::ApplicationAware => true,
    };
    check_version()?;
    let mut units = Units::ARIES;
    let mut nic: Option<Box<dyn CounterSource>> = None;
    if reads_counters {
        let counting = counting(&settings)?;
        if settings.common.is_guarded {
            install();
        }
        // SAFETY: as the caller promises.
        if !unsafe { source::take(domain) } {
            return Err("the provider has no operations dom_ops_v1 to v6".to_owned());
        }
        units = counting.units();
        let mut source = Nic::new(counting);
        if source.read().is_err() {
            return Err("counters cannot be read through dom_ops".to_owned());
        }
        nic = Some(Box::new(source));
    }
    let lanes = settings.lanes;
    let _ = STARTED.set(Started {
        lanes,
        reads_counters,
    });
    Ok(Some(Steering::new(settings.common, units, nic)))
}

fn counting(settings: &Settings) -> Result<Counting, String> {
    let Some(file) = &settings.counters else {
        return Err(format!(
            "{PREFIX}_COUNTERS names no file of counter numbers (docs/preload-slingshot.md says how \
             to make it)"
        ));
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{PREFIX}_COUNTERS = {file} cannot be read ({error})"))?;
    Counting::new(&text, settings.buckets, settings.clock_ghz)
        .map_err(|said| format!("{PREFIX}_COUNTERS = {file}: {said}"))
}

fn check_version() -> Result<(), String> {
    let Some(version) = version() else {
        return Err("libfabric has no fi_version".to_owned());
    };
    let found = (version >> 16, version & 0xffff);
    if found < OLDEST {
        let (major, minor) = found;
        return Err(format!(
            "libfabric {major}.{minor} is older than {}.{}",
            OLDEST.0, OLDEST.1
        ));
    }
    Ok(())
}

/// The version of the libfabric in this process.
pub(super) fn version() -> Option<u32> {
    // SAFETY: this is the type of the function in `rdma/fabric.h`.
    static FI_VERSION: Next<extern "C" fn() -> u32> = unsafe { Next::new(c"fi_version") };
    FI_VERSION.get().map(|version| version())
}

/// Lanes of the messages of each mode; a class that did not take effect is not asked for again.
pub(super) fn lanes() -> [Lane; 3] {
    STARTED
        .get()
        .map_or([Lane::OWN; 3], |started| started.lanes)
}

/// Whether the class of a mode's messages is known not to take effect.
pub(super) fn is_refuted(mode: Mode) -> bool {
    source::class_effect(mode as usize) == ClassEffect::NotSeen
}

fn describe(report: &mut JsonObject) {
    LeftAlone::report(report);
    for (key, count) in [
        ("held_by_order", &COUNTS.held),
        ("retried", &COUNTS.retried),
        ("fence_waits", &COUNTS.fence_waits),
        ("endpoints", &COUNTS.endpoints),
        ("endpoints_left_alone", &COUNTS.endpoints_left),
        ("aliases", &COUNTS.aliases),
        ("aliases_refused", &COUNTS.aliases_refused),
        ("sent_unordered", &COUNTS.sent_unordered),
    ] {
        report.count(key, count);
    }
    let targets = ["adaptive-0", "adaptive-1", "adaptive-3", "endpoint"];
    report.counts("sent_by_way", targets.into_iter().zip(&COUNTS.sent));
    let lanes = lanes();
    let shown: Vec<String> = Mode::ALL
        .iter()
        .zip(lanes)
        .map(|(mode, lane)| {
            let class_effect = source::class_effect(*mode as usize).name();
            format!(
                "{}: {{\"lane\": {}, \"class\": {}}}",
                quoted(mode.name()),
                quoted(&lane.name()),
                quoted(class_effect)
            )
        })
        .collect();
    report.put("lanes", &format!("{{{}}}", shown.join(", ")));
}

/// Gives all messages of the process a mode from now on: 0, 1 or 3; -1 goes back to the policy.
///
/// Harnesses that alternate modes find it with `dlsym`. It returns 0, or -1 where nothing is
/// steered or the mode is unknown.
#[unsafe(no_mangle)]
extern "C" fn odonata_fi_force(mode: c_int) -> c_int {
    force(mode, || LIFE.running())
}
