#include "profiler/cuda/counter_table.h"

#include "base/embed.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded profiler_embedded_metrics[];

enum { COLUMNS = 5 };

static int parse_alternatives(struct metric_row *row, char *text, struct err *e) {
  for (char *next = text; next;) {
    char *bar = strchr(next, '|');
    if (bar)
      *bar = 0;
    struct expr **grown = realloc(row->alternatives, (row->n_alternatives + 1) * sizeof(struct expr *));
    if (!grown)
      return err_nomem(e, "a metric");
    row->alternatives = grown;
    int result = expr_parse(&grown[row->n_alternatives], str_trim(next), e);
    if (result)
      return result;
    row->n_alternatives++;
    next = bar ? bar + 1 : NULL;
  }
  return 0;
}

static int parse_row(struct metric_table *t, const char *file, char *line, struct err *e) {
  char *columns[COLUMNS], *next = line;
  int n = 0;
  for (; next && n < COLUMNS; n++)
    columns[n] = strsep(&next, "\t");
  if (n < COLUMNS || next)
    return err_set(e, ERR_DATA,
                   "%s columns than %d; a row is name, unit, expression, chips without it, text, with a tab between",
                   next ? "more" : "fewer", COLUMNS);
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->rows[i].name, columns[0]) == 0)
      return err_set(e, ERR_DATA, "%s stands twice (also in %s.tsv)", columns[0], t->rows[i].group);
  struct metric_row *grown = realloc(t->rows, (t->n + 1) * sizeof *grown);
  if (!grown)
    return err_nomem(e, "a metric");
  t->rows = grown;
  struct metric_row *row = &grown[t->n++];
  *row = (struct metric_row){.group = str_printf("%.*s", (int)strcspn(file, "."), file),
                             .name = str_copy(columns[0]),
                             .unit = str_copy(columns[1]),
                             .absent_on = str_copy(columns[3]),
                             .text = str_copy(columns[4])};
  return parse_alternatives(row, columns[2], e);
}

int metric_table_add(struct metric_table *t, const char *file, const char *text, struct err *e) {
  char *copy = str_copy(text), *rest = copy;
  if (!copy)
    return err_nomem(e, file);
  const char *slash = strrchr(file, '/');
  const char *base = slash ? slash + 1 : file;
  int result = 0, number = 0;
  for (char *line; !result && (line = strsep(&rest, "\n"));) {
    number++;
    if (*line && *line != '#' && (result = parse_row(t, base, line, e)))
      err_context(e, "%s:%d", base, number);
  }
  free(copy);
  return result;
}

int metric_table_load(struct metric_table *t, struct err *e) {
  memset(t, 0, sizeof *t);
  int result = 0;
  for (const struct embedded *f = profiler_embedded_metrics; f->name && !result; f++)
    result = metric_table_add(t, f->name, f->data, e);
  return result;
}

static void row_release(struct metric_row *row) {
  for (size_t a = 0; a < row->n_alternatives; a++)
    expr_free(row->alternatives[a]);
  free(row->alternatives);
  free(row->group);
  free(row->name);
  free(row->unit);
  free(row->absent_on);
  free(row->text);
}

void metric_table_keep(struct metric_table *t, bool apart) {
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++) {
    if (metric_group_apart(t->rows[i].group) == apart)
      t->rows[n++] = t->rows[i];
    else
      row_release(&t->rows[i]);
  }
  t->n = n;
}

/* Counters of different passes come from different launches: a clock taken as cycles of one over the time of another was off by up to 60 % on an
 * H200. */
bool metric_group_apart(const char *group) {
  return strcmp(group, "clock") == 0;
}

void metric_table_release(struct metric_table *t) {
  for (size_t i = 0; i < t->n; i++)
    row_release(&t->rows[i]);
  free(t->rows);
  memset(t, 0, sizeof *t);
}

long name_list_find(const struct name_list *l, const char *name) {
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->names[i], name) == 0)
      return (long)i;
  return -1;
}

