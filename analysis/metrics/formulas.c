#include "analysis/metrics/formulas.h"

#include "base/text.h"

#include <string.h>

static const char *const FACT_NAMES[FACTS] = {
    [FACT_TIME_S] = "time_s",
    [FACT_BYTES_MINIMAL] = "bytes_minimal",
    [FACT_BYTES_CONTEST] = "bytes_contest",
    [FACT_FLOPS] = "flops",
    [FACT_M] = "M",
    [FACT_K] = "K",
    [FACT_L] = "L",
    [FACT_ELEMENTS] = "elements",
    [FACT_SMS] = "sms",
    [FACT_CLOCK_MAX_HZ] = "clock_max_hz",
    [FACT_WARPS_PER_SM] = "warps_per_sm",
    [FACT_REGISTERS] = "registers",
    [FACT_BLOCKS] = "blocks",
    [FACT_THREADS] = "threads",
    [FACT_BLOCKS_PER_SM] = "blocks_per_sm",
};

const char *fact_name(enum fact f) {
  return FACT_NAMES[f];
}

/* FACTS where there is none of that name. */
static enum fact fact_find(const char *name) {
  return (enum fact)str_index(FACT_NAMES, FACTS, name);
}

double launch_blocks(const struct run_launch *l) {
  return (double)l->grid[0] * l->grid[1] * l->grid[2];
}

double launch_block_threads(const struct run_launch *l) {
  return l ? (double)l->block[0] * l->block[1] * l->block[2] : 0;
}

const struct run_launch *launch_main(const struct run_result *r) {
  const struct run_launch *best = NULL;
  double most = -1;
  for (size_t i = 0; i < r->n_launches; i++) {
    double threads = launch_blocks(&r->launches[i]) * launch_block_threads(&r->launches[i]);
    if (threads > most) {
      most = threads;
      best = &r->launches[i];
    }
  }
  return best;
}

static struct value value_positive(double v, const char *reason) {
  return v > 0 ? value_of(v) : value_absent(reason);
}

void facts_of(struct value facts[FACTS], const struct run_result *r, const struct device *d, struct value time_s) {
  static const char no_gemv[] = "the problem is not the NVFP4 GEMV: it has sizes of its own";
  static const char no_launch[] = "no launch was observed";
  facts[FACT_TIME_S] = time_s;
  facts[FACT_BYTES_MINIMAL] = value_of(r->bytes_minimal);
  facts[FACT_BYTES_CONTEST] = r->bytes_contest > 0 ? value_of(r->bytes_contest) : value_absent(no_gemv);
  facts[FACT_FLOPS] = value_of(r->flops);
  const double extents[] = {(double)r->shape.m, (double)r->shape.k, (double)r->shape.l};
  bool gemv = !shape_named(&r->shape) && !shape_none(r->shape);
  facts[FACT_M] = gemv ? value_of(extents[0]) : value_absent(no_gemv);
  facts[FACT_K] = gemv ? value_of(extents[1]) : value_absent(no_gemv);
  facts[FACT_L] = gemv ? value_of(extents[2]) : value_absent(no_gemv);
  facts[FACT_ELEMENTS] = gemv ? value_of(extents[0] * extents[1] * extents[2]) : value_absent(no_gemv);
  if (shape_none(r->shape)) {
    static const enum fact of_problem[] = {FACT_BYTES_MINIMAL, FACT_BYTES_CONTEST, FACT_M, FACT_K, FACT_L,
                                           FACT_ELEMENTS};
    for (size_t i = 0; i < sizeof of_problem / sizeof of_problem[0]; i++)
      facts[of_problem[i]] = value_absent("no problem is declared");
  }
  facts[FACT_SMS] = value_positive(d->sms, "the device description has no sms");
  facts[FACT_CLOCK_MAX_HZ] = value_positive(d->clock_max_hz, "the device description has no clock_max_hz");
  facts[FACT_WARPS_PER_SM] = value_positive(d->warps_per_sm, "the device description has no warps_per_sm");
  const struct run_launch *l = launch_main(r);
  facts[FACT_REGISTERS] =
      l ? value_positive(l->registers, "the launch's registers are not known") : value_absent(no_launch);
  static const char no_geometry[] = "the launch's geometry is not known";
  facts[FACT_BLOCKS] = l ? value_positive(launch_blocks(l), no_geometry) : value_absent(no_launch);
  facts[FACT_THREADS] = l ? value_positive(launch_block_threads(l), no_geometry) : value_absent(no_launch);
  facts[FACT_BLOCKS_PER_SM] =
      l ? value_positive(l->blocks_per_sm, "the driver gave no blocks per SM") : value_absent(no_launch);
}

