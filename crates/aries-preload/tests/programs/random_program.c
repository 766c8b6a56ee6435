/* A random program of posts, completions, small messages, threads and early ends; what it prints
 * depends on the seed only. Usage: random_program SEED COOKIE [RANKS] */
#include "harness.h"

/* The buffer: what others read (fixed), what is sent from, what rank r writes to, what is got. */
#define FIXED 0u
#define SOURCE (1u << 19)
#define INBOX(r) ((1u << 20) + ((uint32_t)(r) << 18))
#define GOT ((1u << 20) + (4u << 18))
#define MAILBOX(r) (GOT + (1u << 19) + ((uint32_t)(r) << 14))
#define SPAN (1u << 17)

static const uint16_t modes[] = {0, 0, 0, 0x20, 0x40, 0x80, 0x03, 0x08, 0x10, 0x100, 0x04, 0x103};
static const uint32_t sizes[] = {1, 8, 64, 512, 1024, 4096, 4097, 9000, 65536, 131072};

static char text[1 << 20];
static size_t used;
#define SAY(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)

static gni_post_descriptor_t slots[64], chain[64];
static int open_posts;

static void complete(int most) {
  for (; open_posts && most; most--, open_posts--) {
    gni_post_descriptor_t *d = completed();
    SAY("done %llu status %llu", (unsigned long long)d->post_id, (unsigned long long)d->status);
    if (d->type == GNI_POST_FMA_GET || d->type == GNI_POST_RDMA_GET)
      SAY(" got %llx", (unsigned long long)sum((void *)d->local_addr, d->length));
    SAY("\n");
    d->post_id = 0;
  }
}

static void post(int step) {
  if (open_posts == 64) complete(64);
  gni_post_descriptor_t *d = NULL;
  for (int i = 0; i < 64 && !d; i++) if (!slots[i].post_id) d = &slots[i];
  static const uint32_t types[] = {1, 2, 3, 4, 5, 3, 5, 7, 6};
  uint32_t type = types[draw(9)], bytes = sizes[draw(10)];
  uint16_t mode = modes[draw(12)];
  int to = (rank + 1 + (int)draw((uint32_t)size - 1)) % size;
  int is_get = type == 2 || type == 5;
  uint32_t from = is_get ? GOT + (uint32_t)(d - slots) * (SPAN / 16) : SOURCE + draw(SPAN);
  if (is_get) bytes = bytes > SPAN / 16 ? SPAN / 16 : bytes;
  *d = describe(type, mode, to, from, is_get ? FIXED + draw(SPAN) : INBOX(rank) + draw(SPAN), bytes);
  d->post_id = (uint64_t)step + 1;
  if (type == 4) d->sync_flag_addr = peer[to].address + INBOX(rank) + 2 * SPAN - 8 * (step % 8 + 1),
    d->sync_flag_value = (uint64_t)step;
  int chained = type == 3 && mode < 0x100 && draw(3) == 0;
  if (chained) {
    gni_post_descriptor_t *next = &chain[d - slots];
    *next = describe(3, mode, to, SOURCE + draw(SPAN), INBOX(rank) + draw(SPAN), 64);
    d->next_descr = next;
  }
  int rc = chained ? GNI_CtPostFma(ep[to], d)
         : type == 1 || type == 2 ? GNI_PostRdma(ep[to], d) : GNI_PostFma(ep[to], d);
  SAY("post %d type %u mode %x to %d bytes %u: %d", step, type, mode, to, bytes, rc);
  /* What asked for an order, a hash or no data keeps its mode; what failed, too. */
  if (!(mode == 0 || mode == 0x20 || mode == 0x40 || mode == 0x80) || rc || type > 5)
    SAY(" mode now %x", d->dlvr_mode);
  SAY("\n");
  if (rc) d->post_id = 0; else open_posts++;
}

static uint32_t pings;
static void ping(int to, int step) { /* both ranks of a pair call it; the lower one begins */
  char message[200];
  uint32_t bytes = 1 + draw(190);
  for (int turn = 0; turn < 2; turn++) {
    if ((rank < to) == (turn == 0)) {
      int rc;
      memset(message, step + rank, sizeof message);
      do rc = GNI_SmsgSendWTag(ep[to], message, 8, message + 8, bytes, pings++, (uint8_t)(step % 7));
      while (rc == GNI_RC_NOT_DONE && !sched_yield());
      MUST(rc);
      gni_cq_entry_t event; /* posts before it are done first */
      complete(64);
      while ((rc = GNI_CqGetEvent(cq, &event)) == GNI_RC_NOT_DONE) sched_yield();
      MUST(rc);
      SAY("sent %u\n", bytes);
    } else {
      void *header;
      uint8_t tag = 0xff;
      int rc;
      while ((rc = GNI_SmsgGetNextWTag(ep[to], &header, &tag)) == GNI_RC_NOT_DONE) sched_yield();
      MUST(rc);
      SAY("message tag %d %llx\n", tag, (unsigned long long)sum(header, 8 + bytes));
      MUST(GNI_SmsgRelease(ep[to]));
    }
  }
}

