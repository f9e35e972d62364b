#include "analysis/compare/diff_match.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A kernel of no register is one whose attributes nobody asked for: attach keeps what the launch tells. */
static bool same_attributes(const struct run_kernel *a, const struct run_kernel *b) {
  return a->registers == 0 || b->registers == 0 ||
         (a->registers == b->registers && a->smem_static == b->smem_static && a->local_bytes == b->local_bytes);
}

static bool same_kernel(const struct run_kernel *a, const struct run_kernel *b) {
  if (!a->n_sass || a->n_sass != b->n_sass || !str_same(a->name, b->name) || !same_attributes(a, b))
    return false;
  for (size_t i = 0; i < a->n_sass; i++)
    if (strcmp(a->sass[i].text, b->sass[i].text) != 0)
      return false;
  return true;
}

bool diff_same_module(const struct run *a, int module_a, const struct run *b, int module_b) {
  if (module_a < 0 || module_b < 0)
    return false;
  const struct run_module *x = &a->modules[module_a], *y = &b->modules[module_b];
  if (!str_same(x->arch, y->arch))
    return false;
  if (x->key && str_same(x->key, y->key))
    return true;
  bool same = x->n_kernels > 0 && x->n_kernels == y->n_kernels;
  for (size_t i = 0; i < x->n_kernels && same; i++)
    same = same_kernel(&x->kernels[i], &y->kernels[i]);
  return same;
}

static bool same_launch(const struct run_launch *a, const struct run_launch *b) {
  return str_same(a->kernel, b->kernel) && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
         memcmp(a->block, b->block, sizeof a->block) == 0 && memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
         a->smem_dynamic == b->smem_dynamic;
}

static bool same_launches(const struct run_result *x, const struct run_result *y) {
  bool same = x->n_launches == y->n_launches;
  for (size_t i = 0; i < x->n_launches && same; i++)
    same = same_launch(&x->launches[i], &y->launches[i]);
  return same;
}

static bool has_sass(const struct run_module *m) {
  for (size_t i = 0; i < m->n_kernels; i++)
    if (!m->kernels[i].n_sass)
      return false;
  return m->n_kernels > 0;
}

bool diff_code_known(const struct run *a, const struct run_result *x, const struct run *b, const struct run_result *y) {
  if (!same_launches(x, y))
    return true; /* whatever the code, its launch differs */
  if (x->module < 0 || y->module < 0)
    return false;
  const struct run_module *m = &a->modules[x->module], *n = &b->modules[y->module];
  return (m->key && n->key) || (has_sass(m) && has_sass(n));
}

bool diff_same_code(const struct run *a, const struct run_result *x, const struct run *b, const struct run_result *y) {
  return diff_same_module(a, x->module, b, y->module) && str_same(x->path, y->path) && same_launches(x, y);
}

/* --- source --- */

/* The next line that does not name a variant; NULL at the end. */
static const char *next_line(const char **rest, size_t *n) {
  while (**rest) {
    const char *line = *rest;
    *n = strcspn(line, "\n");
    *rest = line + *n + (line[*n] == '\n');
    const char *key = line;
    if (strncmp(key, "//!", 3) != 0)
      return line;
    key += 3 + strspn(key + 3, " \t");
    if (strncmp(key, "id:", 3) != 0 && strncmp(key, "parent:", 7) != 0)
      return line;
  }
  return NULL;
}

static bool same_lines(const char *a, const char *b) {
  for (;;) {
    size_t n = 0, m = 0;
    const char *x = next_line(&a, &n), *y = next_line(&b, &m);
    if (!x || !y)
      return x == y;
    if (n != m || memcmp(x, y, n) != 0)
      return false;
  }
}

bool diff_same_source(const struct run *a, const struct run_result *x, const struct run *b,
                      const struct run_result *y) {
  const char *s = run_source_text(a, a->variants[x->variant].file),
             *t = run_source_text(b, b->variants[y->variant].file);
  return s && t && run_params_same(x, y) && same_lines(s, t);
}

/* --- which is which --- */

static const struct run_variant *side_variant(struct diff_side s, const char *id) {
  for (size_t i = 0; i < s.n; i++) {
    const struct run_variant *v = run_variant_find(s.runs[i].run, id);
    if (v)
      return v;
  }
  return NULL;
}

static size_t side_variants(struct diff_side s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    n += s.runs[i].run->n_variants;
  return n;
}

static bool linked(const struct variant_link *links, size_t n, const struct run_variant *v, bool in_b) {
  for (size_t i = 0; i < n; i++) {
    const struct run_variant *w = in_b ? links[i].b : links[i].a;
    if (w && strcmp(w->id, v->id) == 0)
      return true;
  }
  return false;
}

static void find_renamed(struct variant_link *l, struct diff_side a, struct diff_side b, variant_renaming *renaming,
                         const struct variant_link *links, size_t n) {
  for (size_t i = 0; i < b.n && !l->b; i++)
    for (size_t k = 0; k < b.runs[i].run->n_variants && !l->b; k++) {
      const struct run_variant *w = &b.runs[i].run->variants[k];
      if (side_variant(a, w->id) || linked(links, n, w, true))
        continue;
      l->renamed = renaming(a, l->a, b, w);
      l->b = l->renamed ? w : NULL;
    }
}

size_t variant_links_make(struct variant_link **links, struct diff_side a, struct diff_side b,
                          variant_renaming *renaming) {
  struct variant_link *out = calloc(side_variants(a) + side_variants(b) + 1, sizeof *out);
  size_t n = 0;
  *links = out;
  for (size_t i = 0; i < a.n; i++)
    for (size_t k = 0; k < a.runs[i].run->n_variants; k++) {
      const struct run_variant *v = &a.runs[i].run->variants[k];
      if (linked(out, n, v, false))
        continue;
      out[n] = (struct variant_link){.a = v, .b = side_variant(b, v->id)};
      if (!out[n].b)
        find_renamed(&out[n], a, b, renaming, out, n);
      n++;
    }
  for (size_t i = 0; i < b.n; i++)
    for (size_t k = 0; k < b.runs[i].run->n_variants; k++)
      if (!linked(out, n, &b.runs[i].run->variants[k], true))
        out[n++] = (struct variant_link){.b = &b.runs[i].run->variants[k]};
  return n;
}