/* --- the formulas of a table --- */

/* A name that stands nowhere, or at this row or below, would be absent for ever: refused instead.
 */
struct name_check {
  const struct formulas *formulas;
  size_t row;
  const char *bad;
  bool below;
};

static void name_visit(void *context, const char *name) {
  struct name_check *c = context;
  if (c->bad || fact_find(name) != FACTS || metric_table_find(&c->formulas->table, name))
    return;
  size_t i = 0;
  while (i < c->formulas->n && strcmp(c->formulas->items[i].name, name) != 0)
    i++;
  if (i < c->row)
    return;
  c->bad = name;
  c->below = i < c->formulas->n;
}

static int formula_check(const struct formulas *f, size_t row, struct err *e) {
  const struct metric_formula *item = &f->items[row];
  struct name_check c = {.formulas = f, .row = row};
  int rc = 0;
  expr_names(item->expr, name_visit, &c);
  if (fact_find(item->name) != FACTS)
    rc = err_set(e, ERR_DATA, "'%s' is the name of a fact: give the metric another", item->name);
  else if (c.bad)
    rc = err_set(e, ERR_DATA, "%s uses '%s', which %s", item->name, c.bad,
                 c.below ? "must stand above it" : "is no counter, no fact and no formula");
  return rc ? err_context(e, "%s:%d", item->group, item->line) : 0;
}

static int formulas_check(struct formulas *f, struct err *e) {
  int rc = 0;
  f->items = f->table.formulas;
  f->n = f->table.n_formulas;
  for (size_t i = 0; i < f->n && !rc; i++)
    rc = formula_check(f, i, e);
  return rc;
}

int formulas_parse(struct formulas *out, const char *file, const char *text, struct err *e) {
  *out = (struct formulas){0};
  int rc = metric_table_add(&out->table, file, text, e);
  return rc ? rc : formulas_check(out, e);
}

int formulas_load(struct formulas *out, struct err *e) {
  *out = (struct formulas){0};
  int rc = metric_table_load(&out->table, e);
  return rc ? rc : formulas_check(out, e);
}

void formulas_release(struct formulas *f) {
  metric_table_release(&f->table);
  *f = (struct formulas){0};
}

/* --- evaluation --- */

struct inputs {
  const struct run_result *result;
  const struct value *facts;
  const struct derived *above;
  size_t n_above;
  struct pool *pool;
  const char *missing; /* the reason of the input that is absent */
};

static bool inputs_lookup(void *context, const char *name, double *out) {
  struct inputs *in = context;
  struct value v;
  enum fact fact = fact_find(name);
  const struct derived *above = derived_find(in->above, in->n_above, name);
  if (fact != FACTS) {
    v = in->facts[fact];
    if (!v.present)
      v.reason = pool_printf(in->pool, "%s: %s", name, v.reason);
  } else {
    v = above ? above->value : value_counter(in->result, name, in->pool);
  }
  if (v.present)
    *out = v.v;
  else
    in->missing = v.reason;
  return v.present;
}

void formulas_eval(const struct formulas *f, const struct run_result *r, const struct value facts[FACTS],
                   struct derived *out, struct pool *pool) {
  for (size_t i = 0; i < f->n; i++) {
    const struct metric_formula *row = &f->items[i];
    struct inputs in = {.result = r, .facts = facts, .above = out, .n_above = i, .pool = pool};
    struct err e = {0};
    double v;
    struct value value;
    /* A run may bring the metric itself where it lacks the counters: an import of a tool that
     * prints rates alone. */
    const struct run_metric *own = run_metric_find(r, row->name);
    struct value brought = own && own->present ? value_of(own->value) : value_absent("");
    if (expr_eval(row->expr, inputs_lookup, &in, &v, &e) == 0)
      value = value_of(v);
    else if (brought.present)
      value = brought;
    else if (in.missing)
      value = value_absent(in.missing);
    else
      value = value_absent(pool_printf(pool, "%s", e.text));
    out[i] = (struct derived){row->name, row->unit, row->title, value};
  }
}

const struct derived *derived_find(const struct derived *items, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (items[i].name[0] == name[0] && strcmp(items[i].name, name) == 0)
      return &items[i];
  return NULL;
}
