//! Calls that may crash: the call ends, and the program goes on.
//!
//! Whoever counts is not ours. A call through here notes where it would return; if it faults
//! (SIGSEGV, SIGBUS, SIGFPE, SIGILL), the handler lets it return there. Only frames of the called
//! library are left behind, which calls none of our functions. Faults of anybody else go to whoever
//! had the signal before.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// The called library faulted; it must not be called again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crashed;

/// Calls `function(a, b, c, d)`; superfluous arguments do no harm in the calling convention.
///
/// # Errors
///
/// [`Crashed`].
///
/// # Safety
///
/// `function` is a C function whose arguments are at most these four words, and which returns an
/// `int`; words that are addresses are those of what it expects there. It calls no Rust function:
/// if it crashes, its frames are dropped as they are.
pub unsafe fn guarded(function: *mut c_void, words: [usize; 4]) -> Result<c_int, Crashed> {
    let mut point = ReturnPoint {
        stack: 0,
        resume: 0,
        has_crashed: 0,
    };
    let _ = RETURN_POINT.try_with(|cell| cell.set(&raw mut point));
    // SAFETY: the function and its words are what the caller promises. `words` and `point` are
    // locals that live until the call has ended, by its return or by the handler: both continue
    // behind the call instruction in `odonata_guarded_call`, with the stack and the preserved
    // registers of then.
    let done = unsafe { call(function, &raw const words, &raw mut point) };
    let _ = RETURN_POINT.try_with(|cell| cell.set(ptr::null_mut()));
    // SAFETY: `point` is a live, initialised local. The read is volatile because the handler may
    // have written it behind the compiler's back.
    let has_crashed = unsafe { (&raw const point.has_crashed).read_volatile() };
    if has_crashed == 0 {
        Ok(done)
    } else {
        Err(Crashed)
    }
}

/// Where a guarded call continues if it faults; the handler and the code below know the layout.
#[repr(C)]
struct ReturnPoint {
    stack: usize,
    resume: usize,
    has_crashed: usize,
}

thread_local! {
    /// The point of the guarded call that this thread is in.
    static RETURN_POINT: Cell<*mut ReturnPoint> = const { Cell::new(ptr::null_mut()) };
}

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".p2align 4",
    ".hidden odonata_guarded_call",
    ".globl odonata_guarded_call",
    ".type odonata_guarded_call, @function",
    "odonata_guarded_call:",
    ".cfi_startproc",
    // What a function must preserve, where the handler finds it: below the stack that is noted.
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "sub rsp, 8",
    ".cfi_adjust_cfa_offset 56",
    "mov [rdx], rsp",
    "lea rax, [rip + 2f]",
    "mov [rdx + 8], rax",
    "mov rax, rdi",
    "mov r10, rsi",
    "mov rdi, [r10]",
    "mov rsi, [r10 + 8]",
    "mov rdx, [r10 + 16]",
    "mov rcx, [r10 + 24]",
    "call rax",
    "2:",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    ".cfi_adjust_cfa_offset -56",
    "ret",
    ".cfi_endproc",
    ".size odonata_guarded_call, . - odonata_guarded_call",
);

#[cfg(target_arch = "x86_64")]
// SAFETY: the assembly above defines this function with these arguments (rdi, rsi, rdx) and an
// `int` in eax; it preserves what the calling convention asks for.
unsafe extern "C" {
    #[link_name = "odonata_guarded_call"]
    fn call(function: *mut c_void, words: *const [usize; 4], point: *mut ReturnPoint) -> c_int;
}

/// Elsewhere a call is just that: nearly all machines with these networks are x86-64.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn call(function: *mut c_void, words: *const [usize; 4], _point: *mut ReturnPoint) -> c_int {
    // SAFETY: the caller of `guarded` promises a C function of at most four words that returns an
    // `int`; `words` is a live local of `guarded`.
    let (function, [a, b, c, d]): (extern "C" fn(usize, usize, usize, usize) -> c_int, _) =
        unsafe { (crate::next::function(function), *words) };
    function(a, b, c, d)
}

const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// Who had the signals before.
static BEFORE: OnceLock<[libc::sigaction; 4]> = OnceLock::new();

/// Stands in front of who has the signals now; once.
pub fn install() {
    BEFORE.get_or_init(|| {
        SIGNALS.map(|signal| {
            let mut before = no_action();
            // SAFETY: `sigaction` reads nothing (null) and writes the action in force to a local.
            let done = unsafe { libc::sigaction(signal, ptr::null(), &raw mut before) };
            if done == 0 {
                let mut ours = before;
                ours.sa_sigaction = on_fault as *const () as usize;
                ours.sa_flags |= libc::SA_SIGINFO | libc::SA_ONSTACK;
                ours.sa_flags &= !libc::SA_RESETHAND;
                // SAFETY: `ours` is a whole action. Its handler has the three arguments that
                // SA_SIGINFO says, stays loaded as this library does, and does only what a handler
                // may: it allocates nothing and takes no lock.
                unsafe { libc::sigaction(signal, &raw const ours, ptr::null_mut()) };
            }
            before
        })
    });
}

