#include "profiler/attach/records/records.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 24, KERNEL_FIELDS = 21, METRIC_FIELDS = 6 };

struct line {
  char *fields[FIELDS_MAX];
  int n;
  char *rest; /* what comes after FIELDS_MAX fields, NULL: nothing */
};

static void line_split(struct line *l, char *text) {
  l->rest = text;
  for (l->n = 0; l->rest && l->n < FIELDS_MAX; l->n++)
    l->fields[l->n] = strsep(&l->rest, "\t");
}

/* Numbers of a line; the first that is none is remembered. */
struct numbers {
  const struct line *line;
  const char *bad;
};

static double number(struct numbers *n, int field) {
  const char *text = n->line->fields[field];
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value) || value < 0) {
    n->bad = n->bad ? n->bad : text;
    return 0;
  }
  return value;
}

static long whole(struct numbers *n, int field, double max) {
  double value = number(n, field);
  if (value > max || value != floor(value)) {
    n->bad = n->bad ? n->bad : n->line->fields[field];
    return 0;
  }
  return (long)value;
}

static int numbers_check(const struct numbers *n, struct err *e) {
  return n->bad ? err_set(e, ERR_DATA, "'%.100s' is no number that can stand there", n->bad) : 0;
}

/* Room for one more in an array that grows at powers of two; NULL: memory ran out. */
static void *grow(void *array, size_t n, size_t size) {
  return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * size);
}

static const double count_max = 9e15, size_max = 2e9, device_max = 63;

static int read_kernel(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_kernel *grown = grow(p->kernels, p->n_kernels, sizeof *grown);
  if (!grown)
    return err_nomem(e, "kernels");
  p->kernels = grown;
  struct part_kernel *k = &grown[p->n_kernels];
  *k = (struct part_kernel){.device = (int)whole(&n, 2, device_max), .name = str_copy(l->fields[1])};
  if (!k->name)
    return err_nomem(e, "a kernel's name");
  p->n_kernels++;
  for (int i = 0; i < 3; i++) {
    k->launch.grid[i] = (unsigned)whole(&n, 3 + i, 4e9);
    k->launch.block[i] = (unsigned)whole(&n, 6 + i, 4e9);
    k->launch.cluster[i] = (unsigned)whole(&n, 9 + i, 4e9);
  }
  k->launch.registers = (int)whole(&n, 12, size_max);
  k->launch.smem_static = whole(&n, 13, size_max);
  k->launch.smem_dynamic = whole(&n, 14, size_max);
  k->launch.local_bytes = whole(&n, 15, size_max);
  k->launch.blocks_per_sm = (int)whole(&n, 16, size_max);
  k->launches = (uint64_t)whole(&n, 17, count_max);
  k->in_graphs = (uint64_t)whole(&n, 18, count_max);
  k->disturbed = (uint64_t)whole(&n, 19, count_max);
  k->total_ns = number(&n, 20);
  return numbers_check(&n, e);
}

static int read_samples(struct part *p, struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_kernel *k = &p->kernels[p->n_kernels - 1];
  for (int at = 1;; at++) {
    if (at == l->n) {
      if (!l->rest)
        break;
      line_split(l, l->rest);
      at = 0;
    }
    double *grown = grow(k->samples_ns, k->n_samples, sizeof *grown);
    if (!grown)
      return err_nomem(e, "times");
    k->samples_ns = grown;
    grown[k->n_samples++] = number(&n, at);
  }
  return numbers_check(&n, e);
}

static int read_metric(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_kernel *k = &p->kernels[p->n_kernels - 1];
  struct run_metric *grown = grow(k->metrics, k->n_metrics, sizeof *grown);
  if (!grown)
    return err_nomem(e, "metrics");
  k->metrics = grown;
  struct run_metric *m = &grown[k->n_metrics++];
  *m = (struct run_metric){.name = str_copy(l->fields[1]), .unit = str_copy(l->fields[2])};
  m->source = *l->fields[3] ? str_copy(l->fields[3]) : NULL;
  m->present = *l->fields[4] != 0;
  if (m->present)
    m->value = number(&n, 4);
  else
    m->reason = str_copy(l->fields[5]);
  if (!m->name || !m->unit || (!m->present && !m->reason))
    return err_nomem(e, "metrics");
  return numbers_check(&n, e);
}

