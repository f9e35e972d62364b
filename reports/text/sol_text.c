#include "reports/text/sol_text.h"

#include "base/table.h"
#include "reports/text/put_json.h"

#include <jansson.h>
#include <stdlib.h>

static void cell_time(struct table *t, double seconds) {
  if (seconds > 0)
    table_cellf(t, "%.3f", seconds * 1e6);
  else
    table_cell(t, "", NULL);
}

static struct table *sol_table(const struct sol_text_row *rows, size_t n) {
  struct table *t = table_new();
  table_column(t, "shape", "MxKxL", "shape", TABLE_LEFT);
  table_column(t, "bandwidth", "TB/s", "bandwidth_tb_s", TABLE_RIGHT);
  table_column(t, "origin", "", "origin", TABLE_LEFT);
  table_column(t, "minimal", "bytes", "minimal_bytes", TABLE_RIGHT);
  table_drop(t, 5);
  table_column(t, "SOL", "µs", "sol_minimal_us", TABLE_RIGHT);
  table_column(t, "contest", "bytes", "contest_bytes", TABLE_RIGHT);
  table_drop(t, 3);
  table_column(t, "SOL contest", "µs", "sol_contest_us", TABLE_RIGHT);
  table_drop(t, 4);
  table_column(t, "FFMA", "µs", "ffma_us", TABLE_RIGHT);
  table_drop(t, 2);
  table_column(t, "decode", "µs", "decode_us", TABLE_RIGHT);
  table_drop(t, 1);
  for (size_t i = 0; i < n; i++) {
    char text[SHAPE_TEXT_MAX];
    table_row(t);
    table_cell(t, shape_text(rows[i].shape, text), NULL);
    table_cellf(t, "%.3f", rows[i].bandwidth->value / 1e12);
    table_cell(t, rows[i].origin, NULL);
    table_cellf(t, "%.0f", rows[i].minimal.bytes);
    table_cellf(t, "%.3f", rows[i].minimal.seconds * 1e6);
    table_cellf(t, "%.0f", rows[i].contest.bytes);
    table_cellf(t, "%.3f", rows[i].contest.seconds * 1e6);
    cell_time(t, rows[i].ffma_s);
    cell_time(t, rows[i].decode_s);
  }
  return t;
}

static void decode_say(const struct device *d, double seconds, struct text *out) {
  const struct ceiling *rate = device_best(d, "rate_f2fp");
  if (seconds > 0 && rate)
    text_printf(out,
                "decode: A's conversions from e2m1 alone, two values per lane, %.0f lanes per cycle and SM (%s).\n",
                rate->value, ceiling_kind_name(rate->kind));
  else if (d->sm > 0 && d->sm < SM_CONVERTS_E2M1)
    text_printf(out, "decode: sm_%d has no conversion from e2m1; how long decoding takes depends on the kernel.\n",
                d->sm);
  else
    text_add(out, "decode: the rate of the conversion from e2m1 is not known for this device.\n");
}

void report_sol_term(const struct device *d, const struct sol_text_row *rows, size_t n, struct text *out, int width,
                     bool colour) {
  struct table *t = sol_table(rows, n);
  text_printf(out, "Speed of light of %s, modelled: time = bytes / DRAM bandwidth\n", d->name);
  for (size_t i = 0; i < n; i++) {
    const struct ceiling *c = rows[i].bandwidth;
    if (i == 0 || rows[i - 1].bandwidth != c)
      text_printf(out, "  %.3f TB/s, %s: %s\n", c->value / 1e12, rows[i].origin, c->source ? c->source : "no source");
  }
  text_add(out, "\n");
  table_term(t, out, width, colour);
  table_free(t);
  text_printf(
      out,
      "\nminimal: A + SFA + B + SFB + C, one row of B and SFB per batch.  contest: the same with SFB at its 128 stored rows.\n"
      "FFMA: M·K·L multiply-adds at %.0f MHz on %d SMs, decode not counted.\n",
      d->clock_max_hz / 1e6, d->sms);
  decode_say(d, n ? rows[0].decode_s : 0, out);
}

void report_sol_csv(const struct sol_text_row *rows, size_t n, struct text *out) {
  struct table *t = sol_table(rows, n);
  table_csv(t, out);
  table_free(t);
}

void report_sol_json(const struct device *d, const struct sol_text_row *rows, size_t n, struct text *out) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) {
    const struct ceiling *c = rows[i].bandwidth;
    const struct sol *minimal = &rows[i].minimal, *contest = &rows[i].contest;
    char text[SHAPE_TEXT_MAX];
    json_array_append_new(list, json_pack("{s:s, s:f, s:s, s:s, s:f, s:f, s:f, s:f, s:o, s:o}", "shape",
                                          shape_text(rows[i].shape, text), "bandwidth_bytes_s", c->value, "origin",
                                          rows[i].origin, "source", c->source ? c->source : "", "minimal_bytes",
                                          minimal->bytes, "minimal_s", minimal->seconds, "contest_bytes",
                                          contest->bytes, "contest_s", contest->seconds, "ffma_s",
                                          rows[i].ffma_s > 0 ? json_real(rows[i].ffma_s) : json_null(), "decode_s",
                                          rows[i].decode_s > 0 ? json_real(rows[i].decode_s) : json_null()));
  }
  json_t *j = json_pack("{s:s, s:s, s:o}", "device", d->id ? d->id : "", "name", d->name ? d->name : "", "sol", list);
  put_json(j, out);
}
