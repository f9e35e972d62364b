/* A parsed rung: its names checked, its memory released. */
#include "kernels/frontmatter.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* --- the expressions of what has many; NULL too --- */

typedef void expr_fn(void *context, struct expr *x);

static void launch_exprs(const struct rung_launch *l, expr_fn *visit, void *context) {
  for (int i = 0; i < RUNG_DIMS; i++) {
    visit(context, l->grid[i]);
    visit(context, l->block[i]);
    visit(context, l->cluster[i]);
  }
  visit(context, l->smem);
  visit(context, l->condition);
  for (size_t i = 0; i < l->n_args; i++)
    visit(context, l->args[i].expr);
}

static void tensormap_exprs(const struct rung_tensormap *t, expr_fn *visit, void *context) {
  for (int i = 0; i < RUNG_TENSOR_RANK; i++) {
    visit(context, t->dims[i]);
    visit(context, t->strides[i]);
    visit(context, t->box[i]);
  }
}

/* --- the names in its expressions --- */

struct name_check {
  struct fm at;
  const char *const *names; /* what the scope holds beside them */
  size_t n_names;
  bool params, constants; /* whether the scope holds the rung's parameters, and its constant lets */
  struct err *e;
  int rc;
};

static void name_visit(void *context, const char *name) {
  struct name_check *c = context;
  const struct rung *r = c->at.rung;
  const char *candidates[2 * FM_LIST_MAX + RUNG_SIZES_MAX + 16];
  size_t n = 0;
  for (size_t i = 0; i < c->n_names; i++)
    candidates[n++] = c->names[i];
  for (size_t i = 0; c->params && i < r->n_sizes; i++)
    candidates[n++] = r->sizes[i].name;
  for (size_t i = 0; c->params && i < r->n_params; i++)
    candidates[n++] = r->params[i].name;
  for (size_t i = 0; c->constants && i < r->n_constant_lets; i++)
    candidates[n++] = r->constant_lets[i].name;
  for (size_t i = 0; i < n; i++)
    if (strcmp(candidates[i], name) == 0)
      return;
  if (c->rc == 0)
    c->rc = fm_error_unknown(c->e, &c->at, "name", name, candidates, n);
}

static void names_of(void *check, struct expr *x) {
  if (x)
    expr_names(x, name_visit, check);
}

/* Written out, so that lets in it are no names of their own and a circle of them is found. */
static void names_of_let(struct name_check *c, const struct expr *x) {
  struct expr *written_out = NULL;
  if (c->rc == 0)
    c->rc = fm_expr(&c->at, "value", expr_text(x), &written_out, c->e);
  names_of(c, written_out);
  expr_free(written_out);
}

/* The nth key of that name in the rung. */
static void names_at(struct name_check *c, const char *key, size_t nth) {
  const struct rung *r = c->at.rung;
  for (size_t i = 0; i < r->n_keys; i++)
    if (strcmp(r->keys[i].key, key) == 0 && nth-- == 0)
      c->at.key = &r->keys[i];
}

int fm_check_names(const struct rung *r, struct err *e) {
  static const char *const limits[] = {
      "sum_abs_max", "block_abs_max", "block_raw_max", "scale_max", "scale_product_max", "contest", "M", "K", "L"};
  struct name_check c = {.at = {(struct rung *)r, r->keys}, .params = true, .constants = true, .e = e};
  c.names = fm_rung_scalars(r, &c.n_names);
  const struct {
    const char *key;
    struct expr *x;
  } single[] = {{"needs", r->needs}, {"bytes", r->bytes}, {"flops", r->flops}};
  /* First: elsewhere they are written out, and an unknown name would be that key's. */
  for (size_t i = 0; i < r->n_lets; i++) {
    names_at(&c, "let", i);
    names_of_let(&c, r->lets[i].value);
  }
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
    names_at(&c, single[i].key, 0);
    names_of(&c, single[i].x);
  }
  c.constants = false; /* they are worked out from the parameters */
  for (size_t i = 0; i < r->n_whens; i++) {
    names_at(&c, "when", i);
    names_of(&c, r->whens[i].condition);
  }
  c.constants = true;
  for (size_t i = 0; i < r->n_paths; i++) {
    names_at(&c, "path", i);
    names_of(&c, r->paths[i].condition);
  }
  for (size_t i = 0; i < r->n_steps; i++) {
    names_at(&c, "step", i);
    launch_exprs(&r->steps[i], names_of, &c);
  }
  for (size_t i = 0; i < r->n_setups; i++) {
    names_at(&c, "setup", i);
    launch_exprs(&r->setups[i], names_of, &c);
  }
  for (size_t i = 0; i < r->n_resets; i++) {
    names_at(&c, "reset", i);
    launch_exprs(&r->resets[i].launch, names_of, &c);
  }
  for (size_t i = 0; i < r->n_scratch; i++) {
    names_at(&c, "scratch", i);
    names_of(&c, r->scratch[i].bytes);
  }
  for (size_t i = 0; i < r->n_tensormaps; i++) {
    names_at(&c, "tensormap", i);
    tensormap_exprs(&r->tensormaps[i], names_of, &c);
  }
  for (size_t i = 0; i < r->n_buffers; i++) {
    names_at(&c, "buffer", i);
    names_of(&c, r->buffers[i].count);
  }
  if (r->reference) {
    names_at(&c, "reference", 0);
    launch_exprs(r->reference, names_of, &c);
  }
  c.names = limits;
  c.n_names = sizeof limits / sizeof *limits;
  c.params = c.constants = false; /* limits judge the inputs, before a shape chooses parameters */
  names_at(&c, "limits", 0);
  names_of(&c, r->limits);
  return c.rc;
}

