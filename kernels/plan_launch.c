/* The launches of a plan and the buffers that they use. */
#include "kernels/plan.h"

#include <limits.h>
#include <stdlib.h>

/* Limits of the CUDA programming guide, equal on every chip of compute capability 8.0 and later. */
enum { BLOCK_THREADS_MAX = 1024, BLOCK_Z_MAX = 64, CLUSTER_SM = 90, CLUSTER_BLOCKS_MAX = 16, TMA_STRIDE = 16 };
enum { TMA_BOX_MAX = 256 };
static const long grid_max[RUNG_DIMS] = {2147483647, 65535, 65535};
static const char axes[] = "xyz";

/* --- launches --- */

/* The buffers of a generic problem, then its sizes. */
static int launch_generic_args(struct plan_launch *out, const struct plan_at *a, struct err *e) {
  const struct rung *r = a->scope->rung;
  out->args = calloc(r->n_buffers + r->n_sizes + 1, sizeof *out->args);
  for (size_t i = 0; i < r->n_buffers; i++)
    out->args[out->n_args++] = (struct plan_arg){ARG_BUFFER, r->buffers[i].name, 0};
  for (size_t i = 0; i < r->n_sizes; i++) {
    long value = 0;
    shape_size(&a->scope->shape, r->sizes[i].name, &value);
    if (value > INT_MAX)
      return err_set(e, ERR_DATA, "%s: %s: size %s = %ld does not fit an int; write args with i64(%s)", r->file, r->id,
                     r->sizes[i].name, value, r->sizes[i].name);
    out->args[out->n_args++] = (struct plan_arg){ARG_INT, NULL, value};
  }
  return 0;
}

static int launch_args(struct plan_launch *out, const struct rung_launch *l, const struct plan_at *a, struct err *e) {
  if (l->n_args == 0 && a->scope->rung->generic)
    return launch_generic_args(out, a, e);
  const struct shape s = a->scope->shape;
  const long extents[] = {s.m, s.k, s.l};
  enum { DEFAULTS = PROBLEM_BUFFERS + 3 };
  out->args = calloc(l->n_args ? l->n_args : (size_t)DEFAULTS, sizeof *out->args);
  if (l->n_args == 0) {
    for (size_t i = 0; i < PROBLEM_BUFFERS; i++)
      out->args[i] = (struct plan_arg){ARG_BUFFER, problem_buffers[i].name, 0};
    for (size_t i = 0; i < 3; i++)
      out->args[PROBLEM_BUFFERS + i] = (struct plan_arg){ARG_INT, NULL, extents[i]};
    out->n_args = DEFAULTS;
    return 0;
  }
  for (size_t i = 0; i < l->n_args; i++) {
    const struct rung_arg *arg = &l->args[i];
    bool wide = arg->kind == ARG_INT64, real = arg->kind == ARG_FLOAT || arg->kind == ARG_DOUBLE;
    struct plan_arg *to = &out->args[out->n_args];
    *to = (struct plan_arg){arg->kind, arg->name};
    long value = 0;
    int rc = real ? plan_eval(a, arg->expr, &to->real, e)
                  : plan_eval_long(a, arg->expr, "argument", wide ? -EXACT_MAX : INT_MIN, wide ? EXACT_MAX : INT_MAX, 0,
                                   &value, e);
    if (rc)
      return rc;
    to->value = value;
    out->n_args++;
  }
  return 0;
}

