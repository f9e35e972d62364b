/* A run of a program with three kernels, made by hand. */
#ifndef TESTS_UNIT_MADE_PROGRAM_H
#define TESTS_UNIT_MADE_PROGRAM_H

#include "analysis/model/findings.h"
#include "analysis/story/answer.h"
#include "unit/made_run.h"
#include "unit/text_is.h"

#include <stdio.h>
#include <string.h>

static const struct shape NONE = {0, 0, 0};
enum { KEYS = 3 };

struct kernels {
  struct made_run m;
  struct run_key keys[MADE_VARIANTS][KEYS];
  char values[MADE_VARIANTS][KEYS][16];
  struct findings findings;
  struct answer answer;
};

static inline struct run_result *kernel(struct kernels *x, const char *id, int calls, const char *total_ns,
                                        const char *share, double mean_us, unsigned grid) {
  static const char *const names[] = {"launches", "gpu_time_ns", "gpu_time_share"};
  size_t at = x->m.run.n_variants;
  struct run_variant *v = made_variant(&x->m, id, NULL, NULL);
  struct run_result *r = made_result(&x->m, id, NONE);
  snprintf(x->values[at][0], sizeof x->values[at][0], "%d", calls);
  snprintf(x->values[at][1], sizeof x->values[at][1], "%s", total_ns);
  snprintf(x->values[at][2], sizeof x->values[at][2], "%s", share ? share : "");
  for (size_t k = 0; k < KEYS; k++)
    x->keys[at][k] = (struct run_key){(char *)names[k], x->values[at][k]};
  v->keys = x->keys[at];
  v->n_keys = share ? KEYS : KEYS - 1;
  r->n_launches = 1;
  r->launches->grid[0] = grid;
  r->launches->grid[1] = r->launches->grid[2] = 1;
  r->check.verdict = VERDICT_UNCHECKED;
  if (mean_us > 0)
    made_time(r, mean_us * 1e3, 5);
  return r;
}

/* Of 4 ms: the shorter of two gemms, which differ in their grids, then an addition; no kernel was counted. */
static inline void begin(struct kernels *x) {
  memset(x, 0, sizeof *x);
  made_begin(&x->m);
  x->m.device.sms = 10;
  x->m.run.device.name = (char *)"NVIDIA H200";
  kernel(x, "vec_add(float*)", 20, "200000", "0.05", 10, 7);
  kernel(x, "void ns::gemm<float, 4>(float const*)", 300, "3000000", "0.75", 10.25, 128);
  kernel(x, "void ns::gemm<half, 2>(half const*)", 1, "600000", "0.15", 600, 64);
}

static inline void find(struct kernels *x, const bool *keep) {
  struct err e = {0};
  if (findings_make(&x->findings, &x->m.run, &x->m.device, &e) != 0)
    fail_msg("%s", e.text);
  answer_make(&x->answer, &x->findings, keep);
}

static inline void end(struct kernels *x) {
  answer_release(&x->answer);
  findings_release(&x->findings);
}

#endif
