#include "reports/words/evidence_text.h"

#include "reports/words/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MILLION = 1e6, MIB = 1024 * 1024, GIB = 1024 * MIB;

/* A count: 40 blocks are not 40.0. */
static const char *count_text(char buffer[VIEW_NUMBER_MAX], double v) {
  if (v != floor(v) || v >= MILLION)
    return view_number(buffer, v, 3);
  snprintf(buffer, VIEW_NUMBER_MAX, "%.0f", v);
  return buffer;
}

static const char *plural(const char *unit) {
  size_t n = strlen(unit);
  bool hisses = n > 0 && (unit[n - 1] == 's' || unit[n - 1] == 'h'); /* an address, a launch */
  return strcmp(unit, "inst") == 0 ? "" : hisses ? "es" : "s";
}

/* A part of the time is no more than all of it, whatever a rate or a latency is off for this
 * kernel. */
static bool is_part_of_time(const struct evidence *x) {
  return strcmp(x->unit, "ratio") == 0 && strstr(x->title, "share of the time");
}

void report_evidence(const struct evidence *x, struct text *out) {
  double v = is_part_of_time(x) ? fmin(x->value.v, 1) : x->value.v;
  char count[VIEW_NUMBER_MAX];

  if (strcmp(x->unit, "ratio") == 0 && v <= 1)
    text_printf(out, "%s %.0f %%", x->title, 100 * v);
  else if (strcmp(x->unit, "ratio") == 0)
    text_printf(out, "%s %s×", x->title, VIEW_NUMBER(v, 3));
  else if (strcmp(x->unit, "s") == 0)
    text_printf(out, "%s %s", x->title, VIEW_SPAN(v, 3));
  else if (strcmp(x->unit, "B/s") == 0 && v < 1e10)
    text_printf(out, "%s %s GB/s", x->title, VIEW_NUMBER(v * 1e-9, 3));
  else if (strcmp(x->unit, "B/s") == 0)
    text_printf(out, "%s %s TB/s", x->title, VIEW_NUMBER(v * 1e-12, 3));
  else if (strcmp(x->unit, "B") == 0 && v >= 10 * GIB)
    text_printf(out, "%s %s GiB", x->title, VIEW_NUMBER(v / GIB, 3));
  else if (strcmp(x->unit, "B") == 0 && v >= 100 * MIB)
    text_printf(out, "%s %s MiB", x->title, VIEW_NUMBER(v / MIB, 3));
  else if (strcmp(x->unit, "B") == 0)
    text_printf(out, "%s %s KiB", x->title, VIEW_NUMBER(v / 1024, 3));
  else if (v >= MILLION)
    text_printf(out, "%s %s M %s%s", x->title, VIEW_NUMBER(v / MILLION, 3), x->unit, plural(x->unit));
  else
    text_printf(out, "%s %s %s%s", x->title, count_text(count, v), x->unit, v != 1 ? plural(x->unit) : "");
  text_add(out, x->doubted ? " (impossible)" : "");
}

void report_evidences(const struct evidence *x, size_t n, struct text *out) {
  for (size_t i = 0; i < n; i++) {
    text_add(out, i ? "; " : "");
    report_evidence(&x[i], out);
  }
}

static const struct ceilings_scale scales[] = {
    {"B/s", "TB/s", 1e-12},        {"FLOP/s", "TFLOP/s", 1e-12},      {"Hz", "MHz", 1e-6},
    {"lane/s", "G lanes/s", 1e-9}, {"sector/s", "G sectors/s", 1e-9}, {"block/s", "G blocks/s", 1e-9}};

struct ceilings_scale ceilings_scale_of(const char *unit) {
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    if (strcmp(scales[i].unit, unit) == 0)
      return scales[i];
  return (struct ceilings_scale){unit, unit, 1};
}

void report_ceiling(const struct ceiling *c, struct text *out) {
  if (!c)
    return;
  struct ceilings_scale scale = ceilings_scale_of(c->unit);
  text_printf(out, "%s %s %s, %s", c->name, VIEW_NUMBER(c->value * scale.factor, 3), scale.shown,
              view_ceiling_kind(c->kind));
}