static int launch_cluster(struct rung_plan *p, struct plan_launch *out, const struct rung_launch *l,
                          const struct plan_at *a, struct err *e) {
  unsigned blocks = 1;
  if (!l->cluster[0])
    return 0;
  for (int i = 0; i < RUNG_DIMS; i++) {
    long size = 0;
    int rc = plan_eval_long(a, l->cluster[i], "cluster", 1, INT_MAX, 1, &size, e);
    if (rc)
      return rc;
    if (size > CLUSTER_BLOCKS_MAX)
      return plan_refuse(p, "%s: a cluster of %ld blocks along %c; at most %d are possible", l->kernel, size, axes[i],
                         CLUSTER_BLOCKS_MAX);
    if (out->grid[i] % (unsigned)size != 0)
      return plan_refuse(p, "%s: a grid of %u blocks along %c is not a multiple of the cluster's %ld", l->kernel,
                         out->grid[i], axes[i], size);
    out->cluster[i] = (unsigned)size;
    blocks *= (unsigned)size;
  }
  if (a->scope->chip->sm < CLUSTER_SM)
    return plan_refuse(p, "%s: clusters need sm >= %d; this chip is sm %d", l->kernel, CLUSTER_SM, a->scope->chip->sm);
  return blocks <= CLUSTER_BLOCKS_MAX ? 0
                                      : plan_refuse(p, "%s: a cluster of %u blocks; at most %d are possible", l->kernel,
                                                    blocks, CLUSTER_BLOCKS_MAX);
}

static int launch_geometry(struct rung_plan *p, struct plan_launch *out, const struct rung_launch *l,
                           const struct plan_at *a, struct err *e) {
  static const char *const grid_names[] = {"grid.x", "grid.y", "grid.z"};
  static const char *const block_names[] = {"block.x", "block.y", "block.z"};
  long threads = 1;
  for (int i = 0; i < RUNG_DIMS; i++) {
    long grid = 0, block = 0;
    int rc = plan_eval_long(a, l->grid[i], grid_names[i], 1, EXACT_MAX, 1, &grid, e);
    if (rc == 0)
      rc = plan_eval_long(a, l->block[i], block_names[i], 1, INT_MAX, 1, &block, e);
    if (rc == 0 && grid > grid_max[i])
      rc = plan_refuse(p, "%s: a grid of %ld blocks along %c; at most %ld are possible", l->kernel, grid, axes[i],
                       grid_max[i]);
    if (rc == 0 && i == RUNG_DIMS - 1 && block > BLOCK_Z_MAX)
      rc = plan_refuse(p, "%s: a block of %ld threads along z; at most %d are possible", l->kernel, block, BLOCK_Z_MAX);
    if (rc)
      return rc;
    /* Capped, so that three large extents do not overflow. */
    threads = threads > EXACT_MAX / block ? EXACT_MAX : threads * block;
    out->grid[i] = (unsigned)(grid > grid_max[i] ? grid_max[i] : grid);
    out->block[i] = (unsigned)block;
  }
  return threads <= BLOCK_THREADS_MAX
             ? 0
             : plan_refuse(p, "%s: a block of %u x %u x %u threads; a block holds %d at most", l->kernel, out->block[0],
                           out->block[1], out->block[2], BLOCK_THREADS_MAX);
}

int plan_one_launch(struct rung_plan *p, struct plan_launch *out, const struct rung_launch *l, const struct plan_at *a,
                    struct err *e) {
  long smem = 0;
  out->kernel = l->kernel;
  out->call = l->call;
  if (l->call)
    return launch_args(out, l, a, e);
  int rc = launch_geometry(p, out, l, a, e);
  if (rc == 0)
    rc = launch_cluster(p, out, l, a, e);
  if (rc == 0)
    rc = plan_eval_long(a, l->smem, "smem", 0, INT_MAX, 0, &smem, e);
  if (rc == 0 && smem > a->scope->chip->smem_optin)
    rc = plan_refuse(p, "%s: %ld bytes of dynamic shared memory; this chip gives a block %ld at most", l->kernel, smem,
                     a->scope->chip->smem_optin);
  out->smem = (unsigned)smem;
  return rc ? rc : launch_args(out, l, a, e);
}

/* The launches of one key whose `when` holds. */
static int plan_launches(struct rung_plan *p, const struct plan_scope *scope, const char *key,
                         const struct rung_launch *launches, size_t n, struct plan_launch **out, size_t *n_out,
                         struct err *e) {
  *out = calloc(n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    const struct plan_at a = {scope, key, i};
    bool holds = true;
    int rc = plan_eval_bool(&a, launches[i].condition, &holds, e);
    if (rc == 0 && holds)
      rc = plan_one_launch(p, &(*out)[(*n_out)++], &launches[i], &a, e);
    if (rc)
      return rc;
  }
  return 0;
}

