/* The measuring process's hold of the GPU: operands, the product, its check and its time. */
#include "profiler/mma/tuning.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 256, SMALL_K = 512, SAMPLES = 256, REPEATS = 20, PEAK_TURNS = 4000, PEAK_BLOCK = 256 };
static const uint64_t seed_a = 11, seed_b = 12;

static size_t operand_bytes(enum mma_format f, long rows, long k) {
  return (size_t)rows * (size_t)k * (size_t)mma_format_bits(f) / 8;
}

/* Of an operand's array: what the product at full size reads, and the small one, which may be deeper. */
static size_t array_bytes(enum mma_format f, long rows, long k) {
  size_t full = operand_bytes(f, rows, k), small = operand_bytes(f, SMALL, SMALL_K);
  return full > small ? full : small;
}

int mma_device_open(struct mma_device *d, const struct mma_options *o, const struct gpu_probe *gpu, struct err *e) {
  const size_t sum = 4; /* bytes of an element */
  const enum mma_format widest = MMA_FP16;
  size_t a = array_bytes(widest, o->m, o->k), b = array_bytes(widest, o->n, o->k), c = (size_t)(o->m * o->n) * sum;
  memset(d, 0, sizeof *d);
  d->gpu = gpu;
  d->m = o->m, d->n = o->n, d->k = o->k;
  d->host_a = malloc(a), d->host_b = malloc(b), d->host_c = malloc(c);
  d->reference = malloc(sizeof(double) * SMALL * SMALL);
  int rc = d->host_a && d->host_b && d->host_c && d->reference ? 0 : err_nomem(e, "operands");
  if (!rc)
    rc = driver_open(&d->driver, gpu->index, &d->device, &d->context, &d->stream, e);
  for (int i = 0; i < 2 && !rc; i++)
    rc = CU_CALL(&d->driver, e, cuEventCreate, &d->events[i], CU_EVENT_DEFAULT);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuMemAlloc_v2, &d->a, a);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuMemAlloc_v2, &d->b, b);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuMemAlloc_v2, &d->c, c);
  return rc;
}

/* --- the check --- */

static double dot(const struct mma_type *t, const unsigned char *a, const unsigned char *b, long k) {
  double sum = 0;
  for (long i = 0; i < k; i++)
    sum += mma_value(t->a, a, (size_t)i) * mma_value(t->b, b, (size_t)i);
  return sum;
}

int mma_device_fill(struct mma_device *d, const struct mma_type *t, struct err *e) {
  if (d->filled && d->format_a == t->a && d->format_b == t->b)
    return 0;
  size_t a = array_bytes(t->a, d->m, d->k), b = array_bytes(t->b, d->n, d->k);
  mma_values_make(t->a, seed_a, d->host_a, a);
  mma_values_make(t->b, seed_b, d->host_b, b);
  int rc = CU_CALL(&d->driver, e, cuMemcpyHtoD_v2, d->a, d->host_a, a);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuMemcpyHtoD_v2, d->b, d->host_b, b);
  size_t row_a = operand_bytes(t->a, 1, SMALL_K), row_b = operand_bytes(t->b, 1, SMALL_K);
  for (size_t i = 0; i < SMALL * SMALL && !rc; i++)
    d->reference[i] = dot(t, d->host_a + i / SMALL * row_a, d->host_b + i % SMALL * row_b, SMALL_K);
  d->filled = !rc;
  d->format_a = t->a, d->format_b = t->b;
  return rc;
}

/* RMS of the differences over RMS of the reference. */
struct deviation {
  double difference, reference;
};

static void deviation_add(struct deviation *v, double got, double wanted) {
  v->difference += (got - wanted) * (got - wanted);
  v->reference += wanted * wanted;
}

static void deviation_figure(struct mma_figure *f, const struct deviation *v) {
  double error = v->reference > 0 ? sqrt(v->difference / v->reference) : 0;
  if (isfinite(error))
    mma_present(f, error);
  else
    mma_absent(f, "C holds numbers that are not finite");
}

