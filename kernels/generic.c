#include "kernels/generic.h"

#include "base/file.h"
#include "base/mix64.h"
#include "base/text.h"
#include "kernels/frontmatter.h"
#include "kernels/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- elements --- */

static const struct element_row {
  const char *name, *other;
  size_t bytes;
  double iota, tolerance; /* 2^-p: p the bits of the significand (IEEE 754; bfloat16: 8) */
} rows[ELEMENTS] = {
    [ELEMENT_FP64] = {"fp64", "float64", 8, 0x1p53, 64 * 0x1p-52},
    [ELEMENT_FP32] = {"fp32", "float32", 4, 0x1p24, 64 * 0x1p-23},
    [ELEMENT_FP16] = {"fp16", "float16", 2, 0x1p11, 4 * 0x1p-10},
    [ELEMENT_BF16] = {"bf16", "bfloat16", 2, 0x1p8, 4 * 0x1p-7},
    [ELEMENT_I64] = {"i64", "int64", 8, 0x1p53, 0},
    [ELEMENT_I32] = {"i32", "int32", 4, 0x1p31, 0},
    [ELEMENT_I16] = {"i16", "int16", 2, 0x1p15, 0},
    [ELEMENT_I8] = {"i8", "int8", 1, 0x1p7, 0},
    [ELEMENT_U64] = {"u64", "uint64", 8, 0x1p53, 0},
    [ELEMENT_U32] = {"u32", "uint32", 4, 0x1p32, 0},
    [ELEMENT_U16] = {"u16", "uint16", 2, 0x1p16, 0},
    [ELEMENT_U8] = {"u8", "uint8", 1, 0x1p8, 0},
};

int element_parse(enum element *out, const char *name, struct err *e) {
  struct text known = {0};
  for (int t = 0; t < ELEMENTS; t++) {
    if (strcmp(rows[t].name, name) == 0 || strcmp(rows[t].other, name) == 0) {
      *out = (enum element)t;
      text_release(&known);
      return 0;
    }
    text_printf(&known, "%s%s", t ? ", " : "", rows[t].name);
  }
  int rc = err_set(e, ERR_DATA, "unknown type '%.40s'; known are %s", name, text_str(&known));
  text_release(&known);
  return rc;
}

size_t element_bytes(enum element t) {
  return rows[t].bytes;
}

/* Where iota begins anew: the first whole number that the type cannot count to exactly (2^24 for fp32, 2^11 fp16, 2^8 bf16, 2^53 fp64; the
 * positive range of an integer). */
static uint64_t element_iota_period(enum element t) {
  return (uint64_t)rows[t].iota;
}

/* What an output may be off where the rung gives no tolerance: four times the spacing of the type's numbers at 1 (fp32 and fp64: 64 times, for a
 * sum taken in another order), absolutely below 1 and relatively above; integers must be exact. */
static double element_tolerance(enum element t) {
  return rows[t].tolerance;
}

double element_value(enum element t, const void *array, size_t i) {
  union {
    double f64;
    float f32;
    int64_t i64;
    int32_t i32;
    int16_t i16;
    int8_t i8;
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    uint8_t u8;
  } x;
  memcpy(&x, (const unsigned char *)array + i * rows[t].bytes, rows[t].bytes);
  switch (t) {
  case ELEMENT_FP64:
    return x.f64;
  case ELEMENT_FP32:
    return (double)x.f32;
  case ELEMENT_FP16:
    return fp16_value(x.u16);
  case ELEMENT_BF16: /* the upper half of a float */
    x.u32 = (uint32_t)x.u16 << 16;
    return (double)x.f32;
  case ELEMENT_I64:
    return (double)x.i64;
  case ELEMENT_I32:
    return x.i32;
  case ELEMENT_I16:
    return x.i16;
  case ELEMENT_I8:
    return x.i8;
  case ELEMENT_U64:
    return (double)x.u64;
  case ELEMENT_U32:
    return x.u32;
  case ELEMENT_U16:
    return x.u16;
  case ELEMENT_U8:
  case ELEMENTS:
    break;
  }
  return x.u8;
}

