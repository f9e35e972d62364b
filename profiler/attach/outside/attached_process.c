#include "profiler/attach/outside/attached_process.h"

#include "base/array.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNION_MEMBER(upper, type, word, place, name) type as_##upper;
union any_record {
  RECORD_ROWS(UNION_MEMBER)
};

/* What goes elsewhere than to the end of an array; each takes what it keeps out of the record. */

static int take_device(struct attached_process *p, union any_record *r, struct err *e) {
  (void)e;
  free(p->uuids[r->as_DEVICE.index]);
  p->uuids[r->as_DEVICE.index] = r->as_DEVICE.uuid;
  r->as_DEVICE.uuid = NULL;
  return 0;
}

static int take_samples(struct attached_process *p, union any_record *r, struct err *e) {
  struct times_record *to = &p->kernels[p->n_kernels - 1].samples;
  (void)e;
  free(to->ns);
  *to = r->as_SAMPLES;
  r->as_SAMPLES.ns = NULL;
  return 0;
}

static int take_counted(struct attached_process *p, union any_record *r, struct err *e) {
  struct attached_kernel *k = &p->kernels[p->n_kernels - 1];
  (void)e;
  k->counted = r->as_COUNTED.launches;
  k->replayed = strcmp(r->as_COUNTED.how, RECORD_REPLAYED) == 0;
  k->partly = strcmp(r->as_COUNTED.how, RECORD_PARTLY) == 0;
  return 0;
}

static int take_metric(struct attached_process *p, union any_record *r, struct err *e) {
  struct attached_kernel *k = &p->kernels[p->n_kernels - 1];
  struct run_metric *m = array_add(&k->metrics, &k->n_metrics, sizeof *m);
  struct metric_record *from = &r->as_METRIC;
  if (!m)
    return err_nomem(e, "metrics");
  *m = (struct run_metric){.name = from->name, .unit = from->unit, .source = from->source, .reason = from->reason};
  m->present = isfinite(from->value);
  m->value = m->present ? from->value : 0;
  *from = (struct metric_record){0};
  if (m->present) {
    free(m->reason);
    m->reason = NULL;
  } else if (!m->reason && !(m->reason = str_copy(""))) {
    return err_nomem(e, "metrics");
  }
  return 0;
}

static int take_pc(struct attached_process *p, union any_record *r, struct err *e) {
  size_t at = r->as_PC.function;
  if (at >= p->n_functions)
    return err_set(e, ERR_DATA, "a PC of function %zu, but there are only %zu functions", at, p->n_functions);
  struct attached_function *f = &p->functions[at];
  struct pc_record *pc = array_add(&f->pcs, &f->n_pcs, sizeof *pc);
  if (!pc)
    return err_nomem(e, "PC samples");
  *pc = r->as_PC;
  r->as_PC.reason = NULL;
  return 0;
}

static int take_end(struct attached_process *p, union any_record *r, struct err *e) {
  (void)e;
  p->complete = strcmp(r->as_END.how, RECORD_COMPLETE) == 0;
  return 0;
}

static int take_no_other(struct attached_process *p, union any_record *r, struct err *e) {
  (void)p, (void)r;
  return err_set(e, ERR_DATA, "it is not a line of a process");
}

/* Where a kind of record goes: into the process, or where n_at is set, to the end of an array whose
 * elements begin with it; or what takes it. */
struct place {
  size_t at, n_at, bytes;
  int (*take)(struct attached_process *p, union any_record *r, struct err *e);
  bool of_kernel;
};
#define OF(member) offsetof(struct attached_process, member)
#define PLACE_ONE(name)                                                                                                \
  { OF(name) }
