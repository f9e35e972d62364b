#include "profiler/measure/describe.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void copy_keys(struct run_variant *v, const struct rung *r) {
  v->keys = calloc(r->n_keys + 1, sizeof *v->keys);
  for (size_t i = 0; i < r->n_keys; i++)
    v->keys[v->n_keys++] = (struct run_key){str_copy(r->keys[i].key), str_copy(r->keys[i].value)};
}

static void copy_published(struct run_variant *v, const struct rung *r) {
  v->published = calloc(r->n_published + 1, sizeof *v->published);
  for (size_t i = 0; i < r->n_published; i++) {
    const struct rung_published *p = &r->published[i];
    v->published[v->n_published++] =
        (struct run_published){str_copy(p->device), str_copy(p->what), str_copy(p->source), p->time_ns, p->approximate};
  }
}

void describe_variant(struct run_variant *v, const struct rung *r) {
  *v = (struct run_variant){.id = str_copy(r->id),
                            .ladder = str_copy(r->ladder),
                            .parent = str_copy(r->parent),
                            .change = str_copy(r->change),
                            .predicts = str_copy(r->predicts),
                            .accumulate = str_copy(accumulate_name(r->accumulate)),
                            .file = str_copy(r->file),
                            .side = r->side,
                            .wrong = r->wrong != FAULT_NONE};
  copy_keys(v, r);
  copy_published(v, r);
}

/* Sources are the set's files, in its order: SASS lines refer to them by index. */
void describe_sources(struct run *run, const struct rung_set *set) {
  run->sources = calloc(set->n_files + 1, sizeof *run->sources);
  for (size_t i = 0; i < set->n_files; i++)
    run->sources[run->n_sources++] = (struct run_source){str_copy(set->files[i].name), str_copy(set->files[i].text)};
}

struct run_launch describe_launch(const struct plan_launch *l) {
  struct run_launch out = {.kernel = str_copy(l->kernel), .smem_dynamic = l->smem};
  memcpy(out.grid, l->grid, sizeof out.grid);
  memcpy(out.block, l->block, sizeof out.block);
  memcpy(out.cluster, l->cluster, sizeof out.cluster);
  return out;
}

void describe_result(struct run_result *out, const struct rung_plan *plan, int variant) {
  bool generic = plan->rung->generic;
  *out = (struct run_result){.variant = variant,
                             .shape = plan->shape,
                             .module = -1,
                             .path = str_copy(plan->path),
                             .bytes_minimal = generic ? plan->bytes : problem_minimal_bytes(plan->shape),
                             .bytes_contest = generic ? 0 : problem_contest_bytes(plan->shape),
                             .bytes_declared = plan->bytes,
                             .flops = plan->flops,
                             .check.verdict = VERDICT_SKIPPED};
  out->params = calloc(plan->n_params + 1, sizeof *out->params);
  for (size_t i = 0; i < plan->n_params; i++)
    out->params[out->n_params++] =
        (struct run_key){str_copy(plan->params[i].name), str_printf("%ld", plan->params[i].value)};
  if (!plan->runnable)
    out->check.reason = str_copy(plan->reason);
}

void describe_run(struct run *run, const struct profile_options *o) {
  char text[CLOCK_UTC_MAX];
  clock_utc(text);
  run->created = str_copy(text);
  run->origin = ORIGIN_MEASURED;
  run->l2 = str_copy(l2_policy_name(o->l2));
  run->inputs = str_copy(problem_inputs_name(o->inputs));
  run->seed = o->seed;
}

void describe_device(struct run_device *d, const struct gpu_probe *p, const struct compile_tools *tools) {
  gpu_probe_device(d, p);
  d->nvrtc = tools->nvrtc_version[0] ? str_copy(tools->nvrtc_version) : NULL;
}

struct rung_chip gpu_probe_chip(const struct gpu_probe *p) {
  return (struct rung_chip){.sm = p->sm,
                            .sms = p->sms,
                            .smem_optin = p->smem_optin,
                            .regs_per_sm = p->regs_per_sm,
                            .warps_per_sm = p->warps_per_sm,
                            .l2_bytes = (long)p->l2_bytes};
}
