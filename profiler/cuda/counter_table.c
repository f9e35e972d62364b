#include "profiler/cuda/counter_table.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

long name_list_find(const struct name_list *l, const char *name) {
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->names[i], name) == 0)
      return (long)i;
  return -1;
}

int name_list_add(struct name_list *l, const char *name) {
  if (name_list_find(l, name) >= 0)
    return 0;
  const char **added = array_add(&l->names, &l->n, sizeof *added);
  if (!added)
    return ERR_NOMEM;
  *added = name;
  return 0;
}

void name_list_release(struct name_list *l) {
  free(l->names);
  memset(l, 0, sizeof *l);
}

/* The Host API is there only from CUPTI 12.6 on; a library without it has none of it. */
static bool host_api(const struct cupti *c) {
  return c->cuptiProfilerHostInitialize && c->cuptiProfilerHostDeinitialize && c->cuptiProfilerHostConfigAddMetrics &&
         c->cuptiProfilerHostGetConfigImageSize && c->cuptiProfilerHostGetConfigImage &&
         c->cuptiProfilerHostGetNumOfPasses && c->cuptiProfilerHostEvaluateToGpuValues;
}

static int host_object(const struct metric_host *h, CUpti_Profiler_Host_Object **out, struct err *e) {
  CUpti_Profiler_Host_Initialize_Params p = {.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
                                             .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
                                             .pChipName = h->chip,
                                             .pCounterAvailabilityImage = h->availability};
  int rc = cupti_check(h->cupti, h->cupti->cuptiProfilerHostInitialize(&p), "cuptiProfilerHostInitialize", e);
  *out = p.pHostObject;
  return rc;
}

static void host_object_free(const struct metric_host *h, CUpti_Profiler_Host_Object *object) {
  CUpti_Profiler_Host_Deinitialize_Params p = {.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE,
                                               .pHostObject = object};
  if (object)
    h->cupti->cuptiProfilerHostDeinitialize(&p);
}

int metric_host_open(struct metric_host *h, const struct cupti *c, const char *chip, const uint8_t *availability,
                     struct err *e) {
  *h = (struct metric_host){.cupti = c, .chip = chip, .availability = availability};
  if (!host_api(c))
    return err_set(e, ERR_MACHINE, "%s is too old for hardware counters: it lacks %s; CUDA 13.0 has them", c->path,
                   c->missing);
  /* cuptiProfilerInitialize is for the device, and fails where there is none; this API does
   * without. */
  int rc = host_object(h, &h->object, e);
  return rc ? err_context(e, "chip %s", chip) : 0;
}

void metric_host_close(struct metric_host *h) {
  host_object_free(h, h->object);
  h->object = NULL;
}

static int add_metrics(const struct metric_host *h, CUpti_Profiler_Host_Object *object, const char **names, size_t n,
                       struct err *e) {
  CUpti_Profiler_Host_ConfigAddMetrics_Params p = {.structSize =
                                                       CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE,
                                                   .pHostObject = object,
                                                   .ppMetricNames = names,
                                                   .numMetrics = n};
  return cupti_check(h->cupti, h->cupti->cuptiProfilerHostConfigAddMetrics(&p), "cuptiProfilerHostConfigAddMetrics", e);
}

static bool knows_all(const struct metric_host *h, const char **names, size_t n) {
  /* In an object of its own: one that has refused a name refuses every name after it. */
  CUpti_Profiler_Host_Object *object = NULL;
  if (h->goes_on && !h->goes_on())
    return false;
  bool known = host_object(h, &object, NULL) == 0 && add_metrics(h, object, names, n, NULL) == 0;
  host_object_free(h, object);
  return known;
}

bool metric_host_knows(const struct metric_host *h, const char *cupti_name) {
  return knows_all(h, &cupti_name, 1);
}

bool metric_host_knows_all(const struct metric_host *h, const struct name_list *names) {
  return knows_all(h, names->names, names->n);
}

/* Keeps the names that the chip knows, in order; returns how many.  A chip lacks few of them, and a
 * question takes 3 ms on the machine of an H200 however many names it has: halves are asked. */
static size_t keep_known(const struct metric_host *h, const char **names, size_t n) {
  if (!n || knows_all(h, names, n))
    return n;
  size_t half = n / 2, first = half ? keep_known(h, names, half) : 0,
         second = n > 1 ? keep_known(h, names + half, n - half) : 0;
  memmove(names + first, names + half, second * sizeof *names);
  return first + second;
}

