#include "analysis/compare/diff_static.h"

#include "analysis/compare/diff_match.h"
#include "analysis/metrics/value.h"
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the quantities --- */

static const struct run_module *module_of(const struct run *r, const struct run_result *x) {
  return &r->modules[x->module];
}

/* Of kernels the largest. */
static struct value quantity_of(const struct static_quantity *q, const struct run *r, const struct run_result *x) {
  const struct run_module *m = module_of(r, x);
  double largest = -1;
  for (size_t i = 0; i < m->n_kernels && q->of_kernel; i++)
    largest = fmax(largest, q->of_kernel(&m->kernels[i]));
  return q->of ? q->of(r, x) : largest < 0 ? value_absent(q->reason) : value_of(largest);
}

static double kernel_registers(const struct run_kernel *k) {
  return k->registers;
}

static double kernel_spills(const struct run_kernel *k) {
  return k->spill_store_bytes < 0 || k->spill_load_bytes < 0 ? -1
                                                             : (double)(k->spill_store_bytes + k->spill_load_bytes);
}

static double kernel_local(const struct run_kernel *k) {
  return (double)k->local_bytes;
}

static double kernel_shared(const struct run_kernel *k) {
  return (double)k->smem_static;
}

static struct value instructions(const struct run *r, const struct run_result *x) {
  const struct run_module *m = module_of(r, x);
  size_t n = 0;
  for (size_t i = 0; i < m->n_kernels; i++) {
    const struct run_kernel *k = &m->kernels[i];
    if (!k->n_sass)
      return value_absent(k->sass_reason ? k->sass_reason : "no SASS");
    n += run_kernel_instructions(k);
  }
  return n ? value_of((double)n) : value_absent("no SASS");
}

static struct value cubin(const struct run *r, const struct run_result *x) {
  long bytes = module_of(r, x)->cubin_bytes;
  return bytes > 0 ? value_of((double)bytes) : value_absent("not reported");
}

enum quantity { REGISTERS, SPILLS, LOCAL, SHARED, INSTRUCTIONS, CUBIN, N_QUANTITIES };
static const struct static_quantity quantities[N_QUANTITIES] = {
    [REGISTERS] = {"registers", "registers", "a thread", STATIC_LIMITED, .of_kernel = kernel_registers,
                   .reason = "no kernel"},
    [SPILLS] = {"spill_bytes", "spills", "bytes", STATIC_NEVER, .of_kernel = kernel_spills, .reason = "not reported"},
    [LOCAL] = {"local_bytes", "local", "bytes a thread", STATIC_SHOWN, .of_kernel = kernel_local,
               .reason = "no kernel"},
    [SHARED] = {"smem_static_bytes", "shared", "bytes a block", STATIC_SHOWN, .of_kernel = kernel_shared,
                .reason = "no kernel"},
    [INSTRUCTIONS] = {"sass_instructions", "SASS", "instructions", STATIC_LIMITED, .of = instructions},
    [CUBIN] = {"cubin_bytes", "cubin", "bytes", STATIC_SHOWN, .of = cubin},
};
_Static_assert((int)N_QUANTITIES <= (int)STATIC_QUANTITIES_MAX, "struct static_pair has room for every quantity");

const struct static_quantity *static_quantities(size_t *n) {
  *n = N_QUANTITIES;
  return quantities;
}

const char *static_verdict_name(enum static_verdict v) {
  static const char *const names[STATIC_VERDICTS] = {
      [STATIC_SAME] = "SAME",     [STATIC_CHANGED] = "CHANGED", [STATIC_WORSE] = "WORSE", [STATIC_BROKEN] = "BROKEN",
      [STATIC_MENDED] = "MENDED", [STATIC_REMOVED] = "REMOVED", [STATIC_ADDED] = "ADDED", [STATIC_ABSENT] = "ABSENT",
  };
  return (unsigned)v < STATIC_VERDICTS ? names[v] : "unknown";
}

/* --- one pair --- */

static const char *why_absent(const struct run_result *x) {
  return x->check.reason ? x->check.reason : "its machine code was not kept";
}

static void change_of(struct static_change *c, const struct static_quantity *q, const struct static_diff *d,
                      struct value before, struct value after) {
  *c = (struct static_change){.before = before, .after = after};
  if (!before.present || !after.present)
    return;
  double rise = after.v - before.v;
  c->changed = rise != 0;
  c->regression = (q->gate == STATIC_NEVER && rise > 0) ||
                  (q->gate == STATIC_LIMITED && rise > 0 && rise > d->fail_over * before.v);
}

/* Without SASS on both sides code that grew would pass: the cubin's size takes the gate of the instructions. */
static void size_judge(struct static_pair *p, const struct static_diff *d) {
  struct static_change *code = &p->changes[INSTRUCTIONS], *size = &p->changes[CUBIN];
  p->size_stands_in = !p->same_code && !(code->before.present && code->after.present);
  if (p->size_stands_in && size->before.present && size->after.present)
    size->regression = size->after.v > size->before.v * (1 + d->fail_over);
}

