#include "analysis/signs/pipes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

const struct pipe PIPES[N_PIPES] = {{BOUND_ALU, "pipe_alu", offsetof(struct workload, alu)},
                                    {BOUND_FMA, "pipe_fma", offsetof(struct workload, fma)},
                                    {BOUND_LSU, "pipe_lsu", offsetof(struct workload, lsu)},
                                    {BOUND_XU, "pipe_xu", offsetof(struct workload, xu)},
                                    {BOUND_TENSOR, "pipe_tensor_mma", offsetof(struct workload, tensor)},
                                    {BOUND_FP64, "pipe_fp64", offsetof(struct workload, fp64)},
                                    {BOUND_ADU, "pipe_adu", offsetof(struct workload, adu)}};

const struct pipe *busiest_pipe(const struct rule_input *in) {
  const struct pipe *most = &PIPES[0];
  for (size_t i = 1; i < N_PIPES; i++)
    if (bound_needs(in, PIPES[i].bound) > bound_needs(in, most->bound))
      most = &PIPES[i];
  return most;
}

bool is_gemv(const struct rule_input *in) {
  return in->f->result->bytes_minimal > 0 && in->f->result->flops > 0 && in->f->result->shape.m > 0;
}

bool runs_tensor_cores(const struct rule_input *in) {
  if (rule_value(in, "pipe_tensor_mma", 0) > 0)
    return true;
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++)
    if (in->sass->insts[i].class == SASS_TENSOR && in->sass->executed[i] > 0)
      return true;
  return false;
}

bool synchronous_products(const struct rule_input *in) {
  bool some = false;
  for (size_t i = 0; in->sass && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (x->class != SASS_TENSOR || x->never)
      continue;
    if (x->wait == WAIT_TENSOR)
      return false;
    some = true;
  }
  return some;
}
