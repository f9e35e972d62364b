#include "kernels/problem.h"
#include "profiler/cli/cli.h"
#include "reports/text/sol_text.h"
#include "run/device.h"

#include <stdlib.h>

static const struct option_row option_rows[] = {
    {"device", "ID|FILE", "one of `nvfp4-prof list devices` (default: b200), or the path of a device file"},
    {"bandwidth", "TB/S", "a DRAM bandwidth to compare with the device's own, such as 7.7"},
    {"shape", "LIST", "comma-separated shapes: bench (default), tests, llm, MxKxL"},
    {"json", NULL, "print JSON"},
    {"csv", NULL, "print CSV"},
    {NULL, NULL, NULL},
};

static const enum ceiling_kind kinds[] = {CEILING_DATASHEET, CEILING_DRIVER, CEILING_MEASURED, CEILING_PUBLISHED};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Time of the multiply-adds alone, one FFMA lane each, at the device's highest clock; 0 where its rate is unknown. */
static double ffma_seconds(const struct device *d, struct shape s) {
  const struct ceiling *rate = device_best(d, "rate_ffma");
  return rate ? problem_flops(s) / 2 / (rate->value * d->sms * d->clock_max_hz) : 0;
}

/* Time of A's conversions alone, two values a lane each; 0 where the chip has none or their rate is unknown. */
static double decode_seconds(const struct device *d, struct shape s) {
  const struct ceiling *rate = device_best(d, "rate_f2fp");
  double values = (double)s.m * (double)s.k * (double)s.l;
  return rate && d->sm >= SM_CONVERTS_E2M1 ? values / 2 / (rate->value * d->sms * d->clock_max_hz) : 0;
}

struct sol_rows {
  struct sol_text_row *items;
  size_t n;
};

static void rows_add(struct sol_rows *rows, const struct device *d, const struct ceiling *bandwidth, const char *origin,
                     const struct shape *shapes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    struct sol_text_row *r = &rows->items[rows->n++];
    *r = (struct sol_text_row){.shape = shapes[i],
                               .bandwidth = bandwidth,
                               .origin = origin,
                               .ffma_s = ffma_seconds(d, shapes[i]),
                               .decode_s = decode_seconds(d, shapes[i])};
    sol_of(&r->minimal, problem_minimal_bytes(shapes[i]), "minimal", bandwidth);
    sol_of(&r->contest, problem_contest_bytes(shapes[i]), "contest", bandwidth);
  }
}

static void rows_fill(struct sol_rows *rows, const struct device *d, const struct ceiling *given,
                      const struct shape *shapes, size_t n) {
  if (given->value > 0)
    rows_add(rows, d, given, "given", shapes, n);
  for (int k = 0; k < KINDS; k++) {
    const struct ceiling *bandwidth = device_ceiling(d, "dram_bw", kinds[k]);
    if (bandwidth)
      rows_add(rows, d, bandwidth, ceiling_kind_name(kinds[k]), shapes, n);
  }
}

static int bandwidth_parse(struct ceiling *out, const char *text, struct err *e) {
  static const double least = 0.01, most = 1000;
  char *end;
  if (!text)
    return 0;
  double v = strtod(text, &end);
  if (end == text || *end || !(v >= least && v <= most))
    return err_set(e, ERR_USAGE, "--bandwidth %s: must be a number of TB/s, as in --bandwidth 7.7", text);
  *out = (struct ceiling){
      .name = (char *)"dram_bw", .unit = (char *)"B/s", .value = v * 1e12, .source = (char *)"--bandwidth"};
  return 0;
}

static int sol_command(const struct args *a, struct err *e) {
  struct device d = {0};
  struct shape *shapes = NULL;
  struct sol_rows rows = {0};
  struct ceiling given = {0};
  size_t n = 0;
  struct text out = {0};
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "sol takes no argument '%s'; did you mean --device %s?", a->rest[0], a->rest[0]);
  const char *device = args_get(a, "device"), *shape = args_get(a, "shape");
  int rc = device_load(&d, device ? device : "b200", e);
  if (!rc)
    rc = shapes_parse(shape ? shape : "bench", &shapes, &n, e);
  for (size_t i = 0; i < n && !rc; i++)
    if (shape_named(&shapes[i]))
      rc = err_set(e, ERR_USAGE, "--shape %s: sol knows the NVFP4 GEMV only: write --shape MxKxL", shapes[i].sizes);
  if (!rc)
    rc = bandwidth_parse(&given, args_get(a, "bandwidth"), e);
  if (rc)
    goto out;
  rows.items = calloc(n * (KINDS + 1) + 1, sizeof *rows.items);
  rows_fill(&rows, &d, &given, shapes, n);
  if (args_has(a, "json"))
    report_sol_json(&d, rows.items, rows.n, &out);
  else if (args_has(a, "csv"))
    report_sol_csv(rows.items, rows.n, &out);
  else
    report_sol_term(&d, device != NULL, rows.items, rows.n, &out, cli_width(), cli_colour());
  rc = cli_print_or_words(&out, args_has(a, "json") || args_has(a, "csv"), e);
out:
  free(rows.items);
  free(shapes);
  device_release(&d);
  return rc;
}

COMMAND_ROW(30, sol) = {
    .name = "sol",
    .arguments = "[OPTIONS]",
    .summary = "print the memory-bound speed of light of a device",
    .needs = "nothing",
    .examples = "sol --device h200\n"
                "sol --device gb200 --bandwidth 7.7\n"
                "sol --shape 7168x2048x4 --json\n",
    .options = option_rows,
    .run = sol_command,
};
