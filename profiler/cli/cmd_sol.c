#include "analysis/model/findings.h"
#include "base/table.h"
#include "kernels/problem.h"
#include "kernels/shape_list.h"
#include "profiler/cli/cli.h"
#include "run/device.h"

#include <jansson.h>
#include <stdlib.h>

static const struct option_row option_rows[] = {
    {"device", "ID|FILE", "b200 (default), h200, or the path of a device file"},
    {"shape", "LIST", "bench (default), tests, or MxKxL, comma between"},
    {"json", NULL, "print JSON"},
    {"csv", NULL, "print CSV"},
    {NULL, NULL, NULL},
};

static const enum ceiling_kind kinds[] = {CEILING_DATASHEET, CEILING_DRIVER, CEILING_MEASURED};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Time of the multiply-adds alone, one FFMA lane each, at the device's highest clock; 0 where its rate is unknown. */
static double ffma_seconds(const struct device *d, struct shape s) {
  const struct ceiling *rate = device_best(d, "rate_ffma");
  return rate ? problem_flops(s) / 2 / (rate->value * d->sms * d->clock_max_hz) : 0;
}

static void sol_table(const struct device *d, const struct shape *shapes, size_t n, struct table *t) {
  table_column(t, "shape", "MxKxL", "shape", TABLE_LEFT);
  table_column(t, "bandwidth", "TB/s", "bandwidth_tb_s", TABLE_RIGHT);
  table_column(t, "origin", "", "origin", TABLE_LEFT);
  table_column(t, "minimal", "bytes", "minimal_bytes", TABLE_RIGHT);
  table_column(t, "SOL", "µs", "sol_minimal_us", TABLE_RIGHT);
  table_column(t, "contest", "bytes", "contest_bytes", TABLE_RIGHT);
  table_column(t, "SOL contest", "µs", "sol_contest_us", TABLE_RIGHT);
  table_column(t, "FFMA", "µs", "ffma_us", TABLE_RIGHT);
  for (int k = 0; k < KINDS; k++) {
    const struct ceiling *bandwidth = device_ceiling(d, "dram_bw", kinds[k]);
    for (size_t i = 0; i < n && bandwidth; i++) {
      char text[SHAPE_TEXT_MAX];
      struct sol minimal, contest;
      sol_of(&minimal, problem_minimal_bytes(shapes[i]), "minimal", bandwidth);
      sol_of(&contest, problem_contest_bytes(shapes[i]), "contest", bandwidth);
      table_row(t);
      table_cell(t, shape_text(shapes[i], text), NULL);
      table_cellf(t, "%.3f", bandwidth->value / 1e12);
      table_cell(t, ceiling_kind_name(bandwidth->kind), NULL);
      table_cellf(t, "%.0f", minimal.bytes);
      table_cellf(t, "%.3f", minimal.seconds * 1e6);
      table_cellf(t, "%.0f", contest.bytes);
      table_cellf(t, "%.3f", contest.seconds * 1e6);
      table_cellf(t, "%.3f", ffma_seconds(d, shapes[i]) * 1e6);
    }
  }
}

static json_t *sol_json(const struct device *d, const struct shape *shapes, size_t n) {
  json_t *rows = json_array();
  for (int k = 0; k < KINDS; k++) {
    const struct ceiling *bandwidth = device_ceiling(d, "dram_bw", kinds[k]);
    for (size_t i = 0; i < n && bandwidth; i++) {
      char text[SHAPE_TEXT_MAX];
      struct sol minimal, contest;
      sol_of(&minimal, problem_minimal_bytes(shapes[i]), "minimal", bandwidth);
      sol_of(&contest, problem_contest_bytes(shapes[i]), "contest", bandwidth);
      json_array_append_new(rows, json_pack("{s:s, s:f, s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "shape",
                                            shape_text(shapes[i], text), "bandwidth_bytes_s", bandwidth->value,
                                            "origin", ceiling_kind_name(bandwidth->kind), "source",
                                            bandwidth->source ? bandwidth->source : "", "minimal_bytes", minimal.bytes,
                                            "minimal_s", minimal.seconds, "contest_bytes", contest.bytes, "contest_s",
                                            contest.seconds, "ffma_s", ffma_seconds(d, shapes[i])));
    }
  }
  return json_pack("{s:s, s:s, s:o}", "device", d->id ? d->id : "", "name", d->name ? d->name : "", "sol", rows);
}

static void sol_people(const struct device *d, const struct table *t, struct text *out) {
  text_printf(out, "Speed of light of %s, modelled: time = bytes / DRAM bandwidth\n", d->name);
  for (int k = 0; k < KINDS; k++) {
    const struct ceiling *c = device_ceiling(d, "dram_bw", kinds[k]);
    if (c)
      text_printf(out, "  %.3f TB/s, %s: %s\n", c->value / 1e12, ceiling_kind_name(c->kind),
                  c->source ? c->source : "no source");
  }
  text_add(out, "\n");
  table_term(t, out, cli_width(), cli_colour());
  text_printf(
      out,
      "\nminimal: A + SFA + B + SFB + C, one row of B and SFB a batch.  contest: the same with SFB at its 128 stored rows.\n"
      "FFMA: M·K·L multiply-adds at %.0f MHz on %d SMs, decode not counted.\n",
      d->clock_max_hz / 1e6, d->sms);
}

static int sol_command(const struct args *a, struct err *e) {
  struct device d = {0};
  struct shape *shapes = NULL;
  size_t n = 0;
  struct text out = {0};
  struct table *t = NULL;
  int result = 0;
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "sol takes no argument '%s'; did you mean --device %s?", a->rest[0], a->rest[0]);
  const char *device = args_get(a, "device"), *shape = args_get(a, "shape");
  result = device_load(&d, device ? device : "b200", e);
  if (!result)
    result = shapes_parse(shape ? shape : "bench", &shapes, &n, e);
  for (size_t i = 0; i < n && !result; i++)
    if (shape_named(&shapes[i]))
      result = err_set(e, ERR_USAGE, "--shape %s: sol is of the NVFP4 GEMV: write --shape MxKxL", shapes[i].sizes);
  if (result)
    goto out;
  t = table_new();
  sol_table(&d, shapes, n, t);
  if (args_has(a, "json")) {
    json_t *j = sol_json(&d, shapes, n);
    char *text = json_dumps(j, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    text_printf(&out, "%s\n", text ? text : "");
    free(text);
    json_decref(j);
  } else if (args_has(a, "csv")) {
    table_csv(t, &out);
  } else {
    sol_people(&d, t, &out);
  }
  result = cli_print(&out, e);
out:
  table_free(t);
  free(shapes);
  device_release(&d);
  return result;
}

const struct command command_sol = {
    .name = "sol",
    .arguments = "[OPTIONS]",
    .summary = "the memory-bound speed of light of a device",
    .needs = "nothing",
    .examples = "sol --device h200\n"
                "sol --shape 7168x2048x4 --json\n",
    .options = option_rows,
    .run = sol_command,
};
