#include "base/table.h"
#include "kernels/problem.h"
#include "kernels/rung.h"
#include "profiler/cli/cli.h"
#include "profiler/cuda/counter_table.h"
#include "profiler/cuda/pass_schedule.h"
#include "run/device.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {"passes", NULL, "with metrics: how often every launch is replayed to count them, by group; needs CUPTI, no GPU"},
    {"chip", "NAME", "with --passes: CUPTI's name of the chip, GH100 (default: an H100, an H200), GB100 (a B200)"},
    {"markdown", NULL, "print Markdown; of ladders every rung, as in kernels/README.md"},
    {"csv", NULL, "print CSV"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

static void published_text(const struct rung_published *p, struct text *out) {
  text_printf(out, "%s %s%g µs %s", p->device, p->approximate ? "≈" : "", p->time_ns / 1e3, p->what);
}

/* chosen NULL: all. */
static void list_variants(const struct rung_set *set, const bool *chosen, struct table *t) {
  table_column(t, "variant", "", "variant", TABLE_LEFT);
  table_column(t, "ladder", "", "ladder", TABLE_LEFT);
  table_column(t, "parent", "", "parent", TABLE_LEFT);
  table_column(t, "change", "", "change", TABLE_LEFT);
  table_column(t, "published", "", "published", TABLE_LEFT);
  for (size_t i = 0; i < set->n; i++) {
    const struct rung *r = &set->rungs[i];
    if (chosen && !chosen[i])
      continue;
    char *name = str_printf("%s%s", r->side ? "↳ " : "", r->id);
    struct text published = {0};
    if (r->n_published)
      published_text(&r->published[0], &published);
    table_row(t);
    table_cell(t, name ? name : r->id, r->id);
    table_cell(t, r->ladder, NULL);
    table_cell(t, r->parent ? r->parent : "", NULL);
    table_cell(t, r->change ? r->change : "", NULL);
    table_cell(t, text_str(&published), NULL);
    text_release(&published);
    free(name);
  }
}

/* The rungs from `first` on that stand on its ladder: they lie together. */
static size_t ladder_end(const struct rung_set *set, size_t first) {
  size_t end = first;
  while (end < set->n && strcmp(set->rungs[end].ladder, set->rungs[first].ladder) == 0)
    end++;
  return end;
}

static void list_ladders(const struct rung_set *set, struct table *t) {
  table_column(t, "ladder", "", "ladder", TABLE_LEFT);
  table_column(t, "rungs", "", "rungs", TABLE_RIGHT);
  table_column(t, "sides", "", "sides", TABLE_RIGHT);
  table_column(t, "from", "", "first", TABLE_LEFT);
  table_column(t, "to", "", "last", TABLE_LEFT);
  for (size_t i = 0; i < set->n;) {
    const char *last = set->rungs[i].id;
    size_t first = i, sides = 0;
    for (size_t end = ladder_end(set, first); i < end; i++) {
      sides += set->rungs[i].side;
      last = set->rungs[i].side ? last : set->rungs[i].id;
    }
    table_row(t);
    table_cell(t, set->rungs[first].ladder, NULL);
    table_cellf(t, "%zu", i - first - sides);
    table_cellf(t, "%zu", sides);
    table_cell(t, set->rungs[first].id, NULL);
    table_cell(t, last, NULL);
  }
}

/* --- every ladder rung by rung, as kernels/README.md has it --- */

static const char ladders_preamble[] =
    "# The ladders\n\n"
    "A ladder is a sequence of kernels for one problem, C = A·b with A and b in NVFP4. Each rung is one file, or one set of\n"
    "parameters of a file, and changes one thing against its parent, the rung above it unless the table names another. So\n"
    "what a change does can be measured: its time, its bytes, its instructions, its stalls. A step that was tried and left is\n"
    "marked ↳ and stays beside the rung that it left.\n\n"
    "*Predicts* is what a rung claims against its parent, in terms that the counters confirm or refute. *Published* is its\n"
    "author's figure, not one measured here. *Accumulate* is how it adds up, which decides how far it may be off.\n\n"
    "    nvfp4-prof --variant cute                         # a ladder\n"
    "    nvfp4-prof --variant cute-8-autotuned,control     # one rung and the controls\n"
    "    nvfp4-prof --variant all                          # every ladder but `wrong`, whose rungs must be refused\n\n"
    "The tables are made from the front matter of the files: `nvfp4-prof list ladders --markdown >kernels/README.md`.\n";

static void ladder_row(const struct rung *r, const struct rung *above, struct table *t) {
  struct text change = {0}, published = {0};
  if (r->parent && (!above || strcmp(r->parent, above->id) != 0))
    text_printf(&change, "from `%s`: ", r->parent);
  text_add(&change, r->change ? r->change : "");
  for (size_t i = 0; i < r->n_published; i++) {
    text_add(&published, i ? "; " : "");
    published_text(&r->published[i], &published);
    text_printf(&published, " (%s)", r->published[i].source);
  }
  table_row(t);
  table_cellf(t, "%s[%s](%s)", r->side ? "↳ " : "", r->id, r->file);
  table_markup(t);
  table_cell(t, text_str(&change), NULL);
  table_markup(t);
  table_cell(t, r->predicts ? r->predicts : "", NULL);
  table_cell(t, text_str(&published), NULL);
  table_cell(t, r->writes_c ? accumulate_name(r->accumulate) : "", NULL);
  text_release(&change);
  text_release(&published);
}

static int ladders_markdown(const struct rung_set *set, struct text *out, struct err *e) {
  bool ok = true;
  text_add(out, ladders_preamble);
  for (size_t i = 0; i < set->n && ok;) {
    struct table *t = table_new();
    const struct rung *above = NULL;
    table_column(t, "rung", "", "rung", TABLE_LEFT);
    table_column(t, "change", "", "change", TABLE_LEFT);
    table_column(t, "predicts", "", "predicts", TABLE_LEFT);
    table_column(t, "published", "", "published", TABLE_LEFT);
    table_column(t, "accumulate", "", "accumulate", TABLE_LEFT);
    text_printf(out, "\n## %s\n\n", set->rungs[i].ladder);
    for (size_t end = ladder_end(set, i); i < end; i++) {
      ladder_row(&set->rungs[i], above, t);
      above = set->rungs[i].side ? above : &set->rungs[i];
    }
    table_markdown(t, out);
    ok = t && table_ok(t);
    table_free(t);
  }
  return ok ? 0 : err_nomem(e, "the ladders");
}

static void list_shapes(struct table *t) {
  const char *const names[] = {"bench", "tests"};
  table_column(t, "set", "", "set", TABLE_LEFT);
  table_column(t, "shape", "MxKxL", "shape", TABLE_LEFT);
  table_column(t, "minimal", "bytes", "minimal_bytes", TABLE_RIGHT);
  table_column(t, "work", "MFLOP", "mflop", TABLE_RIGHT);
  for (size_t s = 0; s < sizeof names / sizeof names[0]; s++) {
    const struct shape *shapes = NULL;
    size_t n = problem_shape_set(names[s], &shapes);
    for (size_t i = 0; i < n; i++) {
      char text[SHAPE_TEXT_MAX];
      table_row(t);
      table_cell(t, names[s], NULL);
      table_cell(t, shape_text(shapes[i], text), NULL);
      table_cellf(t, "%.0f", problem_minimal_bytes(shapes[i]));
      table_number(t, problem_flops(shapes[i]) / 1e6, 4);
    }
  }
}

static int list_devices(struct table *t, struct err *e) {
  table_column(t, "device", "", "device", TABLE_LEFT);
  table_column(t, "name", "", "name", TABLE_LEFT);
  table_column(t, "arch", "", "arch", TABLE_LEFT);
  table_column(t, "SMs", "", "sms", TABLE_RIGHT);
  table_column(t, "clock", "MHz", "clock_mhz", TABLE_RIGHT);
  table_column(t, "L2", "MB", "l2_mb", TABLE_RIGHT);
  table_column(t, "DRAM datasheet", "TB/s", "dram_datasheet_tb_s", TABLE_RIGHT);
  table_column(t, "DRAM driver", "TB/s", "dram_driver_tb_s", TABLE_RIGHT);
  char id[DEVICE_ID_MAX];
  for (size_t i = 0; device_id(i, id); i++) {
    struct device d = {0};
    int result = device_load(&d, id, e);
    if (result)
      return result;
    const struct ceiling *sheet = device_ceiling(&d, "dram_bw", CEILING_DATASHEET),
                         *driver = device_ceiling(&d, "dram_bw", CEILING_DRIVER);
    table_row(t);
    table_cell(t, d.id, NULL);
    table_cell(t, d.name, NULL);
    table_cell(t, d.arch, NULL);
    table_cellf(t, "%d", d.sms);
    table_cellf(t, "%.0f", d.clock_max_hz / 1e6);
    table_cellf(t, "%.1f", d.l2_bytes / 1e6);
    table_cellf(t, "%.3f", sheet ? sheet->value / 1e12 : 0);
    table_cellf(t, "%.3f", driver ? driver->value / 1e12 : 0);
    device_release(&d);
  }
  return 0;
}

static int list_metrics(struct table *t, struct err *e) {
  struct metric_table metrics = {0};
  table_column(t, "metric", "", "metric", TABLE_LEFT);
  table_column(t, "group", "", "group", TABLE_LEFT);
  table_column(t, "unit", "", "unit", TABLE_LEFT);
  table_column(t, "CUPTI", "", "cupti", TABLE_LEFT);
  table_column(t, "what it counts", "", "text", TABLE_LEFT);
  int result = metric_table_load(&metrics, e);
  for (size_t i = 0; i < metrics.n && !result; i++) {
    const struct metric_row *m = &metrics.rows[i];
    table_row(t);
    table_cell(t, m->name, NULL);
    table_cell(t, m->group, NULL);
    table_cell(t, m->unit, NULL);
    table_cell(t, expr_text(m->alternatives[0]), NULL);
    table_cell(t, m->text, NULL);
  }
  metric_table_release(&metrics);
  return result;
}

/* The shipped counters' passes; the sum is the table's last row. */
static int list_passes(const char *chip, struct table *t, struct err *e) {
  struct cupti cupti = {0};
  struct schedule s = {0};
  size_t metrics = 0, counters = 0, absent = 0;
  int result = cupti_load(&cupti, e);
  if (!result)
    result = schedule_make(&s, &cupti, chip, e);
  table_column(t, "group", "", "group", TABLE_LEFT);
  table_column(t, "metrics", "", "metrics", TABLE_RIGHT);
  table_column(t, "not on this chip", "", "absent", TABLE_RIGHT);
  table_column(t, "CUPTI counters", "", "counters", TABLE_RIGHT);
  table_column(t, "passes alone", "", "passes_alone", TABLE_RIGHT);
  table_column(t, "passes it adds", "", "passes_added", TABLE_RIGHT);
  table_column(t, "chip", "", "chip", TABLE_LEFT);
  for (size_t i = 0; i <= s.n && !result; i++) {
    const struct schedule_group sum = {.name = "all", .metrics = metrics, .absent = absent, .counters = counters},
                                *g = i < s.n ? &s.groups[i] : &sum;
    table_row(t);
    table_cell(t, g->name, NULL);
    table_cellf(t, "%zu", g->metrics);
    table_cellf(t, "%zu", g->absent);
    table_cellf(t, "%zu", g->counters);
    table_cellf(t, "%zu", i < s.n ? g->alone : s.passes);
    table_cellf(t, "%zu", i < s.n ? g->adds : s.passes);
    table_cell(t, chip, NULL);
    metrics += g->metrics;
    absent += g->absent;
    counters += g->counters;
  }
  schedule_release(&s);
  free(cupti.missing);
  return result;
}

static int unknown_list(const struct rung_set *set, const char *what, struct err *e) {
  static const char *const kinds[] = {"variants", "ladders", "shapes", "devices", "metrics"};
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  const char **names = calloc(KINDS + 2 * set->n, sizeof *names);
  size_t n = 0;
  if (!names)
    return err_nomem(e, "the list");
  for (; n < KINDS; n++)
    names[n] = kinds[n];
  for (size_t i = 0; i < set->n; i++) {
    names[n++] = set->rungs[i].id;
    names[n++] = set->rungs[i].ladder;
  }
  const char *nearest = str_nearest(what, names, n);
  free(names);
  return err_set(
      e, ERR_USAGE,
      "list %s: unknown%s%s; it lists variants (of a ladder, by a glob), ladders, shapes, devices or metrics", what,
      nearest ? ", did you mean " : "", nearest ? nearest : "");
}

static int fill(const char *what, const char *folder, struct table *t, struct err *e) {
  if (strcmp(what, "shapes") == 0)
    return list_shapes(t), 0;
  if (strcmp(what, "devices") == 0)
    return list_devices(t, e);
  if (strcmp(what, "metrics") == 0)
    return list_metrics(t, e);
  struct rung_set set = {0};
  int result = rung_set_load(&set, folder, e);
  bool *chosen = result ? NULL : calloc(set.n + 1, sizeof *chosen);
  if (!result && !chosen)
    result = err_nomem(e, "the list");
  if (!result && strcmp(what, "variants") == 0)
    list_variants(&set, NULL, t);
  else if (!result && strcmp(what, "ladders") == 0)
    list_ladders(&set, t);
  else if (!result && rung_select(&set, what, chosen, NULL) == 0)
    list_variants(&set, chosen, t);
  else if (!result)
    result = unknown_list(&set, what, e);
  free(chosen);
  rung_set_release(&set);
  return result;
}

static int print_ladders(const char *folder, struct err *e) {
  struct rung_set set = {0};
  struct text out = {0};
  int result = rung_set_load(&set, folder, e);
  if (!result)
    result = ladders_markdown(&set, &out, e);
  if (!result)
    result = cli_print(&out, e);
  text_release(&out);
  rung_set_release(&set);
  return result;
}

static int list_command(const struct args *a, struct err *e) {
  int result = 0;
  if (a->n_rest > 1)
    return err_set(e, ERR_USAGE, "list takes one thing to list, not %d", a->n_rest);
  const char *what = a->n_rest ? a->rest[0] : "variants";
  if (strcmp(what, "ladders") == 0 && args_has(a, "markdown") && !args_has(a, "json"))
    return print_ladders(args_get(a, "kernels"), e);
  bool passes = args_has(a, "passes");
  if ((passes && strcmp(what, "metrics") != 0) || (args_has(a, "chip") && !passes))
    return err_set(e, ERR_USAGE, "list %s: --passes [--chip NAME] goes with `list metrics`", what);
  const char *chip = args_has(a, "chip") ? args_get(a, "chip") : "GH100";
  struct table *t = table_new();
  struct text out = {0};
  result = passes ? list_passes(chip, t, e) : fill(what, args_get(a, "kernels"), t, e);
  if (!result) {
    if (args_has(a, "json")) {
      text_printf(&out, "{\"%s\": ", passes ? "passes" : what);
      table_json(t, &out);
      text_add(&out, "}\n");
    } else if (args_has(a, "markdown"))
      table_markdown(t, &out);
    else if (args_has(a, "csv"))
      table_csv(t, &out);
    else
      table_term(t, &out, cli_width(), cli_colour());
    result = cli_print(&out, e);
  }
  table_free(t);
  return result;
}

const struct command command_list = {
    .name = "list",
    .arguments = "[LADDER|ladders|shapes|devices|metrics]",
    .summary = "what there is to run, and on what",
    .needs = "nothing",
    .examples = "list cuda\n"
                "list ladders\n"
                "list metrics --csv\n",
    .options = option_rows,
    .run = list_command,
};
