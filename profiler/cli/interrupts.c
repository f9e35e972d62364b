#include "profiler/cli/cli.h"
#include "profiler/cuda/interrupted.h"

#include <signal.h>
#include <time.h>

/* One request may come as two signals: `timeout` sends its own to the program, and to the group that the program is in. */
static void interrupted(int signal_number) {
  enum { SAME_REQUEST_NS = 500000000 };
  static struct timespec first; /* signals are blocked while the handler runs */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!profile_interrupted) {
    profile_interrupted = signal_number;
    first = now;
  } else if ((now.tv_sec - first.tv_sec) * 1000000000L + now.tv_nsec - first.tv_nsec > SAME_REQUEST_NS) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

void cli_catch_signals(void) {
  static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
  enum { ENDS = sizeof ends / sizeof ends[0] };
  struct sigaction action = {.sa_handler = interrupted}, before;
  for (size_t i = 0; i < ENDS; i++)
    sigaddset(&action.sa_mask, ends[i]);
  for (size_t i = 0; i < ENDS; i++)
    if (ends[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) || before.sa_handler != SIG_IGN) /* as nohup has it */
      sigaction(ends[i], &action, NULL);
}
