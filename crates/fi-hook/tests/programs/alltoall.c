/* A stand-in for MPI_Alltoall that lets the program send meanwhile. */
extern void (*alltoall_work)(void);
int MPI_Alltoall(long a, long b, long c, long d, long e, long f, long g) {
  alltoall_work();
  return (int)(a + b + c + d + e + f + g);
}