/* x is one that the type holds, or for a float one to be rounded. */
static void element_store(enum element t, void *array, size_t i, double x) {
  unsigned char *at = (unsigned char *)array + i * rows[t].bytes;
  int64_t whole = (int64_t)x;
  uint16_t half;
  float f = (float)x;
  uint32_t wide;
  switch (t) {
  case ELEMENT_FP64:
    memcpy(at, &x, sizeof x);
    return;
  case ELEMENT_FP32:
    memcpy(at, &f, sizeof f);
    return;
  case ELEMENT_FP16:
    half = fp16_from_double(x);
    memcpy(at, &half, sizeof half);
    return;
  case ELEMENT_BF16: /* to nearest, ties to even */
    memcpy(&wide, &f, sizeof wide);
    half = (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
    memcpy(at, &half, sizeof half);
    return;
  default: /* two's complement, little-endian as the device and every host of it */
    memcpy(at, &whole, rows[t].bytes);
  }
}

/* --- arrays --- */

struct filling {
  enum element type;
  enum rung_init init;
  uint64_t seed;
  void *data;
};

static uint64_t mixed(uint64_t x) {
  return mix64_next(&x);
}

static void fill_range(void *context, size_t begin, size_t end) {
  const struct filling *f = context;
  bool real = f->type <= ELEMENT_BF16, is_signed = f->type <= ELEMENT_I8;
  uint64_t period = element_iota_period(f->type);
  for (size_t i = begin; i < end; i++) {
    uint64_t r = mixed(f->seed + i);
    double x = f->init == INIT_IOTA ? (double)(i % period)
               : real               ? (double)(r >> 11) * 0x1p-52 - 1
               : is_signed          ? (double)(r % 201) - 100
                                    : (double)(r % 101);
    element_store(f->type, f->data, i, x);
  }
}

/* A path from the folder of the rung's file. */
static char *beside(const struct rung *r, const char *path) {
  const char *slash = strrchr(r->file, '/');
  return path[0] == '/' || !slash ? str_copy(path) : str_printf("%.*s/%s", (int)(slash - r->file), r->file, path);
}

static int bytes_read(void **out, const struct rung *r, const char *key, size_t nth, const char *path, size_t bytes,
                      struct err *e) {
  char *full = beside(r, path), *data = NULL;
  size_t n = 0;
  int rc = file_read(full, bytes + 1, &data, &n, e);
  if (rc == 0 && n != bytes)
    rc = err_set(e, ERR_DATA, "%s holds %zu bytes; %zu are needed", full, n, bytes);
  free(full);
  if (rc) {
    free(data);
    return err_context(e, "%s:%d: %s", r->file, fm_line(r, key, nth), key);
  }
  *out = data;
  return 0;
}

static int array_make(struct generic_array *out, const struct rung_plan *plan, size_t i, uint64_t seed, struct err *e) {
  const struct plan_array *a = &plan->arrays[i];
  const struct rung_buffer *b = a->buffer;
  out->bytes = a->bytes;
  if (b->init == INIT_NONE)
    return 0;
  if (b->init == INIT_FILE)
    return bytes_read(&out->data, plan->rung, "buffer", i, b->path, a->bytes, e);
  out->data = calloc(1, a->bytes);
  if (!out->data)
    return err_nomem(e, b->name);
  enum { GRAIN = 1 << 16 };
  struct filling f = {b->type, b->init, mixed(seed) + mixed(i) * 2, out->data};
  if (b->init != INIT_ZERO)
    parallel_run(0, a->count, GRAIN, fill_range, &f);
  return 0;
}

int generic_make(struct generic *out, const struct rung_plan *plan, uint64_t seed, struct err *e) {
  *out = (struct generic){.plan = plan};
  out->arrays = calloc(plan->n_arrays + 1, sizeof *out->arrays);
  out->n = plan->n_arrays;
  int rc = 0;
  for (size_t i = 0; i < out->n && rc == 0; i++)
    rc = array_make(&out->arrays[i], plan, i, seed, e);
  return rc;
}

void generic_release(struct generic *g) {
  for (size_t i = 0; i < g->n; i++)
    free(g->arrays[i].data);
  free(g->arrays);
  *g = (struct generic){0};
}

bool generic_same(const struct rung_plan *a, const struct rung_plan *b) {
  if (a->n_arrays != b->n_arrays || !shape_equal(a->shape, b->shape) || strcmp(a->rung->file, b->rung->file) != 0)
    return false;
  for (size_t i = 0; i < a->n_arrays; i++) {
    const struct rung_buffer *x = a->arrays[i].buffer, *y = b->arrays[i].buffer;
    bool same_path = x->path && y->path ? strcmp(x->path, y->path) == 0 : x->path == y->path;
    if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->init != y->init || x->output != y->output ||
        !same_path || a->arrays[i].bytes != b->arrays[i].bytes)
      return false;
  }
  return true;
}

