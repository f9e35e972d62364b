#include "reports/text/report.h"

#include "base/table.h"
#include "reports/text/diagnose.h"
#include "reports/text/view.h"

#include <stdlib.h>
#include <string.h>

struct names {
  const char **items;
  size_t n;
};

static bool names_have(const struct names *names, const char *name) {
  for (size_t i = 0; i < names->n; i++) {
    if (strcmp(names->items[i], name) == 0)
      return true;
  }
  return false;
}

/* Every counter of the run and every derived metric, once, in order of appearance. */
static bool names_collect(struct names *names, const struct findings *f) {
  size_t total = 0;

  *names = (struct names){0};
  for (size_t i = 0; i < f->n; i++)
    total += f->items[i].result->n_metrics + f->items[i].n_derived;
  names->items = calloc(total ? total : 1, sizeof *names->items);
  if (!names->items)
    return false;
  for (size_t i = 0; i < f->n; i++) {
    const struct run_result *r = f->items[i].result;

    for (size_t j = 0; j < r->n_metrics; j++) {
      if (!names_have(names, r->metrics[j].name))
        names->items[names->n++] = r->metrics[j].name;
    }
  }
  for (size_t i = 0; i < f->n; i++) {
    for (size_t j = 0; j < f->items[i].n_derived; j++) {
      if (!names_have(names, f->items[i].derived[j].name))
        names->items[names->n++] = f->items[i].derived[j].name;
    }
  }
  return true;
}

static const char *const fixed_columns[] = {"variant",
                                            "ladder",
                                            "parent",
                                            "side",
                                            "wrong",
                                            "change",
                                            "m",
                                            "k",
                                            "l",
                                            "sizes",
                                            "device",
                                            "origin",
                                            "verdict",
                                            "cause",
                                            "reason",
                                            "max_error",
                                            "path",
                                            "params",
                                            "registers",
                                            "time_us",
                                            "time_ci_low_us",
                                            "time_ci_high_us",
                                            "time_mean_us",
                                            "time_stddev_us",
                                            "time_min_us",
                                            "time_max_us",
                                            "samples",
                                            "discarded",
                                            "speedup_parent",
                                            "same_as_parent",
                                            "speedup_first",
                                            "bytes_minimal",
                                            "bytes_contest",
                                            "bytes_declared",
                                            "flops",
                                            "sol_minimal_us",
                                            "sol_contest_us",
                                            "sol_bandwidth_bytes_per_s",
                                            "sol_bandwidth_kind",
                                            "of_sol_ratio",
                                            "of_read_ratio",
                                            "dram_moved_bytes",
                                            "dram_over_minimal_ratio",
                                            "bound",
                                            "bound_explained_ratio",
                                            "bound_clock_hz",
                                            "fixed_us",
                                            "model_us",
                                            "bytes_in_flight_most",
                                            "bytes_in_flight_needed",
                                            "bytes_in_flight_achieved",
                                            "top_stall",
                                            "top_stall_share_ratio",
                                            "advice_first",
                                            "advice_first_saves_us",
                                            "advice_none_reason"};

static void add_columns(struct table *t, const struct names *names) {
  for (size_t i = 0; i < sizeof fixed_columns / sizeof *fixed_columns; i++)
    table_column(t, fixed_columns[i], "", fixed_columns[i], TABLE_LEFT);
  for (int k = 0; k < BOUND_KINDS; k++) {
    char *key = str_printf("bound_%s_us", bound_name((enum bound_kind)k));

    table_column(t, key ? key : "", "", key ? key : "", TABLE_LEFT);
    free(key);
  }
  for (int l = 0; l < ROOF_LEVELS; l++) {
    static const char *const units[] = {"intensity_flop_per_byte", "flop_per_s", "bytes_per_s"};

    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
      char *key = str_printf("roof_%s_%s", roof_level_name((enum roof_level)l), units[u]);

      table_column(t, key ? key : "", "", key ? key : "", TABLE_LEFT);
      free(key);
    }
  }
  for (size_t i = 0; i < names->n; i++)
    table_column(t, names->items[i], "", names->items[i], TABLE_LEFT);
}

static void cell_text(struct table *t, const char *s) {
  table_cell(t, s ? s : "", NULL);
}

static void cell_number(struct table *t, bool present, double x) {
  if (present)
    table_number(t, x, 6);
  else
    table_cell(t, "", NULL);
}

static void cell_value(struct table *t, struct value x, double scale) {
  cell_number(t, x.present, x.v * scale);
}