static void mailboxes(void) {
  for (int r = 0; r < size; r++) {
    if (r == rank) continue;
    gni_smsg_attr_t mine = {0, buffer, 1 << 14, handle, MAILBOX(r), 4, 256}, theirs = mine;
    theirs.msg_buffer = (void *)peer[r].address, theirs.mem_hndl = peer[r].handle;
    theirs.mbox_offset = MAILBOX(rank);
    MUST(GNI_SmsgInit(ep[r], &mine, &theirs));
  }
}

typedef struct { int id, posts; uint64_t seed; int failed; } job_t;

/* Threads post to places of their own and wait for nobody. */
static void *work(void *argument) {
  job_t *job = argument;
  gni_cq_handle_t own;
  gni_ep_handle_t end;
  int to = (rank + 1) % size;
  if (GNI_CqCreate(nic, 64, 0, 0, NULL, NULL, &own)) return job->failed = 1, NULL;
  if (GNI_EpCreate(nic, own, &end) || GNI_EpBind(end, 0, peer[to].instance))
    return job->failed = 2, NULL;
  for (int i = 0; i < job->posts; i++) {
    uint32_t at = 2 * SPAN - (uint32_t)(4 - job->id) * 8192 - 4096;
    gni_post_descriptor_t d =
      describe(i % 3 ? 3 : 1, i % 5 ? 0 : 3, to, SOURCE + (uint32_t)i, INBOX(rank) + at, 4000), *done;
    gni_cq_entry_t event;
    if (i % 3 ? GNI_PostFma(end, &d) : GNI_PostRdma(end, &d)) job->failed++;
    int rc;
    while ((rc = GNI_CqGetEvent(own, &event)) == GNI_RC_NOT_DONE) sched_yield();
    if (rc || GNI_GetCompleted(own, event, &done) || done != &d) job->failed++;
  }
  if (GNI_EpDestroy(end) || GNI_CqDestroy(own)) job->failed++;
  return NULL;
}

int main(int count, char **words) {
  uint64_t seed = strtoull(words[1], NULL, 10);
  start(count > 3 ? atoi(words[3]) : 2, (uint32_t)strtoul(words[2], NULL, 10));
  word = seed * 1000003;
  for (uint32_t i = 0; i < 2 * SPAN; i++)
    buffer[FIXED + i] = (unsigned char)(i * 7 + (uint32_t)rank), buffer[SOURCE + i] = (unsigned char)draw(256);
  mailboxes();
  barrier();
  int steps = 5 + (int)draw(60), leaves = (int)draw(6);
  uint64_t shared = word;
  for (int step = 0; step < steps; step++) {
    word = shared + (uint64_t)step * 7919; /* the same on all ranks: who talks to whom */
    if (size == 2 && draw(6) == 0) {
      ping(1 - rank, step);
      continue;
    }
    word += (uint64_t)rank * 104729;
    if (draw(3)) post(step); else complete((int)draw(8));
  }
  complete(64);
  barrier();
  job_t jobs[3];
  pthread_t threads[3];
  int many = (int)(seed % 4);
  for (int t = 0; t < many; t++) {
    jobs[t] = (job_t){t, 5 + t, seed, 0};
    MUST(pthread_create(&threads[t], NULL, work, &jobs[t]));
  }
  for (int t = 0; t < many; t++) {
    MUST(pthread_join(threads[t], NULL));
    SAY("thread %d failed %d\n", t, jobs[t].failed);
  }
  barrier();
  SAY("memory %llx\n", (unsigned long long)sum(buffer + (1 << 20), 4u << 18));
  /* Ranks speak one after the other. */
  for (int r = 0; r < size; r++) {
    if (r == rank) {
      printf("rank %d\n%s", rank, text);
      fflush(stdout);
    }
    barrier();
  }
  if (rank == size - 1 && leaves < 4) { /* early ends, with posts that nobody completes */
    for (int i = 0; i < 3; i++) {
      slots[i] = describe(3, 0, 0, SOURCE, INBOX(rank), 4096);
      GNI_PostFma(ep[0], &slots[i]);
    }
    if (leaves == 0) _exit(9);
    if (leaves == 1) exit(3);
    if (leaves == 2) abort();
    return 5;
  }
  if (leaves < 4) {
    for (int r = 1; r < size && rank == 0; r++) {
      int ended;
      waitpid(children[r], &ended, 0);
      printf("rank %d ended with %d\n", r, ended);
    }
    return 0;
  }
  return finish(0);
}
