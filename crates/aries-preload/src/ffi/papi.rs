//! Counters through PAPI, which is looked for when the program runs.

use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_void};

use odonata_policy::Counters;

use super::function;
use crate::settings::Settings;
use crate::steering::{ReadError, Source};

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

type Read = extern "C" fn(c_int, *mut c_longlong) -> c_int;

/// An event set with four events.
pub(super) struct Papi {
    read: Read,
    set: c_int,
}

impl Papi {
    /// Opens the counters; in a sentence why not.
    pub(super) fn open(settings: &Settings) -> Result<Self, String> {
        let library = Library::find(settings)?;
        library.initialise()?;
        let add = library.symbol(c"PAPI_add_named_event")?;
        let mut said = 0;
        for prefix in &settings.prefixes {
            let set = library.new_set()?;
            // SAFETY: the function of this name has this type.
            let add: extern "C" fn(c_int, *const c_char) -> c_int = unsafe { function(add) };
            let added = settings.events.iter().all(|event| {
                let name = CString::new(format!("{prefix}{event}"));
                name.is_ok_and(|name| {
                    said = add(set, name.as_ptr());
                    said == OK
                })
            });
            if added {
                return library.begin(set);
            }
        }
        Err(format!(
            "PAPI does not know the event {} (its answer is {said}; tried the prefixes {:?})",
            settings.events[0], settings.prefixes
        ))
    }
}

impl Source for Papi {
    fn read(&mut self) -> Result<Counters, ReadError> {
        let mut values: [c_longlong; 4] = [-1; 4];
        if (self.read)(self.set, values.as_mut_ptr()) != OK {
            return Err(ReadError);
        }
        let [flits, stalled, packets, latency] = values.map(u64::try_from);
        match (flits, stalled, packets, latency) {
            (Ok(flits), Ok(stalled), Ok(packets), Ok(latency)) => Ok(Counters {
                flits,
                stalled,
                packets,
                latency,
            }),
            _ => Err(ReadError),
        }
    }
}

/// PAPI, in the process already or loaded by us.
struct Library(*mut c_void);

impl Library {
    fn find(settings: &Settings) -> Result<Self, String> {
        if let Some(path) = &settings.papi {
            let name = CString::new(path.as_str()).map_err(|_| "ODONATA_ARIES_PAPI: no path")?;
            return Self::open(&name).ok_or(format!("{path} cannot be loaded"));
        }
        // SAFETY: the name ends with 0.
        let is_here = !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PAPI_read".as_ptr()) }.is_null();
        if is_here {
            return Ok(Self(libc::RTLD_DEFAULT));
        }
        let found = LIBRARIES.iter().find_map(|name| Self::open(name));
        found.ok_or_else(|| "PAPI was not found (ODONATA_ARIES_PAPI names its file)".to_owned())
    }

    fn open(name: &CStr) -> Option<Self> {
        // SAFETY: the name ends with 0; the library stays.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!handle.is_null()).then_some(Self(handle))
    }

    fn symbol(&self, name: &CStr) -> Result<*mut c_void, String> {
        // SAFETY: the name ends with 0.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        if found.is_null() {
            Err(format!("PAPI has no {}", name.to_string_lossy()))
        } else {
            Ok(found)
        }
    }

    /// Initialises PAPI unless the program has: it asks for the version that the caller knows.
    fn initialise(&self) -> Result<(), String> {
        let [is, init] = [c"PAPI_is_initialized", c"PAPI_library_init"];
        let (is, init) = (self.symbol(is)?, self.symbol(init)?);
        // SAFETY: the functions of these names have these types.
        let (is, init): (extern "C" fn() -> c_int, extern "C" fn(c_int) -> c_int) =
            unsafe { (function(is), function(init)) };
        if is() != 0 {
            return Ok(());
        }
        let versions = [(7, 0..9), (6, 0..3), (5, 0..8), (8, 0..9)];
        let mut tried = versions
            .into_iter()
            .flat_map(|(major, minors)| minors.map(move |minor| (major << 24) | (minor << 16)));
        match tried.find(|&version| init(version) == version) {
            Some(_) => Ok(()),
            None => Err("PAPI cannot be initialised, in no version from 5.0 to 8.8".to_owned()),
        }
    }

    fn new_set(&self) -> Result<c_int, String> {
        let create = self.symbol(c"PAPI_create_eventset")?;
        // SAFETY: the function of this name has this type.
        let create: extern "C" fn(*mut c_int) -> c_int = unsafe { function(create) };
        let mut set = NULL;
        match create(&raw mut set) {
            OK => Ok(set),
            said => Err(format!("PAPI makes no event set (its answer is {said})")),
        }
    }

    fn begin(&self, set: c_int) -> Result<Papi, String> {
        let (start, read) = (self.symbol(c"PAPI_start")?, self.symbol(c"PAPI_read")?);
        // SAFETY: the functions of these names have these types.
        let (start, read): (extern "C" fn(c_int) -> c_int, Read) =
            unsafe { (function(start), function(read)) };
        match start(set) {
            OK => Ok(Papi { read, set }),
            said => Err(format!(
                "PAPI does not start counting (its answer is {said})"
            )),
        }
    }
}
