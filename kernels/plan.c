/* A rung at a shape on a chip. */
#include "kernels/plan.h"
#include "kernels/frontmatter.h"
#include "kernels/generic.h"

#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- what the chip must have --- */

struct names_text {
  const struct plan_scope *scope;
  struct text chip, rest;
};

static void needs_visit(void *context, const char *name) {
  struct names_text *t = context;
  bool of_chip = fm_holds(fm_scalars + FM_EXTENTS, FM_SCALARS - FM_EXTENTS, name);
  double value = 0;
  if (!plan_lookup((void *)t->scope, name, &value))
    return;
  if (of_chip)
    text_printf(&t->chip, "%s %s %.0f", t->chip.n ? "," : "; this chip is", name, value);
  else
    text_printf(&t->rest, "%s %s = %.0f", t->rest.n ? "," : "; here", name, value);
}

static int plan_needs(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct plan_at a = {scope, "needs", 0};
  const struct rung *r = p->rung;
  bool met = true;
  int rc = plan_eval_bool(&a, r->needs, &met, e);
  if (rc || met)
    return rc;
  struct names_text t = {.scope = scope};
  expr_names(r->needs, needs_visit, &t);
  rc = plan_refuse(p, "needs %s%s%s", expr_text(r->needs), text_str(&t.chip), text_str(&t.rest));
  text_release(&t.chip);
  text_release(&t.rest);
  return rc;
}

/* --- parameters and defines --- */

static int plan_params(struct rung_plan *p, const struct rung_chip *chip, struct err *e) {
  const struct rung *r = p->rung;
  const struct plan_scope defaults = {r, p->shape, chip, NULL, 0};
  p->params = calloc(r->n_params + r->n_constant_lets + 1, sizeof *p->params);
  p->n_params = r->n_params;
  for (size_t i = 0; i < r->n_params; i++)
    p->params[i] = (struct rung_assign){r->params[i].name, r->params[i].value};
  for (size_t i = 0; i < r->n_whens; i++) {
    const struct rung_when *w = &r->whens[i];
    const struct plan_at a = {&defaults, "when", i};
    bool holds = false;
    int rc = plan_eval_bool(&a, w->condition, &holds, e);
    if (rc)
      return rc;
    if (!holds)
      continue;
    for (size_t j = 0; j < w->n_assigns; j++)
      for (size_t k = 0; k < p->n_params; k++)
        if (strcmp(p->params[k].name, w->assigns[j].name) == 0)
          p->params[k].value = w->assigns[j].value;
    break;
  }
  return 0;
}

/* Each may use those before it. */
static int plan_constant_lets(struct rung_plan *p, const struct rung_chip *chip, struct err *e) {
  const struct rung *r = p->rung;
  for (size_t i = 0; i < r->n_constant_lets; i++) {
    const struct plan_scope scope = {r, p->shape, chip, p->params, i};
    const struct rung_let *l = &r->constant_lets[i];
    long value = 0;
    int rc =
        plan_eval_long(&(struct plan_at){&scope, "constants", 0}, l->value, l->name, INT_MIN, INT_MAX, 0, &value, e);
    if (rc)
      return rc;
    p->params[p->n_params++] = (struct rung_assign){l->name, value};
  }
  return 0;
}

static void plan_defines(struct rung_plan *p) {
  const struct rung *r = p->rung;
  const struct {
    bool constant;
    const char *name;
    long value;
  } extents[] = {{r->constant_m, "SHAPE_M", p->shape.m},
                 {r->constant_k, "SHAPE_K", p->shape.k},
                 {r->constant_l, "SHAPE_L", p->shape.l}};
  p->defines = calloc(p->n_params + RUNG_SIZES_MAX + 4, sizeof *p->defines);
  for (size_t i = 0; i < p->n_params; i++)
    p->defines[p->n_defines++] = str_printf("-D%s=%ld", p->params[i].name, p->params[i].value);
  for (size_t i = 0; i < 3; i++)
    if (extents[i].constant)
      p->defines[p->n_defines++] = str_printf("-D%s=%ld", extents[i].name, extents[i].value);
  for (size_t i = 0; i < r->n_sizes; i++) {
    long value = 0;
    if (r->constant_sizes[i] && shape_size(&p->shape, r->sizes[i].name, &value))
      p->defines[p->n_defines++] = str_printf("-DSHAPE_%s=%ld", r->sizes[i].name, value);
  }
}

