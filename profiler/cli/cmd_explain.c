#include "analysis/model/findings.h"
#include "analysis/story/story.h"
#include "kernels/shape_list.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/diagnosed.h"
#include "profiler/cli/recorded.h"
#include "reports/text/steps.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"ladder", "NAME", "the steps of this ladder (default: of every ladder)"},
    {"shape", "LIST", "comma-separated shapes: bench, tests, MxKxL (default: all of the run)"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the run's own card"},
    {"details", NULL, "print for each shape: each cause's share, bounds, instructions by pipe, stalls, predictions"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *run, *from, *to, *ladder; /* NULL: the recorded run, no pair, every ladder */
  struct shape *shapes;
  size_t n_shapes;
};

static int asked_parse(struct asked *out, const struct args *a, struct err *e) {
  const char *list = args_get(a, "shape");
  bool pair = a->n_rest >= 2;
  *out = (struct asked){.ladder = args_get(a, "ladder")};
  if (a->n_rest > 3)
    return err_set(e, ERR_USAGE, "explain takes a run file, two variants, or both: nvfp4-prof explain run.json A B");
  if (pair && out->ladder)
    return err_set(e, ERR_USAGE, "two variants are one step: leave out --ladder or the variants");
  if (a->n_rest % 2)
    out->run = a->rest[0];
  if (a->n_rest == 1 && !word_is_file(out->run) && !strchr(out->run, '.')) {
    out->ladder = out->ladder ? out->ladder : out->run; /* a word that is no file */
    out->run = NULL;
  }
  if (pair) {
    out->from = a->rest[a->n_rest - 2];
    out->to = a->rest[a->n_rest - 1];
  }
  return list ? shapes_parse(list, &out->shapes, &out->n_shapes, e) : 0;
}

/* Without --shape: every shape of the run. */
static int shapes_check(struct asked *q, const struct findings *f, struct err *e) {
  for (size_t i = 0; i < q->n_shapes; i++) {
    char text[SHAPE_TEXT_MAX];
    if (!shape_in(f->shapes, f->n_shapes, q->shapes[i]))
      return err_set(e, ERR_MACHINE, "--shape %s is not in the run: it was not measured",
                     shape_text(q->shapes[i], text));
  }
  if (q->shapes)
    return 0;
  q->shapes = calloc(f->n_shapes + 1, sizeof *q->shapes);
  for (size_t i = 0; i < f->n_shapes; i++)
    q->shapes[i] = f->shapes[i];
  q->n_shapes = f->n_shapes;
  return 0;
}

static int variant_of(const struct run_variant **out, const struct run *r, const char *id, struct err *e) {
  *out = run_variant_find(r, id);
  return *out ? 0 : run_unknown(&r, 1, "variant", id, e);
}

/* ERR_USAGE, with the nearest name, where no rung of the run is on this ladder. */
static int ladder_verify(const char *name, const struct findings *f, struct err *e) {
  for (size_t i = 0; i < f->n_ladders; i++)
    if (strcmp(f->ladders[i].name, name) == 0)
      return 0;
  return run_unknown(&f->run, 1, "ladder", name, e);
}

/* Room for one step a variant; *n counts the steps that must be released, the one that failed too. */
static int steps_make(struct story_step *steps, size_t *n, const struct asked *q, const struct diagnoses *diagnoses,
                      struct err *e) {
  const struct findings *f = diagnoses->findings;
  const struct run_variant *from = NULL, *to = NULL;
  int rc = 0;
  if (q->from) {
    rc = variant_of(&from, f->run, q->from, e);
    if (!rc)
      rc = variant_of(&to, f->run, q->to, e);
    return rc ? rc : story_step_make(&steps[(*n)++], f, diagnoses, from, to, q->shapes, q->n_shapes, e);
  }
  if (q->ladder)
    rc = ladder_verify(q->ladder, f, e);
  for (size_t i = 0; i < f->n_ladders && !rc; i++) {
    const struct ladder *l = &f->ladders[i];
    for (size_t k = 0; k < l->n && !rc; k++) {
      to = l->rungs[k];
      from = to->parent ? run_variant_find(f->run, to->parent) : NULL;
      if (from && !to->wrong && (!q->ladder || strcmp(q->ladder, l->name) == 0))
        rc = story_step_make(&steps[(*n)++], f, diagnoses, from, to, q->shapes, q->n_shapes, e);
    }
  }
  if (!rc && *n == 0)
    rc = err_set(e, ERR_MACHINE, "there is no step to explain: no variant%s%s has its parent in this run",
                 q->ladder ? " of ladder " : "", q->ladder ? q->ladder : "");
  return rc;
}

/* A variant that a step of the ladder begins or ends at. */
static bool of_ladder(const struct run *r, const struct run_variant *v, const char *ladder) {
  bool found = v->ladder && strcmp(v->ladder, ladder) == 0;
  for (size_t i = 0; i < r->n_variants && !found; i++) {
    const struct run_variant *w = &r->variants[i];
    found = w->ladder && strcmp(w->ladder, ladder) == 0 && w->parent && strcmp(w->parent, v->id) == 0;
  }
  return found;
}

/* Advice is worked out where a step that was asked for begins or ends: of a whole run it takes longer than all else. */
static bool advice_wanted(const void *context, const struct findings *f, size_t i) {
  const struct asked *q = context;
  const struct run_result *x = f->items[i].result;
  const struct run_variant *v = &f->run->variants[x->variant];
  if (!shape_in(q->shapes, q->n_shapes, x->shape))
    return false;
  if (q->from)
    return strcmp(v->id, q->from) == 0 || strcmp(v->id, q->to) == 0;
  return !q->ladder || of_ladder(f->run, v, q->ladder);
}

static int explain(struct asked *q, const struct run *r, const struct args *a, struct err *e) {
  bool json = args_has(a, "json");
  struct analysed here;
  const struct findings *f = &here.findings;
  struct diagnoses diagnoses = {0};
  struct story_step *steps = calloc(r->n_variants + 1, sizeof *steps);
  struct text out = {0};
  size_t n = 0;
  int rc = analysed_make(&here, r, args_get(a, "device"), e);
  if (!rc)
    rc = shapes_check(q, f, e);
  if (!rc)
    diagnoses_make_of(&diagnoses, f, advice_wanted, q);
  if (!rc)
    rc = steps_make(steps, &n, q, &diagnoses, e);
  if (!rc && json)
    report_steps_json(f, steps, n, &out);
  else if (!rc)
    report_steps_term(f, steps, n, args_has(a, "details"), &out, cli_width(), cli_colour());
  if (!rc)
    rc = cli_print_or_words(&out, json, e);
  for (size_t i = 0; i < n; i++)
    story_step_release(&steps[i]);
  free(steps);
  text_release(&out);
  diagnoses_release(&diagnoses);
  analysed_release(&here);
  return rc;
}

static int explain_command(const struct args *a, struct err *e) {
  struct asked q = {0};
  struct run run = {0};
  int rc = asked_parse(&q, a, e);
  if (!rc)
    rc = q.run ? run_read(&run, q.run, e) : recorded_load(&run, e);
  if (!rc)
    rc = explain(&q, &run, a, e);
  free(q.shapes);
  run_release(&run);
  return rc;
}

COMMAND_ROW(80, explain) = {
    .name = "explain",
    .arguments = "[RUN] [--ladder L] [A B]",
    .summary = "explain why each step got faster or slower",
    .needs = "a run file or the recorded run",
    .examples = "explain --ladder cuda\n"
                "explain run.json cuda-2-intrinsics cuda-4-tuned\n",
    .options = option_rows,
    .run = explain_command,
};
