#include "reports/text/ceilings_text.h"

#include "base/table.h"
#include "reports/words/evidence_text.h"
#include "reports/words/put_json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* --- what people read --- */

/* A figure of another kind, and what share of it was measured. */
static void beside_cells(struct table *t, const struct ceilings_row *r, const struct ceiling *c,
                         struct ceilings_scale s) {
  if (!c) {
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
    return;
  }
  table_number(t, c->value * s.factor, 4);
  table_format(t, "%.1f", r->present && c->value > 0 ? 100 * r->value / c->value : NAN);
}

static struct table *ceilings_table(const struct ceilings *c, const struct device *d) {
  struct table *t = table_of("ceiling =name | >measured | unit | >SM clock [MHz] =clock_mhz -1 | >datasheet | "
                             ">of it [%] =of_datasheet | >driver -2 | >of it [%] =of_driver -3 | "
                             "absent because =reason");
  for (size_t i = 0; i < c->n; i++) {
    const struct ceilings_row *r = &c->rows[i];
    struct ceilings_scale s = ceilings_scale_of(r->unit);
    table_line(t, "s 4 s %.0f", r->name, r->present ? r->value * s.factor : NAN, s.shown,
               r->present && r->clock_hz > 0 ? r->clock_hz / 1e6 : NAN);
    beside_cells(t, r, device_ceiling(d, r->name, CEILING_DATASHEET), s);
    beside_cells(t, r, device_ceiling(d, r->name, CEILING_DRIVER), s);
    table_cell(t, r->present ? "" : r->reason, NULL);
  }
  return t;
}

void report_ceilings_term(const struct ceilings *c, const struct device *d, const char *path, struct text *out,
                          int width, bool colour) {
  struct table *t = ceilings_table(c, d);
  text_printf(out, "Ceilings of %s, measured on this machine; how each was measured stands in %s\n\n", d->name, path);
  table_print(t, out, width, colour);
  for (size_t i = 0; i < CEILINGS_CURVES; i++)
    if (!c->curves[i].n && c->curves[i].reason[0])
      text_printf(out, "\nthe curve %s is absent: %s\n", c->curves[i].name, c->curves[i].reason);
}

/* --- what programs read --- */

static json_t *number_or_null(const struct ceiling *c) {
  return real_json(c, c ? c->value : 0);
}

static json_t *row_json(const struct ceilings_row *r, const struct device *d) {
  json_t *j = json_of("name:s unit:s value:o clock_hz:o", r->name, r->unit, real_json(r->present, r->value),
                      real_json(r->present && r->clock_hz > 0, r->clock_hz));
  members_set(j, "datasheet:o driver:o", number_or_null(device_ceiling(d, r->name, CEILING_DATASHEET)),
              number_or_null(device_ceiling(d, r->name, CEILING_DRIVER)));
  json_object_set_new(j, r->present ? "how" : "reason", json_string(r->present ? r->detail : r->reason));
  return j;
}

static json_t *curve_json(const struct ceilings_curve *c) {
  json_t *x = json_array(), *y = json_array();
  for (size_t i = 0; i < c->n; i++) {
    json_array_append_new(x, json_real(c->x[i]));
    json_array_append_new(y, json_real(c->y[i]));
  }
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s}", "name", c->name, "x_unit", c->x_unit, "y_unit", c->y_unit, "x", x,
                   "y", y, c->n ? "how" : "reason", c->n ? c->detail : c->reason);
}

void report_ceilings_json(const struct ceilings *c, const struct device *d, const char *path, struct text *out) {
  json_t *rows = json_array(), *curves = json_array();
  for (size_t i = 0; i < c->n; i++)
    json_array_append_new(rows, row_json(&c->rows[i], d));
  for (size_t i = 0; i < CEILINGS_CURVES; i++)
    if (c->curves[i].name[0])
      json_array_append_new(curves, curve_json(&c->curves[i]));
  json_t *j =
      json_of("device:s name:s file:s ceilings:o curves:o notes:s", d->id, d->name, path, rows, curves, c->notes);
  put_json(j, out);
}
