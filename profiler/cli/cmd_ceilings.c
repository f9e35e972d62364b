/* ceilings: what this GPU can do at most, measured, and written as a device file. */
#include "base/file.h"
#include "base/table.h"
#include "profiler/ceilings/ceilings.h"
#include "profiler/cli/cli.h"
#include "reports/text/report.h"
#include "run/device.h"

#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"gpu", "INDEX|UUID", "measure this GPU (default: the first)"},
    {"out", "FILE.json", "the device file to write (default: ceilings.json); --device FILE.json reads it elsewhere"},
    {"chart", "DIR", "write a chart of bandwidth and latency over size there: .svg .png .gp .dat"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

/* Said before the work and not after it. */
static int out_verify(const char *path, struct err *e) {
  struct stat st;
  char *copy = str_copy(path);
  if (!copy)
    return err_nomem(e, "a path");
  int result = 0;
  size_t n = strlen(path);
  const char *folder = dirname(copy);
  if (n < 6 || strcmp(path + n - 5, ".json") != 0)
    result = err_set(e, ERR_USAGE, "--out %s: it is a file's name that ends in .json, so that --device takes it", path);
  else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    result = err_set(e, ERR_USAGE, "--out %s: it is a folder; give a file's name in it", path);
  else if (access(folder, W_OK | X_OK))
    result = err_set(e, ERR_IO, "--out %s: %s: %s", path, folder, strerror(errno));
  free(copy);
  return result;
}

/* --- what people read --- */

static const struct scale {
  const char *unit, *shown;
  double factor;
} scales[] = {{"B/s", "TB/s", 1e-12},        {"FLOP/s", "TFLOP/s", 1e-12},      {"Hz", "MHz", 1e-6},
              {"lane/s", "G lanes/s", 1e-9}, {"sector/s", "G sectors/s", 1e-9}, {"block/s", "G blocks/s", 1e-9}};

static struct scale scale_of(const char *unit) {
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    if (strcmp(scales[i].unit, unit) == 0)
      return scales[i];
  return (struct scale){unit, unit, 1};
}

/* A figure of another kind, and what share of it was measured. */
static void beside_cells(struct table *t, const struct ceilings_row *r, const struct ceiling *c, struct scale s) {
  if (!c) {
    table_cell(t, "", NULL);
    table_cell(t, "", NULL);
    return;
  }
  table_number(t, c->value * s.factor, 4);
  if (r->present && c->value > 0)
    table_cellf(t, "%.1f", 100 * r->value / c->value);
  else
    table_cell(t, "", NULL);
}

static struct table *ceilings_table(const struct ceilings *c, const struct device *d) {
  struct table *t = table_new();
  table_column(t, "ceiling", "", "name", TABLE_LEFT);
  table_column(t, "measured", "", "measured", TABLE_RIGHT);
  table_column(t, "unit", "", "unit", TABLE_LEFT);
  table_column(t, "SM clock", "MHz", "clock_mhz", TABLE_RIGHT);
  table_column(t, "datasheet", "", "datasheet", TABLE_RIGHT);
  table_column(t, "of it", "%", "of_datasheet", TABLE_RIGHT);
  table_column(t, "driver", "", "driver", TABLE_RIGHT);
  table_column(t, "of it", "%", "of_driver", TABLE_RIGHT);
  table_column(t, "absent because", "", "reason", TABLE_LEFT);
  for (size_t i = 0; i < c->n; i++) {
    const struct ceilings_row *r = &c->rows[i];
    struct scale s = scale_of(r->unit);
    table_row(t);
    table_cell(t, r->name, NULL);
    if (r->present)
      table_number(t, r->value * s.factor, 4);
    else
      table_cell(t, "", NULL);
    table_cell(t, s.shown, NULL);
    if (r->present && r->clock_hz > 0)
      table_cellf(t, "%.0f", r->clock_hz / 1e6);
    else
      table_cell(t, "", NULL);
    beside_cells(t, r, device_ceiling(d, r->name, CEILING_DATASHEET), s);
    beside_cells(t, r, device_ceiling(d, r->name, CEILING_DRIVER), s);
    table_cell(t, r->present ? "" : r->reason, NULL);
  }
  return t;
}

static void people(const struct ceilings *c, const struct device *d, const char *path, struct text *out) {
  struct table *t = ceilings_table(c, d);
  text_printf(out, "Ceilings of %s, measured on this machine; how each was measured stands in %s\n\n", d->name, path);
  table_term(t, out, cli_width(), cli_colour());
  table_free(t);
  for (size_t i = 0; i < CEILINGS_CURVES; i++)
    if (!c->curves[i].n && c->curves[i].reason[0])
      text_printf(out, "\nthe curve %s is absent: %s\n", c->curves[i].name, c->curves[i].reason);
}

/* --- what programs read --- */

static json_t *number_or_null(const struct ceiling *c) {
  return c ? json_real(c->value) : json_null();
}

static json_t *row_json(const struct ceilings_row *r, const struct device *d) {
  json_t *j = json_pack("{s:s, s:s, s:o, s:o}", "name", r->name, "unit", r->unit, "value",
                        r->present ? json_real(r->value) : json_null(), "clock_hz",
                        r->present && r->clock_hz > 0 ? json_real(r->clock_hz) : json_null());
  json_object_set_new(j, "datasheet", number_or_null(device_ceiling(d, r->name, CEILING_DATASHEET)));
  json_object_set_new(j, "driver", number_or_null(device_ceiling(d, r->name, CEILING_DRIVER)));
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

static void programs(const struct ceilings *c, const struct device *d, const char *path, struct text *out) {
  json_t *rows = json_array(), *curves = json_array();
  for (size_t i = 0; i < c->n; i++)
    json_array_append_new(rows, row_json(&c->rows[i], d));
  for (size_t i = 0; i < CEILINGS_CURVES; i++)
    json_array_append_new(curves, curve_json(&c->curves[i]));
  json_t *j = json_pack("{s:s, s:s, s:s, s:o, s:o, s:s}", "device", d->id, "name", d->name, "file", path, "ceilings",
                        rows, "curves", curves, "notes", c->notes);
  char *text = json_dumps(j, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  text_printf(out, "%s\n", text ? text : "");
  out->failed |= !text;
  free(text);
  json_decref(j);
}

/* --- the command --- */

static void today(char out[16]) {
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(out, 16, "%Y-%m-%d", &utc);
}

static bool any_present(const struct ceilings *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->rows[i].present)
      return true;
  return false;
}

static int chart_write(const struct device *d, const char *folder, struct err *e) {
  struct text warning = {0};
  struct report_options options = {.folder = folder, .gnuplot = getenv("NVFP4_GNUPLOT"), .formats = REPORT_PLOTS};
  int result = report_ceilings(d, &options, &warning, e);
  if (warning.n)
    fprintf(stderr, "nvfp4-prof: %s\n", warning.s);
  text_release(&warning);
  return result ? err_context(e, "--chart") : 0;
}

/* The file is written first: what was measured must outlive any trouble with its table or chart. */
static int present(const struct ceilings *c, const struct gpu_probe *gpu, const char *path, const char *folder,
                   bool json, struct err *e) {
  struct device d = {0};
  struct text out = {0};
  char when[16];
  today(when);
  int result = ceilings_device(&d, c, gpu, when, e);
  if (!result)
    result = device_save(&d, path, e);
  if (result)
    goto out;
  if (json)
    programs(c, &d, path, &out);
  else
    people(c, &d, path, &out);
  result = cli_print(&out, e);
  if (c->notes[0])
    fprintf(stderr, "nvfp4-prof: %s\n", c->notes);
  fprintf(stderr, "nvfp4-prof: device file written to %s\n", path);
  if (!result && folder)
    result = chart_write(&d, folder, e);
out:
  text_release(&out);
  device_release(&d);
  return result;
}

static int ceilings_command(const struct args *a, struct err *e) {
  struct gpu_probe gpu;
  struct ceilings_options options = {.progress = cli_progress};
  int result = 0;
  if (a->n_rest)
    return err_set(e, ERR_USAGE, "ceilings takes no argument '%s'; did you mean --out %s?", a->rest[0], a->rest[0]);
  const char *path = args_get(a, "out"), *folder = args_get(a, "chart");
  path = path ? path : "ceilings.json";
  result = out_verify(path, e);
  if (!result)
    result = gpu_probe(&gpu, args_get(a, "gpu"), false, e);
  if (!result && folder && file_mkdirs(folder, e))
    result = err_context(e, "--chart");
  struct ceilings *measured = result ? NULL : calloc(1, sizeof *measured);
  if (!result && !measured)
    result = err_nomem(e, "ceilings");
  if (!result)
    result = ceilings_measure(measured, &options, &gpu, e);
  cli_progress_end();
  if (!result && !any_present(measured))
    result = err_set(e, ERR_MACHINE, "nothing could be measured, and no file was written; the first reason: %s",
                     measured->rows[0].reason);
  if (!result)
    result = present(measured, &gpu, path, folder, args_has(a, "json"), e);
  free(measured);
  return result;
}

const struct command command_ceilings = {
    .name = "ceilings",
    .arguments = "[OPTIONS]",
    .summary = "measure this GPU's ceilings: bandwidth, latency, rates",
    .needs = "a GPU",
    .examples = "ceilings --out h200.json --chart charts\n",
    .options = option_rows,
    .run = ceilings_command,
};
