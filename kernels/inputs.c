/* Shape sets, sizes, and inputs generated from a seed. */
#include "base/mix64.h"
#include "base/text.h"
#include "kernels/parallel.h"
#include "kernels/problem.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- shapes and sizes --- */

static const struct shape bench_shapes[] = {{7168, 16384, 1}, {4096, 7168, 8}, {7168, 2048, 4}};

static const struct shape test_shapes[] = {
    {128, 256, 1},  {128, 1536, 1}, {128, 3072, 1}, {256, 7168, 1}, {2432, 4608, 2},
    {384, 7168, 2}, {512, 512, 2},  {512, 4096, 2}, {512, 1536, 2},
};

/* Weights of language models of 7 to 70 thousand million parameters at one token a step, two with experts, and a batch of heads. */
static const struct shape llm_shapes[] = {
    {4096, 4096, 1},  {6144, 4096, 1},  {14336, 4096, 1}, {28672, 4096, 1}, {4096, 14336, 1}, {8192, 8192, 1},
    {10240, 8192, 1}, {28672, 8192, 1}, {57344, 8192, 1}, {8192, 28672, 1}, {5120, 5120, 1},  {13824, 5120, 1},
    {5120, 13824, 1}, {2048, 7168, 1},  {18432, 7168, 1}, {7168, 18432, 1}, {512, 7168, 1},   {7168, 2048, 1},
    {7168, 2048, 64}, {1024, 4096, 32}, {128, 4096, 1},
};

const struct problem_shape_set problem_shape_sets[PROBLEM_SHAPE_SETS] = {
    {"bench", bench_shapes, sizeof bench_shapes / sizeof *bench_shapes},
    {"tests", test_shapes, sizeof test_shapes / sizeof *test_shapes},
    {"llm", llm_shapes, sizeof llm_shapes / sizeof *llm_shapes},
};

const struct problem_shape_set *problem_shape_set_find(const char *name) {
  for (size_t i = 0; i < PROBLEM_SHAPE_SETS; i++)
    if (strcmp(problem_shape_sets[i].name, name) == 0)
      return &problem_shape_sets[i];
  return NULL;
}

static void add_shape(struct shape **list, size_t *n, struct shape s) {
  if (shape_in(*list, *n, s))
    return;
  *list = realloc(*list, (*n + 1) * sizeof **list);
  (*list)[(*n)++] = s;
}

int shapes_parse(const char *list, struct shape **out, size_t *n, struct err *e) {
  char *copy = str_copy(list), *rest = copy;
  int rc = 0;
  *out = NULL;
  *n = 0;
  for (char *item; !rc && (item = strsep(&rest, ","));) {
    item = str_trim(item);
    const struct problem_shape_set *set = problem_shape_set_find(item);
    for (size_t i = 0; set && i < set->n; i++)
      add_shape(out, n, set->shapes[i]);
    struct shape s;
    if (!set && (rc = shape_parse(&s, item, e)))
      err_context(e, "--shape");
    else if (!set)
      add_shape(out, n, s);
  }
  free(copy);
  if (rc) {
    free(*out);
    *out = NULL;
  }
  return rc;
}

size_t problem_a_bytes(struct shape s) {
  return (size_t)s.l * (size_t)s.m * (size_t)(s.k / 2);
}

size_t problem_b_bytes(struct shape s) {
  return (size_t)s.l * PROBLEM_PAD_ROWS * (size_t)(s.k / 2);
}

size_t problem_sfa_bytes(struct shape s) {
  return (size_t)s.l * (size_t)s.m * (size_t)(s.k / PROBLEM_BLOCK);
}

size_t problem_sfb_bytes(struct shape s) {
  return (size_t)s.l * PROBLEM_PAD_ROWS * (size_t)(s.k / PROBLEM_BLOCK);
}

size_t problem_c_bytes(struct shape s) {
  return (size_t)s.l * (size_t)s.m * sizeof(uint16_t);
}

const struct problem_buffer problem_buffers[PROBLEM_BUFFERS] = {
    {"a", problem_a_bytes, offsetof(struct problem, a), false},
    {"b", problem_b_bytes, offsetof(struct problem, b), false},
    {"sfa", problem_sfa_bytes, offsetof(struct problem, sfa), true},
    {"sfb", problem_sfb_bytes, offsetof(struct problem, sfb), true},
    {"c", problem_c_bytes, 0, false},
};

const struct problem_buffer *problem_buffer_find(const char *name) {
  for (size_t i = 0; i < PROBLEM_BUFFERS; i++)
    if (strcmp(problem_buffers[i].name, name) == 0)
      return &problem_buffers[i];
  return NULL;
}

static uint8_t **problem_input(struct problem *p, const struct problem_buffer *b) {
  return (uint8_t **)(void *)((char *)p + b->at);
}

static size_t tiles(size_t n, size_t size) {
  return (n + size - 1) / size;
}

size_t problem_blocked_bytes(size_t rows, size_t scales, size_t batches) {
  return batches * tiles(rows, 128) * tiles(scales, 4) * PROBLEM_SCALE_TILE;
}

size_t problem_blocked_at(size_t rows, size_t scales, size_t batch, size_t row, size_t scale) {
  size_t tile = (batch * tiles(rows, 128) + row / 128) * tiles(scales, 4) + scale / 4;
  return tile * PROBLEM_SCALE_TILE + row % 32 * 16 + row % 128 / 32 * 4 + scale % 4;
}