static int plan_path(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  for (size_t i = 0; i < r->n_paths && !p->path; i++) {
    const struct plan_at a = {scope, "path", i};
    bool holds = false;
    int rc = plan_eval_bool(&a, r->paths[i].condition, &holds, e);
    if (rc)
      return rc;
    if (holds)
      p->path = r->paths[i].text;
  }
  return 0;
}

static int plan_totals(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  if (!r->generic) { /* a generic problem's own counts stand already */
    p->bytes = problem_minimal_bytes(p->shape);
    p->flops = problem_flops(p->shape);
  }
  int rc = r->bytes ? plan_eval(&(struct plan_at){scope, "bytes", 0}, r->bytes, &p->bytes, e) : 0;
  if (rc == 0 && r->flops)
    rc = plan_eval(&(struct plan_at){scope, "flops", 0}, r->flops, &p->flops, e);
  if (rc == 0 && (p->bytes < 0 || p->flops < 0)) {
    const char *key = p->bytes < 0 ? "bytes" : "flops";
    rc = err_set(e, ERR_DATA, "%s:%d: %s: the value is negative at this shape; correct the expression", r->file,
                 fm_line(r, key, 0), key);
  }
  return rc;
}

/* --- a problem of one's own --- */

static bool size_lookup(void *context, const char *name, double *value) {
  long size = 0;
  bool there = shape_size(context, name, &size);
  *value = (double)size;
  return there;
}

/* A name that the rung does not have is a slip of whoever typed --shape. */
static int names_check(const struct rung *r, const struct shape *given, struct err *e) {
  for (const char *at = given->sizes; *at; at += strspn(at, " ")) {
    size_t n = strcspn(at, "="), i = 0;
    while (i < r->n_sizes && (strlen(r->sizes[i].name) != n || memcmp(r->sizes[i].name, at, n) != 0))
      i++;
    if (i == r->n_sizes) {
      struct text known = {0};
      for (i = 0; i < r->n_sizes; i++)
        text_printf(&known, "%s%s", i ? ", " : "", r->sizes[i].name);
      int rc = err_set(e, ERR_USAGE, "--shape: %s has no size %.*s; it has %s", r->id, (int)n, at, text_str(&known));
      text_release(&known);
      return rc;
    }
    at += strcspn(at, " ");
  }
  return 0;
}

int rung_sizes(struct shape *out, const struct rung *r, const struct shape *given, struct err *e) {
  *out = (struct shape){0};
  int rc = names_check(r, given, e);
  for (size_t i = 0; i < r->n_sizes && rc == 0; i++) {
    const struct rung_size *s = &r->sizes[i];
    long value = 0;
    if (!shape_size(given, s->name, &value) &&
        expr_eval_long(s->value, size_lookup, out, s->name, 1, EXACT_MAX, &value, e))
      return err_context(e, "%s:%d: size", r->file, fm_line(r, "size", i));
    rc = shape_add_size(out, s->name, value, e);
  }
  return rc;
}

static int plan_arrays(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  p->arrays = calloc(r->n_buffers + 1, sizeof *p->arrays);
  for (size_t i = 0; i < r->n_buffers; i++) {
    const struct rung_buffer *b = &r->buffers[i];
    const struct plan_at a = {scope, "buffer", i};
    size_t size = element_bytes(b->type);
    long count = 0;
    int rc = plan_eval_long(&a, b->count, b->name, 1, (1L << 40) / (long)size, 0, &count, e);
    if (rc)
      return rc;
    p->arrays[p->n_arrays++] = (struct plan_array){b, (size_t)count, (size_t)count * size};
  }
  return 0;
}

static bool names(const struct plan_launch *launches, size_t n, const char *buffer) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < launches[i].n_args; k++)
      if (launches[i].args[k].name && strcmp(launches[i].args[k].name, buffer) == 0)
        return true;
  return false;
}

/* The default of `bytes:`: outputs and what the steps name once, twice where it is read and written; scratch that a setup fills for a step, once. */
static void plan_traffic(struct rung_plan *p) {
  if (!p->rung->generic || p->rung->bytes)
    return;
  p->bytes = 0;
  for (size_t i = 0; i < p->n_arrays; i++) {
    const struct rung_buffer *b = p->arrays[i].buffer;
    if (b->output || names(p->steps, p->n_steps, b->name))
      p->bytes += (double)p->arrays[i].bytes * (b->output && b->init ? 2 : 1);
  }
  for (size_t i = 0; i < p->n_scratch; i++) {
    const char *name = p->scratch[i].name;
    if (names(p->setups, p->n_setups, name) && names(p->steps, p->n_steps, name))
      p->bytes += (double)p->scratch[i].bytes;
  }
}

