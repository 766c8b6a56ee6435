/* A provider with the options and counters of cxi on top of the provider sockets; for tests only.
 *
 * An alias has a traffic class and an order of its own, and every message counts in that class.
 * Counters: 0 to 31 buckets of latency, 32 to 35 cycles blocked, 36 octets, 37 to 44 packets by
 * class, 45 to 48 the four numbers of the policy itself.
 *
 * FAKECXI_MODEL=FILE    lines FROM_MESSAGE CLASS BUCKET STALL: latency (a bucket) and stalled cycles
 *                       per flit of messages of a class (hexadecimal, as in fabric.h), from a message on
 * FAKECXI_ROWS=FILE     lines FLITS STALLED PACKETS LATENCY: counters 45 to 48 after each message
 * FAKECXI_SHARED=FILE   counters of a simulation that runs: 63 words that it writes and the number of
 *                       the last message that it has seen; then 16 words in which it finds packets by
 *                       class (8 classes ordered, 8 unordered), and the number of the last message
 * FAKECXI_REORDER=SEED  aliases overtake each other: what is sent over one is held back for a while
 * FAKECXI_FORBID=CLASS  this class silently becomes best effort
 * FAKECXI_FAIL=WORD     no-ops, no-alias, no-class, no-cntr, no-bind, read-after-N, crash-after-N, again
 * FAKECXI_LOG=FILE      one line per message: class, order, bytes
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <rdma/providers/fi_prov.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SET_TCLASS (-(0xccc << 16))
#define SET_MSG_ORDER (SET_TCLASS + 1)
#define MSG_ORDER (FI_ORDER_SAS | FI_ORDER_WAW | FI_ORDER_RMA_WAW)
#define ENDS 256

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct end { struct fid_ep *ep; int alias; uint32_t class; uint64_t order; } ends[ENDS];
static struct fi_ops ep_fid, real_ep_fid, domain_fid, real_domain_fid;
static struct fi_ops_msg msg, real_msg;
static struct fi_ops_tagged tagged, real_tagged;
static struct fi_ops_rma rma, real_rma;
static struct fi_ops_domain domain_ops, real_domain;
static struct fi_ops_fabric fabric_ops, real_fabric;
static struct fi_ops_cq cq_ops, real_cq;
static struct fi_ops_cntr cntr_ops, real_cntr;

static int failing(const char *how) {
  const char *said = getenv("FAKECXI_FAIL");
  return said && strncmp(said, how, strlen(how)) == 0;
}

/* --- what is counted --- */

static uint64_t counters[64], messages, reads;
static volatile uint64_t *shared;
static struct row { uint64_t from; uint32_t class; int bucket; double stall; } model[64];
static int model_rows;
static uint64_t (*rows)[4];
static size_t row_count;

static void load(void) {
  static int loaded;
  if (loaded) return;
  loaded = 1;
  const char *file = getenv("FAKECXI_MODEL");
  FILE *in = file ? fopen(file, "r") : NULL;
  while (in && model_rows < 64 &&
         fscanf(in, "%lu %x %d %lf", &model[model_rows].from, &model[model_rows].class,
                &model[model_rows].bucket, &model[model_rows].stall) == 4)
    model_rows++;
  if (in) fclose(in);
  in = (file = getenv("FAKECXI_ROWS")) ? fopen(file, "r") : NULL;
  uint64_t row[4];
  while (in && fscanf(in, "%lu %lu %lu %lu", &row[0], &row[1], &row[2], &row[3]) == 4) {
    rows = realloc(rows, (row_count + 1) * sizeof *rows);
    memcpy(rows[row_count++], row, sizeof row);
  }
  if (in) fclose(in);
  if ((file = getenv("FAKECXI_SHARED"))) {
    int fd = open(file, O_RDWR);
    void *at = mmap(NULL, 1024, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) shared = at;
  }
}

