#include "reports/words/columns.h"

#include "reports/words/view.h"

#include <math.h>
#include <string.h>

const struct result_column *result_column_find(const char *key) {
  for (size_t i = 0; i < n_result_columns; i++)
    if (strcmp(result_columns[i].key, key) == 0)
      return &result_columns[i];
  return NULL;
}

struct value result_column_number(const struct result_column *c, size_t part, const struct column_row *r) {
  const char *base = (const char *)r->finding;
  struct value x = {0};
  if (!base)
    return x;
  if (c->value)
    memcpy(&x, base + c->value + part * sizeof x, sizeof x);
  else if (c->metric)
    x = finding_value(r->finding, c->metric);
  else if (c->number)
    x = c->number(r);
  else if (c->real)
    x = value_of(*(const double *)((const char *)r->finding->result + c->real));
  else if (c->time && r->finding->timed)
    x = value_of(*(const double *)(base + c->time));
  return x;
}

/* NULL: the column is not a string of the variant or the result, or it is absent. */
static const char *string_of(const struct result_column *c, const struct finding *f) {
  const char *base = c->of_result ? (const char *)f->result : (const char *)f->variant;
  size_t at = c->of_result + c->of_variant;
  return at ? *(char *const *)(base + at) : NULL;
}

/* What programs read, and people where there is no more to show. */
static void plain_add(const struct result_column *c, size_t part, const struct column_row *r, double scale, int digits,
                      struct text *out) {
  struct value x = result_column_number(c, part, r);
  if (!r->finding)
    return;
  if (string_of(c, r->finding))
    text_add(out, string_of(c, r->finding));
  else if (c->text)
    c->text(r, out);
  else if (c->flag)
    text_add(out, c->flag(r) ? "1" : "0");
  else if (x.present && isfinite(x.v) && digits)
    text_add(out, VIEW_NUMBER(x.v * scale, digits));
  else if (x.present && isfinite(x.v))
    text_printf(out, "%.17g", x.v * scale);
}

void result_column_cell(struct table *t, const struct result_column *c, size_t part, const struct column_row *r,
                        bool bare) {
  struct text shown = {0}, value = {0};
  plain_add(c, part, r, c->scale, 0, &value);
  if (c->shown && r->finding && !bare)
    c->shown(r, &shown);
  else
    plain_add(c, part, r, c->shown_scale != 0 ? c->shown_scale : c->scale, c->digits, &shown);
  table_cell(t, text_str(&shown), text_str(&value));
  if (c->style && r->styled && r->finding)
    table_style(t, c->style(r->finding));
  text_release(&shown);
  text_release(&value);
}

size_t result_column_parts(const struct result_column *c) {
  return c->parts ? c->parts : 1;
}

void shown_column_head(struct table *t, const struct shown_column *s) {
  const struct result_column *c = result_column_find(s->key);
  const char *title = s->title ? s->title : c->title, *unit = s->unit ? s->unit : c->unit;
  for (size_t i = 0; i < result_column_parts(c); i++) {
    table_column(t, c->part ? c->part(i) : title, unit, c->key, c->align);
    table_drop(t, s->drop);
  }
}

void shown_column_cell(struct table *t, const struct shown_column *s, const struct column_row *r) {
  const struct result_column *c = result_column_find(s->key);
  for (size_t i = 0; i < result_column_parts(c); i++)
    result_column_cell(t, c, i, r, s->bare);
}
