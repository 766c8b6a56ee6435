/* A stand-in for a network whose mode 0 is slow: what the preload library of Aries has, and an
   allreduce that takes 10 ms longer in that mode. mpi4py takes the call for large counts (`_c`)
   where it finds one: LARGE says that the library of MPI has it. The library of MPI may have been
   loaded out of sight of this one, by the module that needs it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int mode = -1;

int odonata_aries_force(int wanted) { mode = wanted; return wanted == 1 ? -1 : 0; }
int own_force(int wanted) { mode = wanted; return 0; }

static void *real(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(dlopen("libmpi.so.12", RTLD_NOW | RTLD_NOLOAD), name);
}

static void travel(void) {
    struct timespec delay = {0, 10 * 1000 * 1000};
    if (mode == 0) nanosleep(&delay, 0);
}

int MPI_Allreduce(const void *from, void *to, int count, long type, long op, long comm) {
    int (*next)(const void *, void *, int, long, long, long) = real("PMPI_Allreduce");
    travel();
    return next(from, to, count, type, op, comm);
}

#ifdef LARGE
int MPI_Allreduce_c(const void *from, void *to, long count, long type, long op, long comm) {
    int (*next)(const void *, void *, long, long, long, long) = real("PMPI_Allreduce_c");
    travel();
    return next(from, to, count, type, op, comm);
}
#endif
