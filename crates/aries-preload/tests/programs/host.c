/* A program that knows of no MPI, and loads a plugin that does. Usage: host PLUGIN */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **words) {
  void *handle = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!handle) return fprintf(stderr, "%s\n", dlerror()), 2;
  int wrong = -1, (*plugin)(int *) = (int (*)(int *))dlsym(handle, "plugin");
  if (!plugin) return 3;
  int done = plugin(&wrong);
  printf("%d %d\n", done, wrong);
  return 0;
}
