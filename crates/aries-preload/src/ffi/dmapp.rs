//! DMAPP: the mode is an attribute of the thread, set before a call where it differs.
//!
//! Values of the attribute on Aries are not in public sources: without `ODONATA_ARIES_DMAPP` nothing
//! is set. Calls are forwarded as ten words: every argument is a pointer or a whole number, which
//! the calling convention passes in a register or in 8 bytes of the stack.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};

use odonata_interpose::{INSIDE, Next, Steering, Within, depth, function};
use odonata_policy::Operation;

use super::life::{active, after, before};
use super::values;
use crate::left::{Left, left};

const SUCCESS: c_int = 0;
/// DMAPP_RC_INVALID_PARAM: the library behind us has no such function.
const MISSING: c_int = 1;

type Words = [usize; 10];
#[rustfmt::skip]
type Call = extern "C-unwind" fn(
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
) -> c_int;
type GetAttributes = extern "C-unwind" fn(*mut Attributes) -> c_int;
type SetAttributes = extern "C-unwind" fn(*mut Attributes, *mut Attributes) -> c_int;

/// `dmapp_rma_attrs_t`: it grew with time; what is behind its known fields is passed on.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
struct Attributes([u8; 512]);

const PUT_ORDERING: usize = 8;
const GET_ORDERING: usize = 9;

static GET: Next = Next::new(c"dmapp_get_rma_attrs");
static SET: Next = Next::new(c"dmapp_set_rma_attrs");

/// What this thread has set for one kind of message.
#[derive(Clone, Copy)]
struct Chosen {
    /// The attribute before the first time.
    asked: u8,
    last: u8,
}

thread_local! {
    /// For puts and gets.
    static CHOSEN: Cell<[Option<Chosen>; 2]> = const { Cell::new([None; 2]) };
}

const fn place(operation: Operation) -> (usize, usize) {
    match operation {
        Operation::Put => (0, PUT_ORDERING),
        Operation::Get => (1, GET_ORDERING),
    }
}

/// Sets the mode of this thread; false if the program's own ordering stands, or it cannot be set.
fn set(values: [u8; 3], wanted: u8, operation: Operation) -> bool {
    let (index, place) = place(operation);
    let mut chosen = CHOSEN.try_with(Cell::get).unwrap_or_default();
    if chosen[index].is_some_and(|chosen| chosen.last == wanted) {
        return true;
    }
    let (Some(get), Some(set)) = (GET.get(), SET.get()) else {
        return false;
    };
    let mut now = Attributes([0; 512]);
    let mut then = Attributes([0; 512]);
    // SAFETY: the functions of these names have these types, and the structure is far longer than
    // any known version of theirs.
    let (get, set): (GetAttributes, SetAttributes) = unsafe { (function(get), function(set)) };
    // Only what is adaptive now may become another adaptive mode.
    if get(&raw mut now) != SUCCESS || !values.contains(&now.0[place]) {
        return false;
    }
    let asked = chosen[index].map_or(now.0[place], |chosen| chosen.asked);
    now.0[place] = wanted;
    if set(&raw mut now, &raw mut then) != SUCCESS || then.0[place] != wanted {
        return false;
    }
    chosen[index] = Some(Chosen {
        asked,
        last: wanted,
    });
    let _ = CHOSEN.try_with(|cell| cell.set(chosen));
    true
}

/// Nobody decides on messages any more: the attribute is again what the program had.
fn give_back(values: [u8; 3], operation: Operation) {
    let (index, _) = place(operation);
    let chosen = CHOSEN.try_with(Cell::get).unwrap_or_default();
    if let Some(Chosen { asked, .. }) = chosen[index] {
        set(values, asked, operation);
    }
}

/// Bytes of an element by `dmapp_type_t`: 16, 8, 4, 1.
fn element_bytes(kind: usize) -> u64 {
    [16, 8, 4, 1].get(kind & 0xffff_ffff).copied().unwrap_or(8)
}

fn message(next: &Next, words: Words, count: usize, operation: Operation) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    let [a, b, c, d, e, f, g, h, i, j] = words;
    // SAFETY: a function of this name takes as many of these words as it has arguments.
    let real: Call = unsafe { function(real) };
    let call = || real(a, b, c, d, e, f, g, h, i, j);
    let Some(steering) = active() else {
        return call();
    };
    if depth(&INSIDE) > 0 {
        left(Left::Inside);
        return call();
    }
    let Some(values) = values::dmapp() else {
        left(Left::NoWay);
        return call();
    };
    let bytes = (words[count] as u64).saturating_mul(element_bytes(words[count + 1]));
    steered(steering, values, (bytes, operation), call)
}

fn steered(
    steering: &Steering,
    values: [u8; 3],
    (bytes, operation): (u64, Operation),
    call: impl FnOnce() -> c_int,
) -> c_int {
    let Some(verdict) = before(steering, bytes, operation) else {
        give_back(values, operation);
        return call();
    };
    if !set(values, values[verdict.mode as usize], operation) {
        left(Left::NoWay);
        return call();
    }
    let done = {
        let _inside = Within::new(&INSIDE);
        call()
    };
    if done == SUCCESS {
        after(steering, verdict);
    }
    done
}

/// Functions, with the place of the number of elements among their arguments.
macro_rules! functions {
    ($($name:ident $count:literal $operation:ident;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $name(
            a: usize, b: usize, c: usize, d: usize, e: usize,
            f: usize, g: usize, h: usize, i: usize, j: *mut c_void,
        ) -> c_int {
            static NEXT: Next = Next::new(
                // SAFETY of the name: `concat!` ends it with 0.
                match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => c"",
                },
            );
            let words = [a, b, c, d, e, f, g, h, i, j.expose_provenance()];
            message(&NEXT, words, $count, Operation::$operation)
        }
    )*};
}

functions! {
    dmapp_put 4 Put;
    dmapp_put_nb 4 Put;
    dmapp_put_nbi 4 Put;
    dmapp_get 4 Get;
    dmapp_get_nb 4 Get;
    dmapp_get_nbi 4 Get;
    dmapp_iput 6 Put;
    dmapp_iput_nb 6 Put;
    dmapp_iput_nbi 6 Put;
    dmapp_iget 6 Get;
    dmapp_iget_nb 6 Get;
    dmapp_iget_nbi 6 Get;
    dmapp_ixput 5 Put;
    dmapp_ixput_nb 5 Put;
    dmapp_ixput_nbi 5 Put;
    dmapp_ixget 5 Get;
    dmapp_ixget_nb 5 Get;
    dmapp_ixget_nbi 5 Get;
}