static int read_counted(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_kernel *k = &p->kernels[p->n_kernels - 1];
  k->counted = (uint64_t)whole(&n, 1, count_max);
  k->replayed = strcmp(l->fields[2], "replayed") == 0;
  return numbers_check(&n, e);
}

static int read_totals(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  p->launches = (uint64_t)whole(&n, 1, count_max);
  p->total_ns = number(&n, 2);
  p->beyond = (uint64_t)whole(&n, 3, count_max);
  p->beyond_ns = number(&n, 4);
  return numbers_check(&n, e);
}

static int read_process(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  p->pid = whole(&n, 1, size_max);
  p->rank = *l->fields[2] ? str_copy(l->fields[2]) : NULL;
  return numbers_check(&n, e);
}

static int read_device(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  long at = whole(&n, 1, device_max);
  free(p->uuids[at]);
  p->uuids[at] = str_copy(l->fields[2]);
  return numbers_check(&n, e);
}

static int read_range(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_range *grown = grow(p->ranges, p->n_ranges, sizeof *grown);
  if (!grown)
    return err_nomem(e, "ranges");
  p->ranges = grown;
  struct part_range *r = &grown[p->n_ranges++];
  *r = (struct part_range){str_copy(l->fields[1]), (uint64_t)whole(&n, 2, count_max), number(&n, 3)};
  return r->name ? numbers_check(&n, e) : err_nomem(e, "ranges");
}

static int read_sampling(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_sampling *s = &p->sampling;
  s->period_cycles = number(&n, 1);
  s->samples = (uint64_t)whole(&n, 2, count_max);
  s->dropped = (uint64_t)whole(&n, 3, count_max);
  free(s->error);
  s->error = *l->fields[4] ? str_copy(l->fields[4]) : NULL;
  return numbers_check(&n, e);
}

static int read_function(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  struct part_sampling *s = &p->sampling;
  struct part_function *grown = grow(s->functions, s->n_functions, sizeof *grown);
  if (!grown)
    return err_nomem(e, "PC samples");
  s->functions = grown;
  struct part_function *f = &grown[s->n_functions++];
  *f = (struct part_function){.name = str_copy(l->fields[1]), .module = *l->fields[2] ? whole(&n, 2, size_max) : -1};
  f->launches = (uint64_t)whole(&n, 3, count_max);
  f->samples = (uint64_t)whole(&n, 4, count_max);
  return f->name ? numbers_check(&n, e) : err_nomem(e, "PC samples");
}

static int read_pc(struct part *p, const struct line *l, struct err *e) {
  struct numbers n = {.line = l};
  size_t at = (size_t)whole(&n, 1, count_max);
  if (at >= p->sampling.n_functions)
    return err_set(e, ERR_DATA, "a pc of function %zu, of which there are %zu", at, p->sampling.n_functions);
  struct part_function *f = &p->sampling.functions[at];
  struct part_pc *grown = grow(f->pcs, f->n_pcs, sizeof *grown);
  if (!grown)
    return err_nomem(e, "PC samples");
  f->pcs = grown;
  struct part_pc *pc = &grown[f->n_pcs++];
  *pc = (struct part_pc){.offset = (uint32_t)whole(&n, 2, size_max), .reason = str_copy(l->fields[3])};
  pc->samples = (uint64_t)whole(&n, 4, count_max);
  pc->not_issued = (uint64_t)whole(&n, 5, count_max);
  return pc->reason ? numbers_check(&n, e) : err_nomem(e, "PC samples");
}

static int read_note(struct part *p, const struct line *l, struct err *e) {
  char **grown = grow(p->notes, p->n_notes, sizeof *grown);
  if (!grown)
    return err_nomem(e, "notes");
  p->notes = grown;
  grown[p->n_notes] = str_copy(l->fields[1]);
  return grown[p->n_notes] ? (p->n_notes++, 0) : err_nomem(e, "notes");
}

