#include "profiler/import/ncu_rep.h"

#include "base/array.h"
#include "base/text.h"
#include "base/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[] = {'N', 'V', 'R', '\0'};
enum { SIZE_BYTES = 4, METRICS_MAX = 20000000 };

/* Fields, by message. */
enum { BLOCK_SOURCES = 1, BLOCK_STRINGS = 4, BLOCK_PAYLOAD = 5 };
enum { STRINGS_ITEM = 1 };
enum { SOURCE_REFERENCE = 1, SOURCE_BINARY = 4, SOURCE_FILES = 8 };
enum { RESULT_MANGLED = 5, RESULT_FUNCTION = 6, RESULT_DEMANGLED = 7, RESULT_GRID = 10, RESULT_BLOCK = 11 };
enum { RESULT_METRIC = 13, RESULT_SOURCE = 15 };
enum { KINDS = 4 };
static const struct kind { /* of results: in a block of several kinds, in this order */
  uint32_t count;          /* the field of a block's head */
  uint32_t metric;         /* fields of a result */
  uint32_t title;
  const char *name; /* of what has none; NULL: a kernel */
} kinds[KINDS] = {
    {.count = 2, .metric = RESULT_METRIC},
    {.count = 7, .metric = 4, .name = "range"},
    {.count = 8, .metric = 4, .title = 18, .name = "command list"},
    {.count = 9, .metric = 4, .name = "graph"},
};
enum { METRIC_NAME = 1, METRIC_VALUE = 2, METRIC_ELEMENT = 3 };

struct rep {
  const struct import_file *file;
  struct ncu_file *out;
  const char **strings; /* of all blocks so far */
  size_t n_strings;
  struct ncu_source *code;     /* whose carried sources it fills */
  struct rep_launch *launches; /* of the same index as out->launches */
  size_t n_metrics;
  uint64_t n_of[KINDS]; /* results so far */
};

static int broken(const struct rep *r, const void *at, const char *what, struct err *e) {
  return err_set(
      e, ERR_DATA,
      "%s: byte %zu: %s; the report is cut short or damaged, or of an Nsight Compute that writes another form: "
      "export it with ncu --import %s --csv --page raw",
      r->file->name, (size_t)((const char *)at - r->file->text), what, r->file->name);
}

bool ncu_rep_is(const struct import_file *file) {
  return file->n >= sizeof MAGIC && memcmp(file->text, MAGIC, sizeof MAGIC) == 0;
}

/* --- values --- */

static const char *keep(struct rep *r, const uint8_t *bytes, size_t n) {
  return ncu_name_keep(r->out, (const char *)bytes, n);
}

static int metric_add(struct rep *r, struct ncu_launch *l, const char *name, const struct wire_field *value,
                      struct err *e) {
  if (++r->n_metrics > METRICS_MAX)
    return err_set(e, ERR_DATA,
                   "%s: holds more than %d values: export a part of it with ncu --import %s --csv --page raw",
                   r->file->name, METRICS_MAX, r->file->name);
  if (value->type != WIRE_BYTES) {
    ncu_number_add(l, name, wire_float(value));
    return 0;
  }
  struct csv_cell cell = {.text = keep(r, value->bytes, value->n), .line = r->out->n, .column = l->n + 1};
  ncu_metric_add(l, name, NULL, ncu_cell_keep(r->out, &cell));
  return 0;
}

static int metric_read(struct rep *r, struct ncu_launch *l, const struct wire_field *message, struct rep_launch *shown,
                       struct err *e) {
  struct wire w = wire_open(message->bytes, message->n);
  struct wire_field f, value = {0};
  struct rep_series series;
  bool valued = false, listed = false;
  uint64_t name = UINT64_MAX;
  while (wire_next(&w, &f))
    if (f.number == METRIC_NAME && f.type == WIRE_VARINT)
      name = f.value;
    else if (f.number == METRIC_VALUE && f.type == WIRE_BYTES)
      valued = rep_value(f.bytes, f.n, &value);
    else if (f.number == METRIC_ELEMENT)
      listed = true;
  if (w.broken)
    return broken(r, w.at, "a metric is not a message", e);
  if (name >= r->n_strings)
    return broken(r, message->bytes, "a metric's name is not in the string table", e);
  int rc = valued ? metric_add(r, l, r->strings[name], &value, e) : 0;
  if (rc || !listed || !rep_series_of(r->strings[name], &series))
    return rc;
  struct rep_series *added = array_add(&shown->series, &shown->n_series, sizeof *added);
  series.message = message->bytes;
  series.n = message->n;
  *added = series;
  return 0;
}

/* --- a result --- */

/* Uint64x3, of which a dimension that is 0 is not written. */
static void extent_read(const struct wire_field *message, unsigned out[3]) {
  struct wire w = wire_open(message->bytes, message->n);
  struct wire_field f;
  while (wire_next(&w, &f))
    if (f.number >= 1 && f.number <= 3 && f.type == WIRE_VARINT && f.value <= INT32_MAX)
      out[f.number - 1] = (unsigned)f.value;
}

