//! The compiled shim: the only place that speaks C.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;

use odonata_mesh::MeshError;

/// The form of the functions that [`Library`] expects.
const FORM: c_int = 2;
/// Stands for all tags.
pub(crate) const ANY_TAG: c_int = -1;
/// Of a sentence, bytes.
const ROOM: usize = 1_024;

type Form = unsafe extern "C" fn() -> c_int;
type Number = unsafe extern "C" fn(*mut c_int) -> c_int;
type Begin = unsafe extern "C" fn(*const c_void, c_int, c_int, c_int, *mut *mut c_void) -> c_int;
type IsSent = unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int;
type IsThere = unsafe extern "C" fn(*mut c_int, c_int, *mut c_int, *mut c_int) -> c_int;
type Receive = unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int) -> c_int;
type Sentence = unsafe extern "C" fn(c_int, *mut c_char, c_int);
type Abort = unsafe extern "C" fn(c_int);

/// The functions of the shim, as `shim.c` declares them.
pub(crate) struct Library {
    start: Number,
    rank: Number,
    size: Number,
    send: Begin,
    is_sent: IsSent,
    is_there: IsThere,
    receive: Receive,
    sentence: Sentence,
    abort: Abort,
    finish: Form,
}

/// A message on its way out: MPI reads its bytes until it is sent.
pub(crate) struct Sending {
    request: *mut c_void,
    /// They are given free when they are sent, and otherwise never.
    bytes: ManuallyDrop<Vec<u8>>,
}

// SAFETY: the request is used under the lock that all calls of the library share, and MPI lets
// any thread do so (`MPI_THREAD_SERIALIZED`, which `start` has made sure of).
unsafe impl Send for Sending {}

/// A message that can be received.
#[derive(Clone, Copy)]
pub(crate) struct There {
    pub(crate) from: usize,
    pub(crate) length: usize,
}

fn int(number: usize) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}