static int column(uint32_t class) {
  const char *forbidden = getenv("FAKECXI_FORBID");
  if (forbidden && strtoul(forbidden, NULL, 16) == class) class = FI_TC_BEST_EFFORT;
  switch (class) {
  case FI_TC_LOW_LATENCY: return 4;
  case FI_TC_DEDICATED_ACCESS: return 2;
  case FI_TC_BULK_DATA: return 6;
  default: return 1;
  }
}

/* Under the lock. */
static void count(struct end *end, size_t bytes, int is_memory) {
  uint64_t packets = 1 + bytes / 2048, flits = (bytes + 63) / 64 * 5;
  int bucket = 2, unordered = is_memory && !(end->order & (FI_ORDER_WAW | FI_ORDER_RMA_WAW));
  double stall = 0;
  load();
  for (int i = 0; i < model_rows; i++)
    if (messages >= model[i].from && model[i].class == end->class)
      bucket = model[i].bucket, stall = model[i].stall;
  counters[bucket & 31] += packets;
  counters[32 + messages % 4] += (uint64_t)(stall * (double)flits);
  counters[36] += bytes;
  counters[37 + column(end->class)] += packets;
  if (shared) { /* the simulation goes on before the program does */
    __atomic_fetch_add(&shared[64 + column(end->class) + (unordered ? 8 : 0)], packets, __ATOMIC_SEQ_CST);
    uint64_t last = __atomic_add_fetch(&shared[80], 1, __ATOMIC_SEQ_CST);
    for (int tries = 0; __atomic_load_n(&shared[63], __ATOMIC_SEQ_CST) < last && tries < 100000; tries++) usleep(20);
  }
  if (messages < row_count) memcpy(&counters[45], rows[messages], sizeof rows[0]);
  messages++;
  const char *file = getenv("FAKECXI_LOG");
  static FILE *log;
  if (file && !log) log = fopen(file, "a");
  if (log) fprintf(log, "%x %s %zu\n", end->class, unordered ? "unordered" : "ordered", bytes), fflush(log);
}

static int cntr_read(struct fid *fid, unsigned int number, uint64_t *value, struct timespec *ts) {
  if (!fid || number >= 64 || !value) return -FI_EINVAL;
  pthread_mutex_lock(&lock);
  load();
  reads++;
  int fails = failing("read-after-") && reads > strtoul(getenv("FAKECXI_FAIL") + 11, NULL, 10);
  int crashes = failing("crash-after-") && reads > strtoul(getenv("FAKECXI_FAIL") + 12, NULL, 10);
  *value = shared ? shared[number] : counters[number];
  pthread_mutex_unlock(&lock);
  if (crashes) raise(SIGSEGV);
  if (ts) clock_gettime(CLOCK_REALTIME, ts);
  return fails ? -FI_EIO : 0;
}
static int topology(struct fid *fid, unsigned *group, unsigned *sw, unsigned *port) {
  return *group = *sw = *port = 0, fid ? 0 : -FI_EINVAL;
}
static struct { void *cntr_read, *topology; } dom_ops = {cntr_read, topology};

static int ops_open(struct fid *fid, const char *name, uint64_t flags, void **ops, void *context) {
  (void)fid, (void)flags, (void)context;
  if (strncmp(name, "dom_ops_v", 9) || name[9] > '4' || failing("no-ops")) return -FI_EINVAL;
  return *ops = &dom_ops, 0;
}

/* --- endpoints and their aliases --- */

static struct end *find(struct fid_ep *ep) {
  for (int i = 0; i < ENDS; i++) if (ends[i].ep == ep) return &ends[i];
  return NULL;
}

static struct end *note(struct fid_ep *ep, int alias, uint32_t class, uint64_t order) {
  pthread_mutex_lock(&lock);
  struct end *end = find(NULL);
  if (end) *end = (struct end){ep, alias, class, order};
  pthread_mutex_unlock(&lock);
  return end;
}

static void patch(struct fid_ep *ep) {
  ep->msg = &msg, ep->tagged = &tagged, ep->rma = &rma, ep->fid.ops = &ep_fid;
}

