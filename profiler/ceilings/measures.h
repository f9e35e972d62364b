/* What is measured, in order: a table of measures, each filling one to three rows or a curve.  Private to the folder. */
#pragma once

#include "profiler/ceilings/bench.h"

struct measure {
  const char *label; /* for the progress line */
  int (*run)(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
  const void *what; /* run's own */
  struct {
    const char *name, *unit;
  } rows[3];    /* that run fills; unused: name NULL */
  size_t curve; /* the number of the curve that it fills, from 1; 0: none */
};
extern const struct measure measures[];
extern const size_t n_measures;

/* For run: fills the row of that name. */
void row_fill(struct ceilings *out, const char *name, double value, double clock_hz, const char *detail, ...)
    __attribute__((format(printf, 5, 6)));

/* The runs; each file says what `what` is. */
int measure_dram(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_l2(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_l1(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_read_curve(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_chase(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_smem_chase(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_chase_curve(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_rate(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_latency(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_launch(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_blocks(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);
int measure_red(struct bench *b, const struct measure *m, struct ceilings *out, struct err *e);

/* Turns a second, by the slope between `turns` of them and three times that; shot->turns is the
 * latter then.  ERR_DATA where more turns took no longer. */
int measure_turns(struct bench *b, struct bench_shot *shot, unsigned long long turns, double *out, struct err *e);

struct access { /* a shape in which a buffer is gone through */
  const char *kernel;
  unsigned block, smem;
  unsigned chunk_bytes;   /* that a block takes at once */
  unsigned blocks_per_sm; /* 0: a block a chunk */
  const char *text;
};
struct dram { /* what of measure_dram */
  const char *verb;
  const struct access *shapes;
  size_t n_shapes;
  double moved; /* bytes a byte of n: a copy moves two */
};

struct reuse { /* what of measure_l2: a set that L2 holds, gone through again and again */
  const char *kernel, *verb;
  unsigned span_bytes; /* that a block goes a turn */
  double per_turn;     /* what a block's turn counts for in the row's unit */
  int sets;            /* a copy has two */
  const char *text;
};

struct reread { /* what of measure_read_curve, whose row is the SM clock at the largest set */
  const char *kernel, *curve, *how;
};

enum chase_place { CHASE_L1, CHASE_L2, CHASE_DRAM, CHASE_FAR };
struct chase { /* what of measure_chase, whose rows are cycles and ns */
  enum chase_place place;
};

struct rate { /* what of measure_rate and measure_latency */
  const char *kernel;
  const char *opcodes[2]; /* whose numbers in the SASS make up a turn */
  double per_inst;        /* what one warp instruction counts for in the row's unit */
  double flops;           /* of one warp instruction, for the second row */
  int per_turn, turns;    /* 0: BENCH_PER_TURN, BENCH_TURNS */
  int expands_to;         /* 0: one; at most so many instructions stand for one */
  const char *text;
};
/* Instructions of a turn. */
int rate_per_turn(const struct rate *r);

struct blocks { /* what of measure_blocks */
  unsigned threads;
};

struct red { /* what of measure_red; the kernel red_f32 says what words, stride and shift are */
  unsigned words, stride, shift;
  unsigned turns; /* so many that they take about a millisecond */
  const char *text;
};
