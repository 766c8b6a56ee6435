/* A libfabric with one provider, cxi, that does nothing, as fast as it can: everything that is sent
 * is complete at once. Its counters grow by one at each reading. */
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_tagged.h>
#include <stdlib.h>
#include <time.h>

#include "nothing.h"

static uint64_t sent, counter;
static int aliases;
int nothing_aliases(void) { return aliases; }

static int nop(struct fid *fid) { return fid == NULL; }
static int bind(struct fid *fid, struct fid *other, uint64_t flags) { return !fid || !other || !flags; }
static ssize_t tsend(struct fid_ep *ep, const void *buf, size_t len, void *desc, fi_addr_t to, uint64_t tag, void *context) {
  (void)ep, (void)buf, (void)len, (void)desc, (void)to, (void)tag, (void)context;
  return sent++, 0;
}
static int cntr_read(struct fid *fid, unsigned int number, uint64_t *value, struct timespec *ts) {
  (void)ts;
  return *value = ++counter + number, fid == NULL;
}
static struct { void *read; } dom_ops = {cntr_read};
static int ops_open(struct fid *fid, const char *name, uint64_t flags, void **ops, void *context) {
  (void)name, (void)flags, (void)context;
  return *ops = &dom_ops, fid == NULL;
}
static uint64_t completed(struct fid_cntr *cntr) { return cntr ? sent : 0; }
static uint64_t errors(struct fid_cntr *cntr) { return cntr == NULL; }

static int control(struct fid *fid, int command, void *arg) {
  if (command == FI_ALIAS) {
    struct fid_ep *alias = malloc(sizeof *alias);
    *alias = *container_of(fid, struct fid_ep, fid);
    *((struct fi_alias *)arg)->fid = &alias->fid;
    aliases++;
  }
  return 0;
}

static struct fi_ops ops = {.size = sizeof ops, .close = nop, .bind = bind, .control = control, .ops_open = ops_open};
static struct fi_ops_tagged tagged = {.size = sizeof tagged, .send = tsend};
static struct fi_ops_cntr cntr_ops = {.size = sizeof cntr_ops, .read = completed, .readerr = errors};
static struct fid_cntr cntr = {.fid = {FI_CLASS_CNTR, NULL, &ops}, .ops = &cntr_ops};
static int cntr_open(struct fid_domain *d, struct fi_cntr_attr *a, struct fid_cntr **made, void *c) {
  (void)a, (void)c;
  return *made = &cntr, d == NULL;
}
static struct fid_ep the_ep = {.fid = {FI_CLASS_EP, NULL, &ops}, .tagged = &tagged};
static int endpoint(struct fid_domain *d, struct fi_info *i, struct fid_ep **made, void *c) {
  (void)i, (void)c;
  return *made = &the_ep, d == NULL;
}
static struct fi_ops_domain domain_ops = {.size = sizeof domain_ops, .endpoint = endpoint, .cntr_open = cntr_open};
static struct fid_domain the_domain = {.fid = {FI_CLASS_DOMAIN, NULL, &ops}, .ops = &domain_ops};
static int domain(struct fid_fabric *f, struct fi_info *i, struct fid_domain **made, void *c) {
  (void)i, (void)c;
  return *made = &the_domain, f == NULL;
}
static struct fi_ops_fabric fabric_ops = {.size = sizeof fabric_ops, .domain = domain};
static struct fid_fabric the_fabric = {.fid = {FI_CLASS_FABRIC, NULL, &ops}, .ops = &fabric_ops};

#ifndef MINOR
#define MINOR FI_MINOR_VERSION
#endif
uint32_t fi_version(void) { return FI_VERSION(FI_MAJOR_VERSION, MINOR); }
int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **made, void *context) {
  (void)context;
  return *made = &the_fabric, attr == NULL;
}
