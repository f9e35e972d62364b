/* What is measured, in order: a table of measures, each filling one to three rows or a curve.  Private to the folder. */
#ifndef PROFILER_CEILINGS_MEASURES_H
#define PROFILER_CEILINGS_MEASURES_H

#include "profiler/ceilings/bench.h"

struct measure {
  const char *label; /* for the progress line */
  int (*run)(struct bench *b, struct ceilings *out, const void *what, struct err *e);
  const void *what; /* run's own */
  struct {
    const char *name, *unit;
  } rows[3];    /* unused: name NULL */
  size_t curve; /* CEILINGS_CURVES: none */
};
extern const struct measure measures[];
extern const size_t n_measures;

/* For run: fills the row of that name. */
void row_fill(struct ceilings *out, const char *name, double value, double clock_hz, const char *detail, ...)
    __attribute__((format(printf, 5, 6)));

/* The runs; each file says what `what` is. */
int measure_dram(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_l2(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_l1(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_read_curve(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_chase(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_smem_chase(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_chase_curve(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_rate(struct bench *b, struct ceilings *out, const void *what, struct err *e);
int measure_launch(struct bench *b, struct ceilings *out, const void *what, struct err *e);

struct access { /* a shape in which a buffer is gone through */
  const char *kernel;
  unsigned block, smem;
  unsigned chunk_bytes;   /* that a block takes at once */
  unsigned blocks_per_sm; /* 0: a block a chunk */
  const char *text;
};
struct dram { /* what of measure_dram */
  const char *row, *verb;
  const struct access *shapes;
  size_t n_shapes;
  double moved; /* bytes a byte of n: a copy moves two */
};

struct reread { /* what of measure_read_curve */
  const char *kernel, *curve, *how;
  size_t index;          /* into ceilings.curves */
  const char *clock_row; /* filled with the SM clock at the largest set; NULL: none */
};

enum chase_place { CHASE_L1, CHASE_L2, CHASE_DRAM, CHASE_FAR };
struct chase {                     /* what of measure_chase */
  const char *cycles_row, *ns_row; /* ns_row: NULL, none */
  enum chase_place place;
};

struct rate { /* what of measure_rate */
  const char *row, *kernel;
  const char *opcodes[2]; /* whose numbers in the SASS make up BENCH_PER_TURN */
  double per_inst;        /* what one warp instruction counts for in the row's unit */
  const char *flops_row;  /* NULL: none */
  double flops;           /* of one warp instruction */
  const char *text;
};

#endif
