/* Counters from ncu's metrics, and the card from its device attributes. */
#include "base/text.h"
#include "profiler/import/importing.h"

#include <stdlib.h>
#include <string.h>

/* --- expressions over one launch --- */

struct lookup {
  const struct imported *im;
  const struct ncu_launch *launch;
  struct ncu_reading *r;
};

static bool lookup_value(void *context, const char *name, double *out) {
  struct lookup *l = context;
  if (strcmp(name, "sms") != 0)
    return ncu_value(l->launch, name, out, l->r);
  *out = l->im->run->device.sms;
  return l->im->run->device.sms > 0;
}

/* Mean over the launches that have the value; false: none has. */
static bool expr_mean(const struct imported *im, const struct group *g, const struct expr *x, double *mean,
                      struct ncu_reading *r) {
  double sum = 0, v;
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++) {
    struct lookup l = {im, g->launches[i], r};
    if (expr_eval(x, lookup_value, &l, &v, NULL))
      continue;
    sum += v;
    n++;
  }
  *mean = n ? sum / (double)n : 0;
  return n > 0;
}

/* By the row's first alternative that a launch has, which is returned; NULL: none. */
static const char *row_mean(const struct imported *im, const struct group *g, const struct metric_row *row,
                            double *mean, struct ncu_reading *r) {
  for (size_t a = 0; row && a < row->n_alternatives; a++)
    if (expr_mean(im, g, row->alternatives[a], mean, r))
      return expr_text(row->alternatives[a]);
  return NULL;
}

/* --- counters --- */

static void name_add(void *context, const char *name) {
  struct text *names = context;
  text_printf(names, "%s%s", names->n ? "," : "", name);
}

static char *why_absent(const struct expr *x) {
  struct text names = {0};
  expr_names(x, name_add, &names);
  char *out = str_printf("the import lacks it: ncu --metrics %s adds it", text_str(&names));
  text_release(&names);
  return out;
}

static void metric_fill(const struct imported *im, const struct group *g, const struct metric_row *row,
                        struct run_metric *m, struct ncu_reading *r) {
  const char *expression = row_mean(im, g, row, &m->value, r);
  if (!expression)
    expression = row_mean(im, g, metric_table_find(&im->ncu, row->name), &m->value, r);
  m->present = expression != NULL;
  m->name = str_copy(row->name);
  m->unit = str_copy(row->unit);
  if (m->present)
    m->source = str_printf("ncu: %s", expression);
  else
    m->reason = why_absent(row->alternatives[0]);
}

/* Matrix operations are not in the counts of arithmetic instructions: with them the FLOPs are not known.  Where ncu counted none of them, the
 * tensor pipe's instructions say it; on sm_90 packed half-precision arithmetic goes there too, so that is a guess to the safe side. */
static bool tensor_used(const struct run_result *result, const struct group *g, struct ncu_reading *r) {
  static const char prefix[] = "sm__ops_path_tensor_";
  const struct run_metric *pipe = run_metric_find(result, "pipe_tensor");
  const struct ncu_launch *l = g->launches[0];
  bool counted = false;
  for (size_t i = 0; i < l->n; i++) {
    const char *name = l->names->names[i];
    double v = 0;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || !str_ends(name, ".sum") || !ncu_value(l, name, &v, r))
      continue;
    counted = true;
    if (v > 0)
      return true;
  }
  return !counted && pipe && pipe->present && pipe->value > 0;
}

static void flops_fill(struct imported *im, const struct group *g, struct run_result *result, struct ncu_reading *r) {
  double flops = 0;
  if (!row_mean(im, g, metric_table_find(&im->ncu, "flops"), &flops, r))
    return;
  if (!tensor_used(result, g, r)) {
    result->flops = flops;
    return;
  }
  char *note = str_printf("%s uses the tensor pipe, whose FLOPs are not imported: it has no place on the roofline",
                          g->launches[0]->kernel);
  run_note(im->run, note);
  free(note);
}

int metrics_fill(struct imported *im, const struct group *g, struct run_result *result, struct err *e) {
  struct ncu_reading r = {.e = e};
  result->metrics = calloc(im->counters.n + im->ncu.n, sizeof *result->metrics);
  for (size_t i = 0; i < im->counters.n; i++)
    metric_fill(im, g, &im->counters.rows[i], &result->metrics[result->n_metrics++], &r);
  /* Derived metrics stand in only where there is a value. */
  for (size_t i = 0; i < im->ncu.n; i++) {
    const struct metric_row *row = &im->ncu.rows[i];
    double ignored;
    if (!metric_table_find(&im->counters, row->name) && strcmp(row->name, "flops") != 0 &&
        row_mean(im, g, row, &ignored, &r))
      metric_fill(im, g, row, &result->metrics[result->n_metrics++], &r);
  }
  flops_fill(im, g, result, &r);
  return r.rc;
}

/* --- the card --- */