/// The action of who has never set one: SIG_DFL, no flags.
const fn no_action() -> libc::sigaction {
    // SAFETY: an action is made of numbers, a set of bits, and a function or none (null): all zeros
    // are a value of each.
    unsafe { std::mem::zeroed() }
}

extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // Taken, so that a fault of the handler itself is not mistaken for one of the call.
    let point = RETURN_POINT
        .try_with(|cell| cell.replace(ptr::null_mut()))
        .unwrap_or(ptr::null_mut());
    if !point.is_null() && leave(point, context) {
        return;
    }
    let index = SIGNALS.iter().position(|&known| known == signal);
    let Some(before) = index.and_then(|index| BEFORE.get().map(|all| &all[index])) else {
        return;
    };
    match before.sa_sigaction {
        libc::SIG_DFL | libc::SIG_IGN => {
            // The instruction is tried again, and ends the program as it would have.
            let plain = no_action();
            // SAFETY: `plain` is a whole action, SIG_DFL; `sigaction` may be called in a handler.
            unsafe { libc::sigaction(signal, &raw const plain, ptr::null_mut()) };
            // SAFETY: the kernel gives the description of the signal to a handler with SA_SIGINFO.
            let is_sent = unsafe { (*info).si_code } <= 0;
            if is_sent {
                // SAFETY: `raise` may be called in a handler, and touches no memory of ours.
                unsafe { libc::raise(signal) }; // no instruction will
            }
        }
        handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: this was the handler in force, an address of a function, which SA_SIGINFO
            // says to have these three arguments.
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        }
        handler => {
            // SAFETY: this was the handler in force, an address of a function, which without
            // SA_SIGINFO has this argument.
            let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            handler(signal);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn leave(point: *mut ReturnPoint, context: *mut c_void) -> bool {
    // SAFETY: `guarded` has set the pointer for this thread and takes it back when its call has
    // ended: it has not, so that the local that it points to lives. The thread that owns it stands
    // still in this handler.
    let (stack, resume) = unsafe {
        (&raw mut (*point).has_crashed).write_volatile(1);
        ((*point).stack, (*point).resume)
    };
    // SAFETY: the kernel gives the context of the thread to a handler with SA_SIGINFO, and
    // continues with it: behind the call instruction, with the stack that it was called with. What
    // a function must preserve lies there, and is taken from there.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    registers[libc::REG_RSP as usize] = stack.cast_signed() as i64;
    registers[libc::REG_RIP as usize] = resume.cast_signed() as i64;
    true
}

#[cfg(not(target_arch = "x86_64"))]
fn leave(_point: *mut ReturnPoint, _context: *mut c_void) -> bool {
    false
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;

    extern "C" fn weighed(a: usize, b: usize, c: usize, d: usize) -> c_int {
        c_int::try_from(a + 10 * b + 100 * c + 1_000 * d).unwrap_or(-1)
    }

    extern "C" fn crashes(depth: usize) -> c_int {
        if depth > 0 {
            return crashes(std::hint::black_box(depth - 1)) + 1;
        }
        // SAFETY: the instruction raises SIGILL, and nothing follows it.
        unsafe { std::arch::asm!("ud2", options(noreturn)) }
    }

    #[test]
    fn a_crash_ends_the_call_and_nothing_else() {
        install();
        let (weighed, crashes) = (weighed as *const (), crashes as *const ());
        for depth in [0, 1, 100] {
            // SAFETY: this is a function of one word that returns an `int`, whose frames own
            // nothing.
            let done = unsafe { guarded(crashes.cast_mut().cast(), [depth, 0, 0, 0]) };
            assert_eq!(done, Err(Crashed));
            // SAFETY: this is a function of four words that returns an `int`.
            let done = unsafe { guarded(weighed.cast_mut().cast(), [1, 2, 3, 4]) };
            assert_eq!(done, Ok(4_321));
        }
    }

    #[test]
    fn threads_crash_for_themselves() {
        install();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let crashes = (crashes as *const ()).cast_mut().cast();
                        // SAFETY: as above.
                        assert_eq!(unsafe { guarded(crashes, [3, 0, 0, 0]) }, Err(Crashed));
                    }
                });
            }
        });
    }
}
