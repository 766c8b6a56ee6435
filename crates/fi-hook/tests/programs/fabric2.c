/* The function of libfabric 2 that opens a fabric, over a libfabric 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/fabric.h>

int fi_fabric2(struct fi_info *info, struct fid_fabric **fabric, uint64_t flags, void *context) {
  int (*real)(struct fi_fabric_attr *, struct fid_fabric **, void *) =
      (int (*)(struct fi_fabric_attr *, struct fid_fabric **, void *))dlsym(RTLD_NEXT, "fi_fabric");
  return flags || !real ? -FI_EINVAL : real(info->fabric_attr, fabric, context);
}
