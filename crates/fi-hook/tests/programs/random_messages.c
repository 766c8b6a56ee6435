/* A random program of sends of every kind, writes and reads of remote memory, threads and early
 * ends; what it prints depends on the seed only. Usage: random_messages SEED RANKS */
#include "endpoint.h"

#define MESSAGES 48
#define LARGEST 20000
#define THREADS 3
#define TAG(source, stream) ((uint64_t)(source) << 8 | (uint64_t)(stream))

static const uint32_t sizes[] = {1, 8, 64, 100, 1000, 4096, 5000, 9000, LARGEST};
static unsigned char inbox[RANKS_MAX][THREADS + 1][MESSAGES][LARGEST];
static call_t arrived[RANKS_MAX][THREADS + 1][MESSAGES];
static uint64_t seed;

typedef struct { int to; uint32_t bytes, kind, reaps; } step_t;

/* What a stream of a rank sends, step by step; the same for who sends and who receives. */
static int plan(int source, int stream, step_t *steps) {
  word = seed * 1000003 + (uint64_t)source * 7919 + (uint64_t)stream * 104729;
  int count = 4 + (int)draw(MESSAGES - 4);
  for (int i = 0; i < count; i++) {
    steps[i].to = (source + 1 + (int)draw((uint32_t)size - 1)) % size;
    steps[i].bytes = sizes[draw(sizeof sizes / sizeof *sizes)];
    steps[i].kind = draw(6);
    steps[i].reaps = draw(4);
  }
  return count;
}

static void fill(unsigned char *at, uint32_t bytes, int source, int stream, int number) {
  for (uint32_t i = 0; i < bytes; i++)
    at[i] = (unsigned char)(i * 31 + (uint32_t)(source * 101 + stream * 17 + number * 7) + (uint32_t)seed);
}

static void post_receives(int streams) {
  step_t steps[MESSAGES];
  for (int source = 0; source < size; source++)
    for (int stream = 0; stream < streams && source != rank; stream++) {
      int count = plan(source, stream, steps), next = 0;
      for (int i = 0; i < count; i++) {
        if (steps[i].to != rank) continue;
        call_t *call = &arrived[source][stream][next];
        POST(fi_trecv(ep, inbox[source][stream][next], LARGEST, NULL, FI_ADDR_UNSPEC, TAG(source, stream), 0, call));
        next++;
      }
    }
}

/* The same endpoint, unless the program is asked to overtake itself over an alias. */
static struct fid_ep *ours, *other;

static void send_stream(int stream) {
  static unsigned char data[THREADS + 1][MESSAGES][LARGEST];
  static call_t sent[THREADS + 1][MESSAGES];
  step_t steps[MESSAGES];
  int count = plan(rank, stream, steps);
  for (int i = 0; i < count; i++) {
    step_t s = steps[i];
    unsigned char *from = data[stream][i];
    call_t *call = &sent[stream][i];
    uint64_t tag = TAG(rank, stream);
    fi_addr_t to = address[s.to];
    struct fid_ep *ep = i % 2 ? other : ours;
    fill(from, s.bytes, rank, stream, i);
    struct iovec halves[2] = {{from, s.bytes / 2}, {from + s.bytes / 2, s.bytes - s.bytes / 2}};
    struct fi_msg_tagged message = {halves, NULL, 2, to, tag, 0, call, 0};
    if (s.kind == 0 && s.bytes <= 100) {
      POST(fi_tinject(ep, from, s.bytes, to, tag));
      call->done = 1;
    } else if (s.kind == 1) POST(fi_tsendv(ep, halves, NULL, 2, to, tag, call));
    else if (s.kind == 2) POST(fi_tsendmsg(ep, &message, FI_COMPLETION | (i % 3 ? 0 : FI_MORE)));
    else if (s.kind == 3) POST(fi_tsenddata(ep, from, s.bytes, NULL, 77, to, tag, call));
    else POST(fi_tsend(ep, from, s.bytes, NULL, to, tag, call));
    for (uint32_t n = 0; n < s.reaps; n++) progress();
    if (s.kind == 5 && s.reaps == 3) await(call); /* the program waits now and then */
  }
  for (int i = 0; i < count; i++) await(&sent[stream][i]);
}

static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;
static void *run_thread(void *argument) {
  int stream = (int)(long)argument;
  pthread_mutex_lock(&planning); /* plans draw from one word; posts of different threads alternate */
  send_stream(stream);
  pthread_mutex_unlock(&planning);
  return NULL;
}

/* Threads that post at once, to streams of their own, with the same messages every time. */
static void *flood_thread(void *argument) {
  int stream = (int)(long)argument;
  static unsigned char data[THREADS + 1][MESSAGES][512];
  static call_t sent[THREADS + 1][MESSAGES];
  for (int i = 0; i < MESSAGES; i++) {
    memset(data[stream][i], i + stream, 512);
    POST(fi_tsend(ep, data[stream][i], (size_t)(1 + i * 10), NULL, address[(rank + 1) % size], TAG(rank, 100 + stream), &sent[stream][i]));
  }
  for (int i = 0; i < MESSAGES; i++) await(&sent[stream][i]);
  return NULL;
}

