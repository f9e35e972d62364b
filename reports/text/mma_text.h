/* The matrix instructions of a chip, as a table and as JSON.  Nothing is computed here. */
#pragma once

#include "analysis/metrics/value.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum mma_text_figure {
  MMA_TEXT_NVRTC_S,
  MMA_TEXT_NVCC_S,
  MMA_TEXT_TIME_S,
  MMA_TEXT_FLOPS,
  MMA_TEXT_PEAK,
  MMA_TEXT_LIBRARY,
  MMA_TEXT_ERROR_FULL,
  MMA_TEXT_ERROR_SMALL,
  MMA_TEXT_FIGURES
};
struct mma_text_row {           /* one type with one tile; all strings are borrowed */
  const char *type, *sum, *ptx; /* "e4m3", "fp32", the instruction */
  bool best;                    /* of its type: in the table */
  const char *error;            /* what the compiler said; NULL: it compiled, and what follows holds */
  const char *native, *opcode;  /* "native"; "": there is no SASS */
  bool emulated;
  size_t n_opcode, n_convert;
  int registers;
  long spill_bytes; /* -1: not reported */
  int m, n, k_bytes, warps_m, warps_n, stages, group_m;
  long smem_bytes;
  struct value figures[MMA_TEXT_FIGURES]; /* 0 where absent */
  double datasheet_flops;                 /* 0: not known */
};
struct mma_text {
  const char *arch, *gpu, *nvrtc, *library, *notes; /* gpu NULL: compiled only; library "": none */
  long m, n, k;
  bool cold;
  const struct mma_text_row *rows;
  size_t n_rows;
};

void report_mma_term(const struct mma_text *m, struct text *out, int width, bool colour);
void report_mma_json(const struct mma_text *m, struct text *out); /* schema "nvfp4-prof/mma/1" */
