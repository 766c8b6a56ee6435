/* A thread is cancelled while it is inside a post; what it has to clean up, it cleans up. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "ugni.h"

static volatile int begun, cleaned;
static void clean(void *unused) { cleaned = unused == 0; }

static void *post(void *unused) {
  gni_post_descriptor_t d = {.type = GNI_POST_FMA_PUT, .length = 65536};
  pthread_cleanup_push(clean, unused);
  begun = 1;
  GNI_PostFma((gni_ep_handle_t)&d, &d);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *result;
  if (pthread_create(&thread, NULL, post, NULL)) return 2;
  while (!begun) usleep(100);
  if (pthread_cancel(thread) || pthread_join(thread, &result)) return 3;
  printf("cancelled %d cleaned %d\n", result == PTHREAD_CANCELED, cleaned);
  return 0;
}
