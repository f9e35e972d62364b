/* Products by cublasLt: A transposed, sums in fp32. */
#pragma once

#include "base/err.h"
#include "profiler/cuda/library.h"

struct blaslt {
  struct cublaslt library;
  cublasLtHandle_t handle; /* NULL: not open yet, or `error` says why not */
  struct err error;
  CUdeviceptr workspace;
};
/* Loads half a gigabyte, once; what failed once fails again. */
int blaslt_open(struct blaslt *b, const struct driver *driver, struct err *e);

/* One product's scales, say, beside the transpositions. */
struct blaslt_attribute {
  int name;
  const void *value;
  size_t bytes;
};
int blaslt_desc_make(const struct blaslt *b, const struct blaslt_attribute *more, size_t n, cublasLtDesc_t *out,
                     struct err *e);

/* What products of the same matrices share: their layouts, A, B and D, in the library's column order, and the algorithm. */
struct blaslt_matrix {
  int type;
  long rows, columns;
};
struct blaslt_plan {
  cublasLtLayout_t layouts[3];
  cublasLtHeuristic_t chosen;
};
int blaslt_plan_make(const struct blaslt *b, cublasLtDesc_t desc, const struct blaslt_matrix matrices[3],
                     struct blaslt_plan *out, struct err *e);
/* addresses: of A, B and D. */
int blaslt_launch(const struct blaslt *b, cublasLtDesc_t desc, const struct blaslt_plan *p,
                  const CUdeviceptr addresses[3], CUstream stream, struct err *e);
