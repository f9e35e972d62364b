#include "kernels/selection.h"

#include "base/file.h"
#include "base/text.h"
#include "kernels/problem.h"

#include <stdlib.h>

/* --- the rungs --- */

/* Adds the user's file to the set and selects its kernels, and the controls of the same problem. */
static int add_kernel(struct selection *s, const char *path, const char *variants, struct err *e) {
  enum { KERNEL_FILE_MAX = 4 << 20 };
  char *text = NULL;
  size_t n = 0, before = s->set.n;
  int rc = file_read(path, KERNEL_FILE_MAX, &text, &n, e);
  if (!rc)
    rc = rung_set_add(&s->set, path, text, e);
  free(text);
  struct text ids = {0};
  bool gemv = false;
  for (size_t i = before; !rc && i < s->set.n; i++) {
    text_printf(&ids, "%s%s", ids.n ? "," : "", s->set.rungs[i].id);
    gemv |= !s->set.rungs[i].generic;
  }
  text_add(&ids, gemv ? ",control-read" : "");
  if (!rc)
    rc = rung_set_finish(&s->set, e);
  if (!rc)
    rc = rung_select(&s->set, variants ? variants : text_str(&ids), s->chosen, e);
  text_release(&ids);
  return rc;
}

static int read_set(struct selection *s, const struct selection_asked *a, struct err *e) {
  enum { KERNEL_VARIANTS_MAX = 256 };
  int rc = rung_set_load(&s->set, a->kernels, e);
  if (rc)
    return rc;
  s->chosen = calloc(s->set.n + KERNEL_VARIANTS_MAX, sizeof *s->chosen);
  if (a->kernel)
    return add_kernel(s, a->kernel, a->variants, e);
  return rung_select(&s->set, a->variants ? a->variants : "all", s->chosen, e);
}

/* --- the shapes --- */

/* The first generic rung and the first of the GEMV among the chosen; NULL: none. */
static void first_of_each(const struct selection *s, const struct rung **generic, const struct rung **gemv) {
  *generic = *gemv = NULL;
  for (size_t i = s->set.n; i-- > 0;)
    if (s->chosen[i])
      *(s->set.rungs[i].generic ? generic : gemv) = &s->set.rungs[i];
}

/* The sizes that every chosen rung gives a shape. */
static int common_sizes(struct shape *out, const struct selection *s, const struct rung *first,
                        const struct shape *given, struct err *e) {
  int rc = rung_sizes(out, first, given, e);
  for (size_t i = 0; i < s->set.n && !rc; i++) {
    const struct rung *r = &s->set.rungs[i];
    struct shape other;
    if (!s->chosen[i] || r == first)
      continue;
    rc = rung_sizes(&other, r, given, e);
    if (!rc && !shape_equal(*out, other))
      rc = err_set(e, ERR_USAGE, "%s has the sizes %s and %s has %s; profile one at a time with --variant", first->id,
                   out->sizes, r->id, other.sizes);
  }
  return rc;
}

static int read_shapes(struct selection *s, const char *list, struct err *e) {
  const struct rung *generic, *gemv;
  char text[SHAPE_TEXT_MAX];
  first_of_each(s, &generic, &gemv);
  if (generic && gemv)
    return err_set(e, ERR_USAGE,
                   "%s is a problem of its own and %s is the NVFP4 GEMV: profile them one after the other", generic->id,
                   gemv->id);
  if (list || !generic) {
    int rc = shapes_parse(list ? list : "bench", &s->shapes, &s->n_shapes, e);
    if (rc)
      return rc;
  } else {
    s->shapes = calloc(1, sizeof *s->shapes);
    s->n_shapes = 1;
  }
  for (size_t i = 0; i < s->n_shapes; i++) {
    struct shape given = s->shapes[i];
    if (list && generic && !shape_named(&given))
      return err_set(e, ERR_USAGE, "--shape %s: %s has sizes of its own: write --shape \"NAME=VALUE NAME=VALUE\"",
                     shape_text(given, text), generic->id);
    if (!generic && shape_named(&given))
      return err_set(e, ERR_USAGE, "--shape %s: %s is the NVFP4 GEMV: write --shape MxKxL", given.sizes,
                     gemv ? gemv->id : "this");
    int rc = generic ? common_sizes(&s->shapes[i], s, generic, &given, e) : 0;
    if (rc)
      return rc;
  }
  return 0;
}

int selection_load(struct selection *out, const struct selection_asked *asked, struct err *e) {
  *out = (struct selection){0};
  int rc = read_set(out, asked, e);
  return rc ? rc : read_shapes(out, asked->shapes, e);
}

void selection_release(struct selection *s) {
  rung_set_release(&s->set);
  free(s->chosen);
  free(s->shapes);
  *s = (struct selection){0};
}
