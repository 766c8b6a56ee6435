//! Alltoalls of MPI: while one is called, ADAPTIVE means INCREASINGLY MINIMAL BIAS.
//!
//! Arguments are passed on as words: in every MPI they are pointers and whole numbers, which the
//! calling convention passes in a register or in 8 bytes of the stack.

use std::ffi::c_int;

use crate::next::{Next, function};
use crate::within::{ALLTOALLS, Within};

/// MPI_ERR_OTHER of MPICH and of Open MPI: the library behind us has no such function.
const MISSING: c_int = 15;

#[rustfmt::skip]
type Call = extern "C-unwind" fn(
    usize, usize, usize, usize, usize, usize, usize, usize, usize, usize, usize,
) -> c_int;

/// Passes an alltoall on to the function of MPI, and notes that it lasts.
#[must_use]
pub fn alltoall(next: &Next, words: [usize; 11]) -> c_int {
    let Some(real) = next.get() else {
        return MISSING;
    };
    let [a, b, c, d, e, f, g, h, i, j, k] = words;
    // SAFETY: a function of this name takes as many of these words as it has arguments.
    let real: Call = unsafe { function(real) };
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
            static NEXT: $crate::Next = $crate::Next::new(
                match ::std::ffi::CStr::from_bytes_with_nul(
                    concat!(stringify!($name), "\0").as_bytes(),
                ) {
                    Ok(name) => name,
                    Err(_) => c"",
                },
            );
            $crate::alltoall(&NEXT, [a, b, c, d, e, f, g, h, i, j, k])
        }
    )+};
}