/* A, SFA, C and one row of B a batch: the part on which both counts agree. */
static double bytes_but_sfb(struct shape s) {
  size_t b_row = problem_b_bytes(s) / PROBLEM_PAD_ROWS;
  return (double)(problem_a_bytes(s) + problem_sfa_bytes(s) + b_row + problem_c_bytes(s));
}

double problem_minimal_bytes(struct shape s) {
  size_t sfb_row = problem_sfb_bytes(s) / PROBLEM_PAD_ROWS;
  return bytes_but_sfb(s) + (double)sfb_row;
}

double problem_contest_bytes(struct shape s) {
  return bytes_but_sfb(s) + (double)problem_sfb_bytes(s);
}

double problem_flops(struct shape s) {
  return 2.0 * (double)s.m * (double)s.k * (double)s.l;
}

/* --- kinds of inputs --- */

static const char *const inputs_names[] = {
    [INPUTS_DEFAULT] = "default", [INPUTS_CONTEST] = "contest", [INPUTS_EXTREME] = "extreme"};

int problem_inputs_parse(enum problem_inputs *out, const char *name, struct err *e) {
  enum { N = sizeof inputs_names / sizeof *inputs_names };
  size_t i = str_index(inputs_names, N, name);
  if (i < N)
    *out = (enum problem_inputs)i;
  return i < N ? 0 : err_set(e, ERR_USAGE, "inputs '%s' are unknown; choose default, contest or extreme", name);
}

const char *problem_inputs_name(enum problem_inputs i) {
  return inputs_names[i];
}

enum { CODES = 256 };

/* The positive finite e4m3fn code nearest to x: the codes rise with their values. */
static uint8_t e4m3fn_nearest(double x) {
  unsigned best = 0;
  for (unsigned code = 1; code < 0x7f; code++)
    if (fabs(e4m3fn_value(code) - x) < fabs(e4m3fn_value(best) - x))
      best = code;
  return (uint8_t)best;
}

/* What a uniformly random byte becomes as a scale. */
static void scale_table(uint8_t table[CODES], enum problem_inputs inputs) {
  static const uint8_t contest[] = {0x00, 0x38, 0x40}; /* 0, 1, 2 */
  for (unsigned byte = 0; byte < CODES; byte++) {
    switch (inputs) {
    case INPUTS_DEFAULT: /* the middle of each of 256 equal steps of log2(scale) over [-3, 3] */
      table[byte] = e4m3fn_nearest(exp2(-3 + 6 * (byte + 0.5) / CODES));
      break;
    case INPUTS_CONTEST:
      table[byte] = contest[byte * 3 / CODES];
      break;
    case INPUTS_EXTREME: /* the two NaN become the largest finite values */
      table[byte] = (uint8_t)((byte & 0x7f) == 0x7f ? byte - 1 : byte);
      break;
    }
  }
}

/* --- generation: word i of an array is a hash of (seed, array, i), whoever computes it --- */

struct fill {
  uint8_t *bytes;
  size_t n;
  uint64_t key;         /* of this seed and array */
  uint64_t mask;        /* laid over each word */
  const uint8_t *table; /* what each byte then becomes; NULL: itself */
};

static void fill_words(void *context, size_t begin, size_t end) {
  const struct fill *f = context;
  for (size_t i = begin; i < end; i++) {
    uint64_t word = mix64(f->key + i * MIX64_STEP) & f->mask;
    uint8_t bytes[8];
    size_t left = f->n - 8 * i;
    uint64_t little = htole64(word);
    memcpy(bytes, &little, sizeof bytes);
    for (int j = 0; f->table && j < 8; j++)
      bytes[j] = f->table[bytes[j]];
    memcpy(f->bytes + 8 * i, bytes, left < 8 ? left : 8);
  }
}

static void problem_fill(struct problem *p, int threads) {
  const uint64_t code_mask = p->inputs == INPUTS_CONTEST ? 0x0303030303030303 : UINT64_MAX;
  enum { WORDS_A_THREAD_MIN = 1 << 16 };
  uint8_t scales[CODES];
  scale_table(scales, p->inputs);
  for (size_t i = 0; i < PROBLEM_INPUTS; i++) {
    const struct problem_buffer *b = &problem_buffers[i];
    struct fill f = {.bytes = *problem_input(p, b),
                     .n = b->bytes(p->shape),
                     .key = mix64(p->seed + (i + 1) * MIX64_STEP),
                     .mask = b->scales ? UINT64_MAX : code_mask,
                     .table = b->scales ? scales : NULL};
    parallel_run(threads, (f.n + 7) / 8, WORDS_A_THREAD_MIN, fill_words, &f);
  }
}

int problem_make(struct problem *out, struct shape s, enum problem_inputs inputs, uint64_t seed, int threads,
                 struct err *e) {
  *out = (struct problem){.shape = s, .inputs = inputs, .seed = seed};
  if (s.m < 1 || s.l < 1 || s.k < 64 || s.k % 64)
    return err_set(e, ERR_USAGE, "shape %ldx%ldx%ld: M and L must be at least 1, and K a positive multiple of 64", s.m,
                   s.k, s.l);
  for (size_t i = 0; i < PROBLEM_INPUTS; i++) {
    const struct problem_buffer *b = &problem_buffers[i];
    if (!(*problem_input(out, b) = malloc(b->bytes(s))))
      return err_nomem(e, "the inputs of the problem");
  }
  problem_fill(out, threads);
  return problem_reference(out, threads, e);
}

void problem_release(struct problem *p) {
  for (size_t i = 0; i < PROBLEM_INPUTS; i++)
    free(*problem_input(p, &problem_buffers[i]));
  free(p->ref);
  free(p->mag);
  *p = (struct problem){0};
}