#define PLACE_MANY(name)                                                                                               \
  { OF(name), OF(n_##name), sizeof *((struct attached_process *)0)->name }
#define PLACE_HEADS(name) PLACE_MANY(name)
#define PLACE_TAKEN(name)                                                                                              \
  { .take = take_##name }
#define PLACE_OF_KERNEL(name)                                                                                          \
  { .take = take_##name, .of_kernel = true }
#define PLACE(upper, type, word, place, name) PLACE_##place(name),
static const struct place places[RECORD_KINDS] = {RECORD_ROWS(PLACE)};

/* What is kept of the record is taken out of it. */
static int record_put(struct attached_process *p, enum attach_record_kind kind, union any_record *r, struct err *e) {
  size_t bytes = attach_record_rows[kind].bytes;
  char *to = (char *)p + places[kind].at;
  if (places[kind].take)
    return places[kind].take(p, r, e);
  if (!places[kind].n_at)
    attach_record_release(kind, to);
  else if (!(to = array_add(to, (size_t *)(void *)((char *)p + places[kind].n_at), places[kind].bytes)))
    return err_nomem(e, attach_record_rows[kind].word);
  memcpy(to, r, bytes);
  memset(r, 0, bytes);
  return 0;
}

static int read_line(struct attached_process *p, char *line, struct err *e) {
  enum attach_record_kind kind;
  union any_record record;
  char *fields;
  int rc = attach_record_kind_of(line, &kind, &fields, e);
  if (rc)
    return rc;
  if (places[kind].of_kernel && !p->n_kernels)
    return err_set(e, ERR_DATA, "%s without a kernel", attach_record_rows[kind].word);
  rc = attach_record_parse(kind, fields, &record, e);
  if (rc)
    return rc;
  rc = record_put(p, kind, &record, e);
  attach_record_release(kind, &record);
  return rc;
}

int attached_parse(struct attached_process *out, const char *name, const char *text, struct err *e) {
  char *copy = str_copy(text), *rest = copy;
  int rc = copy ? 0 : err_nomem(e, name), number = 0;
  *out = (struct attached_process){0};
  for (char *line; !rc && (line = strsep(&rest, "\n"));) {
    number++;
    if (number == 1 && strcmp(line, RECORDS_FIRST) != 0)
      rc = err_set(e, ERR_DATA, "this version of nvfp4-prof does not know it");
    else if (number > 1 && *line)
      rc = read_line(out, line, e);
    if (rc)
      err_context(e, "%s:%d", name, number);
  }
  free(copy);
  if (rc)
    attached_release(out);
  return rc;
}

int attached_read(struct attached_process *out, const char *path, struct err *e) {
  enum { PART_MAX = 256 << 20 };
  const char *slash = strrchr(path, '/');
  char *text = NULL;
  size_t n;
  *out = (struct attached_process){0};
  int rc = file_read(path, PART_MAX, &text, &n, e);
  if (!rc)
    rc = attached_parse(out, slash ? slash + 1 : path, text, e);
  free(text);
  return rc;
}

/* The records that stand there by themselves. */
static void place_release(struct attached_process *p, enum attach_record_kind kind) {
  const struct place *place = &places[kind];
  char *at = (char *)p + place->at, *items;
  if (place->take)
    return;
  if (!place->n_at) {
    attach_record_release(kind, at);
    return;
  }
  memcpy(&items, at, sizeof items);
  for (size_t i = 0, n = *(size_t *)(void *)((char *)p + place->n_at); i < n; i++)
    attach_record_release(kind, items + i * place->bytes);
  free(items);
}

static void kernel_release(struct attached_kernel *k) {
  for (size_t i = 0; i < k->n_metrics; i++) {
    free(k->metrics[i].name);
    free(k->metrics[i].unit);
    free(k->metrics[i].source);
    free(k->metrics[i].reason);
  }
  free(k->metrics);
  attach_record_release(RECORD_SAMPLES, &k->samples);
}

static void function_release(struct attached_function *f) {
  for (size_t i = 0; i < f->n_pcs; i++)
    attach_record_release(RECORD_PC, &f->pcs[i]);
  free(f->pcs);
}

void attached_release(struct attached_process *p) {
  for (size_t i = 0; i < p->n_functions; i++)
    function_release(&p->functions[i]);
  for (size_t i = 0; i < p->n_kernels; i++)
    kernel_release(&p->kernels[i]);
  for (size_t i = 0; i < RECORD_DEVICES; i++)
    free(p->uuids[i]);
  for (int kind = 0; kind < RECORD_KINDS; kind++)
    place_release(p, (enum attach_record_kind)kind);
  *p = (struct attached_process){0};
}

double attached_time_ns(const struct attached_kernel *k) {
  uint64_t timed = k->seen.launches > k->seen.disturbed ? k->seen.launches - k->seen.disturbed : 0;
  return timed ? k->seen.total_ns / (double)timed * (double)k->seen.launches : k->seen.total_ns;
}

double attached_total_ns(const struct attached_process *p) {
  double ns = p->totals.beyond_ns;
  for (size_t i = 0; i < p->n_kernels; i++)
    ns += attached_time_ns(&p->kernels[i]);
  return ns;
}

static int by_time(const void *a, const void *b) {
  const struct attached_kernel *const *x = a, *const *y = b;
  double difference = attached_time_ns(*y) - attached_time_ns(*x);
  return difference > 0 ? 1 : difference < 0 ? -1 : strcmp((*x)->seen.name, (*y)->seen.name);
}

const struct attached_kernel **attached_by_time(const struct attached_process *p) {
  const struct attached_kernel **kernels = calloc(p->n_kernels + 1, sizeof *kernels);
  for (size_t i = 0; i < p->n_kernels && kernels; i++)
    kernels[i] = &p->kernels[i];
  if (kernels)
    qsort(kernels, p->n_kernels, sizeof *kernels, by_time);
  return kernels;
}

size_t attached_counted(const struct attached_process *p, double *ns) {
  size_t n = 0;
  *ns = 0;
  for (size_t i = 0; i < p->n_kernels; i++) {
    const struct attached_kernel *k = &p->kernels[i];
    bool has = false;
    for (size_t m = 0; m < k->n_metrics; m++)
      has = has || (k->metrics[m].present && !k->partly);
    n += has;
    *ns += has ? attached_time_ns(k) : 0;
  }
  return n;
}
