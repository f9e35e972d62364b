#include "reports/text/diagnose.h"

#include "base/table.h"
#include "reports/words/place_text.h"
#include "reports/words/view.h"

#include <math.h>
#include <string.h>

/* What is hot is shown until it holds so many of the waits, or has less than so many of the samples: what is left is many places with few each. */
static const double MOST = 80, WORTH = 3; /* percent */

static void add_lines(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const struct hot *h = &d->diagnosis->hot;
  struct table *t = table_of(
      h->issued_on ? ">instructions [%] =instructions_share | >waits [%] =waits_share -1 | stall -1 | line | source …"
                   : ">waits [%] =waits_share | stall | line | source …");
  double shown = 0;

  for (size_t i = 0; i < h->n_lines && (o->all || (i < o->lines && shown < MOST)); i++) {
    const struct hot_line *l = &h->lines[i];
    double part = 100 * hot_line_share(h, l);
    if (!o->all && i > 0 && part < WORTH)
      break;
    shown += h->issued_on ? part : view_share(l->waits, h->waits);
    struct text source = {0}, line = {0};
    report_line_shown(h->run, l->source, l->line, &source);
    report_hot_line_cell(h, l, &line);
    table_row(t);
    if (h->issued_on)
      table_number(t, part, 2);
    table_number(t, view_share(l->waits, h->samples), 2);
    table_cellf(t, "%s %.0f %%", l->top.reason ? l->top.reason : "", view_share(l->top.samples, l->waits));
    table_cell(t, text_str(&line), NULL);
    table_cell(t, text_str(&source), NULL);
    text_release(&source);
    text_release(&line);
  }
  table_print(t, out, o->width, o->colour);
}

/* Several kernels of the result have samples: which one an instruction is of has to be said. */
static bool in_several(const struct hot *h) {
  size_t n = 0;
  for (size_t i = 0; i < h->n_kernels; i++)
    n += h->kernels[i].samples > 0;
  return n > 1;
}

/* "  33 % long_scoreboard 0x0460 FADD R4, R5, R6 (gemv.cu:40)": its samples, of which most are of that stall; and what it waits for. */
static void add_inst(const struct hot *h, const struct hot_inst *x, struct text *out) {
  const struct hot_kernel *k = &h->kernels[x->kernel];
  bool stores = x->n_feeds && x->feeds[0].wait == WAIT_STORES;
  size_t ended = stores ? sass_ended_at(&k->sass, x->at) : x->at;
  const struct sass_inst *at = &k->sass.insts[ended];
  struct code_place shown;
  struct text place = {0};
  code_place_of(&shown, h->run, hot_shown(k, ended));
  if (shown.line)
    report_line(h->run, shown.line->source, shown.line->line, PLACE_SHORT, &place);
  if (in_several(h))
    text_printf(&place, "%skernel %s", place.n ? ", " : "", k->kernel->name);
  text_printf(out, "  %.0f %% %s 0x%04x %s", view_share(x->waits, h->samples), x->reasons[0].reason, at->offset,
              at->text);
  text_printf(out, place.n ? " (%s)\n" : "%s\n", text_str(&place));
  for (size_t i = 0; i < x->n_feeds; i++) {
    text_add(out, "       for ");
    report_feed(h, x, &x->feeds[i], out);
    text_add(out, "\n");
  }
  text_end(&place, out);
}

/* Where a pipe is full, warps wait for it at instructions that are not what fills it. */
static bool only_queues(const struct hot *h, const struct hot_inst *x) {
  return h->issued_on && x->n_reasons && strcmp(x->reasons[0].reason, "math_pipe_throttle") == 0;
}

/* The hottest instructions, and what they wait for. */
static void add_insts(const struct hot *h, bool all, struct text *out) {
  enum { INSTS_SHOWN = 5 };
  struct text list = {0};
  uint64_t shown = 0;
  size_t n = 0;

  for (size_t i = 0; i < h->n_insts && n < INSTS_SHOWN && view_share(shown, h->waits) < MOST; i++) {
    const struct hot_inst *x = &h->insts[i];
    if (view_share(x->waits, h->samples) < WORTH)
      break;
    if (x->n_reasons == 0 || only_queues(h, x))
      continue;
    add_inst(h, x, &list);
    shown += x->waits;
    n++;
  }
  if (n)
    text_printf(out, "\nhottest instructions, %.0f %% of the samples%s, and what they wait for\n%s",
                view_share(shown, h->samples), all ? "" : " (more: --all)", text_str(&list));
  else if (h->n_insts)
    text_printf(out, "\nno instruction has %.0f %% of the samples%s\n", WORTH, all ? "" : " (all: --all)");
  text_end(&list, out);
}

/* Of single instructions, and no estimates. */
static bool has_counts(const struct hot_kernel *k) {
  return k->sass.counted && !k->sass.estimated && !k->sass.spread;
}

static void listing_row(struct table *t, const struct hot *h, const struct hot_kernel *k, size_t at) {
  const struct hot_inst *x = k->insts[at] == SASS_NONE ? NULL : &h->insts[k->insts[at]];
  struct text place = {0};

  report_place(h->run, hot_shown(k, at), PLACE_CELL, &place);
  table_row(t);
  if (x) {
    table_number(t, view_share(x->waits, h->samples), 2);
    table_cell(t, x->n_reasons ? x->reasons[0].reason : "", NULL);
  } else {
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
  }
  if (has_counts(k))
    table_format(t, "%.0f", k->sass.executed[at] >= 0 ? k->sass.executed[at] : NAN);
  table_cellf(t, "%04x", k->sass.insts[at].offset);
  table_cell(t, k->sass.insts[at].text, NULL);
  table_cell(t, text_str(&place), NULL);
  text_release(&place);
}

/* Like `perf annotate`: SASS in its order, with samples, reason, executed count and line. */
static void add_listing(const struct report_diagnosis *d, const struct report_diagnose_options *o,
                        const struct hot_kernel *k, struct text *out) {
  struct table *t =
      table_of(has_counts(k) ? ">waits [%] =waits_share | stall | >executed -1 | offset -2 | SASS =sass … | line"
                             : ">waits [%] =waits_share | stall | offset -1 | SASS =sass … | line");
  for (size_t at = 0; at < k->sass.n; at++)
    listing_row(t, &d->diagnosis->hot, k, at);
  text_printf(out, "\nkernel %s: all instructions\n", k->kernel->name);
  table_print(t, out, o->width, o->colour);
}

void report_hot(const struct report_diagnosis *d, const struct report_diagnose_options *o, struct text *out) {
  const struct hot *h = &d->diagnosis->hot;
  const struct run_sampling *s = &d->finding->result->sampling;

  if (h->reason) {
    text_printf(out, "\nwhere warps wait: unknown: %s\n", h->reason);
  } else {
    text_printf(out, "\nwhere warps wait: %llu PC samples", (unsigned long long)h->samples);
    if (s->dropped)
      text_printf(out, ", %llu dropped", (unsigned long long)s->dropped);
    if (h->unplaced)
      text_printf(out, ", %.1f %% at a known instruction", view_share(h->samples - h->unplaced, h->samples));
    text_printf(out, "; warps wait in %.0f %%, issue or are ready in the others\n", view_share(h->waits, h->samples));
    if (h->issued_on)
      text_printf(out, "%s binds: lines are ordered by the instructions that they issue there\n", h->issued_on);
    if (h->n_lines)
      add_lines(d, o, out);
    add_insts(h, o->all, out);
  }
  for (size_t i = 0; i < h->n_kernels && o->all; i++)
    add_listing(d, o, &h->kernels[i], out);
}