static uint64_t reference_read(const struct wire_field *message) {
  struct wire w = wire_open(message->bytes, message->n);
  struct wire_field f;
  while (wire_next(&w, &f))
    if (f.number == SOURCE_REFERENCE && f.type == WIRE_VARINT)
      return f.value;
  return 0;
}

static int result_field(struct rep *r, struct ncu_launch *l, struct rep_launch *shown, const struct wire_field *f,
                        struct err *e) {
  int rc = 0;
  switch (f->number) {
  case RESULT_MANGLED:
    shown->mangled = keep(r, f->bytes, f->n);
    break;
  case RESULT_FUNCTION:
    if (!*l->kernel)
      l->kernel = keep(r, f->bytes, f->n);
    break;
  case RESULT_DEMANGLED: /* empty for a C name */
    if (f->n)
      l->kernel = keep(r, f->bytes, f->n);
    break;
  case RESULT_GRID:
    extent_read(f, l->grid);
    break;
  case RESULT_BLOCK:
    extent_read(f, l->block);
    break;
  case RESULT_METRIC:
    rc = metric_read(r, l, f, shown, e);
    break;
  case RESULT_SOURCE:
    shown->reference = reference_read(f);
    break;
  default:
    break;
  }
  return rc;
}

/* A range or graph is several kernels: it has a name and metrics alone. */
static int together_field(struct rep *r, struct ncu_launch *l, const struct kind *kind, struct rep_launch *shown,
                          const struct wire_field *f, struct err *e) {
  int rc = 0;
  if (f->number == kind->metric)
    rc = metric_read(r, l, f, shown, e);
  else if (kind->title && f->number == kind->title && f->n)
    l->kernel = keep(r, f->bytes, f->n);
  return rc;
}

static void together_name(struct rep *r, struct ncu_launch *l, const struct kind *kind) {
  char name[64];
  int n = snprintf(name, sizeof name, "%s %" PRIu64, kind->name, r->n_of[kind - kinds]);
  l->kernel = keep(r, (const uint8_t *)name, (size_t)n);
}

static int result_read(struct rep *r, const struct kind *kind, const uint8_t *bytes, size_t n, struct err *e) {
  struct wire w = wire_open(bytes, n);
  struct wire_field f;
  struct ncu_launch *l;
  struct rep_launch *grown = realloc(r->launches, (r->out->n + 1) * sizeof *grown);
  r->launches = grown;
  grown[r->out->n] = (struct rep_launch){0};
  ncu_launch_add(r->out, &l);
  struct rep_launch *shown = &r->launches[r->out->n - 1];
  r->n_of[kind - kinds]++;
  l->together = kind->name;
  int rc = 0;
  if (kind->name)
    together_name(r, l, kind);
  while (!rc && wire_next(&w, &f))
    if (f.type == WIRE_BYTES)
      rc = kind->name ? together_field(r, l, kind, shown, &f, e) : result_field(r, l, shown, &f, e);
  if (!rc && w.broken)
    rc = broken(r, w.at, "a result is not a message", e);
  if (!rc)
    ncu_launch_finish(r->out, l);
  return rc;
}

/* --- a block --- */

static int strings_read(struct rep *r, const struct wire_field *table, struct err *e) {
  struct wire w = wire_open(table->bytes, table->n);
  struct wire_field f;
  while (wire_next(&w, &f))
    if (f.number == STRINGS_ITEM && f.type == WIRE_BYTES) {
      const char **added = array_add(&r->strings, &r->n_strings, sizeof *added);
      *added = keep(r, f.bytes, f.n);
    }
  return w.broken ? broken(r, w.at, "the string table is not a message", e) : 0;
}

static int source_read(struct rep *r, const uint8_t *bytes, size_t n, struct err *e) {
  struct ncu_source *c = r->code;
  struct wire w = wire_open(bytes, n);
  struct wire_field f;
  struct rep_source *s = array_add(&c->carried, &c->n_carried, sizeof *s);
  while (wire_next(&w, &f)) {
    if (f.number == SOURCE_REFERENCE && f.type == WIRE_VARINT) {
      s->reference = f.value;
    } else if (f.number == SOURCE_BINARY && f.type == WIRE_BYTES) {
      s->cubin = f.bytes;
      s->cubin_bytes = f.n;
    } else if (f.number == SOURCE_FILES && f.type == WIRE_BYTES) {
      s->files = f.bytes;
      s->files_bytes = f.n;
    }
  }
  return w.broken ? broken(r, w.at, "a source is not a message", e) : 0;
}