static int ep_control(struct fid *fid, int command, void *arg) {
  struct fid_ep *ep = container_of(fid, struct fid_ep, fid), *made;
  struct end *end = find(ep);
  if (command == FI_SET_VAL) {
    struct fi_fid_var *var = arg;
    if (!end || failing("no-class")) return -FI_EINVAL;
    if (var->name == SET_TCLASS) {
      uint32_t class = *(uint32_t *)var->val;
      if (class < FI_TC_LABEL || class > FI_TC_SCAVENGER) return -FI_EINVAL;
      return end->class = class, 0;
    }
    if (var->name != SET_MSG_ORDER || *(uint64_t *)var->val & ~MSG_ORDER) return -FI_EINVAL;
    return end->order = *(uint64_t *)var->val, 0;
  }
  if (command == FI_ALIAS && failing("no-alias")) return -FI_EINVAL;
  int done = real_ep_fid.control(fid, command, arg);
  if (done == 0 && command == FI_ALIAS) {
    made = container_of(*((struct fi_alias *)arg)->fid, struct fid_ep, fid);
    if (!note(made, 1, end ? end->class : 0, end ? end->order : 0)) return -FI_ENOMEM;
    patch(made);
  }
  return done;
}

/* --- what is sent --- */

typedef ssize_t (*call_t)(struct fid_ep *, void *, void *, void *, void *, void *, void *, void *, void *);
struct held { struct held *next; call_t real; struct fid_ep *ep; void *w[8]; char *copy; uint64_t due; };
static struct held *first, **last = &first;
static uint64_t tick, word;

static uint64_t draw(void) {
  word += 0x9e3779b97f4a7c15u;
  uint64_t z = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 27);
}

/* Posts what is due; of one alias in the order in which it came. Under the lock. */
static void release(int all) {
  tick++;
  for (struct held **at = &first; *at;) {
    struct held *one = *at;
    int waits = !all && one->due > tick;
    for (struct held *before = first; before != one && !waits; before = before->next)
      waits = before->ep == one->ep;
    if (waits || one->real(one->ep, one->w[0], one->w[1], one->w[2], one->w[3], one->w[4], one->w[5], one->w[6], one->w[7])) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    if (!*at) last = at;
    free(one->copy), free(one);
  }
}

static ssize_t post(struct fid_ep *ep, call_t real, size_t bytes, int is_memory, int is_inject, int is_message,
                    void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h) {
  static int reorders = -1;
  pthread_mutex_lock(&lock);
  struct end *end = find(ep);
  if (reorders < 0) {
    const char *seed = getenv("FAKECXI_REORDER");
    reorders = seed != NULL, word = seed ? strtoull(seed, NULL, 10) : 0;
  }
  static uint64_t calls;
  if (failing("again") && calls++ % 3 == 1) return pthread_mutex_unlock(&lock), -FI_EAGAIN;
  ssize_t done;
  if (reorders && end && end->alias && !is_message) {
    struct held *one = calloc(1, sizeof *one);
    *one = (struct held){NULL, real, ep, {a, b, c, d, e, f, g, h}, NULL, tick + 1 + draw() % 40};
    if (is_inject) one->copy = malloc(bytes + 1), memcpy(one->copy, a, bytes), one->w[0] = one->copy;
    *last = one, last = &one->next;
    done = 0;
  } else {
    release(is_message); /* a message is not copied: what is before it goes first */
    done = real(ep, a, b, c, d, e, f, g, h);
  }
  if (done == 0 && end) count(end, bytes, is_memory);
  pthread_mutex_unlock(&lock);
  return done;
}

static size_t sum(const struct iovec *iov, size_t n) {
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += iov[i].iov_len;
  return bytes;
}

#define W void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h
#define OP(name, real, bytes, memory, inject, message) \
  static ssize_t name(struct fid_ep *ep, W) { \
    return post(ep, (call_t)real, bytes, memory, inject, message, a, b, c, d, e, f, g, h); \
  }
