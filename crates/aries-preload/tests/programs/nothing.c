/* A libugni that does nothing, as fast as it can. */
int GNI_PostFma(void *endpoint, void *descriptor) { return !endpoint && !descriptor; }
int odonata_ugni_counter(const char *name, unsigned long *value) {
  static unsigned long count;
  return *value = count += (unsigned char)name[0], 0;
}
