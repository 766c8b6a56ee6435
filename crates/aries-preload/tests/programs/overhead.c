/* Nanoseconds of a post that does nothing: the least mean over batches, so that what else runs on
 * the machine does not count. Usage: overhead BYTES BATCHES */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ugni.h"

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  gni_post_descriptor_t d = {.type = GNI_POST_FMA_PUT, .length = strtoull(words[1], NULL, 0)};
  double least = 1e9;
  for (int batch = 0; batch < atoi(words[2]); batch++) {
    double begin = seconds();
    for (int i = 0; i < 1000; i++) GNI_PostFma((gni_ep_handle_t)&d, &d);
    double mean = (seconds() - begin) / 1000;
    if (mean < least) least = mean;
  }
  printf("%.1f\n", 1e9 * least);
  return 0;
}
