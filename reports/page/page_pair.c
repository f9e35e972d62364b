#include "reports/text/report.h"

#include "reports/page/page.h"
#include "reports/words/put_json.h"
#include "reports/words/wrap.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static void cell_bound(struct table *t, const struct finding *f) {
  const char *bound = f ? step_bound(f) : NULL;
  table_cell(t, bound ? bound : "", NULL);
}

static void cell_ratio(struct table *t, struct value ratio, bool same) {
  view_cell(t, ratio, 1, 4);
  table_style(t, !ratio.present || same ? 'd' : ratio.v < 1 ? 'g' : 'b');
}

static const char *verdict_words(const struct pair_row *r) {
  static const char *const words[DIFF_VERDICTS] = {
      [DIFF_SAME] = "no measurable change", [DIFF_FASTER] = "B faster",    [DIFF_SLOWER] = "B slower",
      [DIFF_UNCLEAR] = "unclear",           [DIFF_BROKEN] = "broken in B", [DIFF_MENDED] = "mended in B",
      [DIFF_REMOVED] = "only in A",         [DIFF_ADDED] = "only in B",    [DIFF_UNTIMED] = ""};
  return words[r->verdict];
}

/* What a reader of two runs looks for. */
static bool has_changed(const struct pair_row *r) {
  return r->verdict == DIFF_FASTER || r->verdict == DIFF_SLOWER || r->verdict == DIFF_BROKEN ||
         r->verdict == DIFF_MENDED;
}

static void row_add(struct table *t, const struct pair_row *r) {
  table_row(t);
  table_cell(t, r->variant, NULL);
  view_cell_time(t, r->a);
  view_cell_time(t, r->b);
  cell_ratio(t, r->ratio, r->same);
  table_cell(t, verdict_words(r), NULL);
  for (int side = 0; side < 2; side++)
    view_cell(t, (side ? r->b : r->a) ? (side ? r->b : r->a)->of_sol : (struct value){0}, 100, 3);
  for (int side = 0; side < 2; side++)
    view_cell(t, (side ? r->b : r->a) ? (side ? r->b : r->a)->dram_bytes : (struct value){0}, 1e-6, 4);
  cell_bound(t, r->a);
  cell_bound(t, r->b);
}

static struct table *shape_table(const struct pair *p, struct shape s) {
  struct table *t = table_of("variant | >A [µs] =a_us | >B [µs] =b_us | >B / A =ratio | verdict | "
                             ">SOL A [%] =a_of_sol_percent -3 | >SOL B [%] =b_of_sol_percent -4 | "
                             ">DRAM A [MB] =a_dram_mb -1 | >DRAM B [MB] =b_dram_mb -2 | bound A =a_bound -5 | "
                             "bound B =b_bound -6");
  for (int changed = 1; changed >= 0; changed--) {
    for (size_t i = 0; i < p->n; i++)
      if (shape_equal(p->rows[i].shape, s) && has_changed(&p->rows[i]) == changed)
        row_add(t, &p->rows[i]);
  }
  return t;
}

/* The first row of its variant, or of its shape. */
static bool is_first(const struct pair *p, size_t row, bool of_variant) {
  for (size_t i = 0; i < row; i++)
    if (of_variant ? strcmp(p->rows[i].variant, p->rows[row].variant) == 0
                   : shape_equal(p->rows[i].shape, p->rows[row].shape))
      return false;
  return true;
}

static bool of_variant(const struct pair_row *r, const char *variant) {
  return strcmp(r->variant, variant) == 0;
}

static struct table *means_table(const struct pair *p) {
  struct table *t = table_of("variant | >A mean [µs] =a_us | >B mean [µs] =b_us | >B / A =ratio");
  for (size_t i = 0; i < p->n; i++) {
    const char *variant = p->rows[i].variant;
    if (!is_first(p, i, true))
      continue;
    table_row(t);
    table_cell(t, variant, NULL);
    view_cell(t, findings_geomean(p->a, variant), 1e6, 4);
    view_cell(t, findings_geomean(p->b, variant), 1e6, 4);
    struct pair_sum sum = pair_sum_of(p, of_variant, variant);
    cell_ratio(t, sum.mean, sum.faster + sum.slower == 0);
  }
  return t;
}

/* --- all of it in a few lines --- */

/* A program's kernels are no ladder. */
static const char *ladder_of(const struct pair_row *r) {
  const struct finding *f = r->a ? r->a : r->b;
  return f->variant->ladder && !shape_none(f->result->shape) ? f->variant->ladder : "";
}