struct known {
  const struct metric_host *host;
  const struct name_list *names; /* that it knows; NULL: it is asked */
  bool all;
};

static void visit_known(void *context, const char *name) {
  struct known *k = context;
  k->all = k->all && (k->names ? name_list_find(k->names, name) >= 0 : metric_host_knows(k->host, name));
}

static void visit_add(void *context, const char *name) {
  name_list_add(context, name);
}

/* The names of every row's first alternative that the chip knows. */
static struct name_list known_first(const struct metric_table *t, const struct metric_host *h) {
  struct name_list names = {0};
  for (size_t i = 0; i < t->n; i++)
    if (t->rows[i].n_alternatives)
      expr_names(t->rows[i].alternatives[0], visit_add, &names);
  names.n = keep_known(h, names.names, names.n);
  return names;
}

int metric_choose(const struct metric_table *t, const struct metric_host *h, const struct expr **chosen,
                  struct name_list *names, struct err *e) {
  struct name_list first = known_first(t, h);
  for (size_t i = 0; i < t->n; i++) {
    chosen[i] = NULL;
    for (size_t a = 0; a < t->rows[i].n_alternatives && !chosen[i]; a++) {
      struct known k = {h, a ? NULL : &first, true};
      expr_names(t->rows[i].alternatives[a], visit_known, &k);
      if (k.all)
        chosen[i] = t->rows[i].alternatives[a];
    }
    if (chosen[i])
      expr_names(chosen[i], visit_add, names);
  }
  name_list_release(&first);
  return names->n ? 0 : err_set(e, ERR_MACHINE, "chip %s has none of the counters", h->chip);
}

static int later_name_first(const void *a, const void *b) {
  return strcmp(*(const char *const *)b, *(const char *const *)a);
}

/* CUPTI packs the metrics of one call into passes in the order given, and the order counts.  The 62
 * shipped counters of GH100 (CUPTI 13.0): 12 passes in the tables' order and 11 in most of 200
 * random ones, 10 in this one; GB100: 11, 10 and 10. */
static int add_packed(const struct metric_host *h, CUpti_Profiler_Host_Object *object, const struct name_list *names,
                      struct err *e) {
  const char **ordered = calloc(names->n + 1, sizeof *ordered);
  if (!ordered)
    return err_nomem(e, "the counters' names");
  for (size_t i = 0; i < names->n; i++)
    ordered[i] = names->names[i];
  qsort(ordered, names->n, sizeof *ordered, later_name_first);
  int rc = add_metrics(h, object, ordered, names->n, e);
  free(ordered);
  return rc;
}

/* What is added by another call comes into other passes, unless both lists hold the same counter: a
 * clock whose cycles were in the second list too was off by up to 13 % on an H200. */
int metric_config(const struct metric_host *h, const struct name_list *apart, const struct name_list *names,
                  uint8_t **image, size_t *image_bytes, size_t *passes, struct err *e) {
  const struct cupti *c = h->cupti;
  CUpti_Profiler_Host_Object *object = NULL;
  *image = NULL;
  int rc = host_object(h, &object, e);
  if (!rc && apart->n)
    rc = add_packed(h, object, apart, e);
  if (!rc)
    rc = add_packed(h, object, names, e);
  CUpti_Profiler_Host_GetConfigImageSize_Params size = {
      .structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE, .pHostObject = object};
  if (!rc)
    rc = cupti_check(c, c->cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize", e);
  if (!rc && !(*image = malloc(size.configImageSize ? size.configImageSize : 1)))
    rc = err_nomem(e, "the counter configuration");
  CUpti_Profiler_Host_GetConfigImage_Params get = {.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE,
                                                   .pHostObject = object,
                                                   .configImageSize = size.configImageSize,
                                                   .pConfigImage = *image};
  if (!rc)
    rc = cupti_check(c, c->cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage", e);
  *image_bytes = size.configImageSize;
  CUpti_Profiler_Host_GetNumOfPasses_Params count = {.structSize =
                                                         CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE,
                                                     .configImageSize = size.configImageSize,
                                                     .pConfigImage = *image};
  if (!rc && passes) {
    rc = cupti_check(c, c->cuptiProfilerHostGetNumOfPasses(&count), "cuptiProfilerHostGetNumOfPasses", e);
    *passes = count.numOfPasses;
  }
  host_object_free(h, object);
  return rc;
}