impl Library {
    /// Loads the shim.
    pub(crate) fn open(path: &Path) -> Result<Self, MeshError> {
        let refused = |why: &str| {
            MeshError::new(format!(
                "{} cannot be loaded: {why}; make it with `odonata mpi build`",
                path.display()
            ))
        };
        let name = path.as_os_str().as_encoded_bytes();
        let name = CString::new(name).map_err(|_| refused("its name has a zero byte"))?;
        // SAFETY: the name ends with a zero byte; what the library does when it is loaded is that
        // of an MPI, which the user has asked for. Global, for modules that an MPI loads itself.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if handle.is_null() {
            // SAFETY: after a failure it is null or text that stays until the next call.
            let said = unsafe { libc::dlerror().cast_const().as_ref() };
            // SAFETY: as above, it ends with a zero byte.
            let said = said.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy());
            return Err(refused(&said.unwrap_or_default()));
        }
        let find = |name: &CStr| {
            // SAFETY: the handle is that of a loaded library, which is never closed.
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            if found.is_null() {
                Err(refused("it is something else"))
            } else {
                Ok(found)
            }
        };
        macro_rules! function {
            ($name:literal, $kind:ty) => {{
                let found = find($name)?;
                // SAFETY: a function of this name has this type, as its form says.
                unsafe { std::mem::transmute::<*mut c_void, $kind>(found) }
            }};
        }
        let form = function!(c"odonata_mpi_form", Form);
        // SAFETY: it has no arguments and returns a number.
        if unsafe { form() } != FORM {
            return Err(refused("it was made by another version"));
        }
        Ok(Self {
            start: function!(c"odonata_mpi_start", Number),
            rank: function!(c"odonata_mpi_rank", Number),
            size: function!(c"odonata_mpi_size", Number),
            send: function!(c"odonata_mpi_send", Begin),
            is_sent: function!(c"odonata_mpi_is_sent", IsSent),
            is_there: function!(c"odonata_mpi_is_there", IsThere),
            receive: function!(c"odonata_mpi_receive", Receive),
            sentence: function!(c"odonata_mpi_sentence", Sentence),
            abort: function!(c"odonata_mpi_abort", Abort),
            finish: function!(c"odonata_mpi_finish", Form),
        })
    }

    /// Begins MPI, if nobody has.
    pub(crate) fn start(&self) -> Result<(), MeshError> {
        let mut takes_turns = 0;
        // SAFETY: the number is there; this is the first call of the library.
        self.checked(unsafe { (self.start)(&raw mut takes_turns) })?;
        if takes_turns == 0 {
            return Err(MeshError::new(
                "this MPI lets only one thread call it; take one that offers \
                 MPI_THREAD_SERIALIZED, or TCP",
            ));
        }
        Ok(())
    }

    /// Number of this process.
    pub(crate) fn rank(&self) -> Result<usize, MeshError> {
        let mut rank = 0;
        // SAFETY: the number is there.
        self.checked(unsafe { (self.rank)(&raw mut rank) })?;
        Ok(usize::try_from(rank).unwrap_or(0))
    }

    /// Number of processes.
    pub(crate) fn size(&self) -> Result<usize, MeshError> {
        let mut size = 0;
        // SAFETY: the number is there.
        self.checked(unsafe { (self.size)(&raw mut size) })?;
        Ok(usize::try_from(size).unwrap_or(0))
    }

    /// Begins to send `bytes`, fewer than 2^31.
    pub(crate) fn send(
        &self,
        bytes: Vec<u8>,
        other: usize,
        tag: c_int,
    ) -> Result<Sending, MeshError> {
        let mut request = ptr::null_mut();
        let bytes = ManuallyDrop::new(bytes);
        // SAFETY: the bytes stay where they are, unchanged, until MPI has sent them: see `Sending`.
        let error = unsafe {
            let start = bytes.as_ptr().cast();
            (self.send)(start, int(bytes.len()), int(other), tag, &raw mut request)
        };
        self.checked(error)?;
        Ok(Sending { request, bytes })
    }

    /// Whether it is sent: then its memory; otherwise it comes back.
    pub(crate) fn is_sent(&self, sending: Sending) -> Result<Result<Vec<u8>, Sending>, MeshError> {
        let mut is_sent = 0;
        // SAFETY: the request is one of `send`, and gone as soon as it is sent.
        let error = unsafe { (self.is_sent)(sending.request, &raw mut is_sent) };
        self.checked(error)?;
        Ok(if is_sent == 0 {
            Err(sending)
        } else {
            Ok(ManuallyDrop::into_inner(sending.bytes))
        })
    }

    /// The next message with this tag, of process `from` or of anybody, if it is there.
    pub(crate) fn there(
        &self,
        from: Option<usize>,
        tag: c_int,
    ) -> Result<Option<There>, MeshError> {
        let (mut other, mut is_there, mut count) = (from.map_or(-1, int), 0, 0);
        // SAFETY: the numbers are there.
        let error =
            unsafe { (self.is_there)(&raw mut other, tag, &raw mut is_there, &raw mut count) };
        self.checked(error)?;
        Ok((is_there != 0).then(|| There {
            from: usize::try_from(other).unwrap_or(0),
            length: usize::try_from(count).unwrap_or(0),
        }))
    }

    /// Receives a message of so many bytes behind those that `bytes` holds.
    pub(crate) fn receive(
        &self,
        there: There,
        tag: c_int,
        bytes: &mut Vec<u8>,
    ) -> Result<(), MeshError> {
        let start = bytes.len();
        bytes.reserve(there.length);
        // SAFETY: there is room for so many bytes behind `start`, which MPI fills.
        let error = unsafe {
            let room = bytes.as_mut_ptr().add(start).cast();
            (self.receive)(room, int(there.length), int(there.from), tag)
        };
        self.checked(error)?;
        // SAFETY: these bytes have just been received.
        unsafe { bytes.set_len(start + there.length) };
        Ok(())
    }

    /// Name of this MPI, in one line.
    pub(crate) fn name(&self) -> String {
        let text = self.text(0);
        text.lines().next().unwrap_or_default().trim().to_owned()
    }

    /// Ends all processes of the launcher, this one too.
    pub(crate) fn abort(&self, code: c_int) {
        // SAFETY: MPI has begun.
        unsafe { (self.abort)(code) };
    }

    /// Ends MPI, if it was begun here.
    pub(crate) fn finish(&self) -> Result<(), MeshError> {
        // SAFETY: MPI has begun, and nothing of it is used behind this.
        self.checked(unsafe { (self.finish)() })
    }

    fn text(&self, error: c_int) -> String {
        let mut text = [0_u8; ROOM];
        // SAFETY: there is so much room, and what is written ends with a zero byte.
        unsafe { (self.sentence)(error, text.as_mut_ptr().cast(), int(ROOM)) };
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default();
        text.to_string_lossy().into_owned()
    }

    fn checked(&self, error: c_int) -> Result<(), MeshError> {
        if error == 0 {
            return Ok(());
        }
        Err(MeshError::new(format!("MPI fails: {}", self.text(error))))
    }
}
