/* Where a result's stalls fall: its PC samples joined with exact counts, SASS
 * and source lines, each wait followed back to what it waits for.  Pure. */
#pragma once

#include "analysis/model/findings.h"
#include "analysis/sass/sass.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOT_REASONS = 4, HOT_FEEDS = 4 };

struct hot_reason {
  const char *reason; /* "long_scoreboard"; owned by the run */
  uint64_t samples, not_issued;
};

struct hot_inst { /* an instruction */
  size_t kernel;  /* index into hot.kernels */
  size_t at;      /* index into its sass.insts */
  uint64_t samples, not_issued;
  uint64_t waits;                         /* of the samples: without those of warps that issue or are ready */
  struct hot_reason reasons[HOT_REASONS]; /* waits first, of these the most samples first */
  size_t n_reasons;
  /* What it waits for, where its first reason is a wait that registers tell, or one for
   * stores, for the barrier before it or for its own matrix instructions: depth 0 only. */
  struct sass_feed feeds[HOT_FEEDS];
  size_t n_feeds;
  const struct run_line *line; /* to show (code_place.h); NULL: it has none */
};

struct hot_line {   /* a source line; waits at a barrier are its line's */
  int source, line; /* source: -1: a file that the run does not name */
  uint64_t samples, not_issued, waits;
  struct hot_reason top; /* summed over its instructions; a wait, where it has one */
  double issued;         /* part of what the kernel issues on what binds, where h.issued_on is known (hot_by_issue) */
};

struct hot_kernel {
  const struct run_kernel *kernel;
  int module, index; /* as in run_sample */
  struct sass sass;
  size_t *insts; /* by sass index: index into hot.insts, SASS_NONE: no sample */
  uint64_t samples;
  /* By function of its SASS: the instruction that calls it, of several
   * the one with the most samples about it; SASS_NONE: it did not run. */
  size_t *callers;
  size_t *placed; /* by instruction: whose lines stand for its own (lost_callers); NULL: each has its own */
  /* Most samples where the first function begins, right behind the kernel's
   * EXIT, are of warps that have ended and wait for their stores. */
  bool ended;
};

struct hot {
  const struct run *run;
  const struct run_result *result;
  struct hot_kernel *kernels; /* of the result that have SASS, in the module's order */
  size_t n_kernels;
  struct hot_inst *insts; /* the most waits first */
  size_t n_insts;
  struct hot_line *lines; /* likewise; where issued_on is known what issues the most first */
  size_t n_lines;
  uint64_t samples, unplaced; /* in the user's kernels; of these, at no known instruction */
  uint64_t waits;             /* of the samples */
  /* What binds, and lines are in the order of: "the ALU
   * pipe"; NULL: no pipe does, or none was counted. */
  const char *issued_on;
  const char *reason; /* why there are no samples; NULL: there are */
};

/* Its samples of that reason ("barrier"). */
double hot_samples_of(const struct hot_inst *x, const char *reason);
/* The instruction at whose place one is shown: of a compiler's
 * function, which has no lines, the call. */
const struct run_instruction *hot_shown(const struct hot_kernel *k, size_t at);
/* The same, but for the compiler's functions: the one whose lines
 * stand for it, itself where it has its own. */
const struct run_instruction *hot_placed(const struct hot_kernel *k, size_t at);
/* The barrier at which warps wait that stand at that instruction.  SASS_NONE:
 * none stands before it, or they wait for their own matrix instructions. */
size_t hot_barrier(const struct sass *s, size_t at);
/* Part of the samples in a function of the compiler's, without those of warps that
 * have ended: these stand behind the kernel's EXIT, where functions begin. */
double hot_function_share(const struct hot *h, const struct hot_kernel *k, size_t function);

/* The run must outlive *out, which the caller releases. */
void hot_make(struct hot *out, const struct run *run, const struct run_result *r);
void hot_release(struct hot *h); /* leaves *h all zero */
/* Where `binding` is a pipe or the issue slots, and each instruction was
 * counted by itself: puts h->lines in the order of what they issue on it, and
 * says so in h->issued_on.  Samples do not tell whose the time is: warps wait
 * at a kernel's first instructions for others that fill the pipe further on. */
void hot_by_issue(struct hot *h, enum bound_kind binding);
/* What lines are in the order of: its part of the samples that
 * wait; where h->issued_on is known, of what is issued. */
double hot_line_share(const struct hot *h, const struct hot_line *l);
/* The line to look at first: the hottest that is no toolkit's; where its warps have ended and
 * wait for their stores, that of the store.  A toolkit's only where no other is known.  NULL:
 * none has 10 % of the samples, or instructions. */
const struct hot_line *hot_first_line(const struct hot *h);
/* The hottest instruction of the line; NULL: there is none. */
const struct hot_inst *hot_line_inst(const struct hot *h, const struct hot_line *l);
