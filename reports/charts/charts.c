#include "reports/charts/chart.h"
#include "reports/charts/chart_parts.h"
#include "reports/charts/chart_roofline.h"
#include "reports/charts/mma_report.h"
#include "reports/charts/tune_chart.h"
#include "reports/compare/history_text.h"

#include "base/template.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded reports_embedded_charts[];

static const char climb_hint[] =
    "Every rung that streams A once has nearly the same intensity, so the ladder climbs towards the roof.";
static const char kernels_hint[] =
    "A kernel on the roof moves bytes as fast as this level can; one below it falls short by that factor.";

/* In the order of the page. */
const struct chart_kind chart_kinds[] = {
    {.name = "climb",
     .place = CHART_EVERY_LADDER,
     .script = "plots/climb.gp",
     .title = "Time",
     .hint = "A bar is one launch, the geometric mean where there are several shapes; the axis begins at 0.",
     .steps_title = "The climb",
     .of_steps =
         "100 % is every byte once at the bandwidth named. A bar is the mean over the shapes, a dot one shape; pp: "
         "percentage points against the rung's parent.",
     .fill = chart_climb},
    {.name = "roofline",
     .place = CHART_LEADING_LADDER,
     .script = "plots/roofline.gp",
     .title = "DRAM roofline",
     .hint = kernels_hint,
     .of_steps = climb_hint,
     .steps_of_gemv = true,
     .fill = chart_roofline,
     .parts = &plot_dram},
    {.name = "l2-roofline",
     .script = "plots/roofline.gp",
     .title = "L2 roofline",
     .hint = kernels_hint,
     .fill = chart_roofline,
     .parts = &plot_l2},
    {.name = "l1-roofline",
     .script = "plots/roofline.gp",
     .title = "L1 roofline",
     .hint = kernels_hint,
     .fill = chart_roofline,
     .parts = &plot_l1},
    {.name = "instructions",
     .script = "plots/roofline.gp",
     .title = "Instruction roofline",
     .hint =
         "Warp instructions per 32-byte DRAM transaction. A kernel at the slanted roof is memory-bound, at the flat one issue-bound.",
     .of_steps =
         "Warp instructions per 32-byte DRAM transaction. A rung further left moves more bytes per instruction; at the slanted roof it is memory-bound, at the flat one issue-bound. Steps that change instructions but not bytes show here.",
     .steps_of_gemv = true,
     .fill = chart_roofline,
     .parts = &plot_instructions},
    {.name = "stalls",
     .place = CHART_LEADING_LADDER,
     .script = "plots/parts.gp",
     .title = "Where warp cycles go, by stall reason",
     .hint =
         "A warp's cycles from one issued instruction to its next, by stall reason; the label is their sum. A bar with » extends beyond the axis.",
     .fill = chart_parts,
     .parts = &parts_stalls},
    {.name = "mix",
     .script = "plots/parts.gp",
     .title = "Instructions for one element, by pipe",
     .hint =
         "Warp instructions for one element of A, by the pipe that executes them; the label is their total. A bar with » extends beyond the axis.",
     .fill = chart_parts,
     .parts = &parts_mix},
    {.name = "bytes",
     .script = "plots/parts.gp",
     .title = "Bytes moved against the minimal bytes",
     .hint =
         "1× is every operand once. The label is DRAM's value; after » stand values beyond the axis. DRAM above 1× is redundant traffic that misses the L2; L2 and L1 above 1× are operands read again, which the caches serve.",
     .fill = chart_parts,
     .parts = &parts_bytes},
    {.name = "inflight",
     .script = "plots/parts.gp",
     .title = "Bytes in flight: needed, possible, achieved",
     .hint =
         "Needed: the best known DRAM bandwidth × DRAM's idle latency (Little's law). Possible: the bytes that the "
         "resident warps can have in flight, by the SASS. Achieved: the DRAM bandwidth reached × the same latency. The "
         "label is that bandwidth. Where possible is under needed, issue more loads before the first use; where it is well above needed and little is achieved, loads come in bursts or something else binds.",
     .fill = chart_parts,
     .parts = &parts_inflight},
    {.name = "samples",
     .script = "plots/spread.gp",
     .title = "Spread of the timing samples",
     .hint =
         "Relative to each kernel's time, the middle of its samples: the box holds half of them, the line nine tenths.",
     .of_steps =
         "Relative to each rung's time, the middle of its samples: the box holds half of them, the line nine tenths; a rung that is faster by less than this is not measurably faster.",
     .fill = chart_spread_of_times},
    {.name = "ranks",
     .place = CHART_LEADING_LADDER,
     .script = "plots/ranks.gp",
     .title = "GPU time of the ranks against their median",
     .hint =
         "One row per kernel, the longest first, then the NVTX ranges; one column per rank, or per as many ranks as the axis says. Red took longer than the median rank, blue less; in an empty cell the rank never launched the kernel, or its file is missing. Where a column stands for several ranks, the outlier's number is beside it. In a collective, the rank that comes last waits least and is blue.",
     .fill = chart_ranks},
    {.name = "ceilings",
     .script = "plots/ceilings.gp",
     .hint = "A step down is the size at which a level of the memory no longer holds the working set.",
     .of = CHART_OF_DEVICE,
     .fill = chart_ceilings},
    {.name = "history",
     .script = "plots/history.gp",
     .hint = "Each line against its own first value; a circle is a step beyond the noise.",
     .of = CHART_OF_HISTORY,
     .fill = chart_history},
    {.name = "mma",
     .script = "plots/mma.gp",
     .hint = "One row per type of operand and sum, one mark per figure.",
     .of = CHART_OF_MMA,
     .fill = chart_mma},
    {.name = "tune",
     .script = "plots/tune.gp",
     .hint = "A cell is the least time over all other parameters.",
     .of = CHART_OF_TUNE,
     .fill = chart_tune},
};
const size_t n_chart_kinds = sizeof chart_kinds / sizeof *chart_kinds;