static int read_line(struct part *p, struct line *l, struct err *e) {
  static const struct {
    const char *word;
    int fields;
    bool of_kernel;
    int (*read)(struct part *p, const struct line *l, struct err *e);
  } lines[] = {
      {"process", 3, false, read_process},
      {"totals", 5, false, read_totals},
      {"device", 3, false, read_device},
      {"kernel", KERNEL_FIELDS, false, read_kernel},
      {"counted", 3, true, read_counted},
      {"metric", METRIC_FIELDS, true, read_metric},
      {"sampling", 5, false, read_sampling},
      {"function", 5, false, read_function},
      {"pc", 6, false, read_pc},
      {"range", 4, false, read_range},
      {"note", 2, false, read_note},
  };
  const char *word = l->fields[0];
  if (strcmp(word, "samples") == 0)
    return p->n_kernels ? read_samples(p, l, e) : err_set(e, ERR_DATA, "samples of no kernel");
  if (strcmp(word, "end") == 0) {
    p->complete = l->n > 1 && strcmp(l->fields[1], "complete") == 0;
    return 0;
  }
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (strcmp(word, lines[i].word) != 0)
      continue;
    if (l->n != lines[i].fields || l->rest)
      return err_set(e, ERR_DATA, "%s has %d fields, not %d", word, l->n, lines[i].fields);
    if (lines[i].of_kernel && !p->n_kernels)
      return err_set(e, ERR_DATA, "a %s of no kernel", word);
    return lines[i].read(p, l, e);
  }
  return err_set(e, ERR_DATA, "'%.40s' is no line of a part", word);
}

int part_parse(struct part *out, const char *name, const char *text, struct err *e) {
  static const char first[] = "nvfp4-prof-part\t1";
  char *copy = str_copy(text), *rest = copy;
  struct line l;
  int rc = copy ? 0 : err_nomem(e, name), number_of = 0;
  *out = (struct part){0};
  for (char *line; !rc && (line = strsep(&rest, "\n"));) {
    number_of++;
    if (number_of == 1 && strcmp(line, first) != 0)
      rc = err_set(e, ERR_DATA, "it is no part of this version of nvfp4-prof");
    else if (number_of > 1 && *line) {
      line_split(&l, line);
      rc = read_line(out, &l, e);
    }
    if (rc)
      err_context(e, "%s:%d", name, number_of);
  }
  free(copy);
  if (rc)
    part_release(out);
  return rc;
}

static void kernel_release(struct part_kernel *k) {
  for (size_t i = 0; i < k->n_metrics; i++) {
    free(k->metrics[i].name);
    free(k->metrics[i].unit);
    free(k->metrics[i].source);
    free(k->metrics[i].reason);
  }
  free(k->metrics);
  free(k->samples_ns);
  free(k->name);
}

static void sampling_release(struct part_sampling *s) {
  for (size_t i = 0; i < s->n_functions; i++) {
    for (size_t j = 0; j < s->functions[i].n_pcs; j++)
      free(s->functions[i].pcs[j].reason);
    free(s->functions[i].pcs);
    free(s->functions[i].name);
  }
  free(s->functions);
  free(s->error);
}

void part_release(struct part *p) {
  sampling_release(&p->sampling);
  for (size_t i = 0; i < p->n_kernels; i++)
    kernel_release(&p->kernels[i]);
  for (size_t i = 0; i < p->n_ranges; i++)
    free(p->ranges[i].name);
  for (size_t i = 0; i < p->n_notes; i++)
    free(p->notes[i]);
  for (size_t i = 0; i < sizeof p->uuids / sizeof p->uuids[0]; i++)
    free(p->uuids[i]);
  free(p->kernels);
  free(p->ranges);
  free(p->notes);
  free(p->rank);
  *p = (struct part){0};
}

static int by_time(const void *a, const void *b) {
  const struct part_kernel *const *x = a, *const *y = b;
  double difference = (*y)->total_ns - (*x)->total_ns;
  return difference > 0 ? 1 : difference < 0 ? -1 : strcmp((*x)->name, (*y)->name);
}

const struct part_kernel **part_by_time(const struct part *p) {
  const struct part_kernel **kernels = calloc(p->n_kernels + 1, sizeof *kernels);
  for (size_t i = 0; i < p->n_kernels && kernels; i++)
    kernels[i] = &p->kernels[i];
  if (kernels)
    qsort(kernels, p->n_kernels, sizeof *kernels, by_time);
  return kernels;
}

size_t part_counted(const struct part *p, double *ns) {
  size_t n = 0;
  *ns = 0;
  for (size_t i = 0; i < p->n_kernels; i++) {
    const struct part_kernel *k = &p->kernels[i];
    bool has = false;
    for (size_t m = 0; m < k->n_metrics; m++)
      has = has || k->metrics[m].present;
    n += has;
    *ns += has ? k->total_ns : 0;
  }
  return n;
}