/* --- launches --- */

struct product {
  struct mma_device *d;
  const struct mma_tile *tile;
  CUfunction f;
  long m, n;
  long row_bytes;
};

static unsigned blocks_of(const struct product *p) {
  long m = (p->m + p->tile->m - 1) / p->tile->m, n = (p->n + p->tile->n - 1) / p->tile->n;
  return (unsigned)(m * n);
}

static int product_run(void *context, struct err *e) {
  struct product *p = context;
  struct mma_device *d = p->d;
  int m = (int)p->m, n = (int)p->n;
  void *args[] = {&d->a, &d->b, &d->c, &m, &n, &p->row_bytes};
  const struct driver_grid grid = {blocks_of(p), (unsigned)(32 * p->tile->warps_m * p->tile->warps_n),
                                   (unsigned)mma_tile_smem(p->tile)};
  return driver_launch(&d->driver, p->f, &grid, d->stream, args, e);
}

int mma_device_time(struct mma_device *d, const struct mma_call *call, double *time_s, struct err *e) {
  double samples[REPEATS];
  struct stats stats;
  int rc = call->run(call->context, e); /* warms up */
  for (int i = 0; i < REPEATS && !rc; i++) {
    float ms = 0;
    rc = CU_CALL(&d->driver, e, cuEventRecord, d->events[0], d->stream);
    if (!rc)
      rc = call->run(call->context, e);
    if (!rc)
      rc = CU_CALL(&d->driver, e, cuEventRecord, d->events[1], d->stream);
    if (!rc)
      rc = CU_CALL(&d->driver, e, cuStreamSynchronize, d->stream);
    if (!rc)
      rc = CU_CALL(&d->driver, e, cuEventElapsedTime_v2, &ms, d->events[0], d->events[1]);
    samples[i] = 1e-3 * (double)ms;
  }
  if (rc)
    return rc;
  stats_of(&stats, samples, REPEATS, 0);
  *time_s = stats.middle;
  return stats.valid && stats.middle > 0 ? 0 : err_set(e, ERR_DATA, "the events measured no time");
}

static int poison_and_run(struct product *p, const struct mma_type *t, struct err *e) {
  struct mma_device *d = p->d;
  size_t bytes = (size_t)(p->m * p->n) * (size_t)mma_sum_bytes(t->sum);
  int rc = CU_CALL(&d->driver, e, cuMemsetD8Async, d->c, 0xff, bytes, d->stream); /* not a number, or -1 */
  if (!rc)
    rc = product_run(p, e);
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuStreamSynchronize, d->stream);
  return rc ? rc : CU_CALL(&d->driver, e, cuMemcpyDtoH_v2, d->host_c, d->c, bytes);
}

static int check_small(struct product *p, struct mma_row *row, struct err *e) {
  struct deviation v = {0, 0};
  struct product small = *p;
  small.m = small.n = SMALL;
  small.row_bytes = (long)operand_bytes(row->type->a, 1, SMALL_K);
  int rc = poison_and_run(&small, row->type, e);
  if (rc)
    return rc;
  for (size_t i = 0; i < SMALL * SMALL; i++)
    deviation_add(&v, mma_sum_value(row->type->sum, p->d->host_c, i), p->d->reference[i]);
  deviation_figure(&row->small_error, &v);
  return 0;
}

