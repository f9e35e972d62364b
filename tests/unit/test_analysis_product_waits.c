/* Waits at barriers that are a warpgroup's for its own matrix instructions. */
#include "analysis/signs/product_waits.h"
#include "unit/long_kernel.h"
#include "unit/made_input.h"

#define PRODUCT "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, gsb0"
#define DRAIN   "WARPGROUP.DEPBAR.LE gsb0, 0x0"

enum { SAMPLED_MAX = 5 };

struct sampled {
  size_t at;
  const char *reason;
  uint64_t samples;
};

static void sampled_make(struct long_kernel *k, struct hot *h, const struct sampled *samples) {
  long_init(k, SAMPLED_MAX);
  long_add(k, PRODUCT, 1);
  long_add(k, DRAIN, 2);
  long_add(k, "FADD R4, R24, R6", 3);
  long_add(k, "BAR.SYNC.DEFER_BLOCKING 0x0", 4);
  long_add(k, "EXIT", 5);
  for (size_t i = 0; i < SAMPLED_MAX && samples[i].reason; i++)
    long_sample(k, samples[i].at, samples[i].reason, samples[i].samples);
  hot_make(h, &k->run, &k->result);
}

static void who_waits_for_what(void **state) {
  (void)state;
  static const struct {
    struct sampled samples[SAMPLED_MAX];
    double barriers; /* part of the products' */
  } rows[] = {
      {{{0}}, 0},
      {{{1, "wait", 10}}, 0},
      {{{1, "barrier", 10}, {4, "barrier", 30}}, 0.25}, /* a quarter is the warpgroup's */
      {{{0, "barrier", 10}, {4, "barrier", 10}}, 0.5},
      {{{4, "barrier", 30}}, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct long_kernel k;
    struct hot h;
    sampled_make(&k, &h, rows[i].samples);
    struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
    if (barriers_part_of_products(&in) != rows[i].barriers)
      fail_msg("row %zu: %g", i, barriers_part_of_products(&in));
    in.sass = NULL;
    assert_float_equal(barriers_part_of_products(&in), 0, 0);
    hot_release(&h);
    long_release(&k);
  }
}

static void products_that_ran(void **state) {
  (void)state;
  static const struct {
    const char *lines[3];
    double executed[3];
    bool begins;
  } rows[] = {{{PRODUCT, "EXIT"}, {1, 1}, true},
              {{PRODUCT, "EXIT"}, {0, 1}, false},
              {{"HMMA.16816.F32 R8, R4, R4, R8", "EXIT"}, {1, 1}, false}, /* a warp's chain */
              {{DRAIN, "EXIT"}, {1, 1}, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    struct rule_input *in = input(&x, rows[i].lines, rows[i].executed);
    if (begins_products(in) != rows[i].begins)
      fail_msg("row %zu", i);
    in->sass = NULL;
    assert_false(begins_products(in));
    sass_release(&x.m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(who_waits_for_what), cmocka_unit_test(products_that_ran)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
