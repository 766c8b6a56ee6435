/* A stand-in for a network whose mode 0 is slow: what the preload library of Aries has, and an
   allreduce that takes 10 ms longer in that mode. */
#include <time.h>

int PMPI_Allreduce(const void *, void *, int, long, long, long);

static int mode = -1;

int odonata_aries_force(int wanted) { mode = wanted; return wanted == 1 ? -1 : 0; }
int own_force(int wanted) { mode = wanted; return 0; }

int MPI_Allreduce(const void *from, void *to, int count, long type, long op, long comm) {
    struct timespec delay = {0, 10 * 1000 * 1000};
    if (mode == 0) nanosleep(&delay, 0);
    return PMPI_Allreduce(from, to, count, type, op, comm);
}
