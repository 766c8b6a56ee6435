/* What Rust's ThreadSanitizer calls and that of the C compiler does not have by these names. Part of
 * every program that is compiled for it; with CANARY it is a program that has a race. */
#include <string.h>
void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *__tsan_memset(void *to, int value, size_t bytes) { return memset(to, value, bytes); }

#ifdef CANARY
#include <pthread.h>
static int raced;
static void *race(void *nothing) {
  for (int i = 0; i < 1000; i++) raced++;
  return nothing;
}
int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, race, NULL)) return 1;
  race(NULL);
  return pthread_join(other, NULL);
}
#endif