static const char *bound_of(const struct pair_row *r) {
  const char *bound = r->a ? step_bound(r->a) : NULL;
  return bound ? bound : "";
}

static bool of_ladder(const struct pair_row *r, const char *ladder) {
  return strcmp(ladder_of(r), ladder) == 0;
}

static bool of_bound(const struct pair_row *r, const char *bound) {
  return strcmp(bound_of(r), bound) == 0;
}

static bool of_all(const struct pair_row *r, const char *unused) {
  (void)r;
  (void)unused;
  return true;
}

static void sum_row(struct table *t, const char *kind, const char *of, const struct pair_sum *s) {
  if (s->n == 0)
    return;
  table_row(t);
  table_cellf(t, "%s%s%s", kind, *of ? " " : "", of);
  table_cellf(t, "%zu", s->n);
  view_cell(t, s->mean, 1, 4);
  table_cellf(t, "%s to %s", VIEW_NUMBER(s->least.v, 3), VIEW_NUMBER(s->most.v, 3));
  table_cellf(t, "%zu", s->faster);
  table_cellf(t, "%zu", s->same);
  table_cellf(t, "%zu", s->slower);
  table_cellf(t, "%zu", s->unclear);
}

/* A row for each ladder and each bound in A, which of them gain is most of what two chips or two builds differ in. */
static struct table *sums_table(const struct pair *p) {
  static const struct {
    const char *kind;
    const char *(*name)(const struct pair_row *r);
    bool (*wants)(const struct pair_row *r, const char *of);
  } groups[] = {{"ladder", ladder_of, of_ladder}, {"bound in A:", bound_of, of_bound}};
  struct table *t =
      table_of("kernels | >results =n | >mean B / A =ratio | >range | >faster | >same | >slower | >unclear");
  struct pair_sum all = pair_sum_of(p, of_all, NULL);
  sum_row(t, "all", "", &all);
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
    for (size_t i = 0; i < p->n; i++) {
      const char *of = groups[g].name(&p->rows[i]);
      bool seen = !*of;
      for (size_t k = 0; k < i && !seen; k++)
        seen = groups[g].wants(&p->rows[k], of);
      struct pair_sum sum = seen ? (struct pair_sum){0} : pair_sum_of(p, groups[g].wants, of);
      sum_row(t, groups[g].kind, of, &sum);
    }
  return t;
}

static void how_to_read(const struct pair *p, struct text *out) {
  if (pair_sum_of(p, of_all, NULL).n == 0) {
    text_add(out, "No kernel has a time in both runs, so nothing is compared.");
    return;
  }
  text_add(
      out,
      "Times are medians. B / A under 1: B is faster. Verdicts are those of nvfp4-prof diff; what changed comes first.");
  if (p->shift != 1)
    text_printf(out,
                " Results of the same machine code moved by %+.1f %% (median), by a clock or a card: verdicts are of B "
                "/ A less that.",
                (p->shift - 1) * 100);
  if (!p->one_chip)
    text_printf(out,
                " A and B are two chips: B / A is what the chips differ by, and no build's doing. A verdict holds it "
                "against each run's own variation and %.2f %% between runs (standard deviation).",
                p->between * 100);
}

static void side_line(const char *side, const struct findings *f, struct text *out) {
  text_printf(out, "%s: ", side);
  view_origin(f, out);
  if (f->run->tool)
    text_printf(out, "; nvfp4-prof %s", f->run->tool);
  if (f->run->git)
    text_printf(out, ", git %s", f->run->git);
}

static void shape_caption(const struct pair *p, struct shape s, struct text *out) {
  if (shape_none(s)) {
    view_sol(p->a, s, out);
    return;
  }
  text_printf(out, "%s: A %s, ", VIEW_SHAPE(s), run_origin_name(p->a->run->origin));
  view_sol(p->a, s, out);
  text_printf(out, "; B %s, ", run_origin_name(p->b->run->origin));
  view_sol(p->b, s, out);
}

static const char means_caption[] = "Geometric means over each run's shapes; the ratio over the shapes that both timed";

