//! DMAPP: the mode is an attribute of the thread, set before a call where it differs.
//!
//! Values of the attribute on Aries are not in public sources: without `ODONATA_ARIES_DMAPP`
//! nothing is set. Calls are forwarded as ten words: every argument is a pointer or a whole number,
//! which the calling convention passes in a register or in 8 bytes of the stack.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use odonata_interpose::{Next, c_name};
use odonata_policy::Operation;

use super::life::{LIFE, outermost, post};
use super::values::{self, SUCCESS};
use crate::counts::LeftAlone;

/// DMAPP_RC_INVALID_PARAM: the library behind us has no such function.
const MISSING: c_int = 1;

type Words = [usize; 10];
#[rustfmt::skip]
type TransferFn = extern "C-unwind" fn(
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
) -> c_int;
type GetAttributesFn = extern "C-unwind" fn(*mut Attributes) -> c_int;
type SetAttributesFn = extern "C-unwind" fn(*mut Attributes, *mut Attributes) -> c_int;

/// `dmapp_rma_attrs_t`, with room for more than any known version has: it grew with time, and what
/// is behind its known fields is passed on.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
struct Attributes([u8; 512]);

const PUT_ORDERING: usize = 8;
const GET_ORDERING: usize = 9;

// SAFETY: the function of this name takes a pointer to attributes, which it fills; `Attributes` has
// room for far longer ones than those of any known version.
static GET: Next<GetAttributesFn> = unsafe { Next::new(c"dmapp_get_rma_attrs") };
// SAFETY: as of `GET`; it reads the first attributes and fills the second ones.
static SET: Next<SetAttributesFn> = unsafe { Next::new(c"dmapp_set_rma_attrs") };

/// The ordering of one kind of message, as this thread has set it.
#[derive(Clone, Copy)]
struct Ordering {
    /// Value that the program had asked for before.
    asked: u8,
    /// Value that was set last.
    last: u8,
}

thread_local! {
    /// Orderings of puts and of gets.
    static ORDERINGS: Cell<[Option<Ordering>; 2]> = const { Cell::new([None; 2]) };
}

/// The index of an operation in [`ORDERINGS`].
const fn index(operation: Operation) -> usize {
    match operation {
        Operation::Put => 0,
        Operation::Get => 1,
    }
}

/// The byte of the attributes that orders an operation.
const fn byte(operation: Operation) -> usize {
    match operation {
        Operation::Put => PUT_ORDERING,
        Operation::Get => GET_ORDERING,
    }
}

/// Sets the mode of this thread; false if the program's own ordering stands, or it cannot be set.
fn set(values: [u8; 3], wanted: u8, operation: Operation) -> bool {
    let (index, byte) = (index(operation), byte(operation));
    let mut orderings = ORDERINGS.try_with(Cell::get).unwrap_or_default();
    if orderings[index].is_some_and(|ordering| ordering.last == wanted) {
        return true;
    }
    let (Some(get), Some(set)) = (GET.get(), SET.get()) else {
        return false;
    };
    let mut now = Attributes([0; 512]);
    let mut then = Attributes([0; 512]);
    // Only what is adaptive now may become another adaptive mode.
    if get(&raw mut now) != SUCCESS || !values.contains(&now.0[byte]) {
        return false;
    }
    let asked = orderings[index].map_or(now.0[byte], |ordering| ordering.asked);
    now.0[byte] = wanted;
    if set(&raw mut now, &raw mut then) != SUCCESS || then.0[byte] != wanted {
        return false;
    }
    orderings[index] = Some(Ordering {
        asked,
        last: wanted,
    });
    let _ = ORDERINGS.try_with(|cell| cell.set(orderings));
    true
}

/// Nobody decides on messages any more: the attribute is again what the program had.
fn give_back(values: [u8; 3], operation: Operation) {
    let orderings = ORDERINGS.try_with(Cell::get).unwrap_or_default();
    if let Some(Ordering { asked, .. }) = orderings[index(operation)] {
        set(values, asked, operation);
    }
}

/// Bytes of an element by `dmapp_type_t`: 16, 8, 4, 1.
fn element_bytes(kind: usize) -> u64 {
    [16, 8, 4, 1].get(kind & 0xffff_ffff).copied().unwrap_or(8)
}

/// Forwards a call whose word `count` is the number of elements; the type of an element follows it.
fn transfer(next: &Next<TransferFn>, words: Words, count: usize, operation: Operation) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    let [a, b, c, d, e, f, g, h, i, j] = words;
    let call = || real(a, b, c, d, e, f, g, h, i, j);
    let Some(steering) = outermost() else {
        return call();
    };
    let Some(values) = values::dmapp() else {
        LeftAlone::NotSettable.count();
        return call();
    };
    let bytes = (words[count] as u64).saturating_mul(element_bytes(words[count + 1]));
    let Some(verdict) = LIFE.before(steering, bytes, operation) else {
        give_back(values, operation);
        return call();
    };
    if !set(values, values[verdict.mode as usize], operation) {
        LeftAlone::NotSettable.count();
        return call();
    }
    post(steering, verdict, call)
}

/// Exports functions, given with the index of the number of elements among their arguments.
macro_rules! functions {
    ($($name:ident $count:literal $operation:ident;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $name(
            a: usize, b: usize, c: usize, d: usize, e: usize,
            f: usize, g: usize, h: usize, i: usize, j: *mut c_void,
        ) -> c_int {
            static NEXT: Next<TransferFn> =
                // SAFETY: the function of this name in DMAPP takes at most ten arguments, all of
                // them pointers and whole numbers, which the calling convention passes as words;
                // what is superfluous is not looked at.
                unsafe { Next::new(c_name(concat!(stringify!($name), "\0"))) };
            let words = [a, b, c, d, e, f, g, h, i, j.expose_provenance()];
            transfer(&NEXT, words, $count, Operation::$operation)
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
