/* Counters from ncu's metrics, and the card from its device attributes. */
#include "base/text.h"
#include "profiler/import/importing.h"

#include <stdlib.h>
#include <string.h>

/* --- expressions over one launch --- */

struct lookup {
  const struct imported *im;
  const struct ncu_launch *launch;
  struct err *e;
  int rc; /* of a value that is there and malformed */
};

static bool lookup_value(void *context, const char *name, double *out) {
  struct lookup *l = context;
  bool present = false;
  if (strcmp(name, "sms") == 0) {
    *out = l->im->run->device.sms;
    return l->im->run->device.sms > 0;
  }
  if (!l->rc)
    l->rc = ncu_value(l->launch, name, out, &present, l->e);
  return present;
}

/* Mean over the launches that have the value; *n: their number. */
static int expr_mean(const struct imported *im, const struct group *g, const struct expr *x, double *mean, size_t *n,
                     struct err *e) {
  double sum = 0;
  *n = 0;
  for (size_t i = 0; i < g->n; i++) {
    struct lookup l = {.im = im, .launch = g->launches[i], .e = e};
    double v;
    bool known = expr_eval(x, lookup_value, &l, &v, NULL) == 0;
    if (l.rc)
      return l.rc;
    if (known) {
      sum += v;
      (*n)++;
    }
  }
  *mean = *n ? sum / (double)*n : 0;
  return 0;
}

static int row_mean(const struct imported *im, const struct group *g, const struct metric_row *row, double *mean,
                    const char **expression, struct err *e) {
  *expression = NULL;
  for (size_t a = 0; row && a < row->n_alternatives && !*expression; a++) {
    size_t n;
    int rc = expr_mean(im, g, row->alternatives[a], mean, &n, e);
    if (rc)
      return rc;
    if (n)
      *expression = expr_text(row->alternatives[a]);
  }
  return 0;
}

/* --- counters --- */

static void name_add(void *context, const char *name) {
  struct text *names = context;
  text_printf(names, "%s%s", names->n ? "," : "", name);
}

static char *why_absent(const struct expr *x) {
  struct text names = {0};
  expr_names(x, name_add, &names);
  char *out = names.failed ? NULL : str_printf("the import lacks it: ncu --metrics %s adds it", text_str(&names));
  text_release(&names);
  return out;
}

static int metric_fill(const struct imported *im, const struct group *g, const struct metric_row *row,
                       struct run_metric *m, struct err *e) {
  const char *expression;
  int rc = row_mean(im, g, row, &m->value, &expression, e);
  if (!rc && !expression)
    rc = row_mean(im, g, metric_table_find(&im->ncu, row->name), &m->value, &expression, e);
  if (rc)
    return rc;
  m->present = expression != NULL;
  m->name = str_copy(row->name);
  m->unit = str_copy(row->unit);
  if (m->present)
    m->source = str_printf("ncu: %s", expression);
  else
    m->reason = why_absent(row->alternatives[0]);
  return 0;
}

/* Matrix operations are not in the counts of arithmetic instructions: with them the FLOPs are not known.  Where ncu counted none of them, the
 * tensor pipe's instructions say it; on sm_90 packed half-precision arithmetic goes there too, so that is a guess to the safe side. */
static int tensor_used(const struct run_result *r, const struct group *g, bool *used, struct err *e) {
  static const char prefix[] = "sm__ops_path_tensor_";
  const struct run_metric *pipe = run_metric_find(r, "pipe_tensor");
  const struct ncu_launch *l = g->launches[0];
  bool counted = false;
  *used = false;
  for (size_t i = 0; i < l->n && !*used; i++) {
    const char *name = l->names->names[i];
    double v = 0;
    bool present = false;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || !str_ends(name, ".sum"))
      continue;
    int rc = ncu_value(l, name, &v, &present, e);
    if (rc)
      return rc;
    counted |= present;
    *used = present && v > 0;
  }
  if (!counted)
    *used = pipe && pipe->present && pipe->value > 0;
  return 0;
}

static int flops_fill(struct imported *im, const struct group *g, struct run_result *r, struct err *e) {
  const char *expression;
  double flops = 0;
  bool tensor;
  int rc = row_mean(im, g, metric_table_find(&im->ncu, "flops"), &flops, &expression, e);
  if (!rc && expression)
    rc = tensor_used(r, g, &tensor, e);
  if (rc || !expression)
    return rc;
  if (!tensor) {
    r->flops = flops;
    return 0;
  }
  char *note = str_printf("%s uses the tensor pipe, whose FLOPs are not imported: it has no place on the roofline",
                          g->launches[0]->kernel);
  run_note(im->run, note);
  free(note);
  return 0;
}

int metrics_fill(struct imported *im, const struct group *g, struct run_result *r, struct err *e) {
  r->metrics = calloc(im->counters.n + im->ncu.n, sizeof *r->metrics);
  int rc = 0;
  for (size_t i = 0; i < im->counters.n && !rc; i++)
    rc = metric_fill(im, g, &im->counters.rows[i], &r->metrics[r->n_metrics++], e);
  /* Derived metrics stand in only where there is a value. */
  for (size_t i = 0; i < im->ncu.n && !rc; i++) {
    const struct metric_row *row = &im->ncu.rows[i];
    struct run_metric *m = &r->metrics[r->n_metrics];
    if (metric_table_find(&im->counters, row->name) || strcmp(row->name, "flops") == 0)
      continue;
    double ignored;
    const char *expression;
    rc = row_mean(im, g, row, &ignored, &expression, e);
    if (rc || !expression)
      continue;
    r->n_metrics++;
    rc = metric_fill(im, g, row, m, e);
  }
  return rc ? rc : flops_fill(im, g, r, e);
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

static int attribute_fill(const struct ncu_launch *l, const struct attribute *a, struct run_device *d, struct err *e) {
  double v;
  bool present;
  int rc = ncu_value(l, a->name, &v, &present, e);
  if (!rc && !present && a->other)
    rc = ncu_value(l, a->other, &v, &present, e);
  if (rc || !present || v <= 0 || v > 1e15)
    return rc;
  char *at = (char *)d + a->offset;
  v *= a->scale;
  if (a->kind == ATTRIBUTE_INT && v <= 0x7fffffff)
    *(int *)(void *)at = (int)v;
  else if (a->kind == ATTRIBUTE_LONG)
    *(long *)(void *)at = (long)v;
  else if (a->kind == ATTRIBUTE_REAL)
    *(double *)(void *)at = v;
  return 0;
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
  for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof ATTRIBUTES[0] && !rc; i++)
    rc = attribute_fill(first, &ATTRIBUTES[i], d, e);
  if (rc)
    return rc;
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
