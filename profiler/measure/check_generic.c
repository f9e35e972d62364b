/* The check of an own problem: against another kernel, against a file, or none. */
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* What the outputs should be; *want is the caller's, NULL where the rung names no reference. */
static int reference_make(void **want, struct session *s, struct ready *r, struct err *e) {
  const struct rung_plan *plan = &r->trial->plan;
  *want = NULL;
  if (plan->rung->reference_path)
    return generic_reference_read(want, plan, e);
  if (!plan->reference)
    return 0;
  *want = malloc(generic_output_bytes(plan) + 1);
  int rc = *want ? arrays_poison(s, r, e) : err_nomem(e, "the reference");
  if (!rc)
    rc = session_prepare(s, r, e);
  if (!rc)
    rc = session_launch_reference(s, r, e);
  if (!rc)
    rc = session_wait(s, e);
  if (!rc)
    rc = arrays_download(s, r, *want, e);
  return rc ? err_context(e, "reference") : 0;
}

static void fill(struct run_check *out, const struct rung_plan *plan, const struct generic_check *c) {
  *out = (struct run_check){.verdict = c->failed ? VERDICT_WRONG : VERDICT_PASS,
                            .total = c->total,
                            .failed = c->failed,
                            .max_error = c->max_error,
                            .max_ratio = isfinite(c->max_ratio) ? c->max_ratio : 0,
                            .row = (long)c->index,
                            .got = isfinite(c->got) ? c->got : 0,
                            .got_present = isfinite(c->got),
                            .want = isfinite(c->want) ? c->want : 0};
  for (size_t i = 0; c->buffer && i < plan->n_arrays && plan->arrays[i].buffer->name != c->buffer; i++)
    out->batch++; /* which buffer it is */
  if (!c->failed)
    return;
  out->cause = str_copy(c->unwritten ? "unwritten" : isnan(c->got) ? "nan" : "differs");
  out->reason = c->unwritten
                    ? str_printf("%s[%zu] was not written: the poison is still there (%llu of %llu elements fail)",
                                 c->buffer, c->index, (unsigned long long)c->failed, (unsigned long long)c->total)
                    : str_printf("%s[%zu] is %.9g and should be %.9g (%llu of %llu elements fail)", c->buffer, c->index,
                                 c->got, c->want, (unsigned long long)c->failed, (unsigned long long)c->total);
}

static int judge(struct session *s, struct ready *r, const void *want, struct err *e) {
  const struct rung_plan *plan = &r->trial->plan;
  struct run_check *out = &r->trial->result->check;
  const char *beside = NULL;
  int rc = arrays_guards(s, r, &beside, e);
  if (rc)
    return rc;
  if (beside) {
    out->verdict = VERDICT_WRONG;
    out->cause = str_copy("out-of-bounds");
    out->reason = str_printf("it wrote outside %s: the guard bytes before or after the buffer have changed", beside);
    return 0;
  }
  if (!want) {
    out->verdict = VERDICT_UNCHECKED;
    out->reason = str_copy("no reference given");
    return 0;
  }
  void *got = malloc(generic_output_bytes(plan) + 1);
  rc = got ? arrays_download(s, r, got, e) : err_nomem(e, "a copy of the outputs");
  if (!rc) {
    struct generic_check c;
    generic_compare(&c, plan, got, want);
    fill(out, plan, &c);
  }
  free(got);
  return rc;
}

int check_generic(struct session *s, struct ready *r, struct err *e) {
  void *want = NULL;
  int rc = reference_make(&want, s, r, e);
  if (!rc)
    rc = arrays_poison(s, r, e);
  if (!rc)
    rc = session_run(s, r, e);
  if (!rc)
    rc = judge(s, r, want, e);
  free(want);
  return rc;
}
