/* Nanoseconds of a post that does nothing: the least mean over batches, so that what else runs on
 * the machine does not count; and allocations after the first batch. Usage: overhead BYTES BATCHES */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ugni.h"

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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

int main(int count, char **words) {
  if (count != 3) return 2;
  gni_post_descriptor_t d = {.type = GNI_POST_FMA_PUT, .length = strtoull(words[1], NULL, 0)};
  double least = 1e9;
  long before = 0;
  for (int batch = 0; batch < atoi(words[2]); batch++) {
    double begin = seconds();
    for (int i = 0; i < 1000; i++) GNI_PostFma((gni_ep_handle_t)&d, &d);
    double mean = (seconds() - begin) / 1000;
    if (batch == 0) before = allocations; /* the first call starts the library */
    if (mean < least) least = mean;
  }
  printf("%.1f %ld\n", 1e9 * least, allocations - before);
  return 0;
}
