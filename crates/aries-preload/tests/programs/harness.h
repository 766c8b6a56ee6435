/* A small MPI-like harness over uGNI: ranks are forked, exchange what they need over sockets, and
 * have an endpoint to each other. Everything registered lies in one buffer per rank. */
#ifndef HARNESS_H
#define HARNESS_H
#define _GNU_SOURCE
#include <sys/mman.h>

#include "ranks.h"
#include "ugni.h"

#define BUFFER (1 << 22)

typedef struct {
  uint64_t address;
  gni_mem_handle_t handle;
  uint32_t instance;
} peer_t;

static gni_cdm_handle_t cdm;
static gni_nic_handle_t nic;
static gni_cq_handle_t cq;
static gni_ep_handle_t ep[RANKS_MAX];
static peer_t peer[RANKS_MAX];
static unsigned char *buffer;
static gni_mem_handle_t handle;

static void start(int ranks, uint32_t cookie) {
  spawn(ranks);
  uint32_t address;
  MUST(GNI_CdmCreate((uint32_t)rank, 1, cookie, 0, &cdm));
  MUST(GNI_CdmAttach(cdm, 0, &address, &nic));
  MUST(GNI_CqCreate(nic, 4096, 0, 0, NULL, NULL, &cq));
  buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MUST(buffer == MAP_FAILED);
  MUST(GNI_MemRegister(nic, (uint64_t)buffer, BUFFER, NULL, 0, (uint32_t)-1, &handle));
  peer_t mine;
  memset(&mine, 0, sizeof mine);
  mine.address = (uint64_t)buffer, mine.handle = handle, mine.instance = (uint32_t)rank;
  allgather(&mine, peer, sizeof mine);
  for (int r = 0; r < size; r++) {
    if (r == rank) continue;
    MUST(GNI_EpCreate(nic, cq, &ep[r]));
    MUST(GNI_EpBind(ep[r], peer[r].instance, peer[r].instance));
  }
}

static gni_post_descriptor_t describe(uint32_t type, uint16_t mode, int to, uint64_t from_offset,
                                      uint64_t to_offset, uint64_t bytes) {
  gni_post_descriptor_t d;
  memset(&d, 0, sizeof d);
  d.type = type, d.dlvr_mode = mode, d.cq_mode = GNI_CQMODE_GLOBAL_EVENT;
  d.local_addr = (uint64_t)buffer + from_offset, d.local_mem_hndl = handle;
  d.remote_addr = peer[to].address + to_offset, d.remote_mem_hndl = peer[to].handle;
  d.length = bytes;
  return d;
}

__attribute__((unused)) static gni_post_descriptor_t *completed(void) {
  gni_cq_entry_t event;
  gni_post_descriptor_t *done;
  int rc;
  while ((rc = GNI_CqGetEvent(cq, &event)) == GNI_RC_NOT_DONE) sched_yield();
  MUST(rc);
  MUST(GNI_GetCompleted(cq, event, &done));
  return done;
}

/* Ends all ranks; the code of a child that ended otherwise than expected is passed on. */
__attribute__((unused)) static int finish(int status) {
  barrier();
  for (int r = 0; r < size; r++) if (r != rank) MUST(GNI_EpDestroy(ep[r]));
  MUST(GNI_CqDestroy(cq));
  MUST(GNI_CdmDestroy(cdm));
  reap();
  return status;
}
#endif
