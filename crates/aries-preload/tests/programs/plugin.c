/* A plugin, as an extension of Python: what it is linked with, only it sees. */
int MPI_Alltoall(long, long, long, long, long, long, long);
int fake_wrong(void);
#define A(i) (0x700000000 + (i))
int plugin(int *wrong) {
  int done = MPI_Alltoall(A(1), A(2), A(3), A(4), A(5), A(6), A(7));
  *wrong = fake_wrong();
  return done;
}
