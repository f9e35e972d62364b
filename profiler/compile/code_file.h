/* Code that is no rung, as a run of a variant and a result for each of its kernels: what someone else compiled, or CUDA C++ that says nothing of its
 * launch. */
#pragma once

#include "base/err.h"
#include "run/run.h"

struct code_file {
  const char *path;       /* FILE.cubin, FILE.ptx or FILE.cu */
  const char *entry;      /* a kernel's name, mangled or as it was written, or a glob of the latter; NULL: all */
  const char *target;     /* the chip; NULL: the file's own, which source has none of */
  long block, grid, smem; /* of the kernel's launch; block 0: not known, grid 0: as many as fill the chip */
};

/* The caller releases *run, also after failure. */
int code_file_read(struct run *run, const struct code_file *q, struct err *e);
