/* The matrix instructions of a chip, one by one: a product compiled by NVRTC for each type that mma.sync takes, what the compiler made of it, and where
 * there is a GPU its rate beside the library's. */
#pragma once

#include "base/err.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/cuda/probe.h"

#include <stdbool.h>
#include <stddef.h>

/* What an operand's bytes are.  fp6 and fp4 of kind::f8f6f4 lie in bytes of their own, packed fp4 two a byte. */
enum mma_format {
  MMA_BF16,
  MMA_FP16,
  MMA_S8,
  MMA_U8,
  MMA_S4,
  MMA_U4,
  MMA_E4M3,
  MMA_E5M2,
  MMA_E3M2,
  MMA_E2M3,
  MMA_E2M1,
  MMA_E2M1_PACKED,
  MMA_FORMATS
};
enum mma_sum { MMA_F32, MMA_F16, MMA_S32 };
const char *mma_sum_name(enum mma_sum s); /* "fp32" */

struct mma_type {
  const char *name; /* as --type takes it: "e4m3", "s8-u8", "nvf4" */
  enum mma_format a, b;
  enum mma_sum sum;
  const char *ptx;     /* the instruction */
  const char *scales;  /* block scales, as a word of the PTX operand; NULL: none */
  const char *unit;    /* the SASS opcode that does it natively: "HMMA" */
  const char *ceiling; /* the datasheet's row in a device description; NULL: none has one */
};
extern const struct mma_type mma_types[];
extern const size_t n_mma_types;
int mma_format_bits(enum mma_format f); /* of an element in memory */

struct mma_tile {
  int m, n, k_bytes, warps_m, warps_n, stages, group_m;
};
/* The i-th of the sweep; false past the last.  The first was the fastest for bf16 and s8 on an H200. */
bool mma_tile_at(size_t i, struct mma_tile *out);
long mma_tile_smem(const struct mma_tile *t); /* bytes a block */

enum mma_native { MMA_UNKNOWN, MMA_NATIVE, MMA_EMULATED };
const char *mma_native_name(enum mma_native n);

struct mma_figure {
  bool present;
  double value;
  char reason[240]; /* !present */
};

/* One type with one tile. */
struct mma_row {
  const struct mma_type *type;
  struct mma_tile tile;
  bool compiled;
  char compile_error[400];   /* !compiled: what the compiler said */
  struct mma_figure nvrtc_s; /* to compile, cold */
  struct mma_figure nvcc_s;  /* likewise */
  int registers;             /* a thread */
  long spill_bytes;          /* stored, a thread; -1: not reported */
  enum mma_native native;
  char opcode[48];          /* of the matrix instructions in the SASS the most frequent; "": there is no SASS */
  size_t n_opcode;          /* how often it stands there */
  size_t n_convert;         /* conversions of its operands beside it */
  struct mma_figure time_s; /* of the product */
  struct mma_figure flops;  /* per second */
  /* RMS of the difference over RMS of the reference: all of a product of 256 x 256, and a sample at full size. */
  struct mma_figure small_error, error;
  struct mma_figure peak;    /* FLOP/s of the instruction alone, operands in registers */
  struct mma_figure library; /* FLOP/s of cuBLAS in the same process */
};

struct mma_options {
  const char *types; /* comma between, a name of mma_types or a shell pattern; NULL: all */
  const char *arch;  /* "sm_90a" */
  long m, n, k;
  bool sweep;              /* every tile; else the first that fits */
  bool cold;               /* time the compilers, without any cache */
  progress_told *progress; /* may be NULL */
};

enum { MMA_ROWS_MAX = 512 };
struct mma {
  struct mma_row rows[MMA_ROWS_MAX];
  size_t n;
  char nvrtc[32];   /* version */
  char library[64]; /* "cuBLAS 13.1.0"; "": not opened */
  char notes[1024]; /* what this machine lacks and what it costs */
};

/* Fills the rows; with gpu == NULL nothing is run, and the figures say so.  A type that fails is a row with its reason.  ERR_USAGE for a type that is not
 * known or a size that no tile divides; ERR_MACHINE where nothing can be compiled. */
int mma_explore(struct mma *out, const struct mma_options *o, const struct gpu_probe *gpu, struct err *e);
/* The fastest correct row of a type; where none was timed its first.  NULL: it was not asked for. */
const struct mma_row *mma_best(const struct mma *m, const struct mma_type *type);
