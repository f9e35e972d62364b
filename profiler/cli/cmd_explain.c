#include "analysis/model/findings.h"
#include "analysis/story/story.h"
#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/diagnosed.h"
#include "profiler/cli/runs.h"
#include "reports/text/steps.h"
#include "run/run.h"
#include "run/run_filter.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"ladder", "NAME", "the steps of this ladder (default: of every ladder)"},
    {"variant", "LIST", "the steps from their parents to these variants: comma-separated ids, globs or ladders"},
    {"shape", "LIST", "comma-separated shapes: bench, tests, MxKxL (default: all of the run)"},
    {"device", "ID|FILE", "set the numbers against this device's ceilings instead of the run's own card"},
    {"details", NULL, "print for each shape: each cause's share, bounds, instructions by pipe, stalls, predictions"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

struct asked {
  const char *run, *from, *to, *ladder; /* NULL: the recorded run, no pair, every ladder */
  const char *word, *variants;          /* a ladder's name or a list of variants; a list; NULL: every step */
  bool *keep;                           /* the variants whose step was asked for; NULL: all */
  struct shape *shapes;
  size_t n_shapes;
};

/* A word that could be a file of another ending is one, where it stands alone. */
static bool is_run(const struct args *a) {
  return a->n_rest && (word_is_file(a->rest[0]) || (a->n_rest == 1 && strchr(a->rest[0], '.')));
}

static int asked_parse(struct asked *out, const struct args *a, struct err *e) {
  const char *list = args_get(a, "shape");
  int names = is_run(a), n = a->n_rest - names;
  *out = (struct asked){.ladder = args_get(a, "ladder"), .variants = args_get(a, "variant")};
  if (n > 2)
    return err_set(
        e, ERR_USAGE,
        "explain takes a run file, and a ladder, a variant or two variants: nvfp4-prof explain run.json A B");
  if (n == 2 && (out->ladder || out->variants))
    return err_set(e, ERR_USAGE, "two variants are one step: leave out --ladder and --variant, or the variants");
  if (!!out->ladder + !!out->variants + (n == 1) > 1)
    return err_set(e, ERR_USAGE, "a ladder and variants are two selections of steps: give one");
  out->run = names ? a->rest[0] : NULL;
  out->word = n == 1 ? a->rest[names] : NULL;
  if (n == 2) {
    out->from = a->rest[names];
    out->to = a->rest[names + 1];
  }
  return list ? shapes_parse(list, &out->shapes, &out->n_shapes, e) : 0;
}

/* Without --shape: every shape of the run. */
static int shapes_check(struct asked *q, const struct findings *f, struct err *e) {
  for (size_t i = 0; i < q->n_shapes; i++) {
    char text[SHAPE_TEXT_MAX];
    if (!shape_in(f->shapes, f->n_shapes, q->shapes[i]))
      return err_set(e, ERR_USAGE, "--shape %s is not in the run: it was not measured", shape_text(q->shapes[i], text));
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

static bool is_ladder(const struct findings *f, const char *name) {
  for (size_t i = 0; i < f->n_ladders; i++)
    if (strcmp(f->ladders[i].name, name) == 0)
      return true;
  return false;
}

/* ERR_USAGE, with the nearest name, where the run lacks the ladder or a variant. */
static int selection_verify(struct asked *q, const struct findings *f, struct err *e) {
  if (q->word && is_ladder(f, q->word))
    q->ladder = q->word;
  else if (q->word)
    q->variants = q->word;
  if (q->variants) {
    q->keep = calloc(f->run->n_variants + 1, sizeof *q->keep);
    return run_select(f->run, q->variants, q->keep, e);
  }
  if (!q->ladder || is_ladder(f, q->ladder))
    return 0;
  if (run_variant_find(f->run, q->ladder))
    return err_set(e, ERR_USAGE, "--ladder %s: it is a variant; nvfp4-prof explain %s explains its step", q->ladder,
                   q->ladder);
  return run_unknown(&f->run, 1, "ladder", q->ladder, e);
}

static bool step_wanted(const struct asked *q, const struct run *r, const struct run_variant *to, const char *ladder) {
  return !to->wrong && (!q->ladder || strcmp(q->ladder, ladder) == 0) && (!q->keep || q->keep[to - r->variants]);
}

static int no_step(const struct asked *q, struct err *e) {
  if (q->variants)
    return err_set(e, ERR_USAGE, "there is no step to explain: %s has no parent in this run", q->variants);
  if (q->ladder)
    return err_set(e, ERR_USAGE, "there is no step to explain: no variant of ladder %s has its parent in this run",
                   q->ladder);
  return err_set(e, ERR_USAGE, "there is no step to explain: no variant has its parent in this run");
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
  for (size_t i = 0; i < f->n_ladders && !rc; i++) {
    const struct ladder *l = &f->ladders[i];
    for (size_t k = 0; k < l->n && !rc; k++) {
      to = l->rungs[k];
      from = to->parent ? run_variant_find(f->run, to->parent) : NULL;
      if (from && step_wanted(q, f->run, to, l->name))
        rc = story_step_make(&steps[(*n)++], f, diagnoses, from, to, q->shapes, q->n_shapes, e);
    }
  }
  if (!rc && *n == 0)
    rc = no_step(q, e);
  return rc;
}

/* A variant that a step that was asked for begins or ends at. */
static bool of_steps(const struct asked *q, const struct run *r, const struct run_variant *v) {
  bool found = v->ladder && step_wanted(q, r, v, v->ladder);
  for (size_t i = 0; i < r->n_variants && !found; i++) {
    const struct run_variant *w = &r->variants[i];
    found = w->ladder && w->parent && strcmp(w->parent, v->id) == 0 && step_wanted(q, r, w, w->ladder);
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
  return of_steps(q, f->run, v);
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
    rc = selection_verify(q, f, e);
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
  free(q.keep);
  run_release(&run);
  return rc;
}

COMMAND_ROW(80, explain) = {
    .name = "explain",
    .arguments = "[RUN] [LADDER | X | A B]",
    .summary = "explain why each step got faster or slower",
    .needs = "a run file or the recorded run",
    .examples = "explain cuda-4-tuned\n"
                "explain --ladder cuda\n"
                "explain run.json cuda-2-intrinsics cuda-4-tuned\n",
    .options = option_rows,
    .run = explain_command,
};
