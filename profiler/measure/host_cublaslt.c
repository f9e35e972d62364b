/* cublasLt: block-scaled products of FP4 matrices, on sm_100 and later; one product a batch, since each has scales of its own.
 *
 * A is K x M and B is K x COLUMNS in the library's column order, D is M x COLUMNS: the first M of D are the result.  The library ignores the
 * sign of a scale (VEC16_UE4M3).  Written from NVIDIA's cuBLAS reference and never run: no chip that has FP4 was at hand. */
#include "profiler/measure/host.h"

#include "kernels/problem.h"

#include <stdlib.h>

enum { A, B, SFA, SFB, OUTPUT, COLUMNS };
enum { FP16 = 2 };

struct product { /* of one batch */
  cublasLtDesc_t desc;
  CUdeviceptr addresses[3]; /* of A, B and D */
};

struct fp4 { /* the state: what all batches share, and theirs */
  struct blaslt_plan plan;
  size_t n;
  struct product products[];
};

static int make_desc(const struct blaslt *b, CUdeviceptr sfa, CUdeviceptr sfb, cublasLtDesc_t *out, struct err *e) {
  const int mode = BLASLT_SCALE_VEC16_UE4M3;
  const void *scales_a = (const void *)sfa, *scales_b = (const void *)sfb;
  const struct blaslt_attribute scales[] = {{BLASLT_DESC_A_SCALE_MODE, &mode, sizeof mode},
                                            {BLASLT_DESC_B_SCALE_MODE, &mode, sizeof mode},
                                            {BLASLT_DESC_A_SCALE_POINTER, &scales_a, sizeof scales_a},
                                            {BLASLT_DESC_B_SCALE_POINTER, &scales_b, sizeof scales_b}};
  return blaslt_desc_make(b, scales, sizeof scales / sizeof scales[0], out, e);
}

static int prepare(struct session *s, const struct ready *r, const struct plan_launch *l, void **state, struct err *e) {
  struct host *h = s->host;
  struct shape shape = r->trial->plan.shape;
  session_beat(s, -1); /* half a gigabyte may take longer to load than a kernel may take to come back */
  int rc = blaslt_open(&h->blaslt, &s->driver, e);
  session_beat(s, r->trial->index);
  if (rc)
    return rc;
  size_t n = (size_t)shape.l;
  CUdeviceptr m = (CUdeviceptr)shape.m, k = (CUdeviceptr)shape.k, columns = (CUdeviceptr)l->args[COLUMNS].value;
  /* Rows of scales come in tiles of 128, scales in tiles of 4. */
  CUdeviceptr row_scales = (k / PROBLEM_BLOCK + 3) / 4 * 4;
  struct fp4 *f = calloc(1, sizeof *f + n * sizeof f->products[0]);
  *state = f;
  f->n = n;
  host_name_path(r, "cublasLt", h->blaslt.library.cublasLtGetVersion());
  for (size_t i = 0; i < n && !rc; i++) {
    struct product *p = &f->products[i];
    p->addresses[0] = host_buffer(r, l, A) + i * m * k / 2;
    p->addresses[1] = host_buffer(r, l, B) + i * PROBLEM_PAD_ROWS * k / 2;
    p->addresses[2] = host_buffer(r, l, OUTPUT) + i * columns * m * FP16;
    rc = make_desc(&h->blaslt, host_buffer(r, l, SFA) + i * ((m + 127) / 128 * 128) * row_scales,
                   host_buffer(r, l, SFB) + i * PROBLEM_PAD_ROWS * row_scales, &p->desc, e);
  }
  const struct blaslt_matrix matrices[] = {{BLAS_R_4F_E2M1, shape.k, shape.m},
                                           {BLAS_R_4F_E2M1, shape.k, (long)columns},
                                           {BLAS_R_16F, shape.m, (long)columns}};
  return rc ? rc : blaslt_plan_make(&h->blaslt, f->products[0].desc, matrices, &f->plan, e);
}

static int launch(struct session *s, const struct ready *r, const struct plan_launch *l, void *state, struct err *e) {
  const struct fp4 *f = state;
  int rc = 0;
  (void)r, (void)l;
  for (size_t i = 0; i < f->n && !rc; i++)
    rc = blaslt_launch(&s->host->blaslt, f->products[i].desc, &f->plan, f->products[i].addresses, s->stream, e);
  return rc;
}

const struct host_call host_fp4 = {prepare, launch};
