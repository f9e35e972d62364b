#include "reports/text/list_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void published_text(const struct rung_published *p, struct text *out) {
  text_printf(out, "%s %s%g µs %s", p->device, p->approximate ? "≈" : "", p->time_ns / 1e3, p->what);
}

struct table *list_variants(const struct rung *const *rungs, size_t n) {
  struct table *t = table_of("variant | ladder -2 | parent -3 | change | published -1");
  for (size_t i = 0; i < n; i++) {
    const struct rung *r = rungs[i];
    char *name = str_printf("%s%s", r->side ? "↳ " : "", r->id);
    struct text published = {0};
    if (r->n_published)
      published_text(&r->published[0], &published);
    table_row(t);
    table_cell(t, name, r->id);
    table_cell(t, r->ladder, NULL);
    table_cell(t, r->parent ? r->parent : "", NULL);
    table_cell(t, r->change ? r->change : "", NULL);
    table_cell(t, text_str(&published), NULL);
    text_release(&published);
    free(name);
  }
  return t;
}

/* The rungs from `first` on that stand on its ladder: they lie together. */
static size_t ladder_end(const struct rung *const *rungs, size_t n, size_t first) {
  size_t end = first;
  while (end < n && strcmp(rungs[end]->ladder, rungs[first]->ladder) == 0)
    end++;
  return end;
}

struct table *list_ladders(const struct rung *const *rungs, size_t n) {
  struct table *t = table_of("ladder | >rungs | >sides | from =first | to =last");
  for (size_t i = 0; i < n;) {
    const char *last = rungs[i]->id;
    size_t first = i, sides = 0;
    for (size_t end = ladder_end(rungs, n, first); i < end; i++) {
      sides += rungs[i]->side;
      last = rungs[i]->side ? last : rungs[i]->id;
    }
    table_line(t, "s z z s s", rungs[first]->ladder, i - first - sides, sides, rungs[first]->id, last);
  }
  return t;
}

/* --- every ladder rung by rung, as kernels/README.md has it --- */

static const char ladders_preamble[] =
    "# The ladders\n\n"
    "A ladder is a sequence of kernels for one problem, C = A·b with A and b in NVFP4. Each rung is one file, or one set of\n"
    "parameters of a file, and changes one thing against its parent, the rung above it unless the table names another. So\n"
    "what a change does can be measured: its time, its bytes, its instructions, its stalls. A side step, tried and not built\n"
    "upon, is marked ↳ below the rung that it left.\n\n"
    "*Predicts* is what a rung claims against its parent, in terms that the counters confirm or refute. *Published* is its\n"
    "author's figure, not one measured here. *Accumulate* is the precision of its sums, which sets the tolerance of the check.\n\n"
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

void list_ladders_markdown(const struct rung *const *rungs, size_t n, struct text *out) {
  text_add(out, ladders_preamble);
  for (size_t i = 0; i < n;) {
    struct table *t = table_new();
    const struct rung *above = NULL;
    table_head(t, "rung | change | predicts | published | accumulate");
    text_printf(out, "\n## %s\n\n", rungs[i]->ladder);
    for (size_t end = ladder_end(rungs, n, i); i < end; i++) {
      ladder_row(rungs[i], above, t);
      above = rungs[i]->side ? above : rungs[i];
    }
    table_markdown(t, out);
    table_free(t);
  }
}

struct table *list_shapes(const struct list_shape *shapes, size_t n) {
  struct table *t = table_of("set | shape [MxKxL] | >minimal [bytes] =minimal_bytes | >work [MFLOP] =mflop");
  for (size_t i = 0; i < n; i++) {
    char text[SHAPE_TEXT_MAX];
    table_line(t, "s s %.0f 4", shapes[i].set, shape_text(shapes[i].shape, text), shapes[i].minimal_bytes,
               shapes[i].flops / 1e6);
  }
  return t;
}

struct table *list_devices(void) {
  struct table *t = table_of("device | name | arch | >SMs =sms | >clock [MHz] =clock_mhz -2 | >L2 [MB] =l2_mb -3 | "
                             ">DRAM datasheet [TB/s] =dram_datasheet_tb_s | >DRAM driver [TB/s] =dram_driver_tb_s -1");
  return t;
}

static void cell_bandwidth(struct table *t, const struct ceiling *c) {
  table_format(t, "%.3f", c ? c->value / 1e12 : NAN);
}

void list_device(struct table *t, const struct device *d) {
  const struct ceiling *sheet = device_ceiling(d, "dram_bw", CEILING_DATASHEET),
                       *driver = device_ceiling(d, "dram_bw", CEILING_DRIVER);
  table_line(t, "s s s d %.0f %.1f", d->id, d->name, d->arch, d->sms, d->clock_max_hz / 1e6, d->l2_bytes / 1e6);
  cell_bandwidth(t, sheet);
  cell_bandwidth(t, driver);
}

struct table *list_metrics(const struct metric_table *metrics) {
  struct table *t = table_of("metric | group -1 | unit -2 | CUPTI =cupti | what it counts =text");
  for (size_t i = 0; i < metrics->n; i++) {
    const struct metric_row *m = &metrics->rows[i];
    table_line(t, "s s s s s", m->name, m->group, m->unit, expr_text(m->alternatives[0]), m->text);
  }
  return t;
}