int plan_steps(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  int rc = plan_launches(p, scope, "step", r->steps, r->n_steps, &p->steps, &p->n_steps, e);
  if (rc || p->n_steps)
    return rc;
  return plan_refuse(p, "none of its steps is launched at this shape: each has a `when` that is false");
}

int plan_setups(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  return plan_launches(p, scope, "setup", r->setups, r->n_setups, &p->setups, &p->n_setups, e);
}

int plan_resets(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  p->resets = calloc(r->n_resets + 1, sizeof *p->resets);
  for (size_t i = 0; i < r->n_resets; i++) {
    const struct rung_reset *reset = &r->resets[i];
    const struct plan_at a = {scope, "reset", i};
    bool holds = true;
    int rc = plan_eval_bool(&a, reset->launch.condition, &holds, e);
    if (rc)
      return rc;
    if (!holds)
      continue;
    struct plan_reset *out = &p->resets[p->n_resets++];
    out->init_buffer = reset->init_buffer;
    out->fill_buffer = reset->fill_buffer;
    out->fill_byte = reset->fill_byte;
    if (!reset->fill_buffer && !reset->init_buffer)
      rc = plan_one_launch(p, &out->launch, &reset->launch, &a, e);
    if (rc)
      return rc;
  }
  return 0;
}

/* --- buffers --- */

int plan_scratch(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  enum { POISON = 0xff };
  const struct rung *r = p->rung;
  p->scratch = calloc(r->n_scratch + 1, sizeof *p->scratch);
  for (size_t i = 0; i < r->n_scratch; i++) {
    const struct rung_scratch *s = &r->scratch[i];
    const struct plan_at a = {scope, "scratch", i};
    long bytes = 0;
    int rc = plan_eval_long(&a, s->bytes, s->name, 1, 1L << 40, 0, &bytes, e);
    if (rc)
      return rc;
    p->scratch[p->n_scratch++] = (struct plan_buffer){s->name, (size_t)bytes, s->fill < 0 ? POISON : s->fill};
  }
  return 0;
}

static int map_plan(struct rung_plan *p, struct plan_tensormap *out, const struct plan_at *a, struct err *e) {
  const struct rung_tensormap *m = out->map;
  for (int i = 0; i < m->rank; i++) {
    long dim = 0, stride = 0, box = 0;
    int rc = plan_eval_long(a, m->dims[i], "dims", 1, 1L << 32, 1, &dim, e);
    if (rc == 0 && i + 1 < m->rank)
      rc = plan_eval_long(a, m->strides[i], "strides", 1, (1L << 40) - 1, 1, &stride, e);
    if (rc == 0)
      rc = plan_eval_long(a, m->box[i], "box", 1, INT_MAX, 1, &box, e);
    if (rc == 0 && box > TMA_BOX_MAX)
      rc = plan_refuse(p, "tensormap %s: a box of %ld elements along dim %d; at most %d are possible", m->name, box, i,
                       TMA_BOX_MAX);
    if (rc == 0 && stride % TMA_STRIDE != 0)
      rc = plan_refuse(p, "tensormap %s: a stride of %ld bytes at dim %d; tensor copies need a multiple of %d", m->name,
                       stride, i + 1, TMA_STRIDE);
    if (rc)
      return rc;
    out->dims[i] = (unsigned long long)dim;
    out->strides[i] = (unsigned long long)stride;
    out->box[i] = (unsigned)box;
  }
  return 0;
}

int plan_tensormaps(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  int rc = 0;
  p->tensormaps = calloc(r->n_tensormaps + 1, sizeof *p->tensormaps);
  for (size_t i = 0; rc == 0 && i < r->n_tensormaps; i++) {
    const struct plan_at a = {scope, "tensormap", i};
    struct plan_tensormap *out = &p->tensormaps[p->n_tensormaps++];
    out->map = &r->tensormaps[i];
    rc = map_plan(p, out, &a, e);
  }
  return rc;
}
