/* A stand-in with the shape of PAPI for tests: counters of the emulator of libugni. How it fails is
 * said by PAPI_SHIM: no-init, no-set, no-event, no-start, fail-after-N, negative, garbage, slow,
 * crash-start, crash-after-N, divide-after-N. PAPI_ROWS=FILE: after message N the counters are line N
 * of the file, four numbers; before the first they are 0. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSION 0x07000000
static char names[4][128];
static int added, started, is_initialised;
static long reads;
static uint64_t noise = 1;

static int is(const char *how) {
  const char *said = getenv("PAPI_SHIM");
  return said && strncmp(said, how, strlen(how)) == 0;
}

int PAPI_is_initialized(void) { return is_initialised; }
int PAPI_library_init(int version) {
  if (is("no-init") || version != VERSION) return -1;
  return is_initialised = 1, version;
}
int PAPI_create_eventset(int *set) {
  if (is("no-set")) return -2;
  return *set = 3, added = 0, 0;
}
int PAPI_add_named_event(int set, const char *name) {
  if (set != 3 || is("no-event") || strncmp(name, "sde:::aries::", 13)) return -18;
  strncpy(names[added++], name + 13, 127);
  return 0;
}
static volatile int zero;
static void crash(void) { *(volatile int *)(long)zero = 1; }
int PAPI_start(int set) {
  if (is("crash-start")) crash();
  if (set != 3 || added != 4 || is("no-start")) return -7;
  return started = 1, 0;
}
/* The counters that a file has behind what was sent until now. */
static int recorded(const char *file, long long *values) {
  static const uint16_t modes[] = {0, 0x20, 0x40, 0x80, 3, 8, 0x10};
  uint64_t (*sent)(uint16_t) = (uint64_t (*)(uint16_t))dlsym(RTLD_DEFAULT, "odonata_ugni_sent");
  FILE *in = fopen(file, "r");
  if (!in || !sent) return -6;
  uint64_t messages = 0;
  for (int i = 0; i < 7; i++) messages += sent(modes[i]);
  memset(values, 0, 4 * sizeof *values);
  int found = 4;
  for (uint64_t n = 0; n < messages && found == 4; n++)
    found = fscanf(in, "%lld %lld %lld %lld", values, values + 1, values + 2, values + 3);
  fclose(in);
  return found == 4 ? 0 : -6;
}

int PAPI_read(int set, long long *values) {
  int (*counter)(const char *, uint64_t *) =
      (int (*)(const char *, uint64_t *))dlsym(RTLD_DEFAULT, "odonata_ugni_counter");
  if (set != 3 || !started || !counter) return -1;
  long now = __sync_fetch_and_add(&reads, 1);
  if (is("fail-after-") && now >= atol(getenv("PAPI_SHIM") + 11)) return -4;
  if (is("crash-after-") && now >= atol(getenv("PAPI_SHIM") + 12)) crash();
  if (is("divide-after-") && now >= atol(getenv("PAPI_SHIM") + 13)) return (int)(now / zero);
  if (is("slow")) usleep(1000);
  if (getenv("PAPI_ROWS")) return recorded(getenv("PAPI_ROWS"), values);
  for (int i = 0; i < 4; i++) {
    uint64_t value;
    if (counter(names[i], &value)) return -5;
    if (is("negative")) value = (uint64_t)-5;
    if (is("garbage")) value = (noise = noise * 6364136223846793005u + 1442695040888963407u) >> 1;
    values[i] = (long long)value;
  }
  return 0;
}
