/* The static tier: what compiled code says of a kernel that was not run, against the chip it was compiled for.  Pure.
 *
 * Everything about time here is MODELLED, by one assumption: what must be loaded is loaded once, by the hot loop, which stands for the kernel.
 *   warp instructions = instructions of the loop / (bytes of that a thread asks for in a turn x 32 lanes) x bytes that must be loaded
 * B passes through the same loop once a row: where the arguments are known, each load is followed back to its buffer, and only A and its
 * scales count as progress.  Where they are not, all bytes count, and the figure is a floor.  What stands outside the loop comes on top.
 * Against the counted instructions of recorded/h200.json.gz (180 pairs of rung and shape): median 0.96, half of them within 0.88 and 1.00, 147
 * within 0.8 and 1.1.  The least is 0.28, the naive rung, which decodes in a function that it calls; the most 1.42, a rung whose unrolled loop
 * does more than the loop that remains (tests/unit/test_analysis_static_counted.c holds the median and the spread).
 *
 * Of a GEMV some warps are walked through their code (static_walk.h); where that comes to no end, this work stands in.  Either goes through the model of
 * time (analysis/model/time_model.h); docs/model.md has its errors.  Of other kernels what must be loaded says too little about what the loop does.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/findings.h"
#include "analysis/model/occupancy.h"
#include "analysis/model/time_model.h"
#include "analysis/rules/rules.h"
#include "analysis/sass/sass.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct static_class {                 /* of the hot loop */
  size_t insts;                       /* in its text */
  struct value per_byte, per_element; /* thread instructions a byte asked for, an element of the problem */
};

extern const char STATIC_UNUSED[]; /* the reason of a bound's that the loop does not use, told apart by its address */
struct static_bound {
  struct value load_bw; /* bytes a second that the chip can load at most under this bound alone */
  struct value cycles;  /* of an SM, that a warp's turn of the hot loop takes by itself; of issue and the pipes */
  struct value seconds; /* for the bytes that must be loaded: those that must move but what is stored */
  const struct ceiling *ceiling;
};

struct static_advice {
  const struct rule *rule;
  struct told told; /* as of a rule: evidence, sentence and remedy; owned by the static_code */
};

/* Measured over modelled time: nine in ten and more of the results of every recorded ladder
 * (tests/unit/test_analysis_static_time.c). */
#define STATIC_LOW  0.80
#define STATIC_HIGH 1.72

enum { STATIC_ADVICE_MAX = 16 };
struct static_code { /* one kernel of a result, with the launch that was planned or observed */
  const struct run *run;
  const struct run_result *result;
  const struct run_kernel *kernel;
  const struct run_launch *launch; /* NULL: its geometry is not known */
  const struct device *device;
  const char *arch;         /* that it was compiled for */
  struct sass sass;         /* n = 0: none, with the reason in `reason` */
  const char *reason;       /* why there is no SASS; NULL: there is */
  struct sass_summary code; /* of it */
  struct sass_step *steps;  /* of it, by instruction */
  int barriers;             /* that a block uses */
  struct occupancy occupancy;
  struct value occupied; /* its share; absent: why the occupancy is not known */
  struct value warps;    /* resident in the chip at a time */
  struct value elements,
      must_bytes; /* of the problem: multiply-adds of A; bytes that must move, absent of one of several steps */
  struct sol sol;
  size_t loop_insts; /* of the hot loop, or of the kernel where there is none */
  int loop_first,
      loop_last; /* lines of the kernel's file that the hot loop was made of; 0: there is none, or they are not known */
  struct static_class classes[SASS_CLASSES];
  /* A thread asks for in a turn, of what is loaded once; absent: not told apart, all of them are
   * taken. */
  struct value once_bytes;
  struct value turn_bytes;                        /* that count as progress: once_bytes, else all */
  struct value insts_per_byte, insts_per_element; /* thread instructions, of bytes that count */
  struct value warp_insts;                        /* modelled, of the whole launch */
  struct value thread_bytes, warp_bytes,
      bytes; /* of loads in flight before the first use: a thread, a warp, the chip */
  /* That keep DRAM busy: its bandwidth, but what stores take, x its latency at the highest clock. */
  struct value needed_bytes;
  struct static_bound bounds[BOUND_KINDS];
  enum bound_kind binding; /* the slowest; BOUND_KINDS: the instructions' are not known */
  const char *doubt;       /* why another may bind; NULL: none does */
  enum bound_kind busiest; /* of issue and the pipes, which takes most cycles of the hot loop; BOUND_KINDS: not known */
  /* Of the bytes that a turn moves, what it stores on every path, or within bounds that are
   * checked. */
  double stored_share;
  struct model model;                             /* of a GEMV: all resources together */
  struct value time_s, low_s, high_s;             /* its time, and the interval of nine in ten; absent: why not */
  struct static_advice advice[STATIC_ADVICE_MAX]; /* in the order of the rules, but how much is in flight last */
  size_t n_advice;
  struct pool pool; /* private */
};

/* launch: one of the result's, NULL: not known (then the module's first kernel is taken).  ERR_DATA where the result has no module or the
 * module no kernel of the launch's name.  Run and device must outlive *out; the caller releases it, also after failure. */
int static_code_make(struct static_code *out, const struct run *run, const struct run_result *r,
                     const struct run_launch *launch, const struct device *d, struct err *e);
void static_code_release(struct static_code *c); /* leaves *c all zero */

/* --- for static_*.c --- */
void static_model(struct static_code *c); /* fills everything from `elements` on, but the model and the advice */
void static_time(struct static_code *c);
struct value static_once_bytes(struct static_code *c);
/* The least that the loop's loads of one array ask for in a turn: arrays are told apart by the arguments that addresses are made of. */
double static_least_bytes(struct static_code *c);
/* Cycles that a warp's turn of the hot loop keeps L1's data stage; 0: its lanes are not known to share banks. */
double static_bank_turns(const struct static_code *c);
bool static_strided(const struct static_code *c); /* a global access of the hot loop touches sectors in vain */
const char *static_assumption(const struct static_code *c);    /* in words, for reports */
bool static_in_loop(const struct static_code *c, size_t inst); /* it is an instruction of the hot loop */