static void flood(int threads) {
  static unsigned char got[THREADS + 1][MESSAGES][512];
  static call_t calls[THREADS + 1][MESSAGES];
  int from = (rank + size - 1) % size;
  pthread_t thread[THREADS];
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < MESSAGES; i++)
      POST(fi_trecv(ep, got[t][i], 512, NULL, FI_ADDR_UNSPEC, TAG(from, 100 + t), 0, &calls[t][i]));
  barrier();
  for (int t = 0; t < threads; t++) MUST(pthread_create(&thread[t], NULL, flood_thread, (void *)(long)t));
  for (int t = 0; t < threads; t++) {
    for (int i = 0; i < MESSAGES; i++) await(&calls[t][i]);
    for (int i = 0; i < MESSAGES; i++) /* in the order in which the thread sent them */
      if (got[t][i][0] != (unsigned char)(i + t) || got[t][i][i * 10] != (unsigned char)(i + t)) {
        printf("rank %d: thread %d, message %d overtook\n", rank, t, i);
        break;
      }
  }
  for (int t = 0; t < threads; t++) MUST(pthread_join(thread[t], NULL));
}

static void memory(void) {
  static unsigned char from[64][512], back[64][512];
  static call_t calls[128];
  int to = (rank + 1) % size, count = 8 + (int)(seed % 50), made = 0;
  for (int i = 0; i < count; i++) {
    memset(from[i], i * 3 + rank, sizeof from[i]);
    POST(fi_write(ep, from[i], 512, NULL, address[to], place[to].base + (uint64_t)i * 512, place[to].key, &calls[made]));
    made++;
  }
  while (made) await(&calls[--made]);
  barrier();
  memset(calls, 0, sizeof calls);
  for (int i = 0; i < count; i++) {
    POST(fi_read(ep, back[i], 512, NULL, address[to], place[to].base + (uint64_t)i * 512, place[to].key, &calls[made]));
    made++;
  }
  while (made) await(&calls[--made]);
  printf("rank %d read back %llx\n", rank, (unsigned long long)sum(back[0], sizeof back));
  barrier();
}

int main(int count, char **words) {
  if (count != 3) return 2;
  seed = strtoull(words[1], NULL, 10);
  spawn(atoi(words[2]));
  open_domain();
  open_endpoint();
  meet();
  ours = other = ep;
  if (getenv("FI_TEST_OVERTAKES")) MUST(fi_ep_alias(ep, &other, FI_TRANSMIT | FI_COMPLETION));
  int streams = seed % 3 == 0 ? THREADS : 1;
  post_receives(streams);
  barrier();
  pthread_t threads[THREADS];
  for (int t = 1; t < streams; t++) MUST(pthread_create(&threads[t], NULL, run_thread, (void *)(long)t));
  run_thread((void *)0L);
  for (int t = 1; t < streams; t++) MUST(pthread_join(threads[t], NULL));
  static char text[1 << 16];
  size_t used = 0;
  for (int source = 0; source < size; source++)
    for (int stream = 0; stream < streams && source != rank; stream++) {
      step_t steps[MESSAGES];
      int planned = plan(source, stream, steps), next = 0;
      for (int i = 0; i < planned; i++) {
        if (steps[i].to != rank) continue;
        await(&arrived[source][stream][next]);
        used += (size_t)snprintf(text + used, sizeof text - used, "from %d.%d number %d: %llx\n", source, stream, next,
                                 (unsigned long long)sum(inbox[source][stream][next], steps[i].bytes));
        next++;
      }
    }
  barrier();
  if (seed % 4 == 1) flood(THREADS);
  if (seed % 2) memory();
  for (int r = 0; r < size; r++) { /* ranks speak one after the other */
    if (r == rank) printf("rank %d\n%s", rank, text), fflush(stdout);
    barrier();
  }
  word = seed;
  uint32_t leaves = draw(8);
  if (leaves < 4 && rank == size - 1) { /* early ends, with messages that nobody receives */
    static unsigned char lost[4096];
    for (int i = 0; i < 3; i++) fi_tinject(ep, lost, 64, address[0], 999);
    fflush(stdout);
    if (leaves == 0) _exit(9);
    if (leaves == 1) exit(3);
    if (leaves == 2) abort();
    return 5;
  }
  if (leaves >= 4) {
    barrier();
    if (other != ours) MUST(fi_close(&other->fid));
    other = NULL; /* whoever looks for what is lost finds no way to it */
    close_endpoint();
    close_domain();
  }
  reap();
  return 0;
}
