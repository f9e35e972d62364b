#include "profiler/measure/session.h"

#include "profiler/measure/host.h"

#include <stdlib.h>
#include <string.h>

int session_open(struct session *s, const struct compiled *own, const struct problem *problems, size_t n,
                 struct err *e) {
  int rc = driver_open(&s->driver, s->gpu->index, &s->device, &s->context, &s->stream, e);
  if (rc)
    return rc;
  s->has_cupti = cupti_load(&s->cupti, &s->cupti_error) == 0;
  s->problems = problems;
  s->n_problems = n;
  s->shapes = calloc(n ? n : 1, sizeof *s->shapes);
  for (size_t i = 0; i < n && !rc; i++) {
    session_beat(s, -1);
    rc = buffers_upload(s, &s->shapes[i], &problems[i], e);
  }
  s->arrays = calloc(s->n_generics + 1, sizeof *s->arrays);
  for (size_t i = 0; i < s->n_generics && !rc; i++) {
    session_beat(s, -1);
    rc = arrays_upload(s, &s->arrays[i], &s->generics[i], e);
  }
  if (!rc)
    rc = CU_CALL(&s->driver, e, cuModuleLoadData, &s->own_module, own->cubin);
  s->flush_bytes = (size_t)s->gpu->l2_bytes * FLUSH_L2_MULTIPLE;
  if (!rc && s->options->l2 != L2_WARM) {
    rc = session_alloc(s, &s->flush_buffer, s->flush_bytes + 16, "the L2 flush buffer", e);
    if (!rc)
      rc = CU_CALL(&s->driver, e, cuMemsetD8Async, s->flush_buffer, 0, s->flush_bytes + 16, s->stream);
    if (!rc)
      rc = CU_CALL(&s->driver, e, cuModuleGetFunction, &s->flush_read, s->own_module, "nvfp4_prof_flush");
  }
  return rc;
}

static int get_function(struct session *s, const struct ready *r, const struct plan_launch *l, CUfunction *f,
                        struct err *e) {
  if (CU_CALL(&s->driver, e, cuModuleGetFunction, f, r->module, l->kernel))
    return err_context(e, "kernel %s (is it extern \"C\" __global__?)", l->kernel);
  /* Static and dynamic together need it over 48 KB, and what is static only the driver knows. */
  if (l->smem &&
      CU_CALL(&s->driver, e, cuFuncSetAttribute, *f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)l->smem))
    return err_context(e, "kernel %s: %u bytes of dynamic shared memory", l->kernel, l->smem);
  if (l->cluster[0] && l->cluster[0] * l->cluster[1] * l->cluster[2] > 8 &&
      CU_CALL(&s->driver, e, cuFuncSetAttribute, *f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1))
    return err_context(e, "kernel %s: a cluster of more than 8 blocks", l->kernel);
  return 0;
}

