/* One process that does what its words say, with itself, and tells what was sent in which mode.
 * Usage: script COOKIE WORD... ; a word is NAME[:BYTES[:MODE[:TIMES]]], numbers as in C. */
#include <dlfcn.h>
#include <signal.h>

#include "harness.h"

int MPI_Alltoall(long, long, long, long, long, long, long);
int MPI_Ialltoall(long, long, long, long, long, long, long, long);
int MPI_Alltoallv(long, long, long, long, long, long, long, long, long);
int MPI_Ialltoallw(long, long, long, long, long, long, long, long, long, long);
void mpi_alltoall_(long, long, long, long, long, long, long, long);
void mpi_ialltoallw_(long, long, long, long, long, long, long, long, long, long, long);
int dmapp_put(long, long, long, long, uint64_t, int);
int dmapp_iget_nb(long, long, long, long, long, long, uint64_t, int, long);
extern void (*fake_work)(void);
int fake_wrong(void);
#define A(i) (0x700000000 + (i))
#define A7 A(1), A(2), A(3), A(4), A(5), A(6), A(7)

static gni_post_descriptor_t descriptor;
static uint64_t bytes;
static uint32_t mode;

static int post(uint32_t type, gni_return_t (*with)(gni_ep_handle_t, gni_post_descriptor_t *)) {
  descriptor = describe(type, (uint16_t)mode, 0, 0, 1 << 21, bytes);
  int rc = with(ep[0], &descriptor);
  if (rc == 0) completed();
  return rc;
}
static void put(void) { MUST(post(GNI_POST_FMA_PUT, GNI_PostFma)); }

/* A put, or with a mode a get, and in which mode it went. */
static void tell(void) {
  uint32_t type = mode ? GNI_POST_FMA_GET : GNI_POST_FMA_PUT;
  descriptor = describe(type, 0, 0, 0, 1 << 21, bytes);
  MUST(GNI_PostFma(ep[0], &descriptor));
  completed();
  printf("%x\n", descriptor.dlvr_mode);
}

static void refused(uint32_t type) {
  int rc = post(type, GNI_PostFma);
  printf("%d mode %x\n", rc, descriptor.dlvr_mode);
}

static void small(void) {
  char data[256] = {1};
  void *header;
  gni_cq_entry_t event;
  MUST(GNI_SmsgSend(ep[0], data, 8, data, (uint32_t)bytes, 5));
  MUST(GNI_CqGetEvent(cq, &event));
  MUST(GNI_SmsgGetNext(ep[0], &header));
  MUST(GNI_SmsgRelease(ep[0]));
}

static int force(int to) {
  int (*found)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "odonata_aries_force");
  return found ? found(to) : -2;
}

static void own_handler(int signal) {
  static const char said[] = "the program's own handler\n";
  if (write(1, said, sizeof said - 1) > 0) _exit(30 + signal);
}

static volatile long nowhere;

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

static void once(const char *name) {
  if (is(name, "put")) put();
  else if (is(name, "show")) put(), printf("%x\n", descriptor.dlvr_mode);
  else if (is(name, "tell")) tell();
  else if (is(name, "telltoall")) fake_work = tell, MPI_Alltoall(A7), fake_work = put;
  else if (is(name, "rdma")) MUST(post(GNI_POST_RDMA_PUT, GNI_PostRdma));
  else if (is(name, "get")) MUST(post(GNI_POST_RDMA_GET, GNI_PostRdma));
  else if (is(name, "chain")) MUST(post(GNI_POST_FMA_PUT, GNI_CtPostFma));
  else if (is(name, "amo")) refused(GNI_POST_AMO);
  else if (is(name, "beyond")) { /* the emulator refuses it: the mode is what it was */
    bytes = BUFFER;
    refused(GNI_POST_FMA_PUT);
  } else if (is(name, "small")) small();
  else if (is(name, "smallmode")) MUST(GNI_SmsgSetDeliveryMode(nic, (uint16_t)mode));
  else if (is(name, "reset")) odonata_ugni_reset_counters();
  else if (is(name, "force")) printf("force %d\n", force((int)bytes));
  else if (is(name, "fork")) {
    pid_t child = fork();
    if (child == 0) put(), exit(0);
    int ended;
    MUST(child < 0 || waitpid(child, &ended, 0) != child);
    printf("child ended with %d\n", ended);
  } else if (is(name, "handler")) signal(SIGSEGV, own_handler);
  else if (is(name, "crash")) *(volatile int *)nowhere = 1;
  else if (is(name, "kill")) MUST(kill(getpid(), SIGSEGV));
  else if (is(name, "alltoall")) printf("%d\n", MPI_Alltoall(A7));
  else if (is(name, "ialltoall")) printf("%d\n", MPI_Ialltoall(A7, A(8)));
  else if (is(name, "alltoallv")) printf("%d\n", MPI_Alltoallv(A7, A(8), A(9)));
  else if (is(name, "ialltoallw")) printf("%d\n", MPI_Ialltoallw(A7, A(8), A(9), A(10)));
  else if (is(name, "fortran")) mpi_alltoall_(A7, A(8)), mpi_ialltoallw_(A7, A(8), A(9), A(10), A(11));
  else if (is(name, "dput")) MUST(dmapp_put(A(1), A(2), A(3), A(4), bytes, (int)mode));
  else if (is(name, "dget")) MUST(dmapp_iget_nb(A(1), A(2), A(3), A(4), A(5), A(6), bytes, (int)mode, A(9)));
  else MUST(1);
}

int main(int count, char **words) {
  if (getenv("SCRIPT_HANDLER")) signal(SIGSEGV, own_handler); /* before the library starts */
  start(1, (uint32_t)strtoul(words[1], NULL, 10));
  MUST(GNI_EpCreate(nic, cq, &ep[0]));
  MUST(GNI_EpBind(ep[0], 0, 0));
  gni_smsg_attr_t box = {0, buffer, 1 << 14, handle, 3 << 20, 4, 256};
  MUST(GNI_SmsgInit(ep[0], &box, &box));
  fake_work = put;
  for (int i = 2; i < count; i++) {
    char *rest = words[i], *name = strsep(&rest, ":");
    char *first = strsep(&rest, ":"), *second = strsep(&rest, ":"), *third = strsep(&rest, ":");
    long times = third ? atol(third) : 1;
    for (long n = 0; n < times; n++) {
      bytes = first ? strtoull(first, NULL, 0) : 0, mode = second ? (uint32_t)strtoul(second, NULL, 0) : 0;
      once(name);
    }
  }
  static const uint16_t modes[] = {0, 0x20, 0x40, 0x80, 3, 8, 0x10};
  printf("sent");
  for (int i = 0; i < 7; i++) printf(" %llu", (unsigned long long)odonata_ugni_sent(modes[i]));
  printf("\nwrong %d\n", fake_wrong());
  rank = 1; /* what ends the ranks is for several */
  MUST(GNI_EpDestroy(ep[0]));
  MUST(GNI_CqDestroy(cq));
  MUST(GNI_CdmDestroy(cdm));
  return 0;
}
