/* Calls what no library of this process has, but the one that is loaded in front. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

typedef int (*call_t)(long, long, long, long, long, long, long);

static int call(const char *name) {
  call_t found = (call_t)dlsym(RTLD_DEFAULT, name);
  return found ? found(1, 0, 0, 0, 0, 0, 0) : -1;
}

int main(void) {
  printf("%d %d %d %d\n", call("GNI_PostFma"), call("GNI_SmsgSend"), call("dmapp_put"),
         call("MPI_Alltoall"));
  return 0;
}