static int encode_tensormap(struct session *s, const struct ready *r, const struct plan_tensormap *t, CUtensorMap *out,
                            struct err *e) {
  static const struct {
    const char *name;
    CUtensorMapDataType type;
  } types[] = {{"u8", CU_TENSOR_MAP_DATA_TYPE_UINT8},    {"u16", CU_TENSOR_MAP_DATA_TYPE_UINT16},
               {"u32", CU_TENSOR_MAP_DATA_TYPE_UINT32},  {"i32", CU_TENSOR_MAP_DATA_TYPE_INT32},
               {"f16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16}, {"bf16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
               {"f32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32}, {"u64", CU_TENSOR_MAP_DATA_TYPE_UINT64}};
  if (!s->driver.cuTensorMapEncodeTiled)
    return err_set(e, ERR_MACHINE, "tensormap %s: this driver lacks cuTensorMapEncodeTiled (new in CUDA 12.0)",
                   t->map->name);
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i].name, t->map->type) == 0)
      type = types[i].type;
  CUtensorMapSwizzle swizzle = t->map->swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                               : t->map->swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                               : t->map->swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                       : CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapL2promotion l2 = t->map->l2_promotion == 256   ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                              : t->map->l2_promotion == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                              : t->map->l2_promotion == 64  ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B
                                                            : CU_TENSOR_MAP_L2_PROMOTION_NONE;
  cuuint64_t dims[RUNG_TENSOR_RANK], strides[RUNG_TENSOR_RANK];
  cuuint32_t box[RUNG_TENSOR_RANK], steps[RUNG_TENSOR_RANK];
  for (int i = 0; i < t->map->rank; i++) {
    dims[i] = t->dims[i];
    strides[i] = t->strides[i];
    box[i] = t->box[i];
    steps[i] = 1;
  }
  if (CU_CALL(&s->driver, e, cuTensorMapEncodeTiled, out, type, (cuuint32_t)t->map->rank,
              (void *)session_buffer(r, t->map->buffer), dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
              swizzle, l2, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
    return err_context(e, "tensormap %s", t->map->name);
  return 0;
}

int session_launch_grid(struct session *s, CUfunction f, const struct session_grid *g, void **args, struct err *e) {
  CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                               .value.clusterDim = {g->cluster[0], g->cluster[1], g->cluster[2]}};
  CUlaunchConfig config = {.gridDimX = g->grid[0],
                           .gridDimY = g->grid[1],
                           .gridDimZ = g->grid[2],
                           .blockDimX = g->block[0],
                           .blockDimY = g->block[1],
                           .blockDimZ = g->block[2],
                           .sharedMemBytes = g->smem,
                           .hStream = s->stream,
                           .attrs = &cluster,
                           .numAttrs = g->cluster[0] ? 1 : 0};
  return CU_CALL(&s->driver, e, cuLaunchKernelEx, &config, f, args, NULL);
}

enum { ARGS_MAX = 32 };

static int launch_one(struct session *s, const struct ready *r, const struct plan_launch *l, CUfunction f,
                      struct err *e) {
  union {
    CUdeviceptr pointer;
    int i;
    long long ll;
    float f;
    double d;
  } values[ARGS_MAX];
  void *args[ARGS_MAX];
  if (l->n_args > ARGS_MAX)
    return err_set(e, ERR_DATA, "kernel %s: more than %d arguments", l->kernel, ARGS_MAX);
  for (size_t i = 0; i < l->n_args; i++) {
    const struct plan_arg *a = &l->args[i];
    args[i] = &values[i];
    if (a->kind == ARG_BUFFER)
      values[i].pointer = session_buffer(r, a->name);
    else if (a->kind == ARG_INT64)
      values[i].ll = a->value;
    else if (a->kind == ARG_INT)
      values[i].i = (int)a->value;
    else if (a->kind == ARG_FLOAT)
      values[i].f = (float)a->real;
    else if (a->kind == ARG_DOUBLE)
      values[i].d = a->real;
    else
      for (size_t t = 0; t < r->trial->plan.n_tensormaps; t++)
        if (strcmp(r->trial->plan.tensormaps[t].map->name, a->name) == 0)
          args[i] = &r->tensormaps[t];
  }
  const struct session_grid grid = {l->grid, l->block, l->cluster, l->smem};
  return session_launch_grid(s, f, &grid, args, e) ? err_context(e, "kernel %s", l->kernel) : 0;
}

static void ready_alloc(struct ready *out, const struct rung_plan *plan) {
  out->steps = calloc(plan->n_steps + 1, sizeof *out->steps);
  out->calls = calloc(plan->n_steps + 1, sizeof *out->calls);
  out->resets = calloc(plan->n_resets + 1, sizeof *out->resets);
  out->scratch = calloc(plan->n_scratch + 1, sizeof *out->scratch);
  out->tensormaps = aligned_alloc(64, (plan->n_tensormaps + 1) * sizeof *out->tensormaps);
}

static int load_step(struct session *s, struct ready *r, size_t i, struct err *e) {
  const struct plan_launch *l = &r->trial->plan.steps[i];
  return l->call ? host_prepare(s, r, l, &r->calls[i], e) : get_function(s, r, l, &r->steps[i], e);
}

/* What happens once, before everything else; waited for, so that a fault is this trial's. */
static int run_setups(struct session *s, const struct ready *r, struct err *e) {
  const struct rung_plan *plan = &r->trial->plan;
  int rc = 0;
  for (size_t i = 0; i < plan->n_setups && !rc; i++) {
    CUfunction f;
    rc = get_function(s, r, &plan->setups[i], &f, e);
    if (!rc)
      rc = launch_one(s, r, &plan->setups[i], f, e);
  }
  if (!rc && plan->n_setups)
    rc = session_wait(s, e);
  return rc ? err_context(e, "setup") : 0;
}

int session_load(struct session *s, struct trial *trial, struct ready *out, struct err *e) {
  const struct rung_plan *plan = &trial->plan;
  *out = (struct ready){.trial = trial};
  if (plan->rung->generic)
    out->arrays = &s->arrays[trial->problem];
  else
    out->shape = &s->shapes[trial->problem];
  out->step_kernels = rung_plan_calls(plan) ? 0 : plan->n_steps;
  ready_alloc(out, plan);
  int rc = plan->rung->sf_blocked ? buffers_need_blocked(s, trial->problem, e) : 0;
  if (!rc)
    rc = CU_CALL(&s->driver, e, cuModuleLoadData, &out->module, trial->compiled->cubin);
  for (size_t i = 0; i < plan->n_scratch && !rc; i++) {
    rc = session_alloc(s, &out->scratch[i], plan->scratch[i].bytes, plan->scratch[i].name, e);
    if (!rc)
      rc = CU_CALL(&s->driver, e, cuMemsetD8Async, out->scratch[i], (unsigned char)plan->scratch[i].fill,
                   plan->scratch[i].bytes, s->stream);
  }
  for (size_t i = 0; i < plan->n_steps && !rc; i++)
    rc = load_step(s, out, i, e);
  for (size_t i = 0; i < plan->n_resets && !rc; i++)
    if (!plan->resets[i].fill_buffer && !plan->resets[i].init_buffer)
      rc = get_function(s, out, &plan->resets[i].launch, &out->resets[i], e);
  if (plan->reference && !rc && (rc = get_function(s, out, plan->reference, &out->reference, e)))
    err_context(e, "reference");
  for (size_t i = 0; i < plan->n_tensormaps && !rc; i++)
    rc = encode_tensormap(s, out, &plan->tensormaps[i], &out->tensormaps[i], e);
  return rc ? rc : run_setups(s, out, e);
}

int session_flush(struct session *s, struct err *e) {
  if (s->options->l2 == L2_WARM)
    return 0;
  if (s->options->l2 == L2_DIRTY)
    return CU_CALL(&s->driver, e, cuMemsetD8Async, s->flush_buffer, 0, s->flush_bytes, s->stream);
  unsigned long long n = s->flush_bytes / 16;
  CUdeviceptr sink = s->flush_buffer + s->flush_bytes;
  void *args[] = {&s->flush_buffer, &n, &sink};
  const struct driver_grid grid = {.grid = (unsigned)s->gpu->sms * 4, .block = 512};
  return driver_launch(&s->driver, s->flush_read, &grid, s->stream, args, e);
}

int session_prepare(struct session *s, const struct ready *r, struct err *e) {
  const struct rung_plan *plan = &r->trial->plan;
  for (size_t i = 0; i < plan->n_resets; i++) {
    const struct plan_reset *reset = &plan->resets[i];
    int rc = reset->init_buffer ? arrays_reset(s, r, reset->init_buffer, e)
             : reset->fill_buffer
                 ? CU_CALL(&s->driver, e, cuMemsetD8Async, session_buffer(r, reset->fill_buffer),
                           (unsigned char)reset->fill_byte, buffers_bytes(r, reset->fill_buffer), s->stream)
                 : launch_one(s, r, &reset->launch, r->resets[i], e);
    if (rc)
      return err_context(e, "reset");
  }
  return session_flush(s, e);
}

size_t session_prepare_kernels(const struct session *s, const struct ready *r) {
  size_t n = s->options->l2 == L2_COLD;
  for (size_t i = 0; i < r->trial->plan.n_resets; i++)
    n += !r->trial->plan.resets[i].fill_buffer && !r->trial->plan.resets[i].init_buffer;
  return n;
}

int session_launch(struct session *s, const struct ready *r, struct err *e) {
  for (size_t i = 0; i < r->trial->plan.n_steps; i++) {
    const struct plan_launch *l = &r->trial->plan.steps[i];
    int rc = l->call ? host_launch(s, r, l, r->calls[i], e) : launch_one(s, r, l, r->steps[i], e);
    if (rc)
      return rc;
  }
  return 0;
}

int session_run(struct session *s, const struct ready *r, struct err *e) {
  int rc = session_prepare(s, r, e);
  if (!rc)
    rc = session_launch(s, r, e);
  return rc ? rc : session_wait(s, e);
}

int session_launch_reference(struct session *s, const struct ready *r, struct err *e) {
  return launch_one(s, r, r->trial->plan.reference, r->reference, e);
}
