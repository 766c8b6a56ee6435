/* One process that sends to itself as its words say, and tells what arrived in which order.
 * Usage: words WORD... ; a word is NAME[:BYTES[:TIMES]]. */
#include "endpoint.h"

int MPI_Alltoall(long, long, long, long, long, long, long) __attribute__((weak));
void (*alltoall_work)(void);
static uint64_t bytes;
static unsigned char from[1 << 20], to[64][1 << 17];
static call_t sent[64], got[64];
static uint32_t number, wrong;

static void receive(int i) {
  got[i].done = 0;
  POST(fi_trecv(ep, to[i], sizeof to[i], NULL, FI_ADDR_UNSPEC, 5, 0, &got[i]));
}
static void arrived(int i, uint32_t what) {
  uint32_t is;
  await(&got[i]);
  memcpy(&is, to[i], sizeof is);
  wrong += is != what;
}
static void label(uint32_t what) { memcpy(from, &what, sizeof what); }

static void send_one(void) {
  label(++number);
  receive(0), sent[0].done = 0;
  POST(fi_tsend(ep, from, bytes, NULL, address[0], 5, &sent[0]));
  arrived(0, number), await(&sent[0]);
}

/* Many under way at once: they arrive in the order in which they were sent. */
static void burst(void) {
  static unsigned char many[32][1 << 16];
  for (int i = 0; i < 32; i++) receive(i);
  for (int i = 0; i < 32; i++) {
    uint32_t what = number + 1 + (uint32_t)i;
    memcpy(many[i], &what, sizeof what), sent[i].done = 0;
    uint64_t of_it = i % 2 ? bytes : 64;
    POST(fi_tsend(ep, many[i], of_it, NULL, address[0], 5, &sent[i]));
  }
  for (int i = 0; i < 32; i++) arrived(i, number + 1 + (uint32_t)i), await(&sent[i]);
  number += 32;
}

static int fenced(uint64_t flags) {
  struct iovec iov = {from, bytes};
  struct fi_msg_tagged message = {&iov, NULL, 1, address[0], 5, 0, &sent[0], 0};
  ssize_t rc;
  int tries = 0;
  label(++number);
  receive(0), sent[0].done = 0;
  while ((rc = fi_tsendmsg(ep, &message, flags | FI_COMPLETION)) == -FI_EAGAIN) progress(), tries++;
  MUST(rc);
  arrived(0, number), await(&sent[0]);
  return tries;
}

static void memory(int is_read) {
  sent[0].done = 0;
  if (is_read) POST(fi_read(ep, from, bytes, NULL, address[0], place[0].base, place[0].key, &sent[0]));
  else POST(fi_write(ep, from, bytes, NULL, address[0], place[0].base, place[0].key, &sent[0]));
  await(&sent[0]);
}

static void write_one(void) { memory(0); }
static void read_one(void) { memory(1); }

static void untagged(void) {
  label(++number);
  got[0].done = sent[0].done = 0;
  POST(fi_recv(ep, to[0], sizeof to[0], NULL, FI_ADDR_UNSPEC, &got[0]));
  POST(fi_send(ep, from, bytes, NULL, address[0], &sent[0]));
  arrived(0, number), await(&sent[0]);
}

static void inject(void) {
  label(++number);
  receive(0);
  POST(fi_tinject(ep, from, 64, address[0], 5));
  arrived(0, number);
}

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

static void once(const char *name) {
  static struct fid_ep *alias;
  if (is(name, "send")) send_one();
  else if (is(name, "burst")) burst();
  else if (is(name, "untagged")) untagged();
  else if (is(name, "inject")) inject();
  else if (is(name, "write")) memory(0);
  else if (is(name, "read")) memory(1);
  else if (is(name, "fence")) fenced(FI_FENCE);
  else if (is(name, "more")) fenced(FI_MORE);
  else if (strncmp(name, "alltoall", 8) == 0) {
    alltoall_work = is(name, "alltoallwrite") ? write_one : is(name, "alltoallread") ? read_one : send_one;
    MUST(!MPI_Alltoall || MPI_Alltoall(1, 2, 3, 4, 5, 6, 7) != 28);
  } else if (is(name, "alias")) MUST(fi_ep_alias(ep, &alias, FI_TRANSMIT));
  else if (is(name, "unalias")) MUST(fi_close(&alias->fid));
  else if (is(name, "setval")) {
    uint32_t class = FI_TC_BULK_DATA;
    fi_set_val(&ep->fid, -(0xccc << 16), &class);
  } else if (is(name, "flags")) {
    uint64_t flags = FI_TRANSMIT | FI_COMPLETION | FI_TRANSMIT_COMPLETE;
    MUST(fi_control(&ep->fid, FI_SETOPSFLAG, &flags));
  } else if (is(name, "force")) {
    int (*force)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "odonata_fi_force");
    printf("force %d\n", force ? force((int)bytes) : -2);
  } else if (is(name, "reopen")) {
    close_endpoint(), close_domain(), open_domain(), open_endpoint(), meet();
  } else if (is(name, "busy")) { /* what is in use is not closed */
    MUST(fi_close(&domain->fid) == 0);
  } else if (is(name, "fork")) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) exit(0);
    int ended;
    MUST(child < 0 || waitpid(child, &ended, 0) != child);
    printf("child ended with %d\n", ended);
  } else if (is(name, "tables")) { /* whether tables are those of the hook */
    Dl_info found;
    int ours = dladdr((void *)ep->tagged->send, &found) && strstr(found.dli_fname, "odonata");
    printf("tables %s\n", ours ? "of the hook" : "of the provider");
  } else MUST(1);
}

int main(int count, char **words) {
  spawn(1);
  open_domain(), open_endpoint(), meet();
  for (int i = 1; i < count; i++) {
    char *rest = words[i], *name = strsep(&rest, ":"), *size = strsep(&rest, ":"), *times = strsep(&rest, ":");
    for (long n = 0; n < (times ? atol(times) : 1); n++) {
      bytes = size ? strtoull(size, NULL, 0) : 64;
      once(name);
    }
  }
  printf("wrong %u\n", wrong);
  close_endpoint(), close_domain();
  return 0;
}