/* Kind, ladder, name, "TITLE: ladder NAME on DEVICE", and how to read it. */
static void begin(struct chart *c, const struct chart_kind *k, const struct chart_source *from) {
  const struct view *v = from->v;

  *c = (struct chart){.kind = k->name, .ladder = from->ladder};
  if (from->ladder == 0)
    snprintf(c->name, sizeof c->name, "%s", k->name);
  else
    snprintf(c->name, sizeof c->name, "%s-%s", k->name, v->ladders[from->ladder]);
  /* A ladder's name comes from a file of others and becomes a file's name here. */
  for (char *p = c->name; *p; p++) {
    if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
      *p = '-';
  }
  if (k->of != CHART_OF_LADDER) {
    text_add(&c->hint, k->hint);
    return;
  }
  struct view_words words = view_words(v->f, v->ladders[from->ladder]);
  bool steps = k->of_steps && words.climb && !(k->steps_of_gemv && view_of_others(v->f));

  text_add(&c->hint, steps ? k->of_steps : k->hint);
  text_printf(&c->title, "%s: %s %s on %s", steps && k->steps_title ? k->steps_title : k->title, words.all,
              v->ladders[from->ladder], v->f->run->device.name ? v->f->run->device.name : "an unnamed device");
}

bool chart_make(const struct chart_kind *k, const struct chart_source *from, struct chart *out) {
  struct slots s = {0};
  struct err e = {0};
  bool any;

  begin(out, k, from);
  any = k->fill(k, from, out, &s);
  slot_text(&s, "name", out->name);
  slot_text(&s, "title", text_str(&out->title));
  if (!slot_own(&s, "width", strlen("width")))
    slot_printf(&s, "width", "%d", CHART_WIDTH_PX);
  if (any && template_fill(&out->gp, reports_embedded_charts, k->script, &s, &e) != 0) {
    text_add(&out->gp, e.text); /* what a test sees where a slot was forgotten */
    out->gp.failed = true;
  }
  slots_release(&s);
  if (!any)
    chart_release(out);
  return any;
}

/* Whether the ladder holds the headline of the run; the first does where nothing has a time. */
static bool is_leading(const struct view *v, const struct story *story, size_t ladder) {
  const struct run_variant *best = story->headline.best;

  for (size_t i = 0; i < v->n && best; i++) {
    if (v->items[i].variant == best)
      return chart_on_ladder(&v->items[i], v->ladders[ladder]);
  }
  return ladder == 0;
}

size_t charts_make(const struct view *v, const struct story *story, bool all, struct chart **out) {
  size_t n = 0;

  *out = calloc(v->n_ladders * n_chart_kinds + 1, sizeof **out);
  for (size_t i = 0; *out && i < v->n_ladders; i++) {
    const struct chart_source from = {.v = v, .story = story, .ladder = i};

    for (size_t k = 0; k < n_chart_kinds; k++) {
      const struct chart_kind *kind = &chart_kinds[k];
      bool on_page =
          kind->place == CHART_EVERY_LADDER || (kind->place == CHART_LEADING_LADDER && is_leading(v, story, i));

      if (kind->of != CHART_OF_LADDER || (!all && !on_page) || !chart_make(kind, &from, &(*out)[n]))
        continue;
      (*out)[n++].on_page = on_page;
    }
  }
  return n;
}

/* --- charts that stand alone --- */

/* Makes and draws the chart of from->of.  *drawn: there was something to draw. */
static int chart_save_of(const struct chart_source *from, const char *folder, const char *gnuplot, bool *drawn,
                         struct text *warning, struct err *e) {
  const struct chart_kind *k = chart_kinds;
  struct chart c;
  int rc = 0;

  while (k->of != from->of)
    k++;
  *drawn = chart_make(k, from, &c);
  if (*drawn)
    rc = chart_save(&c, folder, gnuplot, warning, e);
  chart_release(&c);
  return rc;
}

int report_ceilings(const struct device *d, const struct report_options *o, struct text *warning, struct err *e) {
  bool drawn;
  int rc = chart_save_of(&(struct chart_source){.of = CHART_OF_DEVICE, .device = d}, o->folder, o->gnuplot, &drawn,
                         warning, e);

  if (!drawn)
    rc = err_set(e, ERR_DATA, "%s: no curve was measured, so there is nothing to draw", d->name ? d->name : "a device");
  return rc;
}

int report_history_chart(const struct history *h, const char *folder, const char *gnuplot, struct text *warning,
                         struct err *e) {
  bool drawn;

  return chart_save_of(&(struct chart_source){.of = CHART_OF_HISTORY, .history = h}, folder, gnuplot, &drawn, warning,
                       e);
}

int report_mma_chart(const struct mma_chart *m, const struct report_options *o, struct text *warning, struct err *e) {
  bool drawn;

  return chart_save_of(&(struct chart_source){.of = CHART_OF_MMA, .mma = m}, o->folder, o->gnuplot, &drawn, warning, e);
}

int report_tune_chart(const struct tune_report *t, const struct report_options *o, struct text *warning,
                      struct err *e) {
  bool drawn;

  return chart_save_of(&(struct chart_source){.of = CHART_OF_TUNE, .tune = t}, o->folder, o->gnuplot, &drawn, warning,
                       e);
}