/* The arrays, the reference and what is counted of a generic problem; nothing for the GEMV. */
static int plan_generic(struct rung_plan *p, const struct plan_scope *scope, struct err *e) {
  const struct rung *r = p->rung;
  if (!r->generic)
    return 0;
  int rc = plan_arrays(p, scope, e);
  if (rc || !r->reference)
    return rc;
  p->reference = calloc(1, sizeof *p->reference);
  const struct plan_at a = {scope, "reference", 0};
  return plan_one_launch(p, p->reference, r->reference, &a, e);
}

/* --- the plan --- */

int rung_plan(struct rung_plan *out, const struct rung *r, struct shape s, const struct rung_chip *chip,
              struct err *e) {
  *out = (struct rung_plan){.rung = r, .shape = s, .runnable = true};
  char text[SHAPE_TEXT_MAX];
  if (r->generic != shape_named(&s))
    return err_set(e, ERR_USAGE,
                   r->generic ? "%s: %s has sizes of its own: write --shape NAME=VALUE, not %s"
                              : "%s: %s is the NVFP4 GEMV: write --shape MxKxL, not %s",
                   r->file, r->id, shape_text(s, text));
  int rc = plan_params(out, chip, e);
  if (rc == 0)
    rc = plan_constant_lets(out, chip, e);
  const struct plan_scope scope = {r, s, chip, out->params, r->n_constant_lets};
  if (rc)
    return rc;
  plan_defines(out);
  rc = plan_path(out, &scope, e);
  if (rc == 0)
    rc = plan_generic(out, &scope, e);
  if (rc == 0)
    rc = plan_totals(out, &scope, e);
  if (rc == 0)
    rc = plan_needs(out, &scope, e);
  /* Launches of a rung that this chip cannot run may ask for what it does not have. */
  if (rc || !out->runnable)
    return rc;
  rc = plan_scratch(out, &scope, e);
  if (rc == 0)
    rc = plan_tensormaps(out, &scope, e);
  if (rc == 0)
    rc = plan_steps(out, &scope, e);
  if (rc == 0)
    rc = plan_setups(out, &scope, e);
  if (rc == 0)
    plan_traffic(out);
  return rc ? rc : plan_resets(out, &scope, e);
}

void rung_plan_release(struct rung_plan *p) {
  for (size_t i = 0; i < p->n_defines; i++)
    free(p->defines[i]);
  for (size_t i = 0; i < p->n_steps; i++)
    free(p->steps[i].args);
  for (size_t i = 0; i < p->n_setups; i++)
    free(p->setups[i].args);
  for (size_t i = 0; i < p->n_resets; i++)
    free(p->resets[i].launch.args);
  free(p->reason);
  free(p->params);
  free(p->defines);
  free(p->steps);
  free(p->setups);
  free(p->resets);
  free(p->scratch);
  free(p->tensormaps);
  free(p->arrays);
  if (p->reference)
    free(p->reference->args);
  free(p->reference);
  *p = (struct rung_plan){0};
}

bool rung_plan_calls(const struct rung_plan *p) {
  for (size_t i = 0; i < p->n_steps; i++)
    if (p->steps[i].call)
      return true;
  return false;
}

/* --- limits --- */

static bool limits_lookup(void *context, const char *name, double *value) {
  const struct problem *p = context;
  const struct {
    const char *name;
    double value;
  } values[] = {{"sum_abs_max", p->sum_abs_max},
                {"block_abs_max", p->block_abs_max},
                {"block_raw_max", p->block_raw_max},
                {"scale_max", p->scale_max},
                {"scale_product_max", p->scale_product_max},
                {"contest", p->inputs == INPUTS_CONTEST},
                {"M", (double)p->shape.m},
                {"K", (double)p->shape.k},
                {"L", (double)p->shape.l}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (strcmp(values[i].name, name) == 0) {
      *value = values[i].value;
      return true;
    }
  }
  return false;
}

int rung_in_limits(const struct rung *r, const struct problem *p, bool *inside, struct err *e) {
  const struct plan_scope scope = {.rung = r, .shape = p->shape};
  double value = 1;
  if (r->limits && expr_eval(r->limits, limits_lookup, (void *)p, &value, e))
    return plan_at_context(&(struct plan_at){&scope, "limits", 0}, e);
  *inside = value != 0;
  return 0;
}
