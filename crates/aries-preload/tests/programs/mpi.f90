! Alltoalls from Fortran, through whichever MPI is installed; prints what arrived.
program alltoalls
  use mpi
  implicit none
  integer :: rank, ranks, error, request, i, r
  integer :: sent(16), got(16), counts(8), places(8)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  sent = [(100 * rank + i, i = 1, 16)]
  counts = 2
  places = [(2 * i, i = 0, 7)]
  got = -1
  call MPI_Alltoall(sent, 2, MPI_INTEGER, got, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
  call show('alltoall')
  call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, got, counts, places, MPI_INTEGER, &
                     MPI_COMM_WORLD, error)
  call show('alltoallv')
  call MPI_Ialltoallv(sent, counts, places, MPI_INTEGER, got, counts, places, MPI_INTEGER, &
                      MPI_COMM_WORLD, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call show('ialltoallv')
  call MPI_Finalize(error)
contains
  subroutine show(name)
    character(*), intent(in) :: name
    do r = 0, ranks - 1
      if (r == rank) print '(a,i3,16i5)', name, rank, got(1:2 * ranks)
      flush (6)
      call MPI_Barrier(MPI_COMM_WORLD, error)
    end do
    got = -1
  end subroutine
end program
