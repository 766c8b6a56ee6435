/* A stand-in for a network whose mode 0 is slow: what the preload library of Aries has, and an
   allreduce that takes 10 ms longer in that mode. mpi4py takes the call for large counts (`_c`)
   where it finds one: LARGE says that the library of MPI has it. */
#include <time.h>

int PMPI_Allreduce(const void *, void *, int, long, long, long);
int PMPI_Allreduce_c(const void *, void *, long, long, long, long);

static int mode = -1;

int odonata_aries_force(int wanted) { mode = wanted; return wanted == 1 ? -1 : 0; }
int own_force(int wanted) { mode = wanted; return 0; }

static void travel(void) {
    struct timespec delay = {0, 10 * 1000 * 1000};
    if (mode == 0) nanosleep(&delay, 0);
}

int MPI_Allreduce(const void *from, void *to, int count, long type, long op, long comm) {
    travel();
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

#ifdef LARGE
int MPI_Allreduce_c(const void *from, void *to, long count, long type, long op, long comm) {
    travel();
    return PMPI_Allreduce_c(from, to, count, type, op, comm);
}
#endif
