#include "analysis/model/findings.h"
#include "kernels/problem.h"
#include "kernels/shape_list.h"
#include "profiler/cli/cli.h"
#include "reports/text/sol_text.h"
#include "run/device.h"

#include <stdlib.h>

static const struct option_row option_rows[] = {
    {"device", "ID|FILE", "b200 (default), h200, or the path of a device file"},
    {"shape", "LIST", "bench (default), tests, llm, or MxKxL, comma between"},
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

static size_t rows_fill(struct sol_text_row *rows, const struct device *d, const struct shape *shapes, size_t n) {
  size_t filled = 0;
  for (int k = 0; k < KINDS; k++) {
    const struct ceiling *bandwidth = device_ceiling(d, "dram_bw", kinds[k]);
    for (size_t i = 0; i < n && bandwidth; i++) {
      struct sol_text_row *r = &rows[filled++];
      *r = (struct sol_text_row){.shape = shapes[i], .bandwidth = bandwidth, .ffma_s = ffma_seconds(d, shapes[i])};
      sol_of(&r->minimal, problem_minimal_bytes(shapes[i]), "minimal", bandwidth);
      sol_of(&r->contest, problem_contest_bytes(shapes[i]), "contest", bandwidth);
    }
  }
  return filled;
}

static int sol_command(const struct args *a, struct err *e) {
  struct device d = {0};
  struct shape *shapes = NULL;
  struct sol_text_row *rows = NULL;
  size_t n = 0;
  struct text out = {0};
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "sol takes no argument '%s'; did you mean --device %s?", a->rest[0], a->rest[0]);
  const char *device = args_get(a, "device"), *shape = args_get(a, "shape");
  int result = device_load(&d, device ? device : "b200", e);
  if (!result)
    result = shapes_parse(shape ? shape : "bench", &shapes, &n, e);
  for (size_t i = 0; i < n && !result; i++)
    if (shape_named(&shapes[i]))
      result = err_set(e, ERR_USAGE, "--shape %s: sol is of the NVFP4 GEMV: write --shape MxKxL", shapes[i].sizes);
  if (!result && !(rows = calloc(n * KINDS + 1, sizeof *rows)))
    result = err_nomem(e, "shapes");
  if (result)
    goto out;
  n = rows_fill(rows, &d, shapes, n);
  if (args_has(a, "json"))
    report_sol_json(&d, rows, n, &out);
  else if (args_has(a, "csv"))
    report_sol_csv(rows, n, &out);
  else
    report_sol_term(&d, rows, n, &out, cli_width(), cli_colour());
  result = cli_print(&out, e);
out:
  free(rows);
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