/* u32, then that many bytes, within end. */
static int sized(const struct rep *r, const uint8_t **at, const uint8_t *end, const uint8_t **bytes, size_t *n,
                 struct err *e) {
  uint32_t size;
  if ((size_t)(end - *at) < SIZE_BYTES)
    return broken(r, *at, "a size is missing", e);
  memcpy(&size, *at, sizeof size);
  if (size > (size_t)(end - *at) - SIZE_BYTES)
    return broken(r, *at, "a size goes beyond the end", e);
  *bytes = *at + SIZE_BYTES;
  *n = size;
  *at = *bytes + size;
  return 0;
}

struct block {
  uint64_t sources, results[KINDS], payload;
};

static int block_header(struct rep *r, const uint8_t *bytes, size_t n, struct block *out, struct err *e) {
  struct wire w = wire_open(bytes, n);
  struct wire_field f;
  int rc = 0;
  *out = (struct block){0};
  while (!rc && wire_next(&w, &f)) {
    if (f.number == BLOCK_SOURCES)
      out->sources = f.value;
    else if (f.number == BLOCK_PAYLOAD)
      out->payload = f.value;
    else if (f.number == BLOCK_STRINGS && f.type == WIRE_BYTES)
      rc = strings_read(r, &f, e);
    for (size_t k = 0; k < KINDS; k++)
      if (f.number == kinds[k].count && f.type == WIRE_VARINT)
        out->results[k] = f.value;
  }
  return !rc && w.broken ? broken(r, w.at, "a block's head is not a message", e) : rc;
}

static int block_read(struct rep *r, const uint8_t **at, const uint8_t *end, struct err *e) {
  const uint8_t *bytes = NULL;
  size_t n = 0;
  struct block b = {0};
  int rc = sized(r, at, end, &bytes, &n, e);
  if (!rc)
    rc = block_header(r, bytes, n, &b, e);
  if (!rc && b.payload > (uint64_t)(end - *at))
    rc = broken(r, *at, "a block goes beyond the end", e);
  if (rc)
    return rc;
  const uint8_t *stop = *at + b.payload;
  for (uint64_t i = 0; i < b.sources && !rc; i++)
    if (!(rc = sized(r, at, stop, &bytes, &n, e)))
      rc = source_read(r, bytes, n, e);
  for (size_t k = 0; k < KINDS; k++)
    for (uint64_t i = 0; i < b.results[k] && !rc; i++)
      if (!(rc = sized(r, at, stop, &bytes, &n, e)))
        rc = result_read(r, &kinds[k], bytes, n, e);
  *at = stop;
  return rc;
}

/* --- the whole --- */

/* "9.0", which other forms have in a column of their own. */
static int capability_fill(struct rep *r, struct ncu_launch *l, struct err *e) {
  struct ncu_reading reading = {.e = e};
  double major, minor;
  char text[16];
  if (ncu_value(l, "device__attribute_compute_capability_major", &major, &reading) &&
      ncu_value(l, "device__attribute_compute_capability_minor", &minor, &reading) && major >= 1 && major <= 99 &&
      minor >= 0 && minor <= 9) {
    int n = snprintf(text, sizeof text, "%d.%d", (int)major, (int)minor);
    l->capability = keep(r, (const uint8_t *)text, (size_t)n);
  }
  return reading.rc;
}

static int blocks_read(struct rep *r, struct err *e) {
  const uint8_t *at = (const uint8_t *)r->file->text + sizeof MAGIC, *end = at - sizeof MAGIC + r->file->n,
                *head = NULL;
  size_t n = 0;
  int rc = sized(r, &at, end, &head, &n, e);
  while (!rc && at < end)
    rc = block_read(r, &at, end, e);
  return rc;
}

static int launches_finish(struct rep *r, char **note, struct err *e) {
  int rc = 0;
  if (!*note && r->n_of[0] != r->out->n)
    *note = str_copy(
        "a range, graph or command list holds several kernels: its counters are their sum, its grid, registers and code are unknown, and advice about a launch does not apply to it");
  for (size_t i = 0; i < r->out->n && !rc; i++)
    rc = capability_fill(r, &r->out->launches[i], e);
  if (!rc)
    rep_code_add(r->code, r->launches, r->out->launches, r->out->n, note);
  return rc;
}

int ncu_rep_parse(struct ncu_file *out, struct ncu_source *code, char **note, const struct import_file *file,
                  struct err *e) {
  struct rep r = {.file = file, .out = out, .code = code};
  *out = (struct ncu_file){.name = str_copy(file->name), .form = NCU_REPORT};
  *code = (struct ncu_source){.name = str_copy(file->name)};
  int rc = blocks_read(&r, e);
  if (!rc && out->n == 0)
    rc = err_set(e, ERR_DATA, "%s: holds no kernel, range or graph: ncu profiled none", file->name);
  if (!rc)
    rc = launches_finish(&r, note, e);
  for (size_t i = 0; r.launches && i < out->n; i++)
    free(r.launches[i].series);
  free(r.launches);
  free(r.strings);
  return rc;
}
