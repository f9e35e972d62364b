/* The CPU reference.
 *
 * Twice an e2m1 value is an integer in -12..12, so the sum over a block of 16 products is an exact small integer (in quarters), and a byte
 * of A meets a byte of B in one of 65,536 known ways: a table gives both the sum of the two products and the sum of their magnitudes.
 * Scale products have 8 significant bits, so each block's term is exact in double.  The terms are added in double in the order of K,
 * whatever the number of threads; with default and contest inputs (terms are multiples of 2^-14 below 2^16) that sum is exact too.
 */
#include "kernels/parallel.h"
#include "kernels/problem.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { BLOCK_BYTES = PROBLEM_BLOCK / 2, BYTES = 256 };

struct job {
  struct problem *p;
  const int32_t *pairs; /* [byte of B][byte of A]: 65536 * magnitudes + products, in quarters */
  const double *sfb;    /* L x K/16: values of SFB's row 0 */
  double e4m3[BYTES];   /* values by code */
  pthread_mutex_t lock; /* of p's maxima */
};

struct maxima {
  double sum, block, scale, scale_product;
  int32_t block_raw; /* quarters */
};

static int32_t pair_of(unsigned b, unsigned a) {
  double low = e2m1_value(a & 15) * e2m1_value(b & 15), high = e2m1_value(a >> 4) * e2m1_value(b >> 4);
  return (int32_t)(4 * (fabs(low) + fabs(high))) * 65536 + (int32_t)(4 * (low + high));
}

static double max_of(double a, double b) {
  return b > a ? b : a; /* a NaN in b is passed over */
}

/* One row of one batch: i = batch * M + row. */
static void row_sum(const struct job *job, size_t i, struct maxima *max) {
  const struct problem *p = job->p;
  size_t blocks = (size_t)(p->shape.k / PROBLEM_BLOCK), batch = i / (size_t)p->shape.m;
  const uint8_t *a = p->a + i * blocks * BLOCK_BYTES;
  const uint8_t *b = p->b + batch * PROBLEM_PAD_ROWS * blocks * BLOCK_BYTES;
  const uint8_t *sfa = p->sfa + i * blocks;
  const double *sfb = job->sfb + batch * blocks;
  double sum = 0, mag = 0;
  for (size_t block = 0; block < blocks; block++, a += BLOCK_BYTES, b += BLOCK_BYTES) {
    double scale = job->e4m3[sfa[block]], product = scale * sfb[block];
    int32_t both = 0, dot, raw;
    for (int j = 0; j < BLOCK_BYTES; j++)
      both += job->pairs[b[j] * BYTES + a[j]];
    dot = (int16_t)(both & 0xffff);
    raw = (both - dot) / 65536;
    sum += 0.25 * dot * product;
    product = fabs(product);
    mag += 0.25 * raw * product;
    max->block = max_of(max->block, 0.25 * raw * product);
    max->block_raw = raw > max->block_raw ? raw : max->block_raw;
    max->scale = max_of(max->scale, fabs(scale));
    max->scale_product = max_of(max->scale_product, product);
  }
  p->ref[i] = sum;
  p->mag[i] = mag;
  max->sum = max_of(max->sum, mag);
}

static void rows_sum(void *context, size_t begin, size_t end) {
  struct job *job = context;
  struct problem *p = job->p;
  struct maxima max = {0};
  for (size_t i = begin; i < end; i++)
    row_sum(job, i, &max);
  pthread_mutex_lock(&job->lock);
  p->sum_abs_max = max_of(p->sum_abs_max, max.sum);
  p->block_abs_max = max_of(p->block_abs_max, max.block);
  p->block_raw_max = max_of(p->block_raw_max, 0.25 * max.block_raw);
  p->scale_max = max_of(p->scale_max, max.scale);
  p->scale_product_max = max_of(p->scale_product_max, max.scale_product);
  pthread_mutex_unlock(&job->lock);
}

int problem_reference(struct problem *p, int threads, struct err *e) {
  size_t rows = (size_t)p->shape.l * (size_t)p->shape.m, blocks = (size_t)(p->shape.k / PROBLEM_BLOCK);
  size_t sfb_values = (size_t)p->shape.l * blocks;
  int32_t *pairs = malloc(BYTES * BYTES * sizeof *pairs);
  double *sfb = malloc(sfb_values * sizeof *sfb);
  struct job job = {.p = p, .pairs = pairs, .sfb = sfb, .lock = PTHREAD_MUTEX_INITIALIZER};
  size_t grain = 1 + ((size_t)1 << 20) / (size_t)p->shape.k; /* a million products repay a thread's start */
  int rc = 0;
  if (!p->ref)
    p->ref = malloc(rows * sizeof *p->ref);
  if (!p->mag)
    p->mag = malloc(rows * sizeof *p->mag);
  if (!pairs || !sfb || !p->ref || !p->mag) {
    rc = err_nomem(e, "the reference of the problem");
    goto done;
  }
  for (unsigned b = 0; b < BYTES; b++) {
    job.e4m3[b] = e4m3fn_value(b);
    for (unsigned a = 0; a < BYTES; a++)
      pairs[b * BYTES + a] = pair_of(b, a);
  }
  p->sum_abs_max = p->block_abs_max = p->block_raw_max = p->scale_max = p->scale_product_max = 0;
  for (size_t i = 0; i < sfb_values; i++) {
    sfb[i] = job.e4m3[p->sfb[i / blocks * PROBLEM_PAD_ROWS * blocks + i % blocks]];
    p->scale_max = max_of(p->scale_max, fabs(sfb[i]));
  }
  parallel_run(threads, rows, grain, rows_sum, &job);
done:
  free(pairs);
  free(sfb);
  return rc;
}
