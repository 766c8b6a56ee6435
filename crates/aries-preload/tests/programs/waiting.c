/* A libugni whose posts wait for ever, where a thread can be cancelled. */
#include <unistd.h>
int GNI_PostFma(void *endpoint, void *descriptor) {
  for (;;) pause();
  return endpoint == descriptor;
}
int odonata_ugni_counter(const char *name, unsigned long *value) {
  return *value = (unsigned char)name[0], 0;
}