/* --- the check --- */

size_t generic_output_bytes(const struct rung_plan *plan) {
  size_t bytes = 0;
  for (size_t i = 0; i < plan->n_arrays; i++)
    bytes += plan->arrays[i].buffer->output ? plan->arrays[i].bytes : 0;
  return bytes;
}

int generic_reference_read(void **out, const struct rung_plan *plan, struct err *e) {
  return bytes_read(out, plan->rung, "reference", 0, plan->rung->reference_path, generic_output_bytes(plan), e);
}

static bool poisoned(const unsigned char *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (at[i] != GENERIC_POISON)
      return false;
  return true;
}

/* How far one element is off, over its tolerance: 0 to 1 passes; infinite where it is not finite and should be, or not as it should be. */
static double element_ratio(double got, double want, double abs, double rel) {
  if (isnan(want) || isinf(want))
    return (isnan(want) && isnan(got)) || got == want ? 0 : INFINITY;
  double off = fabs(got - want), may = abs + rel * fabs(want);
  if (off == 0)
    return 0;
  return isfinite(got) && may > 0 ? off / may : INFINITY;
}

static void array_compare(struct generic_check *out, const struct rung *r, const struct plan_array *a,
                          const unsigned char *got, const unsigned char *want) {
  const struct rung_buffer *b = a->buffer;
  double abs = r->has_tolerance ? r->tolerance_abs : element_tolerance(b->type);
  double rel = r->has_tolerance ? r->tolerance_rel : element_tolerance(b->type);
  size_t size = element_bytes(b->type);
  for (size_t i = 0; i < a->count; i++) {
    enum { STRIDE = 4096 };
    /* Most elements are the same to the last bit: passed over by the thousand. */
    while (i % STRIDE == 0 && a->count - i > STRIDE && memcmp(got + i * size, want + i * size, STRIDE * size) == 0)
      i += STRIDE;
    if (memcmp(got + i * size, want + i * size, size) == 0)
      continue;
    double x = element_value(b->type, got, i), y = element_value(b->type, want, i);
    double ratio = element_ratio(x, y, abs, rel), off = fabs(x - y);
    out->failed += !(ratio <= 1);
    if (isfinite(off) && off > out->max_error)
      out->max_error = off;
    if (ratio > out->max_ratio) {
      out->max_ratio = ratio;
      out->buffer = b->name;
      out->index = i;
      out->got = x;
      out->want = y;
      out->unwritten = b->init == INIT_NONE && poisoned(got + i * size, size);
    }
  }
  out->total += a->count;
}

void generic_compare(struct generic_check *out, const struct rung_plan *plan, const void *got, const void *want) {
  const unsigned char *g = got, *w = want;
  *out = (struct generic_check){0};
  for (size_t i = 0; i < plan->n_arrays; i++) {
    const struct plan_array *a = &plan->arrays[i];
    if (!a->buffer->output)
      continue;
    array_compare(out, plan->rung, a, g, w);
    g += a->bytes;
    w += a->bytes;
  }
}
