//! Alltoalls of MPI: while one is called, ADAPTIVE means INCREASINGLY MINIMAL BIAS.
//!
//! Arguments are passed on as words: in every MPI they are pointers and whole numbers, which the
//! calling convention passes in a register or in 8 bytes of the stack.

use std::ffi::c_int;

use crate::next::Next;
use crate::within::{ALLTOALLS, Within};

/// MPI_ERR_OTHER of MPICH and of Open MPI: the library behind us has no such function.
const MISSING: c_int = 15;

/// An alltoall of MPI as it is forwarded: eleven words, of which it takes as many as it has
/// arguments.
#[rustfmt::skip]
pub type AlltoallFn = extern "C-unwind" fn(
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
) -> c_int;

/// Passes an alltoall on to the function of MPI, and notes that it lasts.
#[must_use]
pub fn alltoall(next: &Next<AlltoallFn>, words: [usize; 11]) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    let [a, b, c, d, e, f, g, h, i, j, k] = words;
    let _within = Within::new(&ALLTOALLS);
    real(a, b, c, d, e, f, g, h, i, j, k)
}

/// Exports functions of these names, which [`alltoall`] passes on.
#[macro_export]
macro_rules! wrap_alltoalls {
    // C; Fortran, as compilers spell it; mpi_f08.
    () => {
        $crate::wrap_alltoalls! {
            MPI_Alltoall MPI_Alltoallv MPI_Alltoallw MPI_Ialltoall MPI_Ialltoallv MPI_Ialltoallw
            mpi_alltoall mpi_alltoallv mpi_alltoallw mpi_ialltoall mpi_ialltoallv mpi_ialltoallw
            mpi_alltoall_ mpi_alltoallv_ mpi_alltoallw_ mpi_ialltoall_ mpi_ialltoallv_
            mpi_ialltoallw_ mpi_alltoall__ mpi_alltoallv__ mpi_alltoallw__
            mpi_ialltoall__ mpi_ialltoallv__ mpi_ialltoallw__
            mpi_alltoall_f08_ mpi_alltoallv_f08_ mpi_alltoallw_f08_
            mpi_ialltoall_f08_ mpi_ialltoallv_f08_ mpi_ialltoallw_f08_
        }
    };
    ($($name:ident)+) => {$(
        #[unsafe(no_mangle)]
        extern "C-unwind" fn $name(
            a: usize, b: usize, c: usize, d: usize, e: usize, f: usize,
            g: usize, h: usize, i: usize, j: usize, k: usize,
        ) -> ::std::ffi::c_int {
            // SAFETY: the functions of this name in any MPI take at most eleven arguments, all of
            // them pointers and whole numbers, which the calling convention passes as words; what
            // is superfluous is not looked at.
            static NEXT: $crate::Next<$crate::AlltoallFn> = unsafe {
                $crate::Next::new($crate::c_name(concat!(stringify!($name), "\0")))
            };
            $crate::alltoall(&NEXT, [a, b, c, d, e, f, g, h, i, j, k])
        }
    )+};
}
