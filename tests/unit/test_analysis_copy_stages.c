/* Tiles that a loop has under way, and loads that a turn may go round; worked out by hand. */
#include "analysis/idioms/copy_stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_sass.h"

#define COPY  "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]"
#define CLOSE "LDGDEPBAR"
#define TURN  "@P0 BRA 0x0"

static void stages(void **state) {
  static const struct {
    const char *lines[10];
    int stages;
  } cases[] = {{{"DEPBAR.LE SB0, 0x2", COPY, CLOSE, COPY, CLOSE, TURN, "EXIT"},
                3}, /* one tile of two groups left, and one read */
               {{"DEPBAR.LE SB0, 0x4", COPY, CLOSE, COPY, CLOSE, TURN, "EXIT"}, 4},
               {{"DEPBAR.LE SB0, 0x0", COPY, CLOSE, TURN, "EXIT"}, 2},
               {{COPY, CLOSE, "DEPBAR.LE SB0, 0x0", TURN, "EXIT"}, 1}, /* in its own turn */
               {{COPY, CLOSE, "DEPBAR.LE SB0, 0x2", TURN, "EXIT"}, 3},
               {{"DEPBAR.LE SB0, 0x1", COPY, CLOSE, COPY, CLOSE, TURN, "EXIT"}, 0}, /* half of a tile */
               {{COPY, CLOSE, "DEPBAR.LE SB0, 0x2", COPY, CLOSE, TURN, "EXIT"}, 0},
               {{"DEPBAR.LE SB0, 0x1", COPY, CLOSE, "DEPBAR.LE SB0, 0x1", TURN, "EXIT"}, 0},
               {{"DEPBAR.LE SB5, 0x1", COPY, CLOSE, TURN, "EXIT"}, 0}, /* of a scoreboard */
               {{"DEPBAR.LE SB0, 0x1", COPY, CLOSE, "EXIT"}, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    if (sass_copy_stages(&m.sass) != cases[i].stages)
      fail_msg("case %zu: %d", i, sass_copy_stages(&m.sass));
    sass_release(&m.sass);
  }
}

/* Of two loops with copies, the one that is executed more. */
static void of_the_hotter_loop(void **state) {
  static const char *const lines[] = {"DEPBAR.LE SB0, 0x1", COPY,   CLOSE, TURN, "DEPBAR.LE SB0, 0x0", COPY, CLOSE,
                                      "@P0 BRA 0x40",       "EXIT", NULL};
  static const double executed[][9] = {{8, 8, 8, 8, 2, 2, 2, 2, 1}, {2, 2, 2, 2, 8, 8, 8, 8, 1}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct made_sass m;
    made_kernel(&m, lines);
    made_counts(&m, executed[i]);
    assert_int_equal(sass_copy_stages(&m.sass), i == 0 ? 3 : 2);
    sass_release(&m.sass);
  }
}

static void skipped(void **state) {
  static const struct {
    const char *lines[8];
    bool skips;
  } cases[] = {{{"MOV R1, R2", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", TURN, "EXIT"}, false},
               {{"@P1 BRA 0x20", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", TURN, "EXIT"}, true},
               {{"@P1 BRA 0x40", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", TURN, "EXIT"}, false}, /* leaves */
               {{"@P1 BRA 0x20", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "EXIT"}, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_sass m;
    made_kernel(&m, cases[i].lines);
    if (sass_turn_skips(&m.sass, 1) != cases[i].skips)
      fail_msg("case %zu", i);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stages), cmocka_unit_test(of_the_hotter_loop),
                                     cmocka_unit_test(skipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