static void judge(struct static_pair *p, const struct static_diff *d, const struct run *a, const struct run *b) {
  bool in_a = p->a && p->a->module >= 0, in_b = p->b && p->b->module >= 0;
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    const struct static_quantity *q = &quantities[i];
    change_of(&p->changes[i], q, d, in_a ? quantity_of(q, a, p->a) : value_absent("not compiled"),
              in_b ? quantity_of(q, b, p->b) : value_absent("not compiled"));
  }
  if (!p->a || !p->b) {
    p->verdict = p->a ? STATIC_REMOVED : STATIC_ADDED;
  } else if (in_a && in_b) {
    p->verdict = STATIC_SAME;
    p->same_code = diff_same_module(a, p->a->module, b, p->b->module);
    size_judge(p, d);
    for (size_t i = 0; i < N_QUANTITIES; i++)
      if (p->changes[i].regression)
        p->verdict = STATIC_WORSE;
      else if (p->changes[i].changed && p->verdict == STATIC_SAME)
        p->verdict = STATIC_CHANGED;
  } else {
    p->reason = why_absent(in_b ? p->a : p->b);
    p->verdict = in_a && p->b->check.verdict == VERDICT_FAILED   ? STATIC_BROKEN
                 : in_b && p->a->check.verdict == VERDICT_FAILED ? STATIC_MENDED
                                                                 : STATIC_ABSENT;
  }
}

/* --- which with which --- */

static bool same_module(const struct run_result *x, const struct run_result *y) {
  return x && y ? x->module == y->module : !x && !y;
}

static void add_pair(struct static_diff *d, struct static_pair p) {
  for (size_t i = 0; i < d->n; i++) {
    struct static_pair *q = &d->pairs[i];
    if (p.id_a == q->id_a && p.id_b == q->id_b && same_module(p.a, q->a) && same_module(p.b, q->b)) {
      q->shapes++;
      return;
    }
  }
  struct static_pair *added = array_add(&d->pairs, &d->n, sizeof *added);
  *added = p;
}

static const struct run_result *first_of(const struct run *r, const struct run_variant *v) {
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].variant == v - r->variants)
      return &r->results[i];
  return NULL;
}

/* The launches, which nobody saw, take no part. */
static const char *renaming(struct diff_side a, const struct run_variant *v, struct diff_side b,
                            const struct run_variant *w) {
  const struct run *r = a.runs->run, *s = b.runs->run;
  const struct run_result *x = first_of(r, v), *y = first_of(s, w);
  return !x || !y                                       ? NULL
         : diff_same_source(r, x, s, y)                 ? "the same source but for its name"
         : diff_same_module(r, x->module, s, y->module) ? "the same machine code"
                                                        : NULL;
}

/* Every variant has one. */
static const struct variant_link *link_of(const struct variant_link *l, const struct run_variant *v, bool in_b) {
  for (;; l++) {
    const struct run_variant *w = in_b ? l->b : l->a;
    if (w && strcmp(w->id, v->id) == 0)
      return l;
  }
}

static void pairs_fill(struct static_diff *d, const struct run *a, const struct run *b,
                       const struct variant_link *links, const struct static_options *o) {
  for (size_t i = 0; i < a->n_results; i++) {
    const struct run_result *x = &a->results[i];
    const struct run_variant *v = &a->variants[x->variant];
    const struct variant_link *l = link_of(links, v, false);
    const struct run_variant *w = l->b;
    if (o->selects && !o->selects(o->context, v, x->shape) && !(w && o->selects(o->context, w, x->shape)))
      continue;
    const struct run_result *y = w ? run_result_find(b, w->id, x->shape) : NULL;
    add_pair(d, (struct static_pair){.id_a = v->id,
                                     .id_b = w ? w->id : NULL,
                                     .renamed = l->renamed,
                                     .shape = x->shape,
                                     .shapes = 1,
                                     .a = x,
                                     .b = y});
  }
  for (size_t i = 0; i < b->n_results; i++) {
    const struct run_result *y = &b->results[i];
    const struct run_variant *w = &b->variants[y->variant];
    if (!link_of(links, w, true)->a && (!o->selects || o->selects(o->context, w, y->shape)))
      add_pair(d, (struct static_pair){.id_b = w->id, .shape = y->shape, .shapes = 1, .b = y});
  }
}

static const char *arch_of(const struct run *r) {
  const char *arch = NULL;
  for (size_t i = 0; i < r->n_modules; i++) {
    if (arch && r->modules[i].arch && strcmp(arch, r->modules[i].arch) != 0)
      return NULL;
    arch = r->modules[i].arch;
  }
  return arch;
}

int static_diff_make(struct static_diff *out, const struct run *a, const struct run *b, const struct static_options *o,
                     struct err *e) {
  *out = (struct static_diff){.arch_a = arch_of(a), .arch_b = arch_of(b), .fail_over = o->fail_over};
  if (out->arch_a && out->arch_b && strcmp(out->arch_a, out->arch_b) != 0)
    return err_set(e, ERR_DATA,
                   "the first run was compiled for %s, the second for %s: their instructions are not comparable; "
                   "compile both for one chip (--target %s)",
                   out->arch_a, out->arch_b, out->arch_a);
  const struct findings of_a = {.run = a}, of_b = {.run = b};
  struct variant_link *links = NULL;
  variant_links_make(&links, (struct diff_side){&of_a, 1}, (struct diff_side){&of_b, 1}, renaming);
  pairs_fill(out, a, b, links, o);
  free(links);
  for (size_t i = 0; i < out->n; i++) {
    struct static_pair *q = &out->pairs[i];
    judge(q, out, a, b);
    out->counts[q->verdict]++;
    out->regressions += q->verdict == STATIC_WORSE || q->verdict == STATIC_BROKEN;
  }
  return 0;
}

bool static_diff_compared(const struct static_diff *d) {
  return d->counts[STATIC_ADDED] + d->counts[STATIC_REMOVED] + d->counts[STATIC_ABSENT] < d->n;
}

void static_diff_release(struct static_diff *d) {
  free(d->pairs);
  *d = (struct static_diff){0};
}