static void add_identity(struct table *t, const struct findings *f, const struct finding *item) {
  const struct run_variant *v = item->variant;
  const struct run_result *r = item->result;
  struct text params = {0};
  int registers = view_registers(f, r);

  cell_text(t, v->id);
  cell_text(t, v->ladder);
  cell_text(t, v->parent);
  cell_text(t, v->side ? "1" : "0");
  cell_text(t, v->wrong ? "1" : "0");
  cell_text(t, v->change);
  bool gemv = !shape_named(&r->shape);
  cell_number(t, gemv, (double)r->shape.m);
  cell_number(t, gemv, (double)r->shape.k);
  cell_number(t, gemv, (double)r->shape.l);
  cell_text(t, r->shape.sizes);
  cell_text(t, f->run->device.name);
  cell_text(t, run_origin_name(f->run->origin));
  cell_text(t, run_verdict_name(r->check.verdict));
  cell_text(t, r->check.cause);
  cell_text(t, view_fault(item));
  cell_number(t, r->check.total > 0, r->check.max_error);
  cell_text(t, r->path);
  for (size_t i = 0; i < r->n_params; i++)
    text_printf(&params, "%s%s=%s", i ? " " : "", r->params[i].key, r->params[i].value);
  cell_text(t, text_str(&params));
  cell_number(t, registers >= 0, registers);
  text_release(&params);
}

static void add_time(struct table *t, const struct finding *item) {
  const struct stats *s = &item->time;
  const double us[] = {s->middle, s->ci_low, s->ci_high, s->mean, s->stddev, s->min, s->max};

  for (size_t i = 0; i < sizeof us / sizeof *us; i++)
    cell_number(t, item->timed, us[i] * 1e6);
  cell_number(t, true, (double)item->result->timing.n);
  cell_number(t, true, (double)item->result->timing.discarded);
  cell_value(t, item->speedup_parent, 1);
  cell_text(t, !item->speedup_parent.present ? "" : item->parent_same ? "1" : "0");
  cell_value(t, item->speedup_first, 1);
}

static void add_light(struct table *t, const struct finding *item) {
  const struct run_result *r = item->result;
  const struct ceiling *bw = item->sol_minimal.bandwidth;

  cell_number(t, true, r->bytes_minimal);
  cell_number(t, r->bytes_contest > 0, r->bytes_contest);
  cell_number(t, true, r->bytes_declared);
  cell_number(t, true, r->flops);
  cell_number(t, item->sol_minimal.seconds > 0, item->sol_minimal.seconds * 1e6);
  cell_number(t, item->sol_contest.seconds > 0, item->sol_contest.seconds * 1e6);
  cell_number(t, bw != NULL, bw ? bw->value : 0);
  cell_text(t, bw ? ceiling_kind_name(bw->kind) : "");
  cell_value(t, item->of_sol, 1);
  cell_value(t, item->of_read, 1);
  cell_value(t, item->dram_bytes, 1);
  cell_value(t, item->dram_over_minimal, 1);
}

static void add_advice(struct table *t, const struct diagnosis *d) {
  const struct advice *first = d->n ? &d->items[0] : NULL;

  cell_text(t, first ? first->rule->name : "");
  cell_number(t, first != NULL, first ? first->saves_s * 1e6 : 0);
  cell_text(t, !first ? report_no_advice(d->reason) : "");
}

static void add_bounds(struct table *t, const struct finding *item, const struct diagnosis *d) {
  const struct bounds *b = &item->bounds;

  cell_text(t, b->binding == BOUND_KINDS ? "" : bound_name(b->binding));
  cell_value(t, b->explained, 1);
  cell_value(t, b->clock_hz, 1);
  cell_value(t, b->fixed, 1e6);
  cell_value(t, b->time_s, 1e6);
  cell_value(t, b->flight.bytes, 1);
  cell_value(t, b->flight.needed_bytes, 1);
  cell_value(t, b->flight.achieved_bytes, 1);
  cell_text(t, item->top_stall);
  cell_value(t, item->top_stall_share, 1);
  add_advice(t, d);
  for (int k = 0; k < BOUND_KINDS; k++)
    cell_value(t, b->seconds[k], 1e6);
  for (int l = 0; l < ROOF_LEVELS; l++) {
    cell_value(t, item->roof[l].intensity, 1);
    cell_value(t, item->roof[l].flops, 1);
    cell_value(t, item->roof[l].bandwidth, 1);
  }
}

void report_csv(const struct findings *f, const struct diagnoses *diagnoses, struct text *out) {
  struct table *t = table_new();
  struct names names;

  if (!names_collect(&names, f)) {
    out->failed = true;
    table_free(t);
    return;
  }
  add_columns(t, &names);
  for (size_t i = 0; i < f->n; i++) {
    const struct finding *item = &f->items[i];

    table_row(t);
    add_identity(t, f, item);
    add_time(t, item);
    add_light(t, item);
    add_bounds(t, item, &diagnoses->items[i]);
    for (size_t j = 0; j < names.n; j++)
      cell_value(t, finding_value(item, names.items[j]), 1);
  }
  table_csv(t, out);
  out->failed |= !table_ok(t);
  table_free(t);
  free(names.items);
}