int name_list_add(struct name_list *l, const char *name) {
  if (name_list_find(l, name) >= 0)
    return 0;
  if (l->n == l->cap) {
    size_t cap = l->cap ? 2 * l->cap : 64;
    const char **grown = realloc(l->names, cap * sizeof *grown);
    if (!grown)
      return ERR_NOMEM;
    l->names = grown;
    l->cap = cap;
  }
  l->names[l->n++] = name;
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
  int result = cupti_check(h->cupti, h->cupti->cuptiProfilerHostInitialize(&p), "cuptiProfilerHostInitialize", e);
  *out = p.pHostObject;
  return result;
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
  /* cuptiProfilerInitialize is for the device, and fails where there is none; this API does without. */
  int result = host_object(h, &h->object, e);
  return result ? err_context(e, "chip %s", chip) : 0;
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

bool metric_host_knows(const struct metric_host *h, const char *cupti_name) {
  /* In an object of its own: one that has refused a name refuses every name after it. */
  CUpti_Profiler_Host_Object *object = NULL;
  bool known = host_object(h, &object, NULL) == 0 && add_metrics(h, object, &cupti_name, 1, NULL) == 0;
  host_object_free(h, object);
  return known;
}

struct known {
  const struct metric_host *host;
  bool all;
};

static void visit_known(void *context, const char *name) {
  struct known *k = context;
  k->all = k->all && metric_host_knows(k->host, name);
}

static void visit_add(void *context, const char *name) {
  name_list_add(context, name);
}

/* Whether the chip knows every row's first alternative: one question instead of one a name, which took 0.2 s on the machine of an H200. */
static bool knows_all_first(const struct metric_table *t, const struct metric_host *h) {
  struct name_list names = {0};
  CUpti_Profiler_Host_Object *object = NULL;
  for (size_t i = 0; i < t->n; i++)
    if (t->rows[i].n_alternatives)
      expr_names(t->rows[i].alternatives[0], visit_add, &names);
  bool known = names.n && host_object(h, &object, NULL) == 0 && add_metrics(h, object, names.names, names.n, NULL) == 0;
  host_object_free(h, object);
  name_list_release(&names);
  return known;
}

int metric_choose(const struct metric_table *t, const struct metric_host *h, const struct expr **chosen,
                  struct name_list *names, struct err *e) {
  bool first = knows_all_first(t, h);
  for (size_t i = 0; i < t->n; i++) {
    chosen[i] = NULL;
    for (size_t a = 0; a < t->rows[i].n_alternatives && !chosen[i]; a++) {
      struct known k = {h, true};
      if (!first)
        expr_names(t->rows[i].alternatives[a], visit_known, &k);
      if (k.all)
        chosen[i] = t->rows[i].alternatives[a];
    }
    if (chosen[i])
      expr_names(chosen[i], visit_add, names);
  }
  return names->n ? 0 : err_set(e, ERR_MACHINE, "chip %s has none of the counters", h->chip);
}

static int later_name_first(const void *a, const void *b) {
  return strcmp(*(const char *const *)b, *(const char *const *)a);
}

/* CUPTI packs the metrics of one call into passes in the order given, and the order counts.  The 62 shipped counters of GH100 (CUPTI 13.0): 12 passes
 * in the tables' order and 11 in most of 200 random ones, 10 in this one; GB100: 11, 10 and 10. */
static int add_packed(const struct metric_host *h, CUpti_Profiler_Host_Object *object, const struct name_list *names,
                      struct err *e) {
  const char **ordered = calloc(names->n + 1, sizeof *ordered);
  if (!ordered)
    return err_nomem(e, "the counters' names");
  for (size_t i = 0; i < names->n; i++)
    ordered[i] = names->names[i];
  qsort(ordered, names->n, sizeof *ordered, later_name_first);
  int result = add_metrics(h, object, ordered, names->n, e);
  free(ordered);
  return result;
}

int metric_config(const struct metric_host *h, const struct name_list *names, uint8_t **image, size_t *image_bytes,
                  size_t *passes, struct err *e) {
  return metric_config_apart(h, &(struct name_list){0}, names, image, image_bytes, passes, e);
}

/* What is added by another call comes into other passes, unless both lists hold the same counter: a clock whose cycles were in the second list too was
 * off by up to 13 % on an H200. */
int metric_config_apart(const struct metric_host *h, const struct name_list *apart, const struct name_list *names,
                        uint8_t **image, size_t *image_bytes, size_t *passes, struct err *e) {
  const struct cupti *c = h->cupti;
  CUpti_Profiler_Host_Object *object = NULL;
  *image = NULL;
  int result = host_object(h, &object, e);
  if (!result && apart->n)
    result = add_packed(h, object, apart, e);
  if (!result)
    result = add_packed(h, object, names, e);
  CUpti_Profiler_Host_GetConfigImageSize_Params size = {
      .structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE, .pHostObject = object};
  if (!result)
    result = cupti_check(c, c->cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize", e);
  if (!result && !(*image = malloc(size.configImageSize ? size.configImageSize : 1)))
    result = err_nomem(e, "the counter configuration");
  CUpti_Profiler_Host_GetConfigImage_Params get = {.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE,
                                                   .pHostObject = object,
                                                   .configImageSize = size.configImageSize,
                                                   .pConfigImage = *image};
  if (!result)
    result = cupti_check(c, c->cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage", e);
  *image_bytes = size.configImageSize;
  CUpti_Profiler_Host_GetNumOfPasses_Params count = {.structSize =
                                                         CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE,
                                                     .configImageSize = size.configImageSize,
                                                     .pConfigImage = *image};
  if (!result && passes) {
    result = cupti_check(c, c->cuptiProfilerHostGetNumOfPasses(&count), "cuptiProfilerHostGetNumOfPasses", e);
    *passes = count.numOfPasses;
  }
  host_object_free(h, object);
  return result;
}
