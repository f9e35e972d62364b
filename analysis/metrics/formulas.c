#include "analysis/metrics/formulas.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5 };

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
  size_t i = 0;
  while (i < FACTS && strcmp(FACT_NAMES[i], name) != 0)
    i++;
  return (enum fact)i;
}

double launch_blocks(const struct run_launch *l) {
  return (double)l->grid[0] * l->grid[1] * l->grid[2];
}

double launch_block_threads(const struct run_launch *l) {
  return (double)l->block[0] * l->block[1] * l->block[2];
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
  facts[FACT_BLOCKS] = l ? value_of(launch_blocks(l)) : value_absent(no_launch);
  facts[FACT_THREADS] = l ? value_of(launch_block_threads(l)) : value_absent(no_launch);
  facts[FACT_BLOCKS_PER_SM] =
      l ? value_positive(l->blocks_per_sm, "the driver gave no blocks per SM") : value_absent(no_launch);
}

/* --- reading the table --- */

/* Cuts line at its tabs; returns the number of cells, of which at most COLUMNS are stored. */
static size_t row_cut(char *line, char *cells[COLUMNS]) {
  size_t n = 0;
  for (char *cell = line; cell; n++) {
    char *tab = strchr(cell, '\t');
    if (tab)
      *tab = '\0';
    if (n < COLUMNS)
      cells[n] = str_trim(cell);
    cell = tab ? tab + 1 : NULL;
  }
  return n;
}

static int formulas_add(struct formulas *f, char *line, int line_number, struct err *e) {
  char *cells[COLUMNS];
  size_t n = row_cut(line, cells);
  if (n != COLUMNS)
    return err_set(e, ERR_DATA,
                   "a row has %d cells with a tab between (name, unit, formula, title, hint); this has %zu", COLUMNS,
                   n);
  if (!cells[0][0])
    return err_set(e, ERR_DATA, "the name is empty");
  if (fact_find(cells[0]) != FACTS)
    return err_set(e, ERR_DATA, "'%s' is the name of a fact: give the metric another", cells[0]);
  for (size_t i = 0; i < f->n; i++)
    if (strcmp(f->items[i].name, cells[0]) == 0)
      return err_set(e, ERR_DATA, "'%s' is there already: names are unique", cells[0]);
  struct formula *items = realloc(f->items, (f->n + 1) * sizeof(*items));
  if (!items)
    return err_nomem(e, "the derived metrics");
  f->items = items;
  struct formula added = {.name = cells[0], .unit = cells[1], .title = cells[3], .hint = cells[4], .line = line_number};
  int rc = expr_parse(&added.expr, cells[2], e);
  if (rc)
    return err_context(e, "%s", cells[0]);
  f->items[f->n++] = added;
  return 0;
}

/* A name that stands at this row or below would be taken for a counter and be absent for ever: refused instead. */
struct order_check {
  const struct formulas *formulas;
  size_t row;
  const char *bad;
};

static void order_visit(void *context, const char *name) {
  struct order_check *c = context;
  for (size_t i = c->row; i < c->formulas->n; i++)
    if (strcmp(c->formulas->items[i].name, name) == 0)
      c->bad = c->formulas->items[i].name;
}

static int formulas_check_order(const struct formulas *f, const char *file, struct err *e) {
  for (size_t i = 0; i < f->n; i++) {
    struct order_check check = {f, i, NULL};
    expr_names(f->items[i].expr, order_visit, &check);
    if (check.bad)
      return err_set(e, ERR_DATA, "%s:%d: %s uses '%s', which must stand above it", file, f->items[i].line,
                     f->items[i].name, check.bad);
  }
  return 0;
}

int formulas_parse(struct formulas *out, const char *file, const char *text, struct err *e) {
  *out = (struct formulas){.text = str_copy(text)};
  if (!out->text)
    return err_nomem(e, file);
  int rc = 0, line_number = 0;
  for (char *line = out->text; line && !rc;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    line_number++;
    size_t blank = strspn(line, " \t\r");
    if (line[blank] && line[0] != '#')
      rc = formulas_add(out, line, line_number, e);
    line = end ? end + 1 : NULL;
  }
  if (rc)
    return err_context(e, "%s:%d", file, line_number);
  return formulas_check_order(out, file, e);
}

int formulas_load(struct formulas *out, struct err *e) {
  static const char file[] = "derived.tsv";
  *out = (struct formulas){0};
  for (const struct embedded *f = analysis_embedded; f->name; f++)
    if (strcmp(f->name, file) == 0)
      return formulas_parse(out, file, f->data, e);
  return err_set(e, ERR_DATA, "%s is not in this binary: build it anew", file);
}

void formulas_release(struct formulas *f) {
  for (size_t i = 0; i < f->n; i++)
    expr_free(f->items[i].expr);
  free(f->items);
  free(f->text);
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
    const struct formula *row = &f->items[i];
    struct inputs in = {.result = r, .facts = facts, .above = out, .n_above = i, .pool = pool};
    struct err e = {0};
    double v;
    struct value value;
    /* A run may bring the metric itself where it lacks the counters: an import of a tool that prints rates alone. */
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
    out[i] = (struct derived){row->name, row->unit, row->title, row->hint, value};
  }
}

const struct derived *derived_find(const struct derived *items, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(items[i].name, name) == 0)
      return &items[i];
  return NULL;
}
