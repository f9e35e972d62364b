/* annotate: the source of a kernel with its samples beside each line. */
#include "analysis/model/hot.h"
#include "base/shape.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/diagnosed.h"
#include "profiler/cli/runs.h"
#include "reports/text/annotate.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <stdlib.h>

static const struct option_row option_rows[] = {
    {"variant", "LIST", "the kernels: comma-separated ids, globs or ladders"},
    {"shape", "MxKxL", "at this shape (default: the first that has samples)"},
    {"all", NULL, "print whole files, not only the lines near samples"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *run, *variants, *shape; /* run NULL: the recorded one */
  struct report_annotate_options options;
};

/* The variant's result at the shape; without one the first that has samples, else the first. */
static const struct run_result *result_of(const struct run *r, int variant, const struct shape *at) {
  const struct run_result *first = NULL;
  for (size_t i = 0; i < r->n_results; i++) {
    const struct run_result *x = &r->results[i];
    if (x->variant != variant || (at && !shape_equal(x->shape, *at)))
      continue;
    if (x->n_samples)
      return x;
    first = first ? first : x;
  }
  return first;
}

static void annotate_one(const struct asked *q, const struct run *r, const struct run_result *x, struct text *out) {
  char shape[SHAPE_TEXT_MAX];
  struct hot h = {0};
  hot_make(&h, r, x);
  text_printf(out, "%s%s", out->n ? "\n" : "", r->variants[x->variant].id);
  if (!shape_none(x->shape))
    text_printf(out, " at %s", shape_text(x->shape, shape));
  text_add(out, "\n");
  if (h.n_lines)
    report_annotate(&h, &q->options, out);
  else
    text_printf(out, "no samples at its lines: %s\n", h.reason ? h.reason : "the run keeps none of its sources");
  hot_release(&h);
}

static int annotate(const struct asked *q, const struct run *r, struct err *e) {
  bool *keep = calloc(r->n_variants + 1, sizeof *keep);
  struct shape at;
  struct text out = {0};
  size_t n = 0;
  int rc = run_select(r, q->variants, keep, e);
  if (!rc && q->shape && (rc = shape_parse(&at, q->shape, e)))
    err_context(e, "--shape");
  for (size_t i = 0; i < r->n_variants && !rc; i++) {
    const struct run_result *x = keep[i] ? result_of(r, (int)i, q->shape ? &at : NULL) : NULL;
    n += x != NULL;
    if (x)
      annotate_one(q, r, x, &out);
  }
  if (!rc && n == 0)
    rc = err_set(e, ERR_USAGE, "--variant %s was not measured at this --shape", q->variants);
  if (!rc)
    rc = cli_print_words(&out, e);
  text_release(&out);
  free(keep);
  return rc;
}

static int annotate_command(const struct args *a, struct err *e) {
  struct asked q = {.variants = args_get(a, "variant"),
                    .shape = args_get(a, "shape"),
                    .options = {.width = cli_width(), .colour = cli_colour(), .whole = args_has(a, "all")}};
  struct run run = {0};
  int rc = words_parse(&q.run, &q.variants, a, e);
  if (!rc && !q.variants && !q.run)
    rc = err_set(e, ERR_USAGE, "which variant? nvfp4-prof annotate X; nvfp4-prof list variants names them");
  if (!rc)
    rc = q.run ? run_read(&run, q.run, e) : recorded_load(&run, e);
  if (!rc && !q.variants)
    rc = only_variant(&q.variants, q.run, &run, e);
  if (!rc)
    rc = annotate(&q, &run, e);
  run_release(&run);
  return rc;
}

COMMAND_ROW(70, annotate) = {
    .name = "annotate",
    .arguments = "[RUN] X",
    .summary = "show a kernel's source with samples and stall reasons beside each line",
    .needs = "a run file or the recorded run",
    .examples = "annotate cuda-4-tuned\n"
                "annotate run.json --variant my-kernel --all\n",
    .options = option_rows,
    .run = annotate_command,
};
