/* Ranks of a job on one machine: they are forked, and exchange what they need over sockets. */
#ifndef RANKS_H
#define RANKS_H
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(call) do { int rc_ = (call); if (rc_) { \
  fprintf(stderr, "%s:%d: %s = %d\n", __FILE__, __LINE__, #call, rc_); _exit(70); } } while (0)
#define RANKS_MAX 8

static int rank, size, to_parent, to_child[RANKS_MAX];
static pid_t children[RANKS_MAX];

static void (*while_waiting)(void); /* what others need meanwhile */

static void all(int fd, void *data, size_t bytes, int writes) {
  for (char *at = data; bytes;) {
    ssize_t done = writes ? write(fd, at, bytes) : recv(fd, at, bytes, while_waiting ? MSG_DONTWAIT : 0);
    if (done < 0 && errno == EAGAIN) {
      while_waiting(), sched_yield();
      continue;
    }
    if (done <= 0) _exit(71);
    at += done, bytes -= (size_t)done;
  }
}

/* Everybody gets what everybody gives: over rank 0. */
static void allgather(void *mine, void *everybody, size_t bytes) {
  memcpy((char *)everybody + (size_t)rank * bytes, mine, bytes);
  if (rank) {
    all(to_parent, mine, bytes, 1);
    all(to_parent, everybody, bytes * (size_t)size, 0);
    return;
  }
  for (int r = 1; r < size; r++) all(to_child[r], (char *)everybody + (size_t)r * bytes, bytes, 0);
  for (int r = 1; r < size; r++) all(to_child[r], everybody, bytes * (size_t)size, 1);
}

__attribute__((unused)) static void barrier(void) {
  char mine = 0, everybody[RANKS_MAX];
  allgather(&mine, everybody, 1);
}

/* It ends with a code of its own: a signal would look like a fault of what is tested. */
static void too_long(int signal) {
  static const char said[] = "ended by the program itself: it took too long\n";
  (void)signal;
  if (write(2, said, sizeof said - 1) < 0) _exit(74);
  _exit(73);
}

static void spawn(int ranks) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  size = ranks;
  for (int r = 1; r < size; r++) {
    int pair[2];
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    fflush(NULL);
    children[r] = fork();
    if (children[r] == 0) {
      for (int o = 1; o < r; o++) close(to_child[o]);
      close(pair[0]);
      rank = r, to_parent = pair[1];
      break;
    }
    close(pair[1]);
    to_child[r] = pair[0];
  }
  /* What hangs fails: what turns round and round soon, what sleeps later. Time on a clock alone would
   * end programs on a machine that has no time for them. */
  struct rlimit seconds = {100, 110};
  signal(SIGALRM, too_long), signal(SIGXCPU, too_long);
  setrlimit(RLIMIT_CPU, &seconds);
  alarm(1200);
  char name[16];
  snprintf(name, sizeof name, "%d", rank);
  setenv("PMI_RANK", name, 1);
}

/* Draws: what a program does depends on its seed only. */
static uint64_t word;
__attribute__((unused)) static uint32_t draw(uint32_t below) {
  word += 0x9e3779b97f4a7c15u;
  uint64_t z = word;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % below);
}

__attribute__((unused)) static uint64_t sum(const unsigned char *at, uint64_t bytes) {
  uint64_t h = 14695981039346656037u;
  for (uint64_t i = 0; i < bytes; i++) h = (h ^ at[i]) * 1099511628211u;
  return h;
}

/* Rank 0 waits for the others; the code of one that ended otherwise than with 0 is printed. */
__attribute__((unused)) static void reap(void) {
  fflush(NULL);
  for (int r = 1; r < size && rank == 0; r++) {
    int ended;
    waitpid(children[r], &ended, 0);
    if (ended) printf("rank %d ended with %d\n", r, ended);
  }
}
#endif