/* --- release --- */

static void release(void *context, struct expr *x) {
  (void)context;
  expr_free(x);
}

static void launch_release(struct rung_launch *l) {
  launch_exprs(l, release, NULL);
  free(l->kernel);
  for (size_t i = 0; i < l->n_args; i++)
    free(l->args[i].name);
  free(l->args);
}

static void tensormap_release(struct rung_tensormap *t) {
  free(t->name);
  free(t->buffer);
  free(t->type);
  tensormap_exprs(t, release, NULL);
}

static void published_release(struct rung_published *p) {
  free(p->device);
  free(p->what);
  free(p->source);
}

static void when_release(struct rung_when *w) {
  expr_free(w->condition);
  for (size_t i = 0; i < w->n_assigns; i++)
    free(w->assigns[i].name);
  free(w->assigns);
}

static void let_release(struct rung_let *l) {
  free(l->name);
  expr_free(l->value);
}

static void lists_release(struct rung *r) {
  for (size_t i = 0; i < r->n_published; i++)
    published_release(&r->published[i]);
  for (size_t i = 0; i < r->n_params; i++) {
    free(r->params[i].name);
    free(r->params[i].choices);
  }
  for (size_t i = 0; i < r->n_lets; i++)
    let_release(&r->lets[i]);
  for (size_t i = 0; i < r->n_constant_lets; i++)
    let_release(&r->constant_lets[i]);
  for (size_t i = 0; i < r->n_whens; i++)
    when_release(&r->whens[i]);
  for (size_t i = 0; i < r->n_paths; i++) {
    expr_free(r->paths[i].condition);
    free(r->paths[i].text);
  }
  for (size_t i = 0; i < r->n_steps; i++)
    launch_release(&r->steps[i]);
  for (size_t i = 0; i < r->n_setups; i++)
    launch_release(&r->setups[i]);
  for (size_t i = 0; i < r->n_sizes; i++) {
    free(r->sizes[i].name);
    expr_free(r->sizes[i].value);
  }
  for (size_t i = 0; i < r->n_buffers; i++) {
    free(r->buffers[i].name);
    expr_free(r->buffers[i].count);
    free(r->buffers[i].path);
  }
  if (r->reference)
    launch_release(r->reference);
  for (size_t i = 0; i < r->n_resets; i++) {
    free(r->resets[i].init_buffer);
    free(r->resets[i].fill_buffer);
    launch_release(&r->resets[i].launch);
  }
  for (size_t i = 0; i < r->n_scratch; i++) {
    free(r->scratch[i].name);
    expr_free(r->scratch[i].bytes);
  }
  for (size_t i = 0; i < r->n_tensormaps; i++)
    tensormap_release(&r->tensormaps[i]);
}

void fm_keys_release(struct rung_key *keys, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(keys[i].key);
    free(keys[i].value);
  }
  free(keys);
}

void rung_release(struct rung *r) {
  lists_release(r);
  free(r->published);
  free(r->params);
  free(r->lets);
  free(r->constant_lets);
  free(r->whens);
  free(r->paths);
  free(r->steps);
  free(r->setups);
  free(r->resets);
  free(r->sizes);
  free(r->buffers);
  free(r->reference);
  free(r->reference_path);
  free(r->scratch);
  free(r->tensormaps);
  fm_keys_release(r->keys, r->n_keys);
  array_free(r->options, r->n_options);
  free(r->id);
  free(r->ladder);
  free(r->parent);
  free(r->change);
  free(r->predicts);
  free(r->host);
  expr_free(r->limits);
  expr_free(r->needs);
  expr_free(r->bytes);
  expr_free(r->flops);
  *r = (struct rung){0};
}