/* A sample spread over all of C: steps by a prime, so that every lane's place in a tile comes by. */
static int check_sample(struct product *p, struct mma_row *row, struct err *e) {
  struct mma_device *d = p->d;
  struct deviation v = {0, 0};
  size_t elements = (size_t)(d->m * d->n), step = (elements / SAMPLES) | 1;
  int rc = poison_and_run(p, row->type, e);
  if (rc)
    return rc;
  for (size_t i = 0; i < SAMPLES; i++) {
    size_t at = (i * step + i * 37) % elements, m = at / (size_t)d->n, n = at % (size_t)d->n;
    double wanted = dot(row->type, d->host_a + m * (size_t)p->row_bytes,
                        d->host_b + n * operand_bytes(row->type->b, 1, d->k), d->k);
    deviation_add(&v, mma_sum_value(row->type->sum, d->host_c, at), wanted);
  }
  deviation_figure(&row->error, &v);
  return 0;
}

static bool wrong(const struct mma_figure *f, const struct mma_type *t) {
  return !f->present || f->value > mma_tolerance(t->sum);
}

int mma_device_product(struct mma_device *d, struct mma_row *row, CUmodule module, struct err *e) {
  struct product p = {
      .d = d, .tile = &row->tile, .m = d->m, .n = d->n, .row_bytes = (long)operand_bytes(row->type->a, 1, d->k)};
  struct mma_call call = {product_run, &p};
  long smem = mma_tile_smem(&row->tile);
  double time_s = 0;
  if (smem > d->gpu->smem_optin)
    return err_set(e, ERR_MACHINE, "the tile takes %ld bytes of shared memory per block, and this GPU has %ld", smem,
                   d->gpu->smem_optin);
  int rc = CU_CALL(&d->driver, e, cuModuleGetFunction, &p.f, module, "matmul");
  if (!rc)
    rc = CU_CALL(&d->driver, e, cuFuncSetAttribute, p.f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)smem);
  if (!rc)
    rc = check_small(&p, row, e);
  if (!rc)
    rc = check_sample(&p, row, e);
  if (!rc && (wrong(&row->small_error, row->type) || wrong(&row->error, row->type)))
    return err_set(e, ERR_DATA, "its product is wrong, so its time is not reported");
  if (!rc)
    rc = mma_device_time(d, &call, &time_s, e);
  if (rc)
    return rc;
  mma_present(&row->time_s, time_s);
  mma_present(&row->flops, 2.0 * (double)d->m * (double)d->n * (double)d->k / time_s);
  return 0;
}

/* --- the instruction alone --- */

struct peak {
  struct mma_device *d;
  CUfunction f;
  unsigned grid;
  int turns;
};

static int peak_run(void *context, struct err *e) {
  struct peak *p = context;
  struct mma_device *d = p->d;
  unsigned operand = 0x35343332; /* of every format finite and not 0 */
  void *args[] = {&d->c, &p->turns, &operand};
  const struct driver_grid grid = {.grid = p->grid, .block = PEAK_BLOCK};
  return driver_launch(&d->driver, p->f, &grid, d->stream, args, e);
}

int mma_device_peak(struct mma_device *d, struct mma_row *row, CUmodule module, struct err *e) {
  struct peak p = {.d = d, .grid = 2 * (unsigned)d->gpu->sms};
  struct mma_call call = {peak_run, &p};
  double time_s[2] = {0, 0};
  int rc = CU_CALL(&d->driver, e, cuModuleGetFunction, &p.f, module, "peak");
  for (int i = 0; i < 2 && !rc; i++) {
    p.turns = i ? 3 * PEAK_TURNS : PEAK_TURNS;
    rc = mma_device_time(d, &call, &time_s[i], e);
  }
  if (rc)
    return rc;
  if (time_s[1] <= time_s[0])
    return err_set(e, ERR_DATA, "a loop three times as long took no longer");
  /* By slope: what a launch costs is in both times.  An instruction multiplies 16 x 8 by 32 bytes along K. */
  double k = 256.0 / mma_format_bits(row->type->a), warps = (double)p.grid * PEAK_BLOCK / 32;
  double instructions = warps * 2 * MMA_PEAK_CHAINS * 2 * PEAK_TURNS;
  mma_present(&row->peak, instructions * 2 * 16 * 8 * k / (time_s[1] - time_s[0]));
  return 0;
}
