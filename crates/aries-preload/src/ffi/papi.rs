//! Counters through PAPI, which is looked for when the program runs.
//!
//! Every call goes through [`guarded`]: one that crashes is the last.

use std::ffi::{CStr, CString, c_int, c_longlong, c_void};
use std::ptr;

use odonata_interpose::{CounterSource, Crashed, ReadError, guarded, install};
use odonata_policy::Counters;

use crate::settings::Settings;

const LIBRARIES: [&CStr; 6] = [
    c"libpapi.so",
    c"libpapi.so.7.2",
    c"libpapi.so.7.1",
    c"libpapi.so.7.0",
    c"libpapi.so.6.0",
    c"libpapi.so.5.7",
];
const OK: c_int = 0;
const NULL: c_int = -1;

/// A running event set of four events.
pub(super) struct Papi {
    read: Function,
    set: c_int,
}

/// A function of PAPI: of at most two words, returning an `int`.
#[derive(Clone, Copy)]
struct Function(*mut c_void);

// SAFETY: the address is that of code, which is the same in every thread and never unloaded. The
// event set that it works on is a number, and is only used by the `Papi` that has made it, one
// thread at a time: `CounterSource::read` takes it by `&mut`.
unsafe impl Send for Function {}

impl Function {
    /// Calls it. Words that are addresses are those of live values of the types that it expects.
    fn call(self, a: usize, b: usize) -> Result<c_int, Crashed> {
        // SAFETY: `Library::function` alone makes a `Function`, and is asked only for functions of
        // PAPI that take at most two words and return an `int`. The callers of this file pass event
        // sets of PAPI's own, texts, and the addresses of locals that live during the call.
        unsafe { guarded(self.0, [a, b, 0, 0]) }
    }

    /// Calls it while the library starts.
    fn ask(self, a: usize, b: usize) -> Result<c_int, String> {
        let crashed = |_| "PAPI crashed when it was started".to_owned();
        self.call(a, b).map_err(crashed)
    }
}

impl Papi {
    /// Opens the counters; in a sentence why not.
    pub(super) fn open(settings: &Settings) -> Result<Self, String> {
        if settings.common.is_guarded {
            install();
        }
        let library = Library::find(settings)?;
        library.initialise()?;
        let add = library.function(c"PAPI_add_named_event")?;
        let mut said = OK;
        for prefix in &settings.prefixes {
            let set = library.new_set()?;
            for event in &settings.events {
                let name = CString::new(format!("{prefix}{event}"));
                let name = name.map_err(|_| "ODONATA_ARIES_EVENTS: no names")?;
                said = add.ask(word(set), name.as_ptr().expose_provenance())?;
                if said != OK {
                    break;
                }
            }
            if said == OK {
                return library.begin(set);
            }
        }
        Err(format!(
            "PAPI does not know the event {} (its answer is {said}; tried the prefixes {:?})",
            settings.events[0], settings.prefixes
        ))
    }
}

impl CounterSource for Papi {
    fn read(&mut self) -> Result<Counters, ReadError> {
        let mut values: [c_longlong; 4] = [-1; 4];
        let target = values.as_mut_ptr().expose_provenance();
        match self.read.call(word(self.set), target) {
            Ok(OK) => {}
            Ok(_) => return Err(ReadError::Failed),
            Err(Crashed) => return Err(ReadError::Broken),
        }
        // SAFETY: `values` is a live, initialised local. The read is volatile because PAPI has
        // written to it through an address that was exposed as a number, behind the compiler's
        // back.
        let values = unsafe { ptr::read_volatile(&raw const values) };
        let [flits, stalled, packets, latency] = values.map(u64::try_from);
        match (flits, stalled, packets, latency) {
            (Ok(flits), Ok(stalled), Ok(packets), Ok(latency)) => Ok(Counters {
                flits,
                stalled,
                packets,
                latency,
            }),
            _ => Err(ReadError::Failed),
        }
    }
}

/// An `int` as the word of a register.
fn word(number: c_int) -> usize {
    (number as isize).cast_unsigned()
}

/// PAPI, in the process already or loaded by us.
struct Library(*mut c_void);

impl Library {
    fn find(settings: &Settings) -> Result<Self, String> {
        if let Some(path) = &settings.papi {
            let name = CString::new(path.as_str()).map_err(|_| "ODONATA_ARIES_PAPI: no path")?;
            // The loader waits for ever at a pipe that nobody writes to.
            let is_other = |found: std::fs::Metadata| !found.is_file();
            if path.contains('/') && std::fs::metadata(path).is_ok_and(is_other) {
                return Err(format!("{path} is no file"));
            }
            return Self::open(&name).ok_or(format!("{path} cannot be loaded"));
        }
        // SAFETY: the name is a C string; `dlsym` reads it alone.
        let is_here = !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PAPI_read".as_ptr()) }.is_null();
        if is_here {
            return Ok(Self(libc::RTLD_DEFAULT));
        }
        let found = LIBRARIES.iter().find_map(|name| Self::open(name));
        found.ok_or_else(|| "PAPI was not found (ODONATA_ARIES_PAPI names its file)".to_owned())
    }

    fn open(name: &CStr) -> Option<Self> {
        // SAFETY: the name is a C string. What runs is the start of a library that the user has
        // named, or that the loader finds as PAPI; the handle is never closed, so that its
        // functions stay.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!handle.is_null()).then_some(Self(handle))
    }

    fn function(&self, name: &CStr) -> Result<Function, String> {
        // SAFETY: the handle is `RTLD_DEFAULT` or was opened by `open` and is never closed; the
        // name is a C string.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if found.is_null() {
            return Err(format!("PAPI has no {}", name.to_string_lossy()));
        }
        Ok(Function(found))
    }

    /// Initialises PAPI unless the program has: it asks for the version that the caller knows.
    fn initialise(&self) -> Result<(), String> {
        let init = self.function(c"PAPI_library_init")?;
        if self.function(c"PAPI_is_initialized")?.ask(0, 0)? != 0 {
            return Ok(());
        }
        for (major, minors) in [(7, 0..9), (6, 0..3), (5, 0..8), (8, 0..9)] {
            for minor in minors {
                let version = (major << 24) | (minor << 16);
                if init.ask(word(version), 0)? == version {
                    return Ok(());
                }
            }
        }
        Err("PAPI cannot be initialised, in no version from 5.0 to 8.8".to_owned())
    }

    fn new_set(&self) -> Result<c_int, String> {
        let mut set = NULL;
        let target = (&raw mut set).expose_provenance();
        let said = self.function(c"PAPI_create_eventset")?.ask(target, 0)?;
        // SAFETY: `set` is a live, initialised local. The read is volatile because PAPI has written
        // to it through an address that was exposed as a number.
        let set = unsafe { ptr::read_volatile(&raw const set) };
        if said == OK {
            Ok(set)
        } else {
            Err(format!("PAPI makes no event set (its answer is {said})"))
        }
    }

    fn begin(&self, set: c_int) -> Result<Papi, String> {
        let read = self.function(c"PAPI_read")?;
        match self.function(c"PAPI_start")?.ask(word(set), 0)? {
            OK => Ok(Papi { read, set }),
            said => Err(format!(
                "PAPI does not start counting (its answer is {said})"
            )),
        }
    }
}