/* index.html or worklog.md: the templates say where what stands. */
static void pair_page(const struct pair *p, bool markdown, struct text *out) {
  const struct page page = {.markdown = markdown};
  struct slots s = {0};
  page_begin(&s, "Two runs side by side", p->a->run, "two run files");
  for (int side = 0; side < 2; side++)
    side_line(side ? "B" : "A", side ? p->b : p->a, slot_open(slot_item(&s, "sides"), "text"));
  how_to_read(p, slot_open(&s, "how_to_read"));
  slot_text(&s, "sums", NULL);
  if (pair_sum_of(p, of_all, NULL).n)
    page_table(&page, false, &s, "sums", sums_table(p),
               "Results that both runs timed; B / A: geometric mean, least and most");
  slot_text(&s, "means_caption", means_caption);
  page_table(&page, false, &s, "means", means_table(p), "%s", means_caption);
  slot_list(&s, "results");
  for (size_t i = 0; i < p->n; i++) {
    if (!is_first(p, i, false))
      continue;
    struct slots *item = slot_item(&s, "results");
    struct text *caption = slot_open(item, "caption");
    slot_text(item, "shape", shape_none(p->rows[i].shape) ? "All kernels" : VIEW_SHAPE(p->rows[i].shape));
    shape_caption(p, p->rows[i].shape, caption);
    page_table(&page, false, item, "times", shape_table(p, p->rows[i].shape), "%s", text_str(caption));
  }
  page_fill(out, markdown ? "pair.md" : "pair.html", &s);
}

void pair_worklog(const struct pair *p, struct text *out) {
  pair_page(p, true, out);
}

void pair_html(const struct pair *p, struct text *out) {
  pair_page(p, false, out);
}

static double timed_us(const struct finding *f) {
  return f && f->timed ? f->time.middle * 1e6 : NAN;
}

void pair_csv(const struct pair *p, struct text *out) {
  struct table *t =
      table_of("variant | m | k | l | a_time_us | a_origin | b_time_us | b_origin | ratio | same | verdict");
  for (size_t i = 0; i < p->n; i++) {
    const struct pair_row *r = &p->rows[i];
    table_line(t, "s %.0f %.0f %.0f 6 s 6 s 6 s s", r->variant, (double)r->shape.m, (double)r->shape.k,
               (double)r->shape.l, timed_us(r->a), run_origin_name(p->a->run->origin), timed_us(r->b),
               run_origin_name(p->b->run->origin), r->ratio.present ? r->ratio.v : NAN,
               !r->ratio.present         ? ""
               : r->verdict == DIFF_SAME ? "1"
                                         : "0",
               diff_verdict_name(r->verdict));
  }
  table_csv(t, out);
  table_free(t);
}

void report_pair_term(const struct pair *p, struct text *out, int width, bool colour) {
  side_line("A", p->a, out);
  text_add(out, "\n");
  side_line("B", p->b, out);
  text_add(out, "\n");
  struct text words = {0};
  how_to_read(p, &words);
  wrap_add(out, text_str(&words), width, 0);
  text_release(&words);
  if (pair_sum_of(p, of_all, NULL).n) {
    text_add(out, "\n");
    table_print(sums_table(p), out, width, colour);
  }
  for (size_t i = 0; i < p->n; i++) {
    if (!is_first(p, i, false))
      continue;
    text_add(out, "\n");
    shape_caption(p, p->rows[i].shape, out);
    text_add(out, "\n");
    table_print(shape_table(p, p->rows[i].shape), out, width, colour);
  }
}

static json_t *side_json(const struct finding *f, const struct findings *all) {
  return json_of("time_s:o origin:s", real_json(f && f->timed, f ? f->time.middle : 0),
                 run_origin_name(all->run->origin));
}

static json_t *row_json(const struct pair *p, const struct pair_row *r) {
  char shape[SHAPE_TEXT_MAX];
  json_t *o = json_of("variant:s shape:s a:o b:o ratio:v verdict:s same:b", r->variant, shape_text(r->shape, shape),
                      side_json(r->a, p->a), side_json(r->b, p->b), r->ratio, diff_verdict_name(r->verdict),
                      r->verdict == DIFF_SAME);
  if (!r->ratio.present)
    json_object_set_new(o, "reason", json_string(r->ratio.reason ? r->ratio.reason : ""));
  return o;
}

void report_pair_json(const struct pair *p, struct text *out) {
  json_t *rows = json_array();
  for (size_t i = 0; i < p->n; i++)
    json_array_append_new(rows, row_json(p, &p->rows[i]));
  put_json(json_of("schema:s rows:o", "nvfp4-prof/pair/1", rows), out);
}
