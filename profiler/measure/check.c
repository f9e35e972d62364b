/* Correctness first: a variant that fails is not timed. */
#include "profiler/measure/collect.h"
#include "profiler/measure/describe.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static void fill_check(struct run_check *out, const struct check *c) {
  out->verdict = c->pass ? VERDICT_PASS : VERDICT_WRONG;
  out->total = c->total;
  out->failed = c->failed;
  out->max_error = isfinite(c->max_error) ? c->max_error : 0;
  out->max_ratio = isfinite(c->max_ratio) ? c->max_ratio : 0;
  out->row = c->row;
  out->batch = c->batch;
  out->got = c->got_finite ? c->got : 0;
  out->got_present = c->got_finite;
  out->want = isfinite(c->want) ? c->want : 0;
  if (!c->pass) {
    out->cause = str_copy(fault_name(c->cause));
    out->reason = str_copy(fault_text(c->cause));
  }
}

/* What the driver says of each launch; the time phase replaces it by what CUPTI saw.  A library's
 * launches nobody knows before. */
static void describe_launches(struct session *s, struct ready *r) {
  const struct rung_plan *plan = &r->trial->plan;
  struct run_result *result = r->trial->result;
  if (result->launches || rung_plan_calls(plan))
    return;
  result->launches = calloc(plan->n_steps ? plan->n_steps : 1, sizeof *result->launches);
  for (size_t i = 0; i < plan->n_steps; i++) {
    const struct plan_launch *l = &plan->steps[i];
    struct run_launch *out = &result->launches[result->n_launches++];
    *out = describe_launch(l);
    int smem = 0, local = 0, blocks = 0;
    s->driver.cuFuncGetAttribute(&out->registers, CU_FUNC_ATTRIBUTE_NUM_REGS, r->steps[i]);
    s->driver.cuFuncGetAttribute(&smem, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, r->steps[i]);
    s->driver.cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, r->steps[i]);
    out->smem_static = smem;
    out->local_bytes = local;
    if (s->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor &&
        s->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, r->steps[i], (int)(l->block[0] * l->block[1] * l->block[2]), l->smem) == CUDA_SUCCESS)
      out->blocks_per_sm = blocks;
  }
}

static int compare(struct session *s, struct ready *r, struct err *e) {
  const struct problem *p = &s->problems[r->trial->problem];
  const struct rung *rung = r->trial->plan.rung;
  struct run_check *out = &r->trial->result->check;
  bool inside = true, intact = true;
  int rc = guards_intact(s, r->shape->c, r->shape->c_bytes, &intact, e);
  if (rc)
    return rc;
  if (!intact) {
    out->verdict = VERDICT_WRONG;
    out->cause = str_copy("out-of-bounds");
    out->reason = str_copy("it wrote outside C: the guard bytes before or after the output have changed");
    return 0;
  }
  if (!rung->writes_c) {
    out->verdict = VERDICT_UNCHECKED;
    out->reason = str_copy("it computes no C");
    return 0;
  }
  rc = rung_in_limits(rung, p, &inside, e);
  if (rc)
    return rc;
  if (!inside) {
    out->verdict = VERDICT_OUT_OF_RANGE;
    out->reason = str_printf("these inputs lie beyond its limits (%s)", expr_text(rung->limits));
    return 0;
  }
  uint16_t *c = malloc(r->shape->c_bytes);
  struct check check;
  if (!c)
    return err_nomem(e, "a copy of C");
  rc = driver_check(&s->driver, s->driver.cuMemcpyDtoH_v2(c, r->shape->c, r->shape->c_bytes), "cuMemcpyDtoH", e);
  if (!rc) {
    problem_check(&check, p, c, rung->accumulate);
    fill_check(out, &check);
  }
  free(c);
  return rc;
}

static int check_one(struct session *s, struct ready *r, struct err *e) {
  describe_launches(s, r);
  if (r->arrays)
    return check_generic(s, r, e);
  int rc = session_poison(s, r, e);
  if (!rc)
    rc = session_run(s, r, e);
  return rc ? rc : compare(s, r, e);
}

static int check_all(struct session *s, struct err *e) {
  for (size_t i = 0; i < s->n_ready; i++) {
    struct ready *r = &s->ready[i];
    if (r->trial->dead || r->trial->checked)
      continue;
    session_beat(s, r->trial->index);
    struct err why = {0};
    collect_range_push(r);
    int rc = check_one(s, r, &why);
    collect_range_pop();
    if (rc) {
      collect_fail(s, r, why.text);
      if (s->driver.cuCtxSynchronize() != CUDA_SUCCESS)
        return err_set(e, ERR_GPU, "the context is lost");
      continue;
    }
    r->trial->checked = true;
    r->trial->dead = r->trial->result->check.verdict == VERDICT_WRONG;
    collect_emit(s, r);
  }
  return 0;
}

PHASE_ROW(10, CHECK, check) = {.collect = check_all};