#define MSG ((struct fi_msg *)a)
#define MSG_BYTES sum(MSG->msg_iov, MSG->iov_count)
OP(m_send, real_msg.send, (size_t)b, 0, 0, 0)
OP(m_sendv, real_msg.sendv, sum(a, (size_t)c), 0, 0, 1)
OP(m_sendmsg, real_msg.sendmsg, MSG_BYTES, 0, 0, 1)
OP(m_inject, real_msg.inject, (size_t)b, 0, 1, 0)
OP(m_senddata, real_msg.senddata, (size_t)b, 0, 0, 0)
OP(m_injectdata, real_msg.injectdata, (size_t)b, 0, 1, 0)
OP(t_send, real_tagged.send, (size_t)b, 0, 0, 0)
OP(t_sendv, real_tagged.sendv, sum(a, (size_t)c), 0, 0, 1)
OP(t_sendmsg, real_tagged.sendmsg, MSG_BYTES, 0, 0, 1)
OP(t_inject, real_tagged.inject, (size_t)b, 0, 1, 0)
OP(t_senddata, real_tagged.senddata, (size_t)b, 0, 0, 0)
OP(t_injectdata, real_tagged.injectdata, (size_t)b, 0, 1, 0)
OP(r_read, real_rma.read, (size_t)b, 1, 0, 0)
OP(r_readmsg, real_rma.readmsg, MSG_BYTES, 1, 0, 1)
OP(r_write, real_rma.write, (size_t)b, 1, 0, 0)
OP(r_writemsg, real_rma.writemsg, MSG_BYTES, 1, 0, 1)
OP(r_inject, real_rma.inject, (size_t)b, 1, 1, 0)

/* --- progress: what is held back goes on when the program looks for completions --- */

static void progress(int all) {
  pthread_mutex_lock(&lock);
  release(all);
  pthread_mutex_unlock(&lock);
}
static ssize_t cq_read(struct fid_cq *cq, void *buf, size_t n) { return progress(0), real_cq.read(cq, buf, n); }
static ssize_t cq_readfrom(struct fid_cq *cq, void *buf, size_t n, fi_addr_t *from) {
  return progress(0), real_cq.readfrom(cq, buf, n, from);
}
static ssize_t cq_sread(struct fid_cq *cq, void *buf, size_t n, const void *cond, int timeout) {
  return progress(1), real_cq.sread(cq, buf, n, cond, timeout);
}
static uint64_t counter_read(struct fid_cntr *cntr) { return progress(0), real_cntr.read(cntr); }

static int cq_open(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **cq, void *context) {
  int done = real_domain.cq_open(domain, attr, cq, context);
  if (done) return done;
  if ((*cq)->ops != &cq_ops) {
    if (!real_cq.size) real_cq = cq_ops = *(*cq)->ops;
    cq_ops.read = cq_read, cq_ops.readfrom = cq_readfrom, cq_ops.sread = cq_sread;
    (*cq)->ops = &cq_ops;
  }
  return 0;
}

static int cntr_open(struct fid_domain *domain, struct fi_cntr_attr *attr, struct fid_cntr **cntr, void *context) {
  if (failing("no-cntr")) return -FI_ENOSYS;
  int done = real_domain.cntr_open(domain, attr, cntr, context);
  if (done) return done;
  if (!real_cntr.size) real_cntr = cntr_ops = *(*cntr)->ops;
  cntr_ops.read = counter_read;
  (*cntr)->ops = &cntr_ops;
  return 0;
}

/* --- objects --- */

static int ep_close(struct fid *fid) {
  struct fid_ep *ep = container_of(fid, struct fid_ep, fid);
  progress(1);
  int done = real_ep_fid.close(fid);
  pthread_mutex_lock(&lock);
  struct end *end = find(ep);
  if (done == 0 && end) end->ep = NULL;
  pthread_mutex_unlock(&lock);
  return done;
}

static int ep_bind(struct fid *fid, struct fid *other, uint64_t flags) {
  if (other->fclass == FI_CLASS_CNTR && failing("no-bind")) return -FI_ENOSYS;
  return real_ep_fid.bind(fid, other, flags);
}

