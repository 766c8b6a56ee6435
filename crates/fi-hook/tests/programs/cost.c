/* Nanoseconds of a post to a provider that does nothing: the least mean over batches, and
 * allocations after the first batch. Usage: cost BYTES BATCHES. The provider is in this program: a
 * fabric, a domain and an endpoint with tables, behind the real name fi_fabric. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nothing.h"

/* Allocations of the whole process, ours and those of libraries. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static long allocations;
void *malloc(size_t bytes) { return allocations++, __libc_malloc(bytes); }
void *calloc(size_t items, size_t bytes) { return allocations++, __libc_calloc(items, bytes); }
void *realloc(void *old, size_t bytes) { return allocations++, __libc_realloc(old, bytes); }
void *aligned_alloc(size_t to, size_t bytes) { return allocations++, __libc_memalign(to, bytes); }
int posix_memalign(void **at, size_t to, size_t bytes) {
  return allocations++, (*at = __libc_memalign(to, bytes)) ? 0 : 12;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  size_t bytes = strtoull(words[1], NULL, 0);
  struct fi_fabric_attr attr = {.name = "nothing", .prov_name = "cxi"};
  struct fi_tx_attr tx = {.msg_order = FI_ORDER_SAS};
  struct fi_ep_attr kind = {.type = FI_EP_RDM};
  struct fi_info info = {.caps = FI_TAGGED, .tx_attr = &tx, .ep_attr = &kind, .fabric_attr = &attr};
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fid_ep *ep;
  if (fi_fabric(&attr, &fabric, NULL) || fi_domain(fabric, &info, &domain, NULL)) return 3;
  if (fi_endpoint(domain, &info, &ep, NULL) || fi_enable(ep)) return 4;
  double least = 1e9;
  long before = 0;
  for (int batch = 0; batch < atoi(words[2]); batch++) {
    double begin = seconds();
    for (int i = 0; i < 1000; i++) fi_tsend(ep, &info, bytes, NULL, (fi_addr_t)(i & 15), 5, NULL);
    double mean = (seconds() - begin) / 1000;
    if (batch == 0) before = allocations;
    if (mean < least) least = mean;
  }
  printf("%.1f %ld %d\n", 1e9 * least, allocations - before, nothing_aliases());
  return 0;
}
