//! Calls that may crash: the call ends, and the program goes on.
//!
//! Who counts is not ours. A call through here notes where it would return; if it
//! faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL), the handler lets it return there. Only frames of the
//! called library are left behind. Faults of anybody else go to whoever had the signal before.

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
/// `int`.
pub unsafe fn guarded(function: *mut c_void, words: [usize; 4]) -> Result<c_int, Crashed> {
    let mut point = ReturnPoint {
        stack: 0,
        resume: 0,
        has_crashed: 0,
    };
    let _ = RETURN_POINT.try_with(|cell| cell.set(&raw mut point));
    // SAFETY: as the caller says; the point lives until the call has ended, in either way.
    let done = unsafe { call(function, &raw const words, &raw mut point) };
    let _ = RETURN_POINT.try_with(|cell| cell.set(ptr::null_mut()));
    // SAFETY: the handler may have written it, behind the compiler's back.
    let has_crashed = unsafe { (&raw const point.has_crashed).read_volatile() };
    if has_crashed == 0 {
        Ok(done)
    } else {
        Err(Crashed)
    }
}

/// Where a guarded call is left; the handler and the code below know the layout.
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
unsafe extern "C" {
    #[link_name = "odonata_guarded_call"]
    fn call(function: *mut c_void, words: *const [usize; 4], point: *mut ReturnPoint) -> c_int;
}

/// Elsewhere a call is just that: nearly all machines with these networks are x86-64.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn call(function: *mut c_void, words: *const [usize; 4], _place: *mut ReturnPoint) -> c_int {
    // SAFETY: as the caller of `guarded` says, and the words are its own.
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
            // SAFETY: all zeros is a valid action; the handler has the type that SA_SIGINFO says.
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                if libc::sigaction(signal, ptr::null(), &raw mut before) == 0 {
                    let mut ours = before;
                    ours.sa_sigaction = on_fault as *const () as usize;
                    ours.sa_flags |= libc::SA_SIGINFO | libc::SA_ONSTACK;
                    ours.sa_flags &= !libc::SA_RESETHAND;
                    libc::sigaction(signal, &raw const ours, ptr::null_mut());
                }
                before
            }
        })
    });
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
    // SAFETY: the action is what was in force before; its flags say which type its handler has.
    unsafe {
        match before.sa_sigaction {
            libc::SIG_DFL | libc::SIG_IGN => {
                // The instruction is tried again, and ends the program as it would have.
                let mut plain: libc::sigaction = std::mem::zeroed();
                plain.sa_sigaction = libc::SIG_DFL;
                libc::sigaction(signal, &raw const plain, ptr::null_mut());
                if (*info).si_code <= 0 {
                    libc::raise(signal); // somebody sent it: no instruction will
                }
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                    std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn leave(point: *mut ReturnPoint, context: *mut c_void) -> bool {
    // SAFETY: the guarded call of this thread has not ended, so its point lives; the kernel gives
    // the context of the fault, and goes on with it.
    unsafe {
        (&raw mut (*point).has_crashed).write_volatile(1);
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        registers[libc::REG_RSP as usize] = (*point).stack.cast_signed() as i64;
        registers[libc::REG_RIP as usize] = (*point).resume.cast_signed() as i64;
    }
    true
}

#[cfg(not(target_arch = "x86_64"))]
fn leave(_place: *mut ReturnPoint, _context: *mut c_void) -> bool {
    false
}
