/* An endpoint of a provider of libfabric, and messages over it. The provider is FI_TEST_PROVIDER. */
#ifndef ENDPOINT_H
#define ENDPOINT_H
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include "ranks.h"

#define NAME_MAX_BYTES 128
#define REMOTE (1 << 20)

/* Taken by the provider sockets instead of that of the C library: room for what arrives. The provider
 * leaves the first bytes of a header unread until all of it is there, and a buffer of the default size
 * that holds the rest of a large segment opens no window for what is missing: nothing moves again. */
__attribute__((visibility("default"))) int socket(int family, int type, int protocol) {
  int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  int room = 1 << 22, made = real(family, type, protocol);
  if (made >= 0 && family == AF_INET) setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  return made;
}

static struct fi_info *info;
static struct fid_fabric *fabric;
static struct fid_domain *domain;
static struct fid_ep *ep;
static struct fid_cq *cq;
static struct fid_av *av;
static struct fid_mr *mr;
static fi_addr_t address[RANKS_MAX];
static unsigned char remote[REMOTE]; /* what others write to and read from */
static struct place { uint64_t base, key; } place[RANKS_MAX]; /* where they find it */

static uint64_t flag(const char *name, uint64_t otherwise) {
  const char *said = getenv(name);
  return said ? strtoull(said, NULL, 0) : otherwise;
}

#if FI_MAJOR_VERSION < 2
int fi_fabric2(struct fi_info *, struct fid_fabric **, uint64_t, void *) __attribute__((weak));
#endif

static void open_domain(void) {
  const char *provider = getenv("FI_TEST_PROVIDER");
  struct fi_info *hints = fi_allocinfo();
  hints->caps = flag("FI_TEST_CAPS", FI_MSG | FI_TAGGED | FI_RMA);
  hints->mode = FI_CONTEXT;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = FI_MR_UNSPEC;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->tx_attr->msg_order = hints->rx_attr->msg_order = flag("FI_TEST_ORDER", FI_ORDER_SAS);
  hints->fabric_attr->prov_name = strdup(provider ? provider : "fakecxi");
  MUST(fi_getinfo(FI_VERSION(1, 4), "127.0.0.1", NULL, FI_SOURCE, hints, &info));
  fi_freeinfo(hints);
  if (getenv("FI_TEST_FABRIC2")) MUST(!fi_fabric2 || fi_fabric2(info, &fabric, 0, NULL));
  else MUST(fi_fabric(info->fabric_attr, &fabric, NULL));
  MUST(fi_domain(fabric, info, &domain, NULL));
}

static void open_endpoint(void) {
  struct fi_cq_attr cq_attr = {.format = FI_CQ_FORMAT_TAGGED, .size = 8192};
  struct fi_av_attr av_attr = {.type = FI_AV_TABLE, .count = RANKS_MAX};
  MUST(fi_cq_open(domain, &cq_attr, &cq, NULL));
  MUST(fi_av_open(domain, &av_attr, &av, NULL));
  MUST(fi_endpoint(domain, info, &ep, NULL));
  MUST(fi_ep_bind(ep, &av->fid, 0));
  MUST(fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
  MUST(fi_enable(ep));
  MUST(fi_mr_reg(domain, remote, REMOTE, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, 7, 0, &mr, NULL));
}

static void progress_once(void);

/* All ranks know each other's addresses; one alone knows itself. */
static void meet(void) {
  char mine[NAME_MAX_BYTES] = {0}, everybody[RANKS_MAX * NAME_MAX_BYTES];
  size_t bytes = sizeof mine;
  MUST(fi_getname(&ep->fid, mine, &bytes));
  allgather(mine, everybody, sizeof mine);
  for (int r = 0; r < size; r++)
    MUST(fi_av_insert(av, everybody + r * NAME_MAX_BYTES, 1, &address[r], 0, NULL) != 1);
  int is_virtual = info->domain_attr->mr_mode == FI_MR_BASIC || info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
  struct place here = {is_virtual ? (uint64_t)remote : 0, fi_mr_key(mr)};
  allgather(&here, place, sizeof here);
  while_waiting = progress_once; /* progress is ours: others may read and write here */
}

static void close_endpoint(void) {
  MUST(fi_close(&mr->fid));
  MUST(fi_close(&ep->fid));
  MUST(fi_close(&cq->fid));
  MUST(fi_close(&av->fid));
}

static void close_domain(void) {
  MUST(fi_close(&domain->fid));
  MUST(fi_close(&fabric->fid));
  fi_freeinfo(info);
}

/* Completions are known by their context, which counts them. */
typedef struct { struct fi_context context; int done; } call_t;

static int progress(void) {
  struct fi_cq_tagged_entry entry[16];
  ssize_t got = fi_cq_read(cq, entry, 16);
  if (got == -FI_EAGAIN) return 0;
  if (got < 0) {
    struct fi_cq_err_entry error = {0};
    fi_cq_readerr(cq, &error, 0);
    fprintf(stderr, "rank %d: completion with error %d of %s\n", rank, error.err, fi_strerror(error.err));
    _exit(72);
  }
  for (ssize_t i = 0; i < got; i++)
    if (entry[i].op_context) __atomic_store_n(&((call_t *)entry[i].op_context)->done, 1, __ATOMIC_SEQ_CST);
  return 1;
}

static void progress_once(void) { progress(); }

static void await(call_t *call) {
  while (!__atomic_load_n(&call->done, __ATOMIC_SEQ_CST))
    if (!progress()) sched_yield();
}

/* Posts until the provider takes it. */
#define POST(call) do { ssize_t posted_; while ((posted_ = (call)) == -FI_EAGAIN) progress(); MUST((int)posted_); } while (0)
#endif
