/* Every alltoall of MPI, through whichever MPI is installed; prints what arrived. */
#include <mpi.h>
#include <stdio.h>

#define MOST 8
static int rank, size, out[64], in[64], counts[MOST], places[MOST], byte_places[MOST];

static void show(const char *name) {
  long sum = 0;
  for (int i = 0; i < 2 * size; i++) sum = sum * 31 + in[i], in[i] = -1;
  for (int r = 0; r < size; r++) {
    if (r == rank) printf("%s on %d: %ld\n", name, rank, sum), fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int count, char **words) {
  MPI_Request request;
  MPI_Datatype types[MOST];
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int r = 0; r < size; r++)
    counts[r] = 2, places[r] = 2 * r, byte_places[r] = 8 * r, types[r] = MPI_INT;
  for (int i = 0; i < 2 * size; i++) out[i] = 1000 * rank + i, in[i] = -1;
#define IN MPI_INT, MPI_COMM_WORLD
  MPI_Alltoall(out, 2, MPI_INT, in, 2, IN), show("alltoall");
  MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, IN), show("alltoallv");
  MPI_Alltoallw(out, counts, byte_places, types, in, counts, byte_places, types, MPI_COMM_WORLD);
  show("alltoallw");
  MPI_Ialltoall(out, 2, MPI_INT, in, 2, IN, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE), show("ialltoall");
  MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, IN, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE), show("ialltoallv");
  MPI_Ialltoallw(out, counts, byte_places, types, in, counts, byte_places, types, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE), show("ialltoallw");
  for (int i = 0; i < 2 * size; i++) in[i] = 7 * rank + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, IN), show("in place");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int failed = MPI_Alltoall(out, -1, MPI_INT, in, 2, IN) != MPI_SUCCESS;
  if (rank == 0) printf("a negative count fails: %d\n", failed);
  MPI_Finalize();
  return 0;
}
