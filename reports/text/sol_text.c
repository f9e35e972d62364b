#include "reports/text/sol_text.h"

#include "base/table.h"
#include "reports/words/put_json.h"

#include <jansson.h>
#include <math.h>

static void cell_time(struct table *t, double seconds) {
  table_format(t, "%.3f", seconds > 0 ? seconds * 1e6 : NAN);
}

static struct table *sol_table(const struct sol_text_row *rows, size_t n) {
  struct table *t = table_of("shape [MxKxL] | >bandwidth [TB/s] =bandwidth_tb_s | origin | "
                             ">minimal [bytes] =minimal_bytes -3 | >SOL [µs] =sol_minimal_us | "
                             ">contest [bytes] =contest_bytes -1 | >SOL contest [µs] =sol_contest_us -2 | "
                             ">FFMA [µs] =ffma_us -4 | >decode [µs] =decode_us -5");
  for (size_t i = 0; i < n; i++) {
    char text[SHAPE_TEXT_MAX];
    table_line(t, "s %.3f s %.0f %.3f %.0f %.3f", shape_text(rows[i].shape, text), rows[i].bandwidth->value / 1e12,
               rows[i].origin, rows[i].minimal.bytes, rows[i].minimal.seconds * 1e6, rows[i].contest.bytes,
               rows[i].contest.seconds * 1e6);
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

void report_sol_term(const struct device *d, bool asked, const struct sol_text_row *rows, size_t n, struct text *out,
                     int width, bool colour) {
  struct table *t = sol_table(rows, n);
  text_printf(out, "Speed of light of %s%s, modelled: time = bytes / DRAM bandwidth\n", d->name,
              asked ? "" : " (the default; another by --device)");
  for (size_t i = 0; i < n; i++) {
    const struct ceiling *c = rows[i].bandwidth;
    if (i == 0 || rows[i - 1].bandwidth != c)
      text_printf(out, "  %.3f TB/s, %s: %s\n", c->value / 1e12, rows[i].origin, c->source ? c->source : "no source");
  }
  text_add(out, "\n");
  table_print(t, out, width, colour);
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
    json_array_append_new(
        list,
        json_of(
            "shape:s bandwidth_bytes_s:f origin:s source:s minimal_bytes:f minimal_s:f contest_bytes:f contest_s:f ffma_s:o decode_s:o",
            shape_text(rows[i].shape, text), c->value, rows[i].origin, c->source ? c->source : "", minimal->bytes,
            minimal->seconds, contest->bytes, contest->seconds, real_json(rows[i].ffma_s > 0, rows[i].ffma_s),
            real_json(rows[i].decode_s > 0, rows[i].decode_s)));
  }
  json_t *j = json_of("device:s name:s sol:o", d->id ? d->id : "", d->name ? d->name : "", list);
  put_json(j, out);
}
