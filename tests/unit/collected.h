/* For tests of a session and its collectors on the fake GPU, in one process: rungs of all kinds, and a session of some of them.  A launch of the fake takes
 * 10 µs + 1 µs a block, an empty kernel 2 µs; the tests' shape is 256x128x2, whose gemv has 2 x 2 blocks. */
#pragma once

#include "measured.h"

/* The phases' rows. */
extern const struct collector collect_check, collect_time, collect_counters, collect_stalls, collect_sass;

#define HEAD(name) "//! id: " name "\n//! ladder: " name "\n//! change: none\n"
#define BODY(kernel)                                                                                                   \
  "extern \"C\" __global__ void " kernel                                                                               \
  "(const void *a, const void *b, const void *sfa, const void *sfb, void *c, int M, int K, int L) {}\n"
#define PLAIN(name, kernel)                                                                                            \
  HEAD(name) "//! step: kernel = " kernel "; grid = ceil(M / 128), L; block = 128\n" BODY(kernel)
static const char good[] = PLAIN("good", "gemv");
static const char last[] = PLAIN("last", "gemv_last");
static const char beside[] = PLAIN("beside", "gemv_beside");
static const char refused[] = PLAIN("refused", "gemv_refused");
static const char empty[] = HEAD("empty") "//! output: none\n"
                                          "//! step: kernel = gemv; grid = 1; block = 32\n" BODY("gemv");
static const char limited[] = HEAD("limited") "//! limits: scale_max < 0.001\n"
                                              "//! step: kernel = gemv; grid = 1; block = 32\n" BODY("gemv");
static const char rich[] = HEAD(
    "rich") "//! scratch: t = 4 * M; fill = 7\n"
            "//! scratch: u = 32\n"
            "//! setup: kernel = settle; grid = 1; block = 32; args = t\n"
            "//! reset: fill t = 9\n"
            "//! reset: kernel = clear; grid = 2; block = 32; args = u\n"
            "//! reset: fill c = 3\n"
            "//! tensormap: map = a; type = bf16; dims = K / 4, M; strides = K / 2; box = 32, 8; swizzle = 64; l2 = 128\n"
            "//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128\n"
            "//! step: kernel = tail; grid = 3, 5, 7; block = 32, 2, 4; smem = 60000; cluster = 3, 5, 1; "
            "args = t, map, M + 1, i64(K), f32(1.5), f64(2.5), sfb\n" BODY("gemv");
static const char called[] = HEAD("called") "//! host: cublas\n"
                                            "//! scratch: x = 2 * M * K * L\n//! scratch: y = 2 * K * L\n"
                                            "//! step: call = gemm; args = x, y, c\n" BODY("unused");
#define GENERIC(name, kernel, more)                                                                                    \
  HEAD(name)                                                                                                           \
  "//! problem: generic\n"                                                                                             \
  "//! size: N = 100\n"                                                                                                \
  "//! buffer: x = fp32[N]; init = iota\n"                                                                             \
  "//! buffer: y = fp32[N]\n"                                                                                          \
  "//! output: y\n"                                                                                                    \
  "//! step: kernel = " kernel "; grid = 1; block = 128\n" more "extern \"C\" __global__ void " kernel                 \
  "(const float *x, float *y, int n) {}\n"
#define REFERENCE "//! reference: kernel = scale; grid = 1; block = 128\n"

static const struct shape shape = {.m = 256, .k = 128, .l = 2};
static struct bench b;
static struct err e;

static void open_with(const char *const *files, size_t n) {
  bench_libraries("whole");
  e = (struct err){0};
  assert_int_equal(bench_open(&b, files, n, shape), 0);
}
#define OPEN(...)                                                                                                      \
  do {                                                                                                                 \
    const char *const files[] = {__VA_ARGS__};                                                                         \
    open_with(files, sizeof files / sizeof *files);                                                                    \
  } while (0)

static const char same[] = PLAIN("same", "gemv_same");
static const char clusters[] =
    HEAD("clusters") "//! output: none\n//! step: kernel = eight; grid = 2, 2, 2; block = 32; cluster = 2, 2, 2\n"
                     "//! step: kernel = twelve; grid = 2, 3, 2; block = 32; cluster = 2, 3, 2\n" BODY("eight");