static const struct attribute {
  const char *name, *other; /* other: where the first is absent; NULL: none */
  size_t offset;
  enum { ATTRIBUTE_INT, ATTRIBUTE_LONG, ATTRIBUTE_REAL } kind;
  double scale;
} ATTRIBUTES[] = {
    {"device__attribute_multiprocessor_count", "launch__sm_count", offsetof(struct run_device, sms), ATTRIBUTE_INT, 1},
    {"device__attribute_max_warps_per_multiprocessor", NULL, offsetof(struct run_device, warps_per_sm), ATTRIBUTE_INT,
     1},
    {"device__attribute_max_registers_per_multiprocessor", NULL, offsetof(struct run_device, regs_per_sm),
     ATTRIBUTE_LONG, 1},
    {"device__attribute_max_shared_memory_per_multiprocessor", NULL, offsetof(struct run_device, smem_per_sm),
     ATTRIBUTE_LONG, 1},
    {"device__attribute_max_shared_memory_per_block_optin", NULL, offsetof(struct run_device, smem_optin),
     ATTRIBUTE_LONG, 1},
    {"device__attribute_l2_cache_size", NULL, offsetof(struct run_device, l2_bytes), ATTRIBUTE_REAL, 1},
    /* The driver gives clocks in kHz. */
    {"device__attribute_clock_rate", NULL, offsetof(struct run_device, clock_max_hz), ATTRIBUTE_REAL, 1e3},
    {"device__attribute_memory_clock_rate", NULL, offsetof(struct run_device, memory_clock_hz), ATTRIBUTE_REAL, 1e3},
    {"device__attribute_global_memory_bus_width", NULL, offsetof(struct run_device, memory_bus_bits), ATTRIBUTE_INT, 1},
};

static void attribute_fill(const struct ncu_launch *l, const struct attribute *a, struct run_device *d,
                           struct ncu_reading *r) {
  double v;
  bool known = ncu_value(l, a->name, &v, r) || (a->other && ncu_value(l, a->other, &v, r));
  if (!known || v <= 0 || v > 1e15)
    return;
  char *at = (char *)d + a->offset;
  v *= a->scale;
  if (a->kind == ATTRIBUTE_INT && v <= 0x7fffffff)
    *(int *)(void *)at = (int)v;
  else if (a->kind == ATTRIBUTE_LONG)
    *(long *)(void *)at = (long)v;
  else if (a->kind == ATTRIBUTE_REAL)
    *(double *)(void *)at = v;
}

/* "9.0" -> 90 */
static int capability_number(const char *text) {
  if (!text)
    return 0;
  const char *point = strchr(text, '.');
  long major = strtol(text, NULL, 10);
  int minor = point && point[1] >= '0' && point[1] <= '9' ? point[1] - '0' : 0;
  return major > 0 && major < 100 ? (int)major * 10 + minor : 0;
}

static void card_from_device(struct run_device *d, const struct device *known) {
  d->sm = d->sm ? d->sm : known->sm;
  d->sms = d->sms ? d->sms : known->sms;
  d->warps_per_sm = d->warps_per_sm ? d->warps_per_sm : known->warps_per_sm;
  d->regs_per_sm = d->regs_per_sm ? d->regs_per_sm : known->regs_per_sm;
  d->smem_per_sm = d->smem_per_sm ? d->smem_per_sm : known->smem_per_sm;
  d->smem_optin = d->smem_optin ? d->smem_optin : known->smem_optin;
  d->clock_max_hz = d->clock_max_hz > 0 ? d->clock_max_hz : known->clock_max_hz;
  d->l2_bytes = d->l2_bytes > 0 ? d->l2_bytes : known->l2_bytes;
}

/* One card a run: the numbers of two have no roof in common. */
static int card_name(const struct imported *im, const char **name, struct err *e) {
  *name = NULL;
  for (size_t f = 0; f < im->options->n_files; f++) {
    for (size_t i = 0; i < im->files[f].n; i++) {
      const char *other = ncu_text(&im->files[f].launches[i], "device__attribute_display_name");
      if (other && *name && strcmp(other, *name) != 0)
        return err_set(e, ERR_DATA, "%s: launches on %s and on %s: import each device's launches separately",
                       im->files[f].name, *name, other);
      *name = *name ? *name : other;
    }
  }
  return 0;
}

/* A name alone makes no chip: 152 SMs are no B200 as it is described. */
static void differs_note(struct run *run) {
  struct text how = {0}, line = {0};
  if (device_differs(&run->device, &how)) {
    text_printf(&line, "this %s has %s: its ceilings may be those of another chip", run->device.name, text_str(&how));
    run_note(run, text_str(&line));
  }
  text_release(&how);
  text_release(&line);
}

int device_fill(struct imported *im, struct err *e) {
  struct run_device *d = &im->run->device;
  const struct ncu_launch *first = &im->files[0].launches[0];
  const char *name;
  int rc = card_name(im, &name, e);
  d->sm = capability_number(first->capability);
  struct ncu_reading r = {.e = e, .rc = rc};
  for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof ATTRIBUTES[0]; i++)
    attribute_fill(first, &ATTRIBUTES[i], d, &r);
  if (r.rc)
    return r.rc;
  const struct device *known = im->options->device;
  if (!name && known) {
    card_from_device(d, known);
    name = known->name;
  }
  d->name = name    ? str_copy(name)
            : d->sm ? str_printf("a GPU of compute capability %d.%d", d->sm / 10, d->sm % 10)
                    : str_copy("an unnamed GPU");
  if (!name)
    run_note(
        im->run,
        "the file does not name the GPU, so its SMs, clocks and bandwidths are unknown: % of SOL and bounds are ncu's own shares of peak, and there is no roofline; --device names the GPU (ncu --csv --page raw records it)");
  differs_note(im->run);
  return 0;
}
