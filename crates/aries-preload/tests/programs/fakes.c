/* Stand-ins for MPI and DMAPP: alltoalls that let the program post meanwhile, and puts and gets
 * that tell under which attributes they were called. Arguments are checked one by one. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void (*fake_work)(void);
static int wrong;
int fake_wrong(void) { return wrong; }

#define IS(i, value) wrong += ((long)(value) != 0x700000000 + (i))
#define ARGS7 long a, long b, long c, long d, long e, long f, long g
static int seven(ARGS7) {
  IS(1, a), IS(2, b), IS(3, c), IS(4, d), IS(5, e), IS(6, f), IS(7, g);
  if (fake_work) fake_work();
  return 42;
}
static int ten(ARGS7, long h, long i, long j) { return IS(8, h), IS(9, i), IS(10, j), seven(a, b, c, d, e, f, g); }
int MPI_Alltoall(ARGS7) { return seven(a, b, c, d, e, f, g); }
int MPI_Ialltoallw(ARGS7, long h, long i, long j) { return ten(a, b, c, d, e, f, g, h, i, j); }
int MPI_Alltoallv(ARGS7, long h, long i) { return ten(a, b, c, d, e, f, g, h, i, 0x70000000a); }
int MPI_Ialltoall(ARGS7, long h) { return IS(8, h), seven(a, b, c, d, e, f, g); }
void mpi_alltoall_(ARGS7, long h) { IS(8, h), (void)seven(a, b, c, d, e, f, g); }
void mpi_ialltoallw_(ARGS7, long h, long i, long j, long k) { IS(11, k), (void)ten(a, b, c, d, e, f, g, h, i, j); }

typedef struct {
  uint32_t outstanding, offload;
  uint8_t put, get, concurrency, more[53];
} attributes_t;
static attributes_t now = {64, 4096, 1, 2, 3, {9}};
int dmapp_get_rma_attrs(attributes_t *to) { return *to = now, 0; }
int dmapp_set_rma_attrs(attributes_t *from, attributes_t *to) {
  wrong += from->outstanding != 64 || from->offload != 4096 || from->concurrency != 3 || from->more[0] != 9;
  now = *from, *to = now;
  return 0;
}
int dmapp_put(long a, long b, long c, long d, uint64_t count, int type) {
  IS(1, a), IS(2, b), IS(3, c), IS(4, d);
  printf("put %llu of type %d under %d\n", (unsigned long long)count, type, now.put);
  return 0;
}
int dmapp_iget_nb(long a, long b, long c, long d, long e, long f, uint64_t count, int type, long id) {
  IS(1, a), IS(2, b), IS(3, c), IS(4, d), IS(5, e), IS(6, f), IS(9, id);
  printf("get %llu of type %d under %d\n", (unsigned long long)count, type, now.get);
  return 0;
}