static int endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep, void *context) {
  int done = real_domain.endpoint(domain, info, ep, context);
  if (done) return done;
  if (!real_ep_fid.size) {
    real_ep_fid = ep_fid = *(*ep)->fid.ops, real_msg = msg = *(*ep)->msg;
    real_tagged = tagged = *(*ep)->tagged, real_rma = rma = *(*ep)->rma;
    ep_fid.control = ep_control, ep_fid.close = ep_close, ep_fid.bind = ep_bind;
#define SET(table, op, with) table.op = (void *)with
    SET(msg, send, m_send), SET(msg, sendv, m_sendv), SET(msg, sendmsg, m_sendmsg);
    SET(msg, inject, m_inject), SET(msg, senddata, m_senddata), SET(msg, injectdata, m_injectdata);
    SET(tagged, send, t_send), SET(tagged, sendv, t_sendv), SET(tagged, sendmsg, t_sendmsg);
    SET(tagged, inject, t_inject), SET(tagged, senddata, t_senddata), SET(tagged, injectdata, t_injectdata);
    SET(rma, read, r_read), SET(rma, readmsg, r_readmsg), SET(rma, write, r_write);
    SET(rma, writemsg, r_writemsg), SET(rma, inject, r_inject);
  }
  note(*ep, 0, FI_TC_BEST_EFFORT, info->tx_attr->msg_order);
  patch(*ep);
  return 0;
}

static int domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **made, void *context) {
  int done = real_fabric.domain(fabric, info, made, context);
  if (done) return done;
  if (!real_domain.size) {
    real_domain = domain_ops = *(*made)->ops, real_domain_fid = domain_fid = *(*made)->fid.ops;
    domain_ops.endpoint = endpoint, domain_ops.cq_open = cq_open, domain_ops.cntr_open = cntr_open;
    domain_fid.ops_open = ops_open;
  }
  (*made)->ops = &domain_ops, (*made)->fid.ops = &domain_fid;
  return 0;
}

static int fabric(struct fi_fabric_attr *attr, struct fid_fabric **made, void *context) {
  struct fi_fabric_attr below = *attr;
  below.prov_name = "sockets";
  int done = fi_fabric(&below, made, context);
  if (done) return done;
  if ((*made)->ops != &fabric_ops) {
    real_fabric = fabric_ops = *(*made)->ops;
    fabric_ops.domain = domain;
  }
  (*made)->ops = &fabric_ops;
  return 0;
}

static int getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **info) {
  int type = hints && hints->ep_attr ? hints->ep_attr->type : FI_EP_UNSPEC;
  if (type != FI_EP_UNSPEC && type != FI_EP_RDM) return -FI_ENODATA;
  struct fi_info *below = hints ? fi_dupinfo(hints) : fi_allocinfo();
  if (!below) return -FI_ENOMEM;
  below->ep_attr->type = FI_EP_RDM;
  uint64_t order = hints && hints->tx_attr ? hints->tx_attr->msg_order : 0;
  free(below->fabric_attr->prov_name);
  below->fabric_attr->prov_name = strdup("sockets");
  int done = fi_getinfo(version, node, service, flags, below, info);
  fi_freeinfo(below);
  for (struct fi_info *one = done ? NULL : *info; one; one = one->next) {
    free(one->fabric_attr->prov_name);
    one->fabric_attr->prov_name = NULL;
    one->tx_attr->msg_order = order ? order : MSG_ORDER;
  }
  return done;
}

/* A program that ends without closing its endpoints leaves what is held back. */
static void cleanup(void) {
  for (struct held *one = first, *next; one; one = next) next = one->next, free(one->copy), free(one);
  first = NULL, last = &first;
}
static struct fi_provider provider = {
  .version = FI_VERSION(1, 0), .fi_version = FI_VERSION(1, 17), .name = "fakecxi",
  .getinfo = getinfo, .fabric = fabric, .cleanup = cleanup};

FI_EXT_INI { return &provider; }
