/* attach: starts a program with the injection library, lets it be, and makes a run of what the library left.
 *
 * The program's exit code, stdout and stderr are its own; signals from the terminal are for it.
 */
#pragma once

#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attach_options {
  char **argv;               /* the program, closed by NULL */
  const char *out;           /* the run file: %p is the process, %r its rank */
  const char *kernel, *nvtx; /* what to count; NULL: the kernels of most GPU time */
  const char *nvtx_scope;    /* "thread", "process"; NULL: the thread's own ranges first */
  long skip, count;          /* launches of each kernel: to leave alone, to count, one a pass at least */
  double coverage,
      overhead; /* ratio of the GPU time that counters are to cover; of the program's time that counting may take, INFINITY: no limit */
  long window, top;  /* launches after which the kernels are chosen, -1: once their ranking holds; how many at most */
  bool replay;       /* every pass runs a counted launch again */
  bool split_passes; /* each of several ranks counts one set of the counters */
  bool two_runs;     /* the program runs twice: first to time and rank its kernels, then to count those chosen */
  bool by_range;     /* the kernels of each NVTX range are told apart */
  bool follow, sass; /* children too; disassemble */
  long sampling_exponent;           /* PC samples: one of each SM every 2^this cycles; 0: none */
  const char *command, *tool, *git; /* for the run */
  void (*running)(bool runs);       /* told while the program runs, when this process must not end; NULL: nobody is */
};

/* What was written, for those who read it by program. */
struct attach_report {
  struct attach_file {
    char *path;
    long pid;
    uint64_t launches;
    size_t kernels, counted;
    double gpu_time_ns, counted_ns;
    bool complete;
  } * files;
  size_t n;
  char *merge; /* a glob of the files of all processes, told once a job; NULL: there is one, or another rank tells */
};
void attach_report_release(struct attach_report *r);

enum { ATTACH_FAILED = 125, ATTACH_CANNOT_RUN = 126, ATTACH_NOT_FOUND = 127 }; /* as env and timeout have them */

/* Runs the program and writes its run files.  *code is what attach is to exit with: the program's own code, 128 + N where signal N ended it, or one of
 * the above.  said(context, sentence) is given what the user should know; report may be NULL. */
int attach_run(const struct attach_options *o, int *code, void (*said)(void *context, const char *sentence),
               void *context, struct attach_report *report, struct err *e);
