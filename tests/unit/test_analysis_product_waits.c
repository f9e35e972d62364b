/* Warps that wait for matrix instructions, and those that wait for data. */
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
    bool products;
    double barriers; /* part of the products' */
  } rows[] = {
      {{{0}}, false, 0},
      {{{1, "wait", 10}}, true, 0},
      {{{0, "wait", 10}}, true, 0},
      {{{2, "wait", 10}}, false, 0}, /* an addition */
      /* more than twice as long as for data */
      {{{1, "wait", 21}, {2, "long_scoreboard", 10}}, true, 0},
      {{{1, "wait", 20}, {2, "long_scoreboard", 10}}, false, 0},
      /* there, too, for data, and what issues waits for nothing */
      {{{1, "wait", 21}, {1, "long_scoreboard", 10}}, true, 0},
      {{{1, "wait", 20}, {1, "long_scoreboard", 10}}, false, 0},
      {{{1, "wait", 20}, {1, "selected", 10}, {2, "long_scoreboard", 10}}, false, 0},
      {{{1, "wait", 20}, {1, "not_selected", 10}, {2, "long_scoreboard", 10}}, false, 0},
      /* at barriers: a quarter is the warpgroup's */
      {{{1, "barrier", 10}, {4, "barrier", 30}}, true, 0.25},
      {{{0, "barrier", 10}, {4, "barrier", 10}}, true, 0.5},
      {{{4, "barrier", 30}}, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct long_kernel k;
    struct hot h;
    sampled_make(&k, &h, rows[i].samples);
    struct rule_input in = {.hot = &h, .sass = &h.kernels[0].sass};
    if (waits_for_products(&in) != rows[i].products || barriers_part_of_products(&in) != rows[i].barriers)
      fail_msg("row %zu: %d, %g", i, waits_for_products(&in), barriers_part_of_products(&in));
    in.sass = NULL;
    assert_false(waits_for_products(&in));
    assert_float_equal(barriers_part_of_products(&in), 0, 0);
    hot_release(&h);
    long_release(&k);
  }
}

#define TURN "ISETP.NE.AND P0, PT, R6, R10, PT", "@P0 BRA 0x10", "EXIT"

static void loops_that_drain(void **state) {
  (void)state;
  static const struct {
    const char *lines[10];
    bool drains;
  } rows[] = {
      {{"MOV R6, RZ", PRODUCT, DRAIN, TURN}, true},
      {{"MOV R6, RZ", PRODUCT, "WARPGROUP.DEPBAR.LE gsb0, 0x1", TURN}, false},
      {{"MOV R6, RZ", PRODUCT, "WARPGROUP.DEPBAR.LE gsb0, 0x1", DRAIN, TURN}, false},
      {{"MOV R6, RZ", PRODUCT, "@!PT WARPGROUP.DEPBAR.LE gsb0, 0x1", DRAIN, TURN}, true},
      {{"MOV R6, RZ", PRODUCT, TURN}, false},
      {{"MOV R6, RZ", DRAIN, TURN}, false},
      /* behind the loop */
      {{"MOV R6, RZ", PRODUCT, "ISETP.NE.AND P0, PT, R6, R10, PT", "@P0 BRA 0x10", DRAIN, "EXIT"}, false},
      {{PRODUCT, DRAIN, "EXIT"}, false},
      /* a turn reads one of the 64 registers of sums, or what lies before and behind them */
      {{"MOV R6, RZ", PRODUCT, DRAIN, "FADD R4, R24, R6", TURN}, false},
      {{"MOV R6, RZ", PRODUCT, DRAIN, "FADD R4, R87, R6", TURN}, false},
      {{"MOV R6, RZ", PRODUCT, DRAIN, "FADD R4, R23, R6", TURN}, true},
      {{"MOV R6, RZ", PRODUCT, DRAIN, "FADD R4, R88, R6", TURN}, true},
      {{"MOV R6, RZ", PRODUCT, DRAIN, "@!PT FADD R4, R24, R6", TURN}, true},
      {{"MOV R6, RZ", PRODUCT, DRAIN, "ISETP.NE.AND P0, PT, R6, R10, PT", "@P0 BRA 0x10", "FADD R4, R24, R6", "EXIT"},
       true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    double executed[MADE_INSTS] = {10};
    size_t n = 1;
    for (; rows[i].lines[n]; n++)
      executed[n] = strcmp(rows[i].lines[n], "EXIT") == 0 ? 10 : 80;
    struct rule_input *in = input(&x, rows[i].lines, executed);
    if (drains_products(in) != rows[i].drains)
      fail_msg("row %zu", i);
    in->sass = NULL;
    assert_false(drains_products(in));
    sass_release(&x.m.sass);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(who_waits_for_what), cmocka_unit_test(loops_that_drain),
                                     cmocka_unit_test(products_that_ran)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
